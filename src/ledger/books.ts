import { MINUTE } from '../base/clock.ts'
import { startOf, wallTime } from '../base/time/zone.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type App, appNow } from '../merchants/app.ts'
import { type BookedEntry, insertEntries, savePayments } from './entry-store.ts'
import { type LedgerProgress, lockProgress, saveProgress } from './progress-store.ts'
import type { BookedPayment } from './source-store.ts'

/** The ledger of an app while a transaction adds to it. */
export interface Books {
  readonly tx: Queryable
  readonly app: App
  /** The app's time. */
  readonly now: Date
  progress: LedgerProgress
  readonly entries: BookedEntry[]
  /** The sums of payments that were read, as they are now. */
  readonly payments: Map<number, BookedPayment>
  readonly changedPayments: Set<number>
  /** By quarter of an hour: no zone has a midnight inside of one. */
  readonly days: Map<number, EntryDay>
}

type EntryDay = Pick<BookedEntry, 'bookingDay' | 'lateFor'>
const QUARTER_MS = 15 * MINUTE

/** Runs `work` alone for this app and writes what it adds. Undefined: the app has no ledger. */
export async function withBooks<Result>(
  ctx: Pick<Context, 'db' | 'clock'>,
  app: App,
  work: (books: Books) => Promise<Result>,
): Promise<Result | undefined> {
  return ctx.db.transaction(async (tx) => {
    const progress = await lockProgress(tx, app.appId)
    if (!progress) return undefined
    const payments = new Map<number, BookedPayment>()
    const changedPayments = new Set<number>()
    const known = { payments, changedPayments, days: new Map<number, EntryDay>() }
    const books: Books = { tx, app, now: appNow(ctx, app), progress, entries: [], ...known }
    const result = await work(books)
    await insertEntries(tx, app.appId, books.entries)
    const changed = [...payments.values()].filter(({ paymentId }) => changedPayments.has(paymentId))
    await savePayments(tx, app.appId, changed)
    if (books.progress !== progress) await saveProgress(tx, app.appId, books.progress)
    return result
  })
}

export function setPayment(books: Books, payment: BookedPayment): void {
  books.payments.set(payment.paymentId, payment)
  books.changedPayments.add(payment.paymentId)
}

type EntryParts = Omit<BookedEntry, 'entryId' | 'bookingDay' | 'lateFor'>

/** Adds an entry, with the next number and the day on which it can be booked. */
export function addEntry(books: Books, entry: EntryParts): void {
  const { nextEntryId: entryId } = books.progress
  books.entries.push({ entryId, ...entry, ...dayOfEntry(books, entry.time) })
  books.progress = { ...books.progress, nextEntryId: entryId + 1 }
}

/** `2026-11-18`, in the time zone. */
export const dayIn = (time: Date, timeZone: string): string =>
  wallTime(time, timeZone).toISOString().slice(0, 10)

/** A closed month takes nothing more: its late entries are booked on the first day after it. */
function dayOfEntry({ days, app, progress }: Books, time: Date): EntryDay {
  const quarter = Math.floor(time.getTime() / QUARTER_MS)
  const known = days.get(quarter)
  if (known) return known
  const found = openDayOf(time, app.timeZone, progress.firstOpenDay)
  days.set(quarter, found)
  return found
}

function openDayOf(time: Date, timeZone: string, firstOpenDay: string | null): EntryDay {
  const day = dayIn(time, timeZone)
  if (firstOpenDay === null || day >= firstOpenDay) return { bookingDay: day }
  const month = startOf(wallTime(time, timeZone), 'month').toISOString().slice(0, 10)
  return { bookingDay: firstOpenDay, lateFor: month }
}
