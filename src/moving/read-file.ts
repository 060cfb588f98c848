import { isUtf8 } from 'node:buffer'
import { ApiError } from '../base/errors.ts'
import { readRows } from '../base/files/csv.ts'
import { fileProblem, fileProblemText, type StoredFileProblem } from '../base/files/file-problem.ts'
import { inTurns } from '../base/turns.ts'
import { COLUMNS, type ImportRow, type LineProblem, type Reading, ROW_KINDS, readLine } from './format.ts'

export interface WrongLine {
  readonly line: number
  readonly problem: LineProblem
}

export interface ReadFile {
  readonly lines: number
  /** Customers first, then methods, then payments: what a line refers to is there before it. */
  readonly rows: readonly ImportRow[]
  readonly wrong: readonly WrongLine[]
}

const refused = (problem: StoredFileProblem): ApiError =>
  new ApiError('wrong_import_file', fileProblemText(problem))

/**
 * Reads a whole file and checks everything that needs neither the database nor a provider. A line that says
 * the same as an earlier one is left out; one that contradicts it is wrong.
 */
export async function readImport(file: Uint8Array, reading: Reading): Promise<ReadFile> {
  if (!isUtf8(file)) throw refused(fileProblem('not-utf8'))
  const read = await readRows(file)
  if (read.kind === 'unreadable') throw refused(read.problem)
  checkHeader(read.columns)
  const wrong: WrongLine[] = read.bad.map(({ row }) => ({ line: row, problem: { code: 'not-csv' } }))
  const rows: ImportRow[] = []
  const seen = new Map<string, ImportRow>()
  for await (const record of inTurns(read.rows)) {
    const row = readLine(record, reading)
    if ('code' in row) {
      wrong.push({ line: record.row, problem: row })
      continue
    }
    const earlier = seen.get(keyOf(row))
    if (!earlier) {
      seen.set(keyOf(row), row)
      rows.push(row)
    } else if (!isSame(earlier, row))
      wrong.push({ line: row.line, problem: { code: 'contradicts-line', number: earlier.line } })
  }
  const lines = read.rows.length + read.bad.length
  if (lines === 0) throw refused(fileProblem('no-lines'))
  return { lines, rows: ROW_KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind)), wrong }
}

function checkHeader(columns: readonly string[]): void {
  const names = columns.filter(Boolean)
  for (const name of ['kind', 'customerId'])
    if (!names.includes(name)) throw refused(`The header has no column "${name}".`)
  const other = names.find((name) => !Object.hasOwn(COLUMNS, name))
  if (other !== undefined)
    throw refused(`The header has a column "${other.slice(0, 50)}", which is not known.`)
}

function keyOf(row: ImportRow): string {
  switch (row.kind) {
    case 'customer':
      return `customer ${row.customerId}`
    case 'payment-method':
      return `method ${row.profileId} ${row.token}`
    case 'payment':
      return `payment ${row.referenceId}`
  }
}

const isSame = (one: ImportRow, other: ImportRow): boolean =>
  JSON.stringify({ ...one, line: 0 }) === JSON.stringify({ ...other, line: 0 })
