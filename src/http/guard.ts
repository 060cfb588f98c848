import { ApiError } from '../base/errors.ts'
import type { Auth } from './route.ts'

/** What a request says about its sender, before its body is read. */
export interface Credentials {
  readonly authorization: string | undefined
  readonly params: Readonly<Record<string, string>>
  /** Where the request comes from, as limits count it. */
  readonly network: string
}

export interface Guarded {
  /** Whose request it is: an app's id, or the operator's name. Owner of Idempotency-Keys; shown in logs. */
  readonly scope: string
  /** Handed to the handler. */
  readonly caller: unknown
  /** The API key that was shown, by its id. */
  readonly keyId?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Says who calls, or throws 401, 403, 404 or 429. */
export type Guard = (credentials: Credentials) => Promise<Guarded>

export type Guards = Readonly<Record<Exclude<Auth, 'none'>, Guard>>

const SCHEME = 'bearer '

/**
 * What follows the scheme word of an Authorization header, or undefined for another scheme. Read without a
 * pattern: one that skips the spaces at the end tries every run of spaces in between as well.
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
