import { DAY, HOUR, MINUTE } from '../clock.ts'
import { parseInstant } from './instant.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
/** There are about 600 names of zones; other spellings of them must not fill the memory. */
const MAX_FORMATS = 1_000

/** Whether the name is an IANA time zone that this process knows. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are valid for Intl and mean something else in PostgreSQL.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const
  const made = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    ...numeric,
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
    hourCycle: 'h23',
    timeZone,
  })
  if (formats.size < MAX_FORMATS) formats.set(timeZone, made)
  return made
}

/** The time on a wall clock of the zone, as if it were UTC. */
export function wallTime(instant: Date, timeZone: string): Date {
  if (timeZone === 'UTC') return instant
  const parts = new Map<string, string>(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: string): number => Number(parts.get(type))
  const year = parts.get('era')?.startsWith('B') ? 1 - part('year') : part('year')
  const wall = new Date(0)
  wall.setUTCFullYear(year, part('month') - 1, part('day'))
  wall.setUTCHours(part('hour'), part('minute'), part('second'), instant.getUTCMilliseconds())
  return wall
}

/** The instant at which the wall clock of the zone shows this time; where it is skipped, the one after. */
export function instantOf(wall: Date, timeZone: string): Date {
  if (timeZone === 'UTC') return wall
  const offsetAt = (time: number): number => wallTime(new Date(time), timeZone).getTime() - time
  const before = wall.getTime() - offsetAt(wall.getTime() - DAY)
  const after = wall.getTime() - offsetAt(wall.getTime() + DAY)
  const shows = [before, after].filter(
    (time) => wallTime(new Date(time), timeZone).getTime() === wall.getTime(),
  )
  return new Date(shows.length > 0 ? Math.min(...shows) : Math.max(before, after))
}

type Unit = 'hour' | 'day' | 'month'

/** The beginning of the hour, day or month of a wall clock's time. A month may begin up to the 28th. */
export function startOf(wall: Date, unit: Unit, monthStartsOn = 1): Date {
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()]
  const start = new Date(0)
  if (unit === 'month') start.setUTCFullYear(year, day < monthStartsOn ? month - 1 : month, monthStartsOn)
  else start.setUTCFullYear(year, month, day)
  return unit === 'hour' ? new Date(start.getTime() + wall.getUTCHours() * HOUR) : start
}

/** The beginning of the next hour, day or month. */
export function nextStart(start: Date, unit: Unit): Date {
  if (unit !== 'month') return new Date(start.getTime() + (unit === 'hour' ? HOUR : DAY))
  const next = new Date(start)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next
}

/** Every offset of a zone in use is a multiple of it, so quarters add up to days anywhere. */
export const QUARTER = 15 * MINUTE

/** The midnight at which `2026-11-03` begins in the zone; undefined for every other text. */
export function midnightOf(text: string | undefined, timeZone: string): Date | undefined {
  const wall = parseInstant(`${text}T00:00:00Z`)
  return wall && instantOf(wall, timeZone)
}

/** The midnight at which the day of an instant ends. */
export const dayEnd = (instant: Date, timeZone: string): Date =>
  instantOf(nextStart(startOf(wallTime(instant, timeZone), 'day'), 'day'), timeZone)
