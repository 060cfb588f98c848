import { Agent } from 'undici'
import { LIMITS } from '../base/limits.ts'
import type { Log } from '../base/log.ts'
import { BoundError, exchange } from './exchange.ts'
import { type AddressGuardOptions, guardedConnector } from './guard.ts'
import { createResolver, type Lookup, netLookup, type Resolver } from './resolver.ts'

/** The transport of all provider adapters: timeouts, size limit, logs and classification of failures. */
export interface Http {
  call(request: HttpCall): Promise<HttpReply>
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** Sent unchanged, with the caller's content-type: a signed body must not be serialised again. */
  readonly text?: string
  /** The same for bytes. They are not logged. */
  readonly bytes?: Uint8Array
  readonly timeoutMs?: number
  /** The longest reply. Absent: `LIMITS.providerReplyBytes`. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
  /** A merchant chose the address: addresses of private networks are refused unless a setting allows them. */
  readonly isGuarded?: boolean
  /** Logged instead of a path that contains a secret, such as the token of a stored method. */
  readonly loggedPath?: string
}

export type HttpReply =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: unknown
    }
  /** Refused, no such host, TLS failure: the request was not sent, a retry is safe. */
  | { readonly kind: 'not-sent'; readonly cause: string }
  /** Timeout, reset, incomplete or unreadable reply: the request may have been processed. */
  | {
      readonly kind: 'no-answer'
      readonly why: 'timeout' | 'connection-lost' | 'unreadable-reply'
      readonly cause: string
    }

const CONNECT_MS = 5_000
const USER_AGENT = 'Tender/1'

export function createHttp(
  log: Log,
  resolver: Resolver = createResolver(),
  { allowPrivate }: AddressGuardOptions = { allowPrivate: false },
): Http & { close(): Promise<void> } {
  // Connections are shared by all apps, so lookups are queued by host.
  const lookup: Lookup = (name, options, callback) => resolver.lookup(name)(name, options, callback)
  const connect = { timeout: CONNECT_MS, lookup: netLookup(lookup) }
  const agent = new Agent({ connect, connections: 64, pipelining: 1 })
  const guarded = guardedConnector({ allowPrivate, timeoutMs: CONNECT_MS, lookup })
  const guardedAgent = new Agent({ connect: guarded, connections: 16, pipelining: 1 })
  return {
    async call(call) {
      const where = new URL(call.url)
      const reply = await send(call.isGuarded ? guardedAgent : agent, where, call)
      // Never the query or the body: either may contain secrets.
      log.debug('provider.call', {
        method: call.method,
        host: where.host,
        path: call.loggedPath ?? where.pathname,
        outcome: reply.kind === 'reply' ? reply.status : reply.cause,
      })
      return reply
    },
    async close() {
      await Promise.all([agent.close(), guardedAgent.close()])
    },
  }
}

async function send(agent: Agent, url: URL, call: HttpCall): Promise<HttpReply> {
  const { method, signal, timeoutMs: headMs = LIMITS.providerCallMs } = call
  try {
    const { headers: own, body } = encoded(call)
    const headers = { 'user-agent': USER_AGENT, accept: 'application/json', ...own, ...call.headers }
    const bounds = { headMs, bodyBytes: call.maxBytes ?? LIMITS.providerReplyBytes, signal }
    const answer = await exchange(agent, { method, url, headers, body }, bounds)
    if (answer.cut) throw answer.cut
    const flat = flatHeaders(answer.headers)
    // Some providers begin JSON with a byte-order mark.
    const text = answer.body.toString('utf8').replace(/^\ufeff/, '')
    return { kind: 'reply', status: answer.status, headers: flat, body: parsed(text, flat) }
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable('reply is not JSON')
    return failure(error)
  }
}

const unreadable = (cause: string): HttpReply => ({ kind: 'no-answer', why: 'unreadable-reply', cause })

function encoded(call: HttpCall): { headers: Record<string, string>; body: string | Uint8Array | null } {
  if (call.json !== undefined)
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.json) }
  if (call.form)
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(call.form).toString(),
    }
  return { headers: {}, body: call.text ?? call.bytes ?? null }
}

function parsed(text: string, headers: Readonly<Record<string, string>>): unknown {
  if (text === '') return undefined
  return /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : text
}

function flatHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) flat[name] = String(value)
  return flat
}

/** Failures before the first byte of the request is sent. */
const BEFORE_SENDING = new RegExp(
  '^(FORBIDDEN_ADDRESS|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|' +
    'CERT_|ERR_TLS_|DEPTH_ZERO|UNABLE_TO_|SELF_SIGNED)',
)

function failure(error: unknown): HttpReply {
  if (error instanceof BoundError)
    return error.bound === 'size'
      ? unreadable('reply too large')
      : { kind: 'no-answer', why: 'timeout', cause: 'timeout' }
  const code = codeOf(error)
  if (BEFORE_SENDING.test(code)) return { kind: 'not-sent', cause: code }
  const why = /TIMEOUT|ABORT/.test(code) ? 'timeout' : 'connection-lost'
  return { kind: 'no-answer', why, cause: code }
}

function codeOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: string }
  return String(code ?? cause?.code ?? name ?? 'unknown')
}
