import { after, DAY, MINUTE } from '../base/clock.ts'
import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import { canSend } from '../mail/queue.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { problemSentence } from '../webhooks/problems.ts'
import { noteAndTell, settlementTeamOf } from './recipients.ts'
import {
  type DegradedProfile,
  degradedProfiles,
  endingAuthorisations,
  type FailingEndpoint,
  failingEndpoints,
  failingSources,
  type Occasion,
  openedExceptions,
  troubleDue,
} from './team-store.ts'

const BATCH = 100
/** Authorised payments of one app that are looked at in a day. */
const MAX_AUTHORISATIONS = 5_000
/** As many as fit on one screen. */
const LISTED = 10

/** Tells teams of webhook endpoints that fail and of providers that have problems, once a day each. */
export const troubleJob = (ctx: Context): Job => ({
  name: 'trouble notices',
  everyMs: MINUTE,
  due: troubleDue(canSend(ctx)),
  async runOnce() {
    const look = { now: ctx.clock.now(), limit: BATCH, canSend: canSend(ctx) }
    for (const endpoint of await failingEndpoints(ctx.db, look)) await tellOfEndpoint(ctx, endpoint)
    for (const profile of await degradedProfiles(ctx.db, look)) await tellOfProfile(ctx, profile)
    // Rows without a recipient stay due; they are looked at again in a minute.
    return 0
  },
})

async function tellOfEndpoint(ctx: Context, failing: FailingEndpoint & Occasion): Promise<void> {
  const { appId, url, since, error, isDisabled, occasion } = failing
  const app = await loadApp(ctx, appId)
  if (!app) return
  const data = {
    endpoint: url,
    since: since.toISOString(),
    error: problemSentence(error),
    isDisabled,
    url: ctx.config.publicUrl + CONSOLE_PAGES.webhooks(appId),
  }
  const notice = { kind: 'endpoint-failing', data: { url, isDisabled } } as const
  await ctx.db.transaction((tx) =>
    noteAndTell(ctx, tx, { app, occasion, notice }, { kind: 'endpoint-failing', data }),
  )
}

async function tellOfProfile(ctx: Context, degraded: DegradedProfile): Promise<void> {
  const { appId, profileId, name, diagnosis, occasion } = degraded
  const app = await loadApp(ctx, appId)
  if (!app) return
  const url = ctx.config.publicUrl + CONSOLE_PAGES.profileOfProvider(appId, profileId)
  const data = { profile: name, diagnosis, url }
  const notice = { kind: 'provider-degraded', data: { profileId, name } } as const
  await ctx.db.transaction((tx) =>
    noteAndTell(ctx, tx, { app, occasion, notice }, { kind: 'provider-degraded', data }),
  )
}

/** Tells the team of authorisations that end within a day. */
export async function mailAuthorisations(
  ctx: Context,
  tx: Queryable,
  app: App,
  appTime: Date,
): Promise<void> {
  const until = after(appTime, DAY)
  const window = { from: appTime, until, limit: MAX_AUTHORISATIONS }
  const ending = await endingAuthorisations(tx, app.appId, window)
  if (ending.length === 0) return
  const data = {
    count: ending.length,
    isMore: ending.length === MAX_AUTHORISATIONS,
    payments: ending.slice(0, LISTED).map(({ reference, amountMinor, currency, until: end }) => ({
      reference,
      amountMinor: String(amountMinor),
      currency,
      until: end.toISOString(),
    })),
    url: ctx.config.publicUrl + CONSOLE_PAGES.authorizedPayments(app.appId),
  }
  const occasion = `authorisations-ending:${appTime.toISOString().slice(0, 10)}`
  const { count, isMore } = data
  const notice = { kind: 'authorisations-ending', data: { count, isMore } } as const
  await noteAndTell(ctx, tx, { app, occasion, notice }, { kind: 'authorisations-ending', data })
}

interface Period {
  readonly from: Date
  readonly until: Date
}

/** One message for all exceptions since the last one, and for sources that fail. */
export async function mailSettlements(ctx: Context, tx: Queryable, app: App, period: Period): Promise<void> {
  const { appId } = app
  const [opened, failing] = [
    await openedExceptions(tx, appId, period),
    await failingSources(tx, appId, LISTED),
  ]
  if (opened.length === 0 && failing.length === 0) return
  const { publicUrl } = ctx.config
  const data = {
    opened,
    failing,
    exceptionsUrl: publicUrl + CONSOLE_PAGES.settlementExceptions(appId),
    sourcesUrl: publicUrl + CONSOLE_PAGES.settlementSources(appId),
  }
  const occasion = `settlements:${period.until.toISOString().slice(0, 10)}`
  const counts = { opened: opened.reduce((sum, { count }) => sum + count, 0), failing: failing.length }
  const notice = { kind: 'settlements', data: counts } as const
  const told = { app, occasion, notice, recipientsOf: settlementTeamOf }
  await noteAndTell(ctx, tx, told, { kind: 'settlements', data })
}
