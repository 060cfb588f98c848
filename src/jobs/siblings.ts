import type { Clock } from '../base/clock.ts'

/**
 * Processes of one node that share its rate limits. Each says every few moments what its limiters gave out,
 * and the others take as much from their own buckets: between two such words a caller may get a little more
 * than the limit, never a multiple of it.
 */
export interface Siblings {
  /**
   * A limiter meets its twins by the order in which limiters are made, which is the same in every process.
   * Calls back with what a twin gave out; returns how to say what this one did.
   */
  join(heard: (subject: string, count: number) => void): (subject: string) => void
}

/** Which limiter, to whom, how often. */
export type Spent = readonly (readonly [limiter: number, subject: string, count: number])[]

const TELL_MS = 50

export function createSiblings(
  clock: Pick<Clock, 'sleep'>,
  tell: (spent: Spent) => void,
): Siblings & { hear(spent: Spent): void } {
  const limiters: ((subject: string, count: number) => void)[] = []
  const counts: Map<string, number>[] = []
  let isWaiting = false

  function flush(): void {
    isWaiting = false
    tell(
      counts.flatMap((of, limiter) => [...of].map(([subject, count]) => [limiter, subject, count] as const)),
    )
    for (const of of counts) of.clear()
  }

  return {
    join(heard) {
      const mine = new Map<string, number>()
      limiters.push(heard)
      counts.push(mine)
      return (subject) => {
        mine.set(subject, (mine.get(subject) ?? 0) + 1)
        if (isWaiting) return
        isWaiting = true
        void clock.sleep(TELL_MS).then(flush)
      }
    },
    hear(spent) {
      for (const [limiter, subject, count] of spent) limiters[limiter]?.(subject, count)
    },
  }
}
