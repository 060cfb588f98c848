import { LIMITS } from '../../../base/limits.ts'
import { linkExpired } from '../../../payments/changes.ts'
import type { Payment } from '../../../payments/payment.ts'

/** Pure: on which page a payment is, whatever address was asked for. */
export type CheckoutStep = 'form' | 'provider' | 'challenge' | 'status' | 'result'

/** `underWay`: a provider is being asked, and nothing is known of it yet. */
export function stepOf(payment: Payment, now: Date, underWay = false): CheckoutStep {
  switch (payment.state) {
    case 'Created':
      return openStep(payment, now, underWay)
    case 'Authorizing':
    case 'SaleInProgress':
      return payment.redirectUrl === null ? 'status' : 'challenge'
    case 'Approved':
    case 'Capturing':
      return 'status'
    default:
      return 'result'
  }
}

function openStep(payment: Payment, now: Date, underWay: boolean): CheckoutStep {
  if (payment.flow === 'AutoPayment') return 'result'
  if (payment.flow === 'ProviderHostedPage') return payment.redirectUrl === null ? 'result' : 'provider'
  if (underWay) return 'status'
  return linkExpired(payment, now) || tooManyAttempts(payment) ? 'result' : 'form'
}

/** A page waits at a provider: it may still be paid, so it is no reason to send the payer away. */
export const tooManyAttempts = ({ attempt, redirectUrl }: Payment): boolean =>
  attempt >= LIMITS.checkoutAttempts && redirectUrl === null

/** Whether an attempt may be under way of which the row says nothing: worth a look at its operations. */
export const mayBeUnderWay = ({ state, attempt, redirectUrl, payInfo }: Payment): boolean =>
  state === 'Created' && attempt > 0 && redirectUrl === null && payInfo?.declined === undefined

export function stepUrl(base: string, step: CheckoutStep, attempt: number): string {
  switch (step) {
    case 'form':
      return base
    case 'provider':
      return `${base}/go`
    case 'challenge':
      return `${base}/challenge/${attempt}`
    default:
      return `${base}/${step}`
  }
}
