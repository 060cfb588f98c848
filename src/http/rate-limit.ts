import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'

export interface RatePolicy {
  readonly name: string
  readonly perSecond: number
  readonly burst: number
}

/** A bucket for each subject: it fills at the policy's pace up to its burst, a request takes a token. */
export interface RateLimiter {
  /** Headers for the answer, or a 429 when the bucket is empty. */
  take(subject: string): Readonly<Record<string, string>>
}

/** Where limiters of this name in other processes hear what this one gave out, and it of them. */
interface Sharing {
  join(name: string, heard: (subject: string, count: number) => void): (subject: string) => void
}

interface Bucket {
  tokens: number
  filledMs: number
}

/** More subjects than this at once: the one longest unseen starts afresh. */
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
    // Map keeps the order of insertion: taken out and put back, the first entry is the longest unseen.
    buckets.delete(subject)
    buckets.set(subject, bucket)
    const [oldest] = buckets.size > MAX_BUCKETS ? buckets.keys() : []
    if (oldest !== undefined) buckets.delete(oldest)
    return bucket
  }

  const tell = sharing?.join(policy.name, (subject, count) => {
    const bucket = refilled(subject)
    // Into debt, up to a whole bucket: else whoever empties all of them always would get from each its pace.
    bucket.tokens = Math.max(-policy.burst, bucket.tokens - count)
  })

  return {
    take(subject) {
      const bucket = refilled(subject)
      const allowed = bucket.tokens >= 1
      if (allowed) {
        bucket.tokens -= 1
        tell?.(subject)
      }
      const untilFull = Math.ceil((policy.burst - bucket.tokens) / policy.perSecond)
      const headers = {
        'ratelimit-policy': declared,
        ratelimit: `"${policy.name}";r=${Math.max(0, Math.floor(bucket.tokens))};t=${untilFull}`,
      }
      if (allowed) return headers
      const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / policy.perSecond))
      throw new ApiError('too_many_requests', `Too many requests: try again in ${wait} s.`, {
        headers: { ...headers, 'retry-after': String(wait) },
      })
    },
  }
}
