import { showAmounts } from './amount.ts'
import { showCopyButtons } from './copy.ts'
import { showBusy } from './loading.ts'

/**
 * A form with `data-dialog` leads to a page that asks. Here that page is fetched and its `data-dialog-body`
 * is shown in a dialog. The form inside posts as on the page itself; when the answer is an error page, the
 * browser shows it.
 */
export function addDialogs(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!form.dataset.dialog) return
    event.preventDefault()
    const query = new URLSearchParams(new FormData(form) as unknown as Record<string, string>).toString()
    void openDialog(query ? `${form.action}?${query}` : form.action)
  })
}

let isOpening = false

/** Opens a page of the console as a dialog; a page without a dialog's content is navigated to. */
export async function openDialog(url: string): Promise<void> {
  if (isOpening) return
  isOpening = true
  const done = showBusy()
  const page = await fetchPage(url)
  isOpening = false
  done()
  const body = page?.querySelector('[data-dialog-body]')
  if (!page || !body) return location.assign(url)
  showDialog(page.querySelector('h1')?.textContent ?? '', document.importNode(body, true))
}

async function fetchPage(url: string): Promise<Document | undefined> {
  try {
    const answer = await fetch(url, { headers: { accept: 'text/html' } })
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  } catch {
    return undefined
  }
}

function showDialog(name: string, body: Node): void {
  const dialog = document.createElement('dialog')
  const title = document.createElement('h2')
  title.id = 'dialog-title'
  title.textContent = name
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.append(title, body)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('[data-dialog-close]')) return
    event.preventDefault()
    dialog.close()
  })
  showCopyButtons(dialog)
  showAmounts(dialog)
  frame().append(dialog)
  dialog.showModal()
}

/** Styles of the console hold inside its frame. */
export const frame = (): Element => document.querySelector('.frame') ?? document.body

export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null
