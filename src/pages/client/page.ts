export const all = <E extends Element>(selector: string): NodeListOf<E> =>
  document.querySelectorAll<E>(selector)

/** The page is shown again from the browser's memory, after back or forward. */
export function onReturn(again: () => void): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) again()
  })
}
