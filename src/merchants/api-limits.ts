import type { Clock } from '../base/clock.ts'
import type { Config } from '../config.ts'
import { createRateLimiter, type RateLimiter, type RatePolicy } from '../http/limits/rate-limit.ts'
import type { SharedLimits } from '../http/limits/shared.ts'
import { createGate, type Gate } from '../http/limits/unknown-secrets.ts'
import { slot } from '../node/slot.ts'

/** Requests of one network without a valid key. */
const STRANGER_POLICY: RatePolicy = { name: 'address', perSecond: 50, burst: 200 }

/** Requests of one app; raised if the limit per key is higher. */
const DEFAULT_APP_RATE = 1_000

const policyOf = (name: string, perSecond: number): RatePolicy => ({ name, perSecond, burst: 2 * perSecond })

export interface ApiLimitOptions {
  readonly keyPolicy?: RatePolicy
  readonly appPolicy?: RatePolicy
  readonly strangerPolicy?: RatePolicy
}

interface Ctx {
  readonly clock: Clock
  readonly config: Config
  readonly sharedLimits?: SharedLimits
}

/** The rate limits of the API. */
export interface ApiLimits {
  readonly keys: RateLimiter
  readonly apps: RateLimiter
  readonly gate: Gate
}

export function createApiLimits(
  { clock, sharedLimits, config }: Ctx,
  { keyPolicy, appPolicy, strangerPolicy = STRANGER_POLICY }: ApiLimitOptions = {},
): ApiLimits {
  const { rateLimit, appRateLimit = Math.max(DEFAULT_APP_RATE, rateLimit) } = config
  return {
    keys: createRateLimiter(clock, keyPolicy ?? policyOf('key', rateLimit), sharedLimits),
    apps: createRateLimiter(clock, appPolicy ?? policyOf('app', appRateLimit), sharedLimits),
    gate: createGate({ clock, policy: strangerPolicy, sharing: sharedLimits }),
  }
}

export const apiLimits = slot('apiLimits', createApiLimits, {
  holds: 'rate limits of the API, secrets found before',
  until: 'time; a read that does not find the secret',
  restart: 'what was taken: buckets are full again',
})
