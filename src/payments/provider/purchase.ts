import { type Money, money, parseMinor } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import type { Breakdown, LineItem } from '../../providers/amounts.ts'
import { isMethodId } from '../../providers/methods/method.ts'
import type { PostalAddress } from '../../providers/payer/payer.ts'
import type { Purchase } from '../../providers/port.ts'
import type { Payment } from '../payment.ts'
import { abilitiesOf, paymentLink } from '../view.ts'
import { payerCountry } from './fraud-check.ts'

/** Values that are never stored. */
interface AttemptInputs {
  readonly instrument?: string | undefined
  readonly storeMethod?: boolean | undefined
}

/** The purchase of an attempt. It is the same each time, so that a request can be repeated with its key. */
export function purchaseOf(ctx: Context, app: App, payment: Payment, instruments: AttemptInputs): Purchase {
  const { orderId, description } = payment.details
  const order = payment.details.customerOrder as Order
  const payerIp = payment.payInfo?.payerIp
  const breakdown = breakdownOf(payment, order)
  return {
    amount: money(payment.amountMinor, payment.currency),
    sale: payment.payInfo?.oneStep ?? abilitiesOf(ctx, app, payment)?.authoriseOnly === false,
    storeMethod: wantsStored(payment, instruments) && canBeStored(ctx, app, payment),
    method: payment.method ?? 'CreditCard',
    customerPresent: payment.flow !== 'AutoPayment',
    backUrl: backUrl(ctx, payment),
    ...(instruments.instrument ? { instrument: instruments.instrument } : {}),
    customer: customerOf(payment, order),
    ...(orderId ? { orderId } : {}),
    ...(description ? { description } : {}),
    ...(payerIp ? { payerIp } : {}),
    ...payerOf(payment, order),
    brand: payment.details.brand ?? app.friendlyName,
    ...(payment.details.statement ? { statement: payment.details.statement } : {}),
    ...(payment.expirationTime ? { expiresAt: payment.expirationTime } : {}),
    ...threeDSecureOf(ctx, app, payment),
    ...(breakdown ? { breakdown } : {}),
  }
}

const wantsStored = (payment: Payment, { storeMethod }: AttemptInputs): boolean =>
  payment.autoPayment === 'Register' || storeMethod === true || payment.payInfo?.consent !== undefined

/** A provider refuses the page of a method by name if it is asked to store what it cannot store. */
const canBeStored = (ctx: Context, app: App, payment: Payment): boolean =>
  !isMethodId(payment.method) || abilitiesOf(ctx, app, payment)?.storeMethod === true

/** Decided by the abilities alone: what the provider has reported since must not change the request. */
function threeDSecureOf(ctx: Context, app: App, payment: Payment): Pick<Purchase, 'threeDSecure'> {
  const requested = payment.payInfo?.threeDSecure?.requested
  if (!requested || !abilitiesOf(ctx, app, payment)?.threeDSecure?.includes(requested)) return {}
  return { threeDSecure: requested }
}

/** The URL to which the provider returns the browser. */
const backUrl = (ctx: Context, payment: Payment): string =>
  `${paymentLink(ctx, payment)}/back/${payment.attempt}`

/** The part of the merchant's order that providers get. Money is a number in major units. */
interface Order {
  readonly customer?: {
    readonly firstName?: string
    readonly lastName?: string
    readonly email?: string
    readonly phoneNumber?: string
    readonly address?: OrderAddress
  }
  readonly amount?: {
    readonly shipping?: number
    readonly totalTax?: number
    readonly discount?: number
    readonly handling?: number
    readonly insurance?: number
    readonly items?: readonly OrderItem[]
  }
  readonly items?: readonly OrderItem[]
}

interface OrderAddress {
  readonly streetAddressLine1?: string
  readonly streetAddressLine2?: string
  readonly zipCode?: string
  readonly city?: string
  readonly state?: string
  readonly country?: string
  readonly countryCode?: string
}

interface OrderItem {
  readonly name?: string
  readonly amount?: number
  readonly quantity?: number
}

function customerOf(payment: Payment, { customer = {} }: Order): Purchase['customer'] {
  return {
    id: payment.customerId,
    ...(customer.firstName ? { firstName: customer.firstName } : {}),
    ...(customer.lastName ? { lastName: customer.lastName } : {}),
    ...(customer.email ? { email: customer.email } : {}),
    ...(customer.phoneNumber ? { phone: customer.phoneNumber } : {}),
  }
}

/** The merchant's words about the payer come first, then the language in which the payer used our page. */
function payerOf(
  { details, payInfo }: Payment,
  order: Order,
): Pick<Purchase, 'locale' | 'country' | 'billing' | 'shipping'> {
  const locale = details.locale ?? payInfo?.locale
  const address = addressOf(order)
  const country = payerCountry({ details })
  return {
    ...(locale ? { locale } : {}),
    ...(country ? { country } : {}),
    ...(address ? { billing: address, shipping: address } : {}),
  }
}

/** Undefined unless the address is complete: providers refuse a part of one. An order has one address. */
export function addressOf({ customer = {} }: Order): PostalAddress | undefined {
  const {
    streetAddressLine1: line1,
    streetAddressLine2,
    city,
    state,
    zipCode,
    ...address
  } = customer.address ?? {}
  const country = [address.countryCode, address.country].find((text) => text && /^[A-Za-z]{2}$/.test(text))
  if (!line1?.trim() || !city?.trim() || !country) return undefined
  const name = [customer.firstName, customer.lastName].filter(Boolean).join(' ')
  return {
    ...(name ? { name } : {}),
    line1,
    ...(streetAddressLine2 ? { line2: streetAddressLine2 } : {}),
    city,
    ...(state ? { state } : {}),
    ...(zipCode ? { postalCode: zipCode } : {}),
    country: country.toUpperCase(),
  }
}

/** Undefined unless the parts add up to the amount exactly: providers refuse a sum that does not. */
export function breakdownOf(
  { amountMinor, currency }: Pick<Payment, 'amountMinor' | 'currency'>,
  { amount = {}, items = amount.items }: Order,
): Breakdown | undefined {
  const part = (value: number | undefined): Money | undefined => {
    const minor = value === undefined ? 0n : parseMinor(value, currency)
    return minor === undefined || minor < 0n ? undefined : money(minor, currency)
  }
  const lines = (items ?? []).map((item) => lineOf(item, part))
  const [tax, shipping, discount] = [part(amount.totalTax), part(amount.shipping), part(amount.discount)]
  if (lines.length === 0 || !lines.every((line) => line !== undefined)) return undefined
  if (!tax || !shipping || !discount || amount.handling || amount.insurance) return undefined
  const goods = lines.reduce((sum, line) => sum + line.unitAmount.minor * BigInt(line.quantity), 0n)
  const sum = goods + tax.minor + shipping.minor - discount.minor
  return sum === amountMinor ? { items: lines, tax, shipping, discount } : undefined
}

function lineOf(
  { name, amount, quantity = 1 }: OrderItem,
  part: (value: number | undefined) => Money | undefined,
): LineItem | undefined {
  const unitAmount = amount === undefined ? undefined : part(amount)
  if (!name || !unitAmount || !Number.isInteger(quantity) || quantity < 1) return undefined
  return { name, quantity, unitAmount }
}
