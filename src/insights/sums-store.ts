import { type Queryable, sql } from '../db/database.ts'
import type { State } from '../payments/machine.ts'
import type { PaymentOutcome } from '../payments/search/outcome.ts'
import { counted, createdIn, LATENCY, MEASURES } from './rollup-store.ts'

/** Sums over payments that share the members that are not null. */
export interface Sum {
  /** Which members the payments share. */
  readonly of: 'series' | 'money' | 'state' | 'reason' | 'method' | 'flow'
  /** The place of the hour, day or month in the query's `starts`. */
  readonly slot: number
  readonly currency: string
  readonly profileId: number
  readonly outcome: PaymentOutcome
  readonly state: State
  readonly reason: string
  readonly method: string
  readonly flow: string
  readonly payments: number
  readonly submitted: number
  readonly refunded: number
  readonly customersBlocked: number
  readonly amountMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly feeMinor: bigint
  /** What open disputes may take. */
  readonly disputedMinor: bigint
}

const SUMMED = MEASURES.split(', ')
const BUCKET = `date_bin('15 minutes', s.created_time, 'epoch') as bucket_time`
const COLUMNS = `bucket_time, currency, profile_id, method, flow, state, outcome, reason, ${MEASURES}`

/**
 * The quarters of a period. `$1` app, `$2` to `$3` rollups, `$4` quarters that are read live, `$5` and `$6`
 * the beginnings and ends of what is read live, `$7` profile or null.
 */
const QUARTERS = `
  select ${COLUMNS} from (
    select ${COLUMNS} from payment_rollups r
    where r.app_id = $1 and r.bucket_time >= $2 and r.bucket_time < $3
      and r.bucket_time <> all ($4::timestamptz[])
    union all
    select ${COLUMNS} from (${counted(
      BUCKET,
      `unnest($5::timestamptz[], $6::timestamptz[]) l (begin_time, end_time)
       ${createdIn('$1', 'l.begin_time', 'l.end_time')}`,
    )}) live) quarters
  where $7::bigint is null or profile_id = $7`

const totals = (names: readonly string[]): string =>
  names.map((name) => `sum(${name})::bigint as ${name}`).join(', ')

/**
 * `$8` the beginnings of the hours, days or months. Quarters are summed once, with all they share, and these
 * few sums again for each set. `grouping` has a bit for each column that a row does not share.
 */
const SUMS = sql<Omit<Sum, 'of'> & { readonly grouped: number }>(
  'insights.sums',
  `with sums as materialized (
     select width_bucket(bucket_time, $8::timestamptz[]) as slot, currency, profile_id, state, outcome,
       reason, method, flow, ${totals(SUMMED)}
     from (${QUARTERS}) q group by 1, 2, 3, 4, 5, 6, 7, 8
   )
   select grouping(slot, currency, profile_id, state, reason, method, flow) as grouped,
     slot - 1 as slot, currency, coalesce(profile_id, 0) as profile_id, outcome,
     state, reason, method, flow, ${totals(SUMMED)}
   from sums
   group by grouping sets ((slot, currency, outcome), (currency, profile_id, outcome), (state, outcome),
     (reason, outcome), (currency, method, outcome), (flow, outcome))`,
)

/** By the bits of the columns that are not shared. */
const OF: Readonly<Record<number, Sum['of']>> = {
  31: 'series',
  79: 'money',
  93: 'method',
  119: 'state',
  123: 'reason',
  126: 'flow',
}

/** A stretch of time that is counted from the payments themselves. */
export interface Stretch {
  readonly begin: Date
  readonly end: Date
}

export interface SumQuery {
  /** The quarters whose rollups are read: from, before. */
  readonly from: Date
  readonly to: Date
  /** Quarters to leave out of the rollups. */
  readonly without: readonly Date[]
  readonly live: readonly Stretch[]
  readonly profileId: number | undefined
}

export function quarterValues(appId: string, { from, to, without, live, profileId }: SumQuery): unknown[] {
  const ends = [live.map(({ begin }) => begin), live.map(({ end }) => end)]
  return [appId, from, to, without, ...ends, profileId ?? null]
}

/** `starts`: when each hour, day or month begins. */
export async function selectSums(
  db: Queryable,
  appId: string,
  query: SumQuery,
  starts: readonly Date[],
): Promise<Sum[]> {
  const rows = await db.query(SUMS, [...quarterValues(appId, query), starts])
  return rows.map(({ grouped, ...sum }) => ({ ...sum, of: OF[grouped] ?? 'flow' }))
}

/** The newest of them: an app whose whole past is being counted again shows what was counted before. */
const MAX_LIVE = 8

const QUEUED = sql<{ bucketTime: Date }>(
  'insights.queued',
  `select q.bucket_time from rollup_queue q
   where q.app_id = $1 and q.bucket_time >= $2 and q.bucket_time < $3
   order by q.bucket_time desc limit ${MAX_LIVE}`,
)

/** Quarters of a period that are still to be counted again. */
export async function queuedBuckets(
  db: Queryable,
  appId: string,
  { from, to }: { from: Date; to: Date },
): Promise<Date[]> {
  return (await db.query(QUEUED, [appId, from, to])).map((row) => row.bucketTime)
}

const LATENCIES = sql<{ profileId: number; bin: number; calls: number }>(
  'insights.latencies',
  `select r.profile_id, r.bin, sum(r.calls)::bigint as calls from latency_rollups r
   where r.app_id = $1 and r.bucket_time >= $2 and r.bucket_time < $3
   group by r.profile_id, r.bin order by r.profile_id, r.bin`,
)

/** The 95th percentile of each profile, as the upper end of its bin. */
export async function selectLatencies(
  db: Queryable,
  appId: string,
  { from, to }: { from: Date; to: Date },
): Promise<ReadonlyMap<number, number>> {
  const bins = new Map<number, { bin: number; calls: number }[]>()
  for (const { profileId, bin, calls } of await db.query(LATENCIES, [appId, from, to]))
    bins.set(profileId, [...(bins.get(profileId) ?? []), { bin, calls }])
  return new Map([...bins].map(([profile, each]) => [profile, percentile(each)]))
}

function percentile(bins: readonly { bin: number; calls: number }[]): number {
  const total = bins.reduce((sum, { calls }) => sum + calls, 0)
  let seen = 0
  const found = bins.find(({ calls }) => {
    seen += calls
    return seen >= total * 0.95
  })
  return Math.round(LATENCY.firstMs * LATENCY.factor ** (found?.bin ?? 0))
}

const ANY = sql<{ any: boolean }>(
  'insights.any',
  `select exists (select from payments p where p.app_id = $1) as any`,
)

export async function hasPayments(db: Queryable, appId: string): Promise<boolean> {
  return (await db.query(ANY, [appId]))[0]?.any ?? false
}
