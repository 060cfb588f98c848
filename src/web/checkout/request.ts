import { appIdFromPart } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import { notePageView } from '../../logs/page-views/commands.ts'
import type { PageStep } from '../../logs/page-views/page-view.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { getPaymentByKey } from '../../payments/actions.ts'
import { isBeingAsked } from '../../payments/pay.ts'
import type { Payment } from '../../payments/payment.ts'
import { METHOD_IDS } from '../../providers/methods/method.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'
import { moneyInText } from '../kit/format/money.tsx'
import { type Brand, brandOf } from '../kit/html/brand.ts'
import { chooseLanguage, type Language } from '../kit/i18n/languages.ts'
import type { PageCall } from '../kit/request/call.ts'
import { type CheckoutStep, mayBeInProgress, stepOf } from './rules/step.ts'

/** One request for a payment page by the holder of its link. */
export interface CheckoutRequest {
  readonly app: App
  readonly payment: Payment
  readonly brand: Brand
  readonly language: Language
  /** The app's time. */
  readonly now: Date
  /** `/c/{paymentKey}` */
  readonly base: string
}

export interface CheckoutQuery {
  readonly paymentKey: string
  /** From `?lang=`, or from the cookie that an earlier `?lang=` set. */
  readonly lang?: string | undefined
  readonly acceptLanguage?: string | undefined
}

const KEY = /^[0-9a-z]{38}$/

/** Undefined if the payment does not exist or its app is inactive. */
export async function findCheckout(ctx: Context, query: CheckoutQuery): Promise<CheckoutRequest | undefined> {
  const { paymentKey, lang, acceptLanguage } = query
  const appId = KEY.test(paymentKey) ? appIdFromPart(paymentKey) : undefined
  // Reads the payment first: an invalid link then costs one row of a batched read and no app lookup.
  const payment = appId === undefined ? undefined : await findByKey(ctx, appId, paymentKey)
  const app = payment && (await loadApp(ctx, payment.appId))
  if (!payment || !app?.isActive) return undefined
  const language = chooseLanguage({
    ...{ chosen: lang, payment: payment.details.locale, app: app.branding.locale },
    ...{ acceptLanguage, isSandbox: app.isSandbox },
  })
  return { app, payment, language, brand: brandOf(app), now: appNow(ctx, app), base: `/c/${paymentKey}` }
}

async function findByKey(ctx: Context, appId: string, paymentKey: string): Promise<Payment | undefined> {
  try {
    return await getPaymentByKey(ctx, appId, paymentKey)
  } catch (error) {
    if ((error as { code?: string }).code === 'not_found') return undefined
    throw error
  }
}

/** The current step. Reads operations only if the payment row does not decide it. */
export async function currentStep(ctx: Context, { payment, now }: CheckoutRequest): Promise<CheckoutStep> {
  const isInProgress = mayBeInProgress(payment) && (await isBeingAsked(ctx, payment))
  return stepOf(payment, now, isInProgress)
}

/** The amount, formatted for use within a sentence. */
export const amountOf = ({ language, payment }: CheckoutRequest, minor = payment.amountMinor): string =>
  moneyInText(language, minor, payment.currency)

interface NotedStep {
  readonly step: PageStep
  readonly optionId?: string | undefined
}

/** Records how far the payer came, for the timeline and the funnel. Who submits has chosen a method. */
export function noteStep(
  ctx: Context,
  { app, payment, language }: CheckoutRequest,
  { browser }: Pick<PageCall, 'browser'>,
  { step, optionId = '' }: NotedStep,
): void {
  const method = [...METHOD_KINDS, ...METHOD_IDS].find((one) => optionId.endsWith(`.${one}`))
  const { paymentId } = payment
  const noted = { paymentId, language: language.locale, method, ...browser }
  if (step === 'submitted') notePageView(ctx, app, { ...noted, step: 'chosen' })
  notePageView(ctx, app, { ...noted, step })
}
