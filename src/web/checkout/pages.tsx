import type { ComponentChildren } from 'preact'
import { SECOND } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import { findProfile, type Profile } from '../../merchants/app.ts'
import { checkoutOrigin } from '../../merchants/urls.ts'
import { profileOf } from '../../payments/provider/inputs.ts'
import type { PageAssets } from '../kit/assets/assets.ts'
import { originsOf, type PageSecurity, pageHeaders } from '../kit/html/headers.ts'
import { type PageProps, pageHtml } from '../kit/html/page.tsx'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import { newAttemptId } from './attempt-id.ts'
import { checkoutFormOrigins, methodOptionsOf, savedMethodsOf } from './method-options.ts'
import { ContinuePage } from './parts/continue.tsx'
import { CheckoutForm, firstChoice } from './parts/form.tsx'
import { savedId } from './parts/methods.tsx'
import { ReceiptPage } from './parts/receipt.tsx'
import { ResultPage } from './parts/result.tsx'
import { AmountTo, ChallengePage, StatusPage } from './parts/status.tsx'
import {
  continueProps,
  opensByRedirect,
  type ProviderPage,
  providerShown,
  testDocsOf,
} from './provider-page.ts'
import { amountOf, type CheckoutRequest } from './request.ts'

/** The checkout pages as documents; each adds only the security headers that it needs. */
export interface Pages {
  form(checkout: CheckoutRequest, messages: FormMessages): Promise<PageAnswer>
  /** Redirects to the provider's page, or shows a page that leads to it. */
  provider(checkout: CheckoutRequest, to: ProviderPage, isFramed: boolean): PageAnswer
  status(checkout: CheckoutRequest): PageAnswer
  challenge(checkout: CheckoutRequest, url: string): PageAnswer
  result(checkout: CheckoutRequest): PageAnswer
  receipt(checkout: CheckoutRequest): PageAnswer
  /** Runs inside a frame and navigates the top window. */
  leaveFrame(checkout: CheckoutRequest, to: string): PageAnswer
}

/** Messages of the form beside the payment's state. */
interface FormMessages {
  readonly problems: readonly string[]
  /** Id of the row that was submitted. */
  readonly row: string | undefined
  readonly removed: boolean
  /** The provider of the open page did not close it, so no other attempt was started. */
  readonly isPageLeftOpen: boolean
}

type Extra = Pick<PageProps, 'refresh' | 'bare' | 'testDocs'> & { readonly security?: PageSecurity }
type Render = (
  checkout: CheckoutRequest,
  page: string,
  children: ComponentChildren,
  extra?: Extra,
) => PageAnswer

/** Refresh interval of a page without script. */
const REFRESH_SECONDS = 5
/** No refresh is scheduled further ahead: few pages stay open that long. */
const MAX_REFRESH_SECONDS = 3_600

export function createPages(ctx: Context, assets: PageAssets): Pages {
  const render: Render = (checkout, page, children, { security, ...extra } = {}) => ({
    html: pageHtml({
      language: checkout.language,
      brand: checkout.brand,
      title: checkout.language.texts.buttons.pay({ amount: amountOf(checkout) }),
      page,
      style: assets.style.path,
      script: assets.script.path,
      here: checkout.base,
      testDocs: testDocsOf(ctx, profileIn(checkout)),
      children,
      ...extra,
      data: { 'data-base': checkout.base },
    }),
    headers: pageHeaders({ brand: checkout.brand, ...security }),
  })
  return {
    form: (checkout, messages) => formPage(ctx, render, checkout, messages),
    provider: (checkout, to, isFramed) => continuePage(ctx, render, checkout, { to, isFramed }),
    status: (checkout) =>
      render(checkout, 'status', <StatusPage checkout={checkout} />, {
        refresh: { seconds: REFRESH_SECONDS },
      }),
    challenge: (checkout, url) =>
      render(checkout, 'challenge', challengePage(ctx, checkout, url), {
        refresh: { seconds: CHALLENGE_SECONDS, url },
        security: { frameOrigins: originsOf(url, checkout.payment.payInfo?.post?.url) },
      }),
    result: (checkout) => render(checkout, 'result', <ResultPage checkout={checkout} />),
    receipt: (checkout) =>
      render(checkout, 'receipt', <ReceiptPage checkout={checkout} back={`${checkout.base}/result`} />),
    leaveFrame(checkout, to) {
      const link = (
        <a href={to} target="_top" id="leave">
          {checkout.language.texts.common.refresh}
        </a>
      )
      return render(checkout, 'leave', <p class="narrow">{link}</p>, { security: { framable: true } })
    },
  }
}

/** Without script the bank's page opens by itself, after a moment to choose another way. */
const CHALLENGE_SECONDS = 4

const challengePage = (ctx: Context, checkout: CheckoutRequest, url: string) => (
  <ChallengePage checkout={checkout} url={url} attemptId={newAttemptId(ctx, checkout.payment.paymentKey)} />
)

async function formPage(
  ctx: Context,
  render: Render,
  checkout: CheckoutRequest,
  messages: FormMessages,
): Promise<PageAnswer> {
  const { app, payment } = checkout
  const options = methodOptionsOf(ctx, checkout)
  if (options.length === 0)
    ctx.log.warn('checkout.no_method', { appId: app.appId, paymentId: payment.paymentId })
  const saved = await savedMethodsOf(ctx, checkout)
  const isOffered = [...options.map(({ id }) => id), ...saved.map(savedId)].some((id) => id === messages.row)
  const props = {
    checkout,
    options,
    saved,
    attemptId: newAttemptId(ctx, payment.paymentKey),
    chosen: isOffered ? (messages.row as string) : firstChoice(checkout, options, saved),
    problems: messages.problems,
    removed: messages.removed,
    isPageLeftOpen: messages.isPageLeftOpen,
    leftProvider:
      payment.redirectUrl === null ? undefined : providerShown(ctx, checkout, checkout.language.texts),
    origin: checkoutOrigin(ctx, payment.details),
  }
  const profiles = [...options, ...saved].map(({ offer }) => offer.profile)
  return render(checkout, 'form', <CheckoutForm {...props} />, {
    ...refreshAtEnd(checkout),
    testDocs: testDocsOf(ctx, profiles),
    security: { formOrigins: checkoutFormOrigins(ctx, checkout, options, saved) },
  })
}

/** The profile of the current attempt. */
function profileIn({ app, payment }: CheckoutRequest): Profile[] {
  const profile = payment.profileId === null ? undefined : findProfile(app, payment.profileId)
  return profile ? [profile] : []
}

interface Leaving {
  readonly to: ProviderPage
  /** A bank's challenge is shown in a frame of our challenge page. */
  readonly isFramed: boolean
}

function continuePage(
  ctx: Context,
  render: Render,
  checkout: CheckoutRequest,
  { to, isFramed }: Leaving,
): PageAnswer {
  const { app, payment, language } = checkout
  const profile = profileOf(app, payment)
  if (opensByRedirect(ctx, app, profile, { ...to, method: payment.method })) return seeOther(to.url)
  const page = (
    <ContinuePage texts={language.texts} provider={providerShown(ctx, checkout, language.texts)} to={to}>
      <AmountTo checkout={checkout} />
    </ContinuePage>
  )
  const { security, ...refresh } = continueProps(ctx, app, profile, to)
  return render(checkout, 'continue', page, {
    ...refresh,
    bare: isFramed,
    security: { ...security, framable: isFramed },
  })
}

/** Reloads at expiry, so the page changes to the expired one without script too. */
function refreshAtEnd({ payment, now }: CheckoutRequest): Pick<Extra, 'refresh'> {
  if (payment.expirationTime === null) return {}
  const seconds = Math.ceil((payment.expirationTime.getTime() - now.getTime()) / SECOND) + 1
  return seconds > 0 && seconds <= MAX_REFRESH_SECONDS ? { refresh: { seconds } } : {}
}
