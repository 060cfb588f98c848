import { currencyDigits, isCurrency } from '../../base/currencies.ts'
import { type Money, money } from '../../base/money.ts'
import { parseUrl } from '../../base/text.ts'
import type { Handles } from '../outcome.ts'

/** The parts of the server's JSON that the adapter reads. All is checked: servers differ in their version. */

export type InvoiceStatus = 'New' | 'Processing' | 'Expired' | 'Invalid' | 'Settled'

export interface Invoice {
  readonly id: string
  readonly storeId?: string
  /** Our reference. Absent: the metadata was replaced by hand. */
  readonly orderId?: string
  readonly amount: Money
  /** Everything that was paid, confirmed or not. */
  readonly paidMinor: bigint
  /** An `InvoiceStatus`, or one that is not listed. */
  readonly status: string
  readonly additional: string
  readonly checkoutLink?: string
  readonly createdTime: number
  readonly expiresAt?: Date
  readonly monitoredUntil?: Date
}

/** A refund: the customer claims it on the page `viewLink`. */
export interface PullPayment {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly amount: string
  readonly currency: string
  readonly archived: boolean
  readonly viewLink?: string
}

/** A claim of the customer against a pull payment. */
export interface Payout {
  readonly amount: string
  readonly currency: string
  readonly state: string
}

/** A payment method of an invoice, with what was paid by it. */
export interface PaymentMethod {
  /** Such as `BTC-CHAIN` or `BTC-LN`. */
  readonly id: string
  readonly currency: string
  readonly rate: string
  /** In the coins of the method. */
  readonly paid: string
  readonly statuses: readonly string[]
}

export function invoiceIn(body: unknown): Invoice | undefined {
  const id = textOf(body, 'id')
  const status = textOf(body, 'status')
  const currency = textOf(body, 'currency')
  if (!id || !status || !currency || !isCurrency(currency)) return undefined
  const minor = exactMinor(textOf(body, 'amount'), currency)
  if (minor === undefined) return undefined
  const additional = textOf(body, 'additionalStatus') ?? 'None'
  const orderId = textOf(memberOf(body, 'metadata'), 'orderId')
  const storeId = textOf(body, 'storeId')
  const checkoutLink = linkOf(body, 'checkoutLink')
  const expiresAt = timeOf(body, 'expirationTime')
  const monitoredUntil = timeOf(body, 'monitoringExpiration')
  const invoice = { status, additional, amount: money(minor, currency) }
  return {
    ...{ id, ...invoice, createdTime: timeOf(body, 'createdTime')?.getTime() ?? 0 },
    paidMinor: roundedMinor(textOf(body, 'paidAmount'), currency) ?? paidByStatus(invoice),
    ...(orderId ? { orderId } : {}),
    ...(storeId ? { storeId } : {}),
    ...(checkoutLink ? { checkoutLink } : {}),
    ...(expiresAt ? { expiresAt } : {}),
    ...(monitoredUntil ? { monitoredUntil } : {}),
  }
}

export const handlesOf = ({ id }: Pick<Invoice, 'id'>): Handles => ({ payment: id })

/** For servers that do not report the paid amount. */
function paidByStatus({
  status,
  additional,
  amount,
}: Pick<Invoice, 'status' | 'additional' | 'amount'>): bigint {
  const isPaid = status === 'Settled' || status === 'Processing' || /^Paid(Late|Over)$/.test(additional)
  return isPaid ? amount.minor : 0n
}

export function pullPaymentIn(body: unknown): PullPayment | undefined {
  const id = textOf(body, 'id')
  const amount = textOf(body, 'amount')
  const currency = textOf(body, 'currency')
  if (!id || !amount || !currency) return undefined
  const viewLink = linkOf(body, 'viewLink')
  return {
    ...{ id, amount, currency },
    name: textOf(body, 'name') ?? '',
    description: textOf(body, 'description') ?? '',
    archived: memberOf(body, 'archived') === true,
    ...(viewLink ? { viewLink } : {}),
  }
}

/** The items of a list that can be read. Undefined: not a list. */
export function listIn<T>(body: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(body)) return undefined
  return body.map(read).filter((item) => item !== undefined)
}

export function payoutIn(body: unknown): Payout | undefined {
  const amount = textOf(body, 'originalAmount') ?? textOf(body, 'amount')
  const state = textOf(body, 'state')
  if (!amount || !state) return undefined
  return { amount, state, currency: textOf(body, 'originalCurrency') ?? '' }
}

export function paymentMethodIn(body: unknown): PaymentMethod | undefined {
  const payments = memberOf(body, 'payments')
  const currency = textOf(body, 'currency')
  if (!currency || !Array.isArray(payments)) return undefined
  const statuses = payments.map((payment) => textOf(payment, 'status') ?? '')
  const id = textOf(body, 'paymentMethodId') ?? ''
  return {
    id,
    currency,
    rate: textOf(body, 'rate') ?? '',
    paid: textOf(body, 'paymentMethodPaid') ?? '',
    statuses,
  }
}

/** The payout methods of the payments, that of the largest first. A payment by LNURL is one by Lightning. */
export function payoutMethodsOf(methods: readonly PaymentMethod[]): string[] {
  const worth = ({ paid, rate }: PaymentMethod): bigint => (scaled(paid) ?? 0n) * (scaled(rate) ?? 0n)
  const paidBy = methods
    .filter(({ id, statuses }) => METHOD.test(id) && statuses.length > 0)
    .toSorted((one, other) => (worth(other) > worth(one) ? 1 : -1))
  return [...new Set(paidBy.map(({ id }) => id.replace(/-LNURL$/, '-LN')))]
}

const METHOD = /^[A-Za-z0-9_-]{2,40}$/

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,20}))?$/

/** A decimal in minor units, if the currency can express it exactly. */
export function exactMinor(text: string | undefined, currency: string): bigint | undefined {
  const minor = roundedMinor(text, currency)
  const fraction = text?.split('.')[1] ?? ''
  return /^0*$/.test(fraction.slice(currencyDigits(currency))) ? minor : undefined
}

/** A decimal in minor units, rounded down: paid amounts are computed from an exchange rate. */
function roundedMinor(text: string | undefined, currency: string): bigint | undefined {
  const match = DECIMAL.exec(text ?? '')
  if (!match) return undefined
  const digits = currencyDigits(currency)
  return BigInt((match[1] ?? '') + (match[2] ?? '').slice(0, digits).padEnd(digits, '0'))
}

/** An amount of coins in minor units of a currency, at a rate. Rounded to the nearest unit. */
export function convertedMinor(coins: string, rate: string, currency: string): bigint | undefined {
  const [one, other] = [scaled(coins), scaled(rate)]
  if (one === undefined || other === undefined) return undefined
  const units = 10n ** BigInt(SCALE * 2 - currencyDigits(currency))
  return (one * other + units / 2n) / units
}

const SCALE = 20

function scaled(text: string): bigint | undefined {
  const match = DECIMAL.exec(text)
  return match ? BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(SCALE, '0')) : undefined
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : undefined
}

/** Customers follow these links, so nothing but web addresses is passed on. */
function linkOf(value: unknown, name: string): string | undefined {
  const link = textOf(value, name)
  return link && parseUrl(link) && /^https?:/i.test(link) ? link : undefined
}

function timeOf(value: unknown, name: string): Date | undefined {
  const seconds = memberOf(value, name)
  return typeof seconds === 'number' && seconds > 0 ? new Date(seconds * 1000) : undefined
}
