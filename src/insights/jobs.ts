import { after, SECOND } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { LOGS } from '../logs/limits.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { countCountries } from './countries-store.ts'
import { countDays } from './days-store.ts'
import { countPageViews } from './page-views-store.ts'
import { claimBuckets, countBuckets, rollupsDue } from './rollup-store.ts'

const PER_APP = 5
const PER_RUN = 20

/** Counts the quarters again in which payments have changed. */
export const rollupsJob = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'rollups',
  everyMs: 5 * SECOND,
  due: [rollupsDue],
  runOnce: () =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const buckets = await claimBuckets(tx, { now, perApp: PER_APP, limit: PER_RUN })
      if (buckets.length === 0) return 0
      await countBuckets(tx, buckets)
      await countCountries(tx, buckets)
      await countDays(tx, buckets)
      await countPageViews(tx, buckets, after(now, -LOGS.visits.keptMs))
      return buckets.length
    }),
})

export const clearInsights = clearTables([
  'rollup_queue',
  'payment_rollups',
  'country_rollups',
  'day_rollups',
  'latency_rollups',
  'visit_rollups',
])
