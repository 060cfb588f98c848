import { createKeys, type GateRules } from '../kit/gate.ts'
import { OTHER_ROUTES } from './others.ts'
import { PAYMENT_ROUTES } from './payments.ts'
import { PAYOUT_ROUTES } from './payouts.ts'
import { error, type Route } from './route.ts'
import type { State } from './state.ts'

const KEPT_MS = 86_400_000

interface Credentials {
  readonly token: string
  /** A token without permissions. */
  readonly powerlessToken: string
}

/** Square's rules. The same key again gets the same answer, also a decline. Other errors are not kept. */
export const rulesOf = (state: State, { token, powerlessToken }: Credentials): GateRules<State, Route> => ({
  state,
  routes: [...PAYMENT_ROUTES, ...PAYOUT_ROUTES, ...OTHER_ROUTES],
  invalidStatus: 400,
  error: (status, problem, code) =>
    error(status, code ?? (status === 404 ? 'NOT_FOUND' : 'BAD_REQUEST'), problem),
  denied({ headers: { authorization } }) {
    if (authorization === `Bearer ${powerlessToken}`) return error(403, 'INSUFFICIENT_SCOPES')
    if (authorization === `Bearer ${token}`) return undefined
    return error(401, 'UNAUTHORIZED', 'This request could not be authorized.')
  },
  problems: ({ headers }) =>
    /^\d{4}-\d\d-\d\d$/.test(headers['square-version'] ?? '') ? [] : ['Square-Version is missing'],
  keys: {
    used: createKeys(state.now),
    keptMs: KEPT_MS,
    keyOf: ({ url }, { idempotency_key: key }) =>
      url.pathname !== '/v2/payments/cancel' && typeof key === 'string' ? key : undefined,
    scopeOf: ({ method, url }) => `${method} ${url.pathname}`,
    keeps: ({ status }) => status < 300 || status === 402,
    reused: error(400, 'IDEMPOTENCY_KEY_REUSED'),
  },
})
