import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { LOGS } from '../limits.ts'
import { ASYNCHRONOUS } from '../writing.ts'
import type { PaymentPageView } from './page-view.ts'

/**
 * Writes page views and queues the quarters in which their payments were created for the rollups. The row of
 * the queue is locked also when it exists, so that a count that does not see these page views cannot
 * remove it.
 */
const INSERT = sql<never>(
  'visits.insert',
  `with added as (
     insert into page_visits (app_id, payment_id, day, step, visit_time, language, country, device, method)
     select x."appId", x."paymentId", (x."visitTime" at time zone 'UTC')::date, x.step, x."visitTime",
       x.language, x.country, x.device, x.method
     from ${ASYNCHRONOUS}, json_to_recordset($1) as x ("appId" text, "paymentId" bigint, step text,
       "visitTime" timestamptz, language text, country text, device text, method text)
     on conflict (app_id, payment_id, day, step) do nothing
     returning app_id, payment_id
   )
   insert into rollup_queue as q (app_id, bucket_time, due_time)
   select distinct p.app_id, date_bin('15 minutes', p.created_time, 'epoch'), $2::timestamptz
   from added a join payments p on p.app_id = a.app_id and p.payment_id = a.payment_id order by 1, 2
   on conflict (app_id, bucket_time) do update set due_time = q.due_time`,
)

export async function insertPageViews(
  db: Queryable,
  visits: readonly PaymentPageView[],
  countFrom: Date,
): Promise<void> {
  await db.query(INSERT, [JSON.stringify(visits), countFrom])
}

const OF_PAYMENT = sql<PaymentPageView>(
  'visits.ofPayment',
  `select app_id, payment_id, step, visit_time, language, country, device, method from page_visits
   where app_id = $1 and payment_id = $2 order by day desc, visit_time desc limit $3`,
)

export const pageViewsOfPayment = (
  db: Queryable,
  appId: string,
  { paymentId, limit }: { paymentId: number; limit: number },
): Promise<PaymentPageView[]> => db.query(OF_PAYMENT, [appId, paymentId, limit])

export const oldPageViewsDue: Due = (now) =>
  `apps a where exists (select from page_visits v where v.app_id = a.app_id
       and v.visit_time < ${ago(now, LOGS.visits.keptMs)})`

const APPS_WITH_OLD = sql<{ appId: string }>(
  'visits.appsWithOld',
  `select a.app_id from ${oldPageViewsDue('$1::timestamptz')}`,
)

export const appsWithOldPageViews = async (db: Queryable, now: Date): Promise<string[]> =>
  (await db.query(APPS_WITH_OLD, [now])).map((row) => row.appId)

const REMOVE = sql<{ paymentId: number }>(
  'visits.remove',
  `delete from page_visits v using ${ASYNCHRONOUS}, (
     select payment_id, day, step from page_visits where app_id = $1 and visit_time < $2
     order by visit_time limit $3) old
   where v.app_id = $1 and v.payment_id = old.payment_id and v.day = old.day and v.step = old.step
   returning v.payment_id`,
)

export const removeOldPageViews = async (
  db: Queryable,
  appId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<number> => (await db.query(REMOVE, [appId, before, limit])).length
