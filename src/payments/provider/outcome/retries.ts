import { HOUR, SECOND } from '../../../base/clock.ts'
import { LIMITS, recheckPause } from '../../../base/limits.ts'
import type { OperationRecord, Payment } from '../../payment.ts'

// Pure: what is known about earlier requests of an operation, and when the next one is sent.

/** The provider may name a later time; a wrong one cannot stop the operation for more than an hour. */
export function retryPause({ tries }: OperationRecord, now: Date, retryAfter: Date | undefined): number {
  const askedMs = retryAfter ? retryAfter.getTime() - now.getTime() : 0
  return Math.max(recheckPause(tries), Math.min(askedMs, HOUR))
}

/** What a provider that was asked too often gets: one to two seconds, then longer, spread over the calls. */
export function rateLimitPause(operation: OperationRecord, now: Date, retryAfter: Date | undefined): number {
  const { key, tries } = operation
  const spread = [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000, tries)
  const ownMs = (SECOND + spread) * 2 ** Math.min(tries, 5)
  const askedMs = retryAfter ? retryAfter.getTime() - now.getTime() + spread : 0
  return Math.max(ownMs, Math.min(askedMs, HOUR))
}

/** How long a charge that the provider does not take for its rate limit is sent again. */
const RATE_LIMITED_MS = HOUR

/**
 * Whether a first request that met a rate limit is sent again: nothing was done. A charge without the
 * customer can wait; a customer who waits for a page gets one more try.
 */
export function waitsForRate({ payment, operation }: Required<Subject>, now: Date): boolean {
  if (!operation) return false
  const ageMs = now.getTime() - operation.createdTime.getTime()
  if (operation.step === 'charge') return payment.flow === 'AutoPayment' && ageMs < RATE_LIMITED_MS
  const opensPage = operation.step === 'start' && payment.state === 'Created'
  return opensPage && payment.flow !== 'ProviderHostedPage' && operation.tries === 0
}

/** Another worker takes an operation over after its lease, with the number of tries unchanged. */
export const wasSentBefore = ({ tries, createdTime }: OperationRecord, now: Date): boolean =>
  tries > 0 || now.getTime() - createdTime.getTime() >= LIMITS.operationLeaseMs

interface Subject {
  readonly payment: Payment
  readonly operation: OperationRecord | undefined
}

/** A payment that the provider holds is being released. If that fails, the provider holds it as before. */
export const isRelease = ({ payment, operation }: Subject): boolean =>
  operation?.step === 'resume' && payment.state === 'Authorizing'
