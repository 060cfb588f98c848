import { after, MINUTE } from '../base/clock.ts'
import type { Context } from '../context.ts'
import { forEachApp } from '../jobs/each-app.ts'
import type { Job } from '../jobs/loop.ts'
import { type App, appNow, findProfile } from '../merchants/app.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { loadApp } from '../merchants/directory.ts'
import { folderJob } from './folder.ts'
import { SETTLEMENTS } from './limits.ts'
import { judgePayments } from './matching/judging.ts'
import { catchUp } from './matching/progress.ts'
import { recheckUnseen } from './matching/recheck.ts'
import { findUnpaid } from './payouts.ts'
import { sourcesJob } from './sources.ts'
import { closeSubjects, subjectOfLine } from './store/exceptions.ts'
import { duePayments } from './store/judged.ts'
import {
  appsWithWaiting,
  claimWaiting,
  matchLines,
  releaseLines,
  type WaitingLine,
  waitingDue,
} from './store/matches.ts'
import { appsWithEvents, postponeProgress, progressDue, undonePayments, writeKeys } from './store/progress.ts'
import { oldRowsDue, type ProfileKey, removeOldRows } from './store/reports.ts'
import { missingDue, sourcesOf, sourcesWithMissing, sourcesWithUnpaid, unpaidDue } from './store/sources.ts'

export const settlementJobs = (ctx: Context): Job[] => [
  sourcesJob(ctx),
  progressJob(ctx),
  waitingJob(ctx),
  missingJob(ctx),
  unpaidJob(ctx),
  rowRemovalJob(ctx),
  ...(ctx.config.settlementFolder === undefined ? [] : [folderJob(ctx, ctx.config.settlementFolder)]),
]

const APPS = 20

/** Runs the work of one app, or nothing when the app is gone. */
async function withApp(ctx: Context, appId: string, work: (app: App) => Promise<number>): Promise<number> {
  const app = await loadApp(ctx, appId)
  return app ? work(app) : 0
}

/** Compares payments again that have changed since, and stores their ids for matching. */
const progressJob = (ctx: Context): Job => {
  const name = 'settlement progress'
  const run = async (app: App) => ((await catchUp(ctx, app, 1)) ? 1 : 0)
  return {
    name,
    everyMs: SETTLEMENTS.eventsEveryMs,
    due: [progressDue],
    async runOnce() {
      const apps = await appsWithEvents(ctx.db, ctx.clock.now(), APPS)
      const later = after(ctx.clock.now(), SETTLEMENTS.failurePauseMs)
      return forEachApp(ctx, apps, {
        job: name,
        work: ({ appId }) => withApp(ctx, appId, run),
        failed: ({ appId }) => postponeProgress(ctx.db, appId, later),
      })
    },
    runFor: (appId) => withApp(ctx, appId, run),
  }
}

/** Matches lines again that came before their payment. */
const waitingJob = (ctx: Context): Job => {
  const name = 'settlement matching'
  const match = (appId: string) => withApp(ctx, appId, (app) => matchWaiting(ctx, app))
  return {
    name,
    everyMs: MINUTE,
    due: [waitingDue],
    runOnce: async () =>
      forEachApp(ctx, await appsWithWaiting(ctx.db, ctx.clock.now()), {
        job: name,
        work: ({ appId }) => match(appId),
      }),
    runFor: match,
  }
}

async function matchWaiting(ctx: Context, app: App): Promise<number> {
  await catchUp(ctx, app)
  const { appId, licenseId } = app
  const now = appNow(ctx, app)
  const { count, unseen } = await ctx.db.transaction(async (tx) => {
    const lines = await claimWaiting(tx, appId, now, SETTLEMENTS.batchLines)
    const [first] = lines
    if (!first) return { count: 0, unseen: [] }
    const { profileId } = first
    const since = after(now, -SETTLEMENTS.keysBeforeMs)
    const undone = await undonePayments(tx, appId, since, SETTLEMENTS.events)
    await writeKeys(tx, appId, undone, SETTLEMENTS.idLength)
    const matches = await matchLines(
      tx,
      { appId, profileId },
      lines.map(({ lineId }) => lineId),
    )
    const found = matches.map(({ lineId }) => lineId)
    const ended = lines.filter((line) => isGivenUp(line)).map(({ lineId }) => lineId)
    await releaseLines(tx, appId, [...found, ...ended])
    const writing = { appId, profileId, licenseId, now }
    await closeSubjects(tx, writing, 'unknown', found.map(subjectOfLine))
    const paymentIds = [...new Set(matches.map(({ paymentId }) => paymentId))]
    return { count: lines.length, unseen: await judgePayments(ctx, tx, app, paymentIds) }
  })
  recheckUnseen(ctx, app, unseen)
  return count
}

/** After months the line is foreign: taken elsewhere with the same account. Its exception stays open. */
const isGivenUp = ({ tries }: WaitingLine): boolean => tries >= SETTLEMENTS.matchTries

const MISSING = 'missing settlements'

/** Finds payments whose line has not come. */
const missingJob = (ctx: Context): Job => ({
  name: MISSING,
  everyMs: MINUTE,
  due: [missingDue],
  runOnce: async () =>
    forEachApp(ctx, await sourcesWithMissing(ctx.db, ctx.clock.now()), {
      job: MISSING,
      work: (source) => withApp(ctx, source.appId, (app) => judgeDue(ctx, app, source)),
    }),
  runFor: (appId) =>
    withApp(ctx, appId, async (app) => {
      let done = 0
      for (const source of await sourcesOf(ctx.db, appId)) done += await judgeDue(ctx, app, source)
      return done
    }),
})

async function judgeDue(ctx: Context, app: App, source: ProfileKey): Promise<number> {
  const known = (await sourcesOf(ctx.db, app.appId)).find(({ profileId }) => profileId === source.profileId)
  const now = appNow(ctx, app)
  if (!known?.coveredUntil) return 0
  const until = known.coveredUntil < now ? known.coveredUntil : now
  const { count, unseen } = await ctx.db.transaction(async (tx) => {
    const due = await duePayments(tx, known, until, SETTLEMENTS.duePayments)
    return { count: due.length, unseen: await judgePayments(ctx, tx, app, due) }
  })
  recheckUnseen(ctx, app, unseen)
  return count
}

/** Finds lines that are in no payout. */
const unpaidJob = (ctx: Context): Job => {
  const check = (source: ProfileKey) =>
    withApp(ctx, source.appId, async (app) => {
      const profile = findProfile(app, source.profileId)
      return profile ? findUnpaid(ctx, app, profile) : 0
    })
  const name = 'unpaid settlements'
  const checkAll = (sources: readonly ProfileKey[]) => forEachApp(ctx, sources, { job: name, work: check })
  return {
    name,
    everyMs: 10 * MINUTE,
    due: [unpaidDue],
    runOnce: async () => checkAll(await sourcesWithUnpaid(ctx.db, ctx.clock.now())),
    runFor: async (appId) => checkAll(await sourcesOf(ctx.db, appId)),
  }
}

/** Raw rows are removed after 13 months; lines are kept. */
const rowRemovalJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'settlement row removal',
  everyMs: SETTLEMENTS.removalEveryMs,
  due: [oldRowsDue],
  runOnce: () => removeOldRows(ctx.db, ctx.clock.now(), SETTLEMENTS.removalBatch),
})

export const clearSettlements = clearTables([
  'settlement_rows',
  'settlement_matches',
  'settlement_waiting',
  'settlement_keys',
  'settlement_states',
  'settlement_exceptions',
  'settlement_lines',
  'settlement_reports',
  'payouts',
])
