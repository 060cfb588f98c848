import type { Money } from '../../base/money.ts'
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

export interface PaypalAuthorization extends Payment {
  readonly expiresAt: Date | undefined
  readonly bankCode: string | undefined
}

export interface PaypalCapture extends Payment {
  /** The key of the operation that captured an authorisation. */
  readonly invoiceId: string | undefined
  readonly reason: string | undefined
  readonly fee: Money | undefined
  readonly bankCode: string | undefined
}

export interface PaypalRefund extends Payment {
  readonly captureId: string | undefined
  /** What all refunds of the capture have returned so far. */
  readonly total: Money | undefined
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const listOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value : undefined

export function dateOf(value: unknown): Date | undefined {
  const date = new Date(textOf(value) ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** An id that may be put into a path. */
export const idOf = (value: unknown): string | undefined => {
  const id = textOf(value)
  return id !== undefined && /^[0-9A-Za-z_-]{1,64}$/.test(id) ? id : undefined
}

/** Every item, or undefined if one is malformed. A missing list is empty. */
function every<T>(value: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  const items = (listOf(value) ?? []).map(read)
  return items.includes(undefined) ? undefined : (items as T[])
}

export function orderIn(body: unknown): PaypalOrder | undefined {
  const id = idOf(memberOf(body, 'id'))
  const status = textOf(memberOf(body, 'status'))
  const intent = memberOf(body, 'intent')
  const units = listOf(memberOf(body, 'purchase_units')) ?? []
  const [unit] = units
  const amount = moneyIn(memberOf(unit, 'amount'))
  const payments = memberOf(unit, 'payments')
  const authorizations = every(memberOf(payments, 'authorizations'), authorizationIn)
  const captures = every(memberOf(payments, 'captures'), captureIn)
  const refunds = every(memberOf(payments, 'refunds'), refundIn)
  if (id === undefined || status === undefined || !amount || units.length !== 1) return undefined
  if (intent !== 'AUTHORIZE' && intent !== 'CAPTURE') return undefined
  if (!authorizations || !captures || !refunds) return undefined
  return {
    ...{ id, intent, status, amount, authorizations, captures, refunds },
    reference: textOf(memberOf(unit, 'custom_id')),
    createdAt: dateOf(memberOf(body, 'create_time')),
    approvalUrl: linkIn(body, 'payer-action') ?? linkIn(body, 'approve'),
    payer: payerIn(body),
    vaultId: vaultIdIn(body),
  }
}

function paymentIn(value: unknown): Payment | undefined {
  const id = idOf(memberOf(value, 'id'))
  const status = textOf(memberOf(value, 'status'))
  const amount = moneyIn(memberOf(value, 'amount'))
  if (id === undefined || status === undefined || !amount) return undefined
  const customId = textOf(memberOf(value, 'custom_id'))
  return { id, status, amount, customId, createdAt: dateOf(memberOf(value, 'create_time')) }
}

const bankCodeIn = (value: unknown): string | undefined =>
  textOf(memberOf(memberOf(value, 'processor_response'), 'response_code'))

export function authorizationIn(value: unknown): PaypalAuthorization | undefined {
  const payment = paymentIn(value)
  const expiresAt = dateOf(memberOf(value, 'expiration_time'))
  return payment && { ...payment, expiresAt, bankCode: bankCodeIn(value) }
}

export function captureIn(value: unknown): PaypalCapture | undefined {
  const payment = paymentIn(value)
  return (
    payment && {
      ...payment,
      invoiceId: textOf(memberOf(value, 'invoice_id')),
      reason: textOf(memberOf(memberOf(value, 'status_details'), 'reason')),
      fee: moneyIn(memberOf(memberOf(value, 'seller_receivable_breakdown'), 'paypal_fee')),
      bankCode: bankCodeIn(value),
    }
  )
}

export function refundIn(value: unknown): PaypalRefund | undefined {
  const payment = paymentIn(value)
  const total = moneyIn(memberOf(memberOf(value, 'seller_payable_breakdown'), 'total_refunded_amount'))
  return payment && { ...payment, captureId: captureIdIn(value), total }
}

/** The capture that a refund belongs to, from its link. */
export function captureIdIn(value: unknown): string | undefined {
  const [, id = ''] = linkIn(value, 'up')?.split('/captures/') ?? []
  return /^[0-9A-Za-z]{1,64}$/.test(id) ? id : undefined
}

export function linkIn(value: unknown, rel: string): string | undefined {
  const link = listOf(memberOf(value, 'links'))?.find((one) => memberOf(one, 'rel') === rel)
  return textOf(memberOf(link, 'href'))
}

/** The wallet that paid, else the deprecated `payer`. */
export function payerIn(body: unknown): PaypalPayer {
  const wallet = memberOf(memberOf(body, 'payment_source'), 'paypal')
  const person = memberOf(wallet, 'email_address') === undefined ? memberOf(body, 'payer') : wallet
  const id =
    textOf(memberOf(wallet, 'account_id')) ??
    textOf(memberOf(wallet, 'payer_id')) ??
    textOf(memberOf(memberOf(body, 'payer'), 'payer_id'))
  const name = memberOf(person, 'name')
  const names = [textOf(memberOf(name, 'given_name')), textOf(memberOf(name, 'surname'))]
  const fullName = names.filter((part) => part !== undefined).join(' ')
  const email = textOf(memberOf(person, 'email_address'))
  const country = textOf(memberOf(memberOf(person, 'address'), 'country_code'))
  return {
    ...(id === undefined ? {} : { id }),
    ...(fullName === '' ? {} : { fullName }),
    ...(email === undefined ? {} : { email }),
    ...(country === undefined ? {} : { country }),
  }
}

/** The stored wallet. Without an id the wallet is not stored yet. */
function vaultIdIn(body: unknown): string | undefined {
  const wallet = memberOf(memberOf(body, 'payment_source'), 'paypal')
  return idOf(memberOf(memberOf(memberOf(wallet, 'attributes'), 'vault'), 'id'))
}
