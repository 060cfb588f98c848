import { batchSql, type Database, type Queryable, sql } from '../../db/database.ts'
import { inputRows } from '../../db/input.ts'
import { isLater, sameDelivery } from '../endpoint.ts'
import type { Claimed } from './claim-store.ts'

/** The result of a try. */
export interface Ending {
  readonly delivery: Claimed
  readonly status: 'delivered' | 'waiting' | 'exhausted' | 'dropped'
  /** When the retry is due, in real time. */
  readonly dueTime: Date | null
  /** Undefined when nothing was sent. */
  readonly attempt: DeliveryAttempt | undefined
  readonly now: Date
}

/** Times are the app's. */
export interface DeliveryAttempt {
  readonly startTime: Date
  readonly latencyMs: number
  readonly httpStatus: number | null
  readonly error: string | null
  readonly response: string | null
  readonly nextTime: Date | null
}

export interface Ended {
  /** The payment's next delivery can be sent now. */
  readonly hasNext: boolean
  /** The endpoint has a health record, so it is failing. */
  readonly inTrouble: boolean
}

/** What one payment sends to one endpoint is sent in order. */
const queueKey = ({ appId, paymentId, endpointId }: Claimed): string =>
  `${appId}\n${paymentId}\n${endpointId}`

/**
 * Records the attempt and the new status, and makes the payment's next delivery ready, or delays it with this
 * one. After a failure that includes those with the same lease (see direct/). The lease token is the fence:
 * without the lease nothing is written.
 */
const END = batchSql<Ending, Ended>({
  name: 'webhooks.end',
  key: ({ delivery }) => queueKey(delivery),
  encode: ({ delivery, status, dueTime, attempt, now }) =>
    JSON.stringify({
      app_id: delivery.appId,
      payment_id: delivery.paymentId,
      sequence: delivery.sequence,
      endpoint_id: delivery.endpointId,
      lease_token: delivery.leaseToken,
      status,
      due_time: dueTime,
      now,
      start_time: attempt?.startTime,
      latency_ms: attempt?.latencyMs,
      http_status: attempt?.httpStatus,
      error: attempt?.error,
      response: attempt?.response,
      next_time: attempt?.nextTime,
    }),
  text: `
  with input as materialized (
    select * from ${inputRows(`app_id text, payment_id bigint, sequence integer, endpoint_id integer,
      lease_token text, status text, due_time timestamptz, now timestamptz, start_time timestamptz,
      latency_ms integer, http_status integer, error text, response text, next_time timestamptz`)}
  ), ended as (
    update deliveries d set status = i.status, due_time = i.due_time, lease_token = null,
      tries = d.tries + 1, attempts = d.attempts + case when i.start_time is null then 0 else 1 end
    from input i
    where ${sameDelivery('d', 'i')} and d.lease_token = i.lease_token
    returning i.n, d.app_id, d.payment_id, d.sequence, d.endpoint_id, d.endpoint, d.status,
      d.due_time, d.attempts, i.now,
      i.lease_token, i.start_time, i.latency_ms, i.http_status, i.error, i.response, i.next_time
  ), noted as (
    insert into delivery_attempts (app_id, payment_id, sequence, endpoint_id, attempt, start_time, latency_ms,
      http_status, error, response, next_time)
    select app_id, payment_id, sequence, endpoint_id, attempts, start_time, latency_ms, http_status, error,
      response, next_time
    from ended where start_time is not null
  ), followed as (
    update deliveries d set
      status = case when e.status = 'waiting' then 'waiting' else 'ready' end,
      due_time = coalesce(e.due_time, e.now), lease_token = null
    from ended e
    where ${isLater('d', 'e')} and (d.status = case when e.status = 'waiting' then 'ready' else 'waiting' end
        or e.status <> 'delivered' and d.lease_token = e.lease_token)
  )
  select e.n,
    e.status <> 'waiting' and exists (select from deliveries d
      where ${isLater('d', 'e')} and d.status in ('ready', 'waiting')) as has_next,
    exists (select from webhook_endpoints h
      where h.app_id = e.app_id and h.endpoint = e.endpoint) as in_trouble
  from ended e`,
})

/** Undefined: the lease was lost. */
export const endTry = (db: Database, ending: Ending): Promise<Ended | undefined> => db.batch(END, ending)

/** Ends the lease of a delivery and of later ones of its payment. It does not count as a try. */
const RELEASE = batchSql<Release, object>({
  name: 'webhooks.release',
  key: ({ delivery }) => queueKey(delivery),
  encode: ({ delivery, now }) =>
    JSON.stringify({
      app_id: delivery.appId,
      payment_id: delivery.paymentId,
      sequence: delivery.sequence,
      endpoint_id: delivery.endpointId,
      lease_token: delivery.leaseToken,
      now,
    }),
  text: `
  update deliveries d set status = 'ready', due_time = i.now, lease_token = null
  from (select * from ${inputRows(`app_id text, payment_id bigint, sequence integer, endpoint_id integer,
    lease_token text, now timestamptz`)}) i
  where d.app_id = i.app_id and d.payment_id = i.payment_id and d.sequence >= i.sequence
    and d.endpoint_id = i.endpoint_id and d.lease_token = i.lease_token
  returning i.n`,
})

interface Release {
  readonly delivery: Claimed
  readonly now: Date
}

/** Ends the lease early: the next claim of any node takes the delivery. */
export async function releaseLease(db: Database, delivery: Claimed, now: Date): Promise<void> {
  await db.batch(RELEASE, { delivery, now })
}

const NOTE_FIRST = sql<never>(
  'webhooks.noteFirst',
  'update apps set first_webhook_time = $2 where app_id = $1 and first_webhook_time is null',
)

/** Set only once for each app: acknowledged deliveries are removed after a time. */
export async function noteFirst(db: Queryable, appId: string, time: Date): Promise<void> {
  await db.query(NOTE_FIRST, [appId, time])
}
