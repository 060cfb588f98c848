import { cut, folded } from '../../base/text.ts'
import type { HttpReply } from '../../net/http.ts'
import { retryAfterIn } from '../../net/retry-after.ts'
import type { Declined, NotDone, ProviderMessage, Unknown } from '../outcome.ts'
import { isObject, type Json } from './json.ts'

/** Pure: replies as outcomes. See docs/decisions/0154-one-reading-of-providers.md. */

export type Replied = Extract<HttpReply, { kind: 'reply' }>
export type ProviderFailure = NotDone | Unknown | Declined

/** The object in a reply, or what went wrong. */
export type Read = { readonly kind: 'object'; readonly object: Json } | ProviderFailure

/** Why nothing was done, or why it is not known what was done. */
export type Why = NotDone['why'] | 'server-error' | 'unreadable-reply'
type Decline = Omit<Declined, 'kind' | 'raw'> & { readonly raw?: ProviderMessage }

interface Refused {
  readonly status: number
  readonly body: unknown
  readonly raw: ProviderMessage
  /** The provider's own code. Empty: it has none. */
  readonly code: string
}

/** What differs between providers. */
export interface ReplyRules<Refusal extends Why | Decline = Why | Decline> {
  /** The provider's code and words in a reply that is no success. */
  message(body: unknown): Said
  /** What a refusal means. Undefined: what its status means. */
  refusal?(refused: Refused): Refusal | undefined
  /** A success that has what was asked for. Absent: any object. */
  isWhole?(reply: Replied): boolean
}

type Failed<Refusal> = NotDone | Unknown | (Refusal extends Decline ? Declined : never)

export function readReply<Refusal extends Why | Decline>(
  reply: HttpReply,
  now: Date,
  rules: ReplyRules<Refusal>,
): { readonly kind: 'object'; readonly object: Json } | Failed<Refusal> {
  const failed = failureIn(reply, now, rules)
  if (failed || reply.kind !== 'reply') return failed ?? unreadable()
  const { status, body } = reply
  const isWhole = rules.isWhole ? rules.isWhole(reply) : isObject(body)
  if (!isWhole) return unreadable(messageOf({ status, ...rules.message(body) }))
  return { kind: 'object', object: isObject(body) ? body : {} }
}

/** Undefined for a success. */
export function failureIn<Refusal extends Why | Decline>(
  reply: HttpReply,
  now: Date,
  { message, refusal }: ReplyRules<Refusal>,
): Failed<Refusal> | undefined {
  if (reply.kind !== 'reply') return unanswered(reply)
  const { status, body } = reply
  if (isSuccess(status)) return undefined
  const raw = messageOf({ status, ...message(body) })
  const meaning = refusal?.({ status, body, raw, code: raw.code ?? '' }) ?? meaningOf(status)
  if (typeof meaning === 'object')
    return { kind: 'declined', raw, ...(meaning as Decline) } as Declined as Failed<Refusal>
  return failedBy(meaning, raw, reply, now)
}

/** Of a call that moves no money: what was declined was not done. */
export const withoutDecline = (failure: ProviderFailure): NotDone | Unknown =>
  failure.kind === 'declined' ? { kind: 'not-done', why: 'bad-request', raw: failure.raw } : failure

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** A request without a reply. */
export const unanswered = (reply: Exclude<HttpReply, Replied>): NotDone | Unknown =>
  reply.kind === 'not-sent'
    ? { kind: 'not-done', why: 'not-sent', raw: { message: reply.cause } }
    : { kind: 'unknown', why: reply.why, raw: { message: reply.cause } }

function failedBy(why: Why, raw: ProviderMessage, { headers }: Replied, now: Date): NotDone | Unknown {
  if (why === 'server-error' || why === 'unreadable-reply') return { kind: 'unknown', why, raw }
  return { kind: 'not-done', why, ...(why === 'rate-limited' ? retryAfterIn(headers, now) : {}), raw }
}

/** What a status means by itself. 408 and 409: an earlier request with the same key may still be running. */
function meaningOf(status: number): Why {
  if (status === 401 || status === 403) return 'bad-credentials'
  if (status === 404) return 'not-found'
  if (status === 429) return 'rate-limited'
  if (status >= 500 || status === 408 || status === 409) return 'server-error'
  return status >= 400 ? 'bad-request' : 'unreadable-reply'
}

interface Said {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** The code of the card network or of the bank. */
  readonly networkCode?: string | undefined
}

/** The provider's own words, for support. On one line and bounded, because they come from outside. */
export function messageOf({ status, code, message, networkCode }: Said): ProviderMessage {
  return {
    ...(status === undefined ? {} : { status }),
    ...(code ? { code: cut(folded(code), 100) } : {}),
    ...(message ? { message: cut(folded(message), 500) } : {}),
    ...(networkCode ? { networkCode: cut(folded(networkCode), 100) } : {}),
  }
}

export const unreadable = (raw?: ProviderMessage): Unknown => ({
  ...{ kind: 'unknown', why: 'unreadable-reply' },
  ...(raw ? { raw } : {}),
})

export const unsupported = (message: string): NotDone => ({
  kind: 'not-done',
  why: 'unsupported',
  raw: { message },
})
