import type { FastifyReply, FastifyRequest } from 'fastify'
import { isVersioned } from './route.ts'

/** A request that was answered, for the log of the app. */
export interface AnsweredRequest {
  readonly method: string
  /** As it was sent, with the query. */
  readonly url: string
  /** The path of the route, with parameters in braces. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly status: number
  readonly startedMs: number
  readonly ms: number
  readonly requestId: string
  readonly address: string
  /** What the guard returned; undefined when the caller was refused. */
  readonly caller: unknown
  readonly keyId: string | undefined
  /** The person of a console session. */
  readonly personId?: string
  readonly idempotencyKey: string | undefined
  /** The answer is that of an earlier request with the same key. */
  readonly isReplayed: boolean
  readonly requestBody: Buffer
  /** Undefined when the answer was no text, or none. */
  readonly answer: string | undefined
  /** The answer contains a secret. */
  readonly isSecret: boolean
  /** The limit that refused the request with 429. */
  readonly limit?: string
}

export function answeredRequest(request: FastifyRequest, reply: FastifyReply, ms: number): AnsweredRequest {
  const { startedMs, address, caller, keyId, actor, rawBody, answer } = request.tender
  const { template = 'none', isSecret = false } = request.routeOptions.config
  const key = request.headers['idempotency-key']
  return {
    method: request.method,
    url: request.originalUrl,
    route: template,
    params: (request.params ?? {}) as Record<string, string>,
    status: reply.statusCode,
    startedMs,
    ms,
    requestId: request.id,
    address,
    caller,
    keyId,
    ...(actor?.kind === 'person' ? { personId: actor.id } : {}),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    isReplayed: reply.getHeader('idempotent-replayed') === 'true',
    requestBody: rawBody,
    answer,
    isSecret,
    ...(reply.statusCode === 429 ? { limit: limitOf(reply) } : {}),
  }
}

/** The name of the empty bucket. Limits without a bucket, such as that of large lists, are `other`. */
const limitOf = (reply: FastifyReply): string =>
  /^"([^"]+)";r=0;/.exec(String(reply.getHeader('ratelimit')))?.[1] ?? 'other'

/** The route template, with the version prefix if the request had it. */
export function routeOf({ routeOptions, originalUrl }: FastifyRequest): string {
  const { template = 'none' } = routeOptions.config
  return isVersioned(originalUrl) ? template.replace(/^\/api\//, '/api/v1/') : template
}
