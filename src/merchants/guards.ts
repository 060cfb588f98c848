import { ApiError, notFound } from '../base/errors.ts'
import { sameBytes, sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { bearerText, bearerToken, type Credentials, type Guarded, type Guards, unauthorized } from '../http/guard.ts'
import { createRateLimiter, type RateLimiter, type RatePolicy } from '../http/rate-limit.ts'
import { findKey, loadApp } from './directory.ts'
import { findLicenseByCode } from './licenses/commands.ts'

/** Whoever has no valid key shares a small allowance with everybody at the same address. */
const STRANGER_POLICY: RatePolicy = { name: 'address', perSecond: 50, burst: 200 }

const keyPolicyOf = (perSecond: number): RatePolicy => ({ name: 'key', perSecond, burst: 2 * perSecond })

export interface GuardOptions {
  readonly keyPolicy?: RatePolicy
  readonly strangerPolicy?: RatePolicy
}

/** Who may call what: API keys, the operator's token, a licence's code. */
export function createGuards(ctx: Context, options: GuardOptions = {}): Guards {
  const limits = createLimits(options)
  // What the others give out is counted from the start, not from the first request here.
  if (ctx.siblings) limits(ctx)
  const refuse = (address: string): never => {
    limits(ctx).strangers.take(address)
    throw unauthorized()
  }

  async function app({ authorization, params, address }: Credentials): Promise<Guarded> {
    const token = bearerToken(authorization)
    const key = token === undefined ? undefined : await findKey(ctx, token)
    if (!key) return refuse(address)
    const headers = limits(ctx).keys.take(key.keyId)
    // Another app is answered alike whether it exists or not.
    const caller = key.appId === params.appId ? await loadApp(ctx, key.appId) : undefined
    if (!caller?.isActive)
      throw new ApiError('forbidden', 'The API key does not belong to the app in the path.', { headers })
    return { scope: key.appId, caller, keyId: key.keyId, headers }
  }

  async function operator({ authorization, address }: Credentials): Promise<Guarded> {
    const expected = ctx.config.operatorToken
    if (!expected) throw notFound('The path')
    // An operator may choose any token, also one with characters that our own keys never have.
    const given = bearerText(authorization) ?? ''
    // Hashes have one length, so the comparison says nothing about the token's.
    if (!sameBytes(sha256(given), sha256(expected.reveal()))) return refuse(address)
    return { scope: 'operator', caller: undefined }
  }

  async function license({ authorization, params, address }: Credentials): Promise<Guarded> {
    const code = bearerToken(authorization)
    const licenseId = params.licenseId ?? ''
    const known = code !== undefined && (await findLicenseByCode(ctx, licenseId, code))
    return known ? { scope: licenseId, caller: licenseId } : refuse(address)
  }

  return { app, operator, license }
}

/** Kept as everything that a process remembers: with its way to the database. */
function createLimits({ keyPolicy, strangerPolicy = STRANGER_POLICY }: GuardOptions) {
  const kept = new WeakMap<Context['db'], { readonly keys: RateLimiter; readonly strangers: RateLimiter }>()
  return ({ db, clock, siblings, config: { rateLimit } }: Context) => {
    const known = kept.get(db)
    if (known) return known
    const made = {
      keys: createRateLimiter(clock, keyPolicy ?? keyPolicyOf(rateLimit), siblings),
      strangers: createRateLimiter(clock, strangerPolicy, siblings),
    }
    kept.set(db, made)
    return made
  }
}
