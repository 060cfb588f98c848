import { after, MINUTE, SECOND } from '../base/clock.ts'
import type { Context } from '../context.ts'
import { forEachApp } from '../jobs/each-app.ts'
import type { Job } from '../jobs/loop.ts'
import { type App, appNow } from '../merchants/app.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { loadApp } from '../merchants/directory.ts'
import { deriveLedger } from './derive.ts'
import { countFees } from './fees.ts'
import { beginLedgers, claimLedgers, isArriving, ledgerDue, nextTurnAt } from './progress-store.ts'

const EVERY_MS = 5 * SECOND
/** Reads book what is missing themselves, so an app's turn need not come sooner. */
const TURN_MS = 30 * SECOND
const APPS = 20
/** Transactions of one turn, some seconds. An app with more has its next turn at once, behind the others. */
const PAGES = 10
const NAME = 'ledger'
/** While lines arrive they are matched first, and booked when none came for this long. Decision 0210. */
const ARRIVING_MS = 5 * SECOND
const MOST_ARRIVING_MS = 2 * MINUTE

/** Derives the ledgers of apps with settlements, beside their payments. */
export const ledgerJob = (ctx: Context): Job => ({
  name: NAME,
  everyMs: EVERY_MS,
  due: ledgerDue,
  async runOnce() {
    const now = ctx.clock.now()
    await beginLedgers(ctx.db, now)
    const apps = await claimLedgers(ctx.db, { now, until: after(now, TURN_MS), limit: APPS })
    const booked = await forEachApp(ctx, apps, { job: NAME, work: ({ appId }) => takeTurn(ctx, appId) })
    return apps.length === APPS ? apps.length : booked
  },
  async runFor(appId) {
    await beginLedgers(ctx.db, ctx.clock.now(), appId)
    return deriveFor(ctx, appId)
  },
})

async function takeTurn(ctx: Context, appId: string): Promise<number> {
  const app = await loadApp(ctx, appId)
  if (!app || !(await isBusy(ctx, app))) return deriveFor(ctx, appId)
  await nextTurnAt(ctx.db, appId, after(ctx.clock.now(), ARRIVING_MS))
  return 0
}

function isBusy(ctx: Context, app: App): Promise<boolean> {
  const now = appNow(ctx, app)
  const times = { newest: after(now, -ARRIVING_MS), oldest: after(now, -MOST_ARRIVING_MS) }
  return isArriving(ctx.db, app.appId, times)
}

/** Returns the number of entries. */
async function deriveFor(ctx: Context, appId: string): Promise<number> {
  const app = await loadApp(ctx, appId)
  if (!app) return 0
  const { entries, isBehind } = await deriveLedger(ctx, app, PAGES)
  await countFees(ctx, app)
  if (isBehind) await nextTurnAt(ctx.db, appId, ctx.clock.now())
  return entries
}

/** The progress goes first: a derivation holds its row until it ends, and there is none without it. */
export const clearLedger = clearTables([
  'ledger_progress',
  'ledger_postings',
  'ledger_entries',
  'ledger_days',
  'ledger_fees',
  'ledger_fee_progress',
  'ledger_payments',
  'ledger_payouts',
  'ledger_months',
])
