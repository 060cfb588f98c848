import { inTurns } from '../turns.ts'
import { type FileProblem, fileProblem } from './file-problem.ts'

/**
 * Reads CSV as RFC 4180 has it, with a header. Files come from outside, so a row that is not well
 * formed is reported by its number and the rows after it still count. A large file is read in turns, so that
 * other requests do not wait for it. Decision 0161.
 */

export interface CsvRow {
  /** The number of its first line in the file. The header is line 1. */
  readonly row: number
  /** By the names of the header. */
  readonly cells: Readonly<Record<string, string>>
}

interface CsvProblem {
  readonly row: number
  readonly problem: FileProblem
}

export type CsvFile =
  | {
      readonly kind: 'rows'
      readonly columns: readonly string[]
      readonly rows: readonly CsvRow[]
      readonly bad: readonly CsvProblem[]
      /** The file ends inside its last row. */
      readonly isCut: boolean
    }
  | { readonly kind: 'unreadable'; readonly problem: FileProblem }

const MAX_ROW_LENGTH = 65_536
const MAX_COLUMNS = 250
/** A file with more bad rows is not read further: it is another kind of file. */
const MAX_BAD_ROWS = 1_000
/**
 * A row in memory takes some hundred bytes, however short it is in the file: 25 MiB of rows with nothing but
 * a comma would take gigabytes. Rows of real files have fifty bytes and more.
 */
export const MAX_ROWS = 500_000

/** Spaces around names of the header do not count. Empty lines are left out. */
export async function readRows(file: Uint8Array): Promise<CsvFile> {
  if (isPacked(file)) return unreadable(fileProblem('packed'))
  // Texts have none, except in UTF-16 and UTF-32.
  if (file.includes(0)) return unreadable(fileProblem('not-utf8'))
  const text = new TextDecoder().decode(file)
  const header = recordAt(text, 0)
  if (header.problem) return unreadable(fileProblem('header'))
  const columns = header.cells.map((cell) => cell.trim())
  const problem = headerProblem(columns)
  return problem ? unreadable(problem) : readAll(text, header.end, columns)
}

/** By their first bytes: gzip, and zip with all that is made of it, such as the files of spreadsheets. */
const isPacked = ([first, second, third]: Uint8Array): boolean =>
  (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b && third === 0x03)

const unreadable = (problem: FileProblem): CsvFile => ({ kind: 'unreadable', problem })

function headerProblem(columns: readonly string[]): FileProblem | undefined {
  const names = columns.filter(Boolean)
  if (names.length === 0) return fileProblem('no-header')
  const repeated = names.find((name, at) => names.indexOf(name) < at)
  return repeated === undefined ? undefined : fileProblem('column-twice', { column: repeated.slice(0, 50) })
}

async function readAll(text: string, start: number, columns: readonly string[]): Promise<CsvFile> {
  const rows: CsvRow[] = []
  const bad: CsvProblem[] = []
  const empty = Object.fromEntries(columns.map((name) => [name, '']))
  let isCut = false
  let count = 0
  for await (const { line, record } of inTurns(recordsFrom(text, start))) {
    if (++count > MAX_ROWS) return unreadable(fileProblem('too-many-rows', { most: MAX_ROWS }))
    const problem = record.problem ?? sizeProblem(record.cells, columns)
    if (!problem && record.cells.length > 0)
      rows.push({ row: line, cells: withCells({ ...empty }, columns, record.cells) })
    if (problem) {
      bad.push({ row: line, problem })
      isCut = record.end >= text.length && !text.endsWith('\n')
    }
    if (bad.length > MAX_BAD_ROWS) return unreadable(fileProblem('other-table', { most: MAX_BAD_ROWS }))
  }
  return { kind: 'rows', columns, rows, bad, isCut }
}

/** Fills the copy of an empty row: rows then share their shape. */
function withCells(cells: Record<string, string>, columns: readonly string[], values: readonly string[]) {
  for (const [place, name] of columns.entries()) cells[name] = values[place] ?? ''
  return cells
}

function* recordsFrom(text: string, start: number) {
  let line = 1 + lineBreaks(text, 0, start)
  for (let at = start; at < text.length; ) {
    const record = recordAt(text, at)
    yield { line, record }
    line += lineBreaks(text, at, record.end)
    at = record.end
  }
}

const sizeProblem = (cells: readonly string[], columns: readonly string[]): FileProblem | undefined =>
  cells.length === 0 || cells.length === columns.length
    ? undefined
    : fileProblem('cell-count', { cells: cells.length, columns: columns.length })

interface CsvRecord {
  /** None for an empty line. */
  readonly cells: readonly string[]
  /** Where the next record begins. After a problem: at the next line. */
  readonly end: number
  readonly problem?: FileProblem
}

function recordAt(text: string, start: number): CsvRecord {
  return plainRecord(text, start) ?? quotedRecord(text, start)
}

/** Most rows have no quotation mark: their cells are what is between commas. Undefined: this one has. */
function plainRecord(text: string, start: number): CsvRecord | undefined {
  const end = nextLine(text, start)
  const line = text.slice(start, end).replace(/\r?\n$/, '')
  if (line.includes('"')) return undefined
  const cells = line === '' ? [] : line.split(',', MAX_COLUMNS + 1)
  if (line.length > MAX_ROW_LENGTH) return { cells: [], end, ...TOO_LONG }
  return cells.length > MAX_COLUMNS ? { cells: [], end, problem: TOO_MANY } : { cells, end }
}

const TOO_MANY = fileProblem('too-many-cells', { most: MAX_COLUMNS })

function quotedRecord(text: string, start: number): CsvRecord {
  const cells: string[] = []
  for (let at = start; ; at++) {
    const cell = text[at] === '"' ? quotedCell(text, at, start) : plainCell(text, at, start)
    if ('problem' in cell) return { cells: [], end: nextLine(text, start), problem: cell.problem }
    cells.push(cell.value)
    at = cell.end
    if (text[at] === ',' && cells.length < MAX_COLUMNS) continue
    if (text[at] === ',') return { cells: [], end: nextLine(text, start), problem: TOO_MANY }
    const isEmpty = cells.length === 1 && at === start
    return { cells: isEmpty ? [] : cells, end: nextLine(text, at) }
  }
}

/** `end` is the place of the comma or line break after the cell, or the end of the text. */
type CsvCell = { readonly value: string; readonly end: number } | { readonly problem: FileProblem }

const TOO_LONG = { problem: fileProblem('long-row', { most: MAX_ROW_LENGTH }) }
const STRAY_QUOTE = { problem: fileProblem('stray-quote') }

function plainCell(text: string, start: number, record: number): CsvCell {
  for (let at = start; ; at++) {
    if (at - record > MAX_ROW_LENGTH) return TOO_LONG
    const char = text[at]
    if (char === '"') return STRAY_QUOTE
    if (char === ',' || isLineEnd(text, at)) return { value: text.slice(start, at), end: at }
  }
}

function quotedCell(text: string, start: number, record: number): CsvCell {
  let quote = start
  for (;;) {
    quote = text.indexOf('"', quote + 1)
    if (quote < 0) return { problem: fileProblem('open-quote') }
    if (quote - record > MAX_ROW_LENGTH) return TOO_LONG
    if (text[quote + 1] !== '"') break
    quote++
  }
  const end = quote + 1
  if (text[end] !== ',' && !isLineEnd(text, end)) return { problem: fileProblem('after-quote') }
  return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end }
}

const isLineEnd = (text: string, at: number): boolean =>
  at >= text.length || text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n')

function nextLine(text: string, at: number): number {
  const found = text.indexOf('\n', at)
  return found < 0 ? text.length : found + 1
}

function lineBreaks(text: string, from: number, until: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) count++
  return count
}
