import { after, DAY, HOUR } from '../../../base/clock.ts'
import { currencyDigits } from '../../../base/currencies.ts'
import { LIMITS } from '../../../base/limits.ts'
import { decimalText, parseMinor } from '../../../base/money.ts'
import { decimalSign, plainDecimal, typedDecimal } from '../../../base/presentation/typed-amount.ts'
import { sha256 } from '../../../base/secret.ts'
import { isWebUrl } from '../../../base/text.ts'
import { instantOf, nextStart } from '../../../base/time/zone.ts'
import { readInstant } from '../../../http/wire.ts'
import { appNow } from '../../../merchants/app.ts'
import { createPayment } from '../../../payments/create.ts'
import type { Payment } from '../../../payments/payment.ts'
import { creationOf, readAmount } from '../../../payments/wire/request.ts'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import { timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { choicesOf } from './choices.ts'

/** The form of a new link: its fields become a payment, or errors. */

export const ITEM_ROWS = [1, 2, 3, 4, 5] as const
export const EXPIRIES = ['hour', 'day', 'week', 'date'] as const

/** What was typed, or the fields of an address, for a form that begins with some of them filled in. */
export const fieldsOf = ({ call }: AppRequest) => ({
  text: (name: string) => ((call.isPost ? call.form.get(name) : call.query[name]) ?? '').trim(),
  methods: call.isPost ? call.fieldsOf('method') : [],
})

export type LinkFields = ReturnType<typeof fieldsOf>

/** What the payment is made of, as the API takes it; undefined where fields are wrong. */
export function readLink(request: AppRequest) {
  const messages = request.texts.links.errors
  const fields = fieldsOf(request)
  const now = appNow(request.ctx, request.app)
  const { currencies } = choicesOf(request)
  const currency = fields.text('currency') || (currencies.length === 1 ? (currencies[0] ?? '') : '')
  if (!currencies.includes(currency))
    return { order: undefined, errors: [{ field: 'currency', message: messages.currency }] }
  const amountMinor = readAmount(decimalOf(request, fields.text('amount')), currency, [])
  const description = fields.text('description')
  const reference = fields.text('reference')
  const items = itemsOf(request, fields, currency)
  const expirationTime = expiryOf(fields, now, timeZoneOf(request))
  const returnUrl = fields.text('returnUrl')
  const messageOf = {
    amount: amountMinor === undefined && messages.amount,
    description: description.length > LIMITS.nameLength && messages.description,
    reference:
      reference.length > LIMITS.referenceIdLength && messages.reference({ most: LIMITS.referenceIdLength }),
    items: itemsMessage(request, items, { amountMinor, currency }),
    date: !(expirationTime && expirationTime > now) && messages.date,
    returnUrl: returnUrl !== '' && !isReturnUrl(returnUrl) && messages.returnUrl,
  }
  const errors = Object.entries(messageOf).flatMap(([field, message]) =>
    message ? [{ field, message }] : [],
  )
  if (errors.length > 0 || amountMinor === undefined || !expirationTime) return { order: undefined, errors }
  const profile = fields.text('profile')
  const order = {
    amountMinor,
    currency,
    autoCapture: true,
    returnUrl,
    showPayRecurringInCheckout: fields.text('recurring') === 'yes',
    expirationTime: expirationTime.toISOString(),
    checkoutMethods: METHOD_KINDS.filter((kind) => fields.methods.includes(kind)),
    ...(/^\d{1,15}$/.test(profile) && { paymentProfiles: [Number(profile)] }),
    referenceId: reference || referenceOf(request),
    customerOrder: {
      ...(description && { description }),
      ...(items && items.list.length > 0 && { amount: { items: items.list } }),
    },
  }
  return { order, errors }
}

type LinkOrder = NonNullable<ReturnType<typeof readLink>['order']>

const isReturnUrl = (url: string): boolean => url.length <= LIMITS.urlLength && isWebUrl(url)

/** The amount as the API has it. What is no amount stays as it is, and is refused there. */
export const decimalOf = ({ language }: Pick<AppRequest, 'language'>, text: string): string =>
  plainDecimal(text, decimalSign(language.intl)) ?? text

interface Items {
  readonly list: { name: string; quantity: number; amount: string; category: 'DigitalGoods' }[]
  readonly sumMinor: bigint
}

/** Undefined: a row is filled in part, or wrong. */
function itemsOf(request: AppRequest, fields: LinkFields, currency: string): Items | undefined {
  const list: Items['list'] = []
  let sumMinor = 0n
  for (const place of ITEM_ROWS) {
    const name = fields.text(`item${place}`)
    const price = decimalOf(request, fields.text(`price${place}`))
    const count = fields.text(`quantity${place}`)
    if (name === '' && price === '') continue
    const minor = parseMinor(price, currency)
    if (name === '' || minor === undefined || !/^[1-9]\d{0,5}$/.test(count || '1')) return undefined
    if (name.length > LIMITS.nameLength) return undefined
    const quantity = Number(count || '1')
    list.push({ name, quantity, amount: price, category: 'DigitalGoods' })
    sumMinor += minor * BigInt(quantity)
  }
  return { list, sumMinor }
}

/** What is wrong with the items: one of them, or their sum. */
function itemsMessage(
  { texts, language }: AppRequest,
  items: Items | undefined,
  { amountMinor, currency }: { readonly amountMinor: bigint | undefined; readonly currency: string },
): string | undefined {
  const { errors } = texts.links
  if (!items) return errors.item
  const { list, sumMinor } = items
  if (list.length === 0 || amountMinor === undefined || sumMinor === amountMinor) return undefined
  return errors.sum({ sum: moneyInText(language, sumMinor, currency) })
}

function expiryOf(fields: LinkFields, now: Date, timeZone: string): Date | undefined {
  switch (fields.text('expiry')) {
    case 'hour':
      return after(now, HOUR)
    case 'day':
      return after(now, DAY)
    case 'date':
      return endOfDay(fields.text('date'), timeZone)
    default:
      return after(now, 7 * DAY)
  }
}

/** The end of a day of the calendar; undefined where the text names none. */
export function endOfDay(day: string, timeZone: string): Date | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? readInstant(`${day}T00:00:00Z`) : undefined
  return start && instantOf(nextStart(start, 'day'), timeZone)
}

/** The placeholder of an amount field. */
export function amountExample({ language }: Pick<AppRequest, 'language'>, currency: string): string {
  const minor = 2550n * 10n ** BigInt(Math.max(0, currencyDigits(currency) - 2))
  return typedDecimal(decimalText(minor, currency), language.intl)
}

/** As the order of a payment names its customer. */
export interface OrderedCustomer {
  readonly customerId: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
}

/** Creates the payment of a link by the ordinary command. */
export async function createLink(
  request: AppRequest,
  { amountMinor, customerOrder, ...order }: LinkOrder,
  customer: OrderedCustomer,
): Promise<Payment> {
  const body = {
    ...order,
    customerOrder: { customer, ...customerOrder },
  }
  const wanted = creationOf('HostedPage', body, amountMinor)
  const { payment } = await createPayment(request.ctx, request.app, {
    ...wanted,
    details: { ...wanted.details, isLink: true },
  })
  return payment
}

/** A UUID of the posted form, whose id is random: the same form sent twice makes one payment. */
function referenceOf({ call }: AppRequest): string {
  const hex = sha256(JSON.stringify([...call.form])).toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}
