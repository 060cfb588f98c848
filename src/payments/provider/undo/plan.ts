import { after } from '../../../base/clock.ts'
import type { Context } from '../../../context.ts'
import { type App, appNow } from '../../../merchants/app.ts'
import type { Snapshot } from '../../../providers/outcome.ts'
import type { Payment } from '../../payment.ts'
import { plainAmount } from '../../problems.ts'
import { isUnderpaid } from './rules.ts'
import { openUndo } from './store.ts'

/** The undos job gives back the part that was paid, or what may still come. */
export async function planUndo(ctx: Context, app: App, payment: Payment, snapshot: Snapshot): Promise<void> {
  const { appId, paymentId, attempt, attemptKey, profileId, method } = payment
  const due = isUnderpaid(snapshot)
    ? ctx.clock.now()
    : snapshot.openUntil && dueAt(ctx, app, snapshot.openUntil)
  if (!due || attemptKey === null || profileId === null || method === null) return
  const about = { appId, paymentId, attemptKey, attempt, profileId, method }
  const handles = { ...payment.handles, ...snapshot.handles }
  const undo = { ...about, handles, createdTime: appNow(ctx, app) }
  const opened = await openUndo(ctx.db, undo, { until: due, token: null })
  if (opened && isUnderpaid(snapshot)) {
    const paid = plainAmount(snapshot.captured.minor, payment.currency)
    ctx.log.warn('payment.underpaid', { appId, paymentId, paid })
  }
}

/** A time of the app by the clock of the service, as due times are. */
export const dueAt = (ctx: Context, app: App, time: Date): Date =>
  after(ctx.clock.now(), time.getTime() - appNow(ctx, app).getTime())
