import { type Queryable, sql } from '../db/database.ts'

const ERASE_VISITS = sql<never>(
  'logs.erase_visits',
  'delete from page_visits where app_id = $1 and payment_id = any ($2::bigint[])',
)

export async function eraseVisits(db: Queryable, appId: string, paymentIds: readonly number[]) {
  await db.query(ERASE_VISITS, [appId, paymentIds])
}
