import { after, type Clock, SECOND } from '../../../base/clock.ts'
import type { Database } from '../../../db/database.ts'
import type { Job } from '../../../jobs/loop.ts'
import type { NodeState } from '../../../node/slot.ts'
import { type PendingPayment, type PendingSearch, pendingSearch } from './pending.ts'
import { writeSearch } from './write-store.ts'

interface Ctx {
  readonly db: Database
  readonly clock: Clock
  readonly node: NodeState<{ readonly clock: Clock }>
}

const WRITE_MS = 250
const BATCH = 500
/** Changes of one quarter are counted together. */
export const ROLLUP_DELAY_MS = 15 * SECOND

/**
 * Writes the rows of `payment_search` of the payments that this node has changed, some at a time; those whose
 * operation is running a little later. Outside the payment's own statement: a failure here never fails a
 * payment. What a crash loses, the catch-up job finds. Decisions 0113, 0245.
 */
export const searchWriterJob = (ctx: Ctx): Job => ({
  name: 'payment search',
  everyMs: WRITE_MS,
  restMs: WRITE_MS,
  runOnce: () => write(ctx, (pending) => pending.takeArrived(BATCH)),
  runFor: (appId) => write(ctx, (pending) => pending.take(BATCH, appId)),
})

/** Before the node stops. */
export const flushAll = (ctx: Ctx): Promise<number> => write(ctx, (pending) => pending.take(BATCH))

/** So that a list shows what was done before on this node. */
export async function flushSearch(ctx: Ctx, appId: string): Promise<void> {
  const pending = pendingSearch(ctx)
  await Promise.allSettled(pending.writing)
  if (pending.has(appId)) await write(ctx, () => pending.take(BATCH, appId))
  // The job may have taken some of them during the wait.
  await Promise.allSettled(pending.writing)
}

/** Writes what is taken, until nothing is. */
async function write(ctx: Ctx, take: (pending: PendingSearch) => readonly PendingPayment[]): Promise<number> {
  const pending = pendingSearch(ctx)
  let written = 0
  for (;;) {
    const payments = take(pending)
    if (payments.length === 0) return written
    const writing = writeBatch(ctx, payments)
    pending.writing.add(writing)
    await writing.finally(() => pending.writing.delete(writing))
    written += payments.length
  }
}

async function writeBatch(ctx: Ctx, payments: readonly PendingPayment[]): Promise<void> {
  try {
    await writeSearch(ctx.db, payments, after(ctx.clock.now(), ROLLUP_DELAY_MS))
  } catch (error) {
    pendingSearch(ctx).putBack(payments)
    throw error
  }
}
