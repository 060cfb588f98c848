import { showCopyButtons } from './copy.ts'

const EVERY_MS = 3_000
/** Ten minutes; a reload starts again. */
const MAX_POLLS = 200

/** The content of an element with `data-poll` is read from that address until it has what it waits for. */
export function addPolling(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-poll]')) void poll(element)
}

async function poll(element: HTMLElement): Promise<void> {
  const url = element.dataset.poll ?? ''
  for (let count = 0; count < MAX_POLLS; count++) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    if (document.hidden) continue
    const answer = await fetch(url).catch(() => undefined)
    // Signed out: the answer is another page.
    if (answer?.redirected) return
    if (!answer?.ok) continue
    const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (body.textContent !== element.textContent) replace(element, body)
    if (element.querySelector('[data-poll-done]')) return
  }
}

/** The focus stays on the link that had it. */
function replace(element: HTMLElement, { childNodes }: HTMLElement): void {
  const focused = element.contains(document.activeElement) && document.activeElement?.getAttribute('href')
  element.replaceChildren(...childNodes)
  showCopyButtons(element)
  if (focused) element.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus()
}
