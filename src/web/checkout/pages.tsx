import type { ComponentChildren } from 'preact'
import { SECOND } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import { findProfile, type Profile } from '../../merchants/app.ts'
import { checkoutOrigin } from '../../merchants/urls.ts'
import { profileOf } from '../../payments/provider/inputs.ts'
import type { PageAssets } from '../kit/assets/assets.ts'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import { originsOf, type PageSecurity, pageHeaders } from '../kit/html/headers.ts'
import { type PageProps, pageHtml } from '../kit/html/page.tsx'
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
import { amountOf, type CheckoutVisit } from './visit.ts'

/** The checkout pages as documents; each adds only the security headers that it needs. */
export interface Pages {
  form(visit: CheckoutVisit, messages: FormMessages): Promise<PageAnswer>
  /** Redirects to the provider's page, or shows a page that leads to it. */
  provider(visit: CheckoutVisit, to: ProviderPage, isFramed: boolean): PageAnswer
  status(visit: CheckoutVisit): PageAnswer
  challenge(visit: CheckoutVisit, url: string): PageAnswer
  result(visit: CheckoutVisit): PageAnswer
  receipt(visit: CheckoutVisit): PageAnswer
  /** Runs inside a frame and navigates the top window. */
  leaveFrame(visit: CheckoutVisit, to: string): PageAnswer
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
type Draw = (visit: CheckoutVisit, page: string, children: ComponentChildren, extra?: Extra) => PageAnswer

/** Refresh interval of a page without script. */
const REFRESH_SECONDS = 5
/** No refresh is scheduled further ahead: few pages stay open that long. */
const MAX_REFRESH_SECONDS = 3_600

export function createPages(ctx: Context, assets: PageAssets): Pages {
  const draw: Draw = (visit, page, children, { security, ...extra } = {}) => ({
    html: pageHtml({
      language: visit.language,
      brand: visit.brand,
      title: visit.language.texts.buttons.pay(amountOf(visit)),
      page,
      style: assets.style.path,
      script: assets.script.path,
      here: visit.base,
      testDocs: testDocsOf(ctx, profileIn(visit)),
      children,
      ...extra,
      data: { 'data-base': visit.base },
    }),
    headers: pageHeaders({ brand: visit.brand, ...security }),
  })
  return {
    form: (visit, messages) => formPage(ctx, draw, visit, messages),
    provider: (visit, to, isFramed) => continuePage(ctx, draw, visit, { to, isFramed }),
    status: (visit) =>
      draw(visit, 'status', <StatusPage visit={visit} />, { refresh: { seconds: REFRESH_SECONDS } }),
    challenge: (visit, url) =>
      draw(visit, 'challenge', challengePage(ctx, visit, url), {
        refresh: { seconds: CHALLENGE_SECONDS, url },
        security: { frameOrigins: originsOf(url, visit.payment.payInfo?.post?.url) },
      }),
    result: (visit) => draw(visit, 'result', <ResultPage visit={visit} />),
    receipt: (visit) => draw(visit, 'receipt', <ReceiptPage visit={visit} back={`${visit.base}/result`} />),
    leaveFrame(visit, to) {
      const link = (
        <a href={to} target="_top" id="leave">
          {visit.language.texts.common.refresh}
        </a>
      )
      return draw(visit, 'leave', <p class="narrow">{link}</p>, { security: { framable: true } })
    },
  }
}

/** Without script the bank's page opens by itself, after a moment to choose another way. */
const CHALLENGE_SECONDS = 4

const challengePage = (ctx: Context, visit: CheckoutVisit, url: string) => (
  <ChallengePage visit={visit} url={url} attemptId={newAttemptId(ctx, visit.payment.paymentKey)} />
)

async function formPage(
  ctx: Context,
  draw: Draw,
  visit: CheckoutVisit,
  messages: FormMessages,
): Promise<PageAnswer> {
  const { app, payment } = visit
  const options = methodOptionsOf(ctx, visit)
  if (options.length === 0)
    ctx.log.warn('checkout.no_method', { appId: app.appId, paymentId: payment.paymentId })
  const saved = await savedMethodsOf(ctx, visit)
  const isOffered = [...options.map(({ id }) => id), ...saved.map(savedId)].some((id) => id === messages.row)
  const props = {
    visit,
    options,
    saved,
    attemptId: newAttemptId(ctx, payment.paymentKey),
    chosen: isOffered ? (messages.row as string) : firstChoice(visit, options, saved),
    problems: messages.problems,
    removed: messages.removed,
    isPageLeftOpen: messages.isPageLeftOpen,
    leftProvider: payment.redirectUrl === null ? undefined : providerShown(ctx, visit, visit.language.texts),
    origin: checkoutOrigin(ctx, payment.details),
  }
  const profiles = [...options, ...saved].map(({ offer }) => offer.profile)
  return draw(visit, 'form', <CheckoutForm {...props} />, {
    ...refreshAtEnd(visit),
    testDocs: testDocsOf(ctx, profiles),
    security: { formOrigins: checkoutFormOrigins(ctx, visit, options, saved) },
  })
}

/** The profile of the current attempt. */
function profileIn({ app, payment }: CheckoutVisit): Profile[] {
  const profile = payment.profileId === null ? undefined : findProfile(app, payment.profileId)
  return profile ? [profile] : []
}

interface Leaving {
  readonly to: ProviderPage
  /** A bank's challenge is shown in a frame of our challenge page. */
  readonly isFramed: boolean
}

function continuePage(ctx: Context, draw: Draw, visit: CheckoutVisit, { to, isFramed }: Leaving): PageAnswer {
  const { app, payment, language } = visit
  const profile = profileOf(app, payment)
  if (opensByRedirect(ctx, app, profile, { ...to, method: payment.method })) return seeOther(to.url)
  const page = (
    <ContinuePage texts={language.texts} provider={providerShown(ctx, visit, language.texts)} to={to}>
      <AmountTo visit={visit} />
    </ContinuePage>
  )
  const { security, ...refresh } = continueProps(ctx, app, profile, to)
  return draw(visit, 'continue', page, {
    ...refresh,
    bare: isFramed,
    security: { ...security, framable: isFramed },
  })
}

/** Reloads at expiry, so the page changes to the expired one without script too. */
function refreshAtEnd({ payment, now }: CheckoutVisit): Pick<Extra, 'refresh'> {
  if (payment.expirationTime === null) return {}
  const seconds = Math.ceil((payment.expirationTime.getTime() - now.getTime()) / SECOND) + 1
  return seconds > 0 && seconds <= MAX_REFRESH_SECONDS ? { refresh: { seconds } } : {}
}
