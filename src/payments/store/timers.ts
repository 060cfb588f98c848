import { LIMITS } from '../../base/limits.ts'
import { type Due, type Queryable, sql } from '../../db/database.ts'
import { backOff, fairClaim, type Share } from '../../db/fair-claim.ts'

// ---- late rechecks ----------------------------------------------------------------------------------------

/** An attempt that its provider did not know. It is read again, because its request may arrive late. */
export interface LateRecheck {
  readonly appId: string
  readonly profileId: number
  readonly key: string
  readonly createdTime: Date
}

export const lateRechecksDue: Due = (now) => `operations where status = 'not-done' and due_time <= ${now}`

const CLAIM_LATE_RECHECKS = sql<LateRecheck>(
  'operations.claimLateRechecks',
  `update operations set due_time = $3
   where (app_id, operation_key) in (
     select app_id, operation_key
     from (${fairClaim({ rows: lateRechecksDue('$1'), key: 'app_id, operation_key' })}) claimed)
   returning app_id, profile_id, operation_key as key, created_time`,
)

/** Each claimed row is due again at `again`, unless it has ended by then. */
export async function claimLateRechecks(
  db: Queryable,
  at: { now: Date; again: Date; share: Share },
): Promise<LateRecheck[]> {
  return await db.query(CLAIM_LATE_RECHECKS, [at.now, JSON.stringify(at.share), at.again])
}

const PLAN_LATE_RECHECK = sql<never>(
  'operations.planLateRecheck',
  `update operations set due_time = $3 where app_id = $1 and operation_key = $2 and status = 'not-done'`,
)

/** Sets the time of the next read; null ends the reads. */
export async function planLateRecheck(
  db: Queryable,
  { appId, key }: LateRecheck,
  due: Date | null,
): Promise<void> {
  await db.query(PLAN_LATE_RECHECK, [appId, key, due])
}

// ---- timers -----------------------------------------------------------------------------------------------

export interface Timer {
  readonly appId: string
  readonly paymentId: number
  /** Null: no attempt was made yet. */
  readonly profileId: number | null
}

export const timersDue: Due = (now) => `timers where due_time <= ${now}`

const TIMER_PAUSES = { firstMs: LIMITS.timerPauseMs, longestMs: LIMITS.timerLongestPauseMs }

/** Decision 0009. */
const CLAIM_TIMERS = sql<Timer>(
  'timers.claimDue',
  `update timers t set due_time = ${backOff('$1', 't.tries', TIMER_PAUSES)}, tries = t.tries + 1
   from (${fairClaim({
     rows: timersDue('$1'),
     key: 'app_id, payment_id',
     profile: `(select p.profile_id from payments p
       where p.app_id = timers.app_id and p.payment_id = timers.payment_id)`,
   })}) claimed
   where t.app_id = claimed.app_id and t.payment_id = claimed.payment_id
   returning t.app_id, t.payment_id, claimed.share_profile as profile_id`,
)

/** Claims due timers. Each is due again with a growing pause, until the payment changes state. */
export async function claimDueTimers(db: Queryable, at: { now: Date; share: Share }): Promise<Timer[]> {
  return await db.query(CLAIM_TIMERS, [at.now, JSON.stringify(at.share)])
}

// ---- due times -------------------------------------------------------------------------------------------

const SHIFT_OPERATIONS = sql(
  'operations.shift',
  `update operations set due_time = due_time - $2 * interval '1 millisecond'
   where app_id = $1 and due_time is not null`,
)
const SHIFT_TIMERS = sql(
  'timers.shift',
  `update timers set due_time = due_time - $2 * interval '1 millisecond' where app_id = $1`,
)

/** The app's test clock was moved ahead: due times move closer by the same amount. */
export async function shiftDueTimes(db: Queryable, appId: string, byMs: number): Promise<void> {
  await db.query(SHIFT_OPERATIONS, [appId, byMs])
  await db.query(SHIFT_TIMERS, [appId, byMs])
}
