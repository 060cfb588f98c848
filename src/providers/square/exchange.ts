import { cut, folded } from '../../base/text.ts'
import type { HttpReply } from '../../net/http.ts'
import { retryAfterIn } from '../../net/retry-after.ts'
import type { Declined, NotDone, ProviderMessage, Unknown } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import type { SquareRequest } from './calls.ts'
import { declineOf, isDecline } from './declines.ts'
import type { SquareSettings } from './manifest.ts'
import { listAt, objectAt, type SquareJson, textAt } from './wire.ts'

export type SquareContext = ProviderContext<SquareSettings>

/** The version of the API that requests and replies are written for. */
const VERSION = '2025-08-20'

export async function ask(ctx: SquareContext, { path, ...request }: SquareRequest): Promise<SquareRead> {
  const reply = await ctx.http.call({
    ...request,
    url: `${ctx.origin}${path}`,
    headers: { authorization: `Bearer ${ctx.config.accessToken}`, 'square-version': VERSION },
    signal: ctx.signal,
  })
  return readReply(reply, ctx.now())
}

/** The member of a reply that a request asked for. A reply without it is unreadable. */
export async function askFor(
  ctx: SquareContext,
  request: SquareRequest,
  member: string,
): Promise<SquareRead> {
  const read = await ask(ctx, request)
  if (read.kind !== 'object') return read
  const object = objectAt(read.object, member)
  return textAt(object, 'id') ? { kind: 'object', object } : unreadable()
}

export const unreadable = (raw: ProviderMessage = {}): Unknown => ({
  ...{ kind: 'unknown', why: 'unreadable-reply', raw },
})

/** A read is never declined. */
export const plain = (failed: SquareFailure): NotDone | Unknown =>
  failed.kind === 'declined' ? unreadable(failed.raw) : failed

// ---- pure: replies ----------------------------------------------------------------------------------------

type Replied = Extract<HttpReply, { kind: 'reply' }>
export type SquareFailure = NotDone | Unknown | Declined
export type SquareRead = { readonly kind: 'object'; readonly object: SquareJson } | SquareFailure

export function readReply(reply: HttpReply, now: Date): SquareRead {
  if (reply.kind === 'not-sent') return { kind: 'not-done', why: 'not-sent', raw: { message: reply.cause } }
  if (reply.kind === 'no-answer') return { kind: 'unknown', why: reply.why, raw: { message: reply.cause } }
  const { status, body } = reply
  if (status < 200 || status >= 300) return failureOf(reply, now)
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  // A reply with errors is not a success, whatever its status is.
  if (!isObject || listAt(body, 'errors').length > 0) return unreadable({ status, ...messageIn(body) })
  return { kind: 'object', object: objectAt(body) }
}

const ACCOUNT = ['INVALID_LOCATION', 'LOCATION_MISMATCH', 'CARD_PROCESSING_NOT_ENABLED']
const GONE = ['NOT_FOUND', 'CUSTOMER_NOT_FOUND']
const STATE = /^DELAYED_TRANSACTION_/

function failureOf(reply: Replied, now: Date): SquareFailure {
  const { status, body } = reply
  const [error] = listAt(body, 'errors')
  const [code = '', category = ''] = [textAt(error, 'code'), textAt(error, 'category')]
  const raw = { status, ...messageIn(body) }
  if (status === 429 || category === 'RATE_LIMIT_ERROR')
    return { kind: 'not-done', why: 'rate-limited', ...retryAfterIn(reply.headers, now), raw }
  if (status >= 500 || status === 408 || status === 409 || category === 'API_ERROR')
    return { kind: 'unknown', why: 'server-error', raw }
  // An earlier request with this key was another one: what became of it is not known.
  if (code === 'IDEMPOTENCY_KEY_REUSED') return { kind: 'unknown', why: 'server-error', raw }
  if (STATE.test(code)) return { kind: 'not-done', why: 'wrong-state', raw }
  if (ACCOUNT.includes(code)) return { kind: 'not-done', why: 'bad-credentials', raw }
  if (isDecline(code, category)) return { kind: 'declined', ...declineOf(code, raw) }
  if (status === 401 || status === 403 || category === 'AUTHENTICATION_ERROR')
    return { kind: 'not-done', why: 'bad-credentials', raw }
  if (status === 404 || GONE.includes(code)) return { kind: 'not-done', why: 'not-found', raw }
  if (status < 400 || code === '') return unreadable(raw)
  return { kind: 'not-done', why: 'bad-request', raw }
}

export function messageIn(body: unknown): ProviderMessage {
  const [error] = listAt(body, 'errors')
  const [code, message] = [textAt(error, 'code'), textAt(error, 'detail')]
  return { ...(code ? { code } : {}), ...(message ? { message: cut(folded(message), 500) } : {}) }
}
