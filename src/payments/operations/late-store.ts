import { type Queryable, sql } from '../../db/database.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { OPERATION, type OperationRow, operationOf } from '../store.ts'

const LAST_OF_ATTEMPT = sql<OperationRow>(
  'operations.lastOfAttempt',
  `select ${OPERATION} from operations
   where app_id = $1 and payment_id = $2 and attempt = $3 and step in ('start', 'resume', 'charge')
   order by created_time desc, step limit 1`,
)

/** The last thing that was asked for the payment's current attempt, ended or not. */
export async function lastOfAttempt(
  db: Queryable,
  { appId, paymentId, attempt }: Payment,
): Promise<OperationRecord | undefined> {
  const [row] = await db.query(LAST_OF_ATTEMPT, [appId, paymentId, attempt])
  return row && operationOf(row)
}
