import { DAY } from '../../../src/base/clock.ts'
import { countDaysOf } from '../../../src/insights/days-store.ts'
import { MEASURES, counted as rollupsOf } from '../../../src/insights/rollup-store.ts'
import { copyPayments } from '../../../src/payments/search/writing/write-store.ts'
import type { Rig } from '../rig.ts'

/** Outside the range of the service's own ids. */
const FIRST_ID = 2_000_000_000
const CHUNK = 50_000
const SPAN_DAYS = 540

const list = (texts: readonly string[]): string => `array[${texts.map((text) => `'${text}'`).join(', ')}]`
const FIRST_NAMES = list(
  'Dana José Zoë Jürgen Anna Łukasz Élodie Søren Maria Ivan Chloé Omar Nadia Björn Inês Tom'.split(' '),
)
const LAST_NAMES = list(
  'Müller García Smith Ångström Nowak Dubois Rossi Øst Silva Çelik Weiß Kowalski Jensen Peeters'.split(' '),
)
const DOMAINS = list(
  'mail.example mail.example mail.example post.example web.example shop.example firm.example'.split(' '),
)

/** The value of an array for a number, as SQL. */
const pick = (array: string, number: string, size: number): string => `(${array})[1 + ${number} % ${size}]`

/** `$2` how many. A third of all addresses have the same domain; accents are as people write them. */
const PEOPLE = `
  insert into customers (app_id, customer_id, first_name, last_name, email, mobile_number, created_time)
  select $1, 'buyer-' || n, ${pick(FIRST_NAMES, 'n', 16)}, ${pick(LAST_NAMES, 'n / 16', 14)},
    'buyer' || n || '@' || ${pick(DOMAINS, 'n', 7)}, '+4930' || lpad(n::text, 7, '0'),
    now() - interval '${SPAN_DAYS} days' * (1 - n::float8 / $2::bigint)
  from generate_series(0, $2::bigint - 1) n`

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
 * `$1` app, `$2` to `$3` numbers, `$4` how many there are, `$5` profiles, `$6` customers. Newer payments have
 * higher numbers. `a`, `b` and `c` are mixed, each in its own way. One customer has every hundredth payment.
 */
const PAST = `
  select n, a, b, c, date_trunc('milliseconds',
      now() - (1 - (n + 1)::float8 / $4::bigint) * interval '${SPAN_DAYS} days') as created,
    case when a < 4 then 'Disputed' when a < 5 then 'ProviderAuthorizedHold' when a < 90 then 'Failed'
      when a < 130 then 'Created' when a < 165 then 'Refunded' when a < 190 and n > $4::bigint * 0.98
      then 'Authorized' else 'Captured' end as state,
    case when b % 20 < 10 then 'EUR' when b % 20 < 15 then 'USD' when b % 20 < 18 then 'GBP'
      when b % 20 < 19 then 'CHF' else 'JPY' end as currency,
    case when n % 5003 = 0 then 100000000 else 100 + c * c % 50000 end as amount,
    case when n % 100 = 7 then 0 else n * 31 % $6::bigint end as customer
  from (select n, n * 7919 % 10007 % 1000 as a, n * 104729 % 10009 as b, n * 15485863 % 10037 as c
    from generate_series($2::bigint, $3::bigint - 1) n) mixed`

const IS_PAID = `state in ('Captured', 'Refunded', 'Disputed')`
const PROBLEM = `json_build_object('code', 'text', 'text', 'Ended.')`
const FAILURE = `case when b % 10 < 6 then json_build_object('code', 'declined', 'problem', ${PROBLEM},
    'declineCode', case when b % 10 < 3 then 'insufficient-funds' when b % 10 < 5 then 'generic'
    else 'expired-card' end)
  else json_build_object('code', case when b % 10 = 6 then 'fraud_rejected' when b % 10 < 9 then 'expired'
    else 'cancelled' end, 'problem', ${PROBLEM}) end`
const PAY_INFO = `json_build_object('card', case when c % 5 > 0 then json_build_object('brand',
      case when c % 5 < 4 then 'Visa' else 'Mastercard' end, 'last4', lpad((n % 9973)::text, 4, '0')) end,
    'feeMinor', '74', 'payer', json_build_object('country',
      ${pick(list('DE FR US GB CH JP ES PL'.split(' ')), 'c', 8)}),
    'declined', case when state = 'Created' then 'insufficient-funds' end,
    'disputes', case when state = 'Disputed' then json_build_array(json_build_object('id', 'dp_' || n,
      'state', 'open', 'amountMinor', amount, 'reason', 'fraudulent',
      'evidenceDue', now() + interval '9 days')) end)`

const PAYMENTS = `
  with past as (${PAST})
  insert into payments (app_id, payment_id, version, sequence, state, flow, reference_id, payment_key,
    amount_minor, captured_minor, refunded_minor, currency, auto_capture, auto_payment, fraud_status,
    customer_id, return_url, created_time, state_time, details, attempt, attempt_key, profile_id, method,
    handles, pay_info, failure)
  select $1, ${FIRST_ID} + n, 4, 4, state, case when b % 3 = 0 then 'Direct' else 'HostedPage' end,
    'INV-' || n, substr($1, 5) || substr(md5(n::text), 1, 26), amount,
    case when ${IS_PAID} then amount else 0 end,
    case when state = 'Refunded' then amount when state = 'Captured' and a < 200 then amount / 2 else 0 end,
    currency, state <> 'Authorized', 'None', 'Unknown', 'buyer-' || customer,
    'https://shop.example/orders/back', created, created + interval '1 minute',
    json_build_object('customerOrder', json_build_object('customer', json_build_object(
      'customerId', 'buyer-' || customer), 'description', 'Two books and a pencil'),
      'orderId', 'order-' || n, 'fraudPolicyId', case when n % 211 = 0 then 7 end),
    case when is_open then 0 else 1 end, 'CONSOLE' || n,
    case when not is_open then ($5::bigint[])[1 + (n % 50) / 24] end,
    case when not is_open then case when c % 5 > 0 then 'CreditCard' else 'Paypal' end end,
    case when not is_open then json_build_object('payment', 'pay_' || md5(n::text)) end,
    case when not is_open then ${PAY_INFO} end, case when state = 'Failed' then ${FAILURE} end
  from (select *, state = 'Created' and b % 2 = 0 as is_open from past) p order by n`

const RANGE = `app_id = $1 and payment_id >= ${FIRST_ID} + $2::bigint
  and payment_id < ${FIRST_ID} + $3::bigint`

/** Those that are kept: the removal of older ones would be measured too. */
const EVENTS = `
  insert into events (app_id, payment_id, sequence, type, state, created_time, body)
  select app_id, payment_id, 4, 'payment.state_changed', state, created_time,
    json_build_object('type', 'payment.state_changed', 'note', repeat('x', 200))::text
  from payments where ${RANGE} and created_time > now() - interval '29 days'`

const OPERATIONS = `
  insert into operations (app_id, operation_key, payment_id, step, attempt, profile_id, method, amount_minor,
    status, tries, created_time, closed_time, outcome)
  select app_id, attempt_key, payment_id, 'start', 1, profile_id, method, amount_minor,
    case when state = 'Failed' then 'declined' else 'done' end, 1, created_time,
    created_time + (payment_id % 900) * interval '1 millisecond', '{"kind":"approved"}'
  from payments where ${RANGE} and profile_id is not null`

const REFUNDS = `
  insert into refunds (app_id, payment_id, refund_id, amount_minor, state, created_time)
  select app_id, payment_id, 're-' || payment_id, refunded_minor, 'done', created_time + interval '1 day'
  from payments where ${RANGE} and refunded_minor > 0`

/** The same statement as the service's writer, for a range of ids. */
const SEARCH = `with ${copyPayments(
  `(select * from payments where app_id = $2 and payment_id >= ${FIRST_ID} + $3::bigint
    and payment_id < ${FIRST_ID} + $4::bigint) p`,
)} select count(*) from written`

const BUCKET = `date_bin('15 minutes', s.created_time, 'epoch')`
const OF_APP = 'payment_search s where s.app_id = $1'
/** What the service's job counts, for all quarters and days at once. */
const ROLLUPS = [
  `insert into payment_rollups (app_id, bucket_time, currency, profile_id, method, flow, state, outcome,
     reason, ${MEASURES})
   select $1, c.* from (${rollupsOf(`${BUCKET} as bucket_time`, OF_APP)}) c`,
  `insert into country_rollups (app_id, bucket_time, currency, profile_id, outcome, country, payments,
     captured_minor)
   select $1, ${BUCKET}, s.currency, coalesce(s.profile_id, 0),
     payment_outcome(s.state, s.reason, s.captured_minor), coalesce(s.country, ''), count(*),
     sum(s.captured_minor)
   from ${OF_APP} group by 2, 3, 4, 5, 6`,
  countDaysOf(`(select distinct r.app_id, date_bin('1 day', r.bucket_time, 'epoch') as day_time
    from payment_rollups r where r.app_id = $1) b`),
  'delete from rollup_queue where app_id = $1',
]

/** Otherwise the team would be told of thousands of old disputes meanwhile. */
const TOLD = 'update disputes set notices = 63 where app_id = $1'

/** Indexes are made after the rows: that takes a third of the time. */
const INDEXES = `select indexname as name, indexdef as text from pg_indexes
  where tablename = 'payment_search' and indexname <> 'payment_search_pkey'`

interface FilledApp {
  readonly appId: string
  readonly payments: number
  readonly customers: number
}

type Say = (text: string) => void

/** Payments of eighteen months of each app, with their search rows and rollups. */
export async function fillConsole(
  { db }: Pick<Rig, 'db'>,
  apps: readonly FilledApp[],
  say: Say,
): Promise<void> {
  await db.query('set synchronous_commit = off')
  const { rows: indexes } = await db.query<{ name: string; text: string }>(INDEXES)
  for (const { name } of indexes) await db.query(`drop index ${name}`)
  for (const app of apps) await fillApp(db, app, say)
  for (const { text } of indexes) await db.query(text)
  await db.query('vacuum analyze')
  for (const { appId } of apps) for (const statement of [...ROLLUPS, TOLD]) await db.query(statement, [appId])
  await db.query('vacuum analyze payment_rollups, country_rollups, day_rollups')
  await db.query('checkpoint')
}

async function fillApp(db: Rig['db'], { appId, payments, customers }: FilledApp, say: Say): Promise<void> {
  // Not due: the jobs of the service would compare and count the same payments meanwhile.
  const later = new Date(Date.now() + DAY)
  await db.query(
    `insert into payment_search_progress (app_id, event_time, backfill_below, due_time)
     values ($1, now(), null, $2)
     on conflict (app_id) do update set backfill_below = null, event_time = now(), due_time = $2`,
    [appId, later],
  )
  await db.query(PEOPLE, [appId, customers])
  const own = 'select min(profile_id) as profile_id from payment_profiles where app_id = $1'
  const first = await db.query(own, [appId])
  const more = await db.query(PROFILES, [appId])
  const profiles = [...first.rows, ...more.rows].map((row) => row.profile_id)
  for (let start = 0; start < payments; start += CHUNK) {
    const end = Math.min(payments, start + CHUNK)
    await db.query(PAYMENTS, [appId, start, end, payments, profiles, customers])
    for (const statement of [EVENTS, OPERATIONS, REFUNDS]) await db.query(statement, [appId, start, end])
    await db.query(SEARCH, [later, appId, start, end])
    if (end % (4 * CHUNK) === 0) say(`${end.toLocaleString('en')} payments`)
  }
}

/** The number of the payment with this place, 0 for the oldest. */
export const idOf = (place: number): number => FIRST_ID + place
