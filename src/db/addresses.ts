import pg from 'pg'
import { DatabaseAwayError } from './database.ts'

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(\?[^#]*)?$/

/**
 * One address for each server in a DATABASE_URL, in the multi-host syntax of libpq:
 * `postgres://user@a:5432,b:5432/tender?target_session_attrs=read-write`. The driver supports one host only,
 * so the server is chosen here. Empty when the text is not such an address.
 */
export function addressesOf(url: string): string[] {
  const [, scheme = '', hosts = '', path = '', query = ''] = URL_PARTS.exec(url) ?? []
  if (scheme === '') return []
  const rest = query
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !one.startsWith('target_session_attrs='))
  const search = rest.length > 0 ? `?${rest.join('&')}` : ''
  return hosts.split(',').map((host) => `${scheme}${host}${path}${search}`)
}

/**
 * For connections that stay open. Without the delay the first probe is sent after two hours; with it an idle
 * connection to a machine that has disappeared fails within 20 s.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

const PROBE_MS = 2_000

/** The server that accepts writes; rejects with an AggregateError of all failures when none does. */
export async function findWritable(addresses: readonly string[]): Promise<string> {
  return await Promise.any(addresses.map(probe))
}

async function probe(address: string): Promise<string> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await requireWritable(client)
    return address
  } finally {
    // Not awaited: an unresponsive server does not complete the close.
    client.end().catch(() => {})
  }
}

/** Throws when the server of this connection accepts no writes. */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'off') throw new DatabaseAwayError('the server takes no writes')
}
