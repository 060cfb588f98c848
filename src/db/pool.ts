import pg from 'pg'
import { type Database, DatabaseAwayError, isDataError, type Queryable, type Statement } from './database.ts'
import { createLanes } from './lanes.ts'
import { createListener } from './listener.ts'
import { createServers, type Servers } from './servers.ts'

const POOL_SIZE = 8
const CONNECT_MS = 3_000
/** No statement of ours takes a second; one that takes longer than this is stuck. */
const STATEMENT_MS = 3_500
/** Waiting for a connection and for the answer together: by then a request is told 503. */
const ANSWER_MS = 3_750
/** A server that does not end a statement in time itself is silent, and its connection given up. */
const SILENT_MS = 3_750

/**
 * Every statement of ours finds its rows by an index. Plans are kept with the connection, and one that was
 * made while a table was nearly empty must not read all of it an hour later. None depends on the values it
 * is run with, so each is made once.
 */
const PLANS = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan'

export interface PoolOptions {
  /** May name several servers: the one that takes writes is used. */
  readonly url: string
  /** A server that follows it; reads that may be a moment old go there. */
  readonly replicaUrl?: string
  readonly size?: number
  /** Told about connections that broke while idle; nothing is lost with them. */
  readonly onError?: (error: Error) => void
}

export function openDatabase({ url, replicaUrl, size = POOL_SIZE, onError }: PoolOptions): Database {
  const openPool = (address: string) => createPool(address, size, onError)
  const servers = createServers({ url, openPool, onMove: () => listener.reopen() })
  const listener = createListener(servers, onError)
  const silence = createSilence()

  async function query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]> {
    const startMs = silence.begin()
    try {
      const rows = await answered(run<Row>(servers.pool(), statement, values))
      silence.heard()
      return rows
    } catch (error) {
      if (error instanceof DatabaseAwayError) silence.missed(startMs)
      throw doubted(servers, error)
    }
  }

  const replica = replicaUrl ? createReplica(openPool(replicaUrl), query) : undefined
  return {
    query,
    batch: createLanes(async (statement, json) => await query(statement, [json])),
    transaction: (work, opening) =>
      transaction(servers.pool(), work, opening).catch((error) => {
        throw doubted(servers, error)
      }),
    ...(replica && { replica }),
    listen: (channel, heard) => listener.listen(channel, heard),
    close: async () => {
      await listener.close()
      await Promise.all([servers.close(), replica?.close()])
    },
  }
}

function createPool(address: string, size: number, onError: PoolOptions['onError']): pg.Pool {
  const pool = new pg.Pool({
    connectionString: address,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: SILENT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    options: PLANS,
  })
  pool.on('error', (error) => onError?.(error))
  return pool
}

/** A server that is away may be so because another has taken its place. */
function doubted(servers: Servers, error: unknown): unknown {
  if (error instanceof DatabaseAwayError) servers.doubt()
  return error
}

/** For this long nobody else waits for a server that has gone silent; then somebody tries again. */
const SILENCE_MS = 1_000

/**
 * A request may need several statements. When the server has not answered any for as long as one may take,
 * the next ones are refused at once: whoever has waited for the first need not wait for the second.
 */
function createSilence() {
  let heardMs = performance.now()
  let refuseUntilMs = Number.NEGATIVE_INFINITY
  return {
    /** When a statement begins; throws while there is no point in asking. */
    begin(): number {
      const nowMs = performance.now()
      if (nowMs < refuseUntilMs) throw new DatabaseAwayError('the database does not answer')
      return nowMs
    },
    heard(): void {
      heardMs = performance.now()
    },
    missed(sinceMs: number): void {
      const nowMs = performance.now()
      if (heardMs < sinceMs && nowMs - sinceMs >= CONNECT_MS) refuseUntilMs = nowMs + SILENCE_MS
    },
  }
}

async function answered<T>(work: Promise<T>, withinMs = ANSWER_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DatabaseAwayError('the database does not answer')), withinMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>

async function run<Row>(
  client: Client | Promise<Client>,
  statement: Statement<unknown>,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const { name, text } = statement
    const result = await (await client).query({ name, text, values: [...values] })
    return result.rows as Row[]
  } catch (error) {
    throw sorted(error)
  }
}

async function transaction<T>(
  pool: Promise<pg.Pool>,
  work: (tx: Queryable) => Promise<T>,
  opening?: Statement<never>,
): Promise<T> {
  const client = await pool
    .then((it) => it.connect())
    .catch((error) => {
      throw sorted(error)
    })
  let broken: Error | undefined
  const breaks = (error: Error) => {
    broken = error
  }
  // The pool listens while a connection is idle; one that breaks now and is heard by nobody ends the process.
  client.on('error', breaks)
  try {
    await client.query(opening ? `begin; ${opening.text}` : 'begin')
    const result = await work({ query: (statement, values) => run(client, statement, values) })
    const { command } = await client.query('commit')
    // A transaction that met an error answers COMMIT with ROLLBACK, without an error of its own.
    if (command !== 'COMMIT') throw new DatabaseAwayError('the transaction was rolled back')
    return result
  } catch (error) {
    await client.query('rollback').catch(breaks)
    throw sorted(error)
  } finally {
    client.off('error', breaks)
    client.release(broken)
  }
}

type Query = Queryable['query']

/** Shorter than for the primary, which may have to be asked after it. */
const REPLICA_MS = 1_000
/** After a failure the replica is left in peace: nobody waits twice for the same dead server. */
const REPLICA_PAUSE_MS = 5_000

/** Reads that may be a moment old, from the replica while it answers and from the primary while not. */
function createReplica(pool: pg.Pool, primary: Query): Queryable & { close(): Promise<void> } {
  let asleepUntilMs = Number.NEGATIVE_INFINITY
  return {
    async query(statement, values) {
      if (performance.now() < asleepUntilMs) return await primary(statement, values)
      try {
        return await answered(run(pool, statement, values), REPLICA_MS)
      } catch (error) {
        if (error instanceof DatabaseAwayError) asleepUntilMs = performance.now() + REPLICA_PAUSE_MS
        // Any failure: it may also lag behind a migration, or have ended a read that stood in its way.
        return await primary(statement, values)
      }
    },
    close: () => pool.end(),
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
  // None of several servers takes writes.
  const fromAll = error instanceof AggregateError
  if ((fromServer && AWAY.test(code)) || fromSocket || fromDriver || fromAll)
    return new DatabaseAwayError('the database cannot be reached', { cause: error })
  return error
}
