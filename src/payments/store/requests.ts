import { type Queryable, sql } from '../../db/database.ts'
import type { OperationRecord, Payment } from '../payment.ts'

/** Which client request opened which operation of a payment. */

/**
 * written: the change is committed. busy: another operation of the payment is open. repeated: an operation
 * with the same request key was written before. limited: the app has no refund left today.
 */
export type ChangeResult = 'written' | 'busy' | 'repeated' | 'limited'

/**
 * Inputs of the change statement that may not open their operation. Each gets a row with the reason: a unique
 * violation would fail the whole batch, and its up to 64 inputs would be written one by one. Only inputs with
 * the current version are checked; an older one has lost the race and is planned again. Operations are opened
 * and closed together with a new version, so the check for the current version still holds when the payment
 * is written.
 */
export const REFUSED = `
  refused as (
    select f.n, f.result from (
      select i.n, case
        when exists (select from operations o where o.app_id = i.app_id and o.payment_id = i.payment_id
          and o.request_key = i.open_request_key) then 'repeated'
        when exists (select from operations o where o.app_id = i.app_id and o.payment_id = i.payment_id
          and o.status = 'open' and o.operation_key is distinct from i.op_key) then 'busy' end as result
      from input i
      where i.open_key is not null and exists (select from payments p
        where p.app_id = i.app_id and p.payment_id = i.payment_id and i.was_version = p.version)) f
    where f.result is not null
  )`

/** The fields of an operation that identify the request behind it. */
export type RequestedOperation = Pick<OperationRecord, 'step' | 'amountMinor'> & {
  /** The client's Idempotency-Key. */
  readonly requestKey: string | null
}

const BY_REQUEST_KEY = sql<RequestedOperation>(
  'operations.byRequestKey',
  `select step, amount_minor, request_key from operations
   where app_id = $1 and payment_id = $2 and request_key = $3`,
)
const RUNNING = sql<RequestedOperation>(
  'operations.running',
  `select step, amount_minor, request_key from operations
   where app_id = $1 and payment_id = $2 and status in ('open', 'waiting')`,
)
const REFUND_DONE = sql<{ found: number }>(
  'operations.refundDone',
  `select 1 as found from operations
   where app_id = $1 and payment_id = $2 and step = 'refund' and status = 'done' and amount_minor = $3
   limit 1`,
)

/** The operation that the request with this Idempotency-Key opened, however long ago. */
export const findRequested = async (db: Queryable, { appId, paymentId }: Payment, requestKey: string) =>
  (await db.query(BY_REQUEST_KEY, [appId, paymentId, requestKey]))[0]

/** The open operation of the payment. */
export const findRunning = async (db: Queryable, { appId, paymentId }: Payment) =>
  (await db.query(RUNNING, [appId, paymentId]))[0]

/** Whether a refund of exactly this amount was carried out. */
export async function isRefundDone(db: Queryable, { appId, paymentId }: Payment, amountMinor: bigint) {
  return (await db.query(REFUND_DONE, [appId, paymentId, amountMinor])).length > 0
}
