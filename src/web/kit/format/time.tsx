import type { PersonRequest } from '../frame/request.ts'
import { usePersonRequest } from '../screen.tsx'

const formats = new Map<string, Intl.DateTimeFormat>()

/** `short`: the minute without the year. */
type Style = 'minute' | 'second' | 'day' | 'short'

function formatOf(intl: string, timeZone: string, style: Style): Intl.DateTimeFormat {
  const key = `${intl} ${timeZone} ${style}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(intl, {
    day: 'numeric',
    month: 'short',
    ...(style === 'short' ? {} : { year: 'numeric' as const }),
    calendar: 'gregory',
    timeZone,
    ...(style === 'day' ? {} : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' as const }),
    ...(style === 'second' ? { second: '2-digit' as const, timeZoneName: 'short' as const } : {}),
  })
  formats.set(key, made)
  return made
}

type Seen = Pick<PersonRequest, 'language' | 'person'>

/** In the person's time zone; UTC until one is chosen. */
export const timeIn = ({ language, person }: Seen, time: Date, style: Style = 'minute'): string =>
  formatOf(language.intl, person.timeZone ?? 'UTC', style).format(time)

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
