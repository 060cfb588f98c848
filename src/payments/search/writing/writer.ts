import { after, type Clock, SECOND } from '../../../base/clock.ts'
import type { Database } from '../../../db/database.ts'
import type { Job } from '../../../jobs/loop.ts'
import type { NodeState } from '../../../node/slot.ts'
import { type PendingPayment, pendingSearch } from './pending.ts'
import { writeSearch } from './write-store.ts'

interface Ctx {
  readonly db: Database
  readonly clock: Clock
  readonly node: NodeState<unknown>
}

const WRITE_MS = 250
const BATCH = 500
/** Changes of one quarter are counted together. */
export const ROLLUP_DELAY_MS = 15 * SECOND

/**
 * Writes the rows of `payment_search` of the payments that this node has changed, some at a time. Outside the
 * payment's own statement: a failure here never fails a payment. What a crash loses, the catch-up job finds.
 * Decision 0113.
 */
export const searchWriterJob = (ctx: Ctx): Job => ({
  name: 'payment search',
  everyMs: WRITE_MS,
  restMs: WRITE_MS,
  runOnce: () => writePending(ctx),
  runFor: (appId) => writePending(ctx, appId),
})

/** So that a list shows what was done before on this node. */
export async function flushSearch(ctx: Ctx, appId: string): Promise<void> {
  const pending = pendingSearch(ctx)
  await Promise.allSettled(pending.writing)
  if (pending.has(appId)) await writePending(ctx, appId)
  // The job may have taken some of them during the wait.
  await Promise.allSettled(pending.writing)
}

async function writePending(ctx: Ctx, appId?: string): Promise<number> {
  const { db, clock } = ctx
  const pending = pendingSearch(ctx)
  let written = 0
  for (;;) {
    const payments = pending.take(BATCH, appId)
    if (payments.length === 0) return written
    const writing = write(payments)
    pending.writing.add(writing)
    await writing.finally(() => pending.writing.delete(writing))
    written += payments.length
  }

  async function write(payments: readonly PendingPayment[]): Promise<void> {
    try {
      await writeSearch(db, payments, after(clock.now(), ROLLUP_DELAY_MS))
    } catch (error) {
      pending.putBack(payments)
      throw error
    }
  }
}
