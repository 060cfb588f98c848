import { DAY } from '../clock.ts'
import { instantOf, nextStart, startOf, wallTime } from './zone.ts'

/** From this instant, before that. */
export interface TimeSpan {
  readonly from: Date
  readonly to: Date
}

/** Two times of a wall clock as instants. */
export const wallRange = (start: Date, end: Date, timeZone: string): TimeSpan => ({
  from: instantOf(start, timeZone),
  to: instantOf(end, timeZone),
})

type Bounds = (today: Date, months: Months) => readonly [Date, Date]

/** Three beginnings of months. */
interface Months {
  readonly last: Date
  readonly current: Date
  readonly next: Date
}

/** So many days, counted from today. */
const days = (today: Date, from: number, count: number): readonly [Date, Date] => [
  new Date(today.getTime() + from * DAY),
  new Date(today.getTime() + (from + count) * DAY),
]

/** Days since Monday, with which a week begins. */
const weekday = (today: Date): number => (today.getUTCDay() + 6) % 7

const BOUNDS = {
  today: (today) => days(today, 0, 1),
  yesterday: (today) => days(today, -1, 1),
  'this-week': (today) => days(today, -weekday(today), 7),
  'last-week': (today) => days(today, -weekday(today) - 7, 7),
  'this-month': (_today, { current, next }) => [current, next],
  'last-month': (_today, { last, current }) => [last, current],
  'last-7-days': (today) => days(today, -6, 7),
  'last-30-days': (today) => days(today, -29, 30),
} as const satisfies Record<string, Bounds>

export type PeriodWord = keyof typeof BOUNDS

export const isPeriod = (word: string): word is PeriodWord => Object.hasOwn(BOUNDS, word)

/**
 * The days that a word such as `this-week` means in the zone, with months that begin on a day. Undefined: it
 * means none.
 */
export function periodRange(
  word: string,
  now: Date,
  timeZone: string,
  monthStartsOn: number,
): TimeSpan | undefined {
  if (!isPeriod(word)) return undefined
  const wall = wallTime(now, timeZone)
  const current = startOf(wall, 'month', monthStartsOn)
  const last = startOf(new Date(current.getTime() - 1), 'month', monthStartsOn)
  const months = { last, current, next: nextStart(current, 'month') }
  return wallRange(...BOUNDS[word](startOf(wall, 'day'), months), timeZone)
}
