import Type from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import { majorNumber } from '../../base/money.ts'
import { acting, type Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { paymentJson } from '../view.ts'
import { PAYMENT_EXAMPLE } from '../wire/examples.ts'
import { PaymentSchema } from '../wire/schema.ts'
import { approveRefund, listApprovals, refuseRefund } from './commands.ts'
import type { RefundApproval } from './store.ts'

const common = { tag: 'Payments', status: 200 } as const
const STATES = ['open', 'approved', 'refused'] as const

const Nullable = Type.Union([Type.String(), Type.Null()])
const ApprovalAnswer = Type.Object(
  {
    approvalId: Type.String(),
    paymentId: Type.Integer(),
    amount: Type.Number(),
    currency: Type.String(),
    reason: Nullable,
    state: Type.Enum([...STATES]),
    askedBy: Type.String(),
    askedTime: Type.String(),
    decidedBy: Nullable,
    decidedTime: Nullable,
  },
  { title: 'RefundApproval', description: 'A refund that needs the yes of a second person.' },
)
const Params = Type.Object({ appId: Type.String(), approvalId: Type.String() })

const approvalView = (one: RefundApproval) => ({
  approvalId: one.approvalId,
  paymentId: one.paymentId,
  amount: majorNumber(one.amountMinor, one.currency),
  currency: one.currency,
  reason: one.reason,
  state: one.state,
  askedBy: one.askedName,
  askedTime: one.askedTime.toISOString(),
  decidedBy: one.decidedName,
  decidedTime: one.decidedTime?.toISOString() ?? null,
})

const EXAMPLE = {
  approvalId: 'apr_Zk3vN8qLw2Xr5TbY',
  paymentId: 10_028,
  amount: 620,
  currency: 'EUR',
  reason: 'Returned',
  state: 'open' as const,
  askedBy: 'sam@example.com',
  askedTime: '2026-06-15T10:00:00.000Z',
  decidedBy: null,
  decidedTime: null,
}

export const approvalRoutes = (ctx: Context): Route[] => [
  appRoute({
    ...common,
    method: 'GET',
    path: '/refund-approvals',
    summary: 'List refunds that need a second person, the newest first',
    description: 'At most 100.',
    query: Type.Object({ state: Type.Optional(Type.Enum([...STATES])) }),
    response: Type.Array(ApprovalAnswer),
    examples: { response: [EXAMPLE] },
    handler: async (app, { query }) => (await listApprovals(ctx, app, query)).map(approvalView),
  }),
  appRoute({
    ...common,
    method: 'POST',
    path: '/refund-approvals/{approvalId}/approve',
    summary: 'Approve a refund that another person asked for, and refund',
    description: 'An API key cannot do this, nor can the person who asked. Repeating it refunds once.',
    params: Params,
    query: Type.Object({ otpCode: Type.Optional(Type.String()) }),
    response: PaymentSchema,
    errors: ['not_found', 'not_possible', 'payment_not_refundable'],
    examples: { response: PAYMENT_EXAMPLE },
    handler: async (app, { params, query, actor }) => {
      const options = { waitMs: LIMITS.actionWaitMs, otpCode: query.otpCode }
      const payment = await approveRefund(acting(ctx, actor), app, params.approvalId, options)
      return paymentJson(ctx, app, payment)
    },
  }),
  appRoute({
    ...common,
    method: 'POST',
    path: '/refund-approvals/{approvalId}/refuse',
    summary: 'Refuse a refund that a person asked for, or take the own wish back',
    description: 'An API key cannot do this.',
    params: Params,
    response: ApprovalAnswer,
    errors: ['not_found', 'not_possible'],
    examples: { response: { ...EXAMPLE, state: 'refused' as const } },
    handler: async (app, { params, actor }) =>
      approvalView(await refuseRefund(acting(ctx, actor), app, params.approvalId)),
  }),
]
