import type { Actor } from '../../base/actor.ts'
import { ApiError, wrongField } from '../../base/errors.ts'
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
export function otpError(code: keyof typeof OTP_ERRORS, detail: string = OTP_ERRORS[code][1]): ApiError {
  return new ApiError(code, detail, { members: { TypeName: OTP_ERRORS[code][0] } })
}

type Protection = Pick<
  App,
  'twoFactorRequired' | 'requireOtpForApiKeys' | 'maxRefundsDaily' | 'refundApprovalAbove' | 'refundEmails'
>

/** Absent members stay unchanged. */
export type ProtectionChanges = { readonly [Field in keyof Protection]?: Protection[Field] | undefined }

/** Whether the changes name one of the settings that protect refunds. */
export const namesProtection = (changes: ProtectionChanges): boolean =>
  [
    changes.twoFactorRequired,
    changes.requireOtpForApiKeys,
    changes.maxRefundsDaily,
    changes.refundApprovalAbove,
    changes.refundEmails,
  ].some((value) => value !== undefined)

/** The settings that would protect refunds less than before, by their names in the API. */
export function loosened(before: Protection, changes: ProtectionChanges): string[] {
  const { maxRefundsDaily: most, refundEmails } = changes
  const isRaised = most === null || (most ?? 0) > (before.maxRefundsDaily ?? Number.POSITIVE_INFINITY)
  const found: readonly (readonly [name: string, isLoosened: boolean])[] = [
    ['isTwoFactorAuthenticationEnabled', before.twoFactorRequired && changes.twoFactorRequired === false],
    ['requireOtpForApiKeys', before.requireOtpForApiKeys && changes.requireOtpForApiKeys === false],
    ['maxThresholdRefundCountDaily', before.maxRefundsDaily !== null && isRaised],
    ['refundApprovalAbove', isApprovalLoosened(before.refundApprovalAbove, changes.refundApprovalAbove)],
    [
      'refundProcessReceiverEmails',
      refundEmails !== undefined && before.refundEmails.some((email) => !refundEmails.includes(email)),
    ],
  ]
  return found.flatMap(([name, isLoosened]) => (isLoosened ? [name] : []))
}

/** Whether an amount is gone or higher. */
const isApprovalLoosened = (
  before: Protection['refundApprovalAbove'],
  next: Protection['refundApprovalAbove'] | undefined,
): boolean =>
  next !== undefined &&
  Object.entries(before).some(([currency, above]) => {
    const now = next[currency]
    return now === undefined || BigInt(now) > BigInt(above)
  })

/** Throws 403 unless a person with a code, or the service itself, loosens them. */
export function checkLoosening(actor: Actor | undefined, names: readonly string[]): void {
  if (names.length === 0 || !actor) return
  if (actor.kind !== 'person')
    throw new ApiError('forbidden', `Only a person with a code can loosen ${names.join(', ')}.`, {
      errors: names.map((field) => wrongField(field, 'can be loosened only by a person with a code')),
    })
  if (actor.code !== 'given')
    throw otpError(actor.code === 'not-enrolled' ? 'otp_not_enrolled' : 'otp_required')
}

/** A policy is named by an id: in the order of a payment, on a customer, as the default of an app. */
export const unknownFraudPolicy = (field: string): ApiError =>
  new ApiError('unknown_fraud_policy', `${field} names no fraud policy of this app.`, {
    errors: [wrongField(field, 'names no fraud policy of this app')],
  })
