import pg from 'pg'
import { inSpan, statementSpan, type Tracer } from '../base/tracing/tracer.ts'
import { KEEP_ALIVE, requireWritable } from './addresses.ts'
import {
  type Database,
  DatabaseAwayError,
  type DatabaseLoad,
  isDataError,
  type Queryable,
  type Statement,
} from './database.ts'
import { createLanes, type LaneQueues } from './lanes.ts'
import { createListener } from './listener.ts'
import { AS_TEXTS, readRows } from './rows.ts'
import { createServers, type Servers } from './servers.ts'

const POOL_SIZE = 8
const CONNECT_MS = 3_000
/** Every statement takes less than a second; one that takes longer than this is stuck. */
const STATEMENT_MS = 3_500
/** Waiting for a connection and for the result together; then the request is answered with 503. */
const ANSWER_MS = 3_750
/** After this long without a result the server is unresponsive and the connection is closed. */
const SILENT_MS = 3_750

/**
 * Every statement finds its rows by an index. Plans are cached with the connection, so a plan made while a
 * table was nearly empty must not scan the whole table an hour later. No plan depends on parameter values, so
 * generic plans are used.
 */
const PLANS = 'set enable_seqscan = off; set jit = off; set plan_cache_mode = force_generic_plan'

/** Set by a statement and not by startup parameters, which PgBouncer refuses. */
const session = (patience: number) => `set statement_timeout = ${STATEMENT_MS * patience}; ${PLANS}`

export interface PoolOptions {
  /** May name several servers: the writable one is used. */
  readonly url: string
  /** A replica, for reads that may be stale. */
  readonly replicaUrl?: string
  readonly size?: number
  /** Multiplies all times of waiting. Tests of other things than outages are patient with a busy machine. */
  readonly patience?: number | undefined
  /** Called for connections that broke while idle; no statement is lost with them. */
  readonly onError?: (error: Error) => void
  readonly tracer?: Tracer
}

export function openDatabase({ url, replicaUrl, size = POOL_SIZE, ...options }: PoolOptions): Database {
  const { onError, tracer, patience = 1 } = options
  const common = { size, patience, onError }
  // A primary that was demoted restarts as a standby. Until it follows the new primary it shows commits that
  // no other server has and that were never acknowledged. A read must not find them. PostgreSQL cannot be
  // demoted without a restart, so checking each new connection is enough.
  const openPool = (address: string) => createPool({ ...common, address, onConnect: requireWritable })
  const servers = createServers({ url, openPool, onMove: () => listener.reopen() })
  const listener = createListener(servers, onError)
  const breaker = createCircuitBreaker(patience)
  const lanes: LaneQueues = new Map()

  async function query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]> {
    const startMs = breaker.begin()
    try {
      const rows = await answered(run(servers.pool(), statement, values), ANSWER_MS * patience)
      breaker.succeeded()
      return rows
    } catch (error) {
      if (error instanceof DatabaseAwayError) breaker.failed(startMs)
      throw reported(servers, error)
    }
  }

  const traced = (run: Query): Query => (tracer ? tracedQuery(tracer, run) : run)
  const replica = replicaUrl
    ? createReplica(createPool({ ...common, address: replicaUrl }), query)
    : undefined
  return {
    query: traced(query),
    batch: createLanes(async (statement, json) => await query(statement, [json]), { queues: lanes, tracer }),
    transaction: (work, opening) =>
      transaction(servers.pool(), (tx) => work({ query: traced(tx.query) }), opening).catch((error) => {
        throw reported(servers, error)
      }),
    ...(replica && { replica: { query: traced(replica.query) } }),
    listen: (channel, received) => listener.listen(channel, received),
    load: () => ({ most: size, ...connectionsOf(servers.currentPool()), lanes: lanesOf(lanes) }),
    close: async () => {
      await listener.close()
      await Promise.all([servers.close(), replica?.close()])
    },
  }
}

/** A span for each statement within a sampled trace. */
const tracedQuery =
  (tracer: Tracer, query: Query): Query =>
  (statement, values) =>
    inSpan(tracer, statementSpan(statement.name), () => query(statement, values))

const connectionsOf = (pool: pg.Pool | undefined) => ({
  open: pool?.totalCount ?? 0,
  idle: pool?.idleCount ?? 0,
  waiting: pool?.waitingCount ?? 0,
})

const lanesOf = (queues: LaneQueues): DatabaseLoad['lanes'] =>
  [...queues].map(([statement, { waiting, batches, inputs }]) => {
    return { statement, waiting: waiting.length, batches, inputs }
  })

interface CreateOptions {
  readonly onError: PoolOptions['onError']
  readonly address: string
  readonly size: number
  readonly patience: number
  /** Runs before the first statement of a connection. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>
}

function createPool({ address, size, patience, onError, onConnect }: CreateOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: address,
    max: size,
    connectionTimeoutMillis: CONNECT_MS * patience,
    query_timeout: SILENT_MS * patience,
    idleTimeoutMillis: 60_000,
    ...KEEP_ALIVE,
    async onConnect(client) {
      await prepare(client, patience)
      await onConnect?.(client)
    },
  })
  pool.on('error', (error) => onError?.(error))
  return pool
}

async function prepare(client: pg.ClientBase, patience: number): Promise<void> {
  // The pool handles errors of idle connections only. Without a listener an error event ends the process,
  // for example when a server that is stopping ends a connection just after it was opened.
  client.on('error', () => {})
  await client.query(session(patience))
}

/** Starts a search for the writable server when the current one is away: there may have been a failover. */
function reported(servers: Servers, error: unknown): unknown {
  if (error instanceof DatabaseAwayError) servers.searchPrimary()
  return error
}

/** How long statements are refused after a timeout, before the server is tried again. */
const OPEN_MS = 1_000

/**
 * Circuit breaker. A request may need several statements. When a statement timed out and no other succeeded
 * meanwhile, the next ones are refused at once, so that a request waits for one timeout only.
 */
function createCircuitBreaker(patience: number) {
  let lastSuccessMs = performance.now()
  let refuseUntilMs = Number.NEGATIVE_INFINITY
  return {
    /** Returns the start time of a statement; throws while statements are refused. */
    begin(): number {
      const nowMs = performance.now()
      if (nowMs < refuseUntilMs) throw new DatabaseAwayError('the database does not answer')
      return nowMs
    },
    succeeded(): void {
      lastSuccessMs = performance.now()
    },
    failed(startMs: number): void {
      const nowMs = performance.now()
      if (lastSuccessMs < startMs && nowMs - startMs >= CONNECT_MS * patience) refuseUntilMs = nowMs + OPEN_MS
    },
  }
}

async function answered<T>(work: Promise<T>, withinMs: number): Promise<T> {
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
  statement: Statement<Row>,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const { name, text } = statement
    const result = await (await client).query({ name, text, values: [...values], ...AS_TEXTS })
    return readRows(statement, result)
  } catch (error) {
    throw classified(error)
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
      throw classified(error)
    })
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query(opening ? `begin; ${opening.text}` : 'begin')
    const result = await work({ query: (statement, values) => run(client, statement, values) })
    const { command } = await client.query('commit')
    // COMMIT of a failed transaction returns ROLLBACK instead of an error.
    if (command !== 'COMMIT') throw new DatabaseAwayError('the transaction was rolled back')
    return result
  } catch (error) {
    await client.query('rollback').catch(onError)
    const reason = classified(error)
    // The connection may be to a server that is now read-only. The next transaction opens another.
    if (reason instanceof DatabaseAwayError) broken ??= reason
    throw reason
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

type Query = Queryable['query']

/** Shorter than for the primary, as the primary is the fallback within the same request. */
const REPLICA_MS = 1_000
/** After an outage the replica is skipped for this long. */
const REPLICA_PAUSE_MS = 5_000

/** Reads from the replica, and from the primary while the replica is away. */
function createReplica(pool: pg.Pool, primary: Query): Queryable & { close(): Promise<void> } {
  let skipUntilMs = Number.NEGATIVE_INFINITY
  return {
    async query(statement, values) {
      if (performance.now() < skipUntilMs) return await primary(statement, values)
      try {
        return await answered(run(pool, statement, values), REPLICA_MS)
      } catch (error) {
        if (error instanceof DatabaseAwayError) skipUntilMs = performance.now() + REPLICA_PAUSE_MS
        // On any failure: the replica may also lag behind a migration, or have cancelled a conflicting read.
        return await primary(statement, values)
      }
    },
    close: () => pool.end(),
  }
}

/** SQLSTATE classes of a server that is starting, stopping, overloaded or read-only. */
const AWAY = /^(08|53|57|58|XX|25006)/

function classified(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseAwayError || isDataError(error)) return error
  const code = (error as { code?: string }).code
  const fromServer = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  const fromSocket = typeof code === 'string' && /^E[A-Z]+$/.test(code)
  const fromDriver = code === undefined && /connect|terminat|timeout|pool/i.test(error.message)
  // None of several servers accepts writes.
  const fromAll = error instanceof AggregateError
  if ((fromServer && AWAY.test(code)) || fromSocket || fromDriver || fromAll)
    return new DatabaseAwayError('the database cannot be reached', { cause: error })
  return error
}
