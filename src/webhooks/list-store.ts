import { LIMITS } from '../base/limits.ts'
import { type Queryable, sql } from '../db/database.ts'
import type { DeliveryAttempt } from './delivery/end-store.ts'

export const STATUSES = ['pending', 'delivered', 'exhausted', 'dropped'] as const
export type Status = (typeof STATUSES)[number]

/** Statuses of a delivery that has not ended. */
export const PENDING = ['ready', 'waiting', 'sending']

export interface Delivery {
  readonly paymentId: number
  readonly sequence: number
  readonly type: string
  readonly state: string | null
  readonly createdTime: Date
  /** '' stands for the app's URL, `we_…` for a further endpoint. */
  readonly endpoint: string
  /** 0: the first endpoint. */
  readonly endpointId: number
  /** Of a further endpoint; null: it was removed. */
  readonly furtherUrl: string | null
  readonly status: Status
  /** Since it was queued. */
  readonly tries: number
  readonly queuedTime: Date
  /** Real time. */
  readonly dueTime: Date | null
}

export const COLUMNS = `e.payment_id, e.sequence, e.type, e.state, e.created_time, d.endpoint, d.endpoint_id,
     (select x.url from app_endpoints x
      where x.app_id = d.app_id and x.endpoint_id = d.endpoint_id) as further_url,
     case when d.status in ('ready', 'waiting', 'sending') then 'pending' else d.status end as status,
     d.tries, d.queued_time, d.due_time`
export const JOIN = 'e.app_id = d.app_id and e.payment_id = d.payment_id and e.sequence = d.sequence'

/**
 * The deliveries that are being sent, of all apps. The comparison with a time names the index's order.
 * Decision 0193.
 */
export const LEASED = `select * from deliveries where lease_token is not null and due_time > '-infinity'`

export interface EventKey {
  readonly paymentId: number
  readonly sequence: number
}

const FIND = sql<Delivery>(
  'webhooks.find',
  `select ${COLUMNS} from events e join deliveries d on ${JOIN}
   where e.app_id = $1 and e.payment_id = $2 and e.sequence = $3
     and ($4::integer is null or d.endpoint_id = $4)
   order by d.endpoint_id limit 1`,
)

/** Without an endpoint: to the first one that the event has a delivery for. */
export const findDelivery = async (
  db: Queryable,
  appId: string,
  { paymentId, sequence }: EventKey,
  endpointId: number | undefined,
): Promise<Delivery | undefined> =>
  (await db.query(FIND, [appId, paymentId, sequence, endpointId ?? null]))[0]

/** Names a delivery: an event has one for each endpoint. */
export interface DeliveryKey extends EventKey {
  readonly endpointId: number
}

export type NumberedAttempt = DeliveryAttempt & DeliveryKey & { readonly attempt: number }

export interface TriedDelivery extends Delivery {
  readonly attempts: readonly NumberedAttempt[]
}

const LAST_ATTEMPT = sql<{ time: Date; error: string | null }>(
  'webhooks.lastAttempt',
  // Only among the newest events: an app without an address has many events and no attempt.
  `select a.start_time as time, a.error from (
     select e.payment_id, e.sequence from events e where e.app_id = $1
     order by e.created_time desc, e.payment_id desc, e.sequence desc limit 100) e
   join delivery_attempts a
     on a.app_id = $1 and a.payment_id = e.payment_id and a.sequence = e.sequence
   order by a.start_time desc limit 1`,
)

export const findLastAttempt = async (db: Queryable, appId: string) =>
  (await db.query(LAST_ATTEMPT, [appId]))[0]

/** The newest attempts of each delivery, in ascending order. */
const attemptsOf = (response: string) => `select a.payment_id, a.sequence, a.endpoint_id, a.attempt,
     a.start_time, a.latency_ms, a.http_status, a.error, ${response} as response, a.next_time
   from unnest($2::bigint[], $3::integer[], $5::integer[]) as k (payment_id, sequence, endpoint_id)
     cross join lateral (
       select * from delivery_attempts a
       where a.app_id = $1 and a.payment_id = k.payment_id and a.sequence = k.sequence
         and a.endpoint_id = k.endpoint_id
       order by a.attempt desc limit $4) a
   order by a.payment_id, a.sequence, a.endpoint_id, a.attempt`

const ATTEMPTS = sql<NumberedAttempt>('webhooks.attempts', attemptsOf('a.response'))

/** Without the replies of endpoints: lists do not show them. */
const BARE_ATTEMPTS = sql<NumberedAttempt>('webhooks.bareAttempts', attemptsOf('null'))

export async function listDeliveryAttempts(
  db: Queryable,
  appId: string,
  keys: readonly DeliveryKey[],
  { responses }: { readonly responses: boolean },
): Promise<NumberedAttempt[]> {
  const numbers = [keys.map(({ paymentId }) => paymentId), keys.map(({ sequence }) => sequence)]
  const values = [appId, ...numbers, LIMITS.shownAttempts, keys.map(({ endpointId }) => endpointId)]
  return await db.query(responses ? ATTEMPTS : BARE_ATTEMPTS, values)
}

interface DeliveredShare {
  readonly events: number
  readonly tried: number
  readonly acknowledged: number
}

const SHARE = sql<DeliveredShare>(
  'webhooks.share',
  // The events are limited before the join: an app without an address has many events and no delivery.
  `select count(distinct (e.payment_id, e.sequence))::integer as events,
     (count(*) filter (where d.attempts > 0))::integer as tried,
     (count(*) filter (where d.status = 'delivered'))::integer as acknowledged
   from (
     select e.app_id, e.payment_id, e.sequence from events e where e.app_id = $1 and e.created_time >= $2
     order by e.created_time desc, e.payment_id desc, e.sequence desc limit $3) e
   left join deliveries d on ${JOIN}`,
)

/** Counts the newest events since then. */
export async function countDelivered(
  db: Queryable,
  appId: string,
  { since, most }: { readonly since: Date; readonly most: number },
): Promise<DeliveredShare> {
  const [row] = await db.query(SHARE, [appId, since, most])
  return row ?? { events: 0, tried: 0, acknowledged: 0 }
}
