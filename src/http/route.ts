import type { FastifyReply } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../base/errors.ts'

/** Who may call: an app by its API key, the operator, the owner of a licence, or anybody. */
export type Auth = 'app' | 'operator' | 'license' | 'none'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** One request, checked, as its handler sees it. */
export interface Call<Body = unknown, Query = unknown, Params = unknown> {
  readonly body: Body
  readonly query: Query
  readonly params: Params
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly requestId: string
  readonly idempotencyKey: string | undefined
  /** The API key that was shown, by its id: who did it. */
  readonly keyId: string | undefined
  /** The client's address, behind proxies too. */
  readonly address: string
  /** The same as limits count it. */
  readonly network: string
  /** For headers, and for a status other than the route's own. */
  readonly reply: FastifyReply
}

/** What is known about a route without running it: the server, the checks and the OpenAPI text read it. */
export interface RouteInfo {
  readonly method: Method
  /** From the root, parameters in braces: `/api/apps/{appId}/customers/{customerId}`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly auth: Auth
  /** Of success. */
  readonly status: number
  readonly response?: TSchema
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly errors?: readonly ErrorCode[]
  readonly examples?: { readonly body?: unknown; readonly response?: unknown }
  /** Of the answer; JSON when not given. */
  readonly contentType?: string
  /** The answer shows a secret once: it is stored sealed where answers are stored. */
  readonly secret?: true
  /** The handler wants the bytes of the body as they came, of whatever content type. */
  readonly rawBody?: true
  /** The handler limits how often it is called; other routes without a key are limited by address. */
  readonly hasOwnLimit?: true
  /** The answer may be large: only a few of these are made at once for one app. */
  readonly list?: true
  /** Not part of the API: served, not documented. */
  readonly hidden?: true
}

export interface Route extends RouteInfo {
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /**
   * Gives the answer: an object to be written as JSON, or text, bytes or a stream that already is what the
   * content type says, or nothing. Throws ApiError to say no.
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

/** A route whose handler knows the types that its schemas promise. */
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
