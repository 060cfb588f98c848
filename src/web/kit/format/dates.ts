import type { Language } from '../i18n/languages.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** A format is costly to make, so each is made once. */
export function dateFormat(intl: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${intl} ${JSON.stringify(options)}`
  const made = formats.get(key) ?? new Intl.DateTimeFormat(intl, { calendar: 'gregory', ...options })
  formats.set(key, made)
  return made
}

/** The server does not know the payer's time zone, so the text includes the zone. */
const MOMENT = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const

const DAY = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const

/** 3 Nov 2026 */
export const dayText = ({ intl }: Pick<Language, 'intl'>, date: Date): string =>
  dateFormat(intl, DAY).format(date)

/** 14:32 UTC */
export const timeText = (date: Date): string => `${date.toISOString().slice(11, 16)} UTC`

export const momentText = ({ intl }: Pick<Language, 'intl'>, date: Date): string =>
  dateFormat(intl, MOMENT).format(date)

/** 4, 2029 → 04/29 */
export const expiryText = (month: number, year: number): string =>
  `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
