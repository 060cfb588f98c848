import { type Queryable, sql } from '../db/database.ts'

const ERASE_API = sql<never>(
  'logs.erase_api',
  `update api_log set query = null, request_body = null, answer_body = null, address = ''
   where app_id = $1 and payment_id = any ($2::bigint[])`,
)

const ERASE_PROVIDER = sql<never>(
  'logs.erase_provider',
  `update provider_log set request_body = null, response_body = null
   where app_id = $1 and payment_id = any ($2::bigint[])`,
)

const ERASE_VISITS = sql<never>(
  'logs.erase_visits',
  'delete from page_visits where app_id = $1 and payment_id = any ($2::bigint[])',
)

export async function eraseLogRows(db: Queryable, appId: string, paymentIds: readonly number[]) {
  for (const statement of [ERASE_API, ERASE_PROVIDER, ERASE_VISITS])
    await db.query(statement, [appId, paymentIds])
}
