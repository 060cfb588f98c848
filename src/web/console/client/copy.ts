/** Buttons with `data-copy` put their text on the clipboard. */
export function addCopying(): void {
  if (!navigator.clipboard) return
  showCopyButtons(document)
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]')
    if (!button) return
    navigator.clipboard.writeText(button.dataset.copy ?? '').then(
      () => showCopied(button),
      // Refused by the person or the browser: the text can still be selected.
      () => {},
    )
  })
}

/** They are hidden until script runs; also called for content that was loaded later. */
export function showCopyButtons(root: ParentNode): void {
  if (!navigator.clipboard) return
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) button.hidden = false
}

const SHOWN_MS = 1_500

function showCopied(button: HTMLElement): void {
  const before = button.getAttribute('aria-label')
  button.classList.add('is-copied')
  button.setAttribute('aria-label', document.body.dataset.copied ?? '')
  setTimeout(() => {
    button.classList.remove('is-copied')
    if (before === null) button.removeAttribute('aria-label')
    else button.setAttribute('aria-label', before)
  }, SHOWN_MS)
}
