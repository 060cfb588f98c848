import { LIMITS } from '../../base/limits.ts'
import { type Queryable, sql } from '../../db/database.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import type { OperationRecord, OperationStatus } from '../payment.ts'
import type { StoredAdvice } from '../retry/advice.ts'

/** One thing asked of a provider on the way to the money, and what was undone of it. */
export interface AttemptStep {
  readonly attempt: number
  readonly step: OperationRecord['step']
  readonly profileId: number
  readonly method: AnyMethod
  readonly status: OperationStatus
  readonly createdTime: Date
  readonly outcome: AttemptOutcome | null
  readonly undo: Undone | null
}

interface AttemptOutcome extends StoredAdvice {
  readonly kind?: string
  readonly why?: string
  readonly raw?: { readonly code?: string }
}

export interface Undone {
  readonly status: 'open' | 'done' | 'refused'
  readonly result: 'nothing' | 'closed' | 'voided' | 'refunded' | null
  readonly time: Date
}

/** The members of the undo are null when there is none. */
interface TriedStep extends Omit<AttemptStep, 'undo'> {
  readonly undo: Undone | { readonly status: null }
}

const TRIES = sql<TriedStep>(
  'history.tries',
  `select o.attempt, o.step, o.profile_id, o.method, o.status, o.created_time, o.outcome,
     u.status as "undo.status", u.result as "undo.result",
     coalesce(u.closed_time, u.created_time) as "undo.time"
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
  return rows.map(({ undo, ...step }) => ({ ...step, undo: undo.status === null ? null : undo }))
}
