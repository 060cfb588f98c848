import { after, SECOND } from '../../base/clock.ts'
import type { HttpReply } from '../../net/http.ts'
import { textAt, valueAt } from '../kit/json.ts'
import type { MultipartForm } from '../kit/multipart.ts'
import type { Replied } from '../kit/reply.ts'
import type { NotDone, Unknown } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import type { TokenReply } from '../tokens.ts'
import type { PaypalSettings } from './manifest.ts'
import { failureOf } from './refusals.ts'

export type PaypalContext = ProviderContext<PaypalSettings>
export type PaypalReply = Replied

/** A request of the API, relative to its origin. */
export interface PaypalCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** `PayPal-Request-Id` */
  readonly key?: string
  readonly json?: object
  /** JSON that is sent byte for byte. */
  readonly text?: string
  /** A form with files, which is not logged. */
  readonly body?: MultipartForm
  /** Logged instead of a path that contains the token of a stored method. */
  readonly loggedPath?: string
}

/**
 * Calls the API with the profile's access token. A token that PayPal refuses is renewed once. Without a token
 * nothing is sent.
 */
export async function callApi(
  ctx: PaypalContext,
  call: PaypalCall,
): Promise<PaypalReply | NotDone | Unknown> {
  const first = await ctx.tokens.get(() => requestToken(ctx))
  if (first.kind !== 'token') return first
  const reply = await send(ctx, call, first.token)
  if (reply.kind !== 'reply' || reply.status !== 401) return answered(ctx, reply)
  ctx.tokens.drop(first.token)
  const second = await ctx.tokens.get(() => requestToken(ctx))
  if (second.kind !== 'token') return second
  return answered(ctx, await send(ctx, call, second.token))
}

/** The reply, or the failure to get one that says what happened. */
const answered = (ctx: PaypalContext, reply: HttpReply): PaypalReply | NotDone | Unknown =>
  failureOf(reply, ctx.now()) ?? (reply as PaypalReply)

function send(ctx: PaypalContext, call: PaypalCall, token: string): Promise<HttpReply> {
  const { method, path, key, json, text, body, loggedPath } = call
  return ctx.http.call({
    method,
    url: `${ctx.origin}${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'paypal-request-id': key }),
      ...(method === 'POST' && path.startsWith('/v2/') ? { prefer: 'return=representation' } : {}),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...body?.headers,
    },
    ...(json === undefined ? {} : { json }),
    ...(text === undefined ? {} : { text }),
    ...(body === undefined ? {} : { bytes: body.bytes }),
    ...(loggedPath === undefined ? {} : { loggedPath }),
    signal: ctx.signal,
  })
}

/** A token is not the operation: whatever goes wrong here, the operation was not sent. */
async function requestToken(ctx: PaypalContext): Promise<TokenReply> {
  const { clientId, clientSecret } = ctx.config
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const reply = await ctx.http.call({
    method: 'POST',
    url: `${ctx.origin}/v1/oauth2/token`,
    headers: { authorization: `Basic ${basic}` },
    form: { grant_type: 'client_credentials' },
    signal: ctx.signal,
  })
  const failed = failureOf(reply, ctx.now())
  if (failed) return failed.kind === 'not-done' ? failed : notSent(failed)
  const { status, body } = reply as PaypalReply
  const token = textAt(body, 'access_token')
  const seconds = valueAt(body, 'expires_in')
  if (token === undefined || typeof seconds !== 'number') return notSent({ raw: { status } })
  return { kind: 'token', token, expiresAt: after(ctx.now(), seconds * SECOND) }
}

const notSent = ({ raw }: Pick<Unknown, 'raw'>): NotDone => ({
  kind: 'not-done',
  why: 'not-sent',
  ...(raw ? { raw } : {}),
})
