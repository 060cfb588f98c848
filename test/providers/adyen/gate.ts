import { createKeys, type GateRules } from '../kit/gate.ts'
import { error, type Route } from './route.ts'
import { ROUTES } from './routes.ts'
import type { State } from './state.ts'

const KEPT_MS = 7 * 86_400_000

interface Credentials {
  readonly apiKey: string
  /** A key without any role. */
  readonly powerlessKey: string
}

/** Adyen's rules. The same key again gets the same answer; an error is not kept. */
export const rulesOf = (state: State, { apiKey, powerlessKey }: Credentials): GateRules<State, Route> => ({
  state,
  routes: ROUTES,
  error: (status, problem, code) => error(status, code ?? (status === 422 ? '702' : '000'), problem),
  denied({ headers }) {
    const key = headers['x-api-key']
    if (key === powerlessKey) return error(403, '010', 'Not allowed')
    return key === apiKey ? undefined : error(401, '000', 'HTTP Status Response - Unauthorized')
  },
  refused({ request, route, body }, violate) {
    const { method, url, headers } = request
    const account = body.merchantAccount ?? url.searchParams.get('merchantAccount') ?? state.account
    if (account !== state.account) return error(403, '901', 'Invalid Merchant Account')
    const key = headers['idempotency-key']
    if (route.operation && method === 'POST' && (key === undefined || key.length > 64))
      violate('has no key of at most 64 characters')
    return undefined
  },
  keys: {
    used: createKeys(state.now),
    keptMs: KEPT_MS,
    keyOf: ({ headers }) => headers['idempotency-key'],
  },
})
