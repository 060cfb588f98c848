import { currencyDigits, isCurrency } from '../../base/currencies.ts'
import { type Money, money } from '../../base/money.ts'
import { secondsAt, textAt, valueAt, webUrlAt } from '../kit/json.ts'
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
  readonly time?: Date
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
  const id = textAt(body, 'id')
  const status = textAt(body, 'status')
  const currency = textAt(body, 'currency')
  if (!id || !status || !currency || !isCurrency(currency)) return undefined
  const minor = exactMinor(textAt(body, 'amount'), currency)
  if (minor === undefined) return undefined
  const additional = textAt(body, 'additionalStatus') ?? 'None'
  const orderId = textAt(body, 'metadata', 'orderId')
  const storeId = textAt(body, 'storeId')
  const checkoutLink = webUrlAt(body, 'checkoutLink')
  const expiresAt = secondsAt(body, 'expirationTime')
  const monitoredUntil = secondsAt(body, 'monitoringExpiration')
  const invoice = { status, additional, amount: money(minor, currency) }
  return {
    ...{ id, ...invoice, createdTime: secondsAt(body, 'createdTime')?.getTime() ?? 0 },
    paidMinor: roundedMinor(textAt(body, 'paidAmount'), currency) ?? paidByStatus(invoice),
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
  const id = textAt(body, 'id')
  const amount = textAt(body, 'amount')
  const currency = textAt(body, 'currency')
  if (!id || !amount || !currency) return undefined
  const viewLink = webUrlAt(body, 'viewLink')
  return {
    ...{ id, amount, currency },
    name: textAt(body, 'name') ?? '',
    description: textAt(body, 'description') ?? '',
    archived: valueAt(body, 'archived') === true,
    ...(viewLink ? { viewLink } : {}),
  }
}

/** The items of a list that can be read. Undefined: not a list. */
export function listIn<T>(body: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(body)) return undefined
  return body.map(read).filter((item) => item !== undefined)
}

export function payoutIn(body: unknown): Payout | undefined {
  const amount = textAt(body, 'originalAmount') ?? textAt(body, 'amount')
  const state = textAt(body, 'state')
  if (!amount || !state) return undefined
  const time = secondsAt(body, 'date')
  return { amount, state, currency: textAt(body, 'originalCurrency') ?? '', ...(time ? { time } : {}) }
}

export function paymentMethodIn(body: unknown): PaymentMethod | undefined {
  const payments = valueAt(body, 'payments')
  const currency = textAt(body, 'currency')
  if (!currency || !Array.isArray(payments)) return undefined
  const statuses = payments.map((payment) => textAt(payment, 'status') ?? '')
  const id = textAt(body, 'paymentMethodId') ?? ''
  return {
    id,
    currency,
    rate: textAt(body, 'rate') ?? '',
    paid: textAt(body, 'paymentMethodPaid') ?? '',
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
