import { type Queryable, sql } from '../db/database.ts'
import type { State } from '../payments/machine.ts'
import type { PaymentOutcome, PaymentStanding } from '../payments/search/outcome.ts'
import { daysOf } from './days-store.ts'
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
 * The quarters of a period that are not in whole days. `$1` app, `$2` to `$3` stretches of rollups, `$4`
 * quarters that are read live, `$5` and `$6` the beginnings and ends of what is read live, `$7` profile or
 * null, `$8` to `$9` whole days.
 */
const QUARTERS = `
  select ${COLUMNS} from (
    select ${COLUMNS} from unnest($2::timestamptz[], $3::timestamptz[]) q (begin_time, end_time)
      cross join lateral (
        select ${COLUMNS} from payment_rollups r
        where r.app_id = $1 and r.bucket_time >= q.begin_time and r.bucket_time < q.end_time
          and r.bucket_time <> all ($4::timestamptz[]) offset 0) r
    union all
    select ${COLUMNS} from (${counted(
      BUCKET,
      `unnest($5::timestamptz[], $6::timestamptz[]) l (begin_time, end_time)
       ${createdIn('$1', 'l.begin_time', 'l.end_time')}`,
    )}) live) quarters
  where $7::bigint is null or profile_id = $7`

const totals = (names: readonly string[]): string =>
  names.map((name) => `sum(${name})::bigint as ${name}`).join(', ')

/** `$10` the beginnings of the hours, days or months, counted from 1. */
const slotAt = (time: string): string => `width_bucket(${time}, $10::timestamptz[])`

/**
 * A day of UTC belongs to the slot of its noon. Quarters of the day that belong to another one (`$11` to
 * `$14`) are added there and taken off here: in sums without a slot they are zero.
 */
const MOVED = `
  select m.slot, r.currency, r.profile_id, r.method, r.outcome,
    ${SUMMED.map((name) => `m.sign * r.${name} as ${name}`).join(', ')}
  from (
    select begin_time, end_time, to_slot + 1 as slot, 1 as sign
    from unnest($11::timestamptz[], $12::timestamptz[], $14::integer[]) t (begin_time, end_time, to_slot)
    union all
    select begin_time, end_time, from_slot + 1, -1
    from unnest($11::timestamptz[], $12::timestamptz[], $13::integer[]) t (begin_time, end_time, from_slot)
  ) m cross join lateral (
    select r.currency, r.profile_id, r.method, r.outcome, ${MEASURES} from payment_rollups r
    where r.app_id = $1 and r.bucket_time >= m.begin_time and r.bucket_time < m.end_time offset 0) r`

/** Quarters and days are summed once, with all they share, and these few sums again for each set. */
const SUMS = sql<Sum>(
  'insights.sums',
  `with quarters as materialized (
     select ${slotAt('bucket_time')} as slot, currency, profile_id, state, outcome, reason, method, flow,
       ${totals(SUMMED)}
     from (${QUARTERS}) q group by 1, 2, 3, 4, 5, 6, 7, 8
   ), money as (
     select slot, currency, profile_id, method, outcome, ${MEASURES} from quarters
     union all
     select ${slotAt(`d.day_time + interval '12 hours'`)}, d.currency, d.profile_id, d.method, d.outcome,
       ${totals(SUMMED)} from ${daysOf('money')} group by 1, 2, 3, 4, 5
     union all ${MOVED}
   ), standing as (
     select state, reason, flow, outcome, ${MEASURES} from quarters
     union all
     select d.state, d.reason, d.flow, d.outcome, ${totals(SUMMED)} from ${daysOf('standing')}
     group by 1, 2, 3, 4
   )
   select case grouping(slot, profile_id, method) when 3 then 'series' when 5 then 'money' else 'method' end
       as of, slot - 1 as slot, currency, coalesce(profile_id, 0) as profile_id, outcome,
     null::text as state, null::text as reason, method, null::text as flow, ${totals(SUMMED)}
   from money
   group by grouping sets ((slot, currency, outcome), (currency, profile_id, outcome),
     (currency, method, outcome))
   having sum(payments) > 0
   union all
   select case grouping(state, reason, flow) when 3 then 'state' when 5 then 'reason' else 'flow' end,
     null, null, 0, outcome, state, reason, null, flow, ${totals(SUMMED)}
   from standing group by grouping sets ((state, outcome), (reason, outcome), (flow, outcome))`,
)

/** A stretch of time that is counted from the payments themselves. */
export interface Stretch {
  readonly begin: Date
  readonly end: Date
}

/** Quarters of a whole day that belong to another slot than its noon. */
export interface Move extends Stretch {
  readonly from: number
  readonly to: number
}

export interface SumQuery {
  /** The quarters whose rollups are read: from, before. */
  readonly from: Date
  readonly to: Date
  /** Quarters to leave out of the rollups. */
  readonly without: readonly Date[]
  readonly live: readonly Stretch[]
  /** What of `from` to `to` is read as whole days, and what as quarters. */
  readonly days: readonly Stretch[]
  readonly quarters: readonly Stretch[]
  readonly moves: readonly Move[]
  readonly profileId: number | undefined
}

const ends = (stretches: readonly Stretch[]): unknown[] => [
  stretches.map(({ begin }) => begin),
  stretches.map(({ end }) => end),
]

/** `$1` to `$9` of the statements of sums. */
export const sumValues = (
  appId: string,
  { quarters, days, without, live, profileId }: SumQuery,
): unknown[] => [appId, ...ends(quarters), without, ...ends(live), profileId ?? null, ...ends(days)]

/** `starts`: when each hour, day or month begins. */
export async function selectSums(
  db: Queryable,
  appId: string,
  query: SumQuery,
  starts: readonly Date[],
): Promise<Sum[]> {
  const { moves } = query
  const slots = [moves.map(({ from }) => from), moves.map(({ to }) => to)]
  return await db.query(SUMS, [...sumValues(appId, query), starts, ...ends(moves), ...slots])
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

export interface RecentPayment extends Omit<PaymentStanding, 'refundedMinor'> {
  readonly paymentId: number
  readonly currency: string
  readonly amountMinor: bigint
  readonly profileId: number
  readonly method: string
  readonly brand: string | null
  /** Of the customer's address: what routing knows. */
  readonly country: string | null
}

// The index by time gives the newest; one read of each payment has the address.
const RECENT = sql<RecentPayment>(
  'insights.recentPayments',
  `select s.payment_id, s.state, s.reason, s.captured_minor, s.currency, s.amount_minor, s.profile_id,
     s.method, s.brand, p.details -> 'customerOrder' -> 'customer' -> 'address' ->> 'countryCode' as country
   from (select * from payment_search s where s.app_id = $1 and s.created_time >= $2
     and s.profile_id is not null and s.method is not null
     order by s.created_time desc, s.payment_id desc limit $3) s
   join payments p on p.app_id = $1 and p.payment_id = s.payment_id`,
)

/** The newest payments that went to a provider. */
export const recentPayments = (
  db: Queryable,
  appId: string,
  since: Date,
  limit: number,
): Promise<RecentPayment[]> => db.query(RECENT, [appId, since, limit])

const ANY = sql<{ any: boolean }>(
  'insights.any',
  `select exists (select from payments p where p.app_id = $1) as any`,
)

export async function hasPayments(db: Queryable, appId: string): Promise<boolean> {
  return (await db.query(ANY, [appId]))[0]?.any ?? false
}
