import { LIMITS } from '../../base/limits.ts'
import { type Due, type Queryable, sql } from '../../db/database.ts'
import { backOff, fairClaim, type Share } from '../../db/fair-claim.ts'

// ---- second looks -----------------------------------------------------------------------------------------

/** An attempt that its provider did not know. It is read again, because its request may arrive late. */
export interface SecondLook {
  readonly appId: string
  readonly profileId: number
  readonly key: string
  readonly createdTime: Date
}

export const secondLooksDue: Due = (now) => `operations where status = 'not-done' and due_time <= ${now}`

const CLAIM_SECOND_LOOKS = sql<SecondLook>(
  'operations.claimSecondLooks',
  `update operations set due_time = $3
   where (app_id, operation_key) in (
     select app_id, operation_key
     from (${fairClaim({ rows: secondLooksDue('$1'), key: 'app_id, operation_key' })}) claimed)
   returning app_id, profile_id, operation_key as key, created_time`,
)

/** Each claimed row is due again at `again`, unless it has ended by then. */
export async function claimSecondLooks(
  db: Queryable,
  at: { now: Date; again: Date; share: Share },
): Promise<SecondLook[]> {
  return await db.query(CLAIM_SECOND_LOOKS, [at.now, JSON.stringify(at.share), at.again])
}

const PLAN_SECOND_LOOK = sql<never>(
  'operations.planSecondLook',
  `update operations set due_time = $3 where app_id = $1 and operation_key = $2 and status = 'not-done'`,
)

/** Sets the time of the next read; null ends the reads. */
export async function planSecondLook(
  db: Queryable,
  { appId, key }: SecondLook,
  due: Date | null,
): Promise<void> {
  await db.query(PLAN_SECOND_LOOK, [appId, key, due])
}

// ---- alarms -----------------------------------------------------------------------------------------------

export interface Alarm {
  readonly appId: string
  readonly paymentId: number
  /** Null: no attempt was made yet. */
  readonly profileId: number | null
}

export const alarmsDue: Due = (now) => `timers where due_time <= ${now}`

const ALARM_PAUSES = { firstMs: LIMITS.alarmPauseMs, longestMs: LIMITS.alarmLongestPauseMs }

/** Decision 0009. */
const CLAIM_ALARMS = sql<Alarm>(
  'timers.claimDue',
  `update timers t set due_time = ${backOff('$1', 't.tries', ALARM_PAUSES)}, tries = t.tries + 1
   from (${fairClaim({
     rows: alarmsDue('$1'),
     key: 'app_id, payment_id',
     profile: `(select p.profile_id from payments p
       where p.app_id = timers.app_id and p.payment_id = timers.payment_id)`,
   })}) claimed
   where t.app_id = claimed.app_id and t.payment_id = claimed.payment_id
   returning t.app_id, t.payment_id, claimed.share_profile as profile_id`,
)

/** Claims due alarms. Each is due again with a growing pause, until the payment changes state. */
export async function claimDueAlarms(db: Queryable, at: { now: Date; share: Share }): Promise<Alarm[]> {
  return await db.query(CLAIM_ALARMS, [at.now, JSON.stringify(at.share)])
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
