import Type from 'typebox'
import { acting, type Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { WEBHOOKS } from '../schedule.ts'
import { DeliveryAnswer } from '../schema.ts'
import { deliveryView } from '../view.ts'
import {
  addEndpoint,
  changeEndpoint,
  getEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateEndpointSecret,
  testEndpoint,
} from './endpoints.ts'
import {
  EndpointAnswer,
  EndpointParams,
  EndpointSecretAnswer,
  type EventChoices,
  endpointAnswer,
  endpointBodies,
  NewEndpointAnswer,
  readEndpointInput,
  readEndpointPatch,
} from './schema.ts'

const common = { tag: 'Webhooks', status: 200 } as const
const PATH = '/webhook-endpoints'

export const endpointRoutes = (ctx: Context, choices: EventChoices): Route[] => [
  ...readRoutes(ctx),
  ...writeRoutes(ctx, choices),
  ...endpointActions(ctx),
]

const readRoutes = (ctx: Context): Route[] => [
  appRoute({
    ...common,
    method: 'GET',
    path: PATH,
    summary: 'List the webhook endpoints of the app',
    description:
      'The first one is the webhook address in the settings of the app, if it has one. Each endpoint has ' +
      'its own secret, order and retries; one that fails does not delay another.',
    response: Type.Array(EndpointAnswer),
    handler: async (app) => (await listEndpoints(ctx, app)).map((one) => endpointAnswer(app, one)),
  }),
  appRoute({
    ...common,
    method: 'GET',
    path: `${PATH}/{endpointId}`,
    summary: 'Read a webhook endpoint',
    params: EndpointParams,
    response: EndpointAnswer,
    errors: ['not_found'],
    handler: async (app, { params }) => endpointAnswer(app, await getEndpoint(ctx, app, params.endpointId)),
  }),
]

function writeRoutes(ctx: Context, choices: EventChoices): Route[] {
  const { input, patch } = endpointBodies(choices)
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: PATH,
      status: 201,
      summary: 'Add a webhook endpoint',
      description:
        `An app has at most ${WEBHOOKS.maxEndpoints}. It receives events from now on; an older ` +
        'event is sent to it by resending. The answer has its secret, which is not shown again.',
      body: input,
      response: NewEndpointAnswer,
      errors: ['too_many_webhook_endpoints'],
      examples: { body: { url: 'https://books.example/hooks', states: ['Captured', 'Refunded'] } },
      secret: true,
      handler: async (app, { body, actor }) => {
        const { endpoint, secret } = await addEndpoint(acting(ctx, actor), app, readEndpointInput(body))
        return { ...endpointAnswer(app, endpoint), secret }
      },
    }),
    appRoute({
      ...common,
      method: 'PATCH',
      path: `${PATH}/{endpointId}`,
      summary: 'Change a webhook endpoint, or pause it',
      description:
        'A paused endpoint collects its events. They are sent in order when the pause ends; those older ' +
        'than 30 days are dropped.',
      params: EndpointParams,
      body: patch,
      response: EndpointAnswer,
      errors: ['not_found'],
      examples: { body: { isPaused: true } },
      handler: async (app, { params, body, actor }) => {
        const changed = readEndpointPatch(body)
        return endpointAnswer(app, await changeEndpoint(acting(ctx, actor), app, params.endpointId, changed))
      },
    }),
    appRoute({
      ...common,
      method: 'DELETE',
      path: `${PATH}/{endpointId}`,
      status: 204,
      summary: 'Remove a webhook endpoint',
      description:
        'What waits for it is dropped; a request that is under way ends. Removing the first one leaves the ' +
        'app without `paymentWebhookUrl`.',
      params: EndpointParams,
      errors: ['not_found'],
      handler: (app, { params, actor }) => removeEndpoint(acting(ctx, actor), app, params.endpointId),
    }),
  ]
}

const endpointActions = (ctx: Context): Route[] => [
  appRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/{endpointId}/test`,
    summary: 'Send a test event to one webhook endpoint',
    description: 'Once, with the type `webhook.test`, also while it is paused. The answer says how it went.',
    params: EndpointParams,
    response: DeliveryAnswer,
    errors: ['not_found'],
    handler: async (app, { params }) =>
      deliveryView(app, await testEndpoint(ctx, app, params.endpointId), { responses: true }),
  }),
  appRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/{endpointId}/secret`,
    summary: 'Replace the secret of a webhook endpoint; both sign for a day',
    params: EndpointParams,
    response: EndpointSecretAnswer,
    errors: ['not_found'],
    secret: true,
    handler: async (app, { params, actor }) => {
      const { secret, previousValidUntil } = await rotateEndpointSecret(
        acting(ctx, actor),
        app,
        params.endpointId,
      )
      return { secret, previousValidUntil: previousValidUntil.toISOString() }
    },
  }),
]
