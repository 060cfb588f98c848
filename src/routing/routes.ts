import { acting, type Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { appRoute } from '../merchants/app-route.ts'
import { changeRouting, explainedView, explainRouting, routingView } from './commands.ts'
import {
  ExplainAnswer,
  ExplainInput,
  RoutingAnswer,
  RoutingInput,
  readRouting,
  readRoutingFacts,
} from './schema.ts'

const EXAMPLE = {
  defaultProfiles: [{ currency: 'EUR', paymentProfileId: 1 }],
  routes: [
    {
      name: 'Large card payments',
      method: 'CreditCard',
      minAmount: 500,
      profiles: [{ paymentProfileId: 2 }, { paymentProfileId: 1 }],
    },
  ],
}

export function routingRoutes(ctx: Context): Route[] {
  const common = { tag: 'Routing', status: 200 } as const
  return [
    appRoute({
      ...common,
      method: 'GET',
      path: '/routing',
      summary: 'Which provider profile takes which payment, and how well the profiles work',
      response: RoutingAnswer,
      handler: (app) => routingView(app),
    }),
    appRoute({
      ...common,
      method: 'PUT',
      path: '/routing',
      summary: 'Replace the routing of the app',
      body: RoutingInput,
      response: RoutingAnswer,
      examples: { body: EXAMPLE },
      handler: async (app, { body, actor }) =>
        routingView(await changeRouting(acting(ctx, actor), app, readRouting(app, body))),
    }),
    appRoute({
      ...common,
      method: 'POST',
      path: '/routing/explain',
      summary: 'Why a payment would go where it goes',
      description: 'No payment is made.',
      body: ExplainInput,
      response: ExplainAnswer,
      examples: { body: { currency: 'EUR', amount: 25.5, method: 'CreditCard' } },
      handler: (app, { body }) => {
        const methods = body.method ? [body.method] : undefined
        const wish = { ...readRoutingFacts(body), autoCapture: body.autoCapture ?? true, methods }
        return explainedView(explainRouting(ctx, app, wish))
      },
    }),
  ]
}
