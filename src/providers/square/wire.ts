import { CURRENCIES } from '../../base/currencies.ts'
import { type Money, money } from '../../base/money.ts'
import { matching, objectAt } from '../kit/json.ts'

/** Square counts in minor units, with the decimals of ISO 4217. */
export function moneyAt(value: unknown, ...path: readonly string[]): Money | undefined {
  const { amount, currency } = objectAt(value, ...path)
  if (!Number.isSafeInteger(amount) || typeof currency !== 'string' || !CURRENCIES.has(currency))
    return undefined
  return money(BigInt(amount as number), currency)
}

export const toWire = ({ minor, currency }: Money) => ({ amount: Number(minor), currency })

/** Ids end up in paths, so nothing else than an id is sent. Those of stored cards have a colon. */
export const isId = matching(/^[A-Za-z0-9_:-]{1,192}$/)
