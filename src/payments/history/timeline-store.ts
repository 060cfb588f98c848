import { type Queryable, sql } from '../../db/database.ts'
import type { RefundReason } from '../../providers/port.ts'
import { bareUrl, sameDelivery } from '../../webhooks/endpoint.ts'
import type { PaymentProblem } from '../problems.ts'

/** A state that the payment entered. */
export interface StateRecord {
  readonly sequence: number
  readonly state: string
  readonly time: Date
  readonly lastError: PaymentProblem | null
}

const STATES = sql<StateRecord>(
  'history.states',
  `select sequence, state, created_time as time, last_error
   from events where app_id = $1 and payment_id = $2 and state is not null
   order by sequence desc limit $3`,
)

/** In the order they were entered, without those that were deleted with their old events. */
export async function listStates(
  db: Queryable,
  appId: string,
  { paymentId, limit }: { paymentId: number; limit: number },
): Promise<StateRecord[]> {
  const rows = await db.query(STATES, [appId, paymentId, limit])
  return rows.reverse()
}

/** A try to deliver a webhook; attempt 0 stands for a delivery that was not tried yet. */
interface WebhookTry {
  readonly sequence: number
  readonly attempt: number
  readonly status: string
  /** 0: the first endpoint. */
  readonly endpointId: number
  /** '' stands for the app's URL; of a further endpoint its URL. */
  readonly endpoint: string
  readonly httpStatus: number | null
  readonly latencyMs: number | null
  readonly error: string | null
}

export interface RefundRecord {
  readonly refundId: string
  readonly amountMinor: string
  readonly state: 'pending' | 'done' | 'failed'
  readonly description: string | null
  readonly reason: RefundReason | null
}

export interface UndoRecord {
  readonly attempt: number
  readonly status: 'open' | 'done' | 'refused'
  readonly result: 'nothing' | 'closed' | 'voided' | 'refunded' | null
}

export type HistoryRecord =
  | { readonly kind: 'webhook'; readonly time: Date; readonly data: WebhookTry }
  | { readonly kind: 'refund'; readonly time: Date; readonly data: RefundRecord }
  | { readonly kind: 'undo'; readonly time: Date; readonly data: UndoRecord }

/** Each part is found by the payment's index and bounded. */
const MOVEMENTS = sql<HistoryRecord>(
  'history.movements',
  `(select 'webhook' as kind, coalesce(a.start_time, d.queued_time) as time, json_build_object(
       'sequence', d.sequence, 'attempt', coalesce(a.attempt, 0), 'status', d.status,
       'endpointId', d.endpoint_id, 'endpoint', coalesce((select ${bareUrl('x.url')} from app_endpoints x
         where x.app_id = d.app_id and x.endpoint_id = d.endpoint_id), d.endpoint),
       'httpStatus', a.http_status, 'latencyMs', a.latency_ms, 'error', a.error) as data
    from deliveries d left join delivery_attempts a
      on ${sameDelivery('a', 'd')}
    where d.app_id = $1 and d.payment_id = $2
    order by d.sequence desc, d.endpoint_id desc, a.attempt desc limit $3)
   union all
   (select 'refund', created_time, json_build_object('refundId', refund_id,
       'amountMinor', amount_minor::text, 'state', state, 'description', description,
       'reason', reason)
    from refunds where app_id = $1 and payment_id = $2 order by created_time desc limit $3)
   union all
   (select 'undo', coalesce(closed_time, created_time), json_build_object('attempt', attempt,
       'status', status, 'result', result)
    from undos where app_id = $1 and payment_id = $2 order by created_time desc limit $3)`,
)

export const listMovements = (
  db: Queryable,
  appId: string,
  { paymentId, limit }: { paymentId: number; limit: number },
): Promise<HistoryRecord[]> => db.query(MOVEMENTS, [appId, paymentId, limit])

const LAST_EVENT = sql<{ sequence: number }>(
  'history.lastDelivery',
  `select sequence from deliveries where app_id = $1 and payment_id = $2 order by sequence desc limit 1`,
)

/** The number of the newest event that is or was to be delivered. */
export const lastDelivered = async (
  db: Queryable,
  appId: string,
  paymentId: number,
): Promise<number | undefined> => (await db.query(LAST_EVENT, [appId, paymentId]))[0]?.sequence
