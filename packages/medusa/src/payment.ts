import type { BigNumberInput } from '@medusajs/framework/types'
import { defaultCurrencies, MathBN, MedusaError, PaymentSessionStatus } from '@medusajs/framework/utils'
import { type Payment, TenderError } from 'tender-sdk'

/** Older versions of Medusa have no orders that wait for their payment. */
const LATER = PaymentSessionStatus.PENDING_AUTHORIZATION ?? PaymentSessionStatus.PENDING

const STATUS: Readonly<Record<Payment['paymentState'], PaymentSessionStatus>> = {
  Created: PaymentSessionStatus.PENDING,
  Authorizing: PaymentSessionStatus.PENDING,
  Approved: PaymentSessionStatus.PENDING,
  SaleInProgress: LATER,
  ProviderAuthorizedHold: LATER,
  CapturedHold: LATER,
  Authorized: PaymentSessionStatus.AUTHORIZED,
  Capturing: PaymentSessionStatus.AUTHORIZED,
  Captured: PaymentSessionStatus.CAPTURED,
  Refunding: PaymentSessionStatus.CAPTURED,
  Disputed: PaymentSessionStatus.CAPTURED,
  Cancelling: PaymentSessionStatus.PENDING,
  Refunded: PaymentSessionStatus.CANCELED,
  Failed: PaymentSessionStatus.ERROR,
}

export const statusOf = ({ paymentState }: Payment): PaymentSessionStatus => STATUS[paymentState]

/** Ended, and the customer has all of the money. */
export const isOver = ({ paymentState }: Payment): boolean =>
  paymentState === 'Failed' || paymentState === 'Refunded'

/** The customer has paid: the money is taken or reserved. */
export const isPaid = ({ paymentState }: Payment): boolean =>
  ['Authorized', 'Capturing', 'Captured', 'ProviderAuthorizedHold', 'CapturedHold'].includes(paymentState)

/** The reference of the session's first payment is its id. Each change of the amount adds a number. */
export const referenceOf = (sessionId: string, version: number): string =>
  version === 1 ? sessionId : `${sessionId}.${version}`

export const sessionOf = ({ referenceId }: Payment): string => referenceId.split('.')[0] ?? ''

/** What the session keeps. The storefront can read it. */
export const dataOf = (payment: Payment) => ({
  session_id: sessionOf(payment),
  paymentId: payment.paymentId,
  paymentKey: payment.paymentKey,
  version: Number(payment.referenceId.split('.')[1] ?? 1),
  paymentState: payment.paymentState,
  redirectUrl: payment.redirectUrl,
})

/** Medusa's totals can have more decimals than the currency, and Tender takes two at most. */
export function amountText(amount: BigNumberInput, currency: string): string {
  const { decimal_digits: decimals = 2 } = defaultCurrencies[currency.toUpperCase()] ?? {}
  return MathBN.convert(amount).toFixed(Math.min(decimals, 2))
}

export const isSameAmount = (amount: BigNumberInput, { amount: paid, currency }: Payment): boolean =>
  amountText(amount, currency) === amountText(paid, currency)

export const notAllowed = (message: string): MedusaError =>
  new MedusaError(MedusaError.Types.NOT_ALLOWED, message)

/** Tender's refusals, with what the merchant can do. */
export async function told<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof TenderError)) throw error
    throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, adviceFor(error))
  }
}

function adviceFor({ status, code, message, isRetryable, requestId }: TenderError): string {
  if (status === 401 || status === 403)
    return `Tender refuses the API key: check url, appId and apiKey in medusa-config.ts. ${message}`
  if (status === undefined || status >= 500)
    return (
      `Tender gave no usable answer, so it is not known whether it acted: check url in medusa-config.ts, ` +
      `and look at the payment in Tender before you repeat a refund. Try again in a minute. ${message}`
    )
  const hint = isRetryable ? ' Try again in a minute.' : ''
  return `Tender refuses this: ${message} (${code}, request ${requestId ?? 'unknown'})${hint}`
}
