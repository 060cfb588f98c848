import { type Database, type Due, sql } from '../../db/database.ts'
import { WEBHOOKS } from '../schedule.ts'

/** One delivery, leased to be sent now. */
export interface Claimed {
  readonly appId: string
  readonly paymentId: number
  readonly sequence: number
  /** The payment's own address; null: the app's. */
  readonly url: string | null
  /** '' is the app's address. */
  readonly endpoint: string
  readonly tries: number
  readonly type: string
  /** The webhook, byte for byte. */
  readonly body: string
  readonly leaseToken: string
  readonly leaseEnd: Date
  /** No more fitted into its endpoint: when this one has ended, another may be taken. */
  readonly crowded: boolean
}

interface ClaimedRow {
  app_id: string
  payment_id: string
  sequence: number
  url: string | null
  endpoint: string
  tries: number
  type: string
  body: string
  crowded: boolean
}

/** Any number; the same on every node. */
const CLAIM_LOCK = 7_363_266

/**
 * One claim at a time among all nodes, so that each sees what the others have in flight and 20 for each
 * endpoint means 20. A claim that a crash of PostgreSQL undoes is only claimed again, so its commit waits
 * for no disk. Rows are few and found by index, whatever the planner believes.
 */
const TAKE_TURN = sql<never>(
  'webhooks.takeTurn',
  `select set_config('synchronous_commit', 'off', true), set_config('enable_hashjoin', 'off', true),
     set_config('enable_mergejoin', 'off', true), pg_advisory_xact_lock(${CLAIM_LOCK})`,
)

/** Jumps from endpoint to endpoint over the index: its cost does not follow the length of their queues. */
const ENDPOINTS = `endpoints as (
     (select d.app_id, d.endpoint from deliveries d where d.status in ('ready', 'sending')
      order by d.app_id, d.endpoint limit 1)
     union all
     select n.app_id, n.endpoint from endpoints e cross join lateral (
       select d.app_id, d.endpoint from deliveries d
       where d.status in ('ready', 'sending') and (d.app_id, d.endpoint) > (e.app_id, e.endpoint)
       order by d.app_id, d.endpoint limit 1) n
   )`

/**
 * Of each endpoint the oldest, as far as there is room, leaving out deliveries behind an earlier one of their
 * payment. When a node cannot take all, everybody's first comes before anybody's second.
 */
const CLAIM = sql<ClaimedRow>(
  'webhooks.claim',
  `with recursive ${ENDPOINTS}, rooms as (
     select e.app_id, e.endpoint, b.busy,
       greatest(0, case when h.disabled_time is not null or h.due_time > $1 then 0
         else coalesce(h.allowed, ${WEBHOOKS.perEndpoint}) end - b.busy) as room
     from endpoints e
       left join webhook_endpoints h on h.app_id = e.app_id and h.endpoint = e.endpoint
         and (h.endpoint <> '' or h.url = (
           select split_part(split_part(a.payment_webhook_url, '?', 1), '#', 1) from apps a
           where a.app_id = e.app_id))
       cross join lateral (
         select count(*) as busy from deliveries s
         where s.app_id = e.app_id and s.endpoint = e.endpoint and s.status = 'sending') b
   ), heads as (
     select h.app_id, h.payment_id, h.sequence, h.due_time, r.busy, r.room,
       row_number() over (
         partition by r.app_id, r.endpoint order by h.due_time, h.payment_id, h.sequence) as place
     from rooms r cross join lateral (
       select d.app_id, d.payment_id, d.sequence, d.due_time from deliveries d
       where d.app_id = r.app_id and d.endpoint = r.endpoint and d.status = 'ready'
         and (select p.sequence from deliveries p
           where p.app_id = d.app_id and p.payment_id = d.payment_id and p.sequence < d.sequence
             and p.status in ('ready', 'waiting', 'sending') limit 1) is null
       order by d.due_time, d.payment_id, d.sequence
       limit r.room
       for update of d skip locked) h
     where r.room > 0
   ), chosen as (
     select app_id, payment_id, sequence, place = room as crowded from heads
     order by busy + place, due_time limit $4
   ), taken as (
     update deliveries d set status = 'sending', due_time = $2, lease_token = $3
     from chosen c
     where d.app_id = c.app_id and d.payment_id = c.payment_id and d.sequence = c.sequence
     returning d.app_id, d.payment_id, d.sequence, d.url, d.endpoint, d.tries, c.crowded
   )
   select t.app_id, t.payment_id, t.sequence, t.url, t.endpoint, t.tries, t.crowded, e.type, e.body
   from taken t
     join events e on e.app_id = t.app_id and e.payment_id = t.payment_id and e.sequence = t.sequence`,
)

export interface Lease {
  readonly now: Date
  readonly leaseEnd: Date
  readonly leaseToken: string
}

/** What may be sent now, at most `limit`, each leased to us. */
export async function claimReady(db: Database, lease: Lease, limit: number): Promise<Claimed[]> {
  const { now, leaseEnd, leaseToken } = lease
  const rows = await db.transaction((tx) => tx.query(CLAIM, [now, leaseEnd, leaseToken, limit]), TAKE_TURN)
  return rows.map((row) => ({
    appId: row.app_id,
    paymentId: Number(row.payment_id),
    sequence: row.sequence,
    url: row.url,
    endpoint: row.endpoint,
    tries: row.tries,
    type: row.type,
    body: row.body,
    crowded: row.crowded,
    leaseEnd,
    leaseToken,
  }))
}

const waitingDue: Due = (now) => `deliveries where status = 'waiting' and due_time <= ${now}`

/** Of one endpoint, `e`. */
const lapsedAt: Due = (now) =>
  `deliveries s where s.app_id = e.app_id and s.endpoint = e.endpoint and s.status = 'sending'
     and s.due_time <= ${now}`

const lapsedDue: Due = (now) =>
  `(with recursive ${ENDPOINTS} select from endpoints e where exists (select from ${lapsedAt(now)})) lapsed`

/** Pauses that are over, and what a sender that died has left. */
export const retriesDue = [waitingDue, lapsedDue]

const READY = sql<{ count: number }>(
  'webhooks.ready',
  `with recursive ${ENDPOINTS}, rested as (
     update deliveries d set status = 'ready'
     from (select app_id, payment_id, sequence from ${waitingDue('$1')}
       order by due_time limit $2 for update skip locked) due
     where d.app_id = due.app_id and d.payment_id = due.payment_id and d.sequence = due.sequence
     returning d.payment_id
   ), lost as (
     update deliveries d set status = 'ready', lease_token = null
     from endpoints e cross join lateral (
       select s.app_id, s.payment_id, s.sequence from ${lapsedAt('$1')}
       limit $2 for update skip locked) lapsed
     where d.app_id = lapsed.app_id and d.payment_id = lapsed.payment_id and d.sequence = lapsed.sequence
     returning d.payment_id
   )
   select (select count(*) from rested)::integer + (select count(*) from lost)::integer as count`,
)

/** Ends pauses that have passed, and leases of senders that died. */
export async function makeReady(db: Database, now: Date, limit: number): Promise<number> {
  const [row] = await db.query(READY, [now, limit])
  return row?.count ?? 0
}
