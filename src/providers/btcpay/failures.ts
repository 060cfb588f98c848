import type { HttpReply } from '../../net/http.ts'
import { entryOf, textAt } from '../kit/json.ts'
import { failureIn, type ReplyRules, type Why } from '../kit/reply.ts'
import type { NotDone, Unknown } from '../outcome.ts'

/** Pure: replies that are no result. An error of the server is a problem or a list of wrong fields. */

/** Undefined if the request was accepted. */
export const failure = (reply: HttpReply, now: Date): NotDone | Unknown | undefined =>
  failureIn(reply, now, RULES)

/** What the transport says about a reply over its bound. */
export const TOO_LARGE = 'reply too large'

const REFUSALS: Readonly<Record<string, NotDone['why']>> = {
  unauthenticated: 'bad-credentials',
  'missing-permission': 'bad-credentials',
  'invoice-not-found': 'not-found',
  'pullpayment-not-found': 'not-found',
  'store-not-found': 'not-found',
  'non-refundable': 'wrong-state',
}

const RULES: ReplyRules<Why> = {
  message: wordsIn,
  refusal({ status, code }) {
    if (status >= 500 || status < 400 || status === 408) return undefined
    return entryOf(REFUSALS, code) ?? (status === 409 ? 'bad-request' : undefined)
  },
}

function wordsIn(body: unknown) {
  const first: unknown = Array.isArray(body) ? body[0] : body
  const message = textAt(first, 'message')
  const permission = textAt(body, 'missingPermission')
  const isNamed = permission === undefined || message?.includes(permission)
  return {
    code: textAt(first, 'code') ?? textAt(first, 'path'),
    message: isNamed ? message : `${message ?? ''} (${permission})`,
  }
}

/** What a merchant can do about settings that do not work, in one sentence. */
export function settingsProblem({ why, raw }: NotDone | Unknown): string {
  if (why === 'bad-credentials')
    return raw?.status === 401
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
