import { MINUTE } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { forgetKeys, keysDue } from './store.ts'

/** Small enough that the locks of one batch delay no request. */
const BATCH = 500

/** Deletes keys a day after their request. */
export const idempotencyJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'idempotency',
  everyMs: 10 * MINUTE,
  due: [keysDue],
  runOnce: () => forgetKeys(ctx.db, ctx.clock.now(), BATCH),
})

/** Stored answers of a sandbox app that is emptied: they tell of payments that are gone. */
export const clearRepeats = clearTables(['idempotency_keys'])
