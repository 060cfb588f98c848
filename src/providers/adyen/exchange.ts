import { cut, folded } from '../../base/text.ts'
import type { HttpReply } from '../../net/http.ts'
import type { Declined, NotDone, ProviderMessage, Unknown } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import type { AdyenRequest } from './calls.ts'
import type { AdyenSettings } from './manifest.ts'
import { type AdyenJson, objectAt, textAt } from './wire.ts'

export type AdyenContext = ProviderContext<AdyenSettings>

const VERSION = '/v72'

/** Sends a request and reads its reply. `base` is another address than that of the Checkout API. */
export async function ask(
  ctx: AdyenContext,
  { path, key, ...request }: AdyenRequest,
  base = `${ctx.origin}${VERSION}`,
): Promise<AdyenRead> {
  const { loggedPath } = request
  const reply = await ctx.http.call({
    ...request,
    url: `${base}${path}`,
    headers: {
      'x-api-key': ctx.config.apiKey,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      // Adyen wants the type also where a request has no body.
      ...(request.method === 'POST' && request.json === undefined
        ? { 'content-type': 'application/json' }
        : {}),
    },
    ...(loggedPath === undefined ? {} : { loggedPath: `${new URL(base).pathname}${loggedPath}` }),
    signal: ctx.signal,
  })
  return readReply(reply, ctx.now())
}

// ---- pure: replies ----------------------------------------------------------------------------------------

type Replied = Extract<HttpReply, { kind: 'reply' }>
export type AdyenFailure = NotDone | Unknown | Declined
export type AdyenRead = { readonly kind: 'object'; readonly object: AdyenJson } | AdyenFailure

export function readReply(reply: HttpReply, now: Date): AdyenRead {
  if (reply.kind === 'not-sent') return { kind: 'not-done', why: 'not-sent', raw: { message: reply.cause } }
  if (reply.kind === 'no-answer') return { kind: 'unknown', why: reply.why, raw: { message: reply.cause } }
  const { status, body } = reply
  if (status < 200 || status >= 300) return failureOf(reply, now)
  const isObject = (typeof body === 'object' && body !== null) || status === 204
  return isObject
    ? { kind: 'object', object: objectAt(body) }
    : { kind: 'unknown', why: 'unreadable-reply', raw: { status } }
}

function failureOf(reply: Replied, now: Date): AdyenFailure {
  const { status, body } = reply
  const code = textAt(body, 'errorCode')
  const raw = messageOf(status, body)
  if (status === 401 || status === 403) return { kind: 'not-done', why: 'bad-credentials', raw }
  if (status === 429) return { kind: 'not-done', why: 'rate-limited', ...retryAfterOf(reply, now), raw }
  // The first request with this key is still running, or its fate is not known.
  if (status >= 500 || status === 408 || status === 409 || code === IN_PROGRESS)
    return { kind: 'unknown', why: 'server-error', raw }
  if (status < 400 || (code === undefined && status !== 404))
    return { kind: 'unknown', why: 'unreadable-reply', raw }
  const declined = DECLINES[code ?? '']
  if (declined) return { kind: 'declined', ...declined, raw }
  return { kind: 'not-done', why: whyOf(status, code), raw }
}

const IN_PROGRESS = '704'
const NO_PAYMENT = ['167', '168']
const ACCOUNT = ['010', '901', '905_1', '905_3', '905_4']

/** Refusals that are no error of ours. */
const DECLINES: Readonly<Record<string, Pick<Declined, 'reason' | 'retry'>>> = {
  '138': { reason: 'currency-not-supported', retry: 'never' },
  '800': { reason: 'method-removed', retry: 'never' },
  '803': { reason: 'method-removed', retry: 'never' },
}

function whyOf(status: number, code: string | undefined): NotDone['why'] {
  if (status === 404 || NO_PAYMENT.includes(code ?? '')) return 'not-found'
  return ACCOUNT.includes(code ?? '') ? 'bad-credentials' : 'bad-request'
}

function messageOf(status: number, body: unknown): ProviderMessage {
  const code = textAt(body, 'errorCode')
  const message = textAt(body, 'message') ?? textAt(body, 'detail')
  return {
    status,
    ...(code ? { code } : {}),
    ...(message ? { message: cut(folded(message), 500) } : {}),
  }
}

function retryAfterOf({ headers }: Replied, now: Date): { retryAfter?: Date } {
  const seconds = headers['retry-after'] ?? ''
  return /^\d{1,6}$/.test(seconds) ? { retryAfter: new Date(now.getTime() + Number(seconds) * 1_000) } : {}
}
