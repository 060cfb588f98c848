import type { Declined, DeclineReason, ProviderMessage, RetryAdvice } from '../outcome.ts'

/** Pure: what a provider's decline codes mean in our words. */
export interface Meaning {
  readonly reason: DeclineReason
  readonly retry: RetryAdvice
}

type Row = readonly [reason: DeclineReason, retry: RetryAdvice, codes: string]

/** One row for each meaning; its codes have spaces between them. A code is listed once. */
export function declineTable(rows: readonly Row[]): ReadonlyMap<string, Meaning> {
  const table = new Map<string, Meaning>()
  for (const [reason, retry, codes] of rows)
    for (const code of codes.trim().split(/\s+/)) {
      if (table.has(code)) throw new Error(`The decline code ${code} is listed twice.`)
      table.set(code, { reason, retry })
    }
  return table
}

/** A code without a meaning is counted, so that the table can grow. */
export const declineOf = (meaning: Meaning | undefined, raw: ProviderMessage): Omit<Declined, 'kind'> =>
  meaning
    ? { reason: meaning.reason, retry: meaning.retry, raw }
    : { reason: 'generic', retry: 'unspecified', isUnlisted: true, raw }
