import { copyPayments } from '../../../src/payments/search/writing/write-store.ts'
import { pause, type Rig } from '../rig.ts'

/** Outside the range of the service's own ids. */
const FIRST_ID = 2_000_000_000
const CHUNK = 50_000
const CUSTOMERS = 50_000

const PEOPLE = `
  insert into customers (app_id, customer_id, first_name, last_name, email, created_time)
  select $1, 'buyer-' || n, 'Dana', 'Example ' || n, 'dana' || n || '@shop.example', now() - interval '1 year'
  from generate_series(0, ${CUSTOMERS - 1}) n`

/** Two more profiles, so that a provider has several. */
const PROFILES = `
  insert into payment_profiles (app_id, name, provider, methods, currency, currencies, is_active, settings,
    webhook_key, created_time)
  select app_id, name || ' ' || n, provider, methods, currency, currencies, is_active, settings,
    webhook_key || n, created_time
  from (select * from payment_profiles where app_id = $1 order by profile_id limit 1) p,
    generate_series(2, 3) n
  returning profile_id`

/**
 * `$1` app, `$2` to `$3` numbers, `$4` how many there are, `$5` profiles. Newer payments have higher numbers.
 * Most are captured; some states, currencies and amounts are rare.
 */
const PAYMENTS = `
  with past as (
    select n, date_trunc('milliseconds', now() - (1 - n::float8 / $4) * interval '60 days') as created,
      case when n % 997 = 0 then 'Disputed' when n % 20011 = 0 then 'ProviderAuthorizedHold'
        when n % 100 < 8 then 'Failed' when n % 100 < 11 then 'Created' when n % 100 < 14 then 'Refunded'
        else 'Captured' end as state,
      case when n % 10007 = 0 then 'JPY' when n % 20 < 14 then 'EUR' when n % 20 < 19 then 'USD'
        else 'GBP' end as currency,
      case when n % 5003 = 0 then 100000000 else 100 + n * 7919 % 50000 end as amount,
      n * 31 % ${CUSTOMERS} as customer
    from generate_series($2::bigint, $3::bigint - 1) n)
  insert into payments (app_id, payment_id, version, sequence, state, flow, reference_id, payment_key,
    amount_minor, captured_minor, refunded_minor, currency, auto_capture, auto_payment, fraud_status,
    customer_id, return_url, created_time, state_time, details, attempt, attempt_key, profile_id, method,
    handles, pay_info, failure)
  select $1, ${FIRST_ID} + n, 4, 4, state, 'HostedPage', 'INV-' || n,
    substr($1, 5) || substr(md5(n::text), 1, 26), amount,
    case when state in ('Captured', 'Refunded', 'Disputed') then amount else 0 end,
    case when state = 'Refunded' then amount else 0 end, currency, true, 'None', 'Unknown',
    'buyer-' || customer, 'https://shop.example/orders/back', created, created + interval '1 minute',
    json_build_object('customerOrder', json_build_object('customer', json_build_object(
      'customerId', 'buyer-' || customer, 'email', 'dana' || customer || '@shop.example'),
      'description', 'Two books and a pencil'), 'orderId', 'order-' || n,
      'fraudPolicyId', case when n % 211 = 0 then 7 end),
    case when state = 'Created' then 0 else 1 end, 'CONSOLE' || n,
    case when state = 'Created' then null else ($5::bigint[])[1 + (n % 50) / 24] end,
    case when state = 'Created' then null else 'CreditCard' end,
    case when state = 'Created' then null else json_build_object('payment', 'pay_' || md5(n::text)) end,
    case when state = 'Created' then null else json_build_object('card', json_build_object('brand', 'Visa',
      'last4', lpad((n % 9973)::text, 4, '0')), 'feeMinor', '74', 'payer', json_build_object('country', 'DE'))
    end,
    case when state = 'Failed' then json_build_object('code', 'declined', 'message', 'Declined.',
      'declineCode', case when n % 3 = 0 then 'insufficient-funds' else 'generic' end) end
  from past order by n`

const EVENTS = `
  insert into events (app_id, payment_id, sequence, type, state, created_time, body)
  select app_id, payment_id, 4, 'payment.state_changed', state, created_time,
    json_build_object('type', 'payment.state_changed', 'note', repeat('x', 200))::text
  from payments where app_id = $1 and payment_id >= ${FIRST_ID} + $2 and payment_id < ${FIRST_ID} + $3`

const OPERATIONS = `
  insert into operations (app_id, operation_key, payment_id, step, attempt, profile_id, method, amount_minor,
    status, tries, created_time, closed_time, outcome)
  select app_id, attempt_key, payment_id, 'start', 1, profile_id, method, amount_minor,
    case when state = 'Failed' then 'declined' else 'done' end, 1, created_time,
    created_time + (payment_id % 900) * interval '1 millisecond', '{"kind":"approved"}'
  from payments where app_id = $1 and payment_id >= ${FIRST_ID} + $2 and payment_id < ${FIRST_ID} + $3
    and profile_id is not null`

/** The same statement as the service's writer, for a range of ids. */
const SEARCH = `with ${copyPayments(
  `(select * from payments where app_id = $2 and payment_id >= ${FIRST_ID} + $3::bigint
    and payment_id < ${FIRST_ID} + $4::bigint) p`,
)} select count(*) from written`

interface Filling {
  readonly appId: string
  readonly count: number
  readonly say: (text: string) => void
}

/** Payments of sixty days of one app, with their search rows. The service counts the rollups. */
export async function fillConsole(rig: Rig, { appId, count, say }: Filling): Promise<void> {
  await rig.db.query('set synchronous_commit = off')
  await rig.db.query(
    `insert into payment_search_progress (app_id, event_time, backfill_below, due_time)
     values ($1, now(), null, now()) on conflict (app_id) do update set backfill_below = null`,
    [appId],
  )
  await rig.db.query(PEOPLE, [appId])
  const own = await rig.db.query(
    'select min(profile_id) as profile_id from payment_profiles where app_id = $1',
    [appId],
  )
  const more = await rig.db.query(PROFILES, [appId])
  const profiles = [...own.rows, ...more.rows].map((row) => row.profile_id)
  for (let first = 0; first < count; first += CHUNK) {
    const end = Math.min(count, first + CHUNK)
    await rig.db.query(PAYMENTS, [appId, first, end, count, profiles])
    await rig.db.query(EVENTS, [appId, first, end])
    await rig.db.query(OPERATIONS, [appId, first, end])
    await rig.db.query(SEARCH, [new Date(), appId, first, end])
    if (end % (5 * CHUNK) === 0) say(`${end.toLocaleString('en')} payments`)
  }
  await rig.db.query('vacuum analyze')
  await rig.db.query('checkpoint')
  await counted(rig, say)
}

const LEFT = 'select count(*)::integer as left from rollup_queue'

async function counted(rig: Rig, say: (text: string) => void): Promise<void> {
  const startMs = performance.now()
  for (;;) {
    const { rows } = await rig.db.query<{ left: number }>(LEFT)
    if (rows[0]?.left === 0) break
    await pause(500)
  }
  say(`rollups counted ${((performance.now() - startMs) / 1_000).toFixed(1)} s after the last payment`)
  await rig.db.query('vacuum analyze payment_rollups, latency_rollups')
}

/** The number of the payment with this place, 0 for the oldest. */
export const idOf = (place: number): number => FIRST_ID + place
