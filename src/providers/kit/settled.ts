import { isCurrency } from '../../base/currencies.ts'
import type { FileProblem } from '../../base/files/file-problem.ts'
import { type Money, money, parseMinor } from '../../base/money.ts'
import { cut } from '../../base/text.ts'
import type { BadRow, LineKind, SettledLine, SettledPage } from '../settlement.ts'
import { type Json, jsonIn, objectAt, present, valueAt } from './json.ts'

/** Pure: what the settlement readers of the adapters share. */

/** Each kind with the provider's words for it, which have spaces between them. */
export type KindTable = Readonly<Partial<Record<LineKind, string>>>

export function kindsOf(table: KindTable): ReadonlyMap<string, LineKind> {
  const kinds = Object.entries(table) as [LineKind, string][]
  return new Map(
    kinds.flatMap(([kind, text]) =>
      text
        .trim()
        .split(/\s+/)
        .map((word) => [word, kind]),
    ),
  )
}

/** A line, what is wrong with the item, or undefined for no movement of money. */
export type LineRead = SettledLine | readonly SettledLine[] | FileProblem | undefined

/** The lines of all items. One that cannot be read is a bad row. */
export function readLines<T>(
  items: readonly T[],
  lineOf: (item: T) => LineRead,
  rowOf: (item: T) => string | undefined,
): Pick<SettledPage, 'lines' | 'bad'> {
  const lines: SettledLine[] = []
  const bad: BadRow[] = []
  for (const [index, item] of items.entries()) {
    const read = lineOf(item)
    if (read && 'code' in read) bad.push({ row: cut(rowOf(item) ?? String(index + 1), 100), problem: read })
    else if (read) lines.push(...('id' in read ? [read] : read))
  }
  return { lines, bad }
}

/**
 * The named members of an item as JSON. Only these are kept: rows of providers also have names, e-mail
 * addresses and account numbers. A member of an object is `parent.name`.
 */
export function rawOf(item: Json, members: readonly string[]): string {
  const kept = members.flatMap((name) => {
    const value = valueAt(item, ...name.split('.'))
    if (typeof value === 'string') return [[name, cut(value, 200)]]
    return typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : []
  })
  return JSON.stringify(Object.fromEntries(kept))
}

/** A decimal text with or without a minus. Undefined if it is not an amount of the currency. */
export function signedMoney(text: string | undefined, currency: string | undefined): Money | undefined {
  if (text === undefined || currency === undefined || !isCurrency(currency)) return undefined
  const isNegative = text.startsWith('-')
  const minor = parseMinor(isNegative ? text.slice(1) : text, currency)
  return minor === undefined ? undefined : money(isNegative ? -minor : minor, currency)
}

interface Sums {
  readonly gross: Money
  readonly fee?: Money | undefined
  readonly net?: Money | undefined
}

/** The amounts of a line. What a line of fees takes is no gross amount. */
export function amountsOf(
  kind: LineKind,
  { gross, fee, net }: Sums,
): Pick<SettledLine, 'gross' | 'fee' | 'net'> {
  if (kind !== 'fee' || !net) return { gross, ...present({ fee, net }) }
  return { gross: money(0n, net.currency), fee: money(-net.minor, net.currency), net }
}

/** A cursor of a window: where its next page begins. */
export const cursorText = (place: object): string => JSON.stringify(place)

/** Empty for the first page. */
export const cursorIn = (text: string | undefined): Json =>
  text === undefined ? {} : objectAt(jsonIn(Buffer.from(text)))
