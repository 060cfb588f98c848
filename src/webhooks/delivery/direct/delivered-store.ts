import { type Queryable, sql } from '../../../db/database.ts'
import { inputRows } from '../../../db/input.ts'
import { isLater, sameDelivery } from '../../endpoint.ts'
import type { Ended, Ending } from '../end-store.ts'

/**
 * Records successful tries. The lease token is the fence. If a crash of PostgreSQL loses the record, the
 * deliveries are sent again, so the commit need not wait for the disk.
 */
const DELIVERED = sql<Ended & { readonly n: number }>(
  'webhooks.delivered',
  `with quick as materialized (
     select set_config('synchronous_commit', 'off', true) as value
   ), input as materialized (
     select x.* from quick, ${inputRows(`app_id text, payment_id bigint, sequence integer,
       endpoint_id integer, lease_token text,
       start_time timestamptz, latency_ms integer, http_status integer, response text`)}
       and quick.value = 'off'
   ), ended as (
     update deliveries d set status = 'delivered', due_time = null, lease_token = null, tries = d.tries + 1,
       attempts = d.attempts + 1
     from input i
     where ${sameDelivery('d', 'i')} and d.lease_token = i.lease_token
     returning i.n, d.app_id, d.payment_id, d.sequence, d.endpoint_id, d.endpoint, d.attempts, i.start_time,
       i.latency_ms, i.http_status, i.response
   ), noted as (
     insert into delivery_attempts (app_id, payment_id, sequence, endpoint_id, attempt, start_time,
       latency_ms, http_status, response)
     select app_id, payment_id, sequence, endpoint_id, attempts, start_time, latency_ms, http_status, response
     from ended
   )
   select e.n,
     exists (select from deliveries d
       where ${isLater('d', 'e')} and d.status = 'ready') as has_next,
     exists (select from webhook_endpoints h
       where h.app_id = e.app_id and h.endpoint = e.endpoint) as in_trouble
   from ended e`,
)

/** The results in the order of the endings; undefined: the lease was lost. */
export async function recordDelivered(
  db: Queryable,
  endings: readonly Ending[],
): Promise<(Ended | undefined)[]> {
  const inputs = endings.map(({ delivery, attempt }, n) => ({
    n,
    app_id: delivery.appId,
    payment_id: delivery.paymentId,
    sequence: delivery.sequence,
    endpoint_id: delivery.endpointId,
    lease_token: delivery.leaseToken,
    start_time: attempt?.startTime,
    latency_ms: attempt?.latencyMs,
    http_status: attempt?.httpStatus,
    response: attempt?.response,
  }))
  const rows = await db.query(DELIVERED, [JSON.stringify(inputs)])
  const found = new Map(rows.map((row) => [row.n, row]))
  return endings.map((_ending, n) => found.get(n))
}
