import { assert } from '../base/assert.ts'
import { after, DAY } from '../base/clock.ts'
import { ApiError, type ErrorCode, notFound } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { expected } from '../base/mistakes.ts'
import { decimalText } from '../base/money.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { namedMethod } from '../providers/methods/catalogue.ts'
import type { RefundReason } from '../providers/port.ts'
import { moveDeliveryTimes } from '../webhooks/commands.ts'
import { type Applied, apply } from './apply.ts'
import { checkApproval } from './approvals/check.ts'
import type { PaymentEvent } from './changes/events.ts'
import type { Change } from './changes.ts'
import { type Action, accepts, STATES } from './machine.ts'
import type { Payment } from './payment.ts'
import { appWithProfile, holdsAtProvider } from './provider/inputs.ts'
import { recheck } from './provider/recheck.ts'
import { sendOperations } from './provider/send.ts'
import { shiftPaidMethods } from './provider/store-method/store.ts'
import { shiftUndos } from './provider/undo/store.ts'
import { type ActionRequest, isCarriedOut, isRunningOrDone, matchOf } from './requests/repeat.ts'
import {
  checkMayRefund,
  checkSecondFactor,
  isRefundedSince,
  isRestricted,
  needsMoreChecks,
  restrictedAs,
  withinRefundLimit,
} from './requests/restrictions.ts'
import { findByKey, findByReference, findPayment } from './store/payments.ts'
import { shiftDueTimes } from './store/timers.ts'
import { abilitiesOf, allowedActions, allows } from './view.ts'

/** The actions on a payment, one function for each. */

export interface ActionOptions {
  /** How long to wait for the provider before the answer shows the intermediate state. */
  readonly waitMs: number
  readonly requestKey?: string | undefined
  /** Undefined: everything that can be captured or refunded. */
  readonly amountMinor?: bigint | undefined
  readonly description?: string | undefined
  /** Of a refund. */
  readonly reason?: RefundReason | undefined
  /** The second factor of the actor, where the app demands one. */
  readonly otpCode?: string | undefined
}

export async function getPayment(ctx: Context, app: App, paymentId: number | undefined): Promise<Payment> {
  const payment = paymentId === undefined ? undefined : await findPayment(ctx.db, app.appId, paymentId)
  if (!payment) throw notFound('The payment')
  return payment
}

export async function getPaymentByReference(ctx: Context, app: App, referenceId: string): Promise<Payment> {
  const payment = await findByReference(ctx.db, app.appId, referenceId)
  if (!payment) throw notFound('The payment')
  return payment
}

/** By the key of its hosted page, which also names the app. */
export async function getPaymentByKey(ctx: Context, appId: string, paymentKey: string): Promise<Payment> {
  const payment = await findByKey(ctx.db, appId, paymentKey)
  if (!payment) throw notFound('The payment')
  return payment
}

/** The app's clock was moved ahead: due times move closer by the same amount. */
export async function moveDueTimes(ctx: Context, app: App, byMs: number): Promise<void> {
  await shiftDueTimes(ctx.db, app.appId, byMs)
  await shiftUndos(ctx.db, app.appId, byMs)
  await shiftPaidMethods(ctx.db, app.appId, byMs)
  await moveDeliveryTimes(ctx, app, byMs)
}

type Command = (ctx: Context, app: App, payment: Payment, options: ActionOptions) => Promise<Payment>

const command =
  (
    action: Action,
    eventOf: (ctx: Context, app: App, payment: Payment, amountMinor: bigint | undefined) => PaymentEvent,
  ): Command =>
  (ctx, app, payment, options) => {
    const plan = (current: Payment) => ({ events: [eventOf(ctx, app, current, options.amountMinor)] })
    return act(ctx, app, payment, { action, options, plan })
  }

export const capturePayment = command('capture', (ctx, app, payment, wanted) => ({
  on: 'capture',
  amountMinor: captureAmount(ctx, app, payment, wanted),
}))

export const cancelPayment = command('cancel', () => ({ on: 'cancel' }))

export const refundPayment = command('refund', (ctx, app, payment, wanted) => ({
  on: 'refund',
  amountMinor: refundAmount(ctx, app, payment, wanted),
}))

export const unholdPayment = command('unhold', (ctx, app, payment) => ({
  on: 'unhold',
  ...(holdsAtProvider(ctx, app, payment) ? { atProvider: true } : {}),
}))

/** Records a refund or a dispute that happened elsewhere; no provider is called. */
export function markPayment(
  ctx: Context,
  app: App,
  payment: Payment,
  mark: {
    action: 'mark-as-refund' | 'mark-as-dispute'
    reason?: string | undefined
    otpCode?: string | undefined
  },
): Promise<Payment> {
  const { action, reason, otpCode } = mark
  const plan = (current: Payment): Change =>
    action === 'mark-as-refund'
      ? { events: [{ on: 'markRefunded' }], refunds: recordedRefund(current, reason) }
      : { events: [{ on: 'markDisputed', ...(reason ? { reason } : {}) }] }
  return act(ctx, app, payment, { action, options: { waitMs: 0, otpCode }, plan })
}

function recordedRefund(payment: Payment, reason: string | undefined) {
  const amountMinor = payment.capturedMinor - payment.refundedMinor
  const description = reason ? { description: reason } : {}
  return [{ refundId: `marked_${payment.version}`, amountMinor, state: 'done' as const, ...description }]
}

export async function recheckPayment(
  ctx: Context,
  app: App,
  payment: Payment,
  { waitMs }: Pick<ActionOptions, 'waitMs'>,
) {
  return within(ctx, waitMs, payment, recheck(ctx, await appWithProfile(ctx, app, payment), payment))
}

interface Acting {
  readonly action: Action
  readonly options: ActionOptions
  readonly plan: (payment: Payment) => Change
}

async function act(ctx: Context, app: App, payment: Payment, acting: Acting): Promise<Payment> {
  const { action, options } = acting
  const work = () => carryOut(ctx, app, payment, acting)
  const bound = restrictedAs(action, payment)
  if (!isRestricted(ctx, app, bound)) return work()
  if (bound === 'refund') checkMayRefund(ctx)
  // A repeat needs no second code, and is not counted twice.
  if (await isCarriedOut(ctx, payment, requestOf(acting))) return getPayment(ctx, app, payment.paymentId)
  const done = await repeated(ctx, app, payment, acting)
  if (done) return done
  await checkSecondFactor(ctx, app, bound, options.otpCode)
  if (bound !== 'refund') return work()
  const amountMinor = await approvedAmount(ctx, app, payment, options)
  return withinRefundLimit(ctx, app, payment, {
    refund: { amountMinor, requestKey: options.requestKey },
    work,
  })
}

/** What is refunded. Throws 409 where a second person must say yes first. */
async function approvedAmount(
  ctx: Context,
  app: App,
  payment: Payment,
  options: ActionOptions,
): Promise<bigint> {
  const amountMinor = refundAmount(ctx, app, payment, options.amountMinor)
  const { requestKey, description } = options
  await checkApproval(ctx, app, payment, { amountMinor, requestKey, description })
  return amountMinor
}

/** The payment, when the request is running or done. Throws 409 when the state does not allow the action. */
async function repeated(
  ctx: Context,
  app: App,
  payment: Payment,
  acting: Acting,
): Promise<Payment | undefined> {
  const { action } = acting
  if (!isRunningOrDone(payment, action)) {
    if (!allows(ctx, app, payment, action)) throw notAllowed(ctx, app, payment, action)
    return undefined
  }
  const match = await matchOf(ctx, payment, requestOf(acting))
  if (match === 'other') throw refusal(ctx, app, payment, action)
  return match === 'repeat' ? payment : undefined
}

/** Carries out the action once. Repeats the decision when the payment changes in the meantime. */
async function carryOut(ctx: Context, app: App, payment: Payment, acting: Acting): Promise<Payment> {
  const { action, options, plan } = acting
  const { requestKey, description, reason } = options
  const actionRequest = requestOf(acting)
  const request = {
    ...(requestKey ? { requestKey } : {}),
    ...(description ? { description } : {}),
    ...(reason ? { reason } : {}),
  }
  let current = payment
  let approved = payment
  for (let attempt = 0; attempt < LIMITS.applyAttempts; attempt++) {
    if (await isCarriedOut(ctx, current, actionRequest)) return getPayment(ctx, app, payment.paymentId)
    let mayRepeat = false
    let isUnchecked = false
    let isUnapproved = false
    const applied = await apply(ctx, app, current, (latest) => {
      isUnchecked = needsMoreChecks(ctx, app, action, { before: payment, latest })
      mayRepeat = isRunningOrDone(latest, action)
      if (isUnchecked || mayRepeat) return undefined
      if (!allows(ctx, app, latest, action)) throw notAllowed(ctx, app, latest, action)
      isUnapproved = isRefundedSince(ctx, app, action, { before: approved, latest })
      return isUnapproved ? undefined : { ...plan(latest), request, action }
    })
    if (isUnchecked) return act(ctx, app, applied.payment, acting)
    if (isUnapproved) {
      approved = current = applied.payment
      await approvedAmount(ctx, app, approved, options)
      continue
    }
    if (!mayRepeat && !applied.isRepeated) return finish(ctx, app, applied, options.waitMs)
    const match = mayRepeat ? await matchOf(ctx, applied.payment, actionRequest) : undefined
    if (match === 'repeat') return applied.payment
    if (match === 'other') throw refusal(ctx, app, applied.payment, action)
    current = await getPayment(ctx, app, payment.paymentId)
  }
  throw busy(ctx, app, current)
}

const requestOf = ({ action, options: { requestKey, amountMinor } }: Acting): ActionRequest => ({
  action,
  requestKey,
  amountMinor,
})

/** Sends the opened operation. It continues in the background when the wait ends first. */
async function finish(ctx: Context, app: App, applied: Applied, waitMs: number): Promise<Payment> {
  if (!applied.operation) return applied.payment
  return within(ctx, waitMs, applied.payment, sendOperations(ctx, app, applied))
}

async function within(
  ctx: Context,
  waitMs: number,
  before: Payment,
  work: Promise<Payment>,
): Promise<Payment> {
  if (waitMs <= 0) {
    ctx.background.keep('operation', work, before.appId)
    return before
  }
  const answered = new AbortController()
  const waited = ctx.clock.sleep(waitMs, answered.signal).then(() => undefined)
  const first = await Promise.race([work, waited]).finally(() => answered.abort())
  if (first) return first
  ctx.background.keep('operation', work, before.appId)
  return (await findPayment(ctx.db, before.appId, before.paymentId)) ?? before
}

const REFUSALS: Readonly<Record<Action, ErrorCode>> = {
  capture: 'payment_not_capturable',
  cancel: 'payment_not_cancellable',
  refund: 'payment_not_refundable',
  unhold: 'payment_not_held',
  'mark-as-refund': 'payment_not_refundable',
  'mark-as-dispute': 'action_not_allowed',
}

const isMoving = ({ state }: Payment): boolean => STATES[state].kind === 'moving'

/** The error for a request that differs from the one that is running or done. */
const refusal = (ctx: Context, app: App, payment: Payment, action: Action): ApiError =>
  isMoving(payment) ? busy(ctx, app, payment) : notAllowed(ctx, app, payment, action)

const busy = (ctx: Context, app: App, payment: Payment): ApiError =>
  new ApiError('payment_busy', `Another request is being carried out: the payment is ${payment.state}.`, {
    members: { paymentState: payment.state, allowedActions: allowedActions(ctx, app, payment) },
  })

const noRefund = ({ state }: Payment): string =>
  state === 'Disputed'
    ? 'The provider does not refund this payment while it is disputed.'
    : 'The provider of this payment cannot refund.'

/** Transient while the payment is in an intermediate state: it may allow the action later. */
function notAllowed(ctx: Context, app: App, payment: Payment, action: Action): ApiError {
  const returnsMoney = action === 'refund' || (action === 'cancel' && payment.state === 'CapturedHold')
  const why =
    returnsMoney && accepts(payment.state, action)
      ? noRefund(payment)
      : `A payment that is ${payment.state} does not allow ${action}.`
  const members = { paymentState: payment.state, allowedActions: allowedActions(ctx, app, payment) }
  return new ApiError(REFUSALS[action], why, { members, transient: isMoving(payment) })
}

function captureAmount(ctx: Context, app: App, payment: Payment, minor: bigint | undefined): bigint {
  if (minor === undefined) return payment.amountMinor
  assert(minor > 0n, 'a capture takes something')
  if (minor > payment.amountMinor) throw outOfBounds(payment, 'was authorised', payment.amountMinor)
  if (minor < payment.amountMinor && !abilitiesOf(ctx, app, payment)?.partialCapture)
    throw new ApiError('not_possible', 'The provider of this payment can only capture the whole amount.')
  return minor
}

/** The provider would refuse it too, later and in its own words. */
function refuseLateRefund(ctx: Context, app: App, { method, createdTime }: Payment): void {
  const { name, refundDays, resultMs = 0 } = namedMethod(method) ?? {}
  if (refundDays === undefined || appNow(ctx, app) <= after(createdTime, resultMs + refundDays * DAY)) return
  throw new ApiError('refund_too_late', `${name} can be refunded within ${refundDays} days.`)
}

function refundAmount(ctx: Context, app: App, payment: Payment, minor: bigint | undefined): bigint {
  refuseLateRefund(ctx, app, payment)
  const remaining = payment.capturedMinor - payment.refundedMinor
  if (minor === undefined) return remaining
  assert(minor > 0n, 'a refund returns something')
  if (minor > remaining) throw outOfBounds(payment, 'is left to refund', remaining)
  if (minor < payment.capturedMinor && !abilitiesOf(ctx, app, payment)?.partialRefund)
    throw new ApiError('not_possible', 'The provider of this payment can only refund the whole amount.')
  return minor
}

const outOfBounds = (payment: Payment, what: string, minor: bigint): ApiError =>
  new ApiError(
    'amount_out_of_bounds',
    `Only ${decimalText(minor, payment.currency)} ${payment.currency} ${what}.`,
    {
      errors: [expected('amount', 'amountUpTo', { most: decimalText(minor, payment.currency) })],
    },
  )
