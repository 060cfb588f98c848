import { declineTable } from '../kit/declines.ts'
import { isObject, textAt, valueAt } from '../kit/json.ts'
import { type Read, type ReplyRules, readReply } from '../kit/reply.ts'
import type { ProviderContext } from '../port.ts'
import { type MollieRequest, uuidOf } from './calls.ts'
import type { MollieSettings } from './manifest.ts'

export type MollieContext = ProviderContext<MollieSettings>

const VERSION = '/v2'

/** Sends a request and reads its reply. */
export const call = (ctx: MollieContext, request: MollieRequest): Promise<Read> =>
  send(ctx, request, ctx.config.apiKey)

/** With the token of the organisation. The address tells test from live. */
export const callAsOrganisation = (ctx: MollieContext, request: MollieRequest): Promise<Read> =>
  send(
    ctx,
    ctx.sandbox ? { ...request, path: `${request.path}&testmode=true` } : request,
    ctx.config.organizationToken ?? '',
  )

async function send(
  ctx: MollieContext,
  { path, key, loggedPath, ...request }: MollieRequest,
  token: string,
): Promise<Read> {
  const reply = await ctx.http.call({
    ...request,
    url: `${ctx.origin}${VERSION}${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'idempotency-key': uuidOf(key) }),
    },
    ...(loggedPath === undefined ? {} : { loggedPath: `${VERSION}${loggedPath}` }),
    signal: ctx.signal,
  })
  return readReply(reply, ctx.now(), RULES)
}

/** Refusals that are no error of ours, by the member that Mollie refuses. */
const DECLINES = declineTable([
  ['currency-not-supported', 'never', 'amount.currency currency'],
  ['method-removed', 'never', 'customerId mandateId'],
])

/** Pure: what replies mean. `code` is the member that Mollie refuses. */
export const RULES: ReplyRules = {
  message: (body) => ({
    code: textAt(body, 'field'),
    message: textAt(body, 'detail') ?? textAt(body, 'title'),
  }),
  // A release is accepted and a mandate is revoked without a body.
  isWhole: ({ status, body }) => isObject(body) || status === 202 || status === 204,
  refusal({ status, body, code, raw }) {
    if (isMethodOff(status, code, raw.message)) return 'unsupported'
    const isPlain = status >= 500 || [401, 403, 408, 409, 429].includes(status)
    // 409: the first request with this key is still running, or Mollie takes it for one that it knows.
    if (isPlain) return undefined
    if (valueAt(body, 'status') !== status) return 'unreadable-reply'
    if (status === 410) return 'not-found'
    return status === 422 ? DECLINES.get(code) : undefined
  },
}

/** The method is not turned on for this account: another one may take the payment. */
const isMethodOff = (status: number, code: string, message = ''): boolean =>
  (status === 422 || status === 403) &&
  (code === 'method' || code === 'payment.method' || /no suitable payment method/i.test(message))
