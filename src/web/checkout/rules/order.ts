import { parseMinor } from '../../../base/money.ts'
import type { Payment } from '../../../payments/payment.ts'
import { DESCRIPTION_SHOWN, ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'

/** Pure: the order as shown to the payer. Sums that contradict the amount are not shown. */
export interface OrderSummary {
  readonly orderId: string | undefined
  readonly description: string | undefined
  readonly lines: readonly OrderLine[]
  /** Subtotal, shipping, tax and so on, without the total. */
  readonly sums: readonly OrderSum[]
}

interface OrderLine {
  readonly name: string
  readonly description: string | undefined
  readonly quantity: number
  /** Undefined if the lines do not add up to the amount. */
  readonly totalMinor: bigint | undefined
}

type SumName = 'subtotal' | 'shipping' | 'handling' | 'insurance' | 'tax' | 'discount'

interface OrderSum {
  readonly name: SumName
  readonly minor: bigint
}

interface Item {
  readonly name?: unknown
  readonly description?: unknown
  readonly amount?: unknown
  readonly quantity?: unknown
}

interface Order {
  readonly items?: readonly Item[]
  readonly amount?: Readonly<Record<string, unknown>> & { readonly items?: readonly Item[] }
}

const EXTRAS: readonly (readonly [SumName, string])[] = [
  ['shipping', 'shipping'],
  ['handling', 'handling'],
  ['insurance', 'insurance'],
  ['tax', 'totalTax'],
  ['discount', 'discount'],
]

export function orderOf({ details, amountMinor, currency }: Payment): OrderSummary {
  const order = details.customerOrder as Order
  const minorOf = (value: unknown) => (typeof value === 'number' ? parseMinor(value, currency) : undefined)
  const extras = EXTRAS.flatMap(([name, member]) => {
    const minor = minorOf(order.amount?.[member])
    return minor ? [{ name, minor: name === 'discount' ? -minor : minor }] : []
  })
  const items = [...(order.amount?.items ?? order.items ?? [])]
  const goods = amountMinor - extras.reduce((sum, { minor }) => sum + minor, 0n)
  const totals = lineTotals(items, goods, minorOf)
  const lines = items.map((item, index) => ({
    name: shortText(textOf(item.name), ENTRY_SHOWN) ?? '',
    description: shortText(textOf(item.description), ENTRY_SHOWN),
    quantity: quantityOf(item),
    totalMinor: totals?.[index],
  }))
  const addsUp = items.length === 0 ? goods > 0n : totals !== undefined
  const subtotal: OrderSum = { name: 'subtotal', minor: goods }
  return {
    orderId: details.orderId,
    description: shortText(details.description, DESCRIPTION_SHOWN),
    lines,
    sums: addsUp && extras.length > 0 ? [subtotal, ...extras] : [],
  }
}

/** Merchants send unit prices or line totals: take the reading that adds up to the amount. */
function lineTotals(
  items: readonly Item[],
  goods: bigint,
  minorOf: (value: unknown) => bigint | undefined,
): bigint[] | undefined {
  const prices = items.map(({ amount }) => minorOf(amount))
  if (!prices.every((price) => price !== undefined)) return undefined
  const counts = items.map(quantityOf)
  const candidates = [
    counts.every(Number.isSafeInteger)
      ? prices.map((price, index) => price * BigInt(counts[index] ?? 1))
      : prices,
    prices,
  ]
  return candidates.find((totals) => totals.reduce((sum, total) => sum + total, 0n) === goods)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const quantityOf = ({ quantity }: Item): number =>
  typeof quantity === 'number' && quantity > 0 ? quantity : 1
