import { MINUTE } from '../../base/clock.ts'
import { LOGS } from '../limits.ts'

/** Requests of one app in one minute. */
export interface MinuteCounts {
  readonly appId: string
  readonly minute: Date
  succeeded: number
  /** 4xx. */
  refused: number
  /** 5xx. */
  failed: number
  /** Requests without a line. */
  leftOut: number
  totalMs: number
}

/** Counts of all requests since the last write. */
export interface Minutes {
  add(appId: string, time: Date, counted: { status: number; ms: number; isLeftOut: boolean }): void
  /** Sorted by app, so that two nodes never wait for each other's rows in a circle. */
  take(): MinuteCounts[]
}

export function createMinutes(): Minutes {
  let counts = new Map<string, MinuteCounts>()
  return {
    add(appId, time, { status, ms, isLeftOut }) {
      const minute = new Date(Math.floor(time.getTime() / MINUTE) * MINUTE)
      const key = `${appId} ${minute.getTime()}`
      const found = counts.get(key) ?? newCounts(appId, minute)
      if (!counts.has(key) && counts.size >= LOGS.countedApps) return
      counts.set(key, found)
      if (status >= 500) found.failed++
      else if (status >= 400) found.refused++
      else found.succeeded++
      if (isLeftOut) found.leftOut++
      found.totalMs += Math.max(0, Math.round(ms))
    },
    take() {
      const taken = [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
      counts = new Map()
      return taken
    },
  }
}

const newCounts = (appId: string, minute: Date): MinuteCounts => ({
  appId,
  minute,
  succeeded: 0,
  refused: 0,
  failed: 0,
  leftOut: 0,
  totalMs: 0,
})
