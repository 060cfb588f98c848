/** A click on a row opens its page, unless it hits a link or control, or selects text. */
export function addRows(): void {
  document.addEventListener('click', (event) => {
    const target = event.target as Element
    const row = target.closest<HTMLElement>('tr[data-href]')
    if (!row || target.closest('a, button, input, label, select, summary')) return
    if (getSelection()?.toString()) return
    const url = row.dataset.href ?? ''
    if (event.ctrlKey || event.metaKey) open(url)
    else location.assign(url)
  })
}
