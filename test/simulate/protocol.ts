import pg from 'pg'

/** What a statement's rows look like; the server says it once, when the statement is prepared. */
export interface Shape {
  readonly columns: readonly Column[]
  /** A row with nothing in it yet: copied for each, which is quicker than growing one. */
  readonly empty: Readonly<Record<string, unknown>>
}

interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

export interface Answer {
  /** The statement was parsed just now, and is kept even if running it failed. */
  readonly isPrepared: boolean
  readonly shape: Shape | undefined
  readonly rows: Record<string, unknown>[]
  readonly error: Error | undefined
}

/** One piece of memory for everything that is sent, used again when that has been answered. */
function createBytes() {
  let bytes = Buffer.allocUnsafe(64 * 1024)
  let end = 0

  function makeRoom(more: number): void {
    if (end + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (end + more))
    bytes.copy(larger, 0, 0, end)
    bytes = larger
  }
  return {
    number(value: number, size: 2 | 4): void {
      makeRoom(size)
      end = size === 2 ? bytes.writeInt16BE(value, end) : bytes.writeInt32BE(value, end)
    },
    text(value: string): void {
      makeRoom(3 * value.length)
      end += bytes.write(value, end, 'utf8')
    },
    /** The length of what is written stands before it; `own` is what the length itself counts for. */
    measured(write: () => void, own: 0 | 4): void {
      makeRoom(4)
      end += 4
      const start = end
      write()
      bytes.writeInt32BE(end - start + own, start - 4)
    },
    take(): Buffer {
      const written = bytes.subarray(0, end)
      end = 0
      return written
    },
  }
}

/** Messages to PostgreSQL. */
export function createWriter() {
  const { number, text, measured, take } = createBytes()
  const terminated = (value: string) => text(`${value}\0`)

  function message(kind: string, write: () => void): void {
    text(kind)
    measured(write, 4)
  }
  function value(given: unknown): void {
    const written = textOf(given)
    if (written === undefined) number(-1, 4)
    else measured(() => text(written), 0)
  }

  return {
    /** Parses a statement and asks what its rows look like. */
    prepare(name: string, statement: string): void {
      message('P', () => {
        terminated(name)
        terminated(statement)
        number(0, 2)
      })
      message('D', () => terminated(`S${name}`))
    },
    /** Runs a prepared statement; what is sent and what comes back is text. */
    execute(name: string, values: readonly unknown[]): void {
      message('B', () => {
        terminated('')
        terminated(name)
        number(0, 2)
        number(values.length, 2)
        for (const one of values) value(one)
        number(0, 2)
      })
      message('E', () => {
        terminated('')
        number(0, 4)
      })
    },
    /** Asks for the answer; the bytes of everything since the last one. */
    sync(): Buffer {
      message('S', () => {})
      return take()
    },
  }
}

/** As the driver writes them. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return Array.isArray(value) ? `{${value.map(elementOf).join(',')}}` : JSON.stringify(value)
}

function elementOf(value: unknown): string {
  const text = textOf(value)
  return text === undefined ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`
}

const code = (letter: string): number => letter.charCodeAt(0)
const [PARSED, ROW_SHAPE, ROW, FAILURE, READY] = [code('1'), code('T'), code('D'), code('E'), code('Z')]

/** Puts messages of PostgreSQL together; `answered` hears of each whole answer. */
export function createReader(answered: (answer: Answer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let isPrepared = false
  let shape: Shape | undefined
  let rows: Record<string, unknown>[] = []
  let error: Error | undefined

  function take(kind: number, at: number): void {
    if (kind === ROW && shape) rows.push(readRow(rest, at, shape))
    else if (kind === PARSED) isPrepared = true
    else if (kind === ROW_SHAPE) shape = readShape(rest, at)
    else if (kind === FAILURE) error = readFailure(rest, at)
    else if (kind === READY) {
      const answer = { isPrepared, shape, rows, error }
      isPrepared = false
      rows = []
      error = undefined
      answered(answer)
    }
  }

  return {
    /** The next answer's rows look like this, unless it says otherwise. */
    expect(known: Shape | undefined): void {
      shape = known
    },
    push(chunk: Buffer): void {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      while (at + 5 <= rest.length) {
        const next = at + 1 + rest.readInt32BE(at + 1)
        if (next > rest.length) break
        take(rest[at] ?? 0, at + 5)
        at = next
      }
      rest = rest.subarray(at)
    },
  }
}

function readRow(bytes: Buffer, start: number, { columns, empty }: Shape): Record<string, unknown> {
  const row = { ...empty }
  let at = start + 2
  for (const { name, parse } of columns) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length === -1) continue
    row[name] = parse(bytes.toString('utf8', at, at + length))
    at += length
  }
  return row
}

/** After its name a column has six numbers, of which the third is its type. */
function readShape(bytes: Buffer, start: number): Shape {
  const columns: Column[] = []
  let at = start + 2
  for (let count = bytes.readInt16BE(start); count > 0; count--) {
    const end = bytes.indexOf(0, at)
    const parse = pg.types.getTypeParser(bytes.readInt32BE(end + 7), 'text')
    columns.push({ name: bytes.toString('utf8', at, end), parse })
    at = end + 19
  }
  // As JSON an object of any width is read into a form that is quick to copy.
  const empty = JSON.parse(`{${columns.map(({ name }) => `${JSON.stringify(name)}:null`).join()}}`)
  return { columns, empty }
}

/** Parts that each begin with a letter and end with a zero. */
function readFailure(bytes: Buffer, start: number): Error {
  const parts: Record<string, string> = {}
  for (let at = start; bytes[at] !== 0; ) {
    const end = bytes.indexOf(0, at)
    parts[bytes.toString('latin1', at, at + 1)] = bytes.toString('utf8', at + 1, end)
    at = end + 1
  }
  const { M: message = '', C: state, n: constraint, D: detail } = parts
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), {
    code: state,
    constraint,
    detail,
  })
}
