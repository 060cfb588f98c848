import { SECOND } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import { analyseYoungTables } from '../db/statistics.ts'
import type { Job } from './loop.ts'

/** Keeps planner statistics of growing tables current. Simulations leave it out: only speed depends on it. */
export const statisticsJob = ({ db }: { readonly db: Database }): Job => ({
  name: 'statistics',
  everyMs: 2 * SECOND,
  restMs: 2 * SECOND,
  runOnce: () => analyseYoungTables(db),
})
