import { after, DAY, HOUR } from '../../../base/clock.ts'
import { currencyDigits } from '../../../base/currencies.ts'
import { LIMITS } from '../../../base/limits.ts'
import { decimalText, parseMinor } from '../../../base/money.ts'
import { instantOf, nextStart } from '../../../base/time/zone.ts'
import { isWebUrl } from '../../../base/text.ts'
import { readInstant } from '../../../http/wire.ts'
import { readAmount } from '../../../payments/wire/request.ts'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import type { ConsoleTexts } from '../../kit/texts/texts.ts'

/** The form of a new link. Pure: the posted fields become an order, or the fields that are wrong. */

export const ITEM_ROWS = [1, 2, 3, 4, 5] as const
export const EXPIRIES = ['hour', 'day', 'week', 'date'] as const

/** The fields as posted. */
export interface LinkFields {
  text(name: string): string
  readonly methods: readonly string[]
}

export interface ReadOptions {
  readonly now: Date
  readonly timeZone: string
  readonly currencies: readonly string[]
  readonly messages: ConsoleTexts['links']['errors']
  readonly moneyOf: (minor: bigint, currency: string) => string
}

/** What the payment is made of, as the API takes it; undefined where fields are wrong. */
export function readLink(fields: LinkFields, options: ReadOptions) {
  const { now, timeZone, currencies, messages } = options
  const currency = fields.text('currency') || (currencies.length === 1 ? (currencies[0] ?? '') : '')
  if (!currencies.includes(currency))
    return { order: undefined, errors: [{ field: 'currency', message: messages.currency }] }
  const amountMinor = readAmount(decimalOf(fields.text('amount')), currency, [])
  const description = fields.text('description')
  const items = itemsOf(fields, currency)
  const expirationTime = expiryOf(fields, now, timeZone)
  const returnUrl = fields.text('returnUrl')
  const messageOf = {
    amount: amountMinor === undefined && messages.amount,
    description: description.length > LIMITS.nameLength && messages.description,
    items: itemsMessage(items, { amountMinor, currency }, options),
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
    customerOrder: {
      ...(description && { description }),
      ...(items && items.list.length > 0 && { amount: { items: items.list } }),
    },
  }
  return { order, errors }
}

export type LinkOrder = NonNullable<ReturnType<typeof readLink>['order']>

const isReturnUrl = (url: string): boolean => url.length <= LIMITS.urlLength && isWebUrl(url)

/** `25,50` is a common way to write 25.50. With both signs, or three decimals, it is refused. */
export const decimalOf = (text: string): string => (text.includes('.') ? text : text.replace(',', '.'))

interface Items {
  readonly list: { name: string; quantity: number; amount: string; category: 'DigitalGoods' }[]
  readonly sumMinor: bigint
}

/** Undefined: a row is filled in part, or wrong. */
function itemsOf(fields: LinkFields, currency: string): Items | undefined {
  const list: Items['list'] = []
  let sumMinor = 0n
  for (const place of ITEM_ROWS) {
    const name = fields.text(`item${place}`)
    const price = decimalOf(fields.text(`price${place}`))
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
  items: Items | undefined,
  { amountMinor, currency }: { readonly amountMinor: bigint | undefined; readonly currency: string },
  { messages, moneyOf }: ReadOptions,
): string | undefined {
  if (!items) return messages.item
  const { list, sumMinor } = items
  if (list.length === 0 || amountMinor === undefined || sumMinor === amountMinor) return undefined
  return messages.sum(moneyOf(sumMinor, currency))
}

function expiryOf(fields: LinkFields, now: Date, timeZone: string): Date | undefined {
  switch (fields.text('expiry')) {
    case 'hour':
      return after(now, HOUR)
    case 'day':
      return after(now, DAY)
    case 'date': {
      const day = fields.text('date')
      const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? readInstant(`${day}T00:00:00Z`) : undefined
      return start && instantOf(nextStart(start, 'day'), timeZone)
    }
    default:
      return after(now, 7 * DAY)
  }
}

/** The step of the amount field. */
export const amountExample = (currency: string): string =>
  decimalText(2550n * 10n ** BigInt(Math.max(0, currencyDigits(currency) - 2)), currency)
