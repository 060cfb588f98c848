import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { App } from '../merchants/app.ts'
import { settlementTeamOf, tellTeam } from './recipients.ts'
import { failingSources, openedExceptions } from './settlements-store.ts'

/** As many as fit on one screen. */
const LISTED = 10

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
