import { LIMITS } from '../../../base/limits.ts'
import type { Payment } from '../../../payments/payment.ts'
import { linkExpired } from '../../../payments/timers/due.ts'

/** Pure: the checkout page for a payment's state, independent of the requested URL. */
export type CheckoutStep = 'form' | 'provider' | 'challenge' | 'status' | 'result'

/** `isInProgress`: a request to the provider is pending, the payment row does not show it yet. */
export function stepOf(payment: Payment, now: Date, isInProgress = false): CheckoutStep {
  switch (payment.state) {
    case 'Created':
      return openStep(payment, now, isInProgress)
    case 'Authorizing':
    case 'SaleInProgress':
    case 'Approved':
      return payment.redirectUrl === null ? 'status' : 'challenge'
    case 'Capturing':
      return 'status'
    default:
      return 'result'
  }
}

function openStep(payment: Payment, now: Date, isInProgress: boolean): CheckoutStep {
  if (payment.flow === 'AutoPayment') return 'result'
  if (payment.flow === 'ProviderHostedPage') return payment.redirectUrl === null ? 'result' : 'provider'
  if (isInProgress) return 'status'
  return linkExpired(payment, now) || tooManyAttempts(payment) ? 'result' : 'form'
}

/** An open page at a provider may still be paid, so it does not count as too many attempts. */
export const tooManyAttempts = ({ attempt, redirectUrl }: Payment): boolean =>
  attempt >= LIMITS.checkoutAttempts && redirectUrl === null

/** Whether an attempt may be pending that the payment row does not show: its operations decide. */
export const mayBeInProgress = ({ state, attempt, redirectUrl, payInfo }: Payment): boolean =>
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
