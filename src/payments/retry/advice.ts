import { after, DAY, HOUR } from '../../base/clock.ts'
import type { Declined, DeclineReason, RetryAdvice } from '../../providers/outcome.ts'
import type { Failure } from '../payment.ts'

/** Pure: whether a declined charge may be tried again, and from when on. Decision 0179. */

/** As it is stored with a failure and with the outcome of an operation. */
export interface StoredAdvice {
  readonly retry?: RetryAdvice
  /** ISO 8601, of the app's clock. */
  readonly retryAfter?: string
  /** With `never`: the card network said so, and not only the provider. */
  readonly byNetwork?: true
}

/** As the API describes it. */
export const RETRY_DESCRIPTION =
  '`never`: the card networks forbid another charge of this card. `later`: it may succeed from ' +
  '`retryAfter` on. `after-customer-acts`: the customer has to pay again or to enter other details. ' +
  '`unspecified`: the provider does not say.'

/** For declines that were stored without advice. Providers answer some of these reasons in several ways. */
export const REASON_ADVICE: Readonly<Record<DeclineReason, RetryAdvice>> = {
  generic: 'unspecified',
  'insufficient-funds': 'later',
  'lost-card': 'never',
  'stolen-card': 'never',
  'expired-card': 'never',
  'incorrect-number': 'after-customer-acts',
  'incorrect-cvc': 'after-customer-acts',
  'incorrect-address': 'after-customer-acts',
  'limit-exceeded': 'later',
  'card-not-supported': 'never',
  'currency-not-supported': 'never',
  'authentication-required': 'after-customer-acts',
  'authentication-failed': 'after-customer-acts',
  'suspected-fraud': 'never',
  blocked: 'never',
  'do-not-honour': 'unspecified',
  'issuer-unavailable': 'later',
  'processing-error': 'later',
  'account-closed': 'never',
  'no-account': 'never',
  'debit-not-authorised': 'never',
  'mandate-revoked': 'never',
  'method-removed': 'after-customer-acts',
  duplicate: 'never',
  'customer-cancelled': 'after-customer-acts',
  expired: 'after-customer-acts',
  underpaid: 'after-customer-acts',
}

/** Faults of systems pass sooner than a lack of money. */
const SHORT_WAITS: ReadonlySet<DeclineReason> = new Set<DeclineReason>([
  'issuer-unavailable',
  'processing-error',
])

/** What a decline says, by the app's clock. Without a time of the network, the reason decides the wait. */
export function adviceOf(
  {
    reason,
    retry,
    retryAfterMs,
    byNetwork,
  }: Pick<Declined, 'reason' | 'retry' | 'retryAfterMs' | 'byNetwork'>,
  now: Date,
): StoredAdvice {
  if (retry !== 'later') return { retry, ...(byNetwork && { byNetwork }) }
  const waitMs = retryAfterMs ?? (SHORT_WAITS.has(reason) ? HOUR : DAY)
  return { retry, retryAfter: after(now, waitMs).toISOString() }
}

/** The advice of a declined operation. Rows of earlier versions have none, and the reason decides. */
export const adviceFor = (reason: DeclineReason, stored: StoredAdvice | null | undefined) => ({
  retry: stored?.retry ?? REASON_ADVICE[reason],
  retryAfter: stored?.retryAfter ?? null,
})

/** The same of a failed payment. */
export function adviceIn({ code, declineCode, problem, retry, retryAfter }: Failure) {
  return { retry: retry ?? withoutAdvice({ code, declineCode, problem }), retryAfter: retryAfter ?? null }
}

function withoutAdvice({
  code,
  declineCode,
  problem,
}: Pick<Failure, 'code' | 'problem'> & Declines): RetryAdvice {
  if (declineCode !== undefined && Object.hasOwn(REASON_ADVICE, declineCode))
    return REASON_ADVICE[declineCode as DeclineReason]
  if (code === 'expired') return 'after-customer-acts'
  const why = problem.code === 'not-done' ? problem.why : undefined
  return why === 'not-sent' || why === 'rate-limited' ? 'later' : 'unspecified'
}

interface Declines {
  readonly declineCode: string | undefined
}
