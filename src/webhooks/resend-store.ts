import { assert } from '../base/assert.ts'
import { type Queryable, sql } from '../db/database.ts'
import { endpointOf, sameDelivery } from './endpoint.ts'
import type { DeliveryKey } from './list-store.ts'

export interface Requeue {
  /** `now` is real time, `appNow` the app's. */
  readonly now: Date
  readonly appNow: Date
}

const RESEND = sql<{ endpoint: string }>(
  'webhooks.resend',
  `insert into deliveries as d (app_id, payment_id, sequence, endpoint_id, url, endpoint, status, queued_time,
     due_time)
   select e.app_id, e.payment_id, e.sequence, $6::integer, t.url, t.endpoint, 'ready', $5, $4
   from events e cross join lateral (
     select p.webhook_url as url, ${endpointOf('p.webhook_url')} as endpoint
     from (select 1) always left join payments p on p.app_id = e.app_id and p.payment_id = e.payment_id
     where $6 = 0
     union all
     select null, x.endpoint from app_endpoints x where x.app_id = e.app_id and x.endpoint_id = $6) t
   where e.app_id = $1 and e.payment_id = $2 and e.sequence = $3
   on conflict (app_id, payment_id, sequence, endpoint_id) do update
     set status = 'ready', tries = 0, queued_time = excluded.queued_time, due_time = excluded.due_time
     where d.status <> 'sending'
   returning d.endpoint`,
)

/** Returns the endpoint; undefined when the delivery is being sent, or there is no such event or endpoint. */
export async function requeue(
  db: Queryable,
  appId: string,
  { paymentId, sequence, endpointId }: DeliveryKey,
  at: Requeue,
): Promise<string | undefined> {
  const [row] = await db.query(RESEND, [appId, paymentId, sequence, at.now, at.appNow, endpointId])
  return row?.endpoint
}

const RESEND_FAILED = sql<{ endpoint: string }>(
  'webhooks.resendFailed',
  `update deliveries d set status = 'ready', tries = 0, queued_time = $3, due_time = $2
   from (select f.app_id, f.payment_id, f.sequence, f.endpoint_id from deliveries f
     where f.app_id = $1 and f.status in ('exhausted', 'dropped')
       and ($4::timestamptz is null or f.queued_time >= $4)
       and (f.endpoint_id = 0 or exists (
         select from app_endpoints x where x.app_id = f.app_id and x.endpoint_id = f.endpoint_id))
     order by f.queued_time, f.payment_id, f.sequence limit $5 for update of f skip locked) failed
   where ${sameDelivery('d', 'failed')}
   returning d.endpoint`,
)

export interface FailedFilter extends Requeue {
  readonly since: Date | undefined
  readonly limit: number
}

/** Returns the endpoint of each delivery that was queued again. */
export async function requeueFailed(db: Queryable, appId: string, filter: FailedFilter): Promise<string[]> {
  const { now, appNow, since, limit } = filter
  const rows = await db.query(RESEND_FAILED, [appId, now, appNow, since ?? null, limit])
  return rows.map((row) => row.endpoint)
}

const NEXT_ID = sql<{ id: number }>('webhooks.nextId', `select nextval('payment_ids') as id`)

/** An id from the sequence of payment ids, so that no payment has it. */
export async function newEventNumber(db: Queryable): Promise<number> {
  const [row] = await db.query(NEXT_ID)
  assert(row, 'a sequence always has a next value')
  return row.id
}

const ADD_TEST = sql<never>(
  'webhooks.addTest',
  `with event as (
     insert into events (app_id, payment_id, sequence, type, created_time, body)
     values ($1, $2, $3, $4, $5, $6))
   insert into deliveries (app_id, payment_id, sequence, endpoint_id, endpoint, status, queued_time, due_time,
     lease_token)
   values ($1, $2, $3, $9, $10, 'sending', $5, $7, $8)`,
)

export interface TestEvent extends DeliveryKey {
  readonly endpoint: string
  readonly type: string
  readonly createdTime: Date
  readonly body: string
  readonly leaseEnd: Date
  readonly leaseToken: string
}

/** Inserts an event without a payment and a delivery that is leased to the caller. */
export async function addTestEvent(db: Queryable, appId: string, event: TestEvent): Promise<void> {
  const { paymentId, sequence, type, createdTime, body, leaseEnd, leaseToken, endpointId, endpoint } = event
  const values = [appId, paymentId, sequence, type, createdTime, body, leaseEnd, leaseToken]
  await db.query(ADD_TEST, [...values, endpointId, endpoint])
}

const ROTATE = sql<never>(
  'webhooks.rotate',
  `update apps set webhook_previous_secret = webhook_secret, webhook_previous_until = $3, webhook_secret = $2,
     is_signing_enabled = true
   where app_id = $1`,
)

const STOP_SIGNING = sql<never>(
  'webhooks.stop_signing',
  'update apps set is_signing_enabled = false where app_id = $1',
)

export async function stopSigning(db: Queryable, appId: string): Promise<void> {
  await db.query(STOP_SIGNING, [appId])
}

/** Stores the new sealed secret; the previous one signs too until the given time. */
export async function rotateSecret(
  db: Queryable,
  appId: string,
  { sealed, previousUntil }: { sealed: Uint8Array; previousUntil: Date },
): Promise<void> {
  await db.query(ROTATE, [appId, sealed, previousUntil])
}

const SHIFT = sql<never>(
  'webhooks.shift',
  `update deliveries set due_time = due_time - $2 * interval '1 millisecond'
   where app_id = $1 and status = 'waiting' and due_time is not null`,
)

export async function shiftDeliveries(db: Queryable, appId: string, byMs: number): Promise<void> {
  await db.query(SHIFT, [appId, byMs])
}

const COUNT_EXHAUSTED = sql<{ count: number }>(
  'webhooks.countExhausted',
  `select count(*)::integer as count from (
     select 1 from deliveries
     where app_id = $1 and status in ('exhausted', 'dropped') and status = 'exhausted' limit $2) few`,
)

export async function countExhausted(db: Queryable, appId: string, most: number): Promise<number> {
  const [row] = await db.query(COUNT_EXHAUSTED, [appId, most])
  return row?.count ?? 0
}
