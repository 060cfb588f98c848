/** The bank's page in a dialog; on narrow screens, and where it does not load, in the whole window. */
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
  // Who uses a keyboard is at the bank's question at once.
  frame.onload = () => frame.focus()
  dialog.append(frame)
  dialog.showModal()
}
