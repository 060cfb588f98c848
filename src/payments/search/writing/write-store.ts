import { CURRENCIES } from '../../../base/currencies.ts'
import { type Queryable, sql } from '../../../db/database.ts'
import { COPY_DISPUTES } from './disputes-store.ts'

const codes = (digits: number): string =>
  [...CURRENCIES].flatMap(([code, each]) => (each === digits ? [`'${code}'`] : [])).join(', ')

/** The amount in major units; two digits are the rule. */
const MAJOR = `p.amount_minor * case when p.currency in (${codes(0)}) then 1
  when p.currency in (${codes(3)}) then 0.001 when p.currency in (${codes(4)}) then 0.0001 else 0.01 end`

const CHANGING = {
  state: 'p.state',
  captured_minor: 'p.captured_minor',
  refunded_minor: 'p.refunded_minor',
  fee_minor: `coalesce((i."feeMinor")::bigint, 0)`,
  disputed_minor: `least(p.captured_minor - p.refunded_minor, (
    select coalesce(sum(coalesce((d ->> 'amountMinor')::bigint, p.captured_minor)), 0)
    from json_array_elements(i.disputes) d where d ->> 'state' = 'open'))`,
  profile_id: 'p.profile_id',
  method: 'p.method',
  brand: `left(i.card ->> 'brand', 40)`,
  last4: `left(i.card ->> 'last4', 4)`,
  country: `left(coalesce(i.payer ->> 'country', i.card ->> 'country'), 2)`,
  fraud_status: 'p.fraud_status',
  decision: 'v.decision',
  policy_id: `coalesce(v.policy_id, d."fraudPolicyId")`,
  reason: `left(case when p.failure is null then i.declined
    else coalesce(p.failure ->> 'declineCode', p.failure ->> 'code') end, 60)`,
  attempt: 'p.attempt',
  dispute_count: `least(100, (p.state = 'Disputed')::integer + coalesce(json_array_length(i.disputes), 0))`,
}

const FROZEN = {
  flow: 'p.flow',
  currency: 'p.currency',
  amount: MAJOR,
  amount_minor: 'p.amount_minor',
  customer_id: 'p.customer_id',
  reference_id: 'p.reference_id',
  order_id: `nullif(d."orderId", '')`,
  created_time: 'p.created_time',
}

const ALL = { ...FROZEN, ...CHANGING }
const names = Object.keys(ALL).join(', ')
/** A payment that was disputed once stays marked: a dispute that a person recorded ends with its state. */
const OTHERWISE: Readonly<Record<string, string>> = {
  dispute_count: 'greatest(s.dispute_count, excluded.dispute_count)',
}
const set = Object.keys(CHANGING).map((name) => `${name} = ${OTHERWISE[name] ?? `excluded.${name}`}`)

/** The columns of `payments` that are copied. */
export const COPIED = `app_id, payment_id, version, state, flow, currency, amount_minor, captured_minor,
  refunded_minor, profile_id, method, customer_id, reference_id, fraud_status, attempt, created_time, details,
  pay_info, failure`

/** Members of the JSON columns of `p`, each column read in one pass: parsing is most of the work. */
const PARTS = `
    cross join lateral json_to_record(p.details) as d ("orderId" text, "fraudPolicyId" bigint)
    left join lateral json_to_record(p.pay_info) as i (card json, payer json, "feeMinor" text, declined text,
      disputes json) on true
    left join lateral (
      select v.decision, v.policy_id from fraud_verdicts v
      where v.app_id = p.app_id and v.payment_id = p.payment_id order by v.attempt desc limit 1) v on true`

/** A quarter of an hour of the app's time. */
const BUCKET = `date_bin('15 minutes', created_time, 'epoch')`

/**
 * Copies payments, given as the rows `p`, to payment_search, their disputes to disputes, and queues their
 * quarters for the rollups. A row is written only when the payment is newer, so that concurrent writers of
 * two nodes end with the newest. Rows are locked in the order of their keys, the queue after them: two
 * writers never wait for each other in a circle. `$1` is the time from which the quarters may be counted.
 */
export const copyPayments = (payments: string): string => `
  written as (
    insert into payment_search as s (app_id, payment_id, version, ${names})
    select p.app_id, p.payment_id, p.version, ${Object.values(ALL).join(', ')}
    from ${payments}${PARTS}
    order by p.app_id, p.payment_id
    on conflict (app_id, payment_id) do update set version = excluded.version, ${set.join(', ')}
    where s.version < excluded.version
    returning s.app_id, s.payment_id, s.created_time, s.dispute_count
  ), ${COPY_DISPUTES}, queued as (
    insert into rollup_queue as q (app_id, bucket_time, due_time)
    select distinct app_id, ${BUCKET}, $1::timestamptz from written order by 1, 2
    on conflict (app_id, bucket_time) do update set due_time = q.due_time
  )`

const WRITE = sql<{ count: number }>(
  'search.write',
  `with ${copyPayments(`unnest($2::text[], $3::bigint[]) as k (app_id, payment_id)
    cross join lateral (
      select ${COPIED} from payments p
      where p.app_id = k.app_id and p.payment_id = k.payment_id offset 0) p`)}
   select count(*)::integer as count from written`,
)

/** Copies these payments to payment_search. */
export async function writeSearch(
  db: Queryable,
  payments: readonly { readonly appId: string; readonly paymentId: number }[],
  countFrom: Date,
): Promise<void> {
  const values = [countFrom, payments.map(({ appId }) => appId), payments.map(({ paymentId }) => paymentId)]
  await db.query(WRITE, values)
}
