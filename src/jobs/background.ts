import type { Log } from '../base/log.ts'
import { errorData } from '../base/log.ts'

/**
 * Work that outlives the request that began it. A clean stop waits for it; a crash leaves it to the workers.
 */
export interface Background {
  /** Goes on without anybody waiting; a failure is logged, the due row behind it brings it back. */
  keep(what: string, work: Promise<unknown>, appId: string): void
  /** Resolves when no work is left, of one app or of all; says for how much it waited. */
  settled(appId?: string): Promise<number>
}

export function createBackground(log: Log): Background {
  /** The work in progress, with the app it belongs to. */
  const running = new Map<Promise<unknown>, string>()
  const of = (appId: string | undefined): Promise<unknown>[] =>
    [...running].flatMap(([work, owner]) => (appId === undefined || owner === appId ? [work] : []))
  return {
    keep(what, work, appId) {
      const watched = work
        .catch((error) => log.warn('background.failed', { what, ...errorData(error) }))
        .finally(() => running.delete(watched))
      running.set(watched, appId)
    },
    async settled(appId) {
      let waited = 0
      for (let left = of(appId); left.length > 0; left = of(appId)) {
        waited += left.length
        await Promise.all(left)
      }
      return waited
    },
  }
}
