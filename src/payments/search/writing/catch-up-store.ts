import { assert } from '../../../base/assert.ts'
import { type Due, type Queryable, sql } from '../../../db/database.ts'
import { COPIED, copyPayments } from './write-store.ts'

/** Apps without a row, and apps with old payments to copy or events to compare. */
const MISSING: Due = () =>
  `apps a where not exists (select from payment_search_progress g where g.app_id = a.app_id)`
const BEHIND: Due = (now) =>
  `payment_search_progress g where g.due_time <= ${now} and (g.backfill_below is not null
     or exists (select from events e where e.app_id = g.app_id and e.created_time > g.event_time))`

export const catchUpDue: readonly Due[] = [MISSING, BEHIND]

const BEGIN = sql(
  'search.begin',
  `insert into payment_search_progress (app_id, event_time, backfill_below, due_time)
   select a.app_id, $1::timestamptz + (a.clock_offset_ms - $2::bigint) * interval '1 millisecond',
     ${Number.MAX_SAFE_INTEGER}, $1
   from ${MISSING('')} order by a.app_id on conflict do nothing`,
)

/** Begins with apps that are new. `marginMs`: events may be written this long after their time. */
export async function beginApps(db: Queryable, now: Date, marginMs: number): Promise<void> {
  await db.query(BEGIN, [now, marginMs])
}

export interface Progress {
  readonly appId: string
  readonly eventTime: Date
  readonly backfillBelow: number | null
  /** The app's time at the claim. */
  readonly appTime: Date
}

const CLAIM = sql<Progress>(
  'search.claim',
  `update payment_search_progress g set due_time = $2
   from apps a
   where a.app_id = g.app_id and g.app_id in (
     select g.app_id from ${BEHIND('$1::timestamptz')}
     order by g.due_time limit $3 for update skip locked)
   returning g.app_id, g.event_time, g.backfill_below,
     $1::timestamptz + a.clock_offset_ms * interval '1 millisecond' as app_time`,
)

/** Leases apps that are behind, the longest waiting first. */
export async function claimApps(
  db: Queryable,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<Progress[]> {
  return await db.query(CLAIM, [now, until, limit])
}

/** Payments `c (payment_id)` of the app `$2` that are newer than their row, or have none. */
const STALE = `stale as (
    select p.* from changed c cross join lateral (
      select ${COPIED} from payments p where p.app_id = $2 and p.payment_id = c.payment_id offset 0) p
    where not exists (
      select from payment_search s
      where s.app_id = $2 and s.payment_id = p.payment_id and s.version >= p.version)
  )`

interface EventPage {
  readonly copied: number
  readonly found: number
  /** Its members are null when none was found. */
  readonly last: EventPosition | { readonly time: null }
}

const COMPARE = sql<EventPage>(
  'search.compareEvents',
  `with page as materialized (
     select e.created_time, e.payment_id, e.sequence from events e
     where e.app_id = $2 and (e.created_time, e.payment_id, e.sequence) > ($3, $4, $5)
     order by e.created_time, e.payment_id, e.sequence limit $6
   ), changed as (
     select distinct payment_id from page
   ), ${STALE}, ${copyPayments('stale p')}
   select l.created_time as "last.time", l.payment_id as "last.payment_id", l.sequence as "last.sequence",
     (select count(*)::integer from written) as copied,
     (select count(*)::integer from page) as found
   from (select 1) one left join lateral (
     select created_time, payment_id, sequence from page
     order by created_time desc, payment_id desc, sequence desc limit 1) l on true`,
)

/** A position among the events of an app. */
export interface EventPosition {
  readonly time: Date
  readonly paymentId: number
  readonly sequence: number
}

interface Copying {
  readonly appId: string
  readonly countFrom: Date
  readonly limit: number
}

/** Copies payments of the events after a position. `last` is undefined at the end. */
export async function compareEvents(
  db: Queryable,
  { appId, countFrom, limit }: Copying,
  { time, paymentId, sequence }: EventPosition,
): Promise<{ copied: number; last: EventPosition | undefined }> {
  const [row] = await db.query(COMPARE, [countFrom, appId, time, paymentId, sequence, limit])
  assert(row, 'a page always has a row, also without events')
  const { copied, found, last } = row
  return { copied, last: last.time === null || found < limit ? undefined : last }
}

const BACKFILL = sql<{ copied: number; found: number; least: number | null }>(
  'search.backfill',
  `with changed as materialized (
     select p.payment_id from payments p where p.app_id = $2 and p.payment_id < $3
     order by p.payment_id desc limit $4
   ), ${STALE}, ${copyPayments('stale p')}
   select (select count(*)::integer from written) as copied, count(*)::integer as found,
     min(payment_id) as least from changed`,
)

/** Copies the newest payments below an id. `below` is where to go on, null at the end. */
export async function backfill(
  db: Queryable,
  { appId, countFrom, limit }: Copying,
  below: number,
): Promise<{ copied: number; below: number | null }> {
  const [row] = await db.query(BACKFILL, [countFrom, appId, below, limit])
  const isEnd = !row?.least || row.found < limit
  return { copied: row?.copied ?? 0, below: isEnd ? null : row.least }
}

const SAVE = sql(
  'search.saveProgress',
  `update payment_search_progress set event_time = greatest(event_time, $2), backfill_below = $3,
     due_time = $4
   where app_id = $1`,
)

export async function saveProgress(
  db: Queryable,
  { appId, eventTime, backfillBelow }: Omit<Progress, 'appTime'>,
  due: Date,
): Promise<void> {
  await db.query(SAVE, [appId, eventTime, backfillBelow, due])
}
