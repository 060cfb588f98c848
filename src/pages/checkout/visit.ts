import { appIdFromPart } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { getPaymentByKey } from '../../payments/actions.ts'
import { isBeingAsked } from '../../payments/pay.ts'
import type { Payment } from '../../payments/payment.ts'
import { chooseLanguage, type Language } from '../i18n/languages.ts'
import { type Brand, brandOf } from '../ui/brand.ts'
import { moneyInText } from '../ui/money.tsx'
import { type CheckoutStep, mayBeUnderWay, stepOf } from './rules/step.ts'

/** One look at one payment by whoever holds its link. */
export interface Visit {
  readonly app: App
  readonly payment: Payment
  readonly brand: Brand
  readonly language: Language
  /** Of the app's clock. */
  readonly now: Date
  /** `/c/{paymentKey}` */
  readonly base: string
}

export interface Asking {
  readonly paymentKey: string
  /** `?lang=`, or what an earlier `?lang=` left in a cookie. */
  readonly lang?: string | undefined
  readonly acceptLanguage?: string | undefined
}

const KEY = /^[0-9a-z]{38}$/

/** Undefined when there is no such payment, or none that this link may show. */
export async function findVisit(ctx: Context, asking: Asking): Promise<Visit | undefined> {
  const { paymentKey, lang, acceptLanguage } = asking
  const appId = KEY.test(paymentKey) ? appIdFromPart(paymentKey) : undefined
  // The payment first: a wrong link then costs one row of a grouped read, whatever app it names.
  const payment = appId === undefined ? undefined : await findByKey(ctx, appId, paymentKey)
  const app = payment && (await loadApp(ctx, payment.appId))
  if (!payment || !app?.isActive) return undefined
  const { locale } = app.branding
  const language = chooseLanguage({ chosen: lang, app: locale, acceptLanguage, isSandbox: app.isSandbox })
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

/** Where the payment is now. One more read only where the row leaves it open. */
export async function currentStep(ctx: Context, { payment, now }: Visit): Promise<CheckoutStep> {
  const underWay = mayBeUnderWay(payment) && (await isBeingAsked(ctx, payment))
  return stepOf(payment, now, underWay)
}

/** The amount of the payment, for a sentence. */
export const amountOf = ({ language, payment }: Visit, minor = payment.amountMinor): string =>
  moneyInText(language, minor, payment.currency)
