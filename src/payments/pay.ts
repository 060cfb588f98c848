import { assert } from '../base/assert.ts'
import { ApiError } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { findCustomer } from '../customers/commands.ts'
import { customerBlocked, isChecked } from '../fraud/verdicts/judge.ts'
import { type App, appNow } from '../merchants/app.ts'
import { type Applied, apply } from './apply.ts'
import { STATES } from './machine.ts'
import type { Payment } from './payment.ts'
import { challengeable, failoverFrom } from './provider/failover.ts'
import { checkAndWrite, checkAttempt, isRejected, rejectionChange } from './provider/fraud-check.ts'
import { giveUpUnopened, isUnopenedPage } from './provider/recheck.ts'
import { sendOperations } from './provider/send.ts'
import { attemptChange, type PayWith } from './provider/start-attempt.ts'
import { undoGivenUp } from './provider/undo/undo.ts'
import { releaseTry, reserveTry } from './retry/guard.ts'
import { findOpenOperation } from './store/operations.ts'
import { findRequested } from './store/requests.ts'
import { closeOpenPage, expireLink, hasTakingPage } from './timers/close.ts'
import { linkExpired } from './timers/due.ts'

/** Starts an attempt to pay. Without a token or a stored method, the provider opens its own page. */
export async function pay(ctx: Context, app: App, payment: Payment, chosen: PayWith): Promise<Payment> {
  if (payment.state === 'Created' && linkExpired(payment, appNow(ctx, app)))
    await expireLink(ctx, app, payment)
  const { requestKey } = chosen
  if (requestKey && (await findRequested(ctx.db, payment, requestKey))) return payment
  await refuseBlocked(ctx, app, payment)
  const ready = await closeOpenPage(ctx, app, await giveUpUnopened(ctx, app, payment))
  const how = await challengeable(ctx, app, ready, chosen)
  const applied = await startReserved(ctx, app, ready, how)
  if (applied.payment.attempt > 1) undoGivenUp(ctx, app, applied.payment)
  // The merchant chose this provider's page, so no other profile is tried.
  const failover = payment.flow === 'ProviderHostedPage' ? undefined : failoverFrom(ctx, app, how)
  return sendOperations(ctx, app, applied, { ...how, failover })
}

/** A customer may have been blocked since the payment was made. Checks of fraud read it themselves. */
async function refuseBlocked(ctx: Context, app: App, { customerId, details }: Payment): Promise<void> {
  if (!app.hasBlockedCustomers || isChecked(app, details.fraudPolicyId)) return
  if ((await findCustomer(ctx, app.appId, customerId))?.isBlocked) throw customerBlocked()
}

async function startReserved(ctx: Context, app: App, payment: Payment, how: PayWith): Promise<Applied> {
  const reserved = await reserveTry(ctx, app, payment, how)
  assert('how' in reserved, 'the customer is present')
  const applied = await startAttempt(ctx, app, payment, reserved.how).catch(async (error) => {
    await releaseTry(ctx, app, reserved.how)
    throw error
  })
  if (!applied.operation) await releaseTry(ctx, app, reserved.how)
  return applied
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
 * An operation of this payment is being sent, or its result is unknown. A page that the provider did not open
 * does not count: the customer has never seen it and can choose again.
 */
export async function isBeingAsked(ctx: Pick<Context, 'db'>, payment: Payment): Promise<boolean> {
  const operation = await findOpenOperation(ctx.db, payment.appId, payment.paymentId)
  return operation?.status === 'open' && !isUnopenedPage(payment, operation)
}
