/**
 * A form with `data-dialog` leads to a page that asks. Here that page is fetched and its `data-dialog-body` is
 * shown in a dialog. The form inside posts as on the page itself; when the answer is an error page, the
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

async function openDialog(url: string): Promise<void> {
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  const body = page?.querySelector('[data-dialog-body]')
  if (!page || !body) return location.assign(url)
  const dialog = document.createElement('dialog')
  const title = document.createElement('h2')
  title.id = 'dialog-title'
  title.textContent = page.querySelector('h1')?.textContent ?? ''
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.append(title, document.importNode(body, true))
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('[data-dialog-close]')) return
    event.preventDefault()
    dialog.close()
  })
  document.body.append(dialog)
  dialog.showModal()
}
