import type { Keys } from '../../kit/gate.ts'
import type { SimulatedReply } from '../../kit/simulator.ts'
import { StripeError } from './errors.ts'

/** The first reply is repeated, also an error 500. */
export type StripeKeys = Keys<SimulatedReply>

const KEPT_MS = 24 * 3_600_000
/** Nothing has begun: the reply is not kept. */
const NOT_KEPT = [401, 403, 409, 429]

/** Returns the first reply, or undefined if the request has to be executed. */
export function beginKey(keys: StripeKeys, key: string, request: string): SimulatedReply | undefined {
  const first = keys.find(key)
  if (!first) {
    keys.begin(key, request, KEPT_MS)
    return undefined
  }
  if (first.request !== request)
    throw new StripeError(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the parameters they were first used with.',
    })
  if (!first.result)
    throw new StripeError(409, {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: 'There is currently another in-progress request using this idempotency key.',
    })
  return { ...first.result, headers: { ...first.result.headers, 'idempotent-replayed': 'true' } }
}

/** Keeps the reply. A request that failed validation was not executed and may come again. */
export function endKey(keys: StripeKeys, key: string, reply: SimulatedReply, isExecuted: boolean): void {
  const first = keys.find(key)
  if (!first || first.result) return
  if (isExecuted && !NOT_KEPT.includes(reply.status)) first.result = reply
  else keys.drop(key)
}
