import type { ComponentChildren } from 'preact'
import { SECOND } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import type { PageAssets } from '../assets.ts'
import type { PageAnswer } from '../page-route.tsx'
import { originsOf, type PageSecurity, pageHeaders } from '../ui/headers.ts'
import { type PageProps, pageHtml } from '../ui/page.tsx'
import { newAttemptId } from './attempt-id.ts'
import { formOrigins, methodOptionsOf, savedMethodsOf } from './method-options.ts'
import { CheckoutForm, firstChoice } from './parts/form.tsx'
import { savedId } from './parts/methods.tsx'
import { ReceiptPage } from './parts/receipt.tsx'
import { ResultPage } from './parts/result.tsx'
import { ChallengePage, StatusPage } from './parts/status.tsx'
import { amountOf, type Visit } from './visit.ts'

/** The checkout pages as documents; each adds only the security headers that it needs. */
export interface Pages {
  form(visit: Visit, messages: FormMessages): Promise<PageAnswer>
  status(visit: Visit): PageAnswer
  challenge(visit: Visit, url: string): PageAnswer
  result(visit: Visit): PageAnswer
  receipt(visit: Visit): PageAnswer
  /** Runs inside a frame and navigates the top window. */
  leaveFrame(visit: Visit, to: string): PageAnswer
}

/** Messages of the form beside the payment's state. */
interface FormMessages {
  readonly problems: readonly string[]
  /** Id of the row that was submitted. */
  readonly row: string | undefined
  readonly removed: boolean
}

type Extra = Pick<PageProps, 'refresh'> & { readonly security?: PageSecurity }
type Draw = (visit: Visit, page: string, children: ComponentChildren, extra?: Extra) => PageAnswer

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
      children,
      ...extra,
      data: { 'data-base': visit.base },
    }),
    headers: pageHeaders({ brand: visit.brand, ...security }),
  })
  return {
    form: (visit, messages) => formPage(ctx, draw, visit, messages),
    status: (visit) =>
      draw(visit, 'status', <StatusPage visit={visit} />, { refresh: { seconds: REFRESH_SECONDS } }),
    challenge: (visit, url) =>
      draw(visit, 'challenge', <ChallengePage visit={visit} url={url} />, {
        refresh: { seconds: 0, url },
        security: { frameOrigins: originsOf(url) },
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

async function formPage(ctx: Context, draw: Draw, visit: Visit, messages: FormMessages): Promise<PageAnswer> {
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
    publicUrl: ctx.config.publicUrl,
  }
  return draw(visit, 'form', <CheckoutForm {...props} />, {
    ...refreshAtEnd(visit),
    security: { formOrigins: formOrigins(ctx, app, options, saved) },
  })
}

/** Reloads at expiry, so the page changes to the expired one without script too. */
function refreshAtEnd({ payment, now }: Visit): Pick<Extra, 'refresh'> {
  if (payment.expirationTime === null) return {}
  const seconds = Math.ceil((payment.expirationTime.getTime() - now.getTime()) / SECOND) + 1
  return seconds > 0 && seconds <= MAX_REFRESH_SECONDS ? { refresh: { seconds } } : {}
}
