import { declineTable } from '../kit/declines.ts'
import { isObject, textAt } from '../kit/json.ts'
import { type Read, type ReplyRules, readReply } from '../kit/reply.ts'
import type { ProviderContext } from '../port.ts'
import type { AdyenRequest } from './calls.ts'
import type { AdyenSettings } from './manifest.ts'

export type AdyenContext = ProviderContext<AdyenSettings>

const VERSION = '/v72'

/** Sends a request and reads its reply. `base` is another address than that of the Checkout API. */
export async function call(
  ctx: AdyenContext,
  { path, key, ...request }: AdyenRequest,
  base = `${ctx.origin}${VERSION}`,
): Promise<Read> {
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
  return readReply(reply, ctx.now(), RULES)
}

const IN_PROGRESS = '704'
const NO_PAYMENT = ['167', '168']
const ACCOUNT = ['010', '901', '905_1', '905_3', '905_4']

/** Refusals that are no error of ours. */
const DECLINES = declineTable([
  ['currency-not-supported', 'never', '138'],
  ['method-removed', 'never', '800 803'],
])

/** Pure: what replies mean. */
export const RULES: ReplyRules = {
  message: (body) => ({
    code: textAt(body, 'errorCode'),
    message: textAt(body, 'message') ?? textAt(body, 'detail'),
  }),
  // A removed method is answered without a body.
  isWhole: ({ status, body }) => isObject(body) || status === 204,
  refusal({ status, code }) {
    if (status === 401 || status === 403 || status === 429) return undefined
    // The first request with this key is still running, or its fate is not known.
    if (status >= 500 || status === 408 || status === 409 || code === IN_PROGRESS) return 'server-error'
    if (status < 400 || (code === '' && status !== 404)) return 'unreadable-reply'
    if (NO_PAYMENT.includes(code)) return 'not-found'
    return DECLINES.get(code) ?? (ACCOUNT.includes(code) && status !== 404 ? 'bad-credentials' : undefined)
  },
}
