import { moneyText } from '../../base/presentation/money-text.ts'
import { cut, folded } from '../../base/text.ts'

interface Speaking {
  readonly intl: string
  readonly dir: 'ltr' | 'rtl'
}

/** A text of a merchant or payer: one line of bounded length, without direction marks that reach beyond. */
export function line(text: string, most = 120): string {
  const whole = folded(text.replace(/[\u202a-\u202e\u2066-\u2069]/g, ''))
  return whole.length <= most ? whole : `${cut(whole, most - 1)}…`
}

export const amount = ({ intl }: Speaking, minor: string, currency: string): string =>
  moneyText({ intl }, BigInt(minor), currency)

const formats = new Map<string, Intl.DateTimeFormat>()

/** 3 November 2026, 14:32 UTC. A message has no time zone of its reader, so the zone is part of it. */
export function moment({ intl }: Speaking, time: string, timeZone: string): string {
  const key = `${intl} ${timeZone}`
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(intl, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
      timeZoneName: 'short',
      calendar: 'gregory',
    })
  formats.set(key, format)
  return format.format(new Date(time))
}

/** 4, 2029 → 04/2029 */
export const expiry = (month: number, year: number): string => `${String(month).padStart(2, '0')}/${year}`
