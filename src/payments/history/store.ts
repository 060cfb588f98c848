import { LIMITS } from '../../base/limits.ts'
import { type Queryable, sql } from '../../db/database.ts'
import type { MethodKind } from '../../providers/outcome.ts'
import type { OperationRecord, OperationStatus } from '../payment.ts'

/** One thing asked of a provider on the way to the money, and what was undone of it. */
export interface AttemptStep {
  readonly attempt: number
  readonly step: OperationRecord['step']
  readonly profileId: number
  readonly method: MethodKind
  readonly status: OperationStatus
  readonly createdTime: Date
  readonly outcome: AttemptOutcome | null
  readonly undo: Undone | null
}

interface AttemptOutcome {
  readonly kind?: string
  readonly why?: string
  readonly raw?: { readonly code?: string }
}

export interface Undone {
  readonly status: 'open' | 'done' | 'refused'
  readonly result: 'nothing' | 'closed' | 'voided' | 'refunded' | null
  readonly time: Date
}

interface AttemptStepRow {
  attempt: number
  step: AttemptStep['step']
  profile_id: string
  method: MethodKind
  status: OperationStatus
  created_time: Date
  outcome: AttemptStep['outcome']
  undo_status: Undone['status'] | null
  undo_result: Undone['result']
  undo_time: Date | null
}

const TRIES = sql<AttemptStepRow>(
  'history.tries',
  `select o.attempt, o.step, o.profile_id, o.method, o.status, o.created_time, o.outcome,
     u.status as undo_status, u.result as undo_result, coalesce(u.closed_time, u.created_time) as undo_time
   from operations o
     left join undos u on u.app_id = o.app_id and u.attempt_key = o.operation_key
   where o.app_id = $1 and o.payment_id = $2 and o.step in ('start', 'resume', 'charge')
   order by o.attempt, o.created_time, o.step desc limit ${LIMITS.paymentAttemptsShown}`,
)

/** Every attempt to pay, in order; one that needed a second step has two rows. */
export async function listAttemptSteps(
  db: Queryable,
  appId: string,
  paymentId: number,
): Promise<AttemptStep[]> {
  const rows = await db.query(TRIES, [appId, paymentId])
  return rows.map((row) => ({
    attempt: row.attempt,
    step: row.step,
    profileId: Number(row.profile_id),
    method: row.method,
    status: row.status,
    createdTime: row.created_time,
    outcome: row.outcome,
    undo:
      row.undo_status === null || row.undo_time === null
        ? null
        : { status: row.undo_status, result: row.undo_result, time: row.undo_time },
  }))
}
