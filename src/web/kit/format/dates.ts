import type { Language } from '../i18n/languages.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(intl: string): Intl.DateTimeFormat {
  const known = formats.get(intl)
  if (known) return known
  // The server does not know the payer's time zone, so the text includes the zone.
  const made = new Intl.DateTimeFormat(intl, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
    calendar: 'gregory',
  })
  formats.set(intl, made)
  return made
}

const days = new Map<string, Intl.DateTimeFormat>()

/** 3 Nov 2026 */
export function dayText({ intl }: Pick<Language, 'intl'>, date: Date): string {
  const made =
    days.get(intl) ??
    new Intl.DateTimeFormat(intl, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
      calendar: 'gregory',
    })
  days.set(intl, made)
  return made.format(date)
}

/** 14:32 UTC */
export const timeText = (date: Date): string => `${date.toISOString().slice(11, 16)} UTC`

export const momentText = ({ intl }: Pick<Language, 'intl'>, date: Date): string =>
  formatOf(intl).format(date)

/** 4, 2029 → 04/29 */
export const expiryText = (month: number, year: number): string =>
  `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
