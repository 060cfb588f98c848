import { declineOf as declineBy, declineTable } from '../../../../src/providers/kit/declines.ts'
import type { Declined, ProviderMessage } from '../../../../src/providers/outcome.ts'

/** The provider's decline codes: a row for each reason, and whether a later try can succeed. */
export const DECLINES = declineTable([])

/** A code that is not in the table is counted, so that the table can grow. */
export const declineOf = (raw: ProviderMessage): Omit<Declined, 'kind'> =>
  declineBy(DECLINES.get(raw.code ?? ''), raw)
