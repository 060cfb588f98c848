import pg from 'pg'
import { KEEP_ALIVE } from './addresses.ts'
import type { Servers } from './servers.ts'

const RECONNECT_MS = 1_000
const CONNECT_MS = 4_000

type Received = (payload: string) => void

/** One connection for LISTEN, opened with the first listener and reopened when it breaks. */
export function createListener(servers: Servers, onError?: (error: Error) => void) {
  const subscribers = createSubscribers()
  let client: pg.Client | undefined
  let closed = false
  let connected: Promise<void> | undefined

  async function connect(): Promise<void> {
    let opening: pg.Client | undefined
    try {
      const address = await servers.address()
      if (client || closed) return
      opening = clientOf(address, { received: subscribers.notify, ended: lost })
      client = opening
      await opening.connect()
      for (const channel of subscribers.channels()) await opening.query(`listen ${channel}`)
      // Notifications sent during the gap are lost. The empty payload makes each subscriber check by itself.
      for (const channel of subscribers.channels()) subscribers.notify(channel, '')
    } catch (error) {
      lost(opening, error as Error)
    }
  }

  function lost(which: pg.Client | undefined, error?: Error): void {
    if (client !== which) return
    client = undefined
    if (closed) return
    if (error) onError?.(error)
    servers.searchPrimary()
    which?.end().catch(ignore)
    setTimeout(reconnect, RECONNECT_MS).unref()
  }

  function reconnect(): void {
    connected = connect()
  }

  return {
    listen(channel: string, received: Received): () => void {
      const isNew = !subscribers.has(channel)
      const stop = subscribers.add(channel, received)
      // Chained, because a connection runs one statement at a time.
      if (!connected) reconnect()
      else if (isNew)
        connected = connected.then(() => client?.query(`listen ${channel}`)).then(ignore, ignore)
      return stop
    },
    /** Connects to the new server after a failover. The old connection may still be open. */
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
  readonly received: (channel: string, payload: string) => void
  readonly ended: (client: pg.Client, error?: Error) => void
}

function clientOf(address: string, { received, ended }: Events): pg.Client {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: CONNECT_MS,
    ...KEEP_ALIVE,
  })
  client.on('notification', ({ channel, payload }) => received(channel, payload ?? ''))
  client.on('error', (error) => ended(client, error))
  client.on('end', () => ended(client))
  return client
}

/** Callbacks by channel. */
function createSubscribers() {
  const all = new Map<string, Set<Received>>()
  return {
    channels: () => all.keys(),
    has: (channel: string) => all.has(channel),
    add(channel: string, received: Received): () => void {
      const callbacks = all.get(channel) ?? new Set()
      all.set(channel, callbacks.add(received))
      return () => callbacks.delete(received)
    },
    notify(channel: string, payload: string): void {
      for (const received of all.get(channel) ?? []) received(payload)
    },
  }
}

const ignore = (): void => {}
