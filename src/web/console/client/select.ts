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
  addSums()
}

/** A text with `data-selected-text` tells how many rows are ticked, and their sum by currency. */
function addSums(): void {
  const text = document.querySelector<HTMLElement>('[data-selected-text]')
  if (!text) return
  const show = () => {
    const boxes = [...document.querySelectorAll<HTMLInputElement>('input[data-sum]:checked')]
    if (boxes.length > 0)
      text.textContent = (text.dataset.selectedText ?? '')
        .replace('{count}', String(boxes.length))
        .replace('{sum}', sumText(boxes))
  }
  document.addEventListener('change', show)
  show()
}

/** `€12.50 + $3.00`, with the decimals that the amounts have. */
function sumText(boxes: readonly HTMLInputElement[]): string {
  const sums = new Map<string, { sum: number; digits: number }>()
  for (const { dataset } of boxes) {
    const { sum = '0', currency = '' } = dataset
    const digits = sum.split('.')[1]?.length ?? 0
    sums.set(currency, { sum: (sums.get(currency)?.sum ?? 0) + Number(sum), digits })
  }
  const text = ([currency, { sum, digits }]: [string, { sum: number; digits: number }]) =>
    new Intl.NumberFormat(document.documentElement.lang, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(sum)
  return [...sums].map(text).join(' + ')
}
