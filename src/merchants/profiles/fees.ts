import { type FieldError, invalid } from '../../base/errors.ts'
import { expected } from '../../base/mistakes.ts'
import { decimalsOf, majorNumber, parseMinor } from '../../base/money.ts'
import type { Profile, ProfileFees } from '../app.ts'

/** Fees as the merchant's contracts have them: for previews, and compared with what providers report. */

const INITIAL = ['providerInitialFee', 'appInitialFee'] as const
const PERCENTAGE = ['providerPercentageFee', 'appPercentageFee'] as const
const PERCENTAGE_DECIMALS = 4

export function checkFees(fees: ProfileFees, currency: string): void {
  const errors: FieldError[] = []
  for (const field of INITIAL)
    if (fees[field] != null && parseMinor(fees[field], currency) === undefined)
      errors.push(expected(field, 'amountOf', { currency }))
  for (const field of PERCENTAGE)
    if (decimalsOf(fees[field] ?? 0) > PERCENTAGE_DECIMALS)
      errors.push(expected(field, 'placesUpTo', { places: PERCENTAGE_DECIMALS }))
  if (errors.length > 0) throw invalid(errors)
}

export const feesView = ({ fees }: Pick<Profile, 'fees'>) => ({
  providerInitialFee: fees?.providerInitialFee ?? null,
  providerPercentageFee: fees?.providerPercentageFee ?? null,
  appInitialFee: fees?.appInitialFee ?? null,
  appPercentageFee: fees?.appPercentageFee ?? null,
})

/** What a payment of this amount would cost, rounded to the nearest minor unit. */
export function feePreview({ profileId, currency, fees }: Profile, amount: string) {
  const minor = parseMinor(amount, currency)
  if (minor === undefined) throw invalid([expected('amount', 'amountOf', { currency })])
  const provider = feeOf(minor, currency, fees?.providerInitialFee, fees?.providerPercentageFee)
  const app = feeOf(minor, currency, fees?.appInitialFee, fees?.appPercentageFee)
  return {
    paymentProfileId: profileId,
    processingFee: majorNumber(provider + app, currency),
    appFee: majorNumber(app, currency),
    secretFee: 0,
    providerFee: majorNumber(provider, currency),
  }
}

/** The provider's fee of an amount. Undefined: the profile has no tariff, or one in another currency. */
export function providerFee(
  { currency: own, fees }: Pick<Profile, 'currency' | 'fees'>,
  minor: bigint,
  currency: string,
): bigint | undefined {
  if (currency !== own || (fees?.providerInitialFee == null && fees?.providerPercentageFee == null))
    return undefined
  return feeOf(minor, currency, fees.providerInitialFee, fees.providerPercentageFee)
}

function feeOf(
  minor: bigint,
  currency: string,
  initial: number | null | undefined,
  percentage: number | null | undefined,
): bigint {
  const scale = 10 ** PERCENTAGE_DECIMALS
  const share = minor * BigInt(Math.round((percentage ?? 0) * scale))
  const whole = BigInt(100 * scale)
  return (parseMinor(initial ?? 0, currency) ?? 0n) + (share + whole / 2n) / whole
}
