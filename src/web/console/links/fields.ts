import { after, DAY, HOUR } from '../../../base/clock.ts'
import { currencyDigits } from '../../../base/currencies.ts'
import { LIMITS } from '../../../base/limits.ts'
import { decimalText, parseMinor } from '../../../base/money.ts'
import { instantOf, nextStart } from '../../../base/time/zone.ts'
import { isWebUrl } from '../../../base/text.ts'
import { readInstant } from '../../../http/wire.ts'
import { readAmount } from '../../../payments/wire/request.ts'
import { METHOD_KINDS, type MethodKind } from '../../../providers/outcome.ts'

/** The form of a new link. Pure: the posted fields become an order, or the fields that are wrong. */

export const ITEM_ROWS = [1, 2, 3, 4, 5] as const
export const EXPIRIES = ['hour', 'day', 'week', 'date'] as const

/** The fields as posted. */
export interface LinkFields {
  text(name: string): string
  readonly methods: readonly string[]
}

interface LinkItem {
  readonly name: string
  readonly quantity: number
  readonly amount: string
  readonly category: 'DigitalGoods'
}

export interface LinkOrder {
  readonly amountMinor: bigint
  readonly currency: string
  readonly description: string
  readonly items: readonly LinkItem[]
  readonly expirationTime: Date
  readonly isRecurring: boolean
  readonly returnUrl: string
  readonly methods: readonly MethodKind[]
  readonly profileId: number | undefined
}

export type LinkProblem =
  | { readonly field: 'amount' | 'currency' | 'description' | 'item' | 'date' | 'returnUrl' }
  | { readonly field: 'sum'; readonly sumMinor: bigint; readonly currency: string }

export interface ReadOptions {
  readonly now: Date
  readonly timeZone: string
  readonly currencies: readonly string[]
}

export function readLink(
  fields: LinkFields,
  { now, timeZone, currencies }: ReadOptions,
): { readonly order: LinkOrder } | { readonly problems: readonly LinkProblem[] } {
  const currency = fields.text('currency') || (currencies.length === 1 ? (currencies[0] ?? '') : '')
  if (!currencies.includes(currency)) return { problems: [{ field: 'currency' }] }
  const amountMinor = readAmount(decimalOf(fields.text('amount')), currency, [])
  const items = itemsOf(fields, currency)
  const expirationTime = expiryOf(fields, now, timeZone)
  const returnUrl = fields.text('returnUrl')
  const problems: LinkProblem[] = [
    ...(amountMinor === undefined ? [{ field: 'amount' } as const] : []),
    ...(fields.text('description').length > LIMITS.nameLength ? [{ field: 'description' } as const] : []),
    ...itemProblems(items, amountMinor, currency),
    ...(expirationTime && expirationTime > now ? [] : [{ field: 'date' } as const]),
    ...(returnUrl === '' || isReturnUrl(returnUrl) ? [] : [{ field: 'returnUrl' } as const]),
  ]
  if (problems.length > 0 || amountMinor === undefined || !expirationTime) return { problems }
  const profile = fields.text('profile')
  return {
    order: {
      amountMinor,
      currency,
      description: fields.text('description'),
      items: items?.list ?? [],
      expirationTime,
      isRecurring: fields.text('recurring') === 'yes',
      returnUrl,
      methods: METHOD_KINDS.filter((kind) => fields.methods.includes(kind)),
      profileId: /^\d{1,15}$/.test(profile) ? Number(profile) : undefined,
    },
  }
}

const isReturnUrl = (url: string): boolean => url.length <= LIMITS.urlLength && isWebUrl(url)

/** `25,50` is a common way to write 25.50. With both signs, or three decimals, it is refused. */
export const decimalOf = (text: string): string => (text.includes('.') ? text : text.replace(',', '.'))

interface Items {
  readonly list: readonly LinkItem[]
  readonly sumMinor: bigint
}

/** Undefined: a row is filled in part, or wrong. */
function itemsOf(fields: LinkFields, currency: string): Items | undefined {
  const list: LinkItem[] = []
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

function itemProblems(
  items: Items | undefined,
  amountMinor: bigint | undefined,
  currency: string,
): LinkProblem[] {
  if (!items) return [{ field: 'item' }]
  const { list, sumMinor } = items
  if (list.length === 0 || amountMinor === undefined || sumMinor === amountMinor) return []
  return [{ field: 'sum', sumMinor, currency }]
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
