import { ApiError } from '../../base/errors.ts'
import { randomText } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { needsOtp, otpError } from '../../merchants/apps/rules.ts'
import { keyCreator } from '../../merchants/keys/commands.ts'
import { keepRefund, releaseRefund, reserveRefund } from '../../people/refunds/refunds.ts'
import { checkOtp, hasTotp } from '../../people/totp/commands.ts'
import type { Action } from '../machine.ts'
import type { Payment } from '../payment.ts'

// What binds the actor of an action beyond the permission of the route.

/** Where the app demands a second factor: of the person, or of the person who made the API key. */
export async function checkSecondFactor(
  ctx: Context,
  app: App,
  action: Action,
  otpCode: string | undefined,
): Promise<void> {
  const { actor } = ctx
  if (!actor || !needsOtp(app, actor, action)) return
  const personId = actor.kind === 'person' ? actor.id : await keyCreator(ctx, app, actor.id)
  if (personId === null) throw otpError('otp_not_enrolled')
  if (!(await hasTotp(ctx, personId))) throw otpError('otp_not_enrolled')
  if (otpCode === undefined) throw otpError('otp_required')
  const result = await checkOtp(ctx, personId, otpCode)
  if (result !== 'right') throw otpError(result === 'wrong' ? 'otp_invalid' : 'otp_not_enrolled')
}

/** A cancel that returns captured money is a refund, with its second factor and its limits. */
export const restrictedAs = (action: Action, { state }: Pick<Payment, 'state'>): Action =>
  action === 'cancel' && state === 'CapturedHold' ? 'refund' : action

/**
 * Captured money goes back only by people who may refund, whatever the action is called. The route of a
 * cancel asks for another permission, because most cancels give nothing back.
 */
export function checkMayRefund({ actor }: Context): void {
  if (actor?.kind === 'person' && actor.may?.('PaymentRefund') === false)
    throw new ApiError('forbidden', 'Your role does not allow refunds.')
}

/** Whether an action of this actor is bound: all others skip the checks and their reads. */
export const isRestricted = ({ actor }: Context, app: App, action: Action): boolean =>
  needsOtp(app, actor, action) || (actor?.kind === 'person' && action === 'refund')

/**
 * Whether the payment has become one for which the action needs checks that were not made: a held payment may
 * be captured between the check and the change.
 */
export function needsMoreChecks(
  ctx: Context,
  app: App,
  action: Action,
  { before, latest }: { readonly before: Payment; readonly latest: Payment },
): boolean {
  const now = restrictedAs(action, latest)
  return now !== restrictedAs(action, before) && isRestricted(ctx, app, now)
}

/**
 * Whether more is refunded than when a second person's yes was checked: parts that are sent at the same time
 * count together.
 */
export const isRefundedSince = (
  { actor }: Context,
  { refundApprovalAbove }: App,
  action: Action,
  { before, latest }: { readonly before: Payment; readonly latest: Payment },
): boolean =>
  actor?.kind === 'person' &&
  refundApprovalAbove[latest.currency] !== undefined &&
  restrictedAs(action, latest) === 'refund' &&
  latest.refundedMinor !== before.refundedMinor

interface LimitedRefund {
  readonly amountMinor: bigint
  readonly requestKey: string | undefined
}

/**
 * Counts a person's refund towards the limit of the role before it is sent, and takes it back when nothing
 * was refunded.
 */
export async function withinRefundLimit(
  ctx: Context,
  app: App,
  payment: Payment,
  { refund, work }: { readonly refund: LimitedRefund; readonly work: () => Promise<Payment> },
): Promise<Payment> {
  const { actor } = ctx
  if (actor?.kind !== 'person') return work()
  const { licenseId, appId } = app
  const { paymentId, currency } = payment
  // Without a key of the client each request counts for itself.
  const requestKey = refund.requestKey ?? `own ${randomText(ctx.random, 20)}`
  const key = { appId, paymentId, requestKey }
  const { amountMinor } = refund
  const reserved = { ...key, licenseId, personId: actor.id, currency, amountMinor }
  const reservation = await reserveRefund(ctx, reserved)
  const release = async () => {
    // Another request with the same key may still be under way.
    if (reservation === 'own') await releaseRefund(ctx.db, key)
  }
  try {
    const after = await work()
    const isRunning = after.state === 'Refunding' || after.state === 'Cancelling'
    const isRefunding = isRunning || after.refundedMinor > payment.refundedMinor
    if (!isRefunding) await release()
    else if (reservation === 'shared') await keepRefund(ctx, reserved)
    return after
  } catch (error) {
    await release()
    throw error
  }
}
