import { after, MINUTE } from '../base/clock.ts'
import { errorData } from '../base/log.ts'
import type { Context } from '../context.ts'
import { type Due, isDataError, type Queryable } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import { addMinutes, appsWithOldCalls, insertApiLines, oldApiLinesDue, removeOldCalls } from './api/store.ts'
import { LOGS } from './limits.ts'
import {
  appsWithOldPageViews,
  insertPageViews,
  oldPageViewsDue,
  removeOldPageViews,
} from './page-views/store.ts'
import {
  appsWithOldProviderCalls,
  insertProviderLines,
  oldProviderLinesDue,
  removeOldProviderCalls,
} from './provider/store.ts'
import type { LogQueue } from './queue.ts'
import { logs } from './state.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'log' | 'node'>

/** Writes the lines of this process. Runs in every role: each process has its own. */
export const logWritingJob = (ctx: Ctx): Job => {
  const report = createReport(ctx)
  return {
    name: 'log writing',
    everyMs: LOGS.flushMs,
    restMs: LOGS.flushMs,
    async runOnce() {
      const written = await writeLogs(ctx)
      report()
      return written
    },
  }
}

/**
 * Writes all lines that wait, after those that are being written. What cannot be written is counted and lost:
 * no queue grows with an outage.
 */
export function writeLogs(ctx: Ctx): Promise<number> {
  const state = logs(ctx)
  const written = state.writing.then(() => writeWaiting(ctx))
  state.writing = written.catch(() => {})
  return written
}

async function writeWaiting(ctx: Ctx): Promise<number> {
  const { api, provider, visits } = logs(ctx)
  const written = await Promise.all([
    writeQueue(ctx, api.queue, insertApiLines),
    writeQueue(ctx, provider.queue, insertProviderLines),
    writeQueue(ctx, visits, (db, lines) =>
      insertPageViews(db, lines, after(ctx.clock.now(), LOGS.visits.countedAfterMs)),
    ),
    writeBatch(ctx, api.minutes.take(), addMinutes),
  ])
  return written.reduce((sum, count) => sum + count, 0)
}

type Insert<Line> = (db: Queryable, lines: readonly Line[]) => Promise<void>

async function writeQueue<Line>(ctx: Ctx, queue: LogQueue<Line>, insert: Insert<Line>): Promise<number> {
  let written = 0
  for (let batch = queue.take(); batch.length > 0; batch = queue.take())
    written += await writeBatch(ctx, batch, insert)
  return written
}

async function writeBatch<Line>(ctx: Ctx, batch: readonly Line[], insert: Insert<Line>): Promise<number> {
  if (batch.length === 0) return 0
  try {
    await insert(ctx.db, batch)
    return batch.length
  } catch (error) {
    // One line failed the statement for all. Nothing was written, so write each alone.
    if (batch.length > 1 && isDataError(error)) {
      let written = 0
      for (const line of batch) written += await writeBatch(ctx, [line], insert)
      return written
    }
    ctx.log.warn('logs.not_written', { count: batch.length, ...errorData(error) })
    logs(ctx).leftOut += batch.length
    return 0
  }
}

/** Logs the number of lines that were left out, once a minute at most. */
function createReport(ctx: Ctx): () => void {
  let reportedMs = Number.NEGATIVE_INFINITY
  return () => {
    const state = logs(ctx)
    const nowMs = ctx.clock.now().getTime()
    if (state.leftOut === 0 || nowMs - reportedMs < MINUTE) return
    reportedMs = nowMs
    ctx.log.warn('logs.left_out', { count: state.leftOut })
    state.leftOut = 0
  }
}

interface Removal {
  readonly name: string
  readonly due: Due
  readonly keptMs: number
  readonly apps: (db: Queryable, now: Date) => Promise<string[]>
  readonly remove: (
    db: Queryable,
    appId: string,
    step: { readonly before: Date; readonly limit: number },
  ) => Promise<number>
}

const REMOVALS: readonly Removal[] = [
  {
    name: 'API log removal',
    due: oldApiLinesDue,
    keptMs: LOGS.api.keptMs,
    apps: appsWithOldCalls,
    remove: removeOldCalls,
  },
  {
    name: 'provider log removal',
    due: oldProviderLinesDue,
    keptMs: LOGS.provider.keptMs,
    apps: appsWithOldProviderCalls,
    remove: removeOldProviderCalls,
  },
  {
    name: 'page visit removal',
    due: oldPageViewsDue,
    keptMs: LOGS.visits.keptMs,
    apps: appsWithOldPageViews,
    remove: removeOldPageViews,
  },
]

/** Delete old lines, one small batch of each app in a run; the next run follows while there are more. */
export const logRemovalJobs = (ctx: Pick<Context, 'db' | 'clock'>): Job[] =>
  REMOVALS.map(({ name, due, keptMs, apps, remove }) => ({
    name,
    everyMs: LOGS.removalEveryMs,
    due: [due],
    async runOnce() {
      const now = ctx.clock.now()
      const step = { before: after(now, -keptMs), limit: LOGS.removalBatch }
      let removed = 0
      for (const appId of await apps(ctx.db, now)) removed += await remove(ctx.db, appId, step)
      return removed
    },
  }))
