import type {
  Declined,
  DeclineReason,
  ProviderMessage,
  RetryAdvice,
} from '../../../../src/providers/outcome.ts'

/** The provider's decline codes, each with our reason and whether a later try can succeed. */
export const DECLINES: Readonly<Record<string, readonly [DeclineReason, RetryAdvice]>> = {}

/** A code that is not in the table is counted, so that the table can grow. */
export function declineOf(raw: ProviderMessage): Omit<Declined, 'kind'> {
  const listed = raw.code === undefined ? undefined : DECLINES[raw.code]
  const [reason, retry] = listed ?? (['generic', 'unspecified'] as const)
  return { reason, retry, raw, ...(listed ? {} : { isUnlisted: true }) }
}
