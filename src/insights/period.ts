import { DAY } from '../base/clock.ts'
import { invalid, wrongField } from '../base/errors.ts'
import { isStorable } from '../base/time/instant.ts'
import { instantOf, nextStart, QUARTER, startOf, wallTime } from '../base/time/zone.ts'
import type { Move, Stretch, SumQuery } from './sums-store.ts'

/** Periods and the pieces they are read in. Pure. */

/** From `from`, before `to`. */
export interface Period {
  readonly from: Date
  readonly to: Date
}

export type Granularity = 'hour' | 'day' | 'month'

/** A year and a month, to compare this month with that of the last year. */
const MAX_DAYS = 400

export function checkPeriod({ from, to }: Period): void {
  if (from >= to) throw invalid([wrongField('endTime', 'must be after beginTime')])
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY)
    throw invalid([wrongField('beginTime', `must be at most ${MAX_DAYS} days before endTime`)])
}

export function granularityOf({ from, to }: Period): Granularity {
  const days = (to.getTime() - from.getTime()) / DAY
  return days <= 2 ? 'hour' : days <= 92 ? 'day' : 'month'
}

/** The period of the same length before; none is that early that it could not be stored. */
export function previousOf({ from, to }: Period): Period {
  const before = from.getTime() - (to.getTime() - from.getTime())
  return { from: isStorable(before) ? new Date(before) : from, to: from }
}

const floor = (time: Date): Date => new Date(Math.floor(time.getTime() / QUARTER) * QUARTER)
const ceil = (time: Date): Date => new Date(Math.ceil(time.getTime() / QUARTER) * QUARTER)

/** The quarters that belong to a period, wholly or in part. */
export const quartersOf = ({ from, to }: Period): Period => ({ from: floor(from), to: ceil(to) })

/**
 * Splits a period: whole quarters are read from the rollups, except those that are still to be counted again;
 * these, and the parts of quarters at both ends, are counted live.
 */
export function piecesOf(
  { from, to }: Period,
  queued: readonly Date[],
): Pick<SumQuery, 'from' | 'to' | 'without' | 'live'> {
  const [first, last] = [ceil(from), floor(to)]
  if (first >= last) return { from: first, to: first, without: [], live: [{ begin: from, end: to }] }
  const without = queued.filter((time) => time >= first && time < last)
  const live: Stretch[] = [
    { begin: from, end: first },
    ...without.map((begin) => ({ begin, end: new Date(begin.getTime() + QUARTER) })),
    { begin: last, end: to },
  ]
  return { from: first, to: last, without, live: live.filter(({ begin, end }) => begin < end) }
}

type Pieces = Pick<SumQuery, 'days' | 'quarters' | 'moves'>

/** The whole days of UTC from `from` to `to`, without those of which a quarter is left out. */
export function daysOf(
  { from, to, without }: Pick<SumQuery, 'from' | 'to' | 'without'>,
  slots: readonly Slot[],
): Pieces {
  const days: Stretch[] = []
  const moves: Move[] = []
  for (let at = Math.ceil(from.getTime() / DAY) * DAY; at + DAY <= to.getTime(); at += DAY) {
    const isInside = (time: Date) => time.getTime() > at && time.getTime() < at + DAY
    const inside = slots.flatMap(({ startTime }, place) =>
      isInside(startTime) ? [{ startTime, place }] : [],
    )
    const isCounted = without.every((time) => time.getTime() !== at && !isInside(time))
    if (inside.length > 1 || !isCounted) continue
    const [begin, end] = [new Date(at), new Date(at + DAY)]
    days.push({ begin, end })
    moves.push(...inside.map(({ startTime, place }) => moveAt({ begin, end }, startTime, place)))
  }
  return { days, quarters: between(from, to, days), moves }
}

/** A slot begins within a day: what is before or after it belongs to the other slot than the day's noon. */
function moveAt({ begin, end }: Stretch, start: Date, place: number): Move {
  const isBeforeNoon = start.getTime() - begin.getTime() <= DAY / 2
  return isBeforeNoon
    ? { begin, end: start, from: place, to: place - 1 }
    : { begin: start, end, from: place - 1, to: place }
}

/** What is left of a period without these days. */
function between(from: Date, to: Date, days: readonly Stretch[]): Stretch[] {
  const begins = [from, ...days.map(({ end }) => end)]
  const ends = [...days.map(({ begin }) => begin), to]
  return begins.flatMap((begin, place) => {
    const end = ends[place]
    return end && begin < end ? [{ begin, end }] : []
  })
}

export interface Slot {
  /** `2026-11-15T12`, `2026-11-15` or `2026-11` in the time zone; a month is named by its first day. */
  readonly key: string
  readonly startTime: Date
}

const KEY_LENGTH = { hour: 13, day: 10, month: 7 } as const

/** Every hour, day or month of a period, those without payments too. */
export function slotsOf(period: Period, unit: Granularity, timeZone: string, monthStartsOn = 1): Slot[] {
  const end = wallTime(new Date(period.to.getTime() - 1), timeZone)
  const slots: Slot[] = []
  const first = startOf(wallTime(period.from, timeZone), unit, monthStartsOn)
  for (let wall = first; wall <= end; wall = nextStart(wall, unit))
    slots.push({ key: slotKey(wall, unit), startTime: instantOf(wall, timeZone) })
  return slots
}

const slotKey = (wall: Date, unit: Granularity): string => wall.toISOString().slice(0, KEY_LENGTH[unit])
