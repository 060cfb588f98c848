import { after, HOUR } from '../base/clock.ts'
import { money, parseMinor } from '../base/money.ts'
import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { addEntry, type Books, setPayment, withBooks } from './books.ts'
import { savePayout } from './entry-store.ts'
import type { LedgerPosition } from './progress-store.ts'
import {
  foundLinePostings,
  hasPayment,
  matchedLinePostings,
  NOTHING,
  type OperationSums,
  operationKind,
  operationSums,
  otherLinePostings,
  payoutPostings,
  sumPostings,
  withLine,
} from './rules.ts'
import {
  type BookedPayment,
  bookedPayments,
  type ChangedPayout,
  changedPayouts,
  eventsAfter,
  type LedgerEvent,
  type LedgerLine,
  linesAfter,
  type PaymentNow,
  paymentsSince,
  type SumsNow,
  type SumsThen,
  unknownLines,
} from './source-store.ts'

/** Rows that one transaction reads. */
const EVENTS = 500
const LINES = 1_000
const PAYOUTS = 500
const UNKNOWN = 500
/**
 * Rows may be committed after later ones, and clocks of nodes may differ by an hour. The second pass reads
 * when no transaction of that time runs.
 */
const LATE_EVENTS_MS = 2 * HOUR
const LATE_LINES_MS = 2 * HOUR

/** Reads one page and books it. Returns whether there is another. */
type Pass = (books: Books) => Promise<boolean>

/** Lines come after events, so that the payment of a line is usually booked before it. */
const PASSES: readonly Pass[] = [
  (books) => bookEvents(books, 'event', books.now),
  (books) => bookLines(books, 'lineId'),
  bookPayouts,
  (books) => bookEvents(books, 'lateEvent', after(books.now, -LATE_EVENTS_MS)),
  (books) => bookLines(books, 'lateLineId'),
  bookMatches,
]

interface Derived {
  readonly entries: number
  /** There is more to book. */
  readonly isBehind: boolean
}

/** Books what has happened since the last time, in at most so many transactions. */
export async function deriveLedger(
  ctx: Pick<Context, 'db' | 'clock'>,
  app: App,
  pages: number,
): Promise<Derived> {
  let entries = 0
  let left = pages
  for (const pass of PASSES) {
    let hasMore = true
    while (hasMore) {
      if (left-- === 0) return { entries, isBehind: true }
      hasMore =
        (await withBooks(ctx, app, async (books) => {
          const isMore = await pass(books)
          entries += books.entries.length
          return isMore
        })) ?? false
    }
  }
  return { entries, isBehind: false }
}

async function bookEvents(books: Books, cursor: 'event' | 'lateEvent', until: Date): Promise<boolean> {
  const { tx, app, progress } = books
  const events = await eventsAfter(tx, app.appId, progress[cursor], { until, limit: EVENTS })
  const last = events.at(-1)
  if (!last) return false
  const open = events.filter(({ payment }) => payment.profileId !== null)
  await readBooked(
    books,
    open.map(({ position }) => position.paymentId),
  )
  for (const event of open) bookEvent(books, event)
  books.progress = { ...books.progress, [cursor]: last.position }
  return last.ofPage === EVENTS
}

async function readBooked({ tx, app, payments }: Books, paymentIds: readonly number[]): Promise<void> {
  const ids = [...new Set(paymentIds)]
  if (ids.length === 0) return
  for (const payment of await bookedPayments(tx, app.appId, ids)) payments.set(payment.paymentId, payment)
}

function bookEvent(books: Books, { position, payment, body }: LedgerEvent): void {
  if (payment.profileId === null) return
  const { profileId, currency, isNow } = payment
  const sums = isNow ? sumsNow(payment) : sumsThen(body, currency)
  if (sums) bookOperation(books, { position, profileId, currency }, sums)
}

const sumsNow = ({ capturedMinor, refundedMinor, disputes }: SumsNow): OperationSums =>
  operationSums(
    capturedMinor,
    refundedMinor,
    (disputes ?? []).map(({ state, amountMinor, isWonLate }) => ({
      ...{ state, isWonLate },
      minor: amountMinor === undefined ? undefined : BigInt(amountMinor),
    })),
  )

/** Undefined: the event has no sums. */
function sumsThen({ captured, refunded, disputes }: SumsThen, currency: string): OperationSums | undefined {
  if (captured === null) return undefined
  const minor = (amount: string | number) => parseMinor(String(amount), currency) ?? 0n
  return operationSums(
    minor(captured),
    minor(refunded),
    (disputes ?? []).map(({ state, amount, isWonLate }) => ({
      ...{ state, isWonLate },
      minor: amount === null ? undefined : minor(amount),
    })),
  )
}

interface OperationFacts {
  readonly position: LedgerPosition
  readonly profileId: number
  readonly currency: string
}

function bookOperation(books: Books, facts: OperationFacts, sums: OperationSums): void {
  const { paymentId, sequence, time } = facts.position
  const known = books.payments.get(paymentId)
  if (known && known.sequence >= sequence) return
  const before = known ?? { ...NOTHING, paymentId, sequence, ...placeOf(facts) }
  const now = { ...before, ...sums, sequence }
  const kind = operationKind(before, now)
  // Most payments that fail never had money.
  if (!known && !kind) return
  setPayment(books, now)
  if (!kind) return
  const key = `event:${paymentId}:${sequence}`
  addEntry(books, { key, time, kind, paymentId, postings: sumPostings(before, before, now) })
}

const placeOf = ({ profileId, currency }: { readonly profileId: number; readonly currency: string }) => ({
  profileId,
  currency,
})

async function bookLines(books: Books, cursor: 'lineId' | 'lateLineId'): Promise<boolean> {
  const { tx, app, progress, now } = books
  const lines = await linesAfter(tx, app.appId, {
    after: progress[cursor],
    limit: LINES,
    ...(cursor === 'lateLineId' ? { until: after(now, -LATE_LINES_MS) } : {}),
  })
  const last = lines.at(-1)
  if (!last) return false
  const open = lines.filter(({ isBooked }) => !isBooked)
  await readPaymentsOf(books, open)
  for (const line of open) bookLine(books, line)
  books.progress = { ...books.progress, [cursor]: last.lineId }
  return last.ofPage === LINES
}

/** Reads what is booked of the payments of lines, and books what their events have not brought. */
async function readPaymentsOf(books: Books, lines: readonly LedgerLine[]): Promise<void> {
  const ids = [...new Set(lines.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])))]
  if (ids.length === 0) return
  await readBooked(books, ids)
  const booked = ids.map((paymentId) => {
    return { paymentId, sequence: books.payments.get(paymentId)?.sequence ?? -1 }
  })
  for (const payment of await paymentsSince(books.tx, books.app.appId, booked)) bookPaymentNow(books, payment)
}

function bookPaymentNow(books: Books, payment: PaymentNow): void {
  const { paymentId, sequence, stateTime: time } = payment
  bookOperation(books, { position: { paymentId, sequence, time }, ...placeOf(payment) }, sumsNow(payment))
  if (!books.payments.has(paymentId))
    setPayment(books, { ...NOTHING, paymentId, sequence, ...placeOf(payment) })
}

function bookLine(books: Books, line: LedgerLine): void {
  const { lineId, lineTime: time, paymentId } = line
  const payment = paymentOf(books, line)
  const kind = !payment && hasPayment(line) ? 'unknown-line' : 'line'
  const postings = payment ? matchedLinePostings(line, payment) : otherLinePostings(line)
  if (payment) setPayment(books, { ...payment, ...withLine(payment, line) })
  addEntry(books, { key: `line:${lineId}`, time, kind, lineId, paymentId: paymentId ?? undefined, postings })
}

/**
 * The payment whose sums a line adds to. A line of another profile or currency is about an attempt that does
 * not count, or is wrong: it is booked by itself.
 */
function paymentOf({ payments }: Books, line: LedgerLine): BookedPayment | undefined {
  const payment = line.paymentId === null || !hasPayment(line) ? undefined : payments.get(line.paymentId)
  const isSame = payment?.profileId === line.profileId && payment.currency === line.currency
  return isSame ? payment : undefined
}

/** One page in each turn; after the last the first again. */
async function bookMatches(books: Books): Promise<boolean> {
  const { tx, app, progress, now: time } = books
  const lines = await unknownLines(tx, app.appId, { after: progress.unknownLineId, limit: UNKNOWN })
  await readPaymentsOf(books, lines)
  for (const line of lines) {
    const payment = paymentOf(books, line)
    if (!payment) continue
    const { lineId } = line
    const { paymentId } = payment
    const postings = foundLinePostings(line, payment)
    setPayment(books, { ...payment, ...withLine(payment, line) })
    addEntry(books, { key: `match:${lineId}`, time, kind: 'match', lineId, paymentId, postings })
  }
  const unknownLineId = lines.length < UNKNOWN ? 0 : (lines.at(-1)?.lineId ?? 0)
  if (unknownLineId !== progress.unknownLineId) books.progress = { ...books.progress, unknownLineId }
  return false
}

async function bookPayouts(books: Books): Promise<boolean> {
  const payouts = await changedPayouts(books.tx, books.app.appId, PAYOUTS)
  for (const payout of payouts) await bookPayout(books, payout)
  return payouts.length === PAYOUTS
}

async function bookPayout(books: Books, payout: ChangedPayout): Promise<void> {
  const { payoutId, profileId, currency, amountMinor, bookedMinor, bookedCurrency } = payout
  const entries = payout.entries + 1
  const isFirst = bookedMinor === null || bookedCurrency === null
  const before = isFirst ? money(payout.byLinesMinor, currency) : money(bookedMinor, bookedCurrency)
  addEntry(books, {
    key: `payout:${payoutId}:${entries}`,
    time: isFirst ? payout.payoutTime : books.now,
    kind: 'payout',
    payoutId,
    postings: payoutPostings(profileId, [money(amountMinor, currency), { ...before, minor: -before.minor }]),
  })
  await savePayout(books.tx, books.app.appId, { payoutId, currency, bookedMinor: amountMinor, entries })
}
