/** A prepared statement: PostgreSQL parses and plans a named one once per connection, halving its CPU. */
export interface Statement<Row> {
  readonly name: string
  readonly text: string
  /** Only a type: the shape of the rows it returns. */
  readonly row?: Row
}

const statements = new Map<string, string>()

/** Every statement by its name: the source of docs/reference/statements.sql. */
export const allStatements = (): ReadonlyMap<string, string> => statements

function registered<S extends Statement<unknown>>(statement: S): S {
  statements.set(statement.name, statement.text)
  return statement
}

export const sql = <Row>(name: string, text: string): Statement<Row> => registered({ name, text })

/**
 * A statement written once for many inputs: `$1` is a JSON array of what `encode` gives for each, with its
 * place `n` added; each row it returns carries `n` back. See lanes.ts for how inputs come together.
 */
export interface BatchStatement<Input, Row extends { n: number }> extends Statement<Row> {
  /** One JSON object as text, `{…}`, without `n`. */
  readonly encode: (input: Input) => string
  /** Inputs of one key never share a batch: the statement may touch a row only once. Reads need none. */
  readonly key?: (input: Input) => string
}

export const batchSql = <Input, Row extends { n: number }>(
  statement: BatchStatement<Input, Row>,
): BatchStatement<Input, Row> => registered(statement)

/** The rows that are due, as `table where …`, by an expression that says what time it is. */
export type Due = (now: string) => string

/** For rows that are due when they have become this old. */
export const ago = (now: string, ms: number): string => `${now} - ${ms} * interval '1 millisecond'`

export interface Queryable {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
}

export interface Database extends Queryable {
  /** The row of this input, or undefined when the statement returned none for it. */
  batch<Input, Row extends { n: number }>(
    statement: BatchStatement<Input, Row>,
    input: Input,
  ): Promise<Row | undefined>
  /** `opening` is a statement without values that goes out together with `begin`. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, opening?: Statement<never>): Promise<T>
  /** For reads that may be a moment old; see mayLag. */
  readonly replica?: Queryable
  /** Calls back for every notification on the channel, and once after each reconnect. Returns how to stop. */
  listen(channel: string, heard: (payload: string) => void): () => void
  close(): Promise<void>
}

/**
 * Where lists are read: at a replica when there is one. What decides something, or is read by its id just
 * after it was written, is read at the primary.
 */
export const mayLag = (db: Database): Queryable => db.replica ?? db

/** The server could not be reached or went away: the caller may try again, and is told 503. */
export class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'
}

interface PgError {
  readonly code?: string
  readonly constraint?: string
}

/** The unique index, check or foreign key that a statement ran into, if that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as PgError
  return ['23503', '23505', '23514'].includes(code ?? '') ? constraint : undefined
}

/** Classes 22, 23 and 54 (an index entry too long): this input is at fault, not the server. */
export function isDataError(error: unknown): boolean {
  const code = (error as PgError)?.code
  return typeof code === 'string' && /^(?:22|23|54)/.test(code)
}

/** Two statements waited for each other's rows; this one was ended and has written nothing. */
export const isDeadlock = (error: unknown): boolean => (error as PgError)?.code === '40P01'
