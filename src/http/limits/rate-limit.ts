import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'

export interface RatePolicy {
  readonly name: string
  readonly perSecond: number
  readonly burst: number
}

/** A token bucket for each subject, refilled at the policy's rate up to its burst. */
export interface RateLimiter {
  /** Takes a token and returns the response headers; throws 429 when the bucket is empty. */
  take(subject: string): RateHeaders
  /** As `take`, but the token can be given back. It is published to other processes once it is kept. */
  reserve(subject: string): Reservation
}

export type RateHeaders = Readonly<Record<string, string>>

export interface Reservation {
  readonly headers: RateHeaders
  /** Tokens left. */
  readonly remaining: number
  keep(): void
  giveBack(): void
}

/** Exchanges the tokens taken with limiters of the same name in other processes. */
export interface Sharing {
  join(name: string, received: (subject: string, count: number) => void): (subject: string) => void
}

interface Bucket {
  tokens: number
  filledMs: number
}

/** Above this, the least recently used bucket is dropped. */
const MAX_BUCKETS = 10_000

export function createRateLimiter(clock: Clock, policy: RatePolicy, sharing?: Sharing): RateLimiter {
  const buckets = new Map<string, Bucket>()
  const window = Math.max(1, Math.ceil(policy.burst / policy.perSecond))
  const declared = `"${policy.name}";q=${policy.burst};w=${window}`

  function refilled(subject: string): Bucket {
    const nowMs = clock.now().getTime()
    const bucket = buckets.get(subject) ?? { tokens: policy.burst, filledMs: nowMs }
    const gained = (Math.max(0, nowMs - bucket.filledMs) * policy.perSecond) / 1_000
    bucket.tokens = Math.min(policy.burst, bucket.tokens + gained)
    bucket.filledMs = nowMs
    // Reinserted at the end of the Map, so the first entry is the least recently used.
    buckets.delete(subject)
    buckets.set(subject, bucket)
    const [oldest] = buckets.size > MAX_BUCKETS ? buckets.keys() : []
    if (oldest !== undefined) buckets.delete(oldest)
    return bucket
  }

  const publish = sharing?.join(policy.name, (subject, count) => {
    const bucket = refilled(subject)
    // Debt of up to one full bucket. Without it, a caller that keeps all buckets empty would get the refill
    // rate of every process.
    bucket.tokens = Math.max(-policy.burst, bucket.tokens - count)
  })

  function reserve(subject: string): Reservation {
    const bucket = refilled(subject)
    const isAllowed = bucket.tokens >= 1
    if (isAllowed) bucket.tokens -= 1
    const untilFull = Math.ceil((policy.burst - bucket.tokens) / policy.perSecond)
    const remaining = Math.max(0, Math.floor(bucket.tokens))
    const headers = {
      'ratelimit-policy': declared,
      ratelimit: `"${policy.name}";r=${remaining};t=${untilFull}`,
    }
    if (!isAllowed) throw tooMany(headers, (1 - bucket.tokens) / policy.perSecond)
    return {
      headers,
      remaining,
      keep: () => publish?.(subject),
      giveBack() {
        bucket.tokens = Math.min(policy.burst, bucket.tokens + 1)
      },
    }
  }

  return {
    reserve,
    take(subject) {
      const reservation = reserve(subject)
      reservation.keep()
      return reservation.headers
    },
  }
}

function tooMany(headers: RateHeaders, seconds: number): ApiError {
  const wait = Math.max(1, Math.ceil(seconds))
  return new ApiError('too_many_requests', `Too many requests: try again in ${wait} s.`, {
    headers: { ...headers, 'retry-after': String(wait) },
  })
}

/** Takes one token of each limiter, or none. Returns the headers of the limit with the fewest tokens left. */
export function takeAll(
  ...wanted: readonly (readonly [limiter: RateLimiter, subject: string])[]
): RateHeaders {
  const taken: Reservation[] = []
  try {
    for (const [limiter, subject] of wanted) taken.push(limiter.reserve(subject))
  } catch (error) {
    for (const one of taken) one.giveBack()
    throw error
  }
  for (const one of taken) one.keep()
  const least = Math.min(...taken.map(({ remaining }) => remaining))
  return taken.find(({ remaining }) => remaining === least)?.headers ?? {}
}
