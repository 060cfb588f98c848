import { showCopyButtons } from './copy.ts'

/** Pauses between reads where the stream is refused, increasing. */
const POLL_DELAYS_MS = [2_000, 5_000, 15_000]
/** What follows a change, such as its webhook, is read a little later. */
const SECOND_LOOK_MS = 3_000

/**
 * A page with `data-live` follows its object: after each event it is read again, and the parts marked
 * `data-live-part` are replaced. `data-version` is what the page shows already.
 */
export function addLive(): void {
  const { live, version } = document.body.dataset
  if (!live) return
  let seen = version
  const stream = new EventSource(live)
  const follow = async () => {
    if (await refresh()) return
    stream.close()
  }
  stream.onmessage = ({ data }) => {
    const { version: current } = JSON.parse(data as string) as { version: number }
    if (String(current) === seen) return
    seen = String(current)
    void follow()
    setTimeout(follow, SECOND_LOOK_MS)
  }
  let polls = 0
  const poll = async () => {
    if (await refresh()) setTimeout(poll, POLL_DELAYS_MS[Math.min(polls++, POLL_DELAYS_MS.length - 1)])
  }
  stream.onerror = () => {
    // The browser reopens a broken stream, but not one that was refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(poll, POLL_DELAYS_MS[0])
  }
  addEventListener('pagehide', () => stream.close())
}

/** Reads the page again. False: it is not live any more. */
async function refresh(): Promise<boolean> {
  const url = new URL(location.href)
  url.searchParams.delete('note')
  try {
    const answer = await fetch(url, { headers: { accept: 'text/html' }, cache: 'no-store' })
    if (!answer.ok || answer.redirected) return answer.status >= 500
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const before = stateText()
    for (const part of document.querySelectorAll<HTMLElement>('[data-live-part]')) replace(part, page)
    if (stateText() !== before) say(stateText())
    return page.body.dataset.live !== undefined
  } catch {
    return true
  }
}

/** Forms have a new id each time, which is no change. */
const contentOf = (part: Element): string => part.innerHTML.replace(/name="form" value="[^"]*"/g, '')

function replace(part: HTMLElement, page: Document): void {
  const fresh = page.querySelector(`[data-live-part="${part.dataset.livePart}"]`)
  if (!fresh) return
  showCopyButtons(fresh)
  const opened = [...part.querySelectorAll<HTMLDetailsElement>('details[id][open]')].map(({ id }) => id)
  for (const id of opened) fresh.querySelector(`details[id="${id}"]`)?.setAttribute('open', '')
  if (contentOf(fresh) === contentOf(part)) return
  const focused = focusPlace(part)
  part.replaceChildren(...document.importNode(fresh, true).childNodes)
  if (focused !== undefined) focusable(part)[focused]?.focus()
}

const focusable = (part: Element): HTMLElement[] => [
  ...part.querySelectorAll<HTMLElement>('a[href], button, summary, [tabindex]'),
]

function focusPlace(part: Element): number | undefined {
  const place = focusable(part).indexOf(document.activeElement as HTMLElement)
  return place < 0 ? undefined : place
}

const stateText = (): string => document.querySelector('h1 [data-state]')?.textContent ?? ''

/** For screen readers: the state is the news. */
function say(text: string): void {
  const known = document.getElementById('live-say')
  const region = known ?? document.createElement('div')
  if (!known) {
    region.id = 'live-say'
    region.className = 'visually-hidden'
    region.setAttribute('role', 'status')
    document.querySelector('main')?.append(region)
  }
  region.textContent = text
}
