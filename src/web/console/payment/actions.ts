import { currencyDigits } from '../../../base/currencies.ts'
import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { parseMinor } from '../../../base/money.ts'
import { decimalSign, plainDecimal } from '../../../base/presentation/typed-amount.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../merchants/app.ts'
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
import { isCarriedOut } from '../../../payments/requests/repeat.ts'
import { restrictedAs } from '../../../payments/requests/restrictions.ts'
import { abilitiesOf, allows } from '../../../payments/view.ts'
import type { Permission } from '../../../people/access/roles.ts'
import { refundAllowance } from '../../../people/refunds/refunds.ts'
import { remainingRefund } from '../../../people/refunds/rules.ts'
import { membershipOf } from '../../../people/signed-in.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { PostedForm } from '../../kit/request/form-body.ts'

/** An action that a person is asked to confirm. */
interface AskedAs {
  /** The action of the machine. */
  readonly action: Action
  readonly permission: Permission
  readonly kind: 'primary' | 'danger'
  readonly run: (ctx: Context, app: App, payment: Payment, options: ActionOptions) => Promise<Payment>
}

const marking = (action: 'mark-as-refund' | 'mark-as-dispute'): AskedAs => ({
  action,
  permission: 'PaymentWrite',
  kind: 'danger',
  run: (ctx, app, payment, { description, otpCode }) =>
    markPayment(ctx, app, payment, { action, reason: description, otpCode }),
})

export const ASKED = {
  refund: { action: 'refund', permission: 'PaymentRefund', kind: 'danger', run: refundPayment },
  capture: { action: 'capture', permission: 'PaymentWrite', kind: 'primary', run: capturePayment },
  cancel: { action: 'cancel', permission: 'PaymentWrite', kind: 'danger', run: cancelPayment },
  release: { action: 'unhold', permission: 'PaymentReview', kind: 'primary', run: unholdPayment },
  'mark-refunded': marking('mark-as-refund'),
  'mark-disputed': marking('mark-as-dispute'),
} as const satisfies Record<string, AskedAs>

export type AskedAction = keyof typeof ASKED

/** Whether the role of the person may ever do this. */
export const mayAct = ({ mayUse }: AppRequest, action: AskedAction | 'recheck' | 'resend'): boolean =>
  mayUse('POST', `/payments/{paymentId}/${action}`)

/** A cancel that gives captured money back is for those who may refund. */
export const isPossible = ({ ctx, app, can }: AppRequest, payment: Payment, action: AskedAction): boolean =>
  allows(ctx, app, payment, ASKED[action].action) &&
  (restrictedAs(ASKED[action].action, payment) !== 'refund' || can('PaymentRefund'))

export const refundableMinor = ({ capturedMinor, refundedMinor }: Payment): bigint =>
  capturedMinor - refundedMinor

/** Whether a part can be captured or refunded. */
export function takesPart({ ctx, app }: AppRequest, payment: Payment, action: AskedAction): boolean {
  const abilities = abilitiesOf(ctx, app, payment)
  if (action === 'refund') return abilities?.partialRefund === true
  return action === 'capture' && abilities?.partialCapture === true
}

/** What the member may still refund today in this currency; undefined for a role without a limit. */
export const allowanceOf = (
  { ctx, person, app }: AppRequest,
  { currency }: Pick<Payment, 'currency'>,
): Promise<bigint | undefined> => refundAllowance(ctx, person, app.licenseId, currency)

/** Whether the limit of the member leaves nothing in this currency, on any day. */
export function hasNoLimit({ person, app }: AppRequest, { currency }: Payment): boolean {
  const membership = membershipOf(person, app.licenseId)
  return membership !== undefined && remainingRefund(membership, currency, 0n) === 0n
}

/** Whether this action needs a one-time code of the person. */
export const needsCode = ({ ctx, app }: AppRequest, payment: Payment, action: AskedAction): boolean =>
  needsOtp(app, ctx.actor, restrictedAs(ASKED[action].action, payment))

/** A typed amount in minor units: at most two decimals that count, as in the API. */
export function readAmountField(text: string, currency: string, intl: string): bigint | undefined {
  const digits = currencyDigits(currency)
  const plain = plainDecimal(text, decimalSign(intl))
  const minor = plain === undefined ? undefined : parseMinor(plain, currency)
  const hundredth = 10n ** BigInt(Math.max(0, digits - 2))
  return minor !== undefined && minor % hundredth === 0n ? minor : undefined
}

/** The id of a form: one that is sent twice acts once. */
export function requestKeyOf({ form }: PostedForm): string {
  const [nonce = ''] = (form.get('form') ?? '').split('.')
  return `console_${nonce}`
}

/**
 * The only way by which the page acts on a payment. The id of the form is the idempotency key: a form that is
 * sent twice acts once.
 */
export async function carryOut(
  { ctx, app, call }: AppRequest,
  payment: Payment,
  action: AskedAction,
  options: Pick<ActionOptions, 'amountMinor' | 'description' | 'reason' | 'otpCode'>,
): Promise<void> {
  const requestKey = requestKeyOf(call)
  const { action: name, run } = ASKED[action]
  try {
    await run(ctx, app, payment, { waitMs: LIMITS.checkoutWaitMs, requestKey, ...options })
  } catch (error) {
    // The same form may have used the code in the meantime.
    const isUsed = error instanceof ApiError && error.code === 'otp_invalid'
    const { amountMinor } = options
    if (!isUsed || !(await isCarriedOut(ctx, payment, { action: name, requestKey, amountMinor }))) throw error
  }
}
