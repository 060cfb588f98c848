import Type, { type Static } from 'typebox'
import { readEventId } from '../base/ids.ts'
import { LIMITS } from '../base/limits.ts'
import { acting, type Context } from '../context.ts'
import { jsonArray } from '../http/content/stream.ts'
import type { Route } from '../http/route.ts'
import { readId, readInstant } from '../http/wire.ts'
import type { App } from '../merchants/app.ts'
import { appRoute } from '../merchants/app-route.ts'
import {
  disableSigning,
  getDelivery,
  resend,
  resendFailed,
  rotateSigningSecret,
  sendTest,
} from './commands.ts'
import { readEndpointId } from './endpoints/endpoints.ts'
import { deliveryPage, eventPage } from './lists/pages.ts'
import { type Cursor, type Filter, isReadByQueue } from './lists/store.ts'
import {
  DeliveryAnswer,
  DeliveryParams,
  DeliveryQuery,
  EventAnswer,
  EventQuery,
  OneDeliveryQuery,
  ResendQuery,
  ResentAnswer,
  SecretAnswer,
} from './schema.ts'
import { cursorText, deliveryView, readCursor } from './view.ts'

const common = { tag: 'Webhooks', status: 200 } as const
const LINK = { Link: 'The next page, `rel="next"`, when there is one.' }
const FEWER =
  'A page ends before 4 MiB, so it may have fewer rows than `pageSize`: follow `Link` until there is none.'

export const webhookRoutes = (ctx: Context): Route[] => [
  ...listRoutes(ctx),
  ...deliveryRoutes(ctx),
  testRoute(ctx),
  ...secretRoutes(ctx),
]

function filterOf(query: Static<typeof EventQuery>): Filter {
  return {
    // An invalid id matches no payment.
    paymentId: query.paymentId === undefined ? undefined : (readId(query.paymentId) ?? -1),
    since: query.since === undefined ? undefined : readInstant(query.since),
    before: readCursor(query.before),
    limit: Number(query.pageSize ?? LIMITS.defaultPageSize),
  }
}

interface NextPage {
  readonly path: string
  readonly query: object
  readonly last: Cursor
}

function nextLink(ctx: Context, app: App, { path, query, last }: NextPage): string {
  const next = new URLSearchParams({ ...query, before: cursorText(last) })
  return `<${ctx.config.publicUrl}/api/apps/${app.appId}/${path}?${next}>; rel="next"`
}

function listRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'GET',
      path: '/events',
      list: true,
      summary: 'List the events of the app, the newest first',
      description: `Every state entered, as its webhook tells it; also with nowhere to be sent. ${FEWER}`,
      query: EventQuery,
      response: Type.Array(EventAnswer),
      responseHeaders: LINK,
      handler: async (app, { query, reply }) => {
        const { items, hasNext, pieces } = await eventPage(ctx, app, filterOf(query))
        const last = items.at(-1)
        if (hasNext && last) reply.header('link', nextLink(ctx, app, { path: 'events', query, last }))
        return jsonArray(pieces)
      },
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/webhooks',
      list: true,
      summary: 'List the webhooks of the app with their attempts, the newest first',
      description: FEWER,
      query: DeliveryQuery,
      response: Type.Array(DeliveryAnswer),
      responseHeaders: LINK,
      handler: async (app, { query, reply }) => {
        const filter = { ...filterOf(query), status: query.status }
        const { items, hasNext, pieces } = await deliveryPage(ctx, app, filter)
        const end = items.at(-1)
        const byQueue = isReadByQueue(query.status) && filter.paymentId === undefined
        const last = end && { ...end, time: byQueue ? end.queuedTime : end.createdTime }
        if (hasNext && last) reply.header('link', nextLink(ctx, app, { path: 'webhooks', query, last }))
        return jsonArray(pieces)
      },
    }),
  ]
}

/** An id that no endpoint has matches no delivery. */
const endpointOf = (app: App, endpointId: string | undefined): number | undefined =>
  endpointId === undefined ? undefined : (readEndpointId(app, endpointId) ?? -1)

function deliveryRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'GET',
      path: '/webhooks/{eventId}',
      summary: 'Read a webhook with every attempt and what was answered',
      params: DeliveryParams,
      query: OneDeliveryQuery,
      response: DeliveryAnswer,
      errors: ['not_found'],
      handler: async (app, { params, query }) => {
        const to = endpointOf(app, query.endpointId)
        const delivery = await getDelivery(ctx, app, readEventId(params.eventId), to)
        return deliveryView(app, delivery, { responses: true })
      },
    }),
    appRoute({
      ...common,
      method: 'POST',
      path: '/webhooks/{eventId}/resend',
      summary: 'Send a webhook again, or now instead of later',
      description:
        'With the same `webhook-id` and body. All retries begin anew, and an endpoint that is paused or ' +
        'turned off is tried again.',
      params: DeliveryParams,
      query: OneDeliveryQuery,
      response: DeliveryAnswer,
      errors: ['not_found'],
      handler: async (app, { params, query }) => {
        const to = endpointOf(app, query.endpointId)
        const delivery = await resend(ctx, app, readEventId(params.eventId), to)
        return deliveryView(app, delivery, { responses: true })
      },
    }),
    appRoute({
      ...common,
      method: 'POST',
      path: '/webhooks/resend-failed',
      summary: 'Send all webhooks again that were given up',
      query: ResendQuery,
      response: ResentAnswer,
      handler: async (app, { query }) => {
        const since = query.since === undefined ? undefined : readInstant(query.since)
        return { resent: await resendFailed(ctx, app, since) }
      },
    }),
  ]
}

function testRoute(ctx: Context): Route {
  return appRoute({
    ...common,
    method: 'POST',
    path: '/webhooks/test',
    summary: 'Send a test event to the webhook address of the app',
    description:
      'Sent once, signed like any other, with the type `webhook.test`; the answer says how it went. When ' +
      'it is received, an endpoint that was paused or turned off is on again.',
    response: DeliveryAnswer,
    errors: ['not_possible'],
    handler: async (app) => deliveryView(app, await sendTest(ctx, app), { responses: true }),
  })
}

function secretRoutes(ctx: Context): Route[] {
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/webhook-signing-secret',
      summary: 'Replace the secret that signs webhooks; both sign for a day',
      description: 'Turns signatures on where they were off.',
      response: SecretAnswer,
      secret: true,
      handler: async (app, { actor }) =>
        JSON.stringify((await rotateSigningSecret(acting(ctx, actor), app)).webhookSecret),
    }),
    appRoute({
      ...common,
      method: 'DELETE',
      path: '/webhook-signing-secret',
      summary: 'Send webhooks without a signature',
      description: 'Receivers can no longer tell them from forged ones. A new secret turns signatures on.',
      handler: (app, { actor }) => disableSigning(acting(ctx, actor), app),
    }),
  ]
}
