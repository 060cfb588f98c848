import Type from 'typebox'
import type { Context } from '../../context.ts'
import { paymentVerdicts } from '../../fraud/verdicts/explain.ts'
import { VerdictsAnswer } from '../../fraud/verdicts/view.ts'
import type { Route } from '../../http/route.ts'
import { readId } from '../../http/wire.ts'
import { appRoute } from '../../merchants/app-route.ts'
import { getPayment } from '../actions.ts'
import { PaymentParams } from '../wire/schema.ts'
import { attemptsOf } from './attempts.ts'
import { detailRoutes } from './detail-routes.ts'
import { AttemptAnswer, attemptsView } from './view.ts'

/** What happened to a payment beside its states: every attempt, and what fraud policies said. */
export const historyRoutes = (ctx: Context): Route[] => [
  ...detailRoutes(ctx),
  appRoute({
    method: 'GET',
    path: '/payments/{paymentId}/attempts',
    summary: 'List the attempts to pay a payment',
    description:
      'Each with its profile, its outcome in words, and, when it was given up and its provider went on all ' +
      'the same, what was undone.',
    tag: 'Payments',
    status: 200,
    params: PaymentParams,
    response: Type.Array(AttemptAnswer),
    errors: ['not_found'],
    handler: async (app, { params }) => {
      const { paymentId } = await getPayment(ctx, app, readId(params.paymentId))
      return attemptsView(await attemptsOf(ctx, app, paymentId))
    },
  }),
  appRoute({
    method: 'GET',
    path: '/payments/{paymentId}/fraud',
    summary: 'Why a payment was accepted, held or rejected',
    description: 'Every rule that was tried and every number that was seen, attempt by attempt.',
    tag: 'Fraud policies',
    status: 200,
    params: PaymentParams,
    response: VerdictsAnswer,
    errors: ['not_found'],
    handler: async (app, { params }) => {
      const { paymentId, fraudStatus } = await getPayment(ctx, app, readId(params.paymentId))
      return { paymentId, fraudStatus, verdicts: await paymentVerdicts(ctx, app, paymentId) }
    },
  }),
]
