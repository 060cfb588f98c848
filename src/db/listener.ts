import pg from 'pg'
import type { Servers } from './servers.ts'

const RECONNECT_MS = 1_000
const CONNECT_MS = 4_000

type Heard = (payload: string) => void

/** One connection for LISTEN, opened with the first listener and reopened when it breaks. */
export function createListener(servers: Servers, onError?: (error: Error) => void) {
  const ears = createEars()
  let client: pg.Client | undefined
  let closed = false
  let connected: Promise<void> | undefined

  async function connect(): Promise<void> {
    let opening: pg.Client | undefined
    try {
      const address = await servers.address()
      if (client || closed) return
      opening = clientOf(address, { heard: ears.tell, ended: lost })
      client = opening
      await opening.connect()
      for (const channel of ears.channels()) await opening.query(`listen ${channel}`)
      // What was said while nobody listened is gone: everyone looks for himself.
      for (const channel of ears.channels()) ears.tell(channel, '')
    } catch (error) {
      lost(opening, error as Error)
    }
  }

  function lost(which: pg.Client | undefined, error?: Error): void {
    if (client !== which) return
    client = undefined
    if (closed) return
    if (error) onError?.(error)
    servers.doubt()
    which?.end().catch(ignore)
    setTimeout(reconnect, RECONNECT_MS).unref()
  }

  function reconnect(): void {
    connected = connect()
  }

  return {
    listen(channel: string, heard: Heard): () => void {
      const isNew = !ears.has(channel)
      const stop = ears.add(channel, heard)
      // One after the other: a connection that is busy takes no second statement.
      if (!connected) reconnect()
      else if (isNew)
        connected = connected.then(() => client?.query(`listen ${channel}`)).then(ignore, ignore)
      return stop
    },
    /** The server has moved, and the old one may not even have hung up. */
    reopen(): void {
      const old = client
      client = undefined
      old?.end().catch(ignore)
      if (connected) reconnect()
    },
    async close(): Promise<void> {
      closed = true
      await client?.end().catch(ignore)
    },
  }
}

interface Events {
  readonly heard: (channel: string, payload: string) => void
  readonly ended: (client: pg.Client, error?: Error) => void
}

function clientOf(address: string, { heard, ended }: Events): pg.Client {
  const client = new pg.Client({
    connectionString: address,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('notification', ({ channel, payload }) => heard(channel, payload ?? ''))
  client.on('error', (error) => ended(client, error))
  client.on('end', () => ended(client))
  return client
}

/** Who wants to hear what is said on which channel. */
function createEars() {
  const all = new Map<string, Set<Heard>>()
  return {
    channels: () => all.keys(),
    has: (channel: string) => all.has(channel),
    add(channel: string, heard: Heard): () => void {
      const ears = all.get(channel) ?? new Set()
      all.set(channel, ears.add(heard))
      return () => ears.delete(heard)
    },
    tell(channel: string, payload: string): void {
      for (const heard of all.get(channel) ?? []) heard(payload)
    },
  }
}

const ignore = (): void => {}
