import { after, SECOND } from '../../../../src/base/clock.ts'
import { cut, folded } from '../../../../src/base/text.ts'
import type { HttpReply } from '../../../../src/net/http.ts'
import type { NotDone, ProviderMessage, Unknown } from '../../../../src/providers/outcome.ts'
import type { ProviderContext } from '../../../../src/providers/port.ts'
import type { AcornPayRequest } from './calls.ts'
import type { AcornPaySettings } from './manifest.ts'

export type AcornPayContext = ProviderContext<AcornPaySettings>
type AcornPayJson = Readonly<Record<string, unknown>>
export type AcornPayFailure = NotDone | Unknown
export type AcornPayRead = { readonly kind: 'object'; readonly object: AcornPayJson } | AcornPayFailure

/** Sends a request and reads its reply. */
export async function ask(
  ctx: AcornPayContext,
  { path, key, ...request }: AcornPayRequest,
): Promise<AcornPayRead> {
  const reply = await ctx.http.call({
    ...request,
    url: ctx.origin + path,
    headers: {
      authorization: `Bearer ${ctx.config.apiKey}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    signal: ctx.signal,
  })
  return readReply(reply, ctx.now())
}

type Replied = Extract<HttpReply, { kind: 'reply' }>

/** Pure. A reply that is no certain refusal is unknown. */
function readReply(reply: HttpReply, now: Date): AcornPayRead {
  if (reply.kind === 'not-sent') return { kind: 'not-done', why: 'not-sent', raw: { message: reply.cause } }
  if (reply.kind === 'no-answer') return { kind: 'unknown', why: reply.why, raw: { message: reply.cause } }
  const { status, body } = reply
  const isObject = typeof body === 'object' && body !== null
  if (status >= 200 && status < 300 && isObject) return { kind: 'object', object: body as AcornPayJson }
  return failureOf(reply, now)
}

function failureOf({ status, headers, body }: Replied, now: Date): AcornPayFailure {
  const raw = messageOf(status, body)
  const seconds = headers['retry-after'] ?? ''
  if (status === 401 || status === 403) return { kind: 'not-done', why: 'bad-credentials', raw }
  if (status === 429) {
    const retryAfter = /^\d{1,6}$/.test(seconds) ? { retryAfter: after(now, Number(seconds) * SECOND) } : {}
    return { kind: 'not-done', why: 'rate-limited', ...retryAfter, raw }
  }
  if (status === 404) return { kind: 'not-done', why: 'not-found', raw }
  if (status >= 400 && status < 500 && status !== 408 && status !== 409)
    return { kind: 'not-done', why: 'bad-request', raw }
  return { kind: 'unknown', why: status >= 500 ? 'server-error' : 'unreadable-reply', raw }
}

/** The provider's own words, for support. Bounded, because they come from outside. */
function messageOf(status: number, body: unknown): ProviderMessage {
  const { code, message } = (body ?? {}) as AcornPayJson
  return {
    status,
    ...(typeof code === 'string' ? { code: cut(folded(code), 100) } : {}),
    ...(typeof message === 'string' ? { message: cut(folded(message), 500) } : {}),
  }
}
