import type { HttpReply } from '../../net/http.ts'
import { type Json, objectAt, textAt } from '../kit/json.ts'
import { messageOf, type Read, type ReplyRules, readReply as readBy, type Why } from '../kit/reply.ts'
import type { Declined } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import { declineOf } from './declines.ts'
import { handlesOf } from './facts.ts'
import type { StripeSettings } from './manifest.ts'
import type { StripeRequest } from './reads.ts'

const API_VERSION = '2026-10-28.endive'

export type StripeContext = ProviderContext<StripeSettings>

export function send(ctx: StripeContext, request: StripeRequest): Promise<HttpReply> {
  const { method, path, loggedPath, form, body, key, origin = ctx.origin } = request
  return ctx.http.call({
    method,
    url: `${origin}${path}`,
    headers: {
      authorization: `Bearer ${ctx.config.secretKey}`,
      'stripe-version': API_VERSION,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...body?.headers,
    },
    ...(loggedPath === undefined ? {} : { loggedPath }),
    ...(form ? { form } : {}),
    ...(body ? { bytes: body.bytes } : {}),
    signal: ctx.signal,
  })
}

/** Sends a request and reads its reply. */
export async function call(ctx: StripeContext, request: StripeRequest): Promise<Read> {
  return readReply(await send(ctx, request), request.answers, ctx.now())
}

// ---- pure: replies ----------------------------------------------------------------------------------------

/** The object in a reply, or what went wrong. `kind` is Stripe's name of the object. */
export const readReply = (reply: HttpReply, kind: string, now: Date): Read =>
  readBy(reply, now, { ...RULES, isWhole: ({ body }) => textAt(body, 'object') === kind })

const RULES: ReplyRules = {
  message: (body) => wordsIn(objectAt(body, 'error')),
  refusal({ status, body }) {
    const error = objectAt(body, 'error')
    const [type, code] = [textAt(error, 'type'), textAt(error, 'code') ?? '']
    // The first request with this key may have moved money, or is still running.
    if (status >= 500 || status === 409 || status === 424 || type === 'idempotency_error')
      return 'server-error'
    // Nothing was done. Stripe names no time; the header is for a proxy in between.
    if (status === 429 || code === 'rate_limit') return 'rate-limited'
    if (status < 400 || type === undefined) return 'unreadable-reply'
    if (status === 402 || type === 'card_error') return declinedBy(error, status)
    if (code === 'currency_not_supported' || textAt(error, 'param') === 'currency')
      return { reason: 'currency-not-supported', retry: 'never' }
    return whyOf(status, code)
  },
}

/** Stripe repeats even an error 500 for the same key: the request will never have another reply. */
export const isRepeatedError = (reply: HttpReply): boolean =>
  reply.kind === 'reply' && reply.status >= 500 && reply.headers['idempotent-replayed'] === 'true'

/** Stripe had an error that it repeats, and certainly nothing was made. Another try needs a new key. */
export const NOT_MADE: Declined = {
  kind: 'declined',
  reason: 'processing-error',
  retry: 'later',
  raw: { code: 'api_error', message: 'Stripe had an error, and nothing was charged.' },
}

/** An error of Stripe, in a reply or in an intent, as a decline. */
export function declinedBy(error: Json, status?: number): Declined {
  const { reason, retry, retryAfterMs, byNetwork, isUnlisted } = declineIn(error)
  const intent = objectAt(error, 'payment_intent')
  return {
    kind: 'declined',
    ...(textAt(intent, 'id') ? { handles: handlesOf({ intent }) } : {}),
    reason,
    retry,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(byNetwork && { byNetwork }),
    raw: messageOf({ status, ...wordsIn(error) }),
    ...(isUnlisted ? { isUnlisted } : {}),
  }
}

const declineIn = (error: Json) =>
  declineOf({
    declineCode: textAt(error, 'decline_code'),
    code: textAt(error, 'code'),
    adviceCode: textAt(error, 'advice_code'),
    networkAdviceCode: textAt(error, 'network_advice_code'),
    networkDeclineCode: textAt(error, 'network_decline_code'),
    brand: textAt(error, 'payment_method', 'card', 'brand'),
  })

const wordsIn = (error: Json) => ({
  code: textAt(error, 'decline_code') ?? textAt(error, 'code'),
  message: withoutKeys(textAt(error, 'message') ?? ''),
  networkCode: textAt(error, 'network_decline_code'),
})

/** Stripe's messages quote the beginning and the end of a key. */
const withoutKeys = (message: string): string => message.replaceAll(/\b(?:sk|rk|pk|whsec)_[\w*]+/g, '[key]')

/** The account, its key or its permissions are at fault. */
const ACCOUNT_CODES = [
  'account_closed',
  'account_country_invalid_address',
  'account_invalid',
  'api_key_expired',
  'livemode_mismatch',
  'platform_api_key_expired',
  'secret_key_required',
  'testmode_charges_only',
]
/** The payment is in another state than we thought. */
const STATE_CODES = [
  'capture_charge_authorization_expired',
  'capture_unauthorized_payment',
  'charge_already_captured',
  'charge_already_refunded',
  'charge_disputed',
  'charge_expired_for_capture',
  'charge_not_refundable',
  'intent_invalid_state',
  'payment_intent_unexpected_state',
  'refund_disputed_payment',
  'setup_intent_unexpected_state',
]

function whyOf(status: number, code: string): Why {
  if (status === 401 || status === 403 || ACCOUNT_CODES.includes(code)) return 'bad-credentials'
  if (STATE_CODES.includes(code)) return 'wrong-state'
  if (status === 404 || code === 'resource_missing') return 'not-found'
  return code === 'payment_method_unactivated' ? 'unsupported' : 'bad-request'
}
