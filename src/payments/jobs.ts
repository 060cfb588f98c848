import { after, DAY, SECOND } from '../base/clock.ts'
import { LIMITS, NEEDS_ATTENTION_MS, recheckPause } from '../base/limits.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { appNow } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { newLease } from './lease.ts'
import type { OperationRecord } from './payment.ts'
import { summary } from './provider/merge-facts.ts'
import { recover } from './provider/recheck.ts'
import { followHint } from './provider/told/follow-hint.ts'
import { claimDueOperations, operationsDue, postponeOperation } from './store/operations.ts'
import { findPayment } from './store/payments.ts'
import {
  type Alarm,
  alarmsDue,
  claimDueAlarms,
  claimSecondLooks,
  planSecondLook,
  type SecondLook,
  secondLooksDue,
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
export const alarmsJob = (ctx: Context): Job =>
  rowJob<Alarm>(ctx, {
    name: 'alarms',
    everyMs: POLL_MS,
    due: [alarmsDue],
    claim: (share) => claimDueAlarms(ctx.db, { now: ctx.clock.now(), share }),
    work: (alarm) => ring(ctx, alarm),
  })

/** Reads attempts again that their provider did not know: the request may have arrived late. */
export const secondLooksJob = (ctx: Context): Job =>
  rowJob<SecondLook>(ctx, {
    name: 'second looks',
    everyMs: 10 * SECOND,
    due: [secondLooksDue],
    claim(share) {
      const now = ctx.clock.now()
      return claimSecondLooks(ctx.db, { now, again: after(now, LIMITS.secondLookMs), share })
    },
    work: (attempt) => lookAgain(ctx, attempt),
    failed: (attempt) => planNextLook(ctx, attempt),
  })

async function recoverOperation(ctx: Context, operation: OperationRecord): Promise<void> {
  const app = await loadApp(ctx, operation.appId)
  const payment = app && (await findPayment(ctx.db, app.appId, operation.paymentId))
  if (!payment) throw new Error(`operation ${operation.key} belongs to no payment`)
  await recover(ctx, app, payment, operation)
}

async function lookAgain(ctx: Context, look: SecondLook): Promise<void> {
  const app = await loadApp(ctx, look.appId)
  const isOver = !app || (await followHint(ctx, app, look, { reference: look.key }))
  if (isOver) await planSecondLook(ctx.db, look, null)
  else await planNextLook(ctx, look)
}

/** The provider could not be read. The pause grows with the age of the attempt; after a week it stops. */
async function planNextLook(ctx: Context, look: SecondLook): Promise<void> {
  const app = await loadApp(ctx, look.appId)
  const ageMs = (app ? appNow(ctx, app) : ctx.clock.now()).getTime() - look.createdTime.getTime()
  const pauseMs = Math.min(DAY, Math.max(LIMITS.secondLookMs, ageMs / 2))
  await planSecondLook(ctx.db, look, ageMs > NEEDS_ATTENTION_MS ? null : after(ctx.clock.now(), pauseMs))
}

async function ring(ctx: Context, alarm: Alarm): Promise<void> {
  const app = await loadApp(ctx, alarm.appId)
  const payment = app && (await findPayment(ctx.db, app.appId, alarm.paymentId))
  if (payment) await onTimer(ctx, app, payment)
}
