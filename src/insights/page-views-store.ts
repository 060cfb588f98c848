import { type Queryable, sql } from '../db/database.ts'
import { BUCKETS, type Bucket, createdIn, IN_BUCKET } from './rollup-store.ts'
import type { SumQuery } from './sums-store.ts'

/** Payments whose page was opened, and those whose payer chose a method. */
export interface PageViewSum {
  readonly opened: number
  readonly chosen: number
}

/** How far the payer of a payment `s` came. */
const steps = (app: string): string =>
  `cross join lateral (
     select bool_or(v.step = 'opened') as is_opened, bool_or(v.step = 'chosen') as is_chosen
     from page_visits v where v.app_id = ${app} and v.payment_id = s.payment_id offset 0) v`

const COUNTED = `count(*) filter (where v.is_opened) as opened, count(*) filter (where v.is_chosen) as chosen`

/** `$3`: page views from then on are complete. Older quarters keep what was counted before. */
const CLEAR = sql(
  'visitRollups.clear',
  `delete from visit_rollups r using ${BUCKETS}
   where r.app_id = b.app_id and r.bucket_time = b.bucket_time and b.bucket_time >= $3`,
)

const COUNT = sql(
  'visitRollups.count',
  `insert into visit_rollups (app_id, bucket_time, opened, chosen)
   select b.app_id, b.bucket_time, ${COUNTED}
   from ${BUCKETS} ${IN_BUCKET} ${steps('b.app_id')}
   where b.bucket_time >= $3 and (v.is_opened or v.is_chosen)
   group by b.app_id, b.bucket_time`,
)

/** Counts the views of these quarters again, after `claimBuckets` in the same transaction. */
export async function countPageViews(tx: Queryable, buckets: readonly Bucket[], since: Date): Promise<void> {
  const values = [buckets.map(({ appId }) => appId), buckets.map(({ bucketTime }) => bucketTime), since]
  for (const statement of [CLEAR, COUNT]) await tx.query(statement, values)
}

/**
 * `$1` app, `$2` to `$3` rollups, `$4` quarters that are read live, `$5` and `$6` the beginnings and ends of
 * what is read live. Page views have no profile.
 */
const SUM = sql<PageViewSum>(
  'visitRollups.sum',
  `select coalesce(sum(opened), 0)::bigint as opened, coalesce(sum(chosen), 0)::bigint as chosen from (
     select r.opened, r.chosen from visit_rollups r
     where r.app_id = $1 and r.bucket_time >= $2 and r.bucket_time < $3
       and r.bucket_time <> all ($4::timestamptz[])
     union all
     select ${COUNTED}
     from unnest($5::timestamptz[], $6::timestamptz[]) l (begin_time, end_time)
       ${createdIn('$1', 'l.begin_time', 'l.end_time')} ${steps('$1')}
   ) quarters`,
)

export async function selectPageViews(
  db: Queryable,
  appId: string,
  { from, to, without, live }: SumQuery,
): Promise<PageViewSum> {
  const ends = [live.map(({ begin }) => begin), live.map(({ end }) => end)]
  const [row] = await db.query(SUM, [appId, from, to, without, ...ends])
  return row ?? { opened: 0, chosen: 0 }
}
