/** Polling delays without a live stream, increasing. */
const POLL_DELAYS_MS = [2_000, 2_000, 2_000, 5_000, 5_000, 15_000]

/** Calls back with the path of the current page of the payment, whenever it may have changed. */
export function followPagePath(onPath: (at: string) => unknown): void {
  const { base } = document.body.dataset
  if (!base) return
  let polls = 0
  let polling = false
  const poll = async () => {
    try {
      const answer = await fetch(`${base}/state`, { cache: 'no-store' })
      if (answer.ok) onPath(((await answer.json()) as { at: string }).at)
    } catch {
      // Offline: the next poll tries again.
    }
    setTimeout(poll, POLL_DELAYS_MS[Math.min(polls++, POLL_DELAYS_MS.length - 1)])
  }
  const stream = new EventSource(`${base}/events`)
  stream.onmessage = ({ data }) => onPath((JSON.parse(data as string) as { at: string }).at)
  stream.onerror = () => {
    // The browser reopens a broken stream, but not one that was refused.
    if (polling) return
    polling = true
    void poll()
  }
  addEventListener('pagehide', () => stream.close())
}
