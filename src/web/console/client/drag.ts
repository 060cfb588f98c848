/**
 * Lists with `data-drag` can be ordered by dragging. Each list holds a form with the fields `from` and `to`,
 * which is sent when an item is dropped. The buttons of the items do the same without script.
 */
export function addDragging(): void {
  for (const list of document.querySelectorAll<HTMLElement>('[data-drag]')) addList(list)
}

const ownItems = (list: HTMLElement): HTMLElement[] =>
  [...list.children].filter((child): child is HTMLElement => child instanceof HTMLElement)

function addList(list: HTMLElement): void {
  const form = document.getElementById(list.dataset.drag ?? '')
  if (!(form instanceof HTMLFormElement)) return
  let dragged: HTMLElement | undefined
  const items = ownItems(list)
  for (const item of items) {
    item.draggable = true
    item.addEventListener('dragstart', (event) => {
      event.stopPropagation()
      dragged = item
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
      item.classList.add('is-dragged')
    })
    item.addEventListener('dragend', () => {
      dragged = undefined
      for (const one of items) one.classList.remove('is-dragged', 'is-target')
    })
    item.addEventListener('dragover', (event) => {
      if (!dragged) return
      event.preventDefault()
      event.stopPropagation()
      for (const one of items) one.classList.toggle('is-target', one === item && one !== dragged)
    })
    item.addEventListener('drop', (event) => {
      if (!dragged || dragged === item) return
      event.preventDefault()
      event.stopPropagation()
      send(form, items.indexOf(dragged), items.indexOf(item))
    })
  }
}

function send(form: HTMLFormElement, from: number, to: number): void {
  const values: Record<string, number> = { from, to }
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.value = String(value)
  }
  form.requestSubmit()
}
