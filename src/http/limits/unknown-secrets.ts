import type { Clock } from '../../base/clock.ts'
import { createRateLimiter, type RatePolicy, type Reservation, type Sharing } from './rate-limit.ts'

/**
 * A gate before reads that a secret is looked up by. Secrets that were found before pass freely. Others are
 * limited before the read, by who asks and all together; what is then found costs nothing. So somebody who
 * guesses causes a bounded number of reads, from one address or from many, and takes nothing away from
 * those with a secret that is known here.
 */
export interface Gate {
  /** Gives what was found, or undefined; throws 429 before the read. */
  pass<Found>(attempt: Attempt, read: () => Promise<Found | undefined>): Promise<Found | undefined>
  /** Counts an attempt that needs no read to be refused. */
  refuse(subject: string): void
}

interface Attempt {
  /** Who asks: guesses are counted by it. */
  readonly subject: string
  /** What is looked up, or a hash of it. */
  readonly secret: string
}

interface GateOptions {
  readonly clock: Clock
  /** Of one subject. */
  readonly policy: RatePolicy
  readonly sharing?: Sharing | undefined
}

/** Guesses of all subjects together: reads that the database answers beside its other work. */
const ALL_GUESSES = { perSecond: 500, burst: 1_000 }
const MAX_KNOWN = 20_000

export function createGate({ clock, policy, sharing }: GateOptions): Gate {
  const one = createRateLimiter(clock, policy, sharing)
  const all = createRateLimiter(clock, { ...ALL_GUESSES, name: `all of ${policy.name}` }, sharing)
  /** The order of insertion is the order of use: the first is the one longest unused. */
  const known = new Set<string>()

  function remember(secret: string): void {
    known.delete(secret)
    known.add(secret)
    const [oldest] = known.size > MAX_KNOWN ? known : []
    if (oldest !== undefined) known.delete(oldest)
  }

  function reserve(subject: string): readonly Reservation[] {
    const mine = one.reserve(subject)
    try {
      return [mine, all.reserve('')]
    } catch (error) {
      mine.giveBack()
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
