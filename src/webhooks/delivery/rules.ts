import { after, SECOND } from '../../base/clock.ts'
import { retryPause } from '../schedule.ts'

/** What an endpoint's answer means. Pure. */

export type TryResult =
  | { readonly status: 'delivered' }
  | {
      readonly status: 'waiting' | 'exhausted'
      readonly error: string
      readonly dueTime?: Date
      /** Until then the whole endpoint asked to be left in peace. */
      readonly quietUntil?: Date
      /** The endpoint says that it is no more. */
      readonly gone?: true
    }

export type EndpointReply =
  | { readonly kind: 'reply'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'no-reply'; readonly error: string }

export interface TryContext {
  readonly now: Date
  /** Tries before this one, since it was queued. */
  readonly tries: number
  /** From 0 to 1; asked for only when something failed. */
  readonly chance: () => number
}

export function resultOf(answer: EndpointReply, at: TryContext): TryResult {
  if (answer.kind === 'no-reply') return failed(answer.error, at)
  const { status } = answer
  if (status >= 200 && status < 300) return { status: 'delivered' }
  if (status === 410) return { ...failed('The endpoint answered 410: it wants no more.', at), gone: true }
  if (status >= 300 && status < 400)
    return failed(`The endpoint answered ${status}: redirects are not followed.`, at)
  const askedMs = readRetryAfter(answer.retryAfter, at.now)
  const result = failed(`The endpoint answered ${status}.`, at, askedMs)
  const overloaded = (status === 429 || status === 503) && askedMs !== undefined
  return overloaded && result.dueTime ? { ...result, quietUntil: result.dueTime } : result
}

function failed(error: string, { now, tries, chance }: TryContext, askedMs?: number) {
  const pause = retryPause(tries + 1, chance(), askedMs)
  return pause === undefined
    ? ({ status: 'exhausted', error } as const)
    : ({ status: 'waiting', error, dueTime: after(now, pause) } as const)
}

/** Seconds, or a date. */
export function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
