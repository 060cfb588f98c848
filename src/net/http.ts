import { Agent, request } from 'undici'
import { LIMITS } from '../base/limits.ts'
import type { Log } from '../base/log.ts'

/** One transport for all provider adapters: timeouts, size limit, logs and the sorting of failures, once. */
export interface Http {
  call(request: HttpCall): Promise<HttpReply>
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** Sent byte for byte, with a content-type of the caller's: what is signed must not be written anew. */
  readonly text?: string
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export type HttpReply =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: unknown
    }
  /** Refused, no such host, TLS failure: the request never left, sending again is safe. */
  | { readonly kind: 'not-sent'; readonly cause: string }
  /** Timeout, reset, cut off, unreadable: it may have happened. */
  | {
      readonly kind: 'no-answer'
      readonly why: 'timeout' | 'connection-lost' | 'unreadable-reply'
      readonly cause: string
    }

const CONNECT_MS = 5_000
const USER_AGENT = 'Tender/1'

export function createHttp(log: Log): Http & { close(): Promise<void> } {
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, connections: 64, pipelining: 1 })
  return {
    async call(call) {
      const reply = await send(agent, call)
      // Never the address's query or a body: either may carry what must not be logged.
      const where = new URL(call.url)
      log.debug('provider.call', {
        method: call.method,
        host: where.host,
        path: where.pathname,
        outcome: reply.kind === 'reply' ? reply.status : reply.cause,
      })
      return reply
    },
    close: () => agent.close(),
  }
}

async function send(agent: Agent, call: HttpCall): Promise<HttpReply> {
  const timeout = AbortSignal.timeout(call.timeoutMs ?? LIMITS.providerCallMs)
  try {
    const { headers, body } = encoded(call)
    const response = await request(call.url, {
      dispatcher: agent,
      method: call.method,
      headers: { 'user-agent': USER_AGENT, accept: 'application/json', ...headers, ...call.headers },
      body,
      signal: call.signal ? AbortSignal.any([timeout, call.signal]) : timeout,
    })
    const text = await readBounded(response.body)
    const flat = flatHeaders(response.headers)
    if (text === undefined) return unreadable('reply too large')
    return { kind: 'reply', status: response.statusCode, headers: flat, body: parsed(text, flat) }
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable('reply is not JSON')
    return failure(error, timeout.aborted)
  }
}

const unreadable = (cause: string): HttpReply => ({ kind: 'no-answer', why: 'unreadable-reply', cause })

function encoded(call: HttpCall): { headers: Record<string, string>; body: string | null } {
  if (call.json !== undefined)
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.json) }
  if (call.form)
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(call.form).toString(),
    }
  return { headers: {}, body: call.text ?? null }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > LIMITS.providerReplyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string, headers: Readonly<Record<string, string>>): unknown {
  if (text === '') return undefined
  return /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : text
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) flat[name] = String(value)
  return flat
}

/** Failures that happen before the first byte of the request is on its way. */
const BEFORE_SENDING = new RegExp(
  '^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|' +
    'CERT_|ERR_TLS_|DEPTH_ZERO|UNABLE_TO_|SELF_SIGNED)',
)

function failure(error: unknown, timedOut: boolean): HttpReply {
  const code = codeOf(error)
  if (timedOut) return { kind: 'no-answer', why: 'timeout', cause: 'timeout' }
  if (BEFORE_SENDING.test(code)) return { kind: 'not-sent', cause: code }
  const why = /TIMEOUT|ABORT/.test(code) ? 'timeout' : 'connection-lost'
  return { kind: 'no-answer', why, cause: code }
}

function codeOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: string }
  return String(code ?? cause?.code ?? name ?? 'unknown')
}
