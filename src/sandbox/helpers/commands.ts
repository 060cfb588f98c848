import { DAY, HOUR, MINUTE, SECOND } from '../../base/clock.ts'
import { ApiError, invalid, notFound, wrongField } from '../../base/errors.ts'
import { majorNumber } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/loop.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { forgetApp, loadApp } from '../../merchants/directory.ts'
import { moveDueTimes } from '../../payments/actions.ts'
import type { Payment } from '../../payments/payment.ts'
import { recheck } from '../../payments/provider/recheck.ts'
import { senderOf } from '../../webhooks/delivery/sender.ts'
import type { Sandbox } from '../sandbox.ts'
import { type Control, ControlError, type DisputeRequest, type FaultRequest } from './control.ts'
import { advanceAppClock, listAttempts, listPaymentsOf } from './store.ts'

/** For live apps the paths of the test helpers do not exist. */
export function sandboxOnly(app: App): App {
  if (!app.isSandbox) throw notFound('The path')
  return app
}

/** Calls the bank and converts its refusals to API errors with the bank's message. */
export async function callBank<T>(
  ctx: Context,
  sandbox: Sandbox,
  app: App,
  ask: (bank: Control) => Promise<T>,
): Promise<T> {
  try {
    return await ask(sandbox.control(ctx.http, app.appId))
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    const code = error.status >= 500 ? 'unavailable' : 'not_possible'
    throw new ApiError(code, error.message)
  }
}

export const armFault = (ctx: Context, sandbox: Sandbox, app: App, fault: FaultRequest): Promise<void> =>
  callBank(ctx, sandbox, app, (bank) => bank.armFault(fault))

export const clearFaults = (ctx: Context, sandbox: Sandbox, app: App): Promise<void> =>
  callBank(ctx, sandbox, app, (bank) => bank.clearFaults())

export async function disputePayment(
  ctx: Context,
  sandbox: Sandbox,
  app: App,
  { payment, wish }: { readonly payment: Payment; readonly wish: DisputeRequest },
): Promise<Payment> {
  const { attemptKey } = payment
  if (attemptKey === null) throw new ApiError('not_possible', 'No provider has seen the payment yet.')
  await callBank(ctx, sandbox, app, (bank) => bank.dispute(attemptKey, wish))
  return recheck(ctx, app, payment)
}

/** The bank's ledger for one payment or for all payments of the app. */
export async function readLedger(ctx: Context, sandbox: Sandbox, app: App, paymentId: number | undefined) {
  const attempts = paymentId === undefined ? [] : await listAttempts(ctx.db, app.appId, paymentId)
  if (paymentId !== undefined && attempts.length === 0) return []
  const references = attempts.map((attempt) => attempt.reference)
  const entries = await callBank(ctx, sandbox, app, (bank) => bank.ledger(...references))
  const known =
    paymentId === undefined
      ? await listPaymentsOf(
          ctx.db,
          app.appId,
          entries.map((e) => e.reference),
        )
      : attempts
  const paymentOf = new Map(known.map((attempt) => [attempt.reference, attempt.paymentId]))
  return entries.map((entry) => ({
    paymentId: paymentOf.get(entry.reference) ?? null,
    kind: entry.kind,
    amount: majorNumber(entry.amountMinor, entry.currency),
    currency: entry.currency,
    status: entry.status,
    operationKey: entry.operationKey,
    time: entry.time,
  }))
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }
const MAX_MS = 3_650 * DAY

/** Parses a duration such as "8d", "90m" or "1h30m" to milliseconds. */
function readAdvance(text: string): number {
  const parts = [...text.matchAll(/(\d{1,9})(ms|s|m|h|d|w)/g)]
  const ms = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0)
  if (parts.map(([part]) => part).join('') !== text || ms <= 0 || ms > MAX_MS)
    throw invalid([wrongField('advance', 'must be a duration such as 30s, 90m, 12h or 8d')])
  return ms
}

/** Maximum rounds, because completed work can make further work due. */
const ROUNDS = 10

/**
 * Advances the app's clock, here and at the bank, and runs the work that has become due. `jobs` are the jobs
 * whose due times depend on the app's clock. Decision 0010.
 */
export async function advanceClock(
  ctx: Context,
  sandbox: Sandbox,
  app: App,
  { advance, jobs }: { advance: string; jobs: readonly Job[] },
): Promise<Date> {
  const byMs = readAdvance(advance)
  if (!(await advanceAppClock(ctx.db, app.appId, { byMs, mostMs: MAX_MS })))
    throw new ApiError('not_possible', 'The clock cannot be moved that far in total.')
  // Invalidate the cache first, so that jobs which find due work use the new time.
  forgetApp(ctx, app.appId)
  await moveDueTimes(ctx, app, byMs)
  await callBank(ctx, sandbox, app, (bank) => bank.advanceClock(byMs))
  await settleDue(ctx, app, jobs)
  const moved = await loadApp(ctx, app.appId)
  if (!moved) throw notFound('The app')
  return appNow(ctx, moved)
}

/** Waits for the work of this app only, because a provider or endpoint of another app may hang. */
export async function settleDue(ctx: Context, { appId }: App, jobs: readonly Job[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    let done = 0
    for (const job of jobs) done += (await job.runFor?.(appId)) ?? 0
    done += await ctx.background.settled(appId)
    await senderOf(ctx).idle(appId)
    if (done === 0) return
  }
}
