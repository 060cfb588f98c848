import { isCurrency } from '../../base/currencies.ts'
import { invalid } from '../../base/errors.ts'
import { expected } from '../../base/mistakes.ts'
import type { RefundLimits } from '../person.ts'

/** Throws 400 for limits that are not positive minor units of known currencies. */
export function checkLimits(limits: RefundLimits | null): void {
  const wrong = Object.entries(limits ?? {}).filter(
    ([currency, minor]) => !isCurrency(currency) || !/^[1-9]\d{0,17}$/.test(minor),
  )
  if (wrong.length > 0)
    throw invalid(wrong.map(([currency]) => expected(`refundLimits.${currency}`, 'amount')))
}
