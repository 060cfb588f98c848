import { ApiError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { chooseStoredMethod } from '../../customers/choose-method.ts'
import type { App } from '../../merchants/app.ts'
import { getPayment } from '../../payments/actions.ts'
import { pay } from '../../payments/pay.ts'
import type { Payment } from '../../payments/payment.ts'
import type { PayWith } from '../../payments/provider/start-attempt.ts'
import { readAttemptId } from './attempt-id.ts'
import { methodOptionsOf, savedMethodsOf } from './method-options.ts'
import type { CheckoutRequest } from './request.ts'
import { consentGiven } from './rules/consent.ts'
import { tooManyAttempts } from './rules/step.ts'

/** A submitted payment form. */
export interface PayRequest {
  readonly attempt: string
  readonly optionId?: string | undefined
  /** One-time token for the provider's fields, or for the security code of a stored card. */
  readonly token?: string | undefined
  readonly saved?: string | undefined
  readonly save: boolean
  readonly address: string
}

/** Errors caused by an outdated page. The payer is redirected to the current page instead. */
const OUT_OF_DATE = new Set(['payment_not_payable', 'payment_busy', 'not_found', 'no_stored_method'])

export interface PaySubmitted {
  readonly payment: Payment
  /**
   * The page of an earlier attempt takes money by itself and could not be closed, because its provider does
   * not answer. No other attempt was started: both could be paid.
   */
  readonly isPageLeftOpen: boolean
}

/**
 * Starts an attempt and returns the payment afterwards: finished, in progress, or still open if the form was
 * invalid, outdated or over the attempt limit. Waits for the provider for a short time; after that the status
 * page takes over.
 */
export async function payFromForm(
  ctx: Context,
  checkout: CheckoutRequest,
  request: PayRequest,
): Promise<PaySubmitted> {
  const { app, payment } = checkout
  const unchanged = { payment, isPageLeftOpen: false }
  const requestKey = readAttemptId(ctx, payment.paymentKey, request.attempt)
  if (requestKey === undefined || tooManyAttempts(payment)) return unchanged
  try {
    const payWith = await payWithOf(ctx, checkout, request)
    if (!payWith) return unchanged
    const { locale } = checkout.language
    const paying = pay(ctx, app, payment, { ...payWith, requestKey, locale, payerIp: request.address })
    const paid = await withTimeout(ctx, app, paying)
    return paid ? { payment: paid, isPageLeftOpen: false } : await afterwards(ctx, checkout, true)
  } catch (error) {
    if (!(error instanceof ApiError) || !OUT_OF_DATE.has(error.code)) throw error
    return afterwards(ctx, checkout, error.code === 'payment_busy')
  }
}

/** The payment as it is now, when the attempt was not started, or not yet. */
async function afterwards(ctx: Context, checkout: CheckoutRequest, isBusy: boolean): Promise<PaySubmitted> {
  const payment = await getPayment(ctx, checkout.app, checkout.payment.paymentId)
  const isSamePage = payment.redirectUrl !== null && payment.attempt === checkout.payment.attempt
  return { payment, isPageLeftOpen: isBusy && isSamePage && payment.state === 'Created' }
}

/** Undefined on timeout. The promise then continues in the background. */
export async function withTimeout(
  ctx: Context,
  app: App,
  paying: Promise<Payment>,
): Promise<Payment | undefined> {
  const done = new AbortController()
  const timeout = ctx.clock.sleep(LIMITS.checkoutWaitMs, done.signal).then(() => undefined)
  const first = await Promise.race([paying, timeout]).finally(() => done.abort())
  if (!first) ctx.background.keep('checkout', paying, app.appId)
  return first
}

async function payWithOf(
  ctx: Context,
  checkout: CheckoutRequest,
  request: PayRequest,
): Promise<PayWith | undefined> {
  if (request.saved !== undefined) return savedPayWith(ctx, checkout, request)
  const option = methodOptionsOf(ctx, checkout).find(({ id }) => id === request.optionId)
  if (!option || (option.fields && !request.token)) return undefined
  const consent = consentGiven(checkout, option.offer, request.save)
  return {
    offer: option.offer,
    ...(option.fields ? { instrument: request.token } : {}),
    ...(consent ? { consent } : {}),
  }
}

/** Accepts only methods that the page shows: an old link shows no stored methods. */
async function savedPayWith(
  ctx: Context,
  checkout: CheckoutRequest,
  { saved, token: code }: PayRequest,
): Promise<PayWith | undefined> {
  const shown = (await savedMethodsOf(ctx, checkout)).find(
    ({ paymentMethodId, isExpired }) => String(paymentMethodId) === saved && !isExpired,
  )
  if (!shown || (shown.codeForm && !code)) return undefined
  const { customerId } = checkout.payment
  const { token, method } = await chooseStoredMethod(ctx, checkout.app, customerId, {
    tokenId: shown.tokenId,
  })
  return {
    offer: shown.offer,
    token,
    paymentMethodId: shown.paymentMethodId,
    tokenId: shown.tokenId,
    stored: method,
    ...(shown.codeForm ? { instrument: code } : {}),
  }
}
