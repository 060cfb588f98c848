import { Agent } from 'undici'
import { SECOND } from '../base/clock.ts'
import { BoundError, exchange } from './exchange.ts'
import { type AddressGuardOptions, ForbiddenAddressError, guardedConnector } from './guard.ts'
import { createResolver, type Lookup, type Resolver } from './resolver.ts'

/** Sends to addresses chosen by merchants: guarded, with time limits, without redirects, reading little. */
export interface Post {
  send(post: Posting): Promise<PostReply>
  close(): Promise<void>
}

export interface Posting {
  /** The app: connections and name resolution are limited for each. */
  readonly owner?: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Time to connect, send and receive the response headers. */
  readonly timeoutMs: number
  /** Limits of the response body. */
  readonly answerBytes: number
  readonly answerMs: number
  readonly signal?: AbortSignal
}

export type PostReply =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly retryAfter: string | undefined
      /** The beginning of the body, as text that PostgreSQL can store. */
      readonly text: string
    }
  /** No response; the request may have arrived. The error is `code` or `code:value`. */
  | { readonly kind: 'no-reply'; readonly error: string }
  /** Aborted by `signal` before a response. */
  | { readonly kind: 'interrupted' }

const CONNECT_MS = 5 * SECOND
/** Webhooks in close succession reuse a connection; after this long idle it is closed. */
const KEEP_ALIVE_MS = 10 * SECOND

/** Owners with open connections; above this, those of the least recently used are closed. */
const MAX_AGENTS = 1_000

export interface PostOptions extends AddressGuardOptions {
  readonly resolver?: Resolver
  /** Replaces the resolver. */
  readonly lookup?: Lookup
}

export function createPost({ allowPrivate, lookup, resolver = createResolver() }: PostOptions): Post {
  const agents = new Map<string, Agent>()
  const newAgent = (owner: string): Agent =>
    new Agent({
      connect: guardedConnector({
        allowPrivate,
        timeoutMs: CONNECT_MS,
        lookup: lookup ?? resolver.lookup(owner),
      }),
      keepAliveTimeout: KEEP_ALIVE_MS,
      pipelining: 1,
      // The time limits below are the only ones.
      headersTimeout: 0,
      bodyTimeout: 0,
    })

  function agentOf(owner: string): Agent {
    const agent = agents.get(owner) ?? newAgent(owner)
    agents.delete(owner)
    agents.set(owner, agent)
    const [oldest] = agents.size > MAX_AGENTS ? agents : []
    if (oldest) {
      agents.delete(oldest[0])
      // Waits for requests in flight.
      void oldest[1].close()
    }
    return agent
  }

  return {
    send: (post) => send(agentOf(post.owner ?? ''), post),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

async function send(agent: Agent, post: Posting): Promise<PostReply> {
  const { headers, body, timeoutMs: headMs, answerMs: bodyMs, answerBytes: bodyBytes, signal } = post
  try {
    const question = { method: 'POST', url: new URL(post.url), headers, body } as const
    const answer = await exchange(agent, question, { headMs, bodyMs, bodyBytes, signal })
    const after = answer.headers['retry-after']
    return {
      kind: 'reply',
      status: answer.status,
      retryAfter: Array.isArray(after) ? after[0] : after,
      text: beginning(answer.body, bodyBytes),
    }
  } catch (error) {
    if (signal?.aborted) return { kind: 'interrupted' }
    const late = error instanceof BoundError ? `late:${headMs / SECOND}` : undefined
    return { kind: 'no-reply', error: late ?? problemOf(error) }
  }
}

/** The rest of the body is not needed, as the status decides. PostgreSQL's text cannot hold NUL. */
const beginning = (body: Buffer, bytes: number): string =>
  body.subarray(0, bytes).toString('utf8').replaceAll('\0', '\ufffd')

const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, 'unresolved'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'connected-late'],
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, 'closed'],
  [/^(HPE_|HTTPParserError$)/, 'not-http'],
]
const TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|UNABLE_TO_|SELF_SIGNED|EPROTO)/

function problemOf(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return `forbidden:${error.why}`
  const { name, code: own, cause } = error as Error & { code?: unknown; cause?: { code?: unknown } }
  const code = String(own ?? cause?.code ?? name)
  const known = PROBLEMS.find(([pattern]) => pattern.test(code))?.[1]
  return known ?? `${TLS.test(code) ? 'tls' : 'failed'}:${code}`
}
