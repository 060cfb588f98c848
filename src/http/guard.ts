import type { Actor } from '../base/actor.ts'
import { ApiError } from '../base/errors.ts'
import type { Auth, Route } from './route.ts'

/** The credentials of a request, available before its body is read. */
export interface Credentials {
  readonly authorization: string | undefined
  readonly params: Readonly<Record<string, string>>
  /** The client's network, the subject of rate limits. */
  readonly network: string
  readonly address: string
  readonly requestId: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly route: Pick<Route, 'method' | 'path'>
  /** Path and query, as the handler gets them. */
  readonly url: string
}

export interface Guarded {
  /** An app's id, or the operator's name. Owner of Idempotency-Keys; logged. */
  readonly scope: string
  /** Passed to the handler. */
  readonly caller: unknown
  /** The id of the API key used. */
  readonly keyId?: string
  /** What that key is limited to; null: nothing. */
  readonly keyScopes?: readonly string[] | null
  readonly actor?: Actor
  readonly headers?: Readonly<Record<string, string>>
}

/** Authenticates the caller; throws 401, 403, 404 or 429. */
export type Guard = (credentials: Credentials) => Promise<Guarded>

export type Guards = Readonly<Record<Exclude<Auth, 'none'>, Guard>>

const SCHEME = 'bearer '

/**
 * The credentials after the Bearer scheme, or undefined for another scheme. Without a regular expression:
 * trimming trailing spaces with one takes quadratic time.
 */
export function bearerText(authorization: string | undefined): string | undefined {
  if (authorization?.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined
  return authorization.slice(SCHEME.length).trim()
}

const TOKEN = /^[A-Za-z0-9._~+/=-]{1,512}$/

/** The one token of an Authorization header, or undefined. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const text = bearerText(authorization)
  return text !== undefined && TOKEN.test(text) ? text : undefined
}

export const unauthorized = (headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError('unauthorized', 'The API key is missing, unknown, expired or revoked.', {
    headers: { 'www-authenticate': 'Bearer', ...headers },
  })
