import { ApiError } from '../base/errors.ts'
import { newOperationKey } from '../base/ids.ts'
import { LIMITS } from '../base/limits.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { type Applied, apply } from './apply.ts'
import { linkExpired } from './changes.ts'
import { STATES } from './machine.ts'
import type { Payment } from './payment.ts'
import { failoverFrom } from './provider/failover.ts'
import { checkAndWrite, checkAttempt, isRejected, rejectionChange } from './provider/fraud-check.ts'
import { sendOperations } from './provider/send.ts'
import { attemptChange, type PayWith } from './provider/start-attempt.ts'
import { undoGivenUp } from './provider/undo/undo.ts'
import { findOpenOperation } from './store/operations.ts'
import { findRequested } from './store/requests.ts'
import { abilitiesOf } from './view.ts'

/** Starts an attempt to pay. Without a token or a stored method, the provider opens its own page. */
export async function pay(ctx: Context, app: App, payment: Payment, how: PayWith): Promise<Payment> {
  if (payment.state === 'Created' && linkExpired(payment, appNow(ctx, app)))
    await expireLink(ctx, app, payment)
  const { requestKey } = how
  if (requestKey && (await findRequested(ctx.db, payment, requestKey))) return payment
  const applied = await startAttempt(ctx, app, await closeOpenPage(ctx, app, payment), how)
  if (applied.payment.attempt > 1) undoGivenUp(ctx, app, applied.payment)
  // The merchant chose this provider's page, so no other profile is tried.
  const failover = payment.flow === 'ProviderHostedPage' ? undefined : failoverFrom(ctx, app, how)
  return sendOperations(ctx, app, applied, { ...how, failover })
}

async function startAttempt(ctx: Context, app: App, payment: Payment, how: PayWith): Promise<Applied> {
  let latest = payment
  return checkAndWrite(ctx, app, payment, async () => {
    checkPayable(ctx, app, latest)
    const verdict = await checkAttempt(ctx, app, latest, how)
    const applied = await apply(ctx, app, latest, (current) => {
      if (how.afterAttempt !== undefined && how.afterAttempt !== current.attempt) return undefined
      checkPayable(ctx, app, current)
      if (hasTakingPage(ctx, app, current))
        throw new ApiError('payment_busy', 'A page at the provider has just been opened. Try again.')
      return isRejected(verdict) ? rejectionChange(verdict) : attemptChange(ctx, current, how, verdict)
    })
    latest = applied.payment
    return applied.isStale ? undefined : applied
  })
}

function checkPayable(ctx: Context, app: App, payment: Payment): void {
  if (payment.state !== 'Created' || linkExpired(payment, appNow(ctx, app)))
    throw new ApiError('payment_not_payable', `A payment that is ${payment.state} cannot be paid.`, {
      transient: STATES[payment.state].kind === 'moving',
    })
}

/**
 * Closes an open page that captures by itself before another attempt starts, so that an old tab cannot cause
 * a second payment. A page on which the customer only approves takes no money and stays open.
 */
async function closeOpenPage(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  const { profileId, method, attempt, amountMinor } = payment
  if (!hasTakingPage(ctx, app, payment) || profileId === null || method === null) return payment
  const key = newOperationKey(ctx.random)
  const applied = await apply(ctx, app, payment, (current) =>
    current.version === payment.version
      ? { events: [], opens: { key, step: 'cancel', profileId, method, amountMinor, attempt } }
      : undefined,
  )
  const closed = await sendOperations(ctx, app, applied)
  if (closed.state === 'Created' && closed.redirectUrl !== null)
    throw new ApiError('payment_busy', 'The page that is open at the provider could not be closed.')
  return closed
}

const hasTakingPage = (ctx: Context, app: App, payment: Payment): boolean =>
  payment.state === 'Created' &&
  payment.redirectUrl !== null &&
  !abilitiesOf(ctx, app, payment)?.approvesFirst

/** An operation of this payment is being sent, or its result is unknown. */
export async function isBeingAsked(ctx: Pick<Context, 'db'>, payment: Payment): Promise<boolean> {
  const operation = await findOpenOperation(ctx.db, payment.appId, payment.paymentId)
  return operation?.status === 'open'
}

/**
 * Expires the link. A payment with an open operation is left unchanged, so that its attempt can finish; the
 * alarm is due again later.
 */
export async function expireLink(ctx: Context, app: App, payment: Payment): Promise<Payment> {
  let latest = payment
  // A notification may change the payment at the same time: then the link is checked again.
  for (let round = 0; round < LIMITS.applyAttempts; round++) {
    if (await findOpenOperation(ctx.db, latest.appId, latest.paymentId)) return latest
    const { version } = latest
    let isOutdated = false
    const applied = await apply(ctx, app, latest, (current) => {
      isOutdated = current.version !== version
      const expires = !isOutdated && current.state === 'Created' && linkExpired(current, appNow(ctx, app))
      return expires ? { events: [{ on: 'expired' }] } : undefined
    })
    latest = applied.payment
    if (!isOutdated) break
  }
  return latest
}
