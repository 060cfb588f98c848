import { type Queryable, sql } from '../db/database.ts'
import { daysOf } from './days-store.ts'
import { BUCKETS, type Bucket, createdIn, IN_BUCKET } from './rollup-store.ts'
import { type SumQuery, sumValues } from './sums-store.ts'

/** Captured payments of one country that share a currency. */
export interface CountrySum {
  /** '': unknown. */
  readonly country: string
  readonly currency: string
  readonly payments: number
  readonly capturedMinor: bigint
}

const DIMENSIONS = `s.currency, coalesce(s.profile_id, 0) as profile_id,
     payment_outcome(s.state, s.reason, s.captured_minor) as outcome, coalesce(s.country, '') as country`
const MEASURES = 'count(*) as payments, sum(s.captured_minor) as captured_minor'

const CLEAR = sql(
  'countryRollups.clear',
  `delete from country_rollups r using ${BUCKETS}
   where r.app_id = b.app_id and r.bucket_time = b.bucket_time`,
)

const COUNT = sql(
  'countryRollups.count',
  `insert into country_rollups (app_id, bucket_time, currency, profile_id, outcome, country, payments,
     captured_minor)
   select b.app_id, b.bucket_time, ${DIMENSIONS}, ${MEASURES}
   from ${BUCKETS} ${IN_BUCKET} group by 1, 2, 3, 4, 5, 6`,
)

/** Counts these quarters again, after `claimBuckets` in the same transaction. */
export async function countCountries(tx: Queryable, buckets: readonly Bucket[]): Promise<void> {
  const values = [buckets.map(({ appId }) => appId), buckets.map(({ bucketTime }) => bucketTime)]
  for (const statement of [CLEAR, COUNT]) await tx.query(statement, values)
}

/** The values are those of the sums. */
const SUM = sql<CountrySum>(
  'countryRollups.sum',
  `select country, currency, sum(payments)::bigint as payments, sum(captured_minor)::bigint as captured_minor
   from (
     select r.country, r.currency, r.outcome, r.profile_id, r.payments, r.captured_minor
     from unnest($2::timestamptz[], $3::timestamptz[]) q (begin_time, end_time) cross join lateral (
       select r.* from country_rollups r
       where r.app_id = $1 and r.bucket_time >= q.begin_time and r.bucket_time < q.end_time
         and r.bucket_time <> all ($4::timestamptz[]) offset 0) r
     union all
     select country, currency, outcome, profile_id, payments, captured_minor from (
       select ${DIMENSIONS}, ${MEASURES}
       from unnest($5::timestamptz[], $6::timestamptz[]) l (begin_time, end_time)
         ${createdIn('$1', 'l.begin_time', 'l.end_time')} group by 1, 2, 3, 4) live
     union all
     select d.country, d.currency, d.outcome, d.profile_id, d.payments, d.captured_minor
     from ${daysOf('country')}
   ) quarters where outcome = 'paid' and ($7::bigint is null or profile_id = $7) group by country, currency`,
)

export const selectCountries = (db: Queryable, appId: string, query: SumQuery): Promise<CountrySum[]> =>
  db.query(SUM, sumValues(appId, query))
