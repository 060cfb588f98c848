import { type Answer, createKeys, type GateRoute, type GateRules } from '../kit/gate.ts'
import type { State } from './state.ts'

type Route = GateRoute<State>

/** An error in the provider's own form. */
const error = (status: number, message: string): Answer => ({ status, body: { message } })

/**
 * Every request of the provider's API that the adapter sends, as the provider documents it. `run` gets a
 * `GateCall<State>`:
 *
 *     {
 *       method: 'POST',
 *       pattern: /^\/v1\/payments$/,
 *       operation: 'start',
 *       check: object({ required: { amount: integerFrom(1), currency: text({ of: ['EUR', 'USD'] }) } }),
 *       run: openPage,
 *     }
 */
const ROUTES: readonly Route[] = []

/** How the provider checks a request before its route runs. */
export const rulesOf = (state: State, apiKey: string): GateRules<State, Route> => ({
  ...{ state, routes: ROUTES, error },
  denied: ({ headers }) =>
    headers.authorization === `Bearer ${apiKey}` ? undefined : error(401, 'The API key is wrong.'),
  // The same key again gets the first answer, for as long as the provider promises.
  keys: {
    ...{ used: createKeys(state.now), keptMs: 86_400_000 },
    keyOf: ({ headers }) => headers['idempotency-key'],
  },
})
