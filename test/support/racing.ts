import { expect } from 'vitest'
import { type Queryable, sql } from '../../src/db/database.ts'
import type { TestContext } from './context.ts'

const WAITING = sql<{ count: number }>(
  'test.waiting',
  `select count(*)::int as count from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`,
)

/**
 * Runs two transactions of the same database at the same time: the first is held before its commit until the
 * second has ended, or waits for a lock. Without a lock the second does not see the changes of the first.
 */
export async function raceTransactions<One, Other>(
  ctx: TestContext,
  first: (ctx: TestContext) => Promise<One>,
  second: (ctx: TestContext) => Promise<Other>,
): Promise<[One, Other]> {
  const held = deferred()
  const reached = deferred()
  const transaction = <T>(work: (tx: Queryable) => Promise<T>): Promise<T> =>
    ctx.db.transaction(async (tx) => {
      const result = await work(tx)
      reached.resolve()
      await held.promise
      return result
    })
  const one = first({ ...ctx, db: { ...ctx.db, transaction } })
  await Promise.race([reached.promise, one])
  let hasEnded = false
  const other = second(ctx)
  other.finally(() => {
    hasEnded = true
  })
  await expect.poll(async () => hasEnded || (await ctx.db.query(WAITING))[0]?.count !== 0).toBe(true)
  held.resolve()
  return Promise.all([one, other])
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
