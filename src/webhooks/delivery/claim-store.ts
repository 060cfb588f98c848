import { type Database, type Due, sql } from '../../db/database.ts'
import { isFurther, isOfPresentUrl, sameDelivery } from '../endpoint.ts'
import { WEBHOOKS } from '../schedule.ts'
import { APP_STEP, NODE_STEP } from './shares.ts'

/** A delivery leased to this node. */
export interface Claimed {
  readonly appId: string
  readonly paymentId: number
  readonly sequence: number
  /** URL set on the payment; null: use the app's URL. */
  readonly url: string | null
  /** '' stands for the app's URL, `we_…` for a further endpoint. */
  readonly endpoint: string
  /** 0: the first endpoint. */
  readonly endpointId: number
  readonly tries: number
  readonly type: string
  /** The exact bytes to send. */
  readonly body: string
  readonly leaseToken: string
  readonly leaseEnd: Date
  /** The endpoint is full: when this delivery ends, another one may be claimed. */
  readonly crowded: boolean
  /** It uses a slot of this node's slot grant (see direct/). */
  readonly borrowed: boolean
}

/** A delivery, or without a payment id an app that has more endpoints behind `endpoint`. */
type Found =
  | Omit<Claimed, 'leaseToken' | 'leaseEnd'>
  | (Pick<Claimed, 'appId' | 'endpoint'> & { readonly paymentId: null })

/** Key of the advisory lock: any number, the same on every node. */
const CLAIM_LOCK = 7_363_266

/**
 * Claims of all nodes run one at a time, so that each sees the deliveries in flight of the others and the
 * limit per endpoint is exact. If a crash of PostgreSQL loses a claim, the rows are claimed again, so the
 * commit need not wait for the disk. The claim reads few rows by index: other join methods are turned off.
 */
export const TAKE_TURN = sql<never>(
  'webhooks.takeTurn',
  `select set_config('synchronous_commit', 'off', true), set_config('enable_hashjoin', 'off', true),
     set_config('enable_mergejoin', 'off', true), pg_advisory_xact_lock(${CLAIM_LOCK})`,
)

/**
 * SQL table of who uses slots of an endpoint: claimed deliveries, of which a payment has one at a time, and
 * grants (see direct/). The node of a grant leases more than it sends at once, so the slots count; when the
 * grant is over, the leases do. The part of a lease token before the dot names the node.
 */
export const slotsTaken = ({ app, endpoint, now }: Record<'app' | 'endpoint' | 'now', string>): string =>
  `(select u.node, sum(u.busy) as busy, coalesce(max(u.slots), 0) as slots,
      coalesce(max(u.slots), sum(u.busy)) as taken
    from (
      select split_part(s.lease_token, '.', 1) as node, count(distinct s.payment_id) as busy,
        null::integer as slots
      from deliveries s where s.app_id = ${app} and s.endpoint = ${endpoint} and s.lease_token is not null
      group by 1
      union all
      select p.lease_token, 0, p.slots from delivery_permits p
      where p.app_id = ${app} and p.endpoint = ${endpoint} and p.until_time > ${now}) u
    group by u.node)`

/**
 * Deliveries in flight on this node, and per app the endpoint behind which to continue and the slots that the
 * node lends, by endpoint.
 */
export interface Load {
  readonly total: number
  readonly apps: Readonly<Record<string, AppLoad>>
}

interface AppLoad {
  readonly used: number
  readonly after?: string
  readonly free?: Readonly<Record<string, number>>
}

/** The order of the queue's index. By the app alone the primary key would do, with all that was delivered. */
const QUEUE_ORDER = 'd.app_id, d.endpoint, d.due_time'

/**
 * A loose index scan: from app to app, skipping apps without a free slot, and in each app over at most
 * `perLook` endpoints. The cost depends neither on the length of a queue nor on the number of endpoints. The
 * app's own URL is always included.
 */
const ENDPOINTS = `queued_apps as (
     (select d.app_id from deliveries d where d.status = 'ready' order by ${QUEUE_ORDER} limit 1)
     union all
     select n.app_id from queued_apps a cross join lateral (
       select d.app_id from deliveries d
       where d.status = 'ready' and d.app_id > a.app_id order by ${QUEUE_ORDER} limit 1) n
   ), open_apps as (
     select a.app_id, l.used, l.after
     from queued_apps a cross join lateral (
       select coalesce(($5::jsonb -> a.app_id ->> 'used')::integer, 0) as used,
         coalesce($5::jsonb -> a.app_id ->> 'after', '') as after offset 0) l
     where l.used < ${WEBHOOKS.perApp} and $4::integer < ${WEBHOOKS.perNode} - l.used * ${NODE_STEP}
   ), endpoints as (
     select a.app_id, a.used, w.endpoint, w.n
     from open_apps a cross join lateral (
       with recursive walk as (
         select '' collate "C" as endpoint, 0 as n
         union all
         select x.endpoint, w.n + 1 from walk w cross join lateral (
           select d.endpoint from deliveries d
           where d.app_id = a.app_id and d.status = 'ready'
             and d.endpoint > case when w.n = 0 then a.after collate "C" else w.endpoint end
           order by d.endpoint limit 1) x
         where w.n < ${WEBHOOKS.perLook}
       )
       select endpoint, n from walk) w
   )`

/**
 * Free slots of each endpoint; failing endpoints that wait, disabled ones and those that the merchant paused
 * have none. Slots of grants are not free, except
 * those that this node lends to the claim. A failing endpoint has no use for grants.
 */
const ROOMS = `rooms as (
     select e.app_id, e.endpoint, e.used, least(b.busy, ${WEBHOOKS.perEndpoint}) as busy,
       ${WEBHOOKS.perEndpoint} - case when h.app_id is null then b.taken else 0 end as unreserved,
       least(${WEBHOOKS.perApp} - e.used,
         case when h.disabled_time is not null or h.due_time > $1 then 0
           when e.endpoint = '' and (select a.is_webhook_paused from apps a where a.app_id = e.app_id) then 0
           when ${isFurther('e.endpoint')} and (select x.is_paused from app_endpoints x
             where x.app_id = e.app_id and x.endpoint = e.endpoint) then 0
           when h.app_id is not null then h.allowed - b.busy
           else ${WEBHOOKS.perEndpoint} - b.taken
             + coalesce(($5::jsonb -> e.app_id -> 'free' ->> e.endpoint)::integer, 0) end) as room
     from endpoints e
       left join webhook_endpoints h on h.app_id = e.app_id and h.endpoint = e.endpoint
         and ${isOfPresentUrl('h')}
       cross join lateral (
         select coalesce(sum(t.busy), 0) as busy, coalesce(sum(t.taken), 0) as taken
         from ${slotsTaken({ app: 'e.app_id', endpoint: 'e.endpoint', now: '$1' })} t) b
   )`

/**
 * The oldest deliveries of each endpoint, except those behind an earlier one of their payment. Slots are
 * assigned round-robin: the first of every endpoint before the second of any, the first of every app before
 * the second of any. Each further slot needs more free slots in the app and the node (see shares.ts).
 */
const CLAIM = sql<Found>(
  'webhooks.claim',
  `with recursive ${ENDPOINTS}, ${ROOMS}, heads as (
     select h.app_id, h.payment_id, h.sequence, h.endpoint_id, h.due_time, r.used, r.busy, r.room,
       r.unreserved,
       row_number() over (
         partition by r.app_id, r.endpoint order by h.due_time, h.payment_id, h.sequence) as place
     from rooms r cross join lateral (
       select d.app_id, d.payment_id, d.sequence, d.endpoint_id, d.due_time from deliveries d
       where d.app_id = r.app_id and d.endpoint = r.endpoint and d.status = 'ready'
         and (select p.sequence from deliveries p
           where p.app_id = d.app_id and p.payment_id = d.payment_id and p.sequence < d.sequence
             and p.endpoint_id = d.endpoint_id
             and p.status in ('ready', 'waiting', 'sending') limit 1) is null
       order by d.due_time, d.payment_id, d.sequence
       limit r.room) h
     where r.room > 0
   ), in_app as (
     select *, used + row_number() over (
       partition by app_id order by busy + place, due_time, payment_id) as app_nth
     from heads
   ), in_node as (
     select *, $4 + row_number() over (order by app_nth, due_time, payment_id) as node_nth
     from in_app where app_nth <= ${WEBHOOKS.perApp} - (busy + place - 1) * ${APP_STEP}
   ), chosen as (
     select d.app_id, d.payment_id, d.sequence, d.endpoint_id, c.place = c.room as crowded,
       c.place > c.unreserved as borrowed
     from in_node c cross join lateral (
       select q.app_id, q.payment_id, q.sequence, q.endpoint_id from deliveries q
       where ${sameDelivery('q', 'c')} and q.status = 'ready'
       for update of q skip locked) d
     where c.node_nth <= ${WEBHOOKS.perNode} - (c.app_nth - 1) * ${NODE_STEP}
   ), taken as (
     update deliveries d set status = 'sending', due_time = $2,
       lease_token = case when c.borrowed then $6 else $3 end
     from chosen c
     where ${sameDelivery('d', 'c')}
     returning d.app_id, d.payment_id, d.sequence, d.url, d.endpoint, d.endpoint_id, d.tries, c.crowded,
       c.borrowed
   )
   select t.app_id, t.payment_id, t.sequence, t.url, t.endpoint, t.endpoint_id, t.tries, t.crowded,
     t.borrowed, e.type, e.body
   from taken t
     join events e on e.app_id = t.app_id and e.payment_id = t.payment_id and e.sequence = t.sequence
   union all
   select w.app_id, null, 0, null, w.endpoint, 0, 0, false, false, '', ''
   from endpoints w where w.n = ${WEBHOOKS.perLook}`,
)

export interface DeliveryLease {
  readonly now: Date
  readonly leaseEnd: Date
  readonly leaseToken: string
  /** For deliveries that use slots of this node's grants; a node without grants needs none. */
  readonly grantToken?: string
}

export interface ClaimResult {
  readonly claimed: Claimed[]
  /** Apps with more endpoints than one claim looks at, each with the last endpoint looked at. */
  readonly more: ReadonlyMap<string, string>
}

/** Claims the deliveries that may be sent now and leases them to this node. Decision 0032. */
export async function claimReady(db: Database, lease: DeliveryLease, load: Load): Promise<ClaimResult> {
  const { now, leaseEnd, leaseToken, grantToken = '' } = lease
  const values = [now, leaseEnd, leaseToken, load.total, JSON.stringify(load.apps), grantToken || null]
  const rows = await db.transaction((tx) => tx.query(CLAIM, values), TAKE_TURN)
  const claimed: Claimed[] = []
  const more = new Map<string, string>()
  for (const row of rows)
    if (row.paymentId === null) more.set(row.appId, row.endpoint)
    else claimed.push({ ...row, leaseEnd, leaseToken: row.borrowed ? grantToken : leaseToken })
  return { claimed, more }
}

const waitingDue: Due = (now) => `deliveries where status = 'waiting' and due_time <= ${now}`

/** A lease token means that it is being sent; the condition matches the partial index. Decision 0246. */
const lapsedDue: Due = (now) => `deliveries where lease_token is not null and due_time <= ${now}`

/** Retries that are due, and deliveries whose lease has expired. */
export const retriesDue = [waitingDue, lapsedDue]

const READY = sql<{ count: number }>(
  'webhooks.ready',
  `with rested as (
     update deliveries d set status = 'ready'
     from (select app_id, payment_id, sequence, endpoint_id from ${waitingDue('$1')}
       order by due_time limit $2 for update skip locked) due
     where ${sameDelivery('d', 'due')}
     returning d.payment_id
   ), lost as (
     update deliveries d set status = 'ready', lease_token = null
     from (select app_id, payment_id, sequence, endpoint_id from ${lapsedDue('$1')}
       order by due_time limit $2 for update skip locked) lapsed
     where ${sameDelivery('d', 'lapsed')}
     returning d.payment_id
   )
   select (select count(*) from rested)::integer + (select count(*) from lost)::integer as count`,
)

/** Makes due retries and deliveries with an expired lease ready. */
export async function makeReady(db: Database, now: Date, limit: number): Promise<number> {
  const [row] = await db.query(READY, [now, limit])
  return row?.count ?? 0
}
