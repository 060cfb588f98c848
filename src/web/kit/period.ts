import { isPeriod, type PeriodWord, periodRange, type TimeSpan } from '../../base/time/period.ts'
import { dayEnd, midnightOf } from '../../base/time/zone.ts'
import { timeZoneOf } from './format/time.tsx'
import type { PersonRequest } from './frame/request.ts'

/** The dates of a filter: a preset such as "this week", or two days. In the zone of the person. */

export const PRESETS: readonly PeriodWord[] = [
  ...(['today', 'yesterday', 'this-week', 'last-week', 'this-month', 'last-month'] as const),
  ...(['last-7-days', 'last-30-days'] as const),
]

/** What the address asks for. `now` is the app's time, or real time for what has that. */
export function periodOf(request: PersonRequest, now: Date): Partial<TimeSpan> {
  const { period = '', from, to } = request.call.query
  const timeZone = timeZoneOf(request)
  const preset = periodRange(period, now, timeZone, request.app?.monthStartsOn ?? 1)
  if (preset) return preset
  const [first, last] = [midnightOf(from, timeZone), midnightOf(to, timeZone)]
  // The last day belongs to the period.
  return { ...(first && { from: first }), ...(last && { to: dayEnd(last, timeZone) }) }
}

export const hasPeriod = ({ call: { query } }: PersonRequest): boolean =>
  isPeriod(query.period ?? '') || Boolean(query.from || query.to)

/** The choice of a preset, with the zone in its label, and the days of an own range. */
export function periodFields(request: PersonRequest) {
  const { period } = request.texts.lists
  const options = PRESETS.map((value) => ({ value, label: period.presets[value] }))
  return [
    { name: 'period', label: period.label({ zone: timeZoneOf(request) }), any: period.any, options },
    { name: 'from', label: period.from, type: 'date' },
    { name: 'to', label: period.to, type: 'date' },
  ] as const
}
