import { invalid, notFound } from '../base/errors.ts'
import { newPaymentKey, randomText } from '../base/ids.ts'
import { expected } from '../base/mistakes.ts'
import type { Context } from '../context.ts'
import { type App, appNow } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { getPayment } from '../payments/actions.ts'
import { checkOffers } from '../payments/create.ts'
import type { Payment } from '../payments/payment.ts'
import type { LinkWithTotals, PaymentLink } from './link.ts'
import { findLink, insertLink, pageOfLinks, paymentIdsOfLink, withdrawStored } from './store.ts'

/** What a new link is made of, besides what the service adds. */
export type WantedLink = Pick<
  PaymentLink,
  | 'leastMinor'
  | 'mostMinor'
  | 'currency'
  | 'description'
  | 'referencePrefix'
  | 'maximumPayments'
  | 'autoCapture'
  | 'returnUrl'
  | 'expirationTime'
>

export async function createLink(ctx: Context, app: App, wanted: WantedLink): Promise<LinkWithTotals> {
  const now = appNow(ctx, app)
  if (wanted.expirationTime && wanted.expirationTime <= now)
    throw invalid([expected('expirationTime', 'future')])
  // A payment of either bound must be possible.
  for (const amountMinor of [wanted.leastMinor, wanted.mostMinor])
    checkOffers(ctx, app, { ...wanted, amountMinor, details: { customerOrder: {} } })
  const link: PaymentLink = {
    ...wanted,
    appId: app.appId,
    linkId: `link_${randomText(ctx.random, 16)}`,
    linkKey: newPaymentKey(ctx.random, app.appId),
    createdTime: now,
    withdrawnTime: null,
  }
  await ctx.db.transaction(async (tx) => {
    await insertLink(tx, link)
    const { linkId, leastMinor, mostMinor, currency, description, maximumPayments } = link
    await auditApp(ctx, tx, app, {
      action: 'reusable_link.created',
      target: `link:${linkId}`,
      after: {
        ...{ description, currency, maximumPayments },
        leastMinor: String(leastMinor),
        mostMinor: String(mostMinor),
      },
    })
  })
  return { ...link, paidCount: 0, paidMinor: 0n, takenCount: 0 }
}

export async function getLink(ctx: Context, app: App, linkId: string): Promise<LinkWithTotals> {
  const link = await findLink(ctx.db, { appId: app.appId, now: appNow(ctx, app), linkId })
  if (!link) throw notFound('The payment link')
  return link
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly hasNext: boolean
}

const pageOf = <Item>(found: readonly Item[], limit: number): Page<Item> => ({
  items: found.slice(0, limit),
  hasNext: found.length > limit,
})

interface ListWish<Id> {
  readonly before?: Id | undefined
  readonly limit: number
}

/** The newest come first. */
export async function listLinks(
  ctx: Context,
  app: App,
  { before, limit }: ListWish<string>,
): Promise<Page<LinkWithTotals>> {
  const wish = { appId: app.appId, now: appNow(ctx, app), before, limit: limit + 1 }
  return pageOf(await pageOfLinks(ctx.db, wish), limit)
}

/** The newest come first. */
export async function paymentsOfLink(
  ctx: Context,
  app: App,
  link: PaymentLink,
  { before, limit }: ListWish<number>,
): Promise<Page<Payment>> {
  const found = pageOf(await paymentIdsOfLink(ctx.db, link, { before, limit: limit + 1 }), limit)
  return { ...found, items: await Promise.all(found.items.map((id) => getPayment(ctx, app, id))) }
}

/** Payers who have begun may finish their payments. */
export async function withdrawLink(ctx: Context, app: App, link: PaymentLink): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await withdrawStored(tx, link, appNow(ctx, app)))) return
    await auditApp(ctx, tx, app, { action: 'reusable_link.withdrawn', target: `link:${link.linkId}` })
  })
}
