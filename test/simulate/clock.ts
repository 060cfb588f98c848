import { after, type Clock } from '../../src/base/clock.ts'

/** Time that moves only when nothing else can happen. */
export interface VirtualClock extends Clock {
  /** Moves to the next moment somebody waits for; false when nobody waits. */
  skipToNext(): boolean
  advance(ms: number): void
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

export function createVirtualClock(start: Date): VirtualClock {
  let now = start
  const sleepers = new Set<Sleeper>()
  function moveTo(at: number): void {
    if (at > now.getTime()) now = new Date(at)
    for (const sleeper of [...sleepers])
      if (sleeper.at <= now.getTime()) {
        sleepers.delete(sleeper)
        sleeper.wake()
      }
  }
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        // A Date holds whole milliseconds: at a fraction it would never arrive.
        const sleeper = { at: Math.ceil(now.getTime() + ms), wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          resolve()
        })
      }),
    skipToNext() {
      if (sleepers.size === 0) return false
      moveTo(Math.min(...[...sleepers].map((sleeper) => sleeper.at)))
      return true
    },
    advance: (ms) => moveTo(after(now, ms).getTime()),
  }
}
