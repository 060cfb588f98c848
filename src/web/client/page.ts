export const all = <E extends Element>(selector: string): NodeListOf<E> =>
  document.querySelectorAll<E>(selector)

/** Calls back when the page is restored from the back/forward cache. */
export function onRestore(restored: () => void): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) restored()
  })
}
