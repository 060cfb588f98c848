import { type Queryable, sql } from '../db/database.ts'
import type { LineKind } from '../providers/settlement.ts'
import type { EntryKind, LedgerAccount } from './rules.ts'

/** An account in one currency. */
export interface AccountSum {
  readonly account: LedgerAccount
  readonly profileId: number | null
  readonly currency: string
  readonly balanceMinor: bigint
  /** The day of its first posting, `2026-11-18`. */
  readonly firstDay: string
}

const SUMS = sql<AccountSum>(
  'ledger.sums',
  `select account, nullif(profile_id, 0) as profile_id, currency, sum(amount_minor) as balance_minor,
     min(booking_day)::text as first_day
   from ledger_days where app_id = $1 and booking_day <= $2::date
   group by account, profile_id, currency order by account, profile_id, currency`,
)

/** Every account at the end of a day. */
export const accountSums = (db: Queryable, appId: string, day: string): Promise<AccountSum[]> =>
  db.query(SUMS, [appId, day])

/** What a day added to an account. */
export interface DaySum {
  readonly account: LedgerAccount
  readonly profileId: number | null
  readonly currency: string
  /** `2026-11-18` */
  readonly day: string
  readonly amountMinor: bigint
}

const DAYS = sql<DaySum>(
  'ledger.days',
  `select account, nullif(profile_id, 0) as profile_id, currency, booking_day::text as day, amount_minor
   from ledger_days where app_id = $1 and booking_day >= $2::date and booking_day <= $3::date
   order by booking_day`,
)

/** The days of a period on which something was booked. */
export const daySums = (
  db: Queryable,
  appId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DaySum[]> => db.query(DAYS, [appId, from, to])

const FIRST_DAY = sql<{ day: string | null }>(
  'ledger.firstDay',
  'select min(booking_day)::text as day from ledger_entries where app_id = $1',
)

/** Null: nothing is booked. */
export const firstBookingDay = async (db: Queryable, appId: string): Promise<string | null> =>
  (await db.query(FIRST_DAY, [appId]))[0]?.day ?? null

const LAST = sql<{ entryId: number | null }>(
  'ledger.last',
  'select max(entry_id) as entry_id from ledger_entries where app_id = $1',
)

/** The number of the newest entry; 0 without one. */
export const lastEntryId = async (db: Queryable, appId: string): Promise<number> =>
  (await db.query(LAST, [appId]))[0]?.entryId ?? 0

export interface JournalPosting {
  readonly entryId: number
  readonly bookingDay: string
  readonly time: Date
  readonly kind: EntryKind
  readonly lineKind: LineKind | null
  readonly paymentId: number | null
  readonly lineId: number | null
  readonly payoutId: number | null
  /** `2026-10` */
  readonly lateFor: string | null
  readonly account: LedgerAccount
  readonly profileId: number | null
  readonly currency: string
  readonly amountMinor: bigint
}

/** The members of the posting are null for an entry that moves nothing. */
export type JournalRow = JournalPosting | (Omit<JournalPosting, 'account'> & { readonly account: null })

/** Rows of a page are looked up one by one: a join might read all lines of the app for each page. */
const JOURNAL = sql<JournalRow>(
  'ledger.journal',
  `with page as materialized (
     select e.entry_id, e.booking_day, e.occurred_time, e.kind, e.payment_id, e.line_id, e.payout_id,
       e.late_for
     from ledger_entries e
     where e.app_id = $1 and (e.booking_day, e.entry_id) > ($2::date, $3) and e.booking_day <= $4::date
       and e.entry_id <= $5
     order by e.booking_day, e.entry_id limit $6
   )
   select e.entry_id, e.booking_day::text, e.occurred_time as time, e.kind, l.kind as line_kind, e.payment_id,
     e.line_id, e.payout_id, to_char(e.late_for, 'YYYY-MM') as late_for, p.account, p.profile_id, p.currency,
     p.amount_minor
   from page e left join lateral (
       select kind from settlement_lines where app_id = $1 and line_id = e.line_id offset 0) l on true
     left join lateral (
       select * from ledger_postings where app_id = $1 and entry_id = e.entry_id offset 0) p on true
   order by e.booking_day, e.entry_id, p.place`,
)

export interface JournalRange {
  /** The page begins after this entry of this day. */
  readonly day: string
  readonly entryId: number
  readonly to: string
  readonly lastEntryId: number
  readonly limit: number
}

/** The postings of the next entries, in the order of their days. */
export const journalPage = (db: Queryable, appId: string, range: JournalRange): Promise<JournalRow[]> =>
  db.query(JOURNAL, [appId, range.day, range.entryId, range.to, range.lastEntryId, range.limit])

/** A settlement line with its payment and payout. */
export interface SettlementRow {
  readonly lineId: number
  readonly profileId: number
  readonly providerLineId: string
  readonly kind: LineKind
  readonly transactionId: string | null
  readonly grossMinor: bigint
  readonly currency: string
  readonly feeMinor: bigint | null
  readonly netMinor: bigint | null
  readonly settlementCurrency: string | null
  readonly rate: string | null
  readonly lineTime: Date
  readonly payoutId: number | null
  readonly providerPayoutId: string | null
  readonly bankReference: string | null
  readonly match: 'exact' | 'suggested' | null
  readonly paymentId: number | null
  readonly referenceId: string | null
  readonly orderId: string | null
}

const SETTLEMENTS = sql<SettlementRow>(
  'ledger.settlements',
  `with page as materialized (
     select * from settlement_lines l
     where l.app_id = $1 and (l.line_time, l.line_id) > ($2, $3) and l.line_time < $4 and l.line_id <= $5
     order by l.line_time, l.line_id limit $6
   )
   select l.line_id, l.profile_id, l.provider_line_id, l.kind, l.provider_ids[1] as transaction_id,
     l.gross_minor, l.currency, l.fee_minor, l.net_minor, l.settlement_currency, l.rate, l.line_time,
     l.payout_id, o.provider_payout_id, o.bank_reference, m.match, p.payment_id, p.reference_id,
     p.details ->> 'orderId' as order_id
   from page l
     left join lateral (
       select provider_payout_id, bank_reference from payouts
       where app_id = $1 and payout_id = l.payout_id offset 0) o on true
     left join lateral (
       select payment_id, match from settlement_matches
       where app_id = $1 and line_id = l.line_id offset 0) m on true
     left join lateral (
       select payment_id, reference_id, details from payments
       where app_id = $1 and payment_id = m.payment_id and m.match = 'exact' offset 0) p on true
   order by l.line_time, l.line_id`,
)

export interface SettlementRange {
  readonly time: Date
  readonly lineId: number
  /** Not included. */
  readonly to: Date
  readonly lastLineId: number
  readonly limit: number
}

/** Lines after this one of this time, oldest first. */
export const settlementPage = (
  db: Queryable,
  appId: string,
  range: SettlementRange,
): Promise<SettlementRow[]> =>
  db.query(SETTLEMENTS, [appId, range.time, range.lineId, range.to, range.lastLineId, range.limit])

const LAST_LINE = sql<{ lineId: number | null }>(
  'ledger.lastLine',
  'select max(line_id) as line_id from settlement_lines where app_id = $1',
)

export const lastLineId = async (db: Queryable, appId: string): Promise<number> =>
  (await db.query(LAST_LINE, [appId]))[0]?.lineId ?? 0

export interface ClosedMonth {
  /** `2026-10` */
  readonly month: string
  readonly closedTime: Date
}

const MONTHS = sql<ClosedMonth>(
  'ledger.months',
  `select to_char(m.month, 'YYYY-MM') as month, m.closed_time from ledger_months m where m.app_id = $1
   order by m.month`,
)

export const closedMonths = (db: Queryable, appId: string): Promise<ClosedMonth[]> =>
  db.query(MONTHS, [appId])

const CLOSE = sql<{ month: string }>(
  'ledger.close',
  `insert into ledger_months (app_id, month, closed_time) values ($1, ($2 || '-01')::date, $3)
   on conflict do nothing returning month::text`,
)

/** False: it was closed before. */
export const insertMonth = async (
  tx: Queryable,
  appId: string,
  { month, closedTime }: ClosedMonth,
): Promise<boolean> => (await tx.query(CLOSE, [appId, month, closedTime])).length > 0
