import { DAY } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import type { Payment } from '../../payments/payment.ts'
import { offersFor } from '../../routing/offers.ts'
import type { PageAssets } from '../kit/assets/assets.ts'
import { brandOf } from '../kit/html/brand.ts'
import { pageHeaders } from '../kit/html/headers.ts'
import { pageHtml } from '../kit/html/page.tsx'
import { chooseLanguage } from '../kit/i18n/languages.ts'
import type { PageAnswer } from '../kit/request/answer.ts'
import { type MethodOption, methodOptionsOf } from './method-options.ts'
import { CheckoutForm } from './parts/form.tsx'
import { amountOf, type CheckoutRequest } from './request.ts'

export interface Previewed {
  /** With the branding to show, saved or not. */
  readonly app: App
  /** The app's order, in its words. */
  readonly description: string
  readonly acceptLanguage: string | undefined
}

/**
 * The checkout form with an example payment that exists nowhere, for a frame of the same origin. It has no
 * script, and the content policy keeps every form from being sent.
 */
export function previewPage(ctx: Context, assets: PageAssets, previewed: Previewed): PageAnswer {
  const { app, acceptLanguage } = previewed
  const now = appNow(ctx, app)
  const payment = examplePayment(app, now, previewed.description)
  const language = chooseLanguage({ app: app.branding.locale, acceptLanguage })
  const checkout: CheckoutRequest = { app, payment, language, brand: brandOf(app), now, base: '#' }
  const options = exampleOptions(ctx, checkout)
  return {
    html: pageHtml({
      language,
      brand: checkout.brand,
      title: language.texts.buttons.pay({ amount: amountOf(checkout) }),
      page: 'preview',
      style: assets.style.path,
      children: (
        <CheckoutForm
          checkout={checkout}
          options={options}
          saved={[]}
          attemptId=""
          chosen={options[0]?.id ?? ''}
          problems={[]}
          removed={false}
          leftProvider={undefined}
          isPageLeftOpen={false}
          origin=""
        />
      ),
    }),
    headers: pageHeaders({ brand: checkout.brand, formOrigins: 'none', framable: true }),
  }
}

/** Without the addresses of providers. Nothing is paid, so no profile in trouble is probed. */
function exampleOptions(ctx: Context, { app, payment }: CheckoutRequest): MethodOption[] {
  const { currency, autoCapture, amountMinor } = payment
  const request = { currency, autoCapture, amountMinor, country: undefined, brand: undefined, seed: '' }
  const offers = offersFor(ctx, app, request)
  return methodOptionsOf(ctx, { app, payment }, offers).map((option) => ({
    ...option,
    fields: option.fields && { ...option.fields, action: '#', hidden: {} },
  }))
}

const EXAMPLE_MINOR = 4_990n

const examplePayment = (app: App, now: Date, description: string): Payment => ({
  appId: app.appId,
  paymentId: 0,
  version: 0,
  sequence: 0,
  state: 'Created',
  flow: 'HostedPage',
  referenceId: '',
  paymentKey: '',
  amountMinor: EXAMPLE_MINOR,
  capturedMinor: 0n,
  refundedMinor: 0n,
  currency: app.profiles.find(({ isActive }) => isActive)?.currency ?? 'USD',
  autoCapture: true,
  autoPayment: 'None',
  fraudStatus: 'Unknown',
  customerId: '',
  returnUrl: null,
  webhookUrl: null,
  createdTime: now,
  stateTime: now,
  expirationTime: new Date(now.getTime() + DAY),
  details: { customerOrder: {}, description },
  attempt: 0,
  attemptKey: null,
  profileId: null,
  method: null,
  paymentMethodId: null,
  tokenId: null,
  handles: null,
  payInfo: null,
  authorisedUntil: null,
  redirectUrl: null,
  failure: null,
  lastError: null,
})
