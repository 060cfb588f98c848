import { type Json, textAt } from '../../../../src/providers/kit/json.ts'
import { type ReplyRules, readReply, type Why } from '../../../../src/providers/kit/reply.ts'
import type { NotDone, Unknown } from '../../../../src/providers/outcome.ts'
import type { ProviderContext } from '../../../../src/providers/port.ts'
import type { AcornPayRequest } from './calls.ts'
import type { AcornPaySettings } from './manifest.ts'

export type AcornPayContext = ProviderContext<AcornPaySettings>
export type AcornPayFailure = NotDone | Unknown
export type AcornPayRead = { readonly kind: 'object'; readonly object: Json } | AcornPayFailure

/** Sends a request and reads its reply. */
export async function call(
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
  return readReply(reply, ctx.now(), RULES)
}

/** Pure: what replies mean. A reply that is no certain refusal is unknown. */
const RULES: ReplyRules<Why> = {
  message: (body) => ({ code: textAt(body, 'code'), message: textAt(body, 'message') }),
  // What the provider's own codes mean. Undefined: what the status means.
  refusal: () => undefined,
}
