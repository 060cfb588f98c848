import { type Due, type Queryable, sql } from '../db/database.ts'

/** A quarter of an hour of one app. */
export interface Bucket {
  readonly appId: string
  readonly bucketTime: Date
}

export const rollupsDue: Due = (now) => `rollup_queue q where q.due_time <= ${now}`

/** Rows that one claim looks at, so that the backlog of one app does not hide the others. */
const WINDOW = 500

const CLAIM = sql<Bucket>(
  'rollups.claim',
  `with picked as materialized (
     select app_id, bucket_time from (
       select app_id, bucket_time, due_time,
         row_number() over (partition by app_id order by due_time, bucket_time) as place
       from (select q.app_id, q.bucket_time, q.due_time from ${rollupsDue('$1::timestamptz')}
         order by q.due_time limit ${WINDOW}) due) ranked
     where place <= $2 order by place, due_time limit $3
   ), locked as materialized (
     select q.app_id, q.bucket_time from picked p
       join rollup_queue q on q.app_id = p.app_id and q.bucket_time = p.bucket_time
     for update of q skip locked
   )
   delete from rollup_queue q using locked l
   where q.app_id = l.app_id and q.bucket_time = l.bucket_time
   returning q.app_id, q.bucket_time`,
)

/** Takes quarters from the queue. Writers of the same quarter wait until the transaction ends. */
export const claimBuckets = (
  tx: Queryable,
  { now, perApp, limit }: { now: Date; perApp: number; limit: number },
): Promise<Bucket[]> => tx.query(CLAIM, [now, perApp, limit])

export const BUCKETS = 'unnest($1::text[], $2::timestamptz[]) b (app_id, bucket_time)'
const cleared = (table: string): string => `delete from ${table} r using ${BUCKETS}
  where r.app_id = b.app_id and r.bucket_time = b.bucket_time`

const CLEAR = sql('rollups.clear', cleared('payment_rollups'))
const CLEAR_LATENCIES = sql('rollups.clearLatencies', cleared('latency_rollups'))

const DIMENSIONS = 'currency, profile_id, method, flow, state, outcome, reason'
export const MEASURES =
  'payments, submitted, refunded, customers_blocked, amount_minor, captured_minor, refunded_minor, ' +
  'fee_minor, disputed_minor'

/** Counts payments `s`, given by `from`, as the rows of the rollups. */
export const counted = (bucket: string, from: string): string =>
  `select ${bucket}, s.currency, coalesce(s.profile_id, 0) as profile_id, coalesce(s.method, '') as method,
     s.flow, s.state,
     payment_outcome(s.state, s.reason, s.captured_minor) as outcome, coalesce(s.reason, '') as reason,
     count(*) as payments,
     count(*) filter (where s.attempt > 0) as submitted,
     count(*) filter (where s.refunded_minor > 0) as refunded,
     count(*) filter (where s.decision = 'Block') as customers_blocked, sum(s.amount_minor) as amount_minor,
     sum(s.captured_minor) as captured_minor, sum(s.refunded_minor) as refunded_minor,
     sum(s.fee_minor) as fee_minor, sum(s.disputed_minor) as disputed_minor
   from ${from}
   group by ${bucket.replace(/ as \w+$/, '')}, s.currency, s.profile_id, s.method, s.flow, s.state, outcome,
     s.reason`

/** The payments created from `begin` and before `end`. */
export const createdIn = (app: string, begin: string, end: string): string =>
  `cross join lateral (
     select s.payment_id, s.currency, s.profile_id, s.method, s.flow, s.state, s.reason, s.attempt,
       s.decision, s.amount_minor, s.captured_minor, s.refunded_minor, s.fee_minor,
       s.disputed_minor, s.country, s.created_time
     from payment_search s
     where s.app_id = ${app} and s.created_time >= ${begin} and s.created_time < ${end} offset 0) s`

export const IN_BUCKET = createdIn('b.app_id', 'b.bucket_time', `b.bucket_time + interval '15 minutes'`)

const COUNT = sql(
  'rollups.count',
  `insert into payment_rollups (app_id, bucket_time, ${DIMENSIONS}, ${MEASURES})
   select * from (${counted('b.app_id, b.bucket_time', `${BUCKETS} ${IN_BUCKET}`)}) c`,
)

/** The last bin holds everything slower: about 6 s and more. */
export const LATENCY = { firstMs: 10, factor: 1.25, bins: 30 } as const

const BIN = `least(${LATENCY.bins}, greatest(0,
  ceil(ln(greatest(o.ms, 1) / ${LATENCY.firstMs}) / ln(${LATENCY.factor}))))::integer`

/** Only calls that were answered at the first try: the others include waiting for the payer or a retry. */
const COUNT_LATENCIES = sql(
  'rollups.countLatencies',
  `insert into latency_rollups (app_id, bucket_time, profile_id, bin, calls)
   select b.app_id, b.bucket_time, o.profile_id, ${BIN}, count(*)
   from ${BUCKETS} ${IN_BUCKET}
     cross join lateral (
       select o.profile_id, (extract(epoch from o.closed_time - o.created_time) * 1000)::float8 as ms
       from operations o where o.app_id = b.app_id and o.payment_id = s.payment_id
         and o.status in ('done', 'declined') and o.tries = 1 and o.closed_time is not null offset 0) o
   group by b.app_id, b.bucket_time, o.profile_id, 4`,
)

/** Counts these quarters again. In a transaction after the claim, so that it sees what writers have added. */
export async function countBuckets(tx: Queryable, buckets: readonly Bucket[]): Promise<void> {
  const values = [buckets.map(({ appId }) => appId), buckets.map(({ bucketTime }) => bucketTime)]
  for (const statement of [CLEAR, CLEAR_LATENCIES, COUNT, COUNT_LATENCIES]) await tx.query(statement, values)
}
