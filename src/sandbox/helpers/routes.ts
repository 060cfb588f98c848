import Type, { type Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { Instant, maybe, readId, text } from '../../http/wire.ts'
import type { Job } from '../../jobs/loop.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { getPayment } from '../../payments/actions.ts'
import type { Payment } from '../../payments/payment.ts'
import { paymentJson } from '../../payments/view.ts'
import { amountIn } from '../../payments/wire/request.ts'
import { PaymentParams, PaymentSchema } from '../../payments/wire/schema.ts'
import { FAULT_EFFECTS, FAULT_STEPS } from '../bank/rules/faults.ts'
import type { Sandbox } from '../sandbox.ts'
import { SANDBOX_METHODS } from '../values/named.ts'
import { advanceClock, armFault, clearFaults, disputePayment, readLedger, sandboxOnly } from './commands.ts'
import type { DisputeRequest } from './control.ts'
import { payAsCustomer } from './pay.ts'
import { settlementHelpers } from './settlements.ts'

const DisputeBody = Type.Object({
  outcome: maybe(Type.Enum(['open', 'won', 'lost'])),
  amount: maybe(Type.Union([Type.Number(), Type.String()])),
  isFurther: maybe(Type.Boolean()),
  isInquiry: maybe(Type.Boolean()),
  dueDays: maybe(
    Type.Integer({ minimum: 0, maximum: 365 }),
    'Days until evidence is due; 10 when the dispute opens.',
  ),
})

const common = { tag: 'Test helpers', status: 200 } as const
const AppParams = Type.Object({ appId: Type.String() })

const Fault = Type.Object({
  step: Type.Enum([...FAULT_STEPS]),
  effect: Type.Enum([...FAULT_EFFECTS]),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 120_000 })),
})

const LedgerEntry = Type.Object({
  paymentId: Type.Union([Type.Integer(), Type.Null()]),
  kind: Type.Enum(['authorise', 'sale', 'capture', 'void', 'refund']),
  amount: Type.Number(),
  currency: Type.String(),
  status: Type.Enum(['done', 'pending', 'declined']),
  operationKey: Type.String(),
  time: Instant,
})

export function testHelperRoutes(ctx: Context, sandbox: Sandbox, clockJobs: readonly Job[]): Route[] {
  return [
    ...paymentHelpers(ctx, sandbox),
    ...bankHelpers(ctx, sandbox),
    ...settlementHelpers(ctx, sandbox, clockJobs),
    clockHelper(ctx, sandbox, clockJobs),
  ]
}

function paymentHelpers(ctx: Context, sandbox: Sandbox): Route[] {
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/test-helpers/payments/{paymentId}/pay',
      summary: 'Pay as a customer would',
      description:
        'By default with a card that is approved. `outcome` takes a decline reason such as ' +
        '`insufficient-funds`, `challenge` (3-D Secure, passed), `abandon` (the customer leaves), or any ' +
        'scenario of the test values.',
      errors: [
        'not_found',
        'invalid_request',
        'payment_not_payable',
        'profile_not_usable',
        'customer_blocked',
        'not_possible',
      ],
      response: PaymentSchema,
      params: PaymentParams,
      body: Type.Object({
        method: maybe(Type.Enum([...SANDBOX_METHODS])),
        outcome: maybe(text(60)),
        saveMethod: maybe(Type.Boolean()),
        payerIp: maybe(text(45), 'Where the customer sits, for fraud policies.'),
      }),
      handler: async (caller, { params, body }) => {
        const app = sandboxOnly(caller)
        const payment = await getPayment(ctx, app, readId(params.paymentId))
        const { method, outcome, saveMethod, payerIp } = body
        const input = {
          method: method ?? undefined,
          outcome: outcome ?? undefined,
          saveMethod: saveMethod ?? undefined,
          payerIp: payerIp ?? undefined,
        }
        return paymentJson(ctx, app, await payAsCustomer({ ctx, sandbox, app }, payment, input))
      },
    }),
    appRoute({
      ...common,
      method: 'POST',
      path: '/test-helpers/payments/{paymentId}/dispute',
      summary: "Let the payer's bank dispute a payment",
      errors: ['not_found', 'not_possible'],
      response: PaymentSchema,
      params: PaymentParams,
      body: DisputeBody,
      handler: async (caller, { params, body }) => {
        const app = sandboxOnly(caller)
        const payment = await getPayment(ctx, app, readId(params.paymentId))
        const wish = disputeRequest(payment, body)
        return paymentJson(ctx, app, await disputePayment(ctx, sandbox, app, { payment, wish }))
      },
    }),
  ]
}

function disputeRequest(payment: Payment, body: Static<typeof DisputeBody>): DisputeRequest {
  const { outcome, amount, isFurther, isInquiry, dueDays } = body
  return {
    ...(outcome ? { outcome } : {}),
    ...(amount == null ? {} : { amount: Number(amountIn(payment.currency, amount)) }),
    ...(isFurther ? { isFurther } : {}),
    ...(isInquiry ? { isInquiry } : {}),
    ...(dueDays == null ? {} : { dueDays }),
  }
}

function bankHelpers(ctx: Context, sandbox: Sandbox): Route[] {
  return [
    appRoute({
      ...common,
      method: 'POST',
      path: '/test-helpers/faults',
      summary: 'Let the built-in bank misbehave',
      description: 'The fault hits the next calls of that step, `times` of them, and is gone then.',
      errors: ['invalid_request', 'not_possible'],
      response: Fault,
      params: AppParams,
      body: Fault,
      handler: async (caller, { body }) => {
        await armFault(ctx, sandbox, sandboxOnly(caller), body)
        return { times: 1, ...body }
      },
    }),
    appRoute({
      ...common,
      method: 'DELETE',
      path: '/test-helpers/faults',
      summary: 'Clear all faults',
      response: Type.Object({ cleared: Type.Literal(true) }),
      params: AppParams,
      handler: async (caller) => {
        await clearFaults(ctx, sandbox, sandboxOnly(caller))
        return { cleared: true }
      },
    }),
    appRoute({
      ...common,
      method: 'GET',
      path: '/test-helpers/ledger',
      summary: 'What the built-in bank really did',
      response: Type.Array(LedgerEntry),
      params: AppParams,
      query: Type.Object({ paymentId: Type.Optional(Type.String({ maxLength: 20 })) }),
      handler: async (caller, { query }) => {
        const paymentId = query.paymentId === undefined ? undefined : (readId(query.paymentId) ?? -1)
        return readLedger(ctx, sandbox, sandboxOnly(caller), paymentId)
      },
    }),
  ]
}

function clockHelper(ctx: Context, sandbox: Sandbox, jobs: readonly Job[]): Route {
  return appRoute({
    ...common,
    method: 'POST',
    path: '/test-helpers/clock',
    summary: "Move the app's time ahead",
    description:
      'Expiry, authorisation windows and retries that are due by then have happened when this answers.',
    errors: ['invalid_request', 'not_possible'],
    response: Type.Object({ now: Instant }),
    examples: { body: { advance: '8d' } },
    params: AppParams,
    body: Type.Object({ advance: Type.String({ maxLength: 40 }) }),
    handler: async (caller, { body }) => ({
      now: await advanceClock(ctx, sandbox, sandboxOnly(caller), { advance: body.advance, jobs }),
    }),
  })
}
