import { LIMITS } from '../../../base/limits.ts'
import type { Route } from '../../../http/route.ts'
import type { Eraser } from '../../../payments/erasure/erase.ts'
import type { Screens } from '../frame/screens.tsx'
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
export function customersScreens({ app }: Screens, { erasers }: CustomerTools): Route[] {
  return [
    app('GET', '/customers', showList),
    app('GET', '/new-customer', (visit) => askNew(visit)),
    app('POST', '/new-customer', postNew, { formBytes: LIMITS.longFormBytes }),
    app('GET', ONE, showOverview),
    app('GET', `${ONE}/methods`, showMethods),
    app('GET', METHOD, askRemove),
    app('POST', METHOD, postRemove),
    app('GET', `${ONE}/auto-payments`, showAutoPayments),
    app('GET', AUTO_PAYMENT, askStop),
    app('POST', AUTO_PAYMENT, postStop),
    app('GET', `${ONE}/payments`, showPayments),
    app('GET', `${ONE}/activity`, (visit) => showActivity(visit)),
    app('POST', `${ONE}/policy`, postPolicy),
    app('GET', `${ONE}/block`, askRisk('block')),
    app('POST', `${ONE}/block`, postBlocked(true)),
    app('GET', `${ONE}/unblock`, askRisk('unblock')),
    app('POST', `${ONE}/unblock`, postBlocked(false)),
    app('GET', `${ONE}/reset`, askRisk('reset')),
    app('POST', `${ONE}/reset`, postReset),
    app('GET', `${ONE}/edit`, (visit) => askEdit(visit)),
    app('POST', `${ONE}/edit`, postEdit, { formBytes: LIMITS.longFormBytes }),
    app('GET', `${ONE}/charge`, (visit) => askCharge(visit)),
    app('POST', `${ONE}/charge`, postCharge),
    app('GET', `${ONE}/panel-link`, askPanelLink),
    app('POST', `${ONE}/panel-link`, showPanelLink),
    app('GET', `${ONE}/erase`, (visit) => askErase(visit)),
    app('POST', `${ONE}/erase`, (visit) => postErase(visit, erasers)),
  ]
}
