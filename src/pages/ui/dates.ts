import type { Language } from '../words/words.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(intl: string, style: 'day' | 'moment'): Intl.DateTimeFormat {
  const key = `${intl} ${style}`
  const known = formats.get(key)
  if (known) return known
  // The server does not know where the payer is: the zone is said with the time.
  const made = new Intl.DateTimeFormat(intl, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
    ...(style === 'moment'
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' }
      : {}),
  })
  formats.set(key, made)
  return made
}

export const dayText = ({ intl }: Pick<Language, 'intl'>, date: Date): string =>
  formatOf(intl, 'day').format(date)

export const momentText = ({ intl }: Pick<Language, 'intl'>, date: Date): string =>
  formatOf(intl, 'moment').format(date)

/** 4, 2029 → 04/29 */
export const expiryText = (month: number, year: number): string =>
  `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
