import type { Log } from '../base/log.ts'
import { errorData } from '../base/log.ts'

/**
 * Work that outlives the request that began it. A clean stop waits for it; a crash leaves it to the workers.
 */
export interface Background {
  /** Goes on without anybody waiting; a failure is logged, the due row behind it brings it back. */
  keep(what: string, work: Promise<unknown>): void
  settled(): Promise<void>
}

export function createBackground(log: Log): Background {
  const running = new Set<Promise<unknown>>()
  return {
    keep(what, work) {
      const watched = work
        .catch((error) => log.warn('background.failed', { what, ...errorData(error) }))
        .finally(() => running.delete(watched))
      running.add(watched)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
