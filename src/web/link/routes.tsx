import { ApiError, notFound } from '../../base/errors.ts'
import { decimalSign, plainDecimal } from '../../base/presentation/typed-amount.ts'
import type { Context } from '../../context.ts'
import { createRateLimiter, takeAll } from '../../http/limits/rate-limit.ts'
import type { Route } from '../../http/route.ts'
import { type LinkState, type PaymentLink, stateOf } from '../../links/link.ts'
import { openLink, payByLink } from '../../links/pay.ts'
import { appNow } from '../../merchants/app.ts'
import { readAmount } from '../../payments/wire/request.ts'
import type { PageAssets } from '../kit/assets/assets.ts'
import { chooseLanguage, type Language } from '../kit/i18n/languages.ts'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import type { PageCall } from '../kit/request/call.ts'
import { newFormId, readFormId } from '../kit/request/form-id.ts'
import { createPageRoutes } from '../kit/request/page-route.ts'
import { ClosedLink, LinkForm, type LinkRequest, linkPage, UnusableLink } from './parts.tsx'

/** Payments that the links make: of one address at all links, and of all addresses at one link. */
const OF_ADDRESS = { name: 'link payments of an address', perSecond: 1, burst: 60 }
const OF_LINK = { name: 'link payments of a link', perSecond: 10, burst: 300 }

/**
 * The page of a payment link. A GET creates nothing, because messengers open links for their previews; the
 * button makes the payment of this payer and leads to its checkout.
 */
export function linkPageRoutes(ctx: Context, assets: PageAssets): Route[] {
  const page = createPageRoutes(ctx, assets, 'payment link')
  const limiter = (policy: typeof OF_LINK) => createRateLimiter(ctx.clock, policy, ctx.sharedLimits)
  const [ofAddress, ofLink] = [limiter(OF_ADDRESS), limiter(OF_LINK)]
  const take = ({ network }: PageCall, { linkId }: PaymentLink) =>
    void takeAll([ofAddress, network], [ofLink, linkId])
  const path = '/l/{token}'
  return [
    page({
      method: 'GET',
      path,
      summary: 'The page of a payment link',
      handler: async (call) => show(ctx, assets, await requestOf(ctx, call)),
    }),
    page({
      method: 'POST',
      path,
      summary: 'On to the payment of this payer',
      handler: async (call) => pay(ctx, assets, call, take),
    }),
  ]
}

async function requestOf(ctx: Context, call: PageCall): Promise<LinkRequest> {
  const { token = '' } = call.params
  const opened = await openLink(ctx, token)
  if (!opened) throw notFound('The payment link')
  call.admit(token)
  const { app, link } = opened
  const language = chooseLanguage({
    chosen: call.lang,
    app: app.branding.locale,
    acceptLanguage: call.acceptLanguage,
    isSandbox: app.isSandbox,
  })
  return { app, link, language, state: stateOf(link, appNow(ctx, app)), base: `/l/${token}` }
}

interface Typed {
  readonly value: string
  readonly isWrong: boolean
}

function show(ctx: Context, assets: PageAssets, request: LinkRequest, typed?: Typed): PageAnswer {
  const { state, link } = request
  if (state !== 'active') return closed(assets, request, state)
  const formId = newFormId(ctx, link.linkKey)
  return linkPage(assets, request, {
    status: typed?.isWrong ? 422 : 200,
    children: <LinkForm request={request} formId={formId} typed={typed} />,
  })
}

const closed = (assets: PageAssets, request: LinkRequest, state: Exclude<LinkState, 'active'>): PageAnswer =>
  linkPage(assets, request, {
    status: state === 'busy' ? 200 : 410,
    children: <ClosedLink request={request} state={state} />,
  })

async function pay(
  ctx: Context,
  assets: PageAssets,
  call: PageCall,
  take: (call: PageCall, link: PaymentLink) => void,
): Promise<PageAnswer> {
  const request = await requestOf(ctx, call)
  const { app, link, language, base } = request
  const nonce = readFormId(ctx, link.linkKey, call.form.get('form') ?? '')
  if (nonce === undefined) return seeOther(base)
  const value = call.form.get('amount') ?? ''
  const amountMinor = amountOf(link, value, language)
  if (amountMinor === undefined) return show(ctx, assets, request, { value, isWrong: true })
  take(call, link)
  try {
    const paying = await payByLink(ctx, { app, link }, { amountMinor, nonce })
    if ('refusal' in paying) return closed(assets, request, paying.refusal)
    // A form that was sent before, and whose payment has ended without money, begins anew.
    return seeOther(paying.payment.state === 'Failed' ? base : `/c/${paying.payment.paymentKey}`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    ctx.log.warn('link.refused', { appId: app.appId, linkId: link.linkId, code: error.code })
    return linkPage(assets, request, { status: 409, children: <UnusableLink request={request} /> })
  }
}

/** The amount as the language writes it, within the bounds of the link. */
export function amountOf(
  link: Pick<PaymentLink, 'leastMinor' | 'mostMinor' | 'currency'>,
  typed: string,
  { intl }: Pick<Language, 'intl'>,
): bigint | undefined {
  const { leastMinor, mostMinor, currency } = link
  if (leastMinor === mostMinor) return leastMinor
  const decimal = plainDecimal(typed.slice(0, 40), decimalSign(intl))
  const minor = decimal === undefined ? undefined : readAmount(decimal, currency, [])
  return minor !== undefined && minor >= leastMinor && minor <= mostMinor ? minor : undefined
}
