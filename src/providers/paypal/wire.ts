import type { Money } from '../../base/money.ts'
import { itemsAt, matching, textAt, timeAt, valueAt, webUrlAt } from '../kit/json.ts'
import { moneyIn } from './money.ts'

/** The parts of PayPal's JSON that the adapter reads. A reader returns undefined if one is malformed. */

export interface PaypalOrder {
  readonly id: string
  readonly intent: 'AUTHORIZE' | 'CAPTURE'
  readonly status: string
  readonly reference: string | undefined
  readonly amount: Money
  readonly createdAt: Date | undefined
  readonly approvalUrl: string | undefined
  readonly payer: PaypalPayer
  readonly vaultId: string | undefined
  /** What refunds have returned, if not all of them are known. */
  readonly refundedSum?: Money | undefined
  readonly authorizations: readonly PaypalAuthorization[]
  readonly captures: readonly PaypalCapture[]
  readonly refunds: readonly PaypalRefund[]
}

export interface PaypalPayer {
  readonly id?: string
  readonly fullName?: string
  readonly email?: string
  readonly country?: string
}

interface Payment {
  readonly id: string
  readonly status: string
  readonly amount: Money
  /** `custom_id`: our reference, on a refund the key of the operation. */
  readonly customId: string | undefined
  readonly createdAt: Date | undefined
}

/** What the payer's bank answered. */
interface BankAnswer {
  readonly bankCode: string | undefined
  /** The advice of the card network. */
  readonly adviceCode: string | undefined
}

export interface PaypalAuthorization extends Payment, BankAnswer {
  readonly expiresAt: Date | undefined
}

export interface PaypalCapture extends Payment, BankAnswer {
  /** The key of the operation that captured an authorisation. */
  readonly invoiceId: string | undefined
  readonly reason: string | undefined
  readonly fee: Money | undefined
}

export interface PaypalRefund extends Payment {
  readonly captureId: string | undefined
  /** What all refunds of the capture have returned so far. */
  readonly total: Money | undefined
}

/** An id that may be put into a path. */
export const idAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const id = textAt(value, ...path)
  return isId(id) ? id : undefined
}
const isId = matching(/^[0-9A-Za-z_-]{1,64}$/)

/** Every item, or undefined if one is malformed. A missing list is empty. */
function every<T>(value: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  const items = (itemsAt(value) ?? []).map(read)
  return items.includes(undefined) ? undefined : (items as T[])
}

export function orderIn(body: unknown): PaypalOrder | undefined {
  const id = idAt(body, 'id')
  const status = textAt(body, 'status')
  const intent = valueAt(body, 'intent')
  const units = itemsAt(body, 'purchase_units') ?? []
  const [unit] = units
  const amount = moneyIn(valueAt(unit, 'amount'))
  const payments = valueAt(unit, 'payments')
  const authorizations = every(valueAt(payments, 'authorizations'), authorizationIn)
  const captures = every(valueAt(payments, 'captures'), captureIn)
  const refunds = every(valueAt(payments, 'refunds'), refundIn)
  if (id === undefined || status === undefined || !amount || units.length !== 1) return undefined
  if (intent !== 'AUTHORIZE' && intent !== 'CAPTURE') return undefined
  if (!authorizations || !captures || !refunds) return undefined
  return {
    ...{ id, intent, status, amount, authorizations, captures, refunds },
    reference: textAt(unit, 'custom_id'),
    createdAt: timeAt(body, 'create_time'),
    approvalUrl: linkIn(body, 'payer-action') ?? linkIn(body, 'approve'),
    payer: payerIn(body),
    vaultId: vaultIdIn(body),
  }
}

function paymentIn(value: unknown): Payment | undefined {
  const id = idAt(value, 'id')
  const status = textAt(value, 'status')
  const amount = moneyIn(valueAt(value, 'amount'))
  if (id === undefined || status === undefined || !amount) return undefined
  const customId = textAt(value, 'custom_id')
  return { id, status, amount, customId, createdAt: timeAt(value, 'create_time') }
}

const bankAnswerIn = (value: unknown): BankAnswer => ({
  bankCode: textAt(value, 'processor_response', 'response_code'),
  adviceCode: textAt(value, 'processor_response', 'payment_advice_code'),
})

export function authorizationIn(value: unknown): PaypalAuthorization | undefined {
  const payment = paymentIn(value)
  const expiresAt = timeAt(value, 'expiration_time')
  return payment && { ...payment, expiresAt, ...bankAnswerIn(value) }
}

export function captureIn(value: unknown): PaypalCapture | undefined {
  const payment = paymentIn(value)
  return (
    payment && {
      ...payment,
      invoiceId: textAt(value, 'invoice_id'),
      reason: textAt(value, 'status_details', 'reason'),
      fee: moneyIn(valueAt(value, 'seller_receivable_breakdown', 'paypal_fee')),
      ...bankAnswerIn(value),
    }
  )
}

export function refundIn(value: unknown): PaypalRefund | undefined {
  const payment = paymentIn(value)
  const total = moneyIn(valueAt(value, 'seller_payable_breakdown', 'total_refunded_amount'))
  return payment && { ...payment, captureId: captureIdIn(value), total }
}

/** The capture that a refund belongs to, from its link. */
export function captureIdIn(value: unknown): string | undefined {
  const [, id = ''] = linkIn(value, 'up')?.split('/captures/') ?? []
  return /^[0-9A-Za-z]{1,64}$/.test(id) ? id : undefined
}

export function linkIn(value: unknown, rel: string): string | undefined {
  const link = itemsAt(value, 'links')?.find((one) => valueAt(one, 'rel') === rel)
  return webUrlAt(link, 'href')
}

/** The wallet that paid, else the deprecated `payer`. */
export function payerIn(body: unknown): PaypalPayer {
  const wallet = valueAt(body, 'payment_source', 'paypal')
  const person = valueAt(wallet, 'email_address') === undefined ? valueAt(body, 'payer') : wallet
  const id = textAt(wallet, 'account_id') ?? textAt(wallet, 'payer_id') ?? textAt(body, 'payer', 'payer_id')
  const name = valueAt(person, 'name')
  const names = [textAt(name, 'given_name'), textAt(name, 'surname')]
  const fullName = names.filter((part) => part !== undefined).join(' ')
  const email = textAt(person, 'email_address')
  const country = textAt(person, 'address', 'country_code')
  return {
    ...(id === undefined ? {} : { id }),
    ...(fullName === '' ? {} : { fullName }),
    ...(email === undefined ? {} : { email }),
    ...(country === undefined ? {} : { country }),
  }
}

/** The stored wallet. Without an id the wallet is not stored yet. */
const vaultIdIn = (body: unknown): string | undefined =>
  idAt(body, 'payment_source', 'paypal', 'attributes', 'vault', 'id')
