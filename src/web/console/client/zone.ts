/**
 * Tells the service the time zone of the browser, for people who have not chosen one. Read by
 * kit/frame/serve.ts; a cookie of ours has no slash.
 */
export function addZone(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  choose(timeZone)
  const wanted = `tender_zone=${timeZone.replaceAll('/', '.')}`
  if (document.cookie.split('; ').includes(wanted)) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${wanted}; Path=/console; Max-Age=31536000; SameSite=Lax${secure}`
}

/** The first page of all, the set-up, was made before the service knew the zone. */
function choose(timeZone: string): void {
  const select = document.querySelector<HTMLSelectElement>('[data-own-zone] select[name=timeZone]')
  // Browsers may say an older name of the zone: Asia/Calcutta.
  const isSame = ({ value }: HTMLOptionElement) =>
    new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone === timeZone
  const options = [...(select?.options ?? [])]
  const own = options.find(({ value }) => value === timeZone) ?? options.find(isSame)
  if (select && own) select.value = own.value
}
