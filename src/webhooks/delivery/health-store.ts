import { type Due, type Queryable, sql } from '../../db/database.ts'
import { isFurther, isOfPresentUrl, sameDelivery } from '../endpoint.ts'
import type { Health } from './health.ts'

const ROW =
  'app_id, endpoint, url, failures, pauses, allowed, failing_time, due_time, disabled_time, last_error'

/** xmin is the transaction that wrote the row version: it serves as the version for optimistic locking. */
const FIND = sql<Health & { readonly version: string }>(
  'webhooks.findEndpoint',
  `select ${ROW}, xmin::text as version from webhook_endpoints where app_id = $1 and endpoint = $2`,
)

const INSERT = sql<{ appId: string }>(
  'webhooks.insertEndpoint',
  `insert into webhook_endpoints (${ROW}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict do nothing returning app_id`,
)

const UPDATE = sql<{ appId: string }>(
  'webhooks.updateEndpoint',
  `update webhook_endpoints set url = $3, failures = $4, pauses = $5, allowed = $6, failing_time = $7,
     due_time = $8, disabled_time = $9, last_error = $10
   where app_id = $1 and endpoint = $2 and xmin::text = $11 returning app_id`,
)

const FORGET = sql<{ appId: string }>(
  'webhooks.forgetEndpoint',
  'delete from webhook_endpoints where app_id = $1 and endpoint = $2 and xmin::text = $3 returning app_id',
)

export interface Endpoint {
  readonly appId: string
  /** '' stands for the app's URL. */
  readonly endpoint: string
}

export interface HealthChange {
  readonly before: Health | undefined
  readonly after: Health | undefined
}

/**
 * Updates the health of an endpoint; `change` returns undefined for a healthy one. Optimistic: after a
 * concurrent change it reads again, so no connection is held while waiting for a lock.
 */
export async function changeHealth(
  db: Queryable,
  endpoint: Endpoint,
  change: (known: Health | undefined) => Health | undefined,
): Promise<HealthChange> {
  for (;;) {
    const [before] = await db.query(FIND, [endpoint.appId, endpoint.endpoint])
    const after = change(before)
    if (await replace(db, endpoint, { version: before?.version, after })) return { before, after }
  }
}

interface Replacement {
  /** Version of the current row; undefined: there is no row. */
  readonly version: string | undefined
  readonly after: Health | undefined
}

/** False when the row has changed since. */
async function replace(db: Queryable, at: Endpoint, { version, after }: Replacement): Promise<boolean> {
  const key = [at.appId, at.endpoint]
  if (!after) return version === undefined || (await db.query(FORGET, [...key, version])).length > 0
  const { url, failures, pauses, allowed, failingTime, dueTime, disabledTime, lastError } = after
  const values = [...key, url, failures, pauses, allowed, failingTime, dueTime, disabledTime, lastError]
  if (version === undefined) return (await db.query(INSERT, values)).length > 0
  return (await db.query(UPDATE, [...values, version])).length > 0
}

const OF_APP = sql<Endpoint & Health>(
  'webhooks.endpointsOfApp',
  `select ${ROW} from webhook_endpoints h
   where app_id = $1 and (not ${isFurther('h.endpoint')} or ${isOfPresentUrl('h')})
   order by endpoint limit $2`,
)

/** The failing endpoints of an app. */
export const listHealth = (db: Queryable, appId: string, limit: number): Promise<(Endpoint & Health)[]> =>
  db.query(OF_APP, [appId, limit])

const FORGET_REMOVED = sql<never>(
  'webhooks.forgetRemoved',
  `delete from webhook_endpoints h where ${isFurther('h.endpoint')} and not exists (
     select from app_endpoints x where x.app_id = h.app_id and x.endpoint = h.endpoint)`,
)

/** A try that ended after its endpoint was removed may leave a row. */
export async function forgetRemoved(db: Queryable): Promise<void> {
  await db.query(FORGET_REMOVED)
}

const SHIFT = sql<never>(
  'webhooks.shiftEndpoints',
  `update webhook_endpoints set due_time = due_time - $2 * interval '1 millisecond' where app_id = $1`,
)

export async function shiftEndpoints(db: Queryable, appId: string, byMs: number): Promise<void> {
  await db.query(SHIFT, [appId, byMs])
}

/** Failing endpoints, whose queued deliveries may have to be given up; healthy ones have no row. */
export const failingDue: Due = () => 'webhook_endpoints'

const GIVE_UP = sql<{ paymentId: number }>(
  'webhooks.giveUp',
  `update deliveries d set status = 'exhausted', due_time = null
   from (
     select q.app_id, q.payment_id, q.sequence, q.endpoint_id
     from webhook_endpoints h
       join apps a on a.app_id = h.app_id
       cross join lateral (
         select $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' as given_up) t
       cross join lateral (
         select r.app_id, r.payment_id, r.sequence, r.endpoint_id from deliveries r
         where r.app_id = h.app_id and r.endpoint = h.endpoint and r.status = 'ready'
           and r.queued_time < t.given_up
         order by r.due_time limit $2 for update of r skip locked) q
     where h.failing_time < t.given_up and (h.due_time > $3 or h.disabled_time is not null)
     limit $2) q
   where ${sameDelivery('d', 'q')}
   returning d.payment_id`,
)

/**
 * Deliveries that have waited behind a failing endpoint for as long as retries last are exhausted. An
 * endpoint that is not paused now is skipped: its deliveries are tried first, because they may have waited
 * for our own outage.
 */
export const giveUp = async (
  db: Queryable,
  { before, now }: { readonly before: Date; readonly now: Date },
  limit: number,
): Promise<number> => (await db.query(GIVE_UP, [before, limit, now])).length
