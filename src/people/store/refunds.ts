import { DAY } from '../../base/clock.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import type { Membership } from '../signed-in.ts'

/** Longer than a day counts; the audit log keeps the refunds themselves. */
const KEPT_MS = 30 * DAY

/** The refund that a reservation is for: one for each request. */
export interface RefundKey {
  readonly appId: string
  readonly paymentId: number
  /** The request key of the refund's operation. */
  readonly requestKey: string
}

export interface RefundReservation extends RefundKey {
  readonly licenseId: string
  readonly personId: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly day: string
  readonly now: Date
}

const LOCK = sql<Pick<Membership, 'role' | 'refundLimits'>>(
  'person_refunds.lock',
  'select role, refund_limits from memberships where license_id = $1 and person_id = $2 for update',
)
const SUM = sql<{ usedMinor: bigint }>(
  'person_refunds.sum',
  `select coalesce(sum(amount_minor), 0) as used_minor from person_refunds
   where license_id = $1 and person_id = $2 and currency = $3 and day = $4
     and (app_id, payment_id, request_key) is distinct from ($5::text, $6::bigint, $7::text)`,
)
const INSERT = sql<{ amountMinor: bigint }>(
  'person_refunds.insert',
  `insert into person_refunds (app_id, payment_id, request_key, license_id, person_id, currency, amount_minor,
     day, created_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (app_id, payment_id, request_key) do nothing
   returning amount_minor`,
)
const RESERVED = sql<{ personId: string; amountMinor: bigint }>(
  'person_refunds.reserved',
  `select person_id, amount_minor from person_refunds
   where app_id = $1 and payment_id = $2 and request_key = $3`,
)
const DELETE = sql<never>(
  'person_refunds.delete',
  'delete from person_refunds where app_id = $1 and payment_id = $2 and request_key = $3',
)
const USED = sql<{ currency: string; usedMinor: bigint }>(
  'person_refunds.used',
  `select currency, sum(amount_minor) as used_minor from person_refunds
   where license_id = $1 and person_id = $2 and day = $3 group by currency`,
)

/** The member's role and limits, locked: reservations of one member wait for each other. */
export const lockRefunder = async (tx: Queryable, licenseId: string, personId: string) =>
  (await tx.query(LOCK, [licenseId, personId]))[0]

/** The sum of the day, without this refund itself. */
export async function sumRefunds(tx: Queryable, refund: RefundReservation): Promise<bigint> {
  const { licenseId, personId, currency, day, appId, paymentId, requestKey } = refund
  const [row] = await tx.query(SUM, [licenseId, personId, currency, day, appId, paymentId, requestKey])
  return row?.usedMinor ?? 0n
}

/** What is reserved under the key, by anyone. */
export const findReserved = async (tx: Queryable, { appId, paymentId, requestKey }: RefundKey) =>
  (await tx.query(RESERVED, [appId, paymentId, requestKey]))[0]

/** Whether it was inserted: false when the key has a reservation. */
export async function insertRefund(tx: Queryable, refund: RefundReservation): Promise<boolean> {
  const { appId, paymentId, requestKey, licenseId, personId, currency, amountMinor, day, now } = refund
  const values = [appId, paymentId, requestKey, licenseId, personId, currency, amountMinor, day, now]
  return (await tx.query(INSERT, values)).length > 0
}

export async function deleteRefund(
  db: Queryable,
  { appId, paymentId, requestKey }: RefundKey,
): Promise<void> {
  await db.query(DELETE, [appId, paymentId, requestKey])
}

/** What the member refunded on the day, by currency. */
export const selectRefunded = async (db: Queryable, licenseId: string, personId: string, day: string) =>
  new Map((await db.query(USED, [licenseId, personId, day])).map((row) => [row.currency, row.usedMinor]))

export const personRefundsDue: Due = (now) => `person_refunds where created_time < ${ago(now, KEPT_MS)}`

const FORGET = sql<{ appId: string }>(
  'person_refunds.forget',
  `delete from person_refunds where (app_id, payment_id, request_key) in (
     select app_id, payment_id, request_key from ${personRefundsDue('$1::timestamptz')} limit $2)
   returning app_id`,
)

export const forgetPersonRefunds = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length
