import { after, DAY, SECOND } from '../base/clock.ts'
import { LIMITS, NEEDS_ATTENTION_MS, recheckPause } from '../base/limits.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { type App, appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { newLease } from './lease.ts'
import type { OperationRecord } from './payment.ts'
import { summary } from './provider/merge-facts.ts'
import { followHint } from './provider/movements/follow-hint.ts'
import { recover } from './provider/recheck.ts'
import { claimDueOperations, operationsDue, postponeOperation } from './store/operations.ts'
import { findPayment } from './store/payments.ts'
import {
  claimDueTimers,
  claimLateRechecks,
  type LateRecheck,
  lateRechecksDue,
  planLateRecheck,
  type Timer,
  timersDue,
} from './store/timers.ts'
import { onTimer } from './timers/close.ts'

const POLL_MS = SECOND

/** Recovers unfinished operations after a crash, a timeout or a missing reply. */
export const operationsJob = (ctx: Context): Job =>
  rowJob<OperationRecord>(ctx, {
    name: 'operations',
    everyMs: POLL_MS,
    due: [operationsDue],
    claim: (share) => claimDueOperations(ctx.db, { ...newLease(ctx), share }),
    work: (operation) => recoverOperation(ctx, operation),
    // Not before the lease would have expired, with a growing pause.
    failed: (operation) =>
      postponeOperation(ctx.db, operation, {
        due: after(ctx.clock.now(), Math.max(LIMITS.operationLeaseMs, recheckPause(operation.tries))),
        outcome: summary('error'),
      }),
  })

/** Link expiry and authorisation windows. */
export const timersJob = (ctx: Context): Job =>
  rowJob<Timer>(ctx, {
    name: 'timers',
    everyMs: POLL_MS,
    due: [timersDue],
    claim: (share) => claimDueTimers(ctx.db, { now: ctx.clock.now(), share }),
    work: (timer) => fire(ctx, timer),
  })

/** Reads attempts again that their provider did not know: the request may have arrived late. */
export const lateRechecksJob = (ctx: Context): Job =>
  rowJob<LateRecheck>(ctx, {
    name: 'late rechecks',
    everyMs: 10 * SECOND,
    due: [lateRechecksDue],
    claim(share) {
      const now = ctx.clock.now()
      return claimLateRechecks(ctx.db, { now, again: after(now, LIMITS.lateRecheckMs), share })
    },
    work: (attempt) => recheckLate(ctx, attempt),
    failed: (attempt) => planNext(ctx, attempt),
  })

async function recoverOperation(ctx: Context, operation: OperationRecord): Promise<void> {
  const app = await loadApp(ctx, operation.appId)
  const payment = app && (await findPayment(ctx.db, app.appId, operation.paymentId))
  if (!payment) throw new Error(`operation ${operation.key} belongs to no payment`)
  await recover(ctx, app, payment, operation)
}

async function recheckLate(ctx: Context, attempt: LateRecheck): Promise<void> {
  const app = await loadApp(ctx, attempt.appId)
  const isRead = !app || (await followHint(ctx, app, attempt, { reference: attempt.key }))
  if (!isRead) return planNext(ctx, attempt)
  const isOver = !app || ageOf(ctx, app, attempt) > LIMITS.lateRecheckAgainMs
  await planLateRecheck(ctx.db, attempt, isOver ? null : after(ctx.clock.now(), LIMITS.lateRecheckAgainMs))
}

/** The provider could not be read. The pause grows with the age of the attempt; after a week it stops. */
async function planNext(ctx: Context, attempt: LateRecheck): Promise<void> {
  const app = await loadApp(ctx, attempt.appId)
  const ageMs = ageOf(ctx, app, attempt)
  const pauseMs = Math.min(DAY, Math.max(LIMITS.lateRecheckMs, ageMs / 2))
  await planLateRecheck(ctx.db, attempt, ageMs > NEEDS_ATTENTION_MS ? null : after(ctx.clock.now(), pauseMs))
}

const ageOf = (ctx: Context, app: App | undefined, { createdTime }: LateRecheck): number =>
  (app ? appNow(ctx, app) : ctx.clock.now()).getTime() - createdTime.getTime()

async function fire(ctx: Context, timer: Timer): Promise<void> {
  const app = await loadApp(ctx, timer.appId)
  const payment = app && (await findPayment(ctx.db, app.appId, timer.paymentId))
  if (payment) await onTimer(ctx, app, payment)
}
