import pg from 'pg'
import { type Database, DatabaseAwayError, isDataError, type Queryable, type Statement } from './database.ts'
import { createLanes } from './lanes.ts'
import { createListener } from './listener.ts'

/** More connections than this only queue inside PostgreSQL: on two cores 32 are slower than 8. */
const POOL_SIZE = 8
const CONNECT_MS = 4_000
/** No statement of ours takes a second; one that takes five is stuck, and its request is told 503. */
const STATEMENT_MS = 5_000

/**
 * Every statement of ours finds its rows by an index. Plans are kept with the connection, and one that was
 * made while a table was nearly empty must not read all of it an hour later.
 */
const PLANS = '-c enable_seqscan=off -c jit=off'

export interface PoolOptions {
  readonly url: string
  readonly size?: number
  /** Told about connections that broke while idle; nothing is lost with them. */
  readonly onError?: (error: Error) => void
}

export function openDatabase({ url, size = POOL_SIZE, onError }: PoolOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 1_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    options: PLANS,
  })
  pool.on('error', (error) => onError?.(error))
  const listener = createListener(url, onError)
  const batch = createLanes(async (statement, json) => {
    return await run(pool, statement, [json])
  })
  return {
    query: (statement, values) => run(pool, statement, values),
    batch,
    transaction: (work) => transaction(pool, work),
    listen: (channel, heard) => listener.listen(channel, heard),
    close: async () => {
      await listener.close()
      await pool.end()
    },
  }
}

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>

async function run<Row>(client: Client, statement: Statement<unknown>, values: readonly unknown[] = []) {
  try {
    const result = await client.query({ name: statement.name, text: statement.text, values: [...values] })
    return result.rows as Row[]
  } catch (error) {
    throw sorted(error)
  }
}

async function transaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw sorted(error)
  })
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work({ query: (statement, values) => run(client, statement, values) })
    const { command } = await client.query('commit')
    // A transaction that met an error answers COMMIT with ROLLBACK, without an error of its own.
    if (command !== 'COMMIT') throw new DatabaseAwayError('the transaction was rolled back')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw sorted(error)
  } finally {
    client.release(broken)
  }
}

/** SQLSTATE classes that mean "the server is going, coming or overloaded", and Node's socket errors. */
const AWAY = /^(08|53|57|58|XX|25006)/

function sorted(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseAwayError || isDataError(error)) return error
  const code = (error as { code?: string }).code
  const fromServer = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  const fromSocket = typeof code === 'string' && /^E[A-Z]+$/.test(code)
  const fromDriver = code === undefined && /connect|terminat|timeout|pool/i.test(error.message)
  if ((fromServer && AWAY.test(code)) || fromSocket || fromDriver)
    return new DatabaseAwayError('the database cannot be reached', { cause: error })
  return error
}
