import { Readable } from 'node:stream'
import { type Clock, SECOND } from '../base/clock.ts'
import { decimalText } from '../base/money.ts'
import type { Context } from '../context.ts'
import { DatabaseAwayError } from '../db/database.ts'
import { csvLine } from '../http/content/csv.ts'
import { type App, findProfile } from '../merchants/app.ts'
import type { LineKind } from '../providers/settlement.ts'
import { csvHead, FORMATS, type FormatName, groupedBy } from './formats.ts'
import {
  accountSums,
  type JournalPosting,
  type JournalRow,
  journalPage,
  lastEntryId,
  lastLineId,
  type SettlementRow,
  settlementPage,
} from './read-store.ts'

/** Entries or lines of one read. */
const PAGE = 1_000

/** Days, both included. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** The journal of some days as text. What is booked meanwhile is not part of it. */
export async function* journalText(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  app: App,
  { from, to }: DayRange,
  format: FormatName,
): AsyncGenerator<string> {
  const { head, entry } = FORMATS[format]
  const { appId } = app
  const last = await lastEntryId(db, appId)
  yield head(app, await accountSums(db, appId, to))
  // No entry has number 0, so the first page begins with all of the first day.
  let place = { day: from, entryId: 0 }
  for (;;) {
    const next = { ...place, to, lastEntryId: last, limit: PAGE }
    const rows = await readPatiently(clock, () => journalPage(db, appId, next))
    const entries = [...groupedBy(rows, ({ entryId }) => entryId).values()]
    const text = entries.flatMap(withPostings).map(entry).join('')
    if (text !== '') yield text
    const end = rows.at(-1)
    if (!end || entries.length < PAGE) return
    place = { day: end.bookingDay, entryId: end.entryId }
  }
}

/** Lines that move nothing have an entry too, and no place in a journal. */
function withPostings(rows: readonly JournalRow[]): [JournalPosting, ...JournalPosting[]][] {
  const [first, ...others] = rows.filter((row): row is JournalPosting => row.account !== null)
  return first ? [[first, ...others]] : []
}

/** The words of other unified reports for our kinds. */
const TYPES: Readonly<Record<LineKind, string>> = {
  sale: 'SALE',
  refund: 'REFUND',
  return: 'REFUND',
  fee: 'FEE',
  dispute: 'DISPUTE',
  'dispute-reversal': 'DISPUTE',
  reserve: 'TRANSFER',
  adjustment: 'TRANSFER',
  conversion: 'TRANSFER',
  payout: 'PAYOUT',
}

type Cell = (row: SettlementRow, app: App) => string | number | null | undefined

const inBalance = (minor: bigint | null, row: SettlementRow): string | null =>
  minor === null ? null : decimalText(minor, row.settlementCurrency ?? row.currency)

/** What moved on the account: the net amount where the provider reports it. */
const movedMinor = ({ netMinor, grossMinor }: SettlementRow): bigint => netMinor ?? grossMinor
const movedCurrency = (row: SettlementRow): string =>
  row.netMinor === null ? row.currency : (row.settlementCurrency ?? row.currency)

const COLUMNS: Readonly<Record<string, Cell>> = {
  id: ({ lineId }) => lineId,
  orderId: ({ orderId, referenceId }) => orderId ?? referenceId,
  processor: ({ profileId }, app) => findProfile(app, profileId)?.provider,
  transactionType: ({ kind }) => TYPES[kind],
  direction: (row) => (movedMinor(row) < 0n ? 'DEBIT' : 'CREDIT'),
  processorTransactionId: ({ transactionId }) => transactionId,
  amount: (row) => decimalText(movedMinor(row), movedCurrency(row)),
  currency: movedCurrency,
  date: ({ lineTime }) => lineTime.toISOString(),
  kind: ({ kind }) => kind,
  paymentId: ({ paymentId }) => paymentId,
  referenceId: ({ referenceId }) => referenceId,
  match: ({ match }) => match ?? 'none',
  paymentProfileId: ({ profileId }) => profileId,
  providerLineId: ({ providerLineId }) => providerLineId,
  gross: ({ grossMinor, currency }) => decimalText(grossMinor, currency),
  grossCurrency: ({ currency }) => currency,
  fee: (row) => inBalance(row.feeMinor, row),
  net: (row) => inBalance(row.netMinor, row),
  settlementCurrency: (row) => row.settlementCurrency ?? row.currency,
  rate: ({ rate }) => rate,
  payoutId: ({ payoutId }) => payoutId,
  providerPayoutId: ({ providerPayoutId }) => providerPayoutId,
  bankReference: ({ bankReference }) => bankReference,
}
const CELLS = Object.values(COLUMNS)

/** The settlement lines of a period as CSV, oldest first. */
export async function* settlementsText(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  app: App,
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<string> {
  const last = await lastLineId(db, app.appId)
  yield csvHead(Object.keys(COLUMNS))
  let place = { time: from, lineId: 0 }
  for (;;) {
    const next = { ...place, to, lastLineId: last, limit: PAGE }
    const rows = await readPatiently(clock, () => settlementPage(db, app.appId, next))
    if (rows.length > 0) yield rows.map((row) => csvLine(CELLS.map((cell) => cell(row, app)))).join('')
    const end = rows.at(-1)
    if (!end || rows.length < PAGE) return
    place = { time: end.lineTime, lineId: end.lineId }
  }
}

const PAUSE_MS = SECOND
const TRIES = 5

/**
 * A response that has begun can only be cut off, so a page is read again while the database is away for a
 * moment, or too busy to answer in time.
 */
async function readPatiently<Page>(clock: Clock, read: () => Promise<Page>): Promise<Page> {
  for (let tries = 1; ; tries++)
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof DatabaseAwayError) || tries === TRIES) throw error
      await clock.sleep(PAUSE_MS * 2 ** (tries - 1))
    }
}

/** The first piece is read before the response starts, so that its failure can be answered with a status. */
export async function streamed(pieces: AsyncGenerator<string>): Promise<Readable> {
  const first = await pieces.next()
  return Readable.from(restOf(first.done ? '' : first.value, pieces), { objectMode: false })
}

async function* restOf(first: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first
    yield* pieces
  } finally {
    await pieces.return(undefined)
  }
}
