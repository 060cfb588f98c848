import type { Log } from '../base/log.ts'
import { errorData } from '../base/log.ts'

/** Work that outlives its request. A clean stop waits for it; after a crash a job resumes it. */
export interface Background {
  /** Does not wait for the work. A failure is logged; the due row behind it causes the retry. */
  keep(what: string, work: Promise<unknown>, appId: string): void
  /** Resolves when no work is left, of one app or of all, with the number of tasks it waited for. */
  settled(appId?: string): Promise<number>
}

export function createBackground(log: Log): Background {
  /** Work in progress → id of its app. */
  const running = new Map<Promise<unknown>, string>()
  const runningOf = (appId: string | undefined): Promise<unknown>[] =>
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
      for (let left = runningOf(appId); left.length > 0; left = runningOf(appId)) {
        waited += left.length
        await Promise.all(left)
      }
      return waited
    },
  }
}
