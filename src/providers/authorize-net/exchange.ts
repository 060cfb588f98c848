import type { HttpReply } from '../../net/http.ts'
import type { NotDone, Unknown } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import type { AnetRequest } from './calls.ts'
import type { AuthorizeNetSettings } from './manifest.ts'
import { type JsonMembers, listOf, memberOf, resultIn, textOf } from './wire.ts'

/** One request and its failures. The provider answers errors with status 200. */

export type AuthorizeNetContext = ProviderContext<AuthorizeNetSettings>

export type AskFailure = NotDone | Unknown

/** A value that was read, or why it could not be. */
export type Answered<T> = { readonly kind: 'read'; readonly value: T } | AskFailure

export const read = <T>(value: T): Answered<T> => ({ kind: 'read', value })

/** The answer to a request that was accepted, or to a transaction that was processed with whatever result. */
export async function ask(ctx: AuthorizeNetContext, request: AnetRequest): Promise<Answered<JsonMembers>> {
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
export async function askFor<T>(
  ctx: AuthorizeNetContext,
  request: AnetRequest,
  parse: (body: JsonMembers) => T | undefined,
): Promise<Answered<T>> {
  const answer = await ask(ctx, request)
  if (answer.kind !== 'read') return answer
  const value = parse(answer.value)
  return value === undefined ? unreadable() : read(value)
}

export const unreadable = (): Unknown => ({ kind: 'unknown', why: 'unreadable-reply' })

export function answerIn(reply: HttpReply, refId: string | undefined, now: Date): Answered<JsonMembers> {
  const failed = failureOf(reply, now)
  if (failed) return failed
  const body = reply.kind === 'reply' ? reply.body : undefined
  const resultCode = textOf(body, 'messages', 'resultCode')
  if (resultCode === undefined) return unreadable()
  const echoed = textOf(body, 'refId')
  // The answer to another request.
  if (refId !== undefined && echoed !== undefined && echoed !== refId) return unreadable()
  if (resultCode === 'Ok' || resultIn(body)) return read(body as JsonMembers)
  return refusalOf(body)
}

/** Failures of the transport. */
export function failureOf(reply: HttpReply, now: Date): AskFailure | undefined {
  if (reply.kind === 'not-sent') return { kind: 'not-done', why: 'not-sent', raw: { message: reply.cause } }
  if (reply.kind === 'no-answer') return { kind: 'unknown', why: reply.why, raw: { message: reply.cause } }
  const { status, headers } = reply
  if (status >= 200 && status < 300) return undefined
  const raw = { status }
  if (status >= 500 || status === 408) return { kind: 'unknown', why: 'server-error', raw }
  if (status === 429) {
    const seconds = /^\d{1,6}$/.test(headers['retry-after'] ?? '')
      ? Number(headers['retry-after'])
      : undefined
    const later = seconds === undefined ? {} : { retryAfter: new Date(now.getTime() + seconds * 1_000) }
    return { kind: 'not-done', why: 'rate-limited', raw, ...later }
  }
  if (status === 401 || status === 403) return { kind: 'not-done', why: 'bad-credentials', raw }
  return status < 400 ? { ...unreadable(), raw } : { kind: 'not-done', why: 'bad-request', raw }
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
function refusalOf(body: unknown): AskFailure {
  const message = listOf(memberOf(body, 'messages'), 'message')[0]
  const code = textOf(message, 'code') ?? ''
  const text = textOf(message, 'text')
  const raw = { code, ...(text ? { message: text.slice(0, 300) } : {}) }
  if (!/^E\d{5}$/.test(code)) return unreadable()
  if (code === 'E00001') return { kind: 'unknown', why: 'server-error', raw }
  return { kind: 'not-done', why: WHY[code] ?? 'bad-request', raw }
}
