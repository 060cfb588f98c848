import pg from 'pg'
import { StartError } from '../base/start-error.ts'
import { addressesOf, findWritable } from './addresses.ts'

const CONNECT_MS = 5_000
const OLDEST_MAJOR = 15

/**
 * Checks that the server is reachable and new enough; throws a StartError that never contains the password.
 * Returns the server's address: of several servers that of the writable one.
 */
export async function reachServer(url: string): Promise<string> {
  const address = await chooseAddress(url)
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

async function chooseAddress(url: string): Promise<string> {
  const addresses = addressesOf(url)
  if (addresses.length < 2) return url
  return await findWritable(addresses).catch((error) => {
    throw unreachable(error)
  })
}

const unreachable = (error: unknown): StartError =>
  new StartError(`The database of DATABASE_URL cannot be reached: ${reasonOf(error)}`)

/** A host with several addresses fails with an AggregateError, whose own message is empty. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
