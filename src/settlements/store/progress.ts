import { ago, type Due, type Queryable, sql } from '../../db/database.ts'
import { SETTLEMENTS } from '../limits.ts'

/** A place among the events of an app. */
export interface EventPlace {
  readonly eventTime: Date
  readonly paymentId: number
  readonly sequence: number
}

/** Where the events of an app are read on. The second place finds those that were committed late. */
export interface EventProgress extends EventPlace {
  readonly late: EventPlace
}

/** What was committed before the beginning is not late. */
const BEGIN = sql<never>(
  'settlements.beginProgress',
  `insert into settlement_progress as g (app_id, from_time, event_time, payment_id, sequence, due_time,
     late_event_time)
   values ($1, $2, $2, 0, 0, $3, ${ago('$3::timestamptz', SETTLEMENTS.lateEventsMs)})
   on conflict (app_id) do update set from_time = excluded.from_time, event_time = excluded.event_time,
     payment_id = 0, sequence = 0, due_time = excluded.due_time
   where g.from_time > excluded.from_time`,
)

/** Events of the app are read from this time on; a second call can only begin earlier. */
export async function beginProgress(tx: Queryable, appId: string, from: Date, now: Date): Promise<void> {
  await tx.query(BEGIN, [appId, from, now])
}

const LOCK = sql<EventProgress>(
  'settlements.lockProgress',
  `select event_time, payment_id, sequence, late_event_time as "late.event_time",
     late_payment_id as "late.payment_id", late_sequence as "late.sequence"
   from settlement_progress where app_id = $1 for update`,
)

/** Undefined for an app without a source. */
export async function lockProgress(tx: Queryable, appId: string): Promise<EventProgress | undefined> {
  return (await tx.query(LOCK, [appId]))[0]
}

const EVENTS = sql<EventPlace>(
  'settlements.events',
  `select e.created_time as event_time, e.payment_id, e.sequence from events e
   where e.app_id = $1 and (e.created_time, e.payment_id, e.sequence) > ($2, $3, $4)
     and ($6::timestamptz is null or e.created_time <= $6)
   order by e.created_time, e.payment_id, e.sequence limit $5`,
)

export const selectEvents = (
  tx: Queryable,
  appId: string,
  { eventTime, paymentId, sequence }: EventPlace,
  { limit, until }: { readonly limit: number; readonly until?: Date },
): Promise<EventPlace[]> => tx.query(EVENTS, [appId, eventTime, paymentId, sequence, limit, until ?? null])

const SAVE = sql<never>(
  'settlements.saveProgress',
  `update settlement_progress set event_time = $2, payment_id = $3, sequence = $4, late_event_time = $5,
     late_payment_id = $6, late_sequence = $7, due_time = $8
   where app_id = $1`,
)

export async function saveProgress(
  tx: Queryable,
  appId: string,
  { late, ...place }: EventProgress,
  due: Date,
): Promise<void> {
  const places = [place, late].flatMap((one) => [one.eventTime, one.paymentId, one.sequence])
  await tx.query(SAVE, [appId, ...places, due])
}

export const progressDue: Due = (now) =>
  `settlement_progress g where g.due_time <= ${now} and (exists (
     select from events e where e.app_id = g.app_id and e.created_time > g.event_time) or exists (
     select from events e where e.app_id = g.app_id and (e.created_time, e.payment_id, e.sequence) >
         (g.late_event_time, g.late_payment_id, g.late_sequence)
       and e.created_time <= ${ago(now, SETTLEMENTS.lateEventsMs)}))`

const DUE_APPS = sql<{ appId: string }>(
  'settlements.appsWithEvents',
  `select g.app_id from ${progressDue('$1::timestamptz')} order by g.due_time limit $2`,
)

export const appsWithEvents = (db: Queryable, now: Date, limit: number): Promise<{ appId: string }[]> =>
  db.query(DUE_APPS, [now, limit])

const POSTPONE = sql<never>(
  'settlements.postponeProgress',
  'update settlement_progress set due_time = $2 where app_id = $1',
)

/** Its events could not be read: other apps come first. */
export async function postponeProgress(db: Queryable, appId: string, until: Date): Promise<void> {
  await db.query(POSTPONE, [appId, until])
}

/**
 * Every id by which the provider may name a payment, its refunds and its disputes. `operation:<id>` and
 * `refund<key>` are names of handles that carry an id or a key themselves; commas separate several ids.
 */
const KEYS = sql<never>(
  'settlements.writeKeys',
  `with wanted as materialized (
     select p.payment_id, p.profile_id, p.attempt, p.handles, p.pay_info
     from unnest($2::bigint[]) k (id) cross join lateral (
       select payment_id, profile_id, attempt, handles, pay_info from payments
       where app_id = $1 and payment_id = k.id offset 0) p
   ), handles as (
     select payment_id, profile_id, attempt, null as refund_key, handles from wanted
     union all
     select o.payment_id, o.profile_id, o.attempt, case when o.step = 'refund' then o.operation_key end,
       o.handles
     from wanted w cross join lateral (
       select payment_id, profile_id, attempt, step, operation_key, handles from operations
       where app_id = $1 and payment_id = w.payment_id and handles is not null offset 0) o
     union all
     select u.payment_id, u.profile_id, u.attempt, null, u.handles
     from wanted w cross join lateral (
       select payment_id, profile_id, attempt, handles from undos
       where app_id = $1 and payment_id = w.payment_id and handles is not null offset 0) u
   ), named as (
     select h.payment_id, h.profile_id, h.attempt, part.key,
       case when e.name ~ '^refund.' then substr(e.name, 7)
         when e.name = 'refund' then h.refund_key end as refund_id
     from handles h, json_each_text(h.handles) e (name, value), regexp_split_to_table(e.value, ',') part (key)
     where json_typeof(h.handles) = 'object' and e.name !~ '^operation:'
     union all
     select h.payment_id, h.profile_id, h.attempt, substr(e.name, 11), e.value
     from handles h, json_each_text(h.handles) e (name, value)
     where json_typeof(h.handles) = 'object' and e.name ~ '^operation:.'
     union all
     select w.payment_id, w.profile_id, w.attempt, r.refund_id, r.refund_id
     from wanted w cross join lateral (
       select refund_id from refunds where app_id = $1 and payment_id = w.payment_id offset 0) r
     union all
     select w.payment_id, w.profile_id, w.attempt, d ->> 'id', null
     from wanted w, json_array_elements(w.pay_info -> 'disputes') d
     where json_typeof(w.pay_info -> 'disputes') = 'array'
   )
   insert into settlement_keys as k (app_id, profile_id, key, payment_id, attempt, refund_id)
   select distinct on (n.profile_id, n.key, n.payment_id) $1, n.profile_id, n.key, n.payment_id, n.attempt,
     n.refund_id
   from named n join settlement_sources s on s.app_id = $1 and s.profile_id = n.profile_id
   where length(n.key) between 4 and $3
   order by n.profile_id, n.key, n.payment_id, n.refund_id nulls last, n.attempt
   on conflict (app_id, profile_id, key, payment_id) do update set refund_id = excluded.refund_id
     where k.refund_id is null and excluded.refund_id is not null`,
)

/** Stores the ids of these payments, where their profile has a source. */
export async function writeKeys(
  tx: Queryable,
  appId: string,
  paymentIds: readonly number[],
  longest: number,
): Promise<void> {
  await tx.query(KEYS, [appId, paymentIds, longest])
}

const UNDONE = sql<{ paymentId: number }>(
  'settlements.undonePayments',
  `select distinct payment_id from (
     select payment_id from undos where app_id = $1 and handles is not null and created_time >= $2
     order by created_time desc limit $3) u`,
)

/** Payments with an attempt that was undone since then. What an undo learns is not an event. */
export const undonePayments = async (
  tx: Queryable,
  appId: string,
  since: Date,
  limit: number,
): Promise<number[]> => (await tx.query(UNDONE, [appId, since, limit])).map(({ paymentId }) => paymentId)

const NAME_REFUNDS = sql<{ paymentId: number }>(
  'settlements.nameRefunds',
  `update settlement_matches m set refund_id = x.refund_id
   from (
     select m.line_id, (
         select min(k.refund_id) from settlement_keys k where k.app_id = $1 and k.profile_id = l.profile_id
           and k.key = any (array_append(l.provider_ids, l.reference)) and k.payment_id = m.payment_id)
         as refund_id
     from settlement_matches m join settlement_lines l on l.app_id = $1 and l.line_id = m.line_id
     where m.app_id = $1 and m.payment_id = any ($2::bigint[]) and m.match = 'exact' and m.refund_id is null
       and l.kind = 'refund') x
   where m.app_id = $1 and m.line_id = x.line_id and x.refund_id is not null
   returning m.payment_id`,
)

/**
 * Refund lines that were matched by the id of the payment alone, because the provider's id of the refund was
 * not known: its answer was lost, or the line came first. Returns whether one has its refund now.
 */
export async function nameRefunds(
  tx: Queryable,
  appId: string,
  paymentIds: readonly number[],
): Promise<boolean> {
  return (await tx.query(NAME_REFUNDS, [appId, paymentIds])).length > 0
}
