import Type from 'typebox'
import { appIdFromPart } from '../base/ids.ts'
import { decimalText } from '../base/money.ts'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { loadApp } from '../merchants/directory.ts'
import { getPaymentByKey } from '../payments/commands.ts'
import { PLAIN_HEADERS, plainPage } from './plain.ts'

/** What a customer's browser is sent to. */
export function pageRoutes(ctx: Context): Route[] {
  return [
    route({
      method: 'GET',
      path: '/c/{paymentKey}',
      summary: 'The hosted checkout of a payment',
      tag: 'Pages',
      auth: 'none',
      status: 200,
      hidden: true,
      contentType: 'text/html; charset=utf-8',
      params: Type.Object({ paymentKey: Type.String() }),
      handler: async (_caller: unknown, { params, reply }) => {
        reply.headers(PLAIN_HEADERS)
        const page = await checkoutPage(ctx, params.paymentKey)
        if (!page) reply.code(404)
        return page ?? plainPage({ title: 'We cannot find this payment', paragraphs: ['Check the link.'] })
      },
    }),
  ]
}

async function checkoutPage(ctx: Context, paymentKey: string): Promise<string | undefined> {
  const appId = appIdFromPart(paymentKey)
  const app = appId === undefined ? undefined : await loadApp(ctx, appId)
  const payment = app && (await getPaymentByKey(ctx, app.appId, paymentKey).catch(() => undefined))
  if (!payment) return undefined
  const amount = `${decimalText(payment.amountMinor, payment.currency)} ${payment.currency}`
  return plainPage({
    title: `${amount} to ${app.friendlyName}`,
    paragraphs: [
      payment.details.description ?? `Reference ${payment.referenceId}`,
      `This is the checkout of a payment. It is ${payment.state} now.`,
    ],
  })
}
