import { after, DAY } from '../../base/clock.ts'
import { isSlow, namedMethod } from '../../providers/methods/catalogue.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import type { PayInfo, Payment } from '../payment.ts'

// Pure: what time changes about a payment, and when.

/** The payment has a page of ours, and its link has not expired. */
export function canTryAgain(payment: Payment, now: Date): boolean {
  const ownPage = payment.flow === 'HostedPage' || payment.flow === 'Direct'
  return ownPage && !linkExpired(payment, now)
}

export const linkExpired = (payment: Payment, now: Date): boolean =>
  payment.expirationTime !== null && payment.expirationTime <= now

/**
 * The end of the link, or of the time in which the rest of a part that was paid may still come. The page of a
 * slow method stays open: the money may be on its way already.
 */
export function payableUntil(payment: Payment): Date | null {
  const { expirationTime, payInfo, redirectUrl, method } = payment
  if (expirationTime !== null && redirectUrl !== null && isSlow(method))
    return after(expirationTime, namedMethod(method)?.resultMs ?? 0)
  const until = payInfo?.received?.until
  if (expirationTime === null || until === undefined) return expirationTime
  const rest = new Date(until)
  return rest > expirationTime ? rest : expirationTime
}

/** Until when the result of a slow method is expected. Undefined: it is not slow, or the result is here. */
export function expectedTime(payment: Payment): Date | undefined {
  const isMoving = payment.state === 'SaleInProgress' || payment.state === 'Authorizing'
  return isMoving && isSlow(payment.method) ? resultBy(payment) : undefined
}

/** How long the method may take, counted from the present state. */
export const resultBy = ({ stateTime, method }: Payment): Date =>
  after(stateTime, namedMethod(method)?.resultMs ?? 0)

/** A debit is returned within some days; one that was not authorised by its owner within 60. */
const DAILY_FOR_MS = 7 * DAY
const RETURNED_WITHIN_MS = 60 * DAY
const MONTHLY_MS = 30 * DAY

/** For how long after its capture the payer's bank can return the money. 0: it cannot. */
export function returnableMs(method: AnyMethod | null): number {
  if (method === 'ElectronicCheck') return RETURNED_WITHIN_MS
  return (namedMethod(method)?.returnDays ?? 0) * DAY
}

/** A captured payment is watched for as long; one that was kept although it came late too. */
export const watchedMs = (method: AnyMethod | null): number =>
  Math.max(RETURNED_WITHIN_MS, returnableMs(method))

interface Watched {
  readonly since: Date
  readonly now: Date
  readonly forMs?: number | undefined
}

/**
 * A debit that was captured at `since`, or a page that stays open, is read again: daily for a week, weekly
 * for two months, then monthly.
 */
export function withWatch(payInfo: PayInfo | null, watched: Watched): PayInfo {
  const { since, now, forMs = RETURNED_WITHIN_MS } = watched
  const others = withoutWatch(payInfo)
  const ageMs = now.getTime() - since.getTime()
  const stepMs = ageMs < DAILY_FOR_MS ? DAY : ageMs < RETURNED_WITHIN_MS ? DAILY_FOR_MS : MONTHLY_MS
  const next = after(since, (Math.floor(ageMs / stepMs) + 1) * stepMs)
  if (next.getTime() - since.getTime() > forMs) return others
  return { ...others, watch: { since: since.toISOString(), next: next.toISOString() } }
}

export function withoutWatch(payInfo: PayInfo | null): PayInfo {
  const { watch: _over, ...others } = payInfo ?? {}
  return others
}

/** The customer is at the bank's challenge of a charge: neither approved nor declined yet. */
export const isChallenged = ({ state, payInfo }: Payment): boolean =>
  (state === 'Authorizing' || state === 'SaleInProgress') && payInfo?.challengeUntil !== undefined

/** The customer must agree once more on the provider's page. Without it no money moves. */
export const isAskedAgain = ({ state, payInfo, redirectUrl }: Payment): boolean =>
  state === 'Approved' && payInfo?.challengeUntil !== undefined && redirectUrl !== null

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one

/**
 * The time of the next change by time alone: the end of the link, the authorisation, the bank's challenge or
 * the wait for another capture, or the next read of a debit that can be returned or of a page that could not
 * be closed. Decision 0151.
 */
export function timerOf(payment: Payment): Date | null {
  const { challengeUntil, recapture, watch } = payment.payInfo ?? {}
  switch (payment.state) {
    case 'Created':
      return earlier(payableUntil(payment), watch ? new Date(watch.next) : null)
    case 'Authorized':
    case 'ProviderAuthorizedHold':
      return payment.authorisedUntil
    case 'Authorizing':
    case 'SaleInProgress':
    case 'Approved':
      return challengeUntil ? new Date(challengeUntil) : null
    case 'Capturing':
      return recapture ? new Date(recapture.until) : null
    case 'Captured':
    case 'CapturedHold':
    case 'Disputed':
      return watch ? new Date(watch.next) : null
    default:
      return null
  }
}
