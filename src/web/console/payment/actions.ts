import { currencyDigits } from '../../../base/currencies.ts'
import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { parseMinor } from '../../../base/money.ts'
import { needsOtp } from '../../../merchants/apps/rules.ts'
import {
  type ActionOptions,
  cancelPayment,
  capturePayment,
  markPayment,
  refundPayment,
  unholdPayment,
} from '../../../payments/actions.ts'
import type { Action } from '../../../payments/machine.ts'
import type { Payment } from '../../../payments/payment.ts'
import { boundAs } from '../../../payments/requests/permits.ts'
import { isCarriedOut } from '../../../payments/requests/repeat.ts'
import { abilitiesOf, allows } from '../../../payments/view.ts'
import { refundAllowance } from '../../../people/refunds/refunds.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import type { AppRequest } from '../../kit/frame/request.ts'

/** The actions that ask first, and the action of the machine behind each. */
export const ASKED = {
  refund: 'refund',
  capture: 'capture',
  cancel: 'cancel',
  release: 'unhold',
  'mark-refunded': 'mark-as-refund',
  'mark-disputed': 'mark-as-dispute',
} as const satisfies Record<string, Action>

export type AskedAction = keyof typeof ASKED

/** Whether the role of the person may ever do this. */
export const mayAct = ({ mayUse }: AppRequest, action: AskedAction | 'recheck' | 'resend'): boolean =>
  mayUse('POST', `/payments/{paymentId}/${action}`)

export const isPossible = ({ ctx, app }: AppRequest, payment: Payment, action: AskedAction): boolean =>
  allows(ctx, app, payment, ASKED[action])

export const refundableMinor = ({ capturedMinor, refundedMinor }: Payment): bigint =>
  capturedMinor - refundedMinor

/** Whether a part can be captured or refunded. */
export function takesPart({ ctx, app }: AppRequest, payment: Payment, action: AskedAction): boolean {
  const abilities = abilitiesOf(ctx, app, payment)
  if (action === 'refund') return abilities?.partialRefund === true
  return action === 'capture' && abilities?.partialCapture === true
}

/** What a Support member may still refund today in this currency; undefined for a role without a limit. */
export const allowanceOf = (
  { ctx, person, app }: AppRequest,
  { currency }: Payment,
): Promise<bigint | undefined> => refundAllowance(ctx, person, app.licenseId, currency)

/** Whether the limit of a Support member leaves nothing in this currency, on any day. */
export const hasNoLimit = ({ person, app, role }: AppRequest, { currency }: Payment): boolean =>
  role === 'Support' && !membershipOf(person, app.licenseId)?.refundLimits?.[currency]

/** Whether this action needs a one-time code of the person. */
export const needsCode = ({ ctx, app }: AppRequest, payment: Payment, action: AskedAction): boolean =>
  needsOtp(app, ctx.actor, boundAs(ASKED[action], payment))

/** `12.50`, `12,50` or `12`, in minor units: at most two decimals that count, as in the API. */
export function readAmountField(text: string, currency: string): bigint | undefined {
  const digits = currencyDigits(currency)
  const decimal = new RegExp(`^\\d{1,12}(?:[.,]\\d{1,${Math.max(1, digits)}})?$`)
  const plain = text.replace(/[\s\u00a0\u202f]/g, '')
  const minor = decimal.test(plain) ? parseMinor(plain.replace(',', '.'), currency) : undefined
  const hundredth = 10n ** BigInt(Math.max(0, digits - 2))
  return minor !== undefined && minor % hundredth === 0n ? minor : undefined
}

/** What a person asks for, with the values of the form. */
export interface Asked {
  readonly action: AskedAction
  readonly amountMinor?: bigint | undefined
  readonly note?: string | undefined
  readonly otpCode?: string | undefined
}

/**
 * The only way by which the page acts on a payment. The id of the form is the idempotency key: a form that is
 * sent twice acts once.
 */
export async function carryOut(request: AppRequest, payment: Payment, asked: Asked): Promise<void> {
  const { ctx, call } = request
  const [nonce = ''] = (call.form.get('form') ?? '').split('.')
  const requestKey = `console_${nonce}`
  const { action, amountMinor, note, otpCode } = asked
  const options = { waitMs: LIMITS.checkoutWaitMs, requestKey, amountMinor, description: note, otpCode }
  try {
    await act(request, payment, action, options)
  } catch (error) {
    // The same form may have used the code in the meantime.
    const isUsed = error instanceof ApiError && error.code === 'otp_invalid'
    const request = { action: ASKED[action], requestKey, amountMinor }
    if (!isUsed || !(await isCarriedOut(ctx, payment, request))) throw error
  }
}

function act(
  { ctx, app }: AppRequest,
  payment: Payment,
  action: AskedAction,
  options: ActionOptions,
): Promise<Payment> {
  const mark = { reason: options.description, otpCode: options.otpCode }
  switch (action) {
    case 'refund':
      return refundPayment(ctx, app, payment, options)
    case 'capture':
      return capturePayment(ctx, app, payment, options)
    case 'cancel':
      return cancelPayment(ctx, app, payment, options)
    case 'release':
      return unholdPayment(ctx, app, payment, options)
    case 'mark-refunded':
      return markPayment(ctx, app, payment, { action: 'mark-as-refund', ...mark })
    case 'mark-disputed':
      return markPayment(ctx, app, payment, { action: 'mark-as-dispute', ...mark })
  }
}
