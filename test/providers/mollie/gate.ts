import { createKeys, type GateRules } from '../kit/gate.ts'
import { error, ROUTES, type Route } from './routes.ts'
import type { State } from './state.ts'

const KEPT_MS = 3_600_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

interface Credentials {
  readonly apiKey: string
  /** A key that may do nothing. */
  readonly powerlessKey: string
  readonly organizationToken: string
}

/** Mollie's rules. The same key again gets the same answer for an hour; an error is not kept. */
export const rulesOf = (
  state: State,
  { apiKey, powerlessKey, organizationToken }: Credentials,
): GateRules<State, Route> => ({
  ...{ state, routes: ROUTES, error },
  denied({ headers: { authorization }, url }) {
    // An API key has no rights to the balance, and the token of the organisation none to payments.
    const isOfOrganisation = url.pathname.startsWith('/v2/balances')
    if (isOfOrganisation && authorization !== `Bearer ${organizationToken}`)
      return error(403, 'The token has no permission for balances.')
    if (isOfOrganisation) return undefined
    if (authorization === `Bearer ${powerlessKey}`) return error(403, 'This key has no permission.')
    if (authorization === `Bearer ${apiKey}`) return undefined
    return error(401, 'Missing authentication, or failed to authenticate')
  },
  refused({ request, route }, violate) {
    if (!route.isKeyed || UUID.test(request.headers['idempotency-key'] ?? '')) return undefined
    violate('has no UUID as its key')
    return error(400, 'has no UUID as its key')
  },
  keys: {
    used: createKeys(state.now),
    keptMs: KEPT_MS,
    keyOf: ({ method, headers }) => (method === 'GET' ? undefined : headers['idempotency-key']),
    replayed: { 'idempotency-replayed': 'true' },
  },
})
