import type { Payment } from '../../../payments/payment.ts'
import { locationOf } from '../../kit/request/location.ts'

/** The merchant's return URL, query unchanged, with the ids of the payment appended. */
export function returnUrlOf(
  payment: Pick<Payment, 'returnUrl' | 'paymentId' | 'referenceId'>,
): string | undefined {
  const { returnUrl, paymentId, referenceId } = payment
  if (returnUrl === null) return undefined
  const hash = returnUrl.indexOf('#')
  const [page, fragment] = hash < 0 ? [returnUrl, ''] : [returnUrl.slice(0, hash), returnUrl.slice(hash)]
  const join = !page.includes('?') ? '?' : /[?&]$/.test(page) ? '' : '&'
  const added = `paymentId=${paymentId}&referenceId=${encodeURIComponent(referenceId)}`
  return locationOf(`${page}${join}${added}${fragment}`)
}
