import type { FastifyReply } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Actor } from '../base/actor.ts'
import type { ApiError, ErrorCode } from '../base/errors.ts'

/**
 * Required credentials: an app's API key or the console session of a member, a console session, the operator
 * token, a licence code, or none. Decision 0018.
 */
export type Auth = 'app' | 'person' | 'operator' | 'license' | 'none'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** A validated request, as passed to its handler. */
export interface Call<Body = unknown, Query = unknown, Params = unknown> {
  readonly body: Body
  readonly query: Query
  readonly params: Params
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly requestId: string
  readonly idempotencyKey: string | undefined
  /** The id of the API key used. */
  readonly keyId: string | undefined
  /** Who makes the request, for the audit log. */
  readonly actor: Actor | undefined
  /** The client's address, also behind trusted proxies. */
  readonly address: string
  /** The client's network, the subject of rate limits. */
  readonly network: string
  /** For headers, and for a status other than the route's own. */
  readonly reply: FastifyReply
}

/** Route metadata, used by the server, the validation and the OpenAPI document. */
export interface RouteInfo {
  readonly method: Method
  /** From the root, parameters in braces: `/api/apps/{appId}/customers/{customerId}`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly auth: Auth
  /** The status of success. */
  readonly status: number
  readonly response?: TSchema
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly errors?: readonly ErrorCode[]
  readonly examples?: { readonly body?: unknown; readonly response?: unknown }
  /** Content type of the answer; JSON by default. */
  readonly contentType?: string
  /** Further content types, which the handler sets. */
  readonly otherContentTypes?: readonly string[]
  /** The answer contains a secret, so it is stored encrypted. */
  readonly secret?: true
  /** The handler gets the unparsed bytes of the body, of any content type. */
  readonly rawBody?: true
  /** The handler has its own rate limit; other routes without a key are limited by address. */
  readonly hasOwnLimit?: true
  /** The most bytes of a body, where less than of any request. */
  readonly bodyBytes?: number
  /** Runs before the body is read, and throws to refuse. The call has what it returns as `entered`. */
  readonly enter?: (request: Entering) => unknown
  /** Who sends a large body, by what the request carries: asked before the body is read. */
  readonly largeBody?: (request: Entering) => Promise<LargeBodySender>
  /** Draws the answer to a request that was refused before the handler ran, because of its size or rate. */
  readonly refused?: (error: ApiError, headers: Call['headers']) => RefusalPage
  /**
   * The answer may be large: subject to the app's concurrency limit. An export has no end that is known
   * before: its reader may take as long as it goes on reading.
   */
  readonly list?: true | 'export'
  /** Not part of the API: served, not documented. */
  readonly hidden?: true
  /** What a page asks of a person with a session. Routes of the API have their tables in people/access. */
  readonly access?: RouteAccess
}

interface RouteAccess {
  readonly permission?: string
  readonly proof?: true
  readonly page?: string
  readonly onlyWith?: string
}

/** A request whose body has not been read. */
export interface Entering {
  readonly params: Readonly<Record<string, string>>
  readonly headers: Call['headers']
  readonly network: string
}

/** With a location nothing is read: the request is answered with the way there. */
export type LargeBodySender =
  | { readonly subject: string; readonly location?: undefined }
  | { readonly location: string; readonly subject?: undefined }

interface RefusalPage {
  readonly html: string
  readonly status?: number
  readonly headers: Readonly<Record<string, string | string[]>>
}

export interface Route extends RouteInfo {
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /**
   * Returns the answer: an object to be serialised as JSON; text, bytes or a stream of the declared content
   * type; or undefined. Throws ApiError to refuse.
   */
  readonly handler: (caller: unknown, call: Call) => unknown
}

export interface RouteSpec<Caller, B extends TSchema, Q extends TObject, P extends TObject>
  extends RouteInfo {
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly handler: (caller: Caller, call: Call<Static<B>, Static<Q>, Static<P>>) => unknown
}

/** A route whose handler is typed by its schemas. */
export function route<Caller, B extends TSchema, Q extends TObject, P extends TObject>(
  spec: RouteSpec<Caller, B, Q, P>,
): Route {
  // The server checks body, query and params against the schemas before it calls the handler.
  return spec as unknown as Route
}

/** `/api/v1/…` is another name for `/api/…`. */
const VERSIONED = /^\/api\/v1\//
export const isVersioned = (url: string): boolean => VERSIONED.test(url)
export const unversioned = (url: string): string => url.replace(VERSIONED, '/api/')

/** Braces to the router's own notation, in which a literal colon is written twice. */
export const routerPath = (path: string): string =>
  path.replaceAll(':', '::').replace(/\{(\w+)\}/g, (_all, parameter: string) => `:${parameter}`)

/** The end of `/payments/referenceId:{referenceId}`, with what may follow the value: `/ex`. */
const LITERAL = /(\/[A-Za-z]+\/[A-Za-z]+:)\{\w+\}(\/\w+)?$/

/**
 * Everything after a literal colon is the value: a slash that a client did not encode belongs to it. It is
 * encoded here, before the router splits the path. The path of a route below the value stays one.
 */
export function createWholeValues(): { add(route: Route): void; encode(url: string): string } {
  const known = new Map<string, string[]>()

  function add({ path }: Route): void {
    const [, literal, below] = LITERAL.exec(path) ?? []
    if (literal) known.set(literal, [...(known.get(literal) ?? []), ...(below ? [below] : [])])
  }

  function encode(url: string): string {
    if (!url.includes(':')) return url
    const end = url.search(/[?#]/)
    const path = end < 0 ? url : url.slice(0, end)
    for (const [literal, belows] of known) {
      const at = path.indexOf(literal)
      if (at < 0) continue
      const start = at + literal.length
      const below = belows.find((one) => path.endsWith(one)) ?? ''
      const value = path.slice(start, path.length - below.length).replaceAll('/', '%2F')
      return path.slice(0, start) + value + below + url.slice(path.length)
    }
    return url
  }

  return { add, encode }
}
