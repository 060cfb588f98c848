import { after, DAY, MINUTE } from '../base/clock.ts'
import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import type { Mail } from '../mail/kinds.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { settlementTeamOf, teamOf, tellTeam } from './recipients.ts'
import {
  degradedProfiles,
  endingAuthorisations,
  failingEndpoints,
  failingSources,
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
  name: 'trouble e-mails',
  everyMs: MINUTE,
  due: troubleDue,
  async runOnce() {
    const now = ctx.clock.now()
    const endpoints = await failingEndpoints(ctx.db, now, BATCH)
    for (const { appId, url, since, error, isDisabled, occasion } of endpoints)
      await tell(ctx, appId, occasion, {
        kind: 'endpoint-failing',
        data: {
          endpoint: url,
          since: since.toISOString(),
          error,
          isDisabled,
          url: ctx.config.publicUrl + CONSOLE_PAGES.webhooks(appId),
        },
      })
    const profiles = await degradedProfiles(ctx.db, now, BATCH)
    for (const { appId, profileId, name, diagnosis, occasion } of profiles)
      await tell(ctx, appId, occasion, {
        kind: 'provider-degraded',
        data: {
          profile: name,
          diagnosis,
          url: ctx.config.publicUrl + CONSOLE_PAGES.profileOfProvider(appId, profileId),
        },
      })
    // Rows without a recipient stay due; they are looked at again in a minute.
    return 0
  },
})

async function tell(ctx: Context, appId: string, occasion: string, mail: Mail): Promise<void> {
  const app = await loadApp(ctx, appId)
  if (!app) return
  await ctx.db.transaction(async (tx) =>
    tellTeam(ctx, tx, { appId, occasion, recipients: await teamOf(tx, app) }, mail),
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
  const recipients = await teamOf(tx, app)
  await tellTeam(ctx, tx, { appId: app.appId, occasion, recipients }, { kind: 'authorisations-ending', data })
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
  const recipients = await settlementTeamOf(tx, app)
  await tellTeam(ctx, tx, { appId, occasion, recipients }, { kind: 'settlements', data })
}
