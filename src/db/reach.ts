import pg from 'pg'
import { StartError } from '../base/start-error.ts'
import { addressesOf, findWritable } from './addresses.ts'

const CONNECT_MS = 5_000
const OLDEST_MAJOR = 15

/**
 * Makes sure that the server answers and is new enough, or says what is wrong without its password. Gives its
 * own address: of several servers that of the one that takes writes.
 */
export async function reachServer(url: string): Promise<string> {
  const address = await chosen(url)
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>('show server_version')
    const version = rows[0]?.version ?? ''
    if (Number.parseInt(version, 10) < OLDEST_MAJOR)
      throw new StartError(
        `DATABASE_URL names a PostgreSQL ${version}; Tender needs ${OLDEST_MAJOR} or newer.`,
      )
    return address
  } catch (error) {
    if (error instanceof StartError) throw error
    throw unreachable(error)
  } finally {
    await client.end().catch(() => {})
  }
}

async function chosen(url: string): Promise<string> {
  const addresses = addressesOf(url)
  if (addresses.length < 2) return url
  return await findWritable(addresses).catch((error) => {
    throw unreachable(error)
  })
}

const unreachable = (error: unknown): StartError =>
  new StartError(`The database of DATABASE_URL cannot be reached: ${reasonOf(error)}`)

/** A name with several addresses fails with one error for each, and an empty message around them. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
