/** What a stored database says about itself, in its first line. */
export interface Facts {
  readonly recordedTime: string
  /** SHA-256 of each migration file of that version. */
  readonly migrations: Readonly<Record<string, string>>
  readonly appId: string
  readonly apiKey: string
  readonly payments: Readonly<
    Record<'created' | 'authorized' | 'captured' | 'registered' | 'refunded' | 'disputed' | 'open', number>
  >
}

export const factsOf = (text: string): Facts => JSON.parse(text.slice(3, text.indexOf('\n')))

const DAY_MS = 24 * 60 * 60 * 1_000
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g

/** The rows as if they were recorded today: times are moved by whole days, so that no deadline is over. */
export function asOfToday(text: string): string {
  const days = Math.floor((Date.now() - Date.parse(factsOf(text).recordedTime)) / DAY_MS)
  return text.replace(INSTANT, (instant) => new Date(Date.parse(instant) + days * DAY_MS).toISOString())
}
