import type { PersonRequest } from '../frame/request.ts'
import { usePersonRequest } from '../screen.tsx'
import { dateFormat } from './dates.ts'

/** `short`: the minute without the year; `clock`: the second without it. */
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const
const MINUTE = { ...DAY, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const STYLES = {
  day: DAY,
  minute: MINUTE,
  second: { ...MINUTE, second: '2-digit', timeZoneName: 'short' },
  short: { ...MINUTE, year: undefined },
  clock: { ...MINUTE, year: undefined, second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
type Style = keyof typeof STYLES

type Seen = Pick<PersonRequest, 'language' | 'person'>

/** What the person chose, else the zone of the browser or of the app: frame/serve.ts. */
export const timeZoneOf = ({ person }: Pick<PersonRequest, 'person'>): string => person.timeZone ?? 'UTC'

/** In the person's time zone. */
export const timeIn = (request: Seen, time: Date, style: Style = 'minute'): string =>
  dateFormat(request.language.intl, { ...STYLES[style], timeZone: timeZoneOf(request) }).format(time)

/** `UTC`, `CET`: of the person's zone at this time. */
export const zoneIn = (request: Seen, time: Date): string =>
  dateFormat(request.language.intl, { timeZone: timeZoneOf(request), timeZoneName: 'short' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

interface TimeProps {
  readonly time: Date
  readonly style?: Style
}

export const Time = ({ time, style = 'minute' }: TimeProps) => {
  const request = usePersonRequest()
  return (
    <time datetime={time.toISOString()} title={timeIn(request, time, 'second')}>
      {timeIn(request, time, style)}
    </time>
  )
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago something was: `3 hr. ago`. */
export function agoIn({ intl }: Seen['language'], elapsedMs: number): string {
  const ms = Math.max(0, elapsedMs)
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? UNITS[2]
  const format = new Intl.RelativeTimeFormat(intl, { style: 'short', numeric: 'always' })
  return format.format(-Math.floor(ms / size), unit)
}
