import { StripeError } from './errors.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Kept {
  readonly fingerprint: string
  readonly at: number
  reply?: Reply
}

const RETENTION_MS = 24 * 3_600_000
/** Nothing has begun: the reply is not kept. */
const NOT_KEPT = [401, 403, 409, 429]

/** The provider's memory of idempotency keys: the first reply is repeated, also an error 500. */
export function createKeys(now: () => number) {
  const kept = new Map<string, Kept>()
  return {
    /** Returns the first reply, or undefined if the request has to be executed. */
    begin(key: string, fingerprint: string): Reply | undefined {
      const first = kept.get(key)
      if (!first || now() - first.at >= RETENTION_MS) {
        kept.set(key, { fingerprint, at: now() })
        return undefined
      }
      if (first.fingerprint !== fingerprint)
        throw new StripeError(400, {
          type: 'idempotency_error',
          message:
            'Keys for idempotent requests can only be used with the parameters they were first used with.',
        })
      if (!first.reply)
        throw new StripeError(409, {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
          message: 'There is currently another in-progress request using this idempotency key.',
        })
      return { ...first.reply, headers: { ...first.reply.headers, 'idempotent-replayed': 'true' } }
    },
    /** Keeps the reply. A request that failed validation was not executed and may come again. */
    end(key: string, reply: Reply, executed: boolean): void {
      const first = kept.get(key)
      if (!first || first.reply) return
      if (executed && !NOT_KEPT.includes(reply.status)) first.reply = reply
      else kept.delete(key)
    },
  }
}
