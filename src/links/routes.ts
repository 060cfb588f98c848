import Type from 'typebox'
import { LIMITS } from '../base/limits.ts'
import { acting, type Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../merchants/app-route.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { paymentJson } from '../payments/view.ts'
import { PAYMENT_EXAMPLE } from '../payments/wire/examples.ts'
import { PaymentSchema } from '../payments/wire/schema.ts'
import { createLink, getLink, listLinks, paymentsOfLink, withdrawLink } from './commands.ts'
import { readLink } from './request.ts'
import { EXAMPLES, LinkAnswer, LinkBody, LinkParams, LinkPaymentsQuery, LinksQuery } from './schema.ts'
import { linkView } from './view.ts'

const common = { tag: 'Payment links', status: 200 } as const
const one = { ...common, path: '/payment-links/{paymentLinkId}', params: LinkParams } as const

export const linkRoutes = (ctx: Context): Route[] => [...listRoutes(ctx), ...oneRoutes(ctx)]

export const clearLinks = clearTables(['payment_link_places', 'payment_links'])

const sizeOf = ({ pageSize }: { readonly pageSize?: string }): number =>
  Number(pageSize ?? LIMITS.defaultPageSize)

function listRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/payment-links',
      status: 201,
      summary: 'Create a payment link for one payer or for many',
      description:
        'Each payer gets a payment of their own, which expires after 30 minutes if it is not paid.',
      body: LinkBody,
      response: LinkAnswer,
      errors: ['invalid_request', 'no_profile_for_currency', 'amount_out_of_bounds'],
      examples: { body: EXAMPLES.body, response: EXAMPLES.link },
      handler: async (app, { body, actor }) =>
        linkView(ctx, app, await createLink(acting(ctx, actor), app, readLink(body, app.friendlyName))),
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/payment-links',
      list: true,
      summary: 'List payment links, the newest first',
      query: LinksQuery,
      response: Type.Array(LinkAnswer),
      responseHeaders: LINK_HEADER,
      examples: { response: [EXAMPLES.link] },
      handler: async (app, { query, reply }) => {
        const { items, hasNext } = await listLinks(ctx, app, { before: query.before, limit: sizeOf(query) })
        if (hasNext) {
          const next = { ...query, before: items.at(-1)?.linkId }
          reply.header('link', nextPageLink(ctx, app, 'payment-links', next))
        }
        return items.map((link) => linkView(ctx, app, link))
      },
    }),
  ]
}

function oneRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...one,
      method: 'GET',
      summary: 'Read a payment link with what was paid through it',
      response: LinkAnswer,
      errors: ['not_found'],
      examples: { response: EXAMPLES.link },
      handler: async (app, { params }) => linkView(ctx, app, await getLink(ctx, app, params.paymentLinkId)),
    }),
    appRoute({
      ...one,
      method: 'GET',
      path: '/payment-links/{paymentLinkId}/payments',
      list: true,
      summary: 'List the payments of a payment link, the newest first',
      query: LinkPaymentsQuery,
      response: Type.Array(PaymentSchema),
      responseHeaders: LINK_HEADER,
      errors: ['not_found'],
      examples: { response: [PAYMENT_EXAMPLE] },
      handler: async (app, { params, query, reply }) => {
        const link = await getLink(ctx, app, params.paymentLinkId)
        const before = query.before === undefined ? undefined : Number(query.before)
        const { items, hasNext } = await paymentsOfLink(ctx, app, link, { before, limit: sizeOf(query) })
        if (hasNext) {
          const next = { ...query, before: items.at(-1)?.paymentId }
          reply.header('link', nextPageLink(ctx, app, `payment-links/${link.linkId}/payments`, next))
        }
        return `[${items.map((payment) => paymentJson(ctx, app, payment)).join(',')}]`
      },
    }),
    appRoute({
      ...one,
      method: 'DELETE',
      summary: 'Withdraw a payment link',
      description: 'It makes no more payments. Payers who have begun may still finish.',
      response: LinkAnswer,
      errors: ['not_found'],
      examples: { response: { ...EXAMPLES.link, isActive: false } },
      handler: async (app, { params, actor }) => {
        await withdrawLink(acting(ctx, actor), app, await getLink(ctx, app, params.paymentLinkId))
        return linkView(ctx, app, await getLink(ctx, app, params.paymentLinkId))
      },
    }),
  ]
}
