import Type from 'typebox'
import type { Context } from '../../context.ts'
import type { Call, Route } from '../../http/route.ts'
import { readId } from '../../http/wire.ts'
import { listProviderCalls } from '../../logs/provider/commands.ts'
import type { App } from '../../merchants/app.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { getDelivery } from '../../webhooks/commands.ts'
import { DeliveryAnswer } from '../../webhooks/schema.ts'
import { deliveryView } from '../../webhooks/view.ts'
import { getPayment, getPaymentByReference } from '../actions.ts'
import type { Payment } from '../payment.ts'
import { paymentJson } from '../view.ts'
import { PAYMENT_EXAMPLE } from '../wire/examples.ts'
import { PaymentParams, PaymentSchema } from '../wire/schema.ts'
import {
  LinkInfoAnswer,
  linkInfoView,
  ProviderLogAnswer,
  providerLogView,
  RawInfoAnswer,
  rawInfoView,
  StateLogAnswer,
  stateLogView,
} from './detail-view.ts'
import { DETAIL_EXAMPLES } from './examples.ts'
import { lastDelivered, listStates } from './timeline-store.ts'

/** States shown of one payment; more are rare, and only the newest are shown. */
const MAX_STATES = 500
const MAX_CALLS = 100

const common = { tag: 'Payments', method: 'GET', status: 200, errors: ['not_found'] } as const

/** What existing consoles show of a payment. */
export const detailRoutes = (ctx: Context): Route[] => [
  ...stateRoutes(ctx),
  ...providerRoutes(ctx),
  appRoute({
    ...common,
    path: '/payments/referenceId:{referenceId}/ex',
    summary: 'Read a payment by its reference, by another address',
    description: 'The same answer as without `/ex`, for clients that ask for it.',
    params: Type.Object({ appId: Type.String(), referenceId: Type.String() }),
    response: PaymentSchema,
    examples: { response: PAYMENT_EXAMPLE },
    handler: async (app, { params }) =>
      paymentJson(ctx, app, await getPaymentByReference(ctx, app, params.referenceId)),
  }),
]

type PaymentCall = Call<unknown, unknown, { paymentId: string }>

const paymentOf = (ctx: Context, app: App, { params }: PaymentCall): Promise<Payment> =>
  getPayment(ctx, app, readId(params.paymentId))

function stateRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      path: '/payments/{paymentId}/state-logs',
      summary: 'List the states that a payment entered',
      description: 'In order. After a month only the present state is known.',
      params: PaymentParams,
      response: Type.Array(StateLogAnswer),
      examples: { response: DETAIL_EXAMPLES.states },
      handler: async (app, call) => {
        const payment = await paymentOf(ctx, app, call)
        const { appId, paymentId } = payment
        return stateLogView(payment, await listStates(ctx.db, appId, { paymentId, limit: MAX_STATES }))
      },
    }),
    appRoute({
      ...common,
      path: '/payments/{paymentId}/last-webhook-item',
      summary: 'Read the newest webhook of a payment with its attempts',
      description: 'Null when the payment has none.',
      params: PaymentParams,
      response: Type.Union([DeliveryAnswer, Type.Null()]),
      examples: { response: DETAIL_EXAMPLES.webhook },
      handler: async (app, call) => {
        const { paymentId } = await paymentOf(ctx, app, call)
        const sequence = await lastDelivered(ctx.db, app.appId, paymentId)
        if (sequence === undefined) return null
        return deliveryView(app, await getDelivery(ctx, app, { paymentId, sequence }), { responses: true })
      },
    }),
  ]
}

function providerRoutes(ctx: Context): Route[] {
  const callsOf = (app: App, { paymentId }: Payment) =>
    listProviderCalls(ctx, app, { paymentId, limit: MAX_CALLS })
  return [
    appRoute({
      ...common,
      path: '/payments/{paymentId}/provider-log',
      summary: 'List the requests to providers about a payment',
      description:
        'In order, for thirty days. Secrets and card numbers are masked; for live apps the data of the ' +
        'payer too. A crash of the service may lose the last half second.',
      params: PaymentParams,
      response: Type.Array(ProviderLogAnswer),
      examples: { response: DETAIL_EXAMPLES.providerLog },
      handler: async (app, call) => {
        const payment = await paymentOf(ctx, app, call)
        const calls = await callsOf(app, payment)
        return calls.reverse().map((each) => providerLogView(app, payment, each))
      },
    }),
    appRoute({
      ...common,
      path: '/payments/{paymentId}/provider-raw-info',
      summary: 'What the provider last told about a payment',
      params: PaymentParams,
      response: RawInfoAnswer,
      examples: { response: DETAIL_EXAMPLES.rawInfo },
      handler: async (app, call) => rawInfoView(await callsOf(app, await paymentOf(ctx, app, call))),
    }),
    appRoute({
      ...common,
      path: '/payments/{paymentId}/provider-link-info',
      summary: 'Where a payment is in the dashboard of its provider',
      params: PaymentParams,
      response: LinkInfoAnswer,
      examples: { response: DETAIL_EXAMPLES.linkInfo },
      handler: async (app, call) => linkInfoView(ctx, app, await paymentOf(ctx, app, call)),
    }),
  ]
}
