import type { Span } from '@opentelemetry/api'
import { eventIdOf } from '../../base/ids.ts'
import { failSpan, inSpan, requestSpan, setStatus, traceHeaders } from '../../base/tracing/tracer.ts'
import type { Context } from '../../context.ts'
import type { PostReply } from '../../net/post.ts'
import { WEBHOOKS } from '../schedule.ts'
import type { Claimed } from './claim-store.ts'
import type { Secrets } from './secrets.ts'
import { signedHeaders } from './sign.ts'

/** Read beyond the stored length, so that a secret across the cut is masked as a whole. */
const OVERLAP_BYTES = 2_048

interface WebhookRequest {
  readonly delivery: Claimed
  readonly url: string
  readonly secrets: Secrets
  readonly now: Date
}

/** The merchant's server gets `traceparent`, so that its own spans continue the trace. */
export function send(
  ctx: Context,
  request: WebhookRequest,
  options: { readonly signal?: AbortSignal },
): Promise<PostReply> {
  return inSpan(ctx.tracer, requestSpan('POST', request.url), async (span) => {
    const reply = await post(ctx, request, options, span)
    if (reply.kind === 'reply') setStatus(span, reply.status)
    else failSpan(span, reply.kind)
    return reply
  })
}

function post(
  ctx: Context,
  { delivery, url, secrets, now }: WebhookRequest,
  options: { readonly signal?: AbortSignal },
  span: Span | undefined,
): Promise<PostReply> {
  const { body, paymentId, sequence } = delivery
  const id = eventIdOf(paymentId, sequence)
  return ctx.post.send({
    owner: delivery.appId,
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tender-Webhooks/1',
      ...signedHeaders({ id, body, now, secrets: secrets.signing }),
      ...(secrets.authorization === undefined ? {} : { authorization: secrets.authorization }),
      ...(span && traceHeaders(span)),
    },
    timeoutMs: WEBHOOKS.timeoutMs,
    answerBytes: WEBHOOKS.answerBytes + OVERLAP_BYTES,
    answerMs: WEBHOOKS.answerMs,
    ...(options.signal ? { signal: options.signal } : {}),
  })
}
