import { LIMITS } from '../../../base/limits.ts'
import type { Eraser } from '../../../payments/erasure/erase.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { askRisk, postBlocked, postPolicy, postReset, showActivity } from './activity.tsx'
import { askCharge, postCharge } from './charge.tsx'
import { askErase, postErase } from './erase.tsx'
import { showList } from './list.tsx'
import { askRemove, askStop, postRemove, postStop, showAutoPayments, showMethods } from './methods.tsx'
import { showOverview, showPayments } from './overview.tsx'
import { askPanelLink, showPanelLink } from './panel-link.tsx'
import { askEdit, askNew, postEdit, postNew } from './record.tsx'

export interface CustomerTools {
  /** What each feature holds about an erased customer. */
  readonly erasers: readonly Eraser[]
}

const ONE = '/customers/{customerId}'
const METHOD = `${ONE}/methods/{paymentMethodId}/remove`
const AUTO_PAYMENT = `${ONE}/auto-payments/{tokenId}/stop`

/** A new customer has a path of its own: below /customers any name may be the id of a customer. */
export function customersScreens({ erasers }: CustomerTools): ScreenRoute[] {
  return [
    app('GET', '/customers', 'CustomerRead', showList),
    app('GET', '/new-customer', 'CustomerWrite', (request) => askNew(request)),
    app('POST', '/new-customer', 'CustomerWrite', postNew, { formBytes: LIMITS.longFormBytes }),
    app('GET', ONE, 'CustomerRead', showOverview),
    app('GET', `${ONE}/methods`, 'CustomerRead', showMethods),
    app('GET', METHOD, 'CustomerWrite', askRemove),
    app('POST', METHOD, 'CustomerWrite', postRemove),
    app('GET', `${ONE}/auto-payments`, 'CustomerRead', showAutoPayments),
    app('GET', AUTO_PAYMENT, 'CustomerWrite', askStop),
    app('POST', AUTO_PAYMENT, 'CustomerWrite', postStop),
    app('GET', `${ONE}/payments`, 'PaymentRead', showPayments),
    app('GET', `${ONE}/activity`, 'CustomerRead', (request) => showActivity(request)),
    app('POST', `${ONE}/policy`, 'CustomerWrite', postPolicy),
    app('GET', `${ONE}/block`, 'CustomerWrite', askRisk('block')),
    app('POST', `${ONE}/block`, 'CustomerWrite', postBlocked(true)),
    app('GET', `${ONE}/unblock`, 'CustomerWrite', askRisk('unblock')),
    app('POST', `${ONE}/unblock`, 'CustomerWrite', postBlocked(false)),
    app('GET', `${ONE}/reset`, 'CustomerWrite', askRisk('reset')),
    app('POST', `${ONE}/reset`, 'CustomerWrite', postReset),
    app('GET', `${ONE}/edit`, 'CustomerWrite', (request) => askEdit(request)),
    app('POST', `${ONE}/edit`, 'CustomerWrite', postEdit, { formBytes: LIMITS.longFormBytes }),
    app('GET', `${ONE}/charge`, 'PaymentWrite', (request) => askCharge(request)),
    app('POST', `${ONE}/charge`, 'PaymentWrite', postCharge),
    app('GET', `${ONE}/panel-link`, 'CustomerWrite', askPanelLink),
    app('POST', `${ONE}/panel-link`, 'CustomerWrite', showPanelLink),
    app('GET', `${ONE}/erase`, proof('CustomerErase'), (request) => askErase(request)),
    app('POST', `${ONE}/erase`, proof('CustomerErase'), (request) => postErase(request, erasers)),
  ]
}
