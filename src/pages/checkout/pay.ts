import { ApiError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { chooseStoredMethod } from '../../customers/methods.ts'
import type { App } from '../../merchants/app.ts'
import { getPayment } from '../../payments/actions.ts'
import { pay } from '../../payments/pay.ts'
import type { Payment } from '../../payments/payment.ts'
import type { PayWith } from '../../payments/provider/start-attempt.ts'
import { readAttemptId } from './attempt-id.ts'
import { methodOptionsOf, savedMethodsOf } from './method-options.ts'
import { consentGiven } from './rules/consent.ts'
import { tooManyAttempts } from './rules/step.ts'
import type { Visit } from './visit.ts'

/** What a form asks for. */
export interface PayRequest {
  readonly attempt: string
  readonly optionId?: string | undefined
  /** One-time token of the provider's own fields; of a stored card, of its security code. */
  readonly token?: string | undefined
  readonly saved?: string | undefined
  readonly save: boolean
  readonly address: string
}

/** Refusals that only mean that the page was out of date: the payment's own page says the rest. */
const OUT_OF_DATE = new Set(['payment_not_payable', 'payment_busy', 'not_found', 'no_stored_method'])

/**
 * The payer pays. Gives the payment as it then is: done, moving, or still open because the form was not
 * ours, too old, or one too many. The provider has a moment to answer; after that the status page waits for
 * it.
 */
export async function payHere(ctx: Context, visit: Visit, request: PayRequest): Promise<Payment> {
  const { app, payment } = visit
  const requestKey = readAttemptId(ctx, payment.paymentKey, request.attempt)
  if (requestKey === undefined || tooManyAttempts(payment)) return payment
  try {
    const how = await howToPay(ctx, visit, request)
    if (!how) return payment
    const paying = pay(ctx, app, payment, { ...how, requestKey, payerIp: request.address })
    return (await inTime(ctx, app, paying)) ?? (await getPayment(ctx, app, payment.paymentId))
  } catch (error) {
    if (!(error instanceof ApiError) || !OUT_OF_DATE.has(error.code)) throw error
    return getPayment(ctx, app, payment.paymentId)
  }
}

/** Undefined: it takes longer than a payer's page may, and goes on without it. */
export async function inTime(ctx: Context, app: App, paying: Promise<Payment>): Promise<Payment | undefined> {
  const answered = new AbortController()
  const waited = ctx.clock.sleep(LIMITS.checkoutWaitMs, answered.signal).then(() => undefined)
  const first = await Promise.race([paying, waited]).finally(() => answered.abort())
  if (!first) ctx.background.keep('checkout', paying, app.appId)
  return first
}

async function howToPay(ctx: Context, visit: Visit, request: PayRequest): Promise<PayWith | undefined> {
  if (request.saved !== undefined) return savedPayWith(ctx, visit, request)
  const option = methodOptionsOf(ctx, visit).find(({ id }) => id === request.optionId)
  if (!option || (option.fields && !request.token)) return undefined
  const consent = consentGiven(visit, option.offer, request.save)
  return {
    offer: option.offer,
    ...(option.fields ? { instrument: request.token } : {}),
    ...(consent ? { consent } : {}),
  }
}

/** Only what the page showed can be chosen: a stored method of an old link is not. */
async function savedPayWith(
  ctx: Context,
  visit: Visit,
  { saved, token: code }: PayRequest,
): Promise<PayWith | undefined> {
  const shown = (await savedMethodsOf(ctx, visit)).find(
    ({ paymentMethodId, isExpired }) => String(paymentMethodId) === saved && !isExpired,
  )
  if (!shown || (shown.codeForm && !code)) return undefined
  const { customerId } = visit.payment
  const { token } = await chooseStoredMethod(ctx, visit.app, customerId, { tokenId: shown.tokenId })
  return {
    offer: shown.offer,
    token,
    paymentMethodId: shown.paymentMethodId,
    tokenId: shown.tokenId,
    ...(shown.codeForm ? { instrument: code } : {}),
  }
}
