import { columnsOf, unnested } from '../db/columns.ts'
import { type Queryable, sql } from '../db/database.ts'
import type { EntryKind, LedgerPosting } from './rules.ts'
import type { BookedPayment } from './source-store.ts'

export interface BookedEntry {
  readonly entryId: number
  readonly key: string
  /** `2026-11-18` */
  readonly bookingDay: string
  readonly time: Date
  readonly kind: EntryKind
  readonly paymentId?: number | undefined
  readonly lineId?: number | undefined
  readonly payoutId?: number | undefined
  /** The first day of the closed month that it belongs to. */
  readonly lateFor?: string | undefined
  readonly postings: readonly LedgerPosting[]
}

const ENTRY = {
  entryId: 'bigint',
  key: 'text',
  bookingDay: 'date',
  time: 'timestamptz',
  kind: 'text',
  paymentId: 'bigint',
  lineId: 'bigint',
  payoutId: 'bigint',
  lateFor: 'date',
} as const

const INSERT_ENTRIES = sql<never>(
  'ledger.insertEntries',
  `insert into ledger_entries (app_id, entry_id, entry_key, booking_day, occurred_time, kind, payment_id,
     line_id, payout_id, late_for)
   select $1, x."entryId", x.key, x."bookingDay", x.time, x.kind, x."paymentId", x."lineId", x."payoutId",
     x."lateFor"
   from ${unnested(ENTRY, 2)}`,
)

const POSTING = {
  entryId: 'bigint',
  place: 'integer',
  account: 'text',
  profileId: 'bigint',
  currency: 'text',
  minor: 'bigint',
} as const

/** All postings of an entry in one statement: the trigger adds them up. */
const INSERT_POSTINGS = sql<never>(
  'ledger.insertPostings',
  `insert into ledger_postings (app_id, entry_id, place, account, profile_id, currency, amount_minor)
   select $1, x."entryId", x.place, x.account, x."profileId", x.currency, x.minor
   from ${unnested(POSTING, 2)}`,
)

const DAY_SUM = {
  account: 'text',
  profileId: 'bigint',
  currency: 'text',
  day: 'date',
  minor: 'bigint',
} as const

const ADD_DAYS = sql<never>(
  'ledger.addDays',
  `insert into ledger_days as d (app_id, account, profile_id, currency, booking_day, amount_minor)
   select $1, x.account, coalesce(x."profileId", 0), x.currency, x.day, x.minor from ${unnested(DAY_SUM, 2)}
   on conflict (app_id, account, profile_id, currency, booking_day)
   do update set amount_minor = d.amount_minor + excluded.amount_minor`,
)

/** Writes entries with their postings and the sums of their days. */
export async function insertEntries(
  tx: Queryable,
  appId: string,
  entries: readonly BookedEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await tx.query(INSERT_ENTRIES, [appId, ...columnsOf(ENTRY, entries)])
  const postings = entries.flatMap(({ entryId, postings: own }) =>
    own.map(({ account, profileId, currency, amountMinor: minor }, place) => {
      return { entryId, place, account, profileId, currency, minor }
    }),
  )
  if (postings.length === 0) return
  await tx.query(INSERT_POSTINGS, [appId, ...columnsOf(POSTING, postings)])
  await tx.query(ADD_DAYS, [appId, ...columnsOf(DAY_SUM, daySums(entries))])
}

function daySums(entries: readonly BookedEntry[]) {
  const sums = new Map<string, Omit<LedgerPosting, 'amountMinor'> & { day: string; minor: bigint }>()
  for (const { bookingDay: day, postings } of entries)
    for (const { account, profileId, currency, amountMinor } of postings) {
      const key = `${day} ${account} ${profileId} ${currency}`
      const minor = (sums.get(key)?.minor ?? 0n) + amountMinor
      sums.set(key, { account, profileId, currency, day, minor })
    }
  return [...sums.values()]
}

const PAYMENT = {
  paymentId: 'bigint',
  sequence: 'integer',
  profileId: 'bigint',
  currency: 'text',
  capturedMinor: 'bigint',
  refundedMinor: 'bigint',
  disputedMinor: 'bigint',
  lineSalesMinor: 'bigint',
  lineRefundsMinor: 'bigint',
  lineDisputesMinor: 'bigint',
} as const

const SAVE_PAYMENTS = sql<never>(
  'ledger.savePayments',
  `insert into ledger_payments (app_id, payment_id, sequence, profile_id, currency, captured_minor,
     refunded_minor, disputed_minor, line_sales_minor, line_refunds_minor, line_disputes_minor)
   select $1, x."paymentId", x.sequence, x."profileId", x.currency, x."capturedMinor", x."refundedMinor",
     x."disputedMinor", x."lineSalesMinor", x."lineRefundsMinor", x."lineDisputesMinor"
   from ${unnested(PAYMENT, 2)}
   on conflict (app_id, payment_id) do update set sequence = excluded.sequence,
     captured_minor = excluded.captured_minor, refunded_minor = excluded.refunded_minor,
     disputed_minor = excluded.disputed_minor, line_sales_minor = excluded.line_sales_minor,
     line_refunds_minor = excluded.line_refunds_minor, line_disputes_minor = excluded.line_disputes_minor`,
)

export async function savePayments(
  tx: Queryable,
  appId: string,
  payments: readonly BookedPayment[],
): Promise<void> {
  if (payments.length === 0) return
  await tx.query(SAVE_PAYMENTS, [appId, ...columnsOf(PAYMENT, payments)])
}

const SAVE_PAYOUT = sql<never>(
  'ledger.savePayout',
  `insert into ledger_payouts (app_id, payout_id, currency, booked_minor, entries) values ($1, $2, $3, $4, $5)
   on conflict (app_id, payout_id) do update set currency = excluded.currency,
     booked_minor = excluded.booked_minor, entries = excluded.entries`,
)

interface BookedPayout {
  readonly payoutId: number
  readonly currency: string
  readonly bookedMinor: bigint
  readonly entries: number
}

export async function savePayout(tx: Queryable, appId: string, payout: BookedPayout): Promise<void> {
  const { payoutId, currency, bookedMinor, entries } = payout
  await tx.query(SAVE_PAYOUT, [appId, payoutId, currency, bookedMinor, entries])
}
