import { type Database, type Queryable, sql } from '../../db/database.ts'
import { lookup } from '../../db/lookup.ts'
import type { JudgedLine, JudgedPayment, SettlementVerdict } from '../matching/judge.ts'

/** A payment as it is read: amounts inside of JSON are texts. */
interface ReadPayment extends Omit<JudgedPayment, 'refunds' | 'lines'> {
  readonly profileId: number
  readonly isOpen: boolean
  readonly refunds: readonly { refundId: string; amount: string; time: string }[] | null
  readonly lines: readonly (Omit<JudgedLine, 'grossMinor' | 'feeMinor'> & {
    gross: string
    fee: string | null
  })[]
}

/**
 * Marks of the merchant are no refunds at the provider. When all sales have come, the time of the capture
 * decides nothing, and events are not read for it.
 */
const READ = sql<ReadPayment>(
  'settlements.readPayments',
  `select p.payment_id, p.profile_id, p.currency, p.captured_minor, p.refunded_minor, p.attempt,
     p.state = 'Disputed' or coalesce(json_array_length(p.pay_info -> 'disputes'), 0) > 0
       as has_dispute,
     d.disputed_minor, d.lost_minor, p.state_time as decided_time,
     coalesce(p.last_error ->> 'code' = 'bank-return', false) as is_returned,
     case when t.sales = p.captured_minor then p.state_time else coalesce((
       select min(e.created_time) from events e where e.app_id = $1 and e.payment_id = p.payment_id
         and e.state in ('Captured', 'CapturedHold')), p.state_time) end as captured_time,
     case when p.refunded_minor > 0 then (
       select json_agg(json_build_object('refundId', r.refund_id, 'amount', r.amount_minor::text,
         'time', r.created_time) order by r.created_time, r.refund_id)
       from refunds r where r.app_id = $1 and r.payment_id = p.payment_id and r.state = 'done'
         and r.refund_id !~ '^marked_') end as refunds,
     coalesce(t.lines, '[]') as lines,
     exists (select from settlement_exceptions e where e.app_id = $1 and e.payment_id = p.payment_id
       and e.closed_time is null) as is_open
   from unnest($2::bigint[]) k (id) cross join lateral (
       select * from payments where app_id = $1 and payment_id = k.id offset 0) p
     join settlement_sources s on s.app_id = $1 and s.profile_id = p.profile_id
     cross join lateral (
       select sum(x.minor)::bigint as disputed_minor, case when not bool_or(x.state = 'open')
         then coalesce(sum(x.minor) filter (where x.state = 'lost'), 0)::bigint end as lost_minor
       from json_array_elements(case when json_typeof(p.pay_info -> 'disputes') = 'array'
           then p.pay_info -> 'disputes' end) d
         cross join lateral (select d ->> 'state' as state,
           coalesce((d ->> 'amountMinor')::bigint, p.captured_minor) as minor) x) d
     cross join lateral (
       select json_agg(json_build_object('lineId', l.line_id, 'kind', l.kind, 'gross', l.gross_minor::text,
         'currency', l.currency, 'fee', l.fee_minor::text, 'settlementCurrency', l.settlement_currency,
         'attempt', m.attempt, 'refundId', m.refund_id, 'payoutId', l.payout_id) order by l.line_id) as lines,
         sum(l.gross_minor) filter (where l.kind = 'sale' and l.currency = p.currency
           and coalesce(m.attempt, p.attempt) = p.attempt) as sales
       from settlement_matches m cross join lateral (
         select * from settlement_lines where app_id = $1 and line_id = m.line_id offset 0) l
       where m.app_id = $1 and m.payment_id = p.payment_id and m.match = 'exact') t`,
)

export interface PaymentToJudge extends JudgedPayment {
  readonly profileId: number
  /** It has open exceptions. */
  readonly isOpen: boolean
}

/** Payments of profiles with a source; others are left out. */
export async function readPayments(
  tx: Queryable,
  appId: string,
  paymentIds: readonly number[],
): Promise<PaymentToJudge[]> {
  const rows = await tx.query(READ, [appId, paymentIds])
  return rows.map((row) => ({
    ...row,
    refunds: (row.refunds ?? []).map(({ refundId, amount, time }) => {
      return { refundId, amountMinor: BigInt(amount), time: new Date(time) }
    }),
    lines: row.lines.map(({ gross, fee, ...line }) => {
      return { ...line, grossMinor: BigInt(gross), feeMinor: fee === null ? null : BigInt(fee) }
    }),
  }))
}

const WRITE = sql<never>(
  'settlements.writeStates',
  `insert into settlement_states as s (app_id, payment_id, profile_id, state, payout_id, difference_minor,
     due_time)
   select $1, x."paymentId", $2, x.state, x."payoutId", x.difference, x."dueTime"
   from json_to_recordset($3) as x ("paymentId" bigint, state text, "payoutId" bigint, difference bigint,
     "dueTime" timestamptz)
   order by x."paymentId"
   on conflict (app_id, payment_id) do update set profile_id = excluded.profile_id, state = excluded.state,
     payout_id = excluded.payout_id, difference_minor = excluded.difference_minor,
     due_time = excluded.due_time
   where (s.profile_id, s.state, s.payout_id, s.difference_minor, s.due_time) is distinct from
     (excluded.profile_id, excluded.state, excluded.payout_id, excluded.difference_minor, excluded.due_time)`,
)

export interface NewState
  extends Pick<SettlementVerdict, 'state' | 'payoutId' | 'differenceMinor' | 'dueTime'> {
  readonly paymentId: number
}

export async function writeStates(
  tx: Queryable,
  { appId, profileId }: { readonly appId: string; readonly profileId: number },
  states: readonly NewState[],
): Promise<void> {
  if (states.length === 0) return
  const rows = states.map(({ paymentId, state, payoutId, differenceMinor, dueTime }) => {
    return { paymentId, state, payoutId, difference: String(differenceMinor), dueTime }
  })
  await tx.query(WRITE, [appId, profileId, JSON.stringify(rows)])
}

/**
 * A payment is plain when its only line is one sale of exactly what was captured, in the same currency and of
 * the attempt that counts, nothing of it was refunded, and it has no open exception. Such a payment is
 * settled without a difference, whatever else is true of it. `judge` finds the same; matching/plain.test.ts
 * compares both. What the line decides alone is in `mayBePlain`. Decision 0178.
 *
 * Makes `plain` from `found`, the new lines with their payments, and stores its states. `$1` is the app, `$2`
 * the profile.
 */
export const SETTLE_PLAIN = `repeated as materialized (
     select payment_id from found group by payment_id having count(*) > 1
   ), plain as materialized (
     select f.payment_id, f.payout_id
     from found f cross join lateral (
       select from payments p
       where p.app_id = $1 and p.payment_id = f.payment_id and p.profile_id = $2 and p.currency = f.currency
         and p.captured_minor = f.gross and p.refunded_minor = 0
         and p.attempt = coalesce(f.attempt, p.attempt) offset 0) p
       left join lateral (
         select true as is_there from settlement_matches m
         where m.app_id = $1 and m.payment_id = f.payment_id and m.match = 'exact' limit 1) other on true
       left join lateral (
         select true as is_there from settlement_exceptions e
         where e.app_id = $1 and e.payment_id = f.payment_id and e.closed_time is null limit 1) open on true
     where f.may_be_plain and f.payment_id not in (select payment_id from repeated)
       and other.is_there is null and open.is_there is null
   ), settled as (
     insert into settlement_states as s (app_id, payment_id, profile_id, state, payout_id, difference_minor)
     select $1, payment_id, $2, 'settled', payout_id, 0 from plain order by payment_id
     on conflict (app_id, payment_id) do update set profile_id = excluded.profile_id, state = 'settled',
       payout_id = excluded.payout_id, difference_minor = 0, due_time = null
     where (s.profile_id, s.state, s.payout_id, s.difference_minor, s.due_time) is distinct from
       (excluded.profile_id, 'settled', excluded.payout_id, 0, null)
   )`

const REMOVE = sql<never>(
  'settlements.removeStates',
  'delete from settlement_states where app_id = $1 and payment_id = any ($2::bigint[])',
)

/** Payments without captured money, or whose capture has failed. */
export async function removeStates(
  tx: Queryable,
  appId: string,
  paymentIds: readonly number[],
): Promise<void> {
  if (paymentIds.length > 0) await tx.query(REMOVE, [appId, paymentIds])
}

/** Payments of a source for which a line is missing by now. `until`: see `Terms.coveredUntil`. */
const DUE = sql<{ paymentId: number }>(
  'settlements.duePayments',
  `select payment_id from settlement_states
   where app_id = $1 and profile_id = $2 and due_time <= $3 order by due_time limit $4`,
)

export const duePayments = async (
  tx: Queryable,
  { appId, profileId }: { readonly appId: string; readonly profileId: number },
  until: Date,
  limit: number,
): Promise<number[]> =>
  (await tx.query(DUE, [appId, profileId, until, limit])).map(({ paymentId }) => paymentId)

export interface StoredState {
  readonly state: SettlementVerdict['state']
  readonly payoutId: number | null
  readonly differenceMinor: bigint
  /** Null: not paid out. */
  readonly paidOutTime: Date | null
}

const STATE = lookup<{ app: string; payment: number }, StoredState>('settlements.state', {
  columns: 'app text, payment bigint',
  finds: `select s.state, s.payout_id, s.difference_minor,
      case when p.state = 'paid' then coalesce(p.arrival_time, p.payout_time) end as paid_out_time
    from settlement_states s left join payouts p on p.app_id = s.app_id and p.payout_id = s.payout_id
    where s.app_id = i.app and s.payment_id = i.payment`,
})

export const findState = (db: Database, appId: string, paymentId: number): Promise<StoredState | undefined> =>
  db.batch(STATE, { app: appId, payment: paymentId })
