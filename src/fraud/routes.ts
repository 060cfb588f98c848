import Type from 'typebox'
import { notFound } from '../base/errors.ts'
import { acting, type Context } from '../context.ts'
import type { Route } from '../http/route.ts'
import { readId } from '../http/wire.ts'
import { appRoute } from '../merchants/app-route.ts'
import { blockRoutes } from './blocks/routes.ts'
import { getPolicy } from './policies/commands.ts'
import { policyRoutes } from './policies/routes.ts'
import { PolicyParams } from './policies/schema.ts'
import { SimulateInput, SimulationAnswer } from './simulation/schema.ts'
import { simulatePolicy, simulationView } from './simulation/simulate.ts'
import { resetCounts } from './verdicts/customers.ts'

export const fraudRoutes = (ctx: Context): Route[] => [
  ...policyRoutes(ctx),
  simulateRoute(ctx),
  resetRoute(ctx),
  ...blockRoutes(ctx),
]

function simulateRoute(ctx: Context): Route {
  return appRoute({
    method: 'POST',
    path: '/fraud-policies/{fraudPolicyId}/simulate',
    summary: 'What a policy would have stopped',
    list: true,
    description: 'Runs the policy over the payments of the last days. Nothing is changed.',
    tag: 'Fraud policies',
    status: 200,
    params: PolicyParams,
    body: SimulateInput,
    response: SimulationAnswer,
    errors: ['not_found'],
    examples: { body: { days: 30 } },
    handler: async (app, { params, body }) => {
      const policyId = readId(params.fraudPolicyId)
      if (policyId === undefined) throw notFound('The fraud policy')
      const policy = await getPolicy(ctx, app, policyId)
      return simulationView(await simulatePolicy(ctx, app, policy, body.days))
    },
  })
}

function resetRoute(ctx: Context): Route {
  return appRoute({
    method: 'POST',
    path: '/customers/{customerId}/reset-affected-check-policy-time',
    summary: 'Let the counts of fraud rules start anew for a customer',
    tag: 'Customers',
    status: 200,
    params: Type.Object({ appId: Type.String(), customerId: Type.String() }),
    response: Type.Object({ customerId: Type.String() }),
    errors: ['not_found'],
    handler: async (app, { params: { customerId }, actor }) => {
      await resetCounts(acting(ctx, actor), app, customerId)
      return { customerId }
    },
  })
}
