import { ago, type Due, type Queryable, sql } from '../db/database.ts'
import { sameDelivery } from './endpoint.ts'
import { WEBHOOKS } from './schedule.ts'

export const oldEventsDue: Due = (now) =>
  `apps a where exists (
     select from events e where e.app_id = a.app_id and e.created_time < ${ago(now, WEBHOOKS.keptMs)})`

const APPS_WITH_OLD = sql<{ appId: string }>(
  'webhooks.appsWithOld',
  `select a.app_id from ${oldEventsDue('$1::timestamptz')}`,
)

export const appsWithOldEvents = async (db: Queryable, now: Date): Promise<string[]> =>
  (await db.query(APPS_WITH_OLD, [now])).map((row) => row.appId)

/** A position among the events of an app. */
interface EventPlace {
  readonly time: Date
  readonly paymentId: number
  readonly sequence: number
}

// Removes events whose deliveries were all acknowledged or dropped, and those without a delivery.
const REMOVE_OLD = sql<EventPlace & { readonly isRemoved: boolean }>(
  'webhooks.removeOld',
  `with page as (
     select e.created_time, e.payment_id, e.sequence, d.count, d.count = d.ended as is_removed
     from events e cross join lateral (
       select count(*) as count, count(*) filter (where x.status in ('delivered', 'dropped')) as ended
       from deliveries x
       where x.app_id = e.app_id and x.payment_id = e.payment_id and x.sequence = e.sequence) d
     where e.app_id = $1 and e.created_time < $2 and (e.created_time, e.payment_id, e.sequence) > ($3, $4, $5)
     order by e.created_time, e.payment_id, e.sequence limit $6
   ), ended as (
     delete from deliveries x using page p
     where p.is_removed and x.app_id = $1 and x.payment_id = p.payment_id and x.sequence = p.sequence
       and x.status in ('delivered', 'dropped')
     returning x.app_id, x.payment_id, x.sequence, x.endpoint_id
   ), attempts as (
     delete from delivery_attempts x using ended d where ${sameDelivery('x', 'd')}
   ), told as (
     delete from events x using page p left join (
       select payment_id, sequence, count(*) as count from ended group by payment_id, sequence) d
       on d.payment_id = p.payment_id and d.sequence = p.sequence
     where x.app_id = $1 and x.payment_id = p.payment_id and x.sequence = p.sequence
       and p.count = coalesce(d.count, 0)
   )
   select created_time as time, payment_id, sequence, is_removed from page
   order by created_time, payment_id, sequence`,
)

export interface EventRemoval {
  readonly removed: number
  /** Where to continue; undefined at the end. */
  readonly last: EventPlace | undefined
}

/**
 * Processes one page of old events, oldest first: deletes those that have ended and skips the rest.
 * Decision 0038.
 */
export async function removeOldEvents(
  db: Queryable,
  appId: string,
  { before, after, limit }: { before: Date; after: EventRemoval['last']; limit: number },
): Promise<EventRemoval> {
  const { time = new Date(0), paymentId = 0, sequence = 0 } = after ?? {}
  const rows = await db.query(REMOVE_OLD, [appId, before, time, paymentId, sequence, limit])
  const removed = rows.filter((row) => row.isRemoved).length
  return { removed, last: rows.length === limit ? rows.at(-1) : undefined }
}
