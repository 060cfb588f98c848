/**
 * A field with `data-filters` hides the labels of the list with that id which do not contain what is typed.
 * Without script it is hidden and the list is whole.
 */
export function addFilters(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-filters]')) {
    const list = document.getElementById(field.dataset.filters ?? '')
    field.closest('label')?.removeAttribute('hidden')
    field.addEventListener('input', () => {
      const wanted = plain(field.value)
      for (const label of list?.querySelectorAll('label') ?? [])
        label.hidden = !plain(label.textContent ?? '').includes(wanted)
    })
    // Enter would send the form around it.
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') event.preventDefault()
    })
  }
}

/** Without accents and case. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
