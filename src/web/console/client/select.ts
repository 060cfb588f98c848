/** A label with `data-select-all` ticks all checkboxes of that name. It is hidden without script. */
export function addSelectAll(): void {
  for (const label of document.querySelectorAll<HTMLElement>('[data-select-all]')) {
    label.hidden = false
    label.addEventListener('change', (event) => {
      const { checked } = event.target as HTMLInputElement
      const boxes = document.querySelectorAll<HTMLInputElement>(`input[name="${label.dataset.selectAll}"]`)
      for (const box of boxes) box.checked = checked
    })
  }
}
