import { type Database, type Queryable, sql } from '../../db/database.ts'
import type { Health } from './health.ts'

interface HealthRow {
  app_id: string
  endpoint: string
  url: string
  failures: number
  pauses: number
  allowed: number
  failing_time: Date
  due_time: Date | null
  disabled_time: Date | null
  last_error: string
}

const ROW =
  'app_id, endpoint, url, failures, pauses, allowed, failing_time, due_time, disabled_time, last_error'

const healthOf = (row: HealthRow): Health => ({
  url: row.url,
  failures: row.failures,
  pauses: row.pauses,
  allowed: row.allowed,
  failingTime: row.failing_time,
  dueTime: row.due_time,
  disabledTime: row.disabled_time,
  lastError: row.last_error,
})

/** The row may not exist yet, so it is the endpoint's name that is locked. */
const LOCK = sql<never>(
  'webhooks.lockEndpoint',
  `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`,
)

const FIND = sql<HealthRow>(
  'webhooks.findEndpoint',
  `select ${ROW} from webhook_endpoints where app_id = $1 and endpoint = $2`,
)

const SAVE = sql<never>(
  'webhooks.saveEndpoint',
  `insert into webhook_endpoints (${ROW}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (app_id, endpoint) do update set url = excluded.url, failures = excluded.failures,
     pauses = excluded.pauses, allowed = excluded.allowed, failing_time = excluded.failing_time,
     due_time = excluded.due_time, disabled_time = excluded.disabled_time, last_error = excluded.last_error`,
)

const FORGET = sql<never>(
  'webhooks.forgetEndpoint',
  'delete from webhook_endpoints where app_id = $1 and endpoint = $2',
)

export interface Endpoint {
  readonly appId: string
  /** '' is the app's address. */
  readonly endpoint: string
}

export interface HealthChange {
  readonly before: Health | undefined
  readonly after: Health | undefined
}

/** Changes what is known of an endpoint, one change after the other; undefined from `change`: it is well. */
export function changeHealth(
  db: Database,
  { appId, endpoint }: Endpoint,
  change: (known: Health | undefined) => Health | undefined,
): Promise<HealthChange> {
  return db.transaction(async (tx) => {
    await tx.query(LOCK, [appId, endpoint])
    const [row] = await tx.query(FIND, [appId, endpoint])
    const before = row && healthOf(row)
    const after = change(before)
    if (after) await save(tx, { appId, endpoint }, after)
    else if (before) await tx.query(FORGET, [appId, endpoint])
    return { before, after }
  })
}

async function save(tx: Queryable, { appId, endpoint }: Endpoint, health: Health): Promise<void> {
  const { url, failures, pauses, allowed, failingTime, dueTime, disabledTime, lastError } = health
  const values = [url, failures, pauses, allowed, failingTime, dueTime, disabledTime, lastError]
  await tx.query(SAVE, [appId, endpoint, ...values])
}

const OF_APP = sql<HealthRow>(
  'webhooks.endpointsOfApp',
  `select ${ROW} from webhook_endpoints where app_id = $1 order by endpoint limit $2`,
)

/** The endpoints of an app that are in trouble. */
export async function listHealth(
  db: Queryable,
  appId: string,
  limit: number,
): Promise<(Endpoint & Health)[]> {
  const rows = await db.query(OF_APP, [appId, limit])
  return rows.map((row) => ({ appId: row.app_id, endpoint: row.endpoint, ...healthOf(row) }))
}

const SHIFT = sql<never>(
  'webhooks.shiftEndpoints',
  `update webhook_endpoints set due_time = due_time - $2 * interval '1 millisecond' where app_id = $1`,
)

export async function shiftEndpoints(db: Queryable, appId: string, byMs: number): Promise<void> {
  await db.query(SHIFT, [appId, byMs])
}

const GIVE_UP = sql<{ payment_id: string }>(
  'webhooks.giveUp',
  `update deliveries d set status = 'exhausted', due_time = null
   from (
     select q.app_id, q.payment_id, q.sequence
     from webhook_endpoints h
       join apps a on a.app_id = h.app_id
       cross join lateral (
         select $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' as given_up) t
       cross join lateral (
         select r.app_id, r.payment_id, r.sequence from deliveries r
         where r.app_id = h.app_id and r.endpoint = h.endpoint and r.status = 'ready'
           and r.queued_time < t.given_up
         order by r.due_time limit $2 for update of r skip locked) q
     where h.failing_time < t.given_up and (h.due_time > $3 or h.disabled_time is not null)
     limit $2) q
   where d.app_id = q.app_id and d.payment_id = q.payment_id and d.sequence = q.sequence
   returning d.payment_id`,
)

/**
 * Deliveries that waited behind a failing endpoint for as long as retries last are exhausted with it. One
 * that is not left in peace at this moment will be tried: what still waits there waited for us.
 */
export const giveUp = async (
  db: Queryable,
  { before, now }: { readonly before: Date; readonly now: Date },
  limit: number,
): Promise<number> => (await db.query(GIVE_UP, [before, limit, now])).length
