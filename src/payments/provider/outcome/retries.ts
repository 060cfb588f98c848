import { HOUR } from '../../../base/clock.ts'
import { LIMITS, recheckPause } from '../../../base/limits.ts'
import type { OperationRecord, Payment } from '../../payment.ts'

// Pure: what is known about earlier requests of an operation, and when the next one is sent.

/** The provider may name a later time; a wrong one cannot stop the operation for more than an hour. */
export function retryPause({ tries }: OperationRecord, now: Date, retryAfter: Date | undefined): number {
  const askedMs = retryAfter ? retryAfter.getTime() - now.getTime() : 0
  return Math.max(recheckPause(tries), Math.min(askedMs, HOUR))
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
