import type { Eraser } from '../../../payments/erasure/erase.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { noteScreens } from '../notes/notes.tsx'
import { postPolicy, riskQuestions, showActivity } from './activity.tsx'
import { chargeRoutes } from './charge.tsx'
import { showList } from './list.tsx'
import { methodQuestions, showAutoPayments, showMethods } from './methods.tsx'
import { showOverview, showPayments } from './overview.tsx'
import { customerOf, ONE } from './page.tsx'
import { panelLinkRoutes } from './panel-link.tsx'
import { recordQuestions } from './record.tsx'

export interface CustomerTools {
  /** What each feature holds about an erased customer. */
  readonly erasers: readonly Eraser[]
}

export const customersScreens = ({ erasers }: CustomerTools): ScreenRoute[] => [
  app('GET', '/customers', 'CustomerRead', showList),
  app('GET', ONE, 'CustomerRead', showOverview),
  app('GET', `${ONE}/methods`, 'CustomerRead', showMethods),
  app('GET', `${ONE}/auto-payments`, 'CustomerRead', showAutoPayments),
  ...methodQuestions,
  app('GET', `${ONE}/payments`, 'PaymentRead', showPayments),
  app('GET', `${ONE}/activity`, 'CustomerRead', (request) => showActivity(request)),
  app('POST', `${ONE}/policy`, 'CustomerWrite', postPolicy),
  ...riskQuestions,
  ...recordQuestions(erasers),
  ...chargeRoutes,
  ...panelLinkRoutes,
  ...noteScreens({
    path: ONE,
    permission: 'CustomerWrite',
    subjectOf: async (request) => `customer:${(await customerOf(request)).customerId}`,
  }),
]
