import { after, DAY, MINUTE } from '../base/clock.ts'
import { newLeaseToken } from '../base/ids.ts'
import { sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { type App, appNow, findProfile, type Profile } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { callProvider } from '../merchants/profiles/call.ts'
import { countUnlisted } from '../payments/provider/outcome/unlisted.ts'
import type { NotDone, Unknown } from '../providers/outcome.ts'
import type { Settlements } from '../providers/port.ts'
import type { SettledPage, SettlementWindow } from '../providers/settlement.ts'
import { SETTLEMENTS } from './limits.ts'
import { settlementsOf } from './matching/judging.ts'
import { judgePayouts } from './payouts.ts'
import { importPage } from './reports/import.ts'
import { reportQueue } from './reports/queue.ts'
import {
  claimSources,
  type SettlementSource,
  type SourceProgress,
  saveSource,
  sourcesDue,
} from './store/sources.ts'

/** Name and topic of the job. */
export const READING = 'settlement sources'

/** Reads the settlements of profiles from their providers, in windows of time. */
export const sourcesJob = (ctx: Context): Job =>
  rowJob<SettlementSource>(ctx, {
    name: READING,
    everyMs: MINUTE,
    due: [sourcesDue],
    claim: (share) => {
      const now = ctx.clock.now()
      const token = newLeaseToken(ctx.random)
      return claimSources(ctx.db, { now, until: after(now, SETTLEMENTS.leaseMs), token, share })
    },
    work: (source) => readSource(ctx, source),
  })

async function readSource(ctx: Context, source: SettlementSource): Promise<void> {
  const app = await loadApp(ctx, source.appId)
  const profile = app && findProfile(app, source.profileId)
  const declared = profile && settlementsOf(ctx, profile)
  if (!app || !profile || !declared?.read) {
    await saveSource(ctx.db, source, failed(source, ctx.clock.now(), { code: 'unsupported' }))
    return
  }
  let current: SettlementSource | undefined = source
  for (let page = 0; page < SETTLEMENTS.pages && current; page++)
    current = await readPage(ctx, { app, profile }, declared, current)
  // More is to be read: another claim follows at once.
  if (current) await saveSource(ctx.db, current, { ...current, dueTime: appNow(ctx, app) })
}

interface Place {
  readonly app: App
  readonly profile: Profile
}

/** Returns the source as it is then, or undefined when nothing is to be read now or the lease is lost. */
async function readPage(
  ctx: Context,
  { app, profile }: Place,
  declared: Settlements,
  source: SettlementSource,
): Promise<SettlementSource | undefined> {
  const now = appNow(ctx, app)
  const window = windowOf(source, declared, now)
  const read = await callProvider(
    { ...ctx, subject: { step: 'settlement' } },
    app,
    profile,
    async (adapter, provider) =>
      adapter.settlements?.read?.(provider, window, source.pageCursor ?? undefined) ?? UNSUPPORTED,
  )
  if (read.kind !== 'page') {
    ctx.log.warn('settlement.not_read', { appId: app.appId, profileId: profile.profileId, why: read.why })
    await saveSource(ctx.db, source, afterFailure(source, now, read))
    return undefined
  }
  for (const value of read.unlisted ?? []) countUnlisted(ctx, profile, value)
  const isNothing = read.lines.length + read.payouts.length + read.bad.length === 0
  const isEnd = read.next === undefined
  await reportQueue(ctx).serialize(app.appId, async () => {
    if (!isNothing) await importPage(ctx, app, profile, { source: 'api', page: read, digest: digestOf(read) })
    if (isEnd) await judgePayouts(ctx, app, profile)
  })
  const progress = isEnd ? windowRead(window, now) : pageRead(source, window, { next: read.next, now })
  const isUpToDate = isEnd && window.until >= after(now, -MINUTE)
  const dueTime = after(now, isUpToDate ? SETTLEMENTS.readEveryMs : SETTLEMENTS.leaseMs)
  const isOurs = await saveSource(ctx.db, source, { ...progress, dueTime })
  return isOurs && !isUpToDate ? { ...source, ...progress, dueTime } : undefined
}

const UNSUPPORTED: NotDone = { kind: 'not-done', why: 'unsupported' }

/** Windows overlap, as lines may come late. The same window is read until its last page. */
function windowOf(
  { readUntil, beginTime, windowUntil }: Pick<SettlementSource, 'readUntil' | 'beginTime' | 'windowUntil'>,
  { overlapDays, maxWindowDays }: Pick<Settlements, 'overlapDays' | 'maxWindowDays'>,
  now: Date,
): SettlementWindow {
  const overlapMs = Math.min(overlapDays, maxWindowDays / 2) * DAY
  const from = readUntil ? after(readUntil, -overlapMs) : beginTime
  const longest = after(from, maxWindowDays * DAY)
  return { from, until: windowUntil ?? (longest < now ? longest : now) }
}

type Progress = Omit<SourceProgress, 'dueTime'>

const windowRead = ({ until }: SettlementWindow, now: Date): Progress => ({
  ...{ readUntil: until, windowUntil: null, pageCursor: null, coveredUntil: until },
  ...{ lastReadTime: now, tries: 0, problem: null },
})

const pageRead = (
  { readUntil, coveredUntil }: SettlementSource,
  { until }: SettlementWindow,
  { next, now }: { readonly next: string | undefined; readonly now: Date },
): Progress => ({
  ...{ readUntil, windowUntil: until, pageCursor: next ?? null, coveredUntil },
  ...{ lastReadTime: now, tries: 0, problem: null },
})

/** The same page is read again; a cursor that the provider has forgotten begins the window anew. */
function afterFailure(source: SettlementSource, now: Date, read: NotDone | Unknown): SourceProgress {
  const message = read.raw?.message
  const problem = { code: read.why, ...(message === undefined ? {} : { message: message.slice(0, 300) }) }
  const isForgotten = read.kind === 'not-done' && (read.why === 'bad-request' || read.why === 'not-found')
  const later = failed(isForgotten ? { ...source, pageCursor: null } : source, now, problem)
  const { retryAfter } = read.kind === 'not-done' ? read : {}
  return retryAfter && retryAfter > later.dueTime ? { ...later, dueTime: retryAfter } : later
}

function failed(source: SettlementSource, now: Date, problem: SettlementSource['problem']): SourceProgress {
  const { readPauseMs, readLongestPauseMs } = SETTLEMENTS
  const pauseMs = Math.min(readLongestPauseMs, readPauseMs * 2 ** Math.min(source.tries, 30))
  return { ...source, tries: source.tries + 1, problem, dueTime: after(now, pauseMs) }
}

/** The same page again has the same digest. */
const digestOf = ({ lines, payouts, bad }: SettledPage): Uint8Array =>
  sha256(
    JSON.stringify({ lines, payouts, bad }, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  )
