import type { Payment } from '../../../payments/payment.ts'
import { locationOf } from '../../location.ts'

/** The shop's own address, its query as it came, with what names the payment added. */
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
