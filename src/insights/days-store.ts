import { DAY } from '../base/clock.ts'
import { type Queryable, sql } from '../db/database.ts'
import { type Bucket, MEASURES } from './rollup-store.ts'

/** Rollups of whole days of UTC, counted from those of their quarters. Decision 0176. */

const DAYS = 'unnest($1::text[], $2::timestamptz[]) b (app_id, day_time)'
const COLUMNS = 'currency, profile_id, method, state, flow, reason, country, outcome'

/** The rows of a part: the columns that they share, others empty. */
const partOf = (part: string, shared: readonly string[]): string =>
  `select b.app_id, '${part}' as part, b.day_time, ${COLUMNS.split(', ')
    .map((name) => (shared.includes(name) ? `r.${name}` : name === 'profile_id' ? '0' : `''`))
    .join(', ')}`

const quartersOf = (days: string, table: string): string =>
  `from ${days} cross join lateral (
     select * from ${table} r where r.app_id = b.app_id
       and r.bucket_time >= b.day_time and r.bucket_time < b.day_time + interval '24 hours' offset 0) r`

const grouped = (shared: readonly string[]): string =>
  `group by b.app_id, b.day_time, ${shared.map((name) => `r.${name}`).join(', ')}`

const SUMMED = MEASURES.split(', ')
const sums = (names: readonly string[]): string =>
  SUMMED.map((name) => (names.includes(name) ? `sum(r.${name})` : '0')).join(', ')

const MONEY = ['currency', 'profile_id', 'method', 'outcome']
const STANDING = ['state', 'flow', 'reason', 'outcome']
const COUNTRY = ['currency', 'country', 'outcome']

/**
 * Two nodes may count quarters of the same day: the second waits, and then sees what the first has counted.
 * The locks are taken in the order of their keys.
 */
const LOCK = sql<never>(
  'dayRollups.lock',
  `select pg_advisory_xact_lock(hashtextextended(k.key, 0))
   from (select b.app_id || b.day_time as key from ${DAYS} order by 1) k`,
)

const CLEAR = sql<never>(
  'dayRollups.clear',
  `delete from day_rollups r using ${DAYS} where r.app_id = b.app_id
     and r.part in ('money', 'standing', 'country') and r.day_time = b.day_time`,
)

/** Counts the days `b (app_id, day_time)`. */
export const countDaysOf = (days: string): string =>
  `insert into day_rollups (app_id, part, day_time, ${COLUMNS}, ${MEASURES})
   ${partOf('money', MONEY)}, ${sums(SUMMED)} ${quartersOf(days, 'payment_rollups')} ${grouped(MONEY)}
   union all
   ${partOf('standing', STANDING)}, ${sums(SUMMED)} ${quartersOf(days, 'payment_rollups')}
   ${grouped(STANDING)}
   union all
   ${partOf('country', COUNTRY)}, ${sums(['payments', 'captured_minor'])}
   ${quartersOf(days, 'country_rollups')} where r.outcome = 'paid' ${grouped(COUNTRY)}`

const COUNT = sql<never>('dayRollups.count', countDaysOf(DAYS))

/** Counts the days of these quarters again, after the quarters in the same transaction. */
export async function countDays(tx: Queryable, buckets: readonly Bucket[]): Promise<void> {
  const days = new Map(
    buckets.map(({ appId, bucketTime }) => {
      const day = new Date(Math.floor(bucketTime.getTime() / DAY) * DAY)
      return [`${appId} ${day.getTime()}`, { appId, day }] as const
    }),
  )
  const values = [[...days.values()].map(({ appId }) => appId), [...days.values()].map(({ day }) => day)]
  for (const statement of [LOCK, CLEAR, COUNT]) await tx.query(statement, values)
}

/** The rows `d` of a part in the days from `$8` on, before `$9`, of the app `$1`. */
export const daysOf = (part: 'money' | 'standing' | 'country'): string =>
  `unnest($8::timestamptz[], $9::timestamptz[]) y (begin_time, end_time) cross join lateral (
     select d.* from day_rollups d where d.app_id = $1 and d.part = '${part}'
       and d.day_time >= y.begin_time and d.day_time < y.end_time offset 0) d`
