import { currencyDigits } from '../../base/currencies.ts'
import { ApiError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { parseMinor } from '../../base/money.ts'
import { needsOtp, otpError } from '../../merchants/apps/rules.ts'
import {
  type ActionOptions,
  cancelPayment,
  capturePayment,
  markPayment,
  refundPayment,
  unholdPayment,
} from '../../payments/actions.ts'
import type { Action } from '../../payments/machine.ts'
import type { Payment } from '../../payments/payment.ts'
import { isCarriedOut } from '../../payments/requests/repeat.ts'
import { abilitiesOf, allows } from '../../payments/view.ts'
import { permissionFor } from '../../people/access/table.ts'
import { refundAllowance, releaseRefund, reserveRefund } from '../../people/refunds/refunds.ts'
import { membershipOf } from '../../people/signed-in.ts'
import { checkOtp } from '../../people/totp/commands.ts'
import type { AppVisit } from '../frame/visit.ts'

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
export function mayAct({ can }: AppVisit, action: AskedAction | 'recheck' | 'resend'): boolean {
  const permission = permissionFor('POST', `/console/{appId}/payments/{paymentId}/${action}`)
  return permission !== undefined && can(permission)
}

export const isPossible = ({ ctx, app }: AppVisit, payment: Payment, action: AskedAction): boolean =>
  allows(ctx, app, payment, ASKED[action])

export const refundableMinor = ({ capturedMinor, refundedMinor }: Payment): bigint =>
  capturedMinor - refundedMinor

/** Whether a part can be captured or refunded. */
export function takesPart({ ctx, app }: AppVisit, payment: Payment, action: AskedAction): boolean {
  const abilities = abilitiesOf(ctx, app, payment)
  if (action === 'refund') return abilities?.partialRefund === true
  return action === 'capture' && abilities?.partialCapture === true
}

/** What a Support member may still refund today in this currency; undefined for a role without a limit. */
export const allowanceOf = (
  { ctx, person, app }: AppVisit,
  { currency }: Payment,
): Promise<bigint | undefined> => refundAllowance(ctx, person, app.licenseId, currency)

/** Whether the limit of a Support member leaves nothing in this currency, on any day. */
export const hasNoLimit = ({ person, app, role }: AppVisit, { currency }: Payment): boolean =>
  role === 'Support' && !membershipOf(person, app.licenseId)?.refundLimits?.[currency]

/** Whether this action needs a one-time code of the person. */
export const needsCode = ({ ctx, app }: AppVisit, action: AskedAction): boolean =>
  needsOtp(app, ctx.actor, ASKED[action])

/** `12.50`, `12,50` or `12`, in minor units. */
export function readAmountField(text: string, currency: string): bigint | undefined {
  const digits = currencyDigits(currency)
  const decimal = new RegExp(`^\\d{1,12}(?:[.,]\\d{1,${Math.max(1, digits)}})?$`)
  const plain = text.replace(/[\s\u00a0\u202f]/g, '')
  return decimal.test(plain) ? parseMinor(plain.replace(',', '.'), currency) : undefined
}

/** What a person asks for, with the values of the form. */
export interface Asked {
  readonly action: AskedAction
  readonly amountMinor?: bigint | undefined
  /** The decimal text that the commands take. */
  readonly amount?: string | undefined
  readonly note?: string | undefined
  readonly otpCode?: string | undefined
}

/**
 * The only way by which the page acts on a payment. The id of the form is the idempotency key: a form that is
 * sent twice acts once, and needs its one-time code once.
 */
export async function carryOut(visit: AppVisit, payment: Payment, asked: Asked): Promise<void> {
  const { ctx, call } = visit
  const [nonce = ''] = (call.form.get('form') ?? '').split('.')
  const requestKey = `console_${nonce}`
  const { action, amountMinor } = asked
  const isDone = () => isCarriedOut(ctx, payment, { action: ASKED[action], requestKey, amountMinor })
  if (await isDone()) return
  if (needsCode(visit, action)) {
    const refused = await codeRefusal(visit, asked.otpCode)
    // The same form may have used the code in the meantime.
    if (refused && (await isDone())) return
    if (refused) throw refused
  }
  const options: ActionOptions = {
    waitMs: LIMITS.checkoutWaitMs,
    requestKey,
    ...(asked.amount === undefined ? {} : { amount: asked.amount }),
    ...(asked.note === undefined ? {} : { description: asked.note }),
  }
  await (action === 'refund' ? refund(visit, payment, asked, options) : act(visit, payment, asked, options))
}

async function codeRefusal({ ctx, person }: AppVisit, code = ''): Promise<ApiError | undefined> {
  if (!person.hasSecondFactor) return otpError('otp_not_enrolled')
  if (code === '') return otpError('otp_required')
  const result = await checkOtp(ctx, person.personId, code)
  if (result === 'right') return undefined
  return otpError(result === 'wrong' ? 'otp_invalid' : 'otp_not_enrolled')
}

/** Counts towards the limit of the person, unless it is refused. */
async function refund(
  visit: AppVisit,
  payment: Payment,
  asked: Asked,
  options: ActionOptions,
): Promise<void> {
  const { ctx, app, person } = visit
  const { appId, licenseId } = app
  const { paymentId, currency } = payment
  const key = { appId, paymentId, requestKey: options.requestKey ?? '' }
  const amountMinor = asked.amountMinor ?? refundableMinor(payment)
  await reserveRefund(ctx, { ...key, licenseId, personId: person.personId, currency, amountMinor })
  try {
    await refundPayment(ctx, app, payment, options)
  } catch (error) {
    // A key that was used before belongs to a refund that counts.
    if (error instanceof ApiError && error.code !== 'idempotency_key_reused') await releaseRefund(ctx.db, key)
    throw error
  }
}

function act(
  { ctx, app }: AppVisit,
  payment: Payment,
  { action, note }: Asked,
  options: ActionOptions,
): Promise<Payment> {
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
      return markPayment(ctx, app, payment, { action: 'mark-as-refund', reason: note })
    case 'mark-disputed':
      return markPayment(ctx, app, payment, { action: 'mark-as-dispute', reason: note })
  }
}
