import { ago, type Due, type Queryable, sql } from '../db/database.ts'
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

// Removes events that were delivered, were dropped for lack of an address, or have no delivery.
const REMOVE_OLD = sql<EventPlace & { readonly isRemoved: boolean }>(
  'webhooks.removeOld',
  `with page as (
     select e.created_time, e.payment_id, e.sequence, d.status is null as is_alone,
       d.status is null or d.status in ('delivered', 'dropped') as is_removed
     from events e left join deliveries d
       on d.app_id = e.app_id and d.payment_id = e.payment_id and d.sequence = e.sequence
     where e.app_id = $1 and e.created_time < $2 and (e.created_time, e.payment_id, e.sequence) > ($3, $4, $5)
     order by e.created_time, e.payment_id, e.sequence limit $6
   ), ended as (
     delete from deliveries x using page p
     where p.is_removed and x.app_id = $1 and x.payment_id = p.payment_id and x.sequence = p.sequence
       and x.status in ('delivered', 'dropped')
     returning x.payment_id, x.sequence
   ), attempts as (
     delete from delivery_attempts x using ended d
     where x.app_id = $1 and x.payment_id = d.payment_id and x.sequence = d.sequence
   ), told as (
     delete from events x using page p
     where x.app_id = $1 and x.payment_id = p.payment_id and x.sequence = p.sequence
       and (p.is_alone or (p.payment_id, p.sequence) in (select payment_id, sequence from ended))
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
