import { cut, folded } from '../../base/text.ts'
import type { HttpReply } from '../../net/http.ts'
import { retryAfterIn } from '../../net/retry-after.ts'
import type { Declined, NotDone, ProviderMessage, Unknown } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import { type MollieRequest, uuidOf } from './calls.ts'
import type { MollieSettings } from './manifest.ts'
import { type MollieJson, objectAt, textAt } from './wire.ts'

export type MollieContext = ProviderContext<MollieSettings>

const VERSION = '/v2'

/** Sends a request and reads its reply. */
export async function ask(
  ctx: MollieContext,
  { path, key, loggedPath, ...request }: MollieRequest,
): Promise<MollieRead> {
  const reply = await ctx.http.call({
    ...request,
    url: `${ctx.origin}${VERSION}${path}`,
    headers: {
      authorization: `Bearer ${ctx.config.apiKey}`,
      ...(key === undefined ? {} : { 'idempotency-key': uuidOf(key) }),
    },
    ...(loggedPath === undefined ? {} : { loggedPath: `${VERSION}${loggedPath}` }),
    signal: ctx.signal,
  })
  return readReply(reply, ctx.now())
}

// ---- pure: replies ----------------------------------------------------------------------------------------

type Replied = Extract<HttpReply, { kind: 'reply' }>
export type MollieFailure = NotDone | Unknown | Declined
export type MollieRead = { readonly kind: 'object'; readonly object: MollieJson } | MollieFailure

export function readReply(reply: HttpReply, now: Date): MollieRead {
  if (reply.kind === 'not-sent') return { kind: 'not-done', why: 'not-sent', raw: { message: reply.cause } }
  if (reply.kind === 'no-answer') return { kind: 'unknown', why: reply.why, raw: { message: reply.cause } }
  const { status, body } = reply
  if (status < 200 || status >= 300) return failureOf(reply, now)
  // A release is accepted and a mandate is revoked without a body.
  const isObject = (typeof body === 'object' && body !== null) || status === 202 || status === 204
  return isObject
    ? { kind: 'object', object: objectAt(body) }
    : { kind: 'unknown', why: 'unreadable-reply', raw: { status } }
}

function failureOf(reply: Replied, now: Date): MollieFailure {
  const { status, body } = reply
  const raw = messageOf(status, body)
  if (isMethodOff(status, raw)) return { kind: 'not-done', why: 'unsupported', raw }
  if (status === 401 || status === 403) return { kind: 'not-done', why: 'bad-credentials', raw }
  if (status === 429)
    return { kind: 'not-done', why: 'rate-limited', ...retryAfterIn(reply.headers, now), raw }
  // 409: the first request with this key is still running, or Mollie takes it for one that it knows.
  if (status >= 500 || status === 408 || status === 409) return { kind: 'unknown', why: 'server-error', raw }
  if (status < 400 || objectAt(body).status !== status)
    return { kind: 'unknown', why: 'unreadable-reply', raw }
  if (status === 404 || status === 410) return { kind: 'not-done', why: 'not-found', raw }
  const declined = status === 422 ? DECLINES[textAt(body, 'field') ?? ''] : undefined
  return declined ? { kind: 'declined', ...declined, raw } : { kind: 'not-done', why: 'bad-request', raw }
}

/** The method is not turned on for this account: another one may take the payment. */
const isMethodOff = (status: number, { code, message = '' }: ProviderMessage): boolean =>
  (status === 422 || status === 403) &&
  (code === 'method' || code === 'payment.method' || /no suitable payment method/i.test(message))

/** Refusals that are no error of ours, by the member that Mollie refuses. */
const DECLINES: Readonly<Record<string, Pick<Declined, 'reason' | 'retry'>>> = {
  'amount.currency': { reason: 'currency-not-supported', retry: 'never' },
  currency: { reason: 'currency-not-supported', retry: 'never' },
  customerId: { reason: 'method-removed', retry: 'never' },
  mandateId: { reason: 'method-removed', retry: 'never' },
}

/** `code` is the member that Mollie refuses. */
function messageOf(status: number, body: unknown): ProviderMessage {
  const code = textAt(body, 'field')
  const message = textAt(body, 'detail') ?? textAt(body, 'title')
  return {
    status,
    ...(code ? { code: cut(folded(code), 100) } : {}),
    ...(message ? { message: cut(folded(message), 500) } : {}),
  }
}
