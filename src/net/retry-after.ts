import { after, SECOND } from '../base/clock.ts'

/** When a reply asks to be sent again: seconds, or a date as HTTP writes it. Any other text says nothing. */
export function retryAfterIn(
  headers: Readonly<Record<string, string>>,
  now: Date,
): { readonly retryAfter?: Date } {
  const text = (headers['retry-after'] ?? '').trim()
  if (/^\d{1,6}$/.test(text)) return { retryAfter: after(now, Number(text) * SECOND) }
  const date = HTTP_DATE.test(text) ? new Date(text) : undefined
  return date && !Number.isNaN(date.getTime()) ? { retryAfter: date } : {}
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
