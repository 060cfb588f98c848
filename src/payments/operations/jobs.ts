import { after, MINUTE, SECOND } from '../../base/clock.ts'
import { LIMITS, NEEDS_ATTENTION_MS } from '../../base/limits.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/loop.ts'
import { appNow } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { expireLink } from '../attempts.ts'
import type { OperationRecord } from '../payment.ts'
import {
  type Alarm,
  alarmsDue,
  claimDueAlarms,
  claimDueOperations,
  findOpenOperation,
  findPayment,
  operationsDue,
} from '../store.ts'
import { claimSecondLooks, endSecondLook, type SecondLook, secondLooksDue } from './late-store.ts'
import { newLease } from './lease.ts'
import { followHint, recheck, recover } from './recheck.ts'

const BATCH = 20
const POLL_MS = SECOND

/** Takes over operations that nobody finished: a crash, a timeout, a provider that was silent. */
export const operationsJob = (ctx: Context): Job => ({
  name: 'operations',
  everyMs: POLL_MS,
  due: [operationsDue],
  async runOnce() {
    const due = await claimDueOperations(ctx.db, { ...newLease(ctx), limit: BATCH })
    await Promise.all(due.map((operation) => safely(ctx, 'operation', () => takeOver(ctx, operation))))
    return due.length
  },
})

/** Link expiry and authorisation windows. */
export const alarmsJob = (ctx: Context): Job => ({
  name: 'alarms',
  everyMs: POLL_MS,
  due: [alarmsDue],
  async runOnce() {
    const now = ctx.clock.now()
    const due = await claimDueAlarms(ctx.db, { now, again: after(now, MINUTE), limit: BATCH })
    await Promise.all(due.map((alarm) => safely(ctx, 'alarm', () => ring(ctx, alarm))))
    return due.length
  },
})

/** Reads providers again about attempts that they did not know: the request may have been late. */
export const secondLooksJob = (ctx: Context): Job => ({
  name: 'second looks',
  everyMs: 10 * SECOND,
  due: [secondLooksDue],
  async runOnce() {
    const now = ctx.clock.now()
    const again = after(now, LIMITS.secondLookMs)
    const due = await claimSecondLooks(ctx.db, { now, again, limit: BATCH })
    await Promise.all(due.map((attempt) => safely(ctx, 'second look', () => lookAgain(ctx, attempt))))
    return due.length
  },
})

/** One row's trouble is its own: its lease ends and it comes back. */
async function safely(ctx: Context, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    ctx.log.warn('job.row_failed', { what, ...errorData(error) })
  }
}

async function takeOver(ctx: Context, operation: OperationRecord): Promise<void> {
  const app = await loadApp(ctx, operation.appId)
  const payment = app && (await findPayment(ctx.db, app.appId, operation.paymentId))
  if (payment) await recover(ctx, app, payment, operation)
}

async function lookAgain(ctx: Context, attempt: SecondLook): Promise<void> {
  const app = await loadApp(ctx, attempt.appId)
  if (!app) return
  const isOld = appNow(ctx, app).getTime() - attempt.createdTime.getTime() > NEEDS_ATTENTION_MS
  if ((await followHint(ctx, app, { reference: attempt.key })) || isOld) await endSecondLook(ctx.db, attempt)
}

async function ring(ctx: Context, alarm: Alarm): Promise<void> {
  const app = await loadApp(ctx, alarm.appId)
  const payment = app && (await findPayment(ctx.db, app.appId, alarm.paymentId))
  if (!payment) return
  if (payment.state !== 'Created') {
    await recheck(ctx, app, payment)
    return
  }
  // An attempt that is under way may have ended meanwhile.
  const open = await findOpenOperation(ctx.db, app.appId, payment.paymentId)
  await expireLink(ctx, app, open ? await recheck(ctx, app, payment) : payment)
}
