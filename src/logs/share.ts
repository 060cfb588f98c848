import { type Clock, DAY, SECOND } from '../base/clock.ts'
import { LOGS } from './limits.ts'

export interface ShareLimits {
  readonly perSecond: number
  readonly assuredPerSecond: number
  readonly perNode: number
  readonly perDay: number
  readonly perDaySucceeded: number
  readonly bodyBytesPerDay: number
}

/** What each app may add to a log, so that one app does not crowd out another. */
export interface LogShare {
  /** Counts a line, unless the app or the process has had its share. */
  admit(appId: string, isSuccess: boolean): boolean
  /** Counts the bytes of bodies, unless the app has had its share of the day. */
  admitBytes(appId: string, bytes: number): boolean
}

interface Counts {
  second: number
  lines: number
  day: number
  linesOfDay: number
  bytesOfDay: number
}

export function createShare(clock: Clock, limits: ShareLimits): LogShare {
  const apps = new Map<string, Counts>()
  let nodeSecond = 0
  let nodeLines = 0

  function countsOf(appId: string): Counts {
    const nowMs = clock.now().getTime()
    const second = Math.floor(nowMs / SECOND)
    const day = Math.floor(nowMs / DAY)
    if (second !== nodeSecond) [nodeSecond, nodeLines] = [second, 0]
    const counts = apps.get(appId) ?? newCounts(second, day)
    if (counts.second !== second) [counts.second, counts.lines] = [second, 0]
    if (counts.day !== day) [counts.day, counts.linesOfDay, counts.bytesOfDay] = [day, 0, 0]
    remember(apps, appId, counts)
    return counts
  }

  return {
    admit(appId, isSuccess) {
      const counts = countsOf(appId)
      const isAssured = counts.lines < limits.assuredPerSecond
      const isWithin = counts.lines < limits.perSecond && nodeLines < limits.perNode
      const ofDay = isSuccess ? limits.perDaySucceeded : limits.perDay
      if (!(isAssured || isWithin) || counts.linesOfDay >= ofDay) return false
      counts.lines++
      counts.linesOfDay++
      nodeLines++
      return true
    },
    admitBytes(appId, bytes) {
      const counts = countsOf(appId)
      if (counts.bytesOfDay + bytes > limits.bodyBytesPerDay) return false
      counts.bytesOfDay += bytes
      return true
    },
  }
}

const newCounts = (second: number, day: number): Counts => ({
  second,
  lines: 0,
  day,
  linesOfDay: 0,
  bytesOfDay: 0,
})

/** Reinserted at the end of the Map, so the first entry is the least recently used. */
function remember(apps: Map<string, Counts>, appId: string, counts: Counts): void {
  apps.delete(appId)
  apps.set(appId, counts)
  const [oldest] = apps.size > LOGS.countedApps ? apps.keys() : []
  if (oldest !== undefined) apps.delete(oldest)
}
