import { type Due, type Queryable, sql } from '../db/database.ts'
import { tellable } from './team-store.ts'

/** Which messages about a dispute the team has had, as bits: e-mails, and in the same order notices. */
export const NOTICES = { opened: 1, week: 2, day: 4 } as const
/** The bits of notices follow those of e-mails. */
export const OF_CONSOLE = 3

const appNow = (now: string): string => `(${now})::timestamptz + a.clock_offset_ms * interval '1 millisecond'`

const isNear = (now: string, days: number, notice: number): string =>
  `(d.notices & ${notice} = 0 and d.due_time > ${appNow(now)}
     and d.due_time <= ${appNow(now)} + interval '${days} days')`

/** One that was answered needs no more reminders. */
const isUntold = (now: string, shift: number): string => `(d.notices & ${NOTICES.opened << shift} = 0
     or (${isNear(now, 7, NOTICES.week << shift)} or ${isNear(now, 1, NOTICES.day << shift)}) and not exists (
       select from dispute_answers w where w.app_id = d.app_id and w.payment_id = d.payment_id
         and w.dispute_id = d.dispute_id and w.state <> 'draft'))`

/** Open disputes with a notice to write or an e-mail to send. */
const waiting = (now: string, canSend: string): string => `disputes d join apps a on a.app_id = d.app_id
   where d.state = 'open' and a.is_active and (${isUntold(now, OF_CONSOLE)}
     or ${canSend} and ${tellable('dispute')} and ${isUntold(now, 0)})`

export const disputesDue =
  (canSend: boolean): Due =>
  (now) =>
    waiting(now, String(canSend))

export interface DisputeOccasion {
  readonly appId: string
  readonly paymentId: number
  readonly disputeId: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly reason: string | null
  readonly dueTime: Date | null
  readonly openedTime: Date
  readonly profileId: number | null
  readonly notices: number
  readonly reference: string
  readonly appTime: Date
}

const TAKE = sql<DisputeOccasion>(
  'occasions.disputes',
  `select d.app_id, d.payment_id, d.dispute_id, d.amount_minor, d.currency, d.reason, d.due_time,
     d.opened_time, d.profile_id, d.notices, ${appNow('$1')} as app_time, (
       select coalesce(nullif(p.details ->> 'orderId', ''), p.reference_id) from payments p
       where p.app_id = d.app_id and p.payment_id = d.payment_id) as reference
   from ${waiting('$1', '$3')} order by d.app_id, d.payment_id, d.dispute_id limit $2
   for update of d skip locked`,
)

/** Locks disputes of which there is something to tell, in the transaction that tells it. */
export const takeDisputes = (
  tx: Queryable,
  { now, limit, canSend }: { readonly now: Date; readonly limit: number; readonly canSend: boolean },
): Promise<DisputeOccasion[]> => tx.query(TAKE, [now, limit, canSend])

const NOTE = sql<never>(
  'occasions.noteDispute',
  `update disputes set notices = $4 where app_id = $1 and payment_id = $2 and dispute_id = $3`,
)

export async function noteDispute(
  tx: Queryable,
  { appId, paymentId, disputeId }: DisputeOccasion,
  notices: number,
): Promise<void> {
  await tx.query(NOTE, [appId, paymentId, disputeId, notices])
}
