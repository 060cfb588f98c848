import { isObject, listAt, objectAt, textAt } from '../kit/json.ts'
import { type ProviderFailure, type Read, type ReplyRules, readReply, unreadable } from '../kit/reply.ts'
import type { NotDone, Unknown } from '../outcome.ts'
import type { ProviderContext } from '../port.ts'
import type { SquareRequest } from './calls.ts'
import { declineOf, isDecline } from './declines.ts'
import type { SquareSettings } from './manifest.ts'

export type SquareContext = ProviderContext<SquareSettings>

/** The version of the API that requests and replies are written for. */
const VERSION = '2025-08-20'

export async function call(ctx: SquareContext, { path, ...request }: SquareRequest): Promise<Read> {
  const reply = await ctx.http.call({
    ...request,
    url: `${ctx.origin}${path}`,
    headers: { authorization: `Bearer ${ctx.config.accessToken}`, 'square-version': VERSION },
    signal: ctx.signal,
  })
  return readReply(reply, ctx.now(), RULES)
}

/** The member of a reply that a request asked for. A reply without it is unreadable. */
export async function callFor(ctx: SquareContext, request: SquareRequest, member: string): Promise<Read> {
  const read = await call(ctx, request)
  if (read.kind !== 'object') return read
  const object = objectAt(read.object, member)
  return textAt(object, 'id') ? { kind: 'object', object } : unreadable()
}

/** A read is never declined. */
export const plain = (failed: ProviderFailure): NotDone | Unknown =>
  failed.kind === 'declined' ? unreadable(failed.raw) : failed

const ACCOUNT = ['INVALID_LOCATION', 'LOCATION_MISMATCH', 'CARD_PROCESSING_NOT_ENABLED']
const GONE = ['NOT_FOUND', 'CUSTOMER_NOT_FOUND']
const STATE = /^DELAYED_TRANSACTION_/

/** Pure: what replies mean. */
export const RULES: ReplyRules = {
  message: messageIn,
  // A reply with errors is not a success, whatever its status is.
  isWhole: ({ body }) => isObject(body) && listAt(body, 'errors').length === 0,
  refusal({ status, body, code, raw }) {
    const category = textAt(listAt(body, 'errors')[0], 'category') ?? ''
    if (status === 429 || category === 'RATE_LIMIT_ERROR') return 'rate-limited'
    if (status >= 500 || status === 408 || status === 409 || category === 'API_ERROR') return 'server-error'
    // An earlier request with this key was another one: what became of it is not known.
    if (code === 'IDEMPOTENCY_KEY_REUSED') return 'server-error'
    if (STATE.test(code)) return 'wrong-state'
    if (ACCOUNT.includes(code)) return 'bad-credentials'
    if (isDecline(code, category)) return declineOf(code, raw)
    if (status === 401 || status === 403 || category === 'AUTHENTICATION_ERROR') return 'bad-credentials'
    if (status === 404 || GONE.includes(code)) return 'not-found'
    return status < 400 || code === '' ? 'unreadable-reply' : undefined
  },
}

export function messageIn(body: unknown) {
  const [error] = listAt(body, 'errors')
  return { code: textAt(error, 'code'), message: textAt(error, 'detail') }
}
