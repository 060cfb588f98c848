import type { NotDone, Unknown } from './outcome.ts'

/** Access tokens of one profile. A token belongs to the profile's settings: new settings get a new one. */
export interface AccessTokens {
  /**
   * The cached token, else a new one. Parallel callers share one request. A token is renewed one minute
   * before it expires.
   */
  get(request: () => Promise<TokenReply>): Promise<TokenResult>
  /** The provider refused this token: the next `get` requests a new one. */
  drop(token: string): void
}

export type TokenReply =
  | { readonly kind: 'token'; readonly token: string; readonly expiresAt: Date }
  | NotDone
  | Unknown

type TokenResult = { readonly kind: 'token'; readonly token: string } | NotDone | Unknown

const RENEW_EARLY_MS = 60_000
/** Profiles with a token on one node. The oldest are forgotten first. */
const MAX_TOKENS = 10_000

interface Kept {
  readonly token: string
  readonly expiresAt: Date
}

export interface TokenCache {
  /** `key` identifies a profile and its settings. */
  of(key: string, now: () => Date): AccessTokens
}

/** The access tokens of all profiles on one node. */
export function createTokenCache(): TokenCache {
  const kept = new Map<string, Kept>()
  const requested = new Map<string, Promise<TokenReply>>()

  const request = async (key: string, fetchToken: () => Promise<TokenReply>): Promise<TokenReply> => {
    try {
      const reply = await fetchToken()
      if (reply.kind === 'token') keep(key, reply)
      return reply
    } finally {
      requested.delete(key)
    }
  }
  const keep = (key: string, { token, expiresAt }: Kept): void => {
    kept.delete(key)
    kept.set(key, { token, expiresAt })
    const oldest = kept.keys().next()
    if (kept.size > MAX_TOKENS && !oldest.done) kept.delete(oldest.value)
  }
  return {
    of: (key, now) => ({
      async get(fetchToken) {
        const found = kept.get(key)
        if (found && found.expiresAt.getTime() - now().getTime() > RENEW_EARLY_MS)
          return { kind: 'token', token: found.token }
        const pending = requested.get(key) ?? request(key, fetchToken)
        requested.set(key, pending)
        return pending
      },
      drop(token) {
        if (kept.get(key)?.token === token) kept.delete(key)
      },
    }),
  }
}
