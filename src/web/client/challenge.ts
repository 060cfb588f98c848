/** Shows the bank's page in a dialog, or in the whole window on narrow screens. */
const NARROW = 420

export function challenge(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#challenge')
  const url = dialog?.dataset.url
  if (!dialog || !url) return
  if (innerWidth < NARROW) {
    location.replace(url)
    return
  }
  const frame = document.createElement('iframe')
  frame.src = url
  frame.title = dialog.ariaLabel ?? ''
  // Keyboard focus goes to the bank's page directly.
  frame.onload = () => frame.focus()
  dialog.append(frame)
  dialog.showModal()
}
