import type { HttpReply } from '../../net/http.ts'
import { entryOf, type Json, valueAt, wordAt } from '../kit/json.ts'
import { failureIn, messageOf, type ReplyRules, unreadable, type Why } from '../kit/reply.ts'
import type { NotDone, Unknown } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import type { AnetRequest } from './calls.ts'
import type { AuthorizeNetSettings } from './manifest.ts'
import { listOf, resultIn } from './wire.ts'

/** One request and its failures. The provider answers errors with status 200. */

export type AuthorizeNetContext = ProviderContext<AuthorizeNetSettings>

export type CallFailure = NotDone | Unknown

/** A value that was read, or why it could not be. */
export type Answered<T> = { readonly kind: 'read'; readonly value: T } | CallFailure

export const read = <T>(value: T): Answered<T> => ({ kind: 'read', value })

/** The answer to a request that was accepted, or to a transaction that was processed with whatever result. */
export async function call(ctx: AuthorizeNetContext, request: AnetRequest): Promise<Answered<Json>> {
  const { name, refId, content } = request
  const { apiLoginId, transactionKey } = ctx.config
  const merchantAuthentication = { name: apiLoginId, transactionKey }
  const reply = await ctx.http.call({
    method: 'POST',
    url: `${ctx.origin}/xml/v1/request.api`,
    json: { [name]: { merchantAuthentication, ...(refId ? { refId } : {}), ...content } },
    signal: ctx.signal,
  })
  return answerIn(reply, refId, ctx.now())
}

/** Reads a part of the answer. An answer without it is unreadable. */
export async function callFor<T>(
  ctx: AuthorizeNetContext,
  request: AnetRequest,
  parse: (body: Json) => T | undefined,
): Promise<Answered<T>> {
  const answer = await call(ctx, request)
  if (answer.kind !== 'read') return answer
  const value = parse(answer.value)
  return value === undefined ? unreadable() : read(value)
}

export function answerIn(reply: HttpReply, refId: string | undefined, now: Date): Answered<Json> {
  const failed = failureOf(reply, now)
  if (failed) return failed
  const body = reply.kind === 'reply' ? reply.body : undefined
  const resultCode = wordAt(body, 'messages', 'resultCode')
  if (resultCode === undefined) return unreadable()
  const echoed = wordAt(body, 'refId')
  // The answer to another request.
  if (refId !== undefined && echoed !== undefined && echoed !== refId) return unreadable()
  if (resultCode === 'Ok' || resultIn(body)) return read(body as Json)
  return refusalOf(body)
}

/** Failures of the transport. Only the text of an answer says that something does not exist. */
export const failureOf = (reply: HttpReply, now: Date): CallFailure | undefined =>
  failureIn(reply, now, RULES)

const RULES: ReplyRules<Why> = {
  message: () => ({}),
  refusal: ({ status }) => (status === 404 || status === 409 ? 'bad-request' : undefined),
}

const WHY: Readonly<Record<string, NotDone['why']>> = {
  E00005: 'bad-credentials',
  E00006: 'bad-credentials',
  E00007: 'bad-credentials',
  E00008: 'bad-credentials',
  E00009: 'bad-credentials',
  E00010: 'bad-credentials',
  E00011: 'bad-credentials',
  E00124: 'bad-credentials',
  E00035: 'not-found',
  E00040: 'not-found',
  E00053: 'rate-limited',
  E00104: 'rate-limited',
}

/** Requests that were refused before anything was done. E00001 is an error in the middle of processing. */
function refusalOf(body: unknown): CallFailure {
  const message = listOf(valueAt(body, 'messages'), 'message')[0]
  const code = wordAt(message, 'code') ?? ''
  const text = wordAt(message, 'text')
  const raw = messageOf({ code, message: text })
  if (!/^E\d{5}$/.test(code)) return unreadable()
  if (code === 'E00001') return { kind: 'unknown', why: 'server-error', raw }
  return { kind: 'not-done', why: entryOf(WHY, code) ?? 'bad-request', raw }
}
