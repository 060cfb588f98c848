import { ApiError, notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { createQueue } from '../node/queue.ts'
import { slot } from '../node/slot.ts'
import { byAccount } from './accounts.ts'
import { dayIn, withBooks } from './books.ts'
import { deriveLedger } from './derive.ts'
import { beginLedgers } from './progress-store.ts'
import { type AccountSum, accountSums, type ClosedMonth, closedMonths, insertMonth } from './read-store.ts'

/** Transactions that a request waits for; the job books the rest. */
const PAGES_OF_REQUEST = 20

/**
 * Reads of one app wait here for each other, so that they hold one database connection and not one each: only
 * one of them books at a time.
 */
const ledgerQueue = slot('ledgerQueue', createQueue, {
  holds: 'reads of the ledger that book first, by app',
  until: 'the end of the last',
  restart: 'nothing: the request ends too',
})

/** So that a read shows what was done before it. Returns whether everything is booked. */
export const updateLedger = (ctx: Context, app: App): Promise<boolean> =>
  ledgerQueue(ctx).serialize(app.appId, async () => {
    await beginLedgers(ctx.db, ctx.clock.now(), app.appId)
    const { isBehind } = await deriveLedger(ctx, app, PAGES_OF_REQUEST)
    return !isBehind
  })

/** Today, in the app's time zone: `2026-11-18`. */
export const todayOf = (ctx: Pick<Context, 'clock'>, app: App): string =>
  dayIn(appNow(ctx, app), app.timeZone)

export interface Balances {
  readonly date: string
  readonly isComplete: boolean
  readonly accounts: readonly AccountSum[]
}

/** Every account at the end of a day, by default today. */
export async function balancesAt(ctx: Context, app: App, day: string | undefined): Promise<Balances> {
  const isComplete = await updateLedger(ctx, app)
  const date = day ?? todayOf(ctx, app)
  const accounts = await accountSums(ctx.db, app.appId, date)
  return { date, isComplete, accounts: accounts.toSorted(byAccount) }
}

export const monthsOf = (ctx: Pick<Context, 'db'>, { appId }: App): Promise<ClosedMonth[]> =>
  closedMonths(ctx.db, appId)

/** Closes a month for good, and with it all months before it. Closing it again changes nothing. */
export async function closeMonth(ctx: Context, app: App, month: string): Promise<ClosedMonth> {
  if (month >= todayOf(ctx, app).slice(0, 7))
    throw new ApiError('not_possible', `${month} has not ended in the time zone of the app, ${app.timeZone}.`)
  // What is in the month and known now is booked in it.
  await updateLedger(ctx, app)
  const closed = await withBooks(ctx, app, async ({ tx, now }) => {
    const isNew = await insertMonth(tx, app.appId, { month, closedTime: now })
    if (isNew) await auditApp(ctx, tx, app, { action: 'ledger.month-closed', target: `month:${month}` })
    return (await closedMonths(tx, app.appId)).find((one) => one.month === month)
  })
  if (!closed) throw notFound('The ledger')
  return closed
}

interface Exported {
  readonly what: 'journal' | 'settlements'
  readonly format: string
  readonly from: string
  readonly to: string
}

/** An export holds what the whole team earns, so the audit log has who made it. */
export async function noteExport(
  ctx: Context,
  app: App,
  { what, format, from, to }: Exported,
): Promise<void> {
  const after = { format, from, to }
  await ctx.db.transaction((tx) =>
    auditApp(ctx, tx, app, { action: 'ledger.exported', target: `ledger:${what}`, after }),
  )
}
