import type { LoadApp } from './load/plan.ts'
import type { Rig } from './rig.ts'

/**
 * Inserts captured payments, spread over apps and over a year: each with its customer and two operations.
 * What is removed by age is there for as long as it is kept: events, deliveries, notifications of the
 * provider and the bank's answers for 30 days, the bank's payments and its ledger for 180.
 */
const CHUNK = 100_000
/** Outside the range of the service's own ids. */
const FIRST_ID = 1_000_000_000

const CUSTOMERS = `
  insert into customers (app_id, customer_id, first_name, last_name, email, created_time)
  select a, 'past-' || n, 'Dana', 'Example', 'dana' || n || '@shop.example', now() - interval '1 year'
  from unnest($1::text[]) a, generate_series(0, $2::integer - 1) n`

/** `n` continues over all chunks; apps and customers alternate; newer payments have higher ids. */
const OF_TURN = `
  with past as (
    select n, ${FIRST_ID} + n as id, ($1::text[])[1 + n % cardinality($1)] as app_id,
      ($2::bigint[])[1 + n % cardinality($1)] as profile_id, n / cardinality($1) % $5::integer as customer,
      now() - (1 - n::float8 / $6) * interval '1 year' as created
    from generate_series($3::bigint, $4::bigint - 1) n)`

const ORDER = `'{"customerOrder":{"customer":{"customerId":"past-' || customer ||
  '","firstName":"Dana","lastName":"Example","email":"dana' || customer ||
  '@shop.example"},"orderId":"past-' || n || '","description":"Two books and a pencil"}}'`

const PAYMENTS = `${OF_TURN}
  insert into payments (app_id, payment_id, version, sequence, state, flow, reference_id, payment_key,
    amount_minor, captured_minor, currency, auto_capture, auto_payment, fraud_status, customer_id, return_url,
    created_time, state_time, details, attempt, attempt_key, profile_id, method, handles, pay_info)
  select app_id, id, 4, 4, 'Captured', 'HostedPage', 'past-' || n,
    substr(app_id, 5) || substr(md5(n::text), 1, 26), 2550, 2550, 'EUR', true, 'None', 'Unknown',
    'past-' || customer, 'https://shop.example/orders/back', created, created + interval '1 minute',
    (${ORDER})::json, 1, 'PAST' || n, profile_id, 'CreditCard',
    json_build_object('payment', 'pay_' || md5(n::text), 'capture', 'cap_' || n),
    '{"card":{"brand":"Visa","type":"Credit","expiryMonth":12,"expiryYear":2031,"last4":"4242"},
      "feeMinor":"74","payer":{"fullName":"Dana Example","country":"DE"}}'::json
  from past order by n`

const OPERATIONS = `${OF_TURN}
  insert into operations (app_id, operation_key, payment_id, step, attempt, profile_id, method, amount_minor,
    status, tries, created_time, closed_time, outcome)
  select app_id, 'PAST' || n || step, id, step, 1, profile_id, 'CreditCard', 2550, 'done', 1, created,
    created, '{"kind":"approved"}'::json
  from past, (values ('start'), ('capture')) s (step) order by n`

const EVENTS = `${OF_TURN}
  insert into events (app_id, payment_id, sequence, type, state, created_time, body)
  select app_id, id, e, 'payment.state_changed', 'Captured', created, $7
  from past, generate_series(1, 4) e where created > now() - interval '30 days' order by n`

const DELIVERIES = `${OF_TURN}
  insert into deliveries (app_id, payment_id, sequence, endpoint, status, tries, attempts, queued_time)
  select app_id, id, e, '', 'delivered', 1, 1, created
  from past, generate_series(1, 4) e where created > now() - interval '30 days' order by n`

const NOTIFICATIONS = `${OF_TURN}
  insert into provider_notifications (app_id, profile_id, digest, received_time, status)
  select app_id, profile_id, sha256(convert_to(id || '-' || e, 'UTF8')), created, 'done'
  from past, generate_series(1, 2) e where created > now() - interval '30 days' order by n`

const BANK_PAYMENTS = `${OF_TURN}
  insert into sandbox_bank.payments (account, payment_id, version, reference, status, amount_minor,
    captured_minor, refunded_minor, currency, document, opened_time)
  select app_id, 'pay_' || md5(n::text), 2, 'PAST' || n, 'captured', 2550, 2550, 0, 'EUR',
    json_build_object('account', app_id, 'id', 'pay_' || md5(n::text), 'status', 'captured',
      'rest', repeat('x', 900)), created
  from past where created > now() - interval '180 days' order by n`

const BANK_LEDGER = `${OF_TURN}
  insert into sandbox_bank.ledger (account, payment_id, entry, kind, amount_minor, status, operation_key,
    entry_time)
  select app_id, 'pay_' || md5(n::text), entry, kind, 2550, 'done', 'PAST' || n || kind, created
  from past, (values (1, 'authorise'), (2, 'capture')) e (entry, kind)
  where created > now() - interval '180 days' order by n`

const BANK_ANSWERS = `${OF_TURN}
  insert into sandbox_bank.requests (account, request_key, fingerprint, status, answer, answered_time)
  select app_id, 'PAST' || n || kind, md5(n::text), 200, repeat('x', 900), created
  from past, (values ('authorise'), ('capture')) e (kind)
  where created > now() - interval '30 days' order by n`

/** Filled in chunks, with the values of `OF_TURN`. */
const OF_CHUNK = [
  ...[PAYMENTS, OPERATIONS, DELIVERIES, NOTIFICATIONS],
  ...[BANK_PAYMENTS, BANK_LEDGER, BANK_ANSWERS],
]

interface Past {
  readonly apps: readonly LoadApp[]
  readonly count: number
  readonly say?: (text: string) => void
}

export async function fillPast(rig: Rig, { apps, count, say = () => {} }: Past): Promise<void> {
  const appIds = apps.map(({ appId }) => appId)
  const customers = Math.max(1, Math.min(1_000, Math.floor(count / apps.length / 10)))
  const profiles = await rig.db.query<{ profile_id: string }>(
    `select p.profile_id from unnest($1::text[]) with ordinality a (app_id, place) cross join lateral (
       select min(profile_id) as profile_id from payment_profiles p where p.app_id = a.app_id) p
     order by place`,
    [appIds],
  )
  const body = JSON.stringify({ type: 'payment.state_changed', payment: 'x'.repeat(1_200) })
  await rig.db.query('set synchronous_commit = off')
  await rig.db.query(CUSTOMERS, [appIds, customers])
  for (let first = 0; first < count; first += CHUNK) {
    const end = Math.min(count, first + CHUNK)
    const values = [appIds, profiles.rows.map((row) => row.profile_id), first, end, customers, count]
    for (const text of OF_CHUNK) await rig.db.query(text, values)
    await rig.db.query(EVENTS, [...values, body])
    if (end % (5 * CHUNK) === 0) say(`${end.toLocaleString('en')} payments of the past`)
  }
  await rig.db.query('vacuum analyze')
  await rig.db.query('checkpoint')
}

/** Ids and references to read, evenly spread over `count`, with the apps in turn. */
export function pastThings({ apps, count }: Past, wanted: number): { ids: string[]; references: string[] } {
  const turns = Math.floor(count / apps.length)
  const some = Math.min(turns, Math.floor(wanted / apps.length))
  const numbers = Array.from({ length: some * apps.length }, (_, place) => {
    const turn = Math.floor((Math.floor(place / apps.length) * turns) / some)
    return turn * apps.length + (place % apps.length)
  })
  return {
    ids: numbers.map((n) => String(FIRST_ID + n)),
    references: numbers.map((n) => `referenceId:past-${n}`),
  }
}
