import { type Due, type Queryable, sql } from '../../db/database.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { OPERATION, type OperationRow, operationOf } from '../store.ts'

/** Attempts that were over for us before their provider was done with them. */

/** An attempt that its provider did not know when it was asked. */
export interface SecondLook {
  readonly appId: string
  readonly key: string
  readonly createdTime: Date
}

export const secondLooksDue: Due = (now) => `operations where status = 'not-done' and due_time <= ${now}`

const CLAIM_SECOND_LOOKS = sql<{ app_id: string; operation_key: string; created_time: Date }>(
  'operations.claimSecondLooks',
  `update operations set due_time = $2
   where (app_id, operation_key) in (
     select app_id, operation_key from ${secondLooksDue('$1')} order by due_time limit $3
     for update skip locked)
   returning app_id, operation_key, created_time`,
)

/** Each is due again at `again` unless it has ended by then. */
export async function claimSecondLooks(
  db: Queryable,
  at: { now: Date; again: Date; limit: number },
): Promise<SecondLook[]> {
  const rows = await db.query(CLAIM_SECOND_LOOKS, [at.now, at.again, at.limit])
  return rows.map((row) => ({ appId: row.app_id, key: row.operation_key, createdTime: row.created_time }))
}

const END_SECOND_LOOK = sql<never>(
  'operations.endSecondLook',
  `update operations set due_time = null where app_id = $1 and operation_key = $2 and status = 'not-done'`,
)

export async function endSecondLook(db: Queryable, { appId, key }: SecondLook): Promise<void> {
  await db.query(END_SECOND_LOOK, [appId, key])
}

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
