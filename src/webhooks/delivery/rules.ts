import { after, SECOND } from '../../base/clock.ts'
import { retryPause } from '../schedule.ts'

/** Classifies the reply of an endpoint. Pure. */

export type TryResult =
  | { readonly status: 'delivered' }
  | {
      readonly status: 'waiting' | 'exhausted'
      /** See problems.ts. */
      readonly error: string
      readonly dueTime?: Date
      /** Retry-After of a 429 or 503: the whole endpoint is paused until then. */
      readonly quietUntil?: Date
      /** The endpoint answered 410 and is disabled. */
      readonly gone?: true
    }

export type EndpointReply =
  | { readonly kind: 'reply'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'no-reply'; readonly error: string }

export interface TryContext {
  readonly now: Date
  /** Tries since the delivery was queued, this one not counted. */
  readonly tries: number
  /** Random number from 0 to 1 for the jitter; called only after a failure. */
  readonly chance: () => number
}

export function resultOf(reply: EndpointReply, context: TryContext): TryResult {
  if (reply.kind === 'no-reply') return failed(reply.error, context)
  const { status } = reply
  if (status >= 200 && status < 300) return { status: 'delivered' }
  if (status === 410) return { ...failed('gone:410', context), gone: true }
  if (status >= 300 && status < 400) return failed(`redirected:${status}`, context)
  const retryAfterMs = readRetryAfter(reply.retryAfter, context.now)
  const result = failed(`answered:${status}`, context, retryAfterMs)
  const overloaded = (status === 429 || status === 503) && retryAfterMs !== undefined
  return overloaded && result.dueTime ? { ...result, quietUntil: result.dueTime } : result
}

function failed(error: string, { now, tries, chance }: TryContext, retryAfterMs?: number) {
  const pause = retryPause(tries + 1, chance(), retryAfterMs)
  return pause === undefined
    ? ({ status: 'exhausted', error } as const)
    : ({ status: 'waiting', error, dueTime: after(now, pause) } as const)
}

/** Retry-After is a number of seconds or an HTTP date. */
export function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
