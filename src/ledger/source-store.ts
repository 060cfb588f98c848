import { type Queryable, sql } from '../db/database.ts'
import type { LedgerPosition } from './progress-store.ts'
import type { BookedLine, PaymentSums } from './rules.ts'

// What entries are derived from.

interface DisputeOf {
  readonly state: string
  readonly isWonLate?: boolean
}

/** The sums of a payment's row. */
export interface SumsNow {
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly disputes: readonly (DisputeOf & { readonly amountMinor?: string })[] | null
}

/** The sums that the body of an event has, in major units. */
export interface SumsThen {
  readonly captured: string | null
  readonly refunded: string
  readonly disputes: readonly (DisputeOf & { readonly amount: number | null })[] | null
}

export interface LedgerEvent {
  readonly position: LedgerPosition
  /** How many events were looked at for the page. */
  readonly ofPage: number
  /** Its members are null when the event is booked, or nothing can have been captured in its state. */
  readonly payment:
    | (SumsNow & { readonly profileId: number; readonly currency: string; readonly isNow: boolean })
    | { readonly profileId: null }
  /** Read only when the payment has gone on since the event. */
  readonly body: SumsThen
}

/** Most events move no money or are booked, above all in the second pass: of these only the last is sent. */
const EVENTS = sql<LedgerEvent>(
  'ledger.events',
  `with page as materialized (
     select e.created_time, e.payment_id, e.sequence, e.state, e.body from events e
     where e.app_id = $1 and (e.created_time, e.payment_id, e.sequence) > ($2, $3, $4)
       and e.created_time <= $5
     order by e.created_time, e.payment_id, e.sequence limit $6
   ), placed as (
     select page.*, row_number() over (order by created_time, payment_id, sequence) as place,
       count(*) over () as of_page
     from page
   )
   select e.created_time as "position.time", e.payment_id as "position.payment_id",
     e.sequence as "position.sequence", e.of_page, p.profile_id as "payment.profile_id",
     p.currency as "payment.currency", p.sequence = e.sequence as "payment.is_now",
     p.captured_minor as "payment.captured_minor", p.refunded_minor as "payment.refunded_minor",
     p.pay_info -> 'disputes' as "payment.disputes", b.payment ->> 'capturedAmount' as "body.captured",
     b.payment ->> 'refundedAmount' as "body.refunded", b.payment -> 'disputes' as "body.disputes"
   from placed e left join lateral (
     select p.* from payments p
     where e.state not in ('Created', 'Authorizing', 'Approved', 'SaleInProgress', 'Authorized')
       and p.app_id = $1 and p.payment_id = e.payment_id and not exists (
         select from ledger_payments l
         where l.app_id = $1 and l.payment_id = e.payment_id and l.sequence >= e.sequence)
     offset 0) p on true
     left join lateral (select e.body::json -> 'payment' as payment) b on p.sequence > e.sequence
   where p.profile_id is not null or e.place = e.of_page
   order by e.place`,
)

/** The events after a position, until a time, oldest first: those that may be booked, and the last. */
export const eventsAfter = (
  tx: Queryable,
  appId: string,
  { time, paymentId, sequence }: LedgerPosition,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<LedgerEvent[]> => tx.query(EVENTS, [appId, time, paymentId, sequence, until, limit])

/** A line, and the payment that it is matched with. */
export interface LedgerLine extends BookedLine {
  readonly lineId: number
  readonly lineTime: Date
  readonly paymentId: number | null
}

interface ReadLine extends LedgerLine {
  readonly isBooked: boolean
  /** How many lines were looked at for the page. */
  readonly ofPage: number
}

const LINE = `l.line_id, l.profile_id, l.kind, l.gross_minor, l.currency, l.fee_minor, l.net_minor,
     l.settlement_currency, l.payout_id, l.line_time, m.payment_id`

const MATCH = `left join lateral (
       select payment_id from settlement_matches
       where app_id = $1 and line_id = l.line_id and match = 'exact' offset 0) m on true`

/**
 * Each line is looked up by itself: a join might read the app from its first line for every page. Of lines
 * that are booked only the last is sent: in the second pass nearly all are.
 */
const LINES = sql<ReadLine>(
  'ledger.lines',
  `with page as materialized (
     select * from settlement_lines where app_id = $1 and line_id > $2 order by line_id limit $3
   ), ripe as materialized (
     select page.*, row_number() over (order by line_id) as place, count(*) over () as of_page
     from page where ($4::timestamptz is null or line_id < (
       select coalesce(min(line_id), 9223372036854775807) from page where received_time > $4))
   ), l as materialized (
     select r.*, b.entry_id is not null as is_booked
     from ripe r left join lateral (
       select entry_id from ledger_entries
       where app_id = $1 and entry_key = 'line:' || r.line_id offset 0) b on true
     where b.entry_id is null or r.place = r.of_page
   )
   select ${LINE}, l.is_booked, l.of_page from l ${MATCH} order by l.line_id`,
)

/** Lines that are to be booked, and the last. Without those from the first on that came after `until`. */
export const linesAfter = (
  tx: Queryable,
  appId: string,
  { after, limit, until }: { readonly after: number; readonly limit: number; readonly until?: Date },
): Promise<ReadLine[]> => tx.query(LINES, [appId, after, limit, until ?? null])

const UNKNOWN = sql<LedgerLine>(
  'ledger.unknown',
  `select ${LINE}
   from ledger_entries u cross join lateral (
       select * from settlement_lines where app_id = $1 and line_id = u.line_id offset 0) l
     ${MATCH}
   where u.app_id = $1 and u.kind = 'unknown-line' and u.line_id > $2 and not exists (
     select from ledger_entries e where e.app_id = $1 and e.entry_key = 'match:' || u.line_id)
   order by u.line_id limit $3`,
)

/** Lines that were booked as unknown, with the payment that they may have by now. */
export const unknownLines = (
  tx: Queryable,
  appId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<LedgerLine[]> => tx.query(UNKNOWN, [appId, after, limit])

/** The sums of a payment that are booked. */
export interface BookedPayment extends PaymentSums {
  readonly paymentId: number
  readonly sequence: number
  readonly profileId: number
  readonly currency: string
}

const BOOKED = sql<BookedPayment>(
  'ledger.booked',
  `select payment_id, sequence, profile_id, currency, captured_minor, refunded_minor, disputed_minor,
     line_sales_minor, line_refunds_minor, line_disputes_minor
   from unnest($2::bigint[]) k (id) cross join lateral (
     select * from ledger_payments where app_id = $1 and payment_id = k.id offset 0) p`,
)

export const bookedPayments = (
  tx: Queryable,
  appId: string,
  paymentIds: readonly number[],
): Promise<BookedPayment[]> => tx.query(BOOKED, [appId, paymentIds])

export interface PaymentNow extends SumsNow {
  readonly paymentId: number
  readonly sequence: number
  readonly profileId: number
  readonly currency: string
  readonly stateTime: Date
}

const NOW = sql<PaymentNow>(
  'ledger.payments',
  `select payment_id, sequence, profile_id, currency, captured_minor, refunded_minor,
     pay_info -> 'disputes' as disputes, state_time
   from unnest($2::bigint[], $3::integer[]) k (id, booked) cross join lateral (
     select * from payments where app_id = $1 and payment_id = k.id and profile_id is not null
       and sequence > k.booked offset 0) p`,
)

/** Payments that have gone on since they were booked. `sequence` is -1 for one that is not booked. */
export const paymentsSince = (
  tx: Queryable,
  appId: string,
  booked: readonly Pick<BookedPayment, 'paymentId' | 'sequence'>[],
): Promise<PaymentNow[]> => {
  const values = [booked.map(({ paymentId }) => paymentId), booked.map(({ sequence }) => sequence)]
  return tx.query(NOW, [appId, ...values])
}

/** A payout that is not booked as the provider reports it. */
export interface ChangedPayout {
  readonly payoutId: number
  readonly profileId: number
  readonly payoutTime: Date
  readonly currency: string
  readonly amountMinor: bigint
  /** Null: it has not been booked. */
  readonly bookedMinor: bigint | null
  readonly bookedCurrency: string | null
  readonly entries: number
  /** Booked with lines that had no payout then. */
  readonly byLinesMinor: bigint
}

/** A payout that failed has returned. Of one that only lines name, their sum counts. */
const PAYOUTS = sql<ChangedPayout>(
  'ledger.payouts',
  `select t.payout_id, t.profile_id, t.payout_time, t.currency, t.amount_minor, b.booked_minor,
     b.currency as booked_currency, coalesce(b.entries, 0) as entries,
     coalesce((select sum(p.amount_minor) from settlement_lines l
        join ledger_entries e on e.app_id = l.app_id and e.entry_key = 'line:' || l.line_id
        join ledger_postings p on p.app_id = e.app_id and p.entry_id = e.entry_id and p.account = 'bank'
      where l.app_id = $1 and l.payout_id = t.payout_id and l.kind = 'payout'), 0) as by_lines_minor
   from (
     select p.payout_id, p.profile_id, p.payout_time, coalesce(p.currency, l.currency) as currency,
       case when p.state = 'failed' then 0 else coalesce(p.amount_minor, l.amount_minor) end as amount_minor
     from payouts p left join lateral (
       select max(coalesce(l.settlement_currency, l.currency)) as currency,
         -sum(coalesce(l.net_minor, l.gross_minor))::bigint as amount_minor
       from settlement_lines l
       where p.amount_minor is null and l.app_id = p.app_id and l.payout_id = p.payout_id
         and l.kind = 'payout'
     ) l on true
     where p.app_id = $1
   ) t left join ledger_payouts b on b.app_id = $1 and b.payout_id = t.payout_id
   where t.amount_minor is not null and t.currency is not null
     and (t.amount_minor, t.currency) is distinct from (b.booked_minor, b.currency)
     and (b.payout_id is not null or t.amount_minor <> 0)
   order by t.payout_id limit $2`,
)

export const changedPayouts = (tx: Queryable, appId: string, limit: number): Promise<ChangedPayout[]> =>
  tx.query(PAYOUTS, [appId, limit])
