import { after, MINUTE } from '../base/clock.ts'
import { LIMITS } from '../base/limits.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { forgetKeys } from './store.ts'

/** Small enough that no request waits for the locks of one batch. */
const BATCH = 500

/** Forgets keys a day after their request. */
export const idempotencyJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'idempotency',
  everyMs: 10 * MINUTE,
  runOnce: () => forgetKeys(ctx.db, after(ctx.clock.now(), -LIMITS.idempotencyKeptMs), BATCH),
})
