import type { Actor } from '../../base/actor.ts'
import { ApiError } from '../../base/errors.ts'
import type { App } from '../app.ts'

const OTP_ACTIONS = ['refund', 'mark-as-refund', 'mark-as-dispute']

/**
 * Whether the action needs a one-time code: of the person, or of the person who made the API key. Jobs and
 * payers have no actor and need none.
 */
export function needsOtp(
  { twoFactorRequired, requireOtpForApiKeys }: Pick<App, 'twoFactorRequired' | 'requireOtpForApiKeys'>,
  actor: Pick<Actor, 'kind'> | undefined,
  action: string,
): boolean {
  if (!twoFactorRequired || !OTP_ACTIONS.includes(action)) return false
  return actor?.kind === 'person' || (actor?.kind === 'key' && requireOtpForApiKeys)
}

const OTP_ERRORS = {
  otp_required: ['Need2FaException', 'Send the current one-time code as otpCode.'],
  otp_invalid: ['Invalid2FaException', 'The one-time code is wrong or has expired.'],
  otp_not_enrolled: ['NeedToActive2FaException', 'Set up a second factor first.'],
} as const

/** Existing clients tell these three apart by their TypeName. */
export function otpError(code: keyof typeof OTP_ERRORS): ApiError {
  const [TypeName, detail] = OTP_ERRORS[code]
  return new ApiError(code, detail, { members: { TypeName } })
}

/** A policy is named by an id: in the order of a payment, on a customer, as the default of an app. */
export const unknownFraudPolicy = (field: string): ApiError =>
  new ApiError('unknown_fraud_policy', `${field} names no fraud policy of this app.`, {
    errors: [{ field, message: 'names no fraud policy of this app' }],
  })
