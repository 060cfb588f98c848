import { copyPayments } from '../../../src/payments/search/writing/write-store.ts'
import { pause, type Rig } from '../rig.ts'

/** Outside the range of the service's own ids. */
const FIRST_ID = 3_000_000_000
const CHUNK = 50_000
/** Each of so many payments has a refund of one euro. */
export const REFUND_EVERY = 20

/** `$1` app, `$2` profile, `$3` to `$4` numbers, `$5` how many there are. Newer ones have higher numbers. */
const OF_TURN = `
  with past as (
    select n, ${FIRST_ID} + n as id, $2::bigint as profile_id, 1000 + n * 7919 % 50000 as amount,
      n % ${REFUND_EVERY} = 0 as is_refunded,
      date_trunc('milliseconds',
        now() - interval '3 days' - (1 - n::float8 / $5) * interval '20 days') as created
    from generate_series($3::bigint, $4::bigint - 1) n)`

const PAYMENTS = `${OF_TURN}
  insert into payments (app_id, payment_id, version, sequence, state, flow, reference_id, payment_key,
    amount_minor, captured_minor, refunded_minor, currency, auto_capture, auto_payment, fraud_status,
    customer_id, return_url, created_time, state_time, details, attempt, attempt_key, profile_id, method,
    handles, pay_info)
  select $1, id, 4, 4, 'Captured', 'HostedPage', 'INV-' || n, substr($1, 5) || substr(md5(n::text), 1, 26),
    amount, amount, case when is_refunded then 100 else 0 end, 'EUR', true, 'None', 'Unknown',
    'buyer-' || n % 1000, 'https://shop.example/orders/back', created, created,
    '{"customerOrder":{"description":"Two books and a pencil"}}', 1, 'SETTLED' || n, profile_id, 'CreditCard',
    json_build_object('payment', 'pay_' || md5(n::text)), '{"card":{"brand":"Visa","last4":"4242"}}'
  from past order by n`

const EVENTS = `${OF_TURN}
  insert into events (app_id, payment_id, sequence, type, state, created_time, body)
  select $1, id, 4, 'payment.state_changed', 'Captured', created, json_build_object('type',
    'payment.state_changed', 'payment', json_build_object('capturedAmount', (amount / 100.0)::numeric(12, 2),
      'refundedAmount', case when is_refunded then 1 else 0 end, 'note', repeat('x', 600)))::text
  from past order by n`

const REFUNDS = `${OF_TURN}
  insert into refunds (app_id, payment_id, refund_id, amount_minor, state, created_time)
  select $1, id, 'REFUND' || n, 100, 'done', created from past where is_refunded order by n`

/** As the service stores them while payments of a profile with a source are made. */
const KEYS = `${OF_TURN}
  insert into settlement_keys (app_id, profile_id, key, payment_id, attempt, refund_id)
  select $1, profile_id, 'pay_' || md5(n::text), id, 1, null from past
  union all
  select $1, profile_id, 'REFUND' || n, id, 1, 'REFUND' || n from past where is_refunded`

/** `$1` is the time, `$2` the app. As the service copies them a moment after they change. */
const SEARCH = `with ${copyPayments(
  `(select * from payments where app_id = $2 and payment_id >= ${FIRST_ID} + $3::bigint
    and payment_id < ${FIRST_ID} + $4::bigint) p`,
)} select count(*) from written`

const COPIED_UNTIL_NOW = `
  insert into payment_search_progress (app_id, event_time, backfill_below, due_time)
  values ($1, now(), null, now()) on conflict (app_id) do update set backfill_below = null`

const SOURCE = `
  with source as (
    insert into settlement_sources (app_id, profile_id, is_active, begin_time, unpaid_until)
    values ($1, $2, false, now() - interval '30 days', now() - interval '30 days'))
  insert into settlement_progress (app_id, from_time, event_time, payment_id, sequence, due_time,
    late_event_time)
  values ($1, now() - interval '90 days', now(), 0, 0, now(), now())`

interface Filling {
  readonly appId: string
  readonly profileId: string
  readonly count: number
  readonly say: (text: string) => void
}

/**
 * Captured payments of twenty days, whose ids are known for matching. Search rows and rollups are complete,
 * so that the service has nothing to catch up on beside the import.
 */
export async function fillSettled(rig: Rig, { appId, profileId, count, say }: Filling): Promise<void> {
  await rig.db.query('set synchronous_commit = off')
  await rig.db.query(SOURCE, [appId, profileId])
  await rig.db.query(COPIED_UNTIL_NOW, [appId])
  for (let first = 0; first < count; first += CHUNK) {
    const values = [appId, profileId, first, Math.min(count, first + CHUNK), count]
    for (const text of [PAYMENTS, EVENTS, REFUNDS, KEYS]) await rig.db.query(text, values)
    await rig.db.query(SEARCH, [new Date(), appId, first, Math.min(count, first + CHUNK)])
    if ((first / CHUNK) % 5 === 4) say(`${(first + CHUNK).toLocaleString('en')} payments`)
  }
  await rig.db.query('vacuum analyze')
  await rig.db.query('checkpoint')
  while (await hasUncounted(rig)) await pause(500)
}

async function hasUncounted(rig: Rig): Promise<boolean> {
  const { rows } = await rig.db.query('select from rollup_queue limit 1')
  return rows.length > 0
}
