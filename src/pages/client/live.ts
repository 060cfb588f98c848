/** How long to wait before asking again, when the live stream is not there: often at first, then less. */
const PAUSES = [2_000, 2_000, 2_000, 5_000, 5_000, 15_000]

/** Calls back with the address of the page on which the payment is, whenever that may have changed. */
export function follow(heard: (at: string) => unknown): void {
  const { base } = document.body.dataset
  if (!base) return
  let asked = 0
  let polling = false
  const poll = async () => {
    try {
      const answer = await fetch(`${base}/state`, { cache: 'no-store' })
      if (answer.ok) heard(((await answer.json()) as { at: string }).at)
    } catch {
      // Offline: asked again in a moment.
    }
    setTimeout(poll, PAUSES[Math.min(asked++, PAUSES.length - 1)])
  }
  const stream = new EventSource(`${base}/events`)
  stream.onmessage = ({ data }) => heard((JSON.parse(data as string) as { at: string }).at)
  stream.onerror = () => {
    // A broken stream is opened again by the browser; one that was refused is not.
    if (polling) return
    polling = true
    void poll()
  }
  addEventListener('pagehide', () => stream.close())
}
