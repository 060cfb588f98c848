import { isUtf8 } from 'node:buffer'
import { isCurrency } from '../../base/currencies.ts'
import { type CsvFile, type CsvRow, readRows } from '../../base/files/csv.ts'
import { type FileProblem, fileProblem } from '../../base/files/file-problem.ts'
import { type Money, parseMinor } from '../../base/money.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { inTurns } from '../../base/turns.ts'
import {
  type BadRow,
  LINE_KINDS,
  type LineKind,
  type SettledLine,
  type SettledPage,
  type SettledPayout,
  type WrongReport,
} from '../../providers/settlement.ts'

/**
 * The general file: for reports in other forms, which the merchant converts.
 * docs/guides/settlements.md describes its columns.
 */

const REQUIRED = ['line_id', 'kind', 'gross', 'currency', 'time'] as const
const OPTIONAL = [
  'provider_ids',
  'reference',
  'fee',
  'net',
  'settlement_currency',
  'rate',
  'payout_id',
  'payout_state',
  'arrival_time',
  'bank_reference',
  'account',
] as const
type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]
const COLUMNS: ReadonlySet<string> = new Set([...REQUIRED, ...OPTIONAL])

type Cells = Readonly<Partial<Record<Column, string>>>

const wrong = (why: WrongReport['why'], problem: FileProblem): WrongReport => ({
  kind: 'wrong',
  why,
  problem,
})

/** `account` is the provider's id of the profile's account: a file that names another one is refused. */
export async function parseGeneralCsv(
  file: Uint8Array,
  account: string | null,
): Promise<SettledPage | WrongReport> {
  const read = await fileOf(file)
  if (read.kind === 'wrong') return read
  const names = read.columns.map((name) => name.toLowerCase())
  const problem = headerProblem(names)
  if (problem) return wrong('format', problem)
  const page = { lines: [] as SettledLine[], payouts: [] as SettledPayout[], bad: [] as BadRow[] }
  for (const { row, problem } of read.bad) page.bad.push({ row: String(row), problem })
  const columns = read.columns.map((column, place) => ({ column, name: names[place] as Column }))
  for await (const record of inTurns(read.rows)) {
    const cells = cellsOf(record, columns)
    if (cells.account !== undefined && account !== null && cells.account !== account)
      return wrong(
        'other-account',
        fileProblem('account', { row: record.row, account: cells.account.slice(0, 100) }),
      )
    const line = readRow(cells)
    if ('code' in line) page.bad.push({ row: String(record.row), problem: line })
    else {
      page.lines.push(line.line)
      if (line.payout) page.payouts.push(line.payout)
    }
  }
  return { kind: 'page', ...page }
}

async function fileOf(file: Uint8Array): Promise<WrongReport | Extract<CsvFile, { kind: 'rows' }>> {
  const read = await readRows(file)
  if (read.kind === 'unreadable') return wrong('format', read.problem)
  if (!isUtf8(file)) return wrong('format', fileProblem('not-utf8'))
  return file.at(-1) === LINE_END ? read : wrong('incomplete', fileProblem('cut'))
}

const LINE_END = 10

function headerProblem(names: readonly string[]): FileProblem | undefined {
  const missing = REQUIRED.filter((name) => !names.includes(name))
  if (missing.length > 0) return fileProblem('columns', { columns: missing.join(', ') })
  const unknown = names.find((name) => !COLUMNS.has(name))
  if (unknown !== undefined) return fileProblem('no-column', { column: unknown.slice(0, 60) })
  const repeated = names.find((name, at) => names.indexOf(name) < at)
  return repeated === undefined ? undefined : fileProblem('column-twice', { column: repeated })
}

interface NamedColumn {
  /** As the file writes it. */
  readonly column: string
  readonly name: Column
}

/** Empty cells are left out. */
function cellsOf({ cells }: CsvRow, columns: readonly NamedColumn[]): Cells {
  const found: Partial<Record<Column, string>> = {}
  for (const { column, name } of columns) {
    const value = cells[column]?.trim()
    if (value) found[name] = value
  }
  return found
}

interface ReadRow {
  readonly line: SettledLine
  readonly payout?: SettledPayout
}

function readRow(cells: Cells): ReadRow | FileProblem {
  const { line_id: id, kind, currency = '', settlement_currency: settled = currency, gross, fee, net } = cells
  if (id === undefined) return fileProblem('line-id')
  if (!(LINE_KINDS as readonly string[]).includes(kind ?? ''))
    return fileProblem('kind', { kinds: LINE_KINDS.join(', ') })
  if (!isCurrency(currency) || !isCurrency(settled)) return fileProblem('currency')
  const time = cells.time === undefined ? undefined : parseInstant(cells.time)
  if (!time) return fileProblem('time')
  const amounts = { gross: signed(gross, currency), fee: signed(fee, settled), net: signed(net, settled) }
  if (!amounts.gross) return fileProblem('gross', { currency })
  if ((fee !== undefined && !amounts.fee) || (net !== undefined && !amounts.net))
    return fileProblem('fee-net', { currency: settled })
  const line: SettledLine = {
    id,
    kind: kind as LineKind,
    ids: cells.provider_ids?.split(/[\s|]+/) ?? [],
    ...(cells.reference === undefined ? {} : { reference: cells.reference }),
    gross: amounts.gross,
    ...(amounts.fee ? { fee: amounts.fee } : {}),
    ...(amounts.net ? { net: amounts.net } : {}),
    ...(cells.rate === undefined ? {} : { rate: cells.rate }),
    time,
    ...(cells.payout_id === undefined ? {} : { payout: cells.payout_id }),
    raw: JSON.stringify(cells),
  }
  return kind === 'payout' ? withPayout(line, cells) : { line }
}

function signed(text: string | undefined, currency: string): Money | undefined {
  if (text === undefined) return undefined
  const isNegative = text.startsWith('-')
  const minor = parseMinor(isNegative ? text.slice(1) : text, currency)
  return minor === undefined ? undefined : { minor: isNegative ? -minor : minor, currency }
}

const STATES = ['pending', 'paid', 'failed'] as const

/** A line of the kind payout is also the payout itself: what leaves the balance arrives at the bank. */
function withPayout(line: SettledLine, cells: Cells): ReadRow | FileProblem {
  const state = STATES.find((one) => one === (cells.payout_state ?? 'paid'))
  if (!state) return fileProblem('payout-state', { states: STATES.join(', ') })
  const arrival = cells.arrival_time === undefined ? undefined : parseInstant(cells.arrival_time)
  if (cells.arrival_time !== undefined && !arrival) return fileProblem('arrival-time')
  if (line.payout === undefined) return fileProblem('payout-id')
  const amount = line.net ?? line.gross
  return {
    line,
    payout: {
      id: line.payout,
      amount: { ...amount, minor: -amount.minor },
      state,
      time: line.time,
      ...(arrival ? { arrival } : {}),
      ...(cells.bank_reference === undefined ? {} : { bankReference: cells.bank_reference }),
    },
  }
}
