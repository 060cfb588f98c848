import { DAY } from '../../../base/clock.ts'
import { periodRange } from '../../../base/time/period.ts'
import { dayEnd, instantOf, midnightOf, startOf, wallTime } from '../../../base/time/zone.ts'
import type { Overview } from '../../../insights/overview.ts'
import type { Period } from '../../../insights/period.ts'
import type { PaymentFilter } from '../../../payments/search/filter.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

const COUNTED = ['today', '7d', '30d'] as const
const MONTHS = ['this-month', 'last-month'] as const
export const RANGES = [...COUNTED, ...MONTHS] as const
type RangeName = (typeof RANGES)[number] | 'custom'

export interface ChosenRange extends Period {
  readonly range: RangeName
}

interface Query {
  readonly range?: string
  readonly from?: string
  readonly to?: string
}

/** Days of a range, today included. */
const DAYS: Readonly<Record<(typeof COUNTED)[number], number>> = { today: 1, '7d': 7, '30d': 30 }
const MAX_DAYS = 400

const isOneOf = <Name extends string>(names: readonly Name[], text: string | undefined): text is Name =>
  (names as readonly (string | undefined)[]).includes(text)

interface Calendar {
  readonly timeZone: string
  readonly monthStartsOn: number
}

/** The period of the address, in days of the person's time zone. What makes no sense is seven days. */
export function readRange({ range, from, to }: Query, now: Date, calendar: Calendar): ChosenRange {
  const { timeZone, monthStartsOn } = calendar
  if (isOneOf(MONTHS, range)) {
    const month = periodRange(range, now, timeZone, monthStartsOn)
    if (month) return { range, ...month }
  }
  const today = startOf(wallTime(now, timeZone), 'day')
  const dayAfter = (days: number) => instantOf(new Date(today.getTime() + days * DAY), timeZone)
  const [first, last] = [midnightOf(from, timeZone), midnightOf(to, timeZone)]
  if (range === 'custom' && first && last && first <= last) {
    const end = dayEnd(last, timeZone)
    if (end.getTime() - first.getTime() <= MAX_DAYS * DAY) return { range, from: first, to: end }
  }
  const chosen = isOneOf(COUNTED, range) ? range : '7d'
  return { range: chosen, from: dayAfter(1 - DAYS[chosen]), to: dayAfter(1) }
}

type Slots = Pick<Overview, 'series' | 'from' | 'to' | 'granularity' | 'timeZone'>

/** One hour, day or month of the figures, as a filter of payments. The first may begin before the period. */
export function slotFilter(figures: Slots, place: number): { from: string; to: string } {
  const { series, granularity, timeZone } = figures
  const start = series[place]?.startTime ?? figures.from
  const from = start < figures.from ? figures.from : start
  const to = series[place + 1]?.startTime ?? figures.to
  if (granularity !== 'hour') return rangeFilter({ from, to }, timeZone)
  return { from: from.toISOString(), to: new Date(to.getTime() - 1).toISOString() }
}

/** The days of a period, as a filter of payments. */
export function rangeFilter({ from, to }: Period, timeZone: string): { from: string; to: string } {
  const dayOf = (time: Date) => wallTime(time, timeZone).toISOString().slice(0, 10)
  return { from: dayOf(from), to: dayOf(new Date(to.getTime() - 1)) }
}

/** The list of exactly the payments that a figure counts. */
export const listOf = ({ base }: Pick<AppRequest, 'base'>, filter: PaymentFilter): string =>
  `${base}/payments?${new URLSearchParams({ ...filter } as Record<string, string>)}`.replaceAll('%3A', ':')
