import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import {
  type Conditions,
  LISTED,
  type Listed,
  type ListedPayment,
  type PaymentFilter,
  type Values,
} from './filter.ts'
import { standingsOf } from './outcome.ts'
import { type Comparison, MAX_VALUES, parseQuery, type QueryField, type Term } from './query.ts'
import { type Readers, readTerm } from './terms.ts'

/** Translates the filter of a list to conditions. Pure. */

export interface ReadFilter {
  readonly conditions: Conditions
  readonly notUnderstood: readonly string[]
}

interface ReadOptions {
  readonly actor?: Context['actor'] | undefined
  readonly now: Date
  readonly timeZone?: string | undefined
}

export function readFilter(
  app: App,
  filter: PaymentFilter,
  { now, timeZone = 'UTC', actor }: ReadOptions,
): ReadFilter {
  const { terms, text, notUnderstood } = parseQuery(filter.q ?? '')
  const readers = { app, timeZone, now, actor }
  const query = combined(terms, readers)
  const fields = combined(fieldTerms(filter), readers)
  const { customer } = filter
  const conditions = both(query.conditions, fields.conditions)
  return {
    conditions: {
      ...conditions,
      ...(text === '' ? {} : { text }),
      ...(customer ? { onlyCustomer: customer } : {}),
    },
    notUnderstood: [
      ...notUnderstood,
      ...query.notUnderstood,
      ...fields.notUnderstood,
      ...listsTooLong(filter),
    ],
  }
}

/** A query of the API may have other members too: they have no meaning. */
const LISTS = {
  state: 'stateToo',
  provider: 'provider',
  profile: 'profile',
  currency: 'currency',
  policy: 'policy',
} as const

/** Values are separated by commas and never quoted. */
const listedIn = (filter: PaymentFilter, name: keyof typeof LISTS): string[] =>
  (filter[name] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** Lists of which the first values alone count. */
const listsTooLong = (filter: PaymentFilter): string[] =>
  (Object.keys(LISTS) as (keyof typeof LISTS)[]).flatMap((name) =>
    listedIn(filter, name).length > MAX_VALUES ? [`${name}=${filter[name]}`] : [],
  )

/** The members of a filter beside `q`, as terms. */
function fieldTerms(filter: PaymentFilter): Term[] {
  const { period, from, to, min, max } = filter
  const ordered = (
    field: QueryField,
    name: string,
    [comparison, value]: [Comparison, string | undefined],
  ): Term[] =>
    value
      ? [{ source: `${name}=${value}`, field, isNot: false, comparison, values: [value.slice(0, 60)] }]
      : []
  return [
    ...Object.entries(LISTS).flatMap(([name, field]): Term[] => {
      const values = listedIn(filter, name as keyof typeof LISTS)
      const source = `${name}=${filter[name as keyof typeof LISTS]}`
      const term = { source, field, isNot: false, comparison: '=' as const }
      return values.length === 0 ? [] : [{ ...term, values: values.slice(0, MAX_VALUES) }]
    }),
    ...ordered('created', 'period', ['=', period]),
    ...ordered('created', 'from', ['>=', from]),
    ...ordered('created', 'to', ['<=', to]),
    ...ordered('amount', 'min', ['>=', min]),
    ...ordered('amount', 'max', ['<=', max]),
  ]
}

/** Terms of one field add up, except for bounds, of which each must hold. */
function combined(terms: readonly Term[], readers: Readers): ReadFilter {
  let conditions: Conditions = { is: {}, not: {} }
  const notUnderstood: string[] = []
  for (const term of terms) {
    const read = readTerm(term, readers)
    if (read) conditions = either(conditions, read)
    else notUnderstood.push(term.source)
  }
  return { conditions, notUnderstood }
}

export const later = (a?: Date, b?: Date): Date | undefined => (a && b ? (a > b ? a : b) : (a ?? b))
export const earlier = (a?: Date, b?: Date): Date | undefined => (a && b ? (a < b ? a : b) : (a ?? b))
const most = (a?: bigint, b?: bigint): bigint | undefined =>
  a !== undefined && b !== undefined ? (a > b ? a : b) : (a ?? b)
const least = (a?: bigint, b?: bigint): bigint | undefined =>
  a !== undefined && b !== undefined ? (a < b ? a : b) : (a ?? b)

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }
const defined = <T extends object>(object: T): Partial<Defined<T>> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>

const joined = <T>(a?: readonly T[], b?: readonly T[]): readonly T[] | undefined =>
  a && b ? [...a, ...b] : (a ?? b)

function merged(
  a: Values,
  b: Values,
  merge: (a: readonly string[], b: readonly string[]) => string[],
): Values {
  const entries = LISTED.map((field) => {
    const [one, other] = [a[field], b[field]]
    return [field, one && other ? merge([...one], other) : (one ?? other)] as const
  })
  return defined(Object.fromEntries(entries))
}

const limits = (a: Conditions, b: Conditions) => ({
  from: later(a.from, b.from),
  to: earlier(a.to, b.to),
  min: most(a.min, b.min),
  max: least(a.max, b.max),
  notReferences: joined(a.notReferences, b.notReferences),
})

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])]

function either(a: Conditions, b: Conditions): Conditions {
  return {
    is: merged(a.is, b.is, union),
    not: merged(a.not, b.not, union),
    ...defined({
      ...limits(a, b),
      ids: joined(a.ids, b.ids),
      references: joined(a.references, b.references),
      customerSearches: joined(a.customerSearches, b.customerSearches),
    }),
  }
}

/** What the query says and what the other members say must both hold. */
function both(query: Conditions, fields: Conditions): Conditions {
  const { ids, references, customerSearches } = query
  return {
    is: merged(query.is, fields.is, (a, b) => a.filter((value) => b.includes(value))),
    not: merged(query.not, fields.not, union),
    ...defined({ ...limits(query, fields), ids, references, customerSearches }),
  }
}

/** Whether the payment, as it is now, still meets conditions on members that change. */
export function stillMatches({ is, not }: Conditions, payment: ListedPayment): boolean {
  const one = (value: string | null) => (value === null ? [] : [value])
  const standings = standingsOf(payment)
  const values: Readonly<Partial<Record<Listed, readonly string[]>>> = {
    state: standings,
    stateToo: standings,
    profile: payment.profileId === null ? [] : [String(payment.profileId)],
    last4: one(payment.last4),
    reason: one(payment.reason),
    method: one(payment.method),
    brand: one(payment.brand?.toLowerCase() ?? null),
    country: one(payment.country),
    fraud: [payment.fraudStatus],
  }
  return Object.entries(values).every(([name, present]) => {
    const [wanted, unwanted] = [is[name as Listed], not[name as Listed]]
    const isAmong = (list: readonly string[]) => present.some((value) => list.includes(value))
    return (!wanted || isAmong(wanted)) && !(unwanted && isAmong(unwanted))
  })
}
