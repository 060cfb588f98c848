import { SECOND } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { decimalText } from '../base/money.ts'
import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { followPayment } from './live/watch.ts'
import { pay } from './pay.ts'
import type { Payment } from './payment.ts'
import { recheck } from './provider/recheck.ts'
import type { PayWith } from './provider/start-attempt.ts'
import { findOpenOperation } from './store/operations.ts'
import { findPayment } from './store/payments.ts'
import type { NewPayment } from './wire/request.ts'

/** Replays of a creation: which request counts as the same, and its response. Decision 0092. */

export interface StoredMethodChoice {
  readonly paymentMethodId?: number | undefined
  readonly tokenId?: number | undefined
}

/** Throws unless the request matches the existing payment. */
export function checkRepeats(wanted: NewPayment, existing: Payment, choice: StoredMethodChoice = {}): void {
  const other = difference(wanted, existing, choice)
  if (other === undefined) return
  throw new ApiError(
    'reference_id_reused',
    `ProviderReferenceId already used: payment ${existing.paymentId} has this referenceId ${other}.`,
    { members: { paymentId: existing.paymentId } },
  )
}

/**
 * Guests get a new customerId on every try, so a payment on a page is the same for any customer. A charge
 * without the customer is not: it is the same only for the same customer and the method that was named.
 */
function difference(
  wanted: NewPayment,
  existing: Payment,
  { paymentMethodId, tokenId }: StoredMethodChoice,
): string | undefined {
  const isSame =
    existing.flow === wanted.flow &&
    existing.amountMinor === wanted.amountMinor &&
    existing.currency === wanted.currency &&
    existing.autoCapture === wanted.autoCapture
  if (!isSame) return `for ${decimalText(existing.amountMinor, existing.currency)} ${existing.currency}`
  if (wanted.flow !== 'AutoPayment') return undefined
  if (existing.customerId !== wanted.customerId) return 'for another customer'
  // The registration decides where both are named, as it does when the method is chosen.
  const isOther =
    tokenId === undefined
      ? differs(existing.paymentMethodId, paymentMethodId)
      : differs(existing.tokenId, tokenId)
  return isOther ? 'with another stored method' : undefined
}

/** A payment that a fraud rule refused may not say which method it was for. */
const differs = (used: number | null, named: number | undefined): boolean =>
  named !== undefined && used !== null && used !== named

/** Needed because a notification can be lost, and postponing an operation changes no payment. */
const POLL_MS = SECOND

/**
 * Runs `step` until it returns a payment, again whenever the payment may have changed on any node. Undefined
 * after the time limit.
 */
async function untilAnswered(
  ctx: Context,
  payment: Payment,
  step: (current: Payment) => Promise<Payment | undefined>,
): Promise<Payment | undefined> {
  const at = await step(payment)
  if (at) return at
  const endMs = ctx.clock.now().getTime() + LIMITS.replayWaitMs
  const changes = followPayment(ctx, payment)
  try {
    while (ctx.clock.now().getTime() < endMs) {
      const answer = await step(await reload(ctx, payment))
      if (answer) return answer
      await changes.next(POLL_MS)
    }
    return undefined
  } finally {
    changes.end()
  }
}

const reload = async (ctx: Context, payment: Payment): Promise<Payment> =>
  (await findPayment(ctx.db, payment.appId, payment.paymentId)) ?? payment

const CHARGING: readonly Payment['state'][] = [
  'Created',
  'Authorizing',
  'SaleInProgress',
  'Approved',
  'Capturing',
]

/**
 * Waits for the result of a charge that the first request is still making. Returns an intermediate state only
 * when no worker holds the operation, because the provider's reply was lost.
 */
export async function resultOfCharge(ctx: Context, payment: Payment): Promise<Payment> {
  const answer = await untilAnswered(ctx, payment, async (current) => {
    if (!CHARGING.includes(current.state)) return current
    const open = await findOpenOperation(ctx.db, current.appId, current.paymentId)
    // It may have ended after the payment was read.
    return open?.leaseToken ? undefined : reload(ctx, current)
  })
  return answer ?? reload(ctx, payment)
}

const needsPage = (payment: Payment): boolean => payment.state === 'Created' && payment.redirectUrl === null

/**
 * The payment with its page at the provider: the one that the first request is opening, else the one that was
 * opened while its answer was lost, else a new one.
 */
export async function withProviderPage(
  ctx: Context,
  app: App,
  payment: Payment,
  how: () => PayWith,
): Promise<Payment> {
  let hasRechecked = false
  const answer = await untilAnswered(ctx, payment, async (current) => {
    // Reloaded before the operation is looked for: an attempt that starts in between has another number.
    const known = needsPage(current) ? await reload(ctx, current) : current
    if (!needsPage(known)) return known
    const open = await findOpenOperation(ctx.db, known.appId, known.paymentId)
    if (!open) return openPage(ctx, app, known, how)
    if (open.leaseToken !== null || hasRechecked) return undefined
    hasRechecked = true
    const seen = await recheck(ctx, app, known)
    return needsPage(seen) ? undefined : seen
  })
  if (answer) return answer
  throw new ApiError('payment_busy', "The provider's page of this payment is still being opened.", {
    headers: { 'retry-after': '5' },
  })
}

/** Undefined: another request is opening it. */
async function openPage(
  ctx: Context,
  app: App,
  payment: Payment,
  how: () => PayWith,
): Promise<Payment | undefined> {
  if (!needsPage(payment)) return payment
  try {
    const tried = await pay(ctx, app, payment, { ...how(), afterAttempt: payment.attempt })
    const isOpening = needsPage(tried) && (await findOpenOperation(ctx.db, app.appId, tried.paymentId))
    return isOpening ? undefined : tried
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'payment_busy') return undefined
    // It ended meanwhile, or its link expired: that is what there is to answer.
    if (error.code === 'payment_not_payable') return reload(ctx, payment)
    throw error
  }
}
