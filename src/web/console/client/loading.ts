/** A navigation or request that takes longer is shown. */
const SHOWN_AFTER_MS = 200
/** A download is a navigation that leaves the page where it is. */
const MAX_SHOWN_MS = 15_000

let busy = 0

/** Shows the bar after a moment, until the returned function is called. */
export function showBusy(): () => void {
  busy += 1
  setTimeout(draw, SHOWN_AFTER_MS)
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    busy = Math.max(0, busy - 1)
    draw()
  }
  setTimeout(end, MAX_SHOWN_MS)
  return end
}

const draw = (): void => {
  document.documentElement.classList.toggle('is-busy', busy > 0)
}

export function addLoading(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
    if (!link || event.defaultPrevented || isElsewhere(event, link)) return
    showBusy()
  })
  // Bubbles last: other listeners may have prevented it.
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    // In another tab: this page stays as it is.
    if (event.defaultPrevented || form.target === '_blank') return
    // After a download the page stays, and its form can be sent again.
    const isDownload = event.submitter?.dataset.download !== undefined
    if (form.method !== 'post' || isDownload) return void showBusy()
    // One post for each page: a double click sends one. The server recognises repeats too.
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'yes'
    for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true')
    showBusy()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    busy = 0
    draw()
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) {
      delete form.dataset.sent
      for (const button of form.querySelectorAll('button')) button.removeAttribute('aria-disabled')
    }
  })
}

function isElsewhere(event: MouseEvent, link: HTMLAnchorElement): boolean {
  // In a drawing, `href` is not a text.
  const { pathname, search, origin } = new URL(link.getAttribute('href') ?? '', location.href)
  const isHere = origin === location.origin && pathname === location.pathname && search === location.search
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    link.target !== '' ||
    link.hasAttribute('download') ||
    origin !== location.origin ||
    (isHere && link.hash !== '')
  )
}
