import { majorNumber } from '../base/money.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { checkoutOrigin } from '../merchants/urls.ts'
import { hasFixedAmount, type LinkWithTotals, type PaymentLink, stateOf } from './link.ts'

/** On the host name of the app's checkout, where it has one. */
export const linkUrl = (ctx: Pick<Context, 'config'>, app: App, { linkKey }: PaymentLink): string =>
  `${checkoutOrigin(ctx, app)}/l/${linkKey}`

export function linkView(ctx: Context, app: App, link: LinkWithTotals) {
  const { currency, leastMinor, mostMinor, maximumPayments } = link
  const state = stateOf(link, appNow(ctx, app))
  const amount = (minor: bigint) => majorNumber(minor, currency)
  const isFixed = hasFixedAmount(link)
  return {
    paymentLinkId: link.linkId,
    url: linkUrl(ctx, app, link),
    isReusable: maximumPayments !== 1,
    isActive: state === 'active' || state === 'busy',
    amount: isFixed ? amount(leastMinor) : null,
    minimumAmount: isFixed ? null : amount(leastMinor),
    maximumAmount: isFixed ? null : amount(mostMinor),
    currency,
    description: link.description,
    referenceId: link.referencePrefix,
    autoCapture: link.autoCapture,
    returnUrl: link.returnUrl,
    maximumPayments,
    paidCount: link.paidCount,
    paidAmount: amount(link.paidMinor),
    createdTime: link.createdTime,
    expirationTime: link.expirationTime,
    withdrawnTime: link.withdrawnTime,
  }
}
