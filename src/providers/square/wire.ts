import { CURRENCIES } from '../../base/currencies.ts'
import { type Money, money } from '../../base/money.ts'

/** Replies and notifications are read member by member, because nothing about them is certain. */
export type SquareJson = Readonly<Record<string, unknown>>

/** An object, or an empty one. */
export function objectAt(value: unknown, ...path: readonly string[]): SquareJson {
  const found = at(value, path)
  return typeof found === 'object' && found !== null ? (found as SquareJson) : {}
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

export function listAt(value: unknown, ...path: readonly string[]): readonly SquareJson[] {
  const found = at(value, path)
  return Array.isArray(found) ? found.map((item) => objectAt(item)) : []
}

export function timeAt(value: unknown, ...path: readonly string[]): Date | undefined {
  const time = new Date(textAt(value, ...path) ?? '')
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** Square counts in minor units, with the decimals of ISO 4217. */
export function moneyAt(value: unknown, ...path: readonly string[]): Money | undefined {
  const { amount, currency } = objectAt(value, ...path)
  if (!Number.isSafeInteger(amount) || typeof currency !== 'string' || !CURRENCIES.has(currency))
    return undefined
  return money(BigInt(amount as number), currency)
}

export const toWire = ({ minor, currency }: Money) => ({ amount: Number(minor), currency })

function at(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path)
    found = typeof found === 'object' && found !== null ? (found as SquareJson)[name] : undefined
  return found
}

/** Ids end up in paths, so nothing else than an id is sent. Those of stored cards have a colon. */
const ID = /^[A-Za-z0-9_:-]{1,192}$/
export const isId = (value: string | undefined): value is string => value !== undefined && ID.test(value)

/** A key or a reference of ours. */
export const isKey = (value: string | undefined): value is string =>
  value !== undefined && /^[0-9A-Z]{20}$/.test(value)
