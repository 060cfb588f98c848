import type { Clock } from '../../base/clock.ts'
import { createRateLimiter, type RatePolicy, type Reservation, type Sharing } from './rate-limit.ts'

/**
 * Rate limit for lookups by a secret. A secret that was found before is not limited. For others a token is
 * reserved before the read, from the subject's bucket and from a common one, and given back when the read
 * finds the secret. So guesses cause a bounded number of reads, from one address or from many, and do not
 * affect callers with a known secret. Decision 0102.
 */
export interface Gate {
  /** Returns the result of the read; throws 429 before the read. */
  pass<Found>(attempt: Attempt, read: () => Promise<Found | undefined>): Promise<Found | undefined>
  /** Counts an attempt that needs no read to be refused. */
  refuse(subject: string): void
}

interface Attempt {
  /** The caller that guesses are counted for. */
  readonly subject: string
  /** The secret or its hash. */
  readonly secret: string
}

interface GateOptions {
  readonly clock: Clock
  /** The limit of one subject. */
  readonly policy: RatePolicy
  readonly sharing?: Sharing | undefined
}

/** Guesses of all subjects together: a load that the database can carry beside its other work. */
const ALL_GUESSES = { perSecond: 500, burst: 1_000 }
const MAX_KNOWN = 20_000

export function createGate({ clock, policy, sharing }: GateOptions): Gate {
  const one = createRateLimiter(clock, policy, sharing)
  const all = createRateLimiter(clock, { ...ALL_GUESSES, name: `all of ${policy.name}` }, sharing)
  /** In order of use: the first entry is the least recently used. */
  const known = new Set<string>()

  function remember(secret: string): void {
    known.delete(secret)
    known.add(secret)
    const [oldest] = known.size > MAX_KNOWN ? known : []
    if (oldest !== undefined) known.delete(oldest)
  }

  function reserve(subject: string): readonly Reservation[] {
    const own = one.reserve(subject)
    try {
      return [own, all.reserve('')]
    } catch (error) {
      own.giveBack()
      throw error
    }
  }

  return {
    async pass({ subject, secret }, read) {
      const reserved = known.has(secret) ? [] : reserve(subject)
      const found = await read().catch((error: unknown) => {
        for (const token of reserved) token.giveBack()
        throw error
      })
      if (found === undefined) {
        known.delete(secret)
        for (const token of reserved) token.keep()
      } else {
        remember(secret)
        for (const token of reserved) token.giveBack()
      }
      return found
    },
    refuse: (subject) => void one.take(subject),
  }
}
