const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))$/i

/** No place on earth is further from UTC. */
const MAX_OFFSET_MINUTES = 14 * 60
const MINUTE_MS = 60_000
/** 0001-01-01 to 9999-12-31: years that JavaScript and PostgreSQL both write with four digits. */
const EARLIEST_MS = -62_135_596_800_000
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Whether an instant, in milliseconds since 1970, has a year that can be stored and answered. */
export const isStorable = (timeMs: number): boolean => timeMs >= EARLIEST_MS && timeMs <= LATEST_MS

/**
 * An ISO 8601 instant with its offset; undefined for every other text. Strict: a day that its month does not
 * have, a leap second, an offset beyond 14 hours and a year outside 1 to 9999 in UTC are refused, because
 * `new Date` would silently make another instant of some and one that cannot be stored of others.
 */
export function parseInstant(text: string): Date | undefined {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const part = (place: number): number => Number(match[place] ?? 0)
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)]
  const offset = (part(9) * 60 + part(10)) * (match[8] === '-' ? -1 : 1)
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  if (!isReal || hour > 23 || minute > 59 || second > 59 || part(10) > 59) return undefined
  if (Math.abs(offset) > MAX_OFFSET_MINUTES) return undefined
  const ms = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const instant = new Date(0)
  instant.setUTCFullYear(year, month - 1, day)
  instant.setUTCHours(hour, minute, second, ms)
  const time = instant.getTime() - offset * MINUTE_MS
  return isStorable(time) ? new Date(time) : undefined
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

const parts = (time: Date, timeZone: string): string[] =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
    .format(time)
    .split(/[^0-9]+/)

/** `2030-01-31`: the day in this time zone. */
export const dayOf = (time: Date, timeZone: string): string => parts(time, timeZone).slice(0, 3).join('-')

/** Until the next midnight there. An hour off on the two days that have 23 or 25 hours. */
export function secondsLeftOfDay(time: Date, timeZone: string): number {
  const [hour = 0, minute = 0, second = 0] = parts(time, timeZone).slice(3).map(Number)
  return 86_400 - hour * 3_600 - minute * 60 - second
}
