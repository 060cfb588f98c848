import { type Clock, systemClock } from '../../src/base/clock.ts'

export interface FakeClock extends Clock {
  /** Moves time ahead and wakes whoever slept until then. */
  advance(ms: number): void
}

interface Sleeper {
  readonly untilMs: number
  readonly wake: () => void
}

/** Time stands still until it is moved. */
export function createFakeClock(start = new Date('2026-01-01T00:00:00.000Z')): FakeClock {
  let nowMs = start.getTime()
  const sleepers = new Set<Sleeper>()
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) return resolve()
        const sleeper = { untilMs: nowMs + ms, wake: done }
        function done() {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', done)
      }),
    advance(ms) {
      nowMs += ms
      for (const sleeper of [...sleepers].sort((a, b) => a.untilMs - b.untilMs))
        if (sleeper.untilMs <= nowMs) sleeper.wake()
    },
  }
}

/** Real time that passes so many times as fast: what waits for the next look of a job waits less. */
export function createFastClock(times: number): Clock {
  const startMs = systemClock.now().getTime()
  return {
    now: () => new Date(startMs + times * (systemClock.now().getTime() - startMs)),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  }
}
