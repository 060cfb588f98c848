import { after, DAY } from '../base/clock.ts'
import { dayEnd, instantOf, midnightOf, nextStart, startOf, wallTime } from '../base/time/zone.ts'
import type { App } from '../merchants/app.ts'

/** Periods of an app's time zone. Pure. */

/** After each of these a schedule exports it. */
export const PERIODS = ['day', 'week', 'month'] as const
export type SchedulePeriod = (typeof PERIODS)[number]

/** Periods that a form offers beside days of one's own. */
export const PRESETS = [
  ...(['today', 'yesterday', 'last-7-days', 'last-30-days', 'this-month', 'last-month'] as const),
  'all',
] as const
export type Preset = (typeof PRESETS)[number]

export interface Span {
  readonly from: Date | undefined
  /** Not included. */
  readonly to: Date
}

type Calendar = Pick<App, 'timeZone' | 'monthStartsOn'>

/** The beginning of the day, week (on Monday) or month of an instant. */
export function periodStart(
  instant: Date,
  every: SchedulePeriod,
  { timeZone, monthStartsOn }: Calendar,
): Date {
  const day = startOf(wallTime(instant, timeZone), 'day')
  const monday = after(day, -((day.getUTCDay() + 6) % 7) * DAY)
  const wall = every === 'day' ? day : every === 'week' ? monday : startOf(day, 'month', monthStartsOn)
  return instantOf(wall, timeZone)
}

/** The beginning of the period after that of an instant. */
export function periodEnd(instant: Date, every: SchedulePeriod, calendar: Calendar): Date {
  const { timeZone } = calendar
  const wall = startOf(wallTime(periodStart(instant, every, calendar), timeZone), 'day')
  const next = every === 'month' ? nextStart(wall, 'month') : after(wall, every === 'week' ? 7 * DAY : DAY)
  return instantOf(next, timeZone)
}

/** The period that ended before this one began. */
const lastOf = (now: Date, every: SchedulePeriod, calendar: Calendar): Span => {
  const to = periodStart(now, every, calendar)
  return { from: periodStart(after(to, -1), every, calendar), to }
}

/** Days up to now, today included. */
const days = (now: Date, count: number, timeZone: string): Span => {
  const today = startOf(wallTime(now, timeZone), 'day')
  return { from: instantOf(after(today, -(count - 1) * DAY), timeZone), to: after(now, 1) }
}

/** In the zone of an app, with its months. */
export function presetSpan(preset: Preset, now: Date, calendar: Calendar): Span {
  const { timeZone } = calendar
  switch (preset) {
    case 'today':
      return days(now, 1, timeZone)
    case 'yesterday':
      return lastOf(now, 'day', calendar)
    case 'last-7-days':
      return days(now, 7, timeZone)
    case 'last-30-days':
      return days(now, 30, timeZone)
    case 'this-month':
      return { from: periodStart(now, 'month', calendar), to: after(now, 1) }
    case 'last-month':
      return lastOf(now, 'month', calendar)
    case 'all':
      return { from: undefined, to: after(now, 1) }
  }
}

/** From the first day to the end of the last, both `2026-11-18`. Without a last day until now. */
export function daySpan(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
  timeZone: string,
): Span {
  const last = midnightOf(to, timeZone)
  const end = last && dayEnd(last, timeZone)
  return { from: midnightOf(from, timeZone), to: end && end < now ? end : after(now, 1) }
}
