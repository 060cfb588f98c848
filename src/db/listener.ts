import pg from 'pg'

/** One connection for LISTEN, opened with the first listener and reopened when it breaks. */
export function createListener(url: string, onError?: (error: Error) => void) {
  const heardOn = new Map<string, Set<(payload: string) => void>>()
  const RECONNECT_MS = 1_000
  let client: pg.Client | undefined
  let closed = false
  let connected: Promise<void> = Promise.resolve()

  async function connect(): Promise<void> {
    if (client || closed) return
    const opening = new pg.Client({ connectionString: url, keepAlive: true })
    client = opening
    opening.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''))
    opening.on('error', (error) => lost(opening, error))
    opening.on('end', () => lost(opening))
    try {
      await opening.connect()
      for (const channel of heardOn.keys()) await opening.query(`listen ${channel}`)
      // What was said while nobody listened is gone: everyone looks for himself.
      for (const channel of heardOn.keys()) tell(channel, '')
    } catch (error) {
      lost(opening, error as Error)
    }
  }

  function lost(which: pg.Client, error?: Error): void {
    if (client !== which) return
    client = undefined
    if (closed) return
    if (error) onError?.(error)
    which.end().catch(() => {})
    setTimeout(connect, RECONNECT_MS).unref()
  }

  function tell(channel: string, payload: string): void {
    for (const heard of heardOn.get(channel) ?? []) heard(payload)
  }

  return {
    listen(channel: string, heard: (payload: string) => void): () => void {
      const known = heardOn.get(channel)
      const all = known ?? new Set()
      heardOn.set(channel, all.add(heard))
      // One after the other: a connection that is busy takes no second statement.
      if (!client) connected = connect()
      else if (!known)
        connected = connected.then(() => client?.query(`listen ${channel}`)).then(ignore, ignore)
      return () => all.delete(heard)
    },
    async close(): Promise<void> {
      closed = true
      await client?.end().catch(() => {})
    },
  }
}

const ignore = (): void => {}
