import type { HttpReply } from '../../net/http.ts'
import type { NotDone, ProviderMessage, Unknown } from '../outcome.ts'
import { memberOf, textOf } from './wire.ts'

/** Pure: replies that are no result. An error of the server is a problem or a list of wrong fields. */

type Replied = Extract<HttpReply, { kind: 'reply' }>

/** Undefined if the request was accepted. */
export function failure(reply: HttpReply, now: Date): NotDone | Unknown | undefined {
  if (reply.kind === 'not-sent') return { kind: 'not-done', why: 'not-sent', raw: { message: reply.cause } }
  if (reply.kind === 'no-answer') return { kind: 'unknown', why: reply.why, raw: { message: reply.cause } }
  const { status } = reply
  if (status >= 200 && status < 300) return undefined
  const raw = messageOf(reply)
  if (status >= 500 || status === 408) return { kind: 'unknown', why: 'server-error', raw }
  if (status < 400) return unreadable(status)
  const retryAfter = retryTime(reply, now)
  return { kind: 'not-done', why: refusal(status, raw.code), raw, ...(retryAfter ? { retryAfter } : {}) }
}

/** What the transport says about a reply over its bound. */
export const TOO_LARGE = 'reply too large'

export const unreadable = (status?: number): Unknown => ({
  kind: 'unknown',
  why: 'unreadable-reply',
  ...(status === undefined ? {} : { raw: { status } }),
})

const REFUSALS: Readonly<Record<string, NotDone['why']>> = {
  unauthenticated: 'bad-credentials',
  'missing-permission': 'bad-credentials',
  'invoice-not-found': 'not-found',
  'pullpayment-not-found': 'not-found',
  'store-not-found': 'not-found',
  'non-refundable': 'wrong-state',
}

function refusal(status: number, code: string | undefined): NotDone['why'] {
  const known = code === undefined ? undefined : REFUSALS[code]
  if (known) return known
  if (status === 401 || status === 403) return 'bad-credentials'
  if (status === 404) return 'not-found'
  return status === 429 ? 'rate-limited' : 'bad-request'
}

function messageOf({ status, body }: Replied): ProviderMessage {
  const first: unknown = Array.isArray(body) ? body[0] : body
  const code = textOf(first, 'code') ?? textOf(first, 'path')
  const message = textOf(first, 'message')
  const permission = textOf(body, 'missingPermission')
  const said = permission && !message?.includes(permission) ? `${message ?? ''} (${permission})` : message
  return {
    status,
    ...(code ? { code } : {}),
    ...(said ? { message: said.slice(0, 500) } : {}),
  }
}

function retryTime({ headers }: Replied, now: Date): Date | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  if (/^\d{1,6}$/.test(value)) return new Date(now.getTime() + Number(value) * 1000)
  const at = new Date(value)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** What a merchant can do about settings that do not work, in one sentence. */
export function settingsProblem({ why, raw }: NotDone | Unknown): string {
  const status = memberOf(raw, 'status')
  if (why === 'bad-credentials')
    return status === 401
      ? 'The server did not accept the API key.'
      : `The API key has no access to this store, or lacks a permission: ${raw?.message ?? 'not named'}`
  if (why === 'not-sent')
    return raw?.message === 'FORBIDDEN_ADDRESS'
      ? 'The server has a private address, which this installation does not call.'
      : `The server could not be reached (${raw?.message ?? 'no connection'}).`
  if (why === 'not-found') return 'No store with this ID was found at this address.'
  if (why === 'rate-limited') return 'The server was asked too often; try again later.'
  if (why === 'timeout') return 'The server did not answer in time.'
  return 'The answer does not come from a BTCPay Server; check the address.'
}
