/** A prepared statement: PostgreSQL parses and plans it once per connection, which halves its CPU time. */
export interface Statement<Row> {
  readonly name: string
  readonly text: string
  /** Type only: the shape of the returned rows, as rows.ts makes them from the columns. */
  readonly row?: Row
}

const statements = new Map<string, string>()

/** Every statement by its name: the source of `npm run docs -- statements`. */
export const allStatements = (): ReadonlyMap<string, string> => statements

function registered<S extends Statement<unknown>>(statement: S): S {
  statements.set(statement.name, statement.text)
  return statement
}

export const sql = <Row>(name: string, text: string): Statement<Row> => registered({ name, text })

/** A row of a batch statement, with the number of its input. */
export interface Numbered<Row> {
  readonly n: number
  readonly row: Row
}

/**
 * A statement that processes many inputs at once: `$1` is a JSON array of the encoded inputs, each with its
 * index `n`; every returned row has a column `n` with that of its input. See lanes.ts for how inputs are
 * batched.
 */
export interface BatchStatement<Input, Row> extends Statement<Numbered<Row>> {
  /** One JSON object as text, `{…}`, without `n`. */
  readonly encode: (input: Input) => string
  /** Inputs with equal keys never share a batch: a statement may change a row only once. Reads need none. */
  readonly key?: (input: Input) => string
}

export const batchSql = <Input, Row>(statement: BatchStatement<Input, Row>): BatchStatement<Input, Row> =>
  registered(statement)

/** The due rows as `table where …`; `now` is the SQL expression of the current time. */
export type Due = (now: string) => string

/** The SQL expression of the time `ms` before `now`. */
export const ago = (now: string, ms: number): string => `${now} - ${ms} * interval '1 millisecond'`

export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
}

/** How busy the connections and the lanes of this process are. */
export interface DatabaseLoad {
  readonly most: number
  readonly open: number
  readonly idle: number
  /** Statements that wait for a connection. */
  readonly waiting: number
  readonly lanes: readonly LaneLoad[]
}

interface LaneLoad {
  readonly statement: string
  readonly waiting: number
  /** Since the start. */
  readonly batches: number
  readonly inputs: number
}

export interface Database extends Queryable {
  /** The row of this input, or undefined when the statement returned none for it. */
  batch<Input, Row>(statement: BatchStatement<Input, Row>, input: Input): Promise<Row | undefined>
  /** `opening` is a statement without values that is sent together with `begin`. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, opening?: Statement<never>): Promise<T>
  /** For reads that may be stale; see mayLag. */
  readonly replica?: Queryable
  /** Calls back with every notification, and with '' on each (re)connect. Returns the unsubscribe. */
  listen(channel: string, received: (payload: string) => void): () => void
  /** Absent in a simulation. */
  load?(): DatabaseLoad
  close(): Promise<void>
}

/**
 * The replica, if there is one, for reads that may be stale, such as lists. Reads that a decision depends on,
 * and reads by id that may follow a write, use the primary.
 */
export const mayLag = (db: Database): Queryable => db.replica ?? db

/** The server is unreachable or the connection was lost. Answered with 503; the caller may retry. */
export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'
}

interface PgError {
  readonly code?: string
  readonly constraint?: string
}

/** The unique index, check or foreign key that a statement violated, if any. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as PgError
  return ['23503', '23505', '23514'].includes(code ?? '') ? constraint : undefined
}

/** SQLSTATE classes 22, 23 and 54 (index entry too long): caused by the input, not by the server. */
export function isDataError(error: unknown): boolean {
  const code = (error as PgError)?.code
  return typeof code === 'string' && /^(?:22|23|54)/.test(code)
}

/** PostgreSQL cancelled this statement to resolve a deadlock; it has written nothing. */
export const isDeadlock = (error: unknown): boolean => (error as PgError)?.code === '40P01'
