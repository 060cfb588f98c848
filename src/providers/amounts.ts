import type { Money } from '../base/money.ts'

/** What the customer buys: items + tax + shipping - discount = the amount of the purchase. */
export interface Breakdown {
  readonly items: readonly LineItem[]
  readonly tax: Money
  readonly shipping: Money
  readonly discount: Money
}

export interface LineItem {
  readonly name: string
  readonly quantity: number
  readonly unitAmount: Money
}

/** The smallest and the largest amount, in minor units of our own exponent. */
export interface AmountLimits {
  readonly smallest?: bigint
  readonly largest?: bigint
  /** Amounts must be a multiple of this: the provider has fewer decimals than the currency. */
  readonly multipleOf?: bigint
}
