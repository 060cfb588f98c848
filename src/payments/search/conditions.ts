import { parseInstant } from '../../base/instant.ts'
import { instantOf, nextStart } from '../../base/time-zone.ts'
import type { App } from '../../merchants/app.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'
import { STATES } from '../machine.ts'
import type { ListedPayment, PaymentFilter } from './filter.ts'
import { type Comparison, type Field, MOST_VALUES, parseQuery, type Term } from './query.ts'

/** Translates the filter of a list to conditions. Pure. */

const LISTED = [
  ...(['state', 'profile', 'currency', 'customer', 'last4', 'policy', 'reason'] as const),
  ...(['order', 'method', 'brand', 'flow', 'country', 'fraud'] as const),
] as const
export type Listed = (typeof LISTED)[number]

type Values = Readonly<Partial<Record<Listed, readonly string[]>>>

/** A whole reference, or its beginning. */
export interface ReferenceMatch {
  readonly text: string
  readonly isPrefix: boolean
}

export interface Conditions {
  /** One of these values. An empty list matches nothing. */
  readonly is: Values
  readonly not: Values
  readonly ids?: readonly number[]
  readonly references?: readonly ReferenceMatch[]
  readonly notReferences?: readonly ReferenceMatch[]
  /** Beginnings of customer ids, names or e-mail addresses, to be looked up. */
  readonly customerSearches?: readonly string[]
  /** From this time, before that. */
  readonly from?: Date
  readonly to?: Date
  /** In ten-thousandths of the major unit, both included. */
  readonly min?: bigint
  readonly max?: bigint
  readonly text?: string
}

export interface ReadFilter {
  readonly conditions: Conditions
  readonly notUnderstood: readonly string[]
}

interface Readers {
  readonly app: App
  readonly timeZone: string
}

export function readFilter(app: App, filter: PaymentFilter, timeZone = 'UTC'): ReadFilter {
  const { terms, text, notUnderstood } = parseQuery(filter.q ?? '')
  const readers = { app, timeZone }
  const query = combined(terms, readers)
  const fields = combined(fieldTerms(filter), readers)
  const conditions = both(query.conditions, fields.conditions)
  return {
    conditions: text === '' ? conditions : { ...conditions, text },
    notUnderstood: [...notUnderstood, ...query.notUnderstood, ...fields.notUnderstood],
  }
}

/** The members of a filter beside `q`, as terms. Values are separated by commas and never quoted. */
function fieldTerms(filter: PaymentFilter): Term[] {
  const { q: _q, from, to, min, max, ...lists } = filter
  const ordered = (
    field: Field,
    name: string,
    [comparison, value]: [Comparison, string | undefined],
  ): Term[] =>
    value
      ? [{ source: `${name}=${value}`, field, isNot: false, comparison, values: [value.slice(0, 60)] }]
      : []
  return [
    ...Object.entries(lists).flatMap(([name, value]): Term[] => {
      const values = (value ?? '')
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
      const source = `${name}=${value}`
      const term = { source, field: name as Field, isNot: false, comparison: '=' as const }
      return values.length === 0 ? [] : [{ ...term, values: values.slice(0, MOST_VALUES) }]
    }),
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

function readTerm(term: Term, readers: Readers): Conditions | undefined {
  const { field, values, isNot } = term
  switch (field) {
    case 'amount':
      return amountBounds(term)
    case 'created':
      return timeBounds(term, readers.timeZone)
    case 'id': {
      const ids = values.filter((value) => /^\d{1,15}$/.test(value)).map(Number)
      return ids.length < values.length || isNot ? undefined : { is: {}, not: {}, ids }
    }
    case 'ref': {
      const matches = values.map(referenceMatch)
      return { is: {}, not: {}, ...(isNot ? { notReferences: matches } : { references: matches }) }
    }
    default:
      return listedTerm(term, field, readers)
  }
}

function listedTerm(
  { values, isNot }: Term,
  field: Exclude<Field, 'amount' | 'created' | 'id' | 'ref'>,
  readers: Readers,
): Conditions | undefined {
  if (field === 'customer' && !isNot) return customerTerm(values)
  const read = values.map((value) => READ[field](value, readers.app))
  if (read.some((each) => each === undefined)) return undefined
  const listed = {
    [field === 'provider' ? 'profile' : field]: [...new Set(read.flatMap((each) => each ?? []))],
  }
  return isNot ? { is: {}, not: listed } : { is: listed, not: {} }
}

const referenceMatch = (value: string): ReferenceMatch =>
  value.endsWith('*') ? { text: value.slice(0, -1), isPrefix: true } : { text: value, isPrefix: false }

/** An id is taken as it is. A beginning (`dana*`) or an e-mail address is looked up among the customers. */
function customerTerm(values: readonly string[]): Conditions {
  const searches = values.filter((value) => value.endsWith('*') || value.includes('@'))
  const customerSearches = searches.map((value) => value.replace(/\*$/, '')).filter((value) => value !== '')
  return {
    is: { customer: [...new Set(values.filter((value) => !value.endsWith('*')))] },
    not: {},
    ...(customerSearches.length > 0 ? { customerSearches } : {}),
  }
}

type Reader = (value: string, app: App) => readonly string[] | undefined

const FRAUD = ['Unknown', 'Verified', 'RuleViolated', 'Suspicious', 'Fraudulent', 'Ignored']
const FLOWS = ['HostedPage', 'Direct', 'ProviderHostedPage', 'AutoPayment']
const STATE_NAMES = Object.keys(STATES)
const HELD = STATE_NAMES.filter((name) => STATES[name as keyof typeof STATES].kind === 'held')
const METHODS: Readonly<Record<string, string>> = { card: 'CreditCard', check: 'ElectronicCheck' }

const oneOf =
  (names: readonly string[]): Reader =>
  (value) => {
    const found = names.find((name) => name.toLowerCase() === value.toLowerCase())
    return found === undefined ? undefined : [found]
  }
const wholeNumber: Reader = (value) => (/^\d{1,15}$/.test(value) ? [String(Number(value))] : undefined)
const pattern =
  (shape: RegExp, change = (value: string) => value): Reader =>
  (value) =>
    shape.test(change(value)) ? [change(value)] : undefined

const READ: Readonly<Record<Listed | 'provider', Reader>> = {
  state: (value, app) => (value.toLowerCase() === 'held' ? HELD : oneOf(STATE_NAMES)(value, app)),
  /** A provider that the app never had finds nothing. */
  provider: (value, { profiles }) =>
    profiles
      .filter(({ provider }) => provider.toLowerCase() === value.toLowerCase())
      .map(({ profileId }) => String(profileId)),
  profile: (value, app) => {
    const named = app.profiles.filter(({ name }) => name.toLowerCase() === value.toLowerCase())
    return named.length > 0 ? named.map(({ profileId }) => String(profileId)) : wholeNumber(value, app)
  },
  currency: pattern(/^[A-Z]{3}$/, (value) => value.toUpperCase()),
  customer: (value) => [value],
  last4: pattern(/^\d{4}$/),
  policy: wholeNumber,
  /** Decline reasons have hyphens, failure codes have underscores. */
  reason: (value) => {
    const lower = value.toLowerCase()
    return [lower.replaceAll('_', '-'), lower.replaceAll('-', '_')]
  },
  order: (value) => [value],
  method: (value, app) => oneOf(METHOD_KINDS)(METHODS[value.toLowerCase()] ?? value, app),
  brand: (value) => [value.toLowerCase()],
  flow: oneOf(FLOWS),
  country: pattern(/^[A-Z]{2}$/, (value) => value.toUpperCase()),
  fraud: oneOf(FRAUD),
}

const INVERSE: Readonly<Record<Comparison, Comparison | undefined>> = {
  '=': undefined,
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
}
const comparisonOf = ({ comparison, isNot }: Term): Comparison | undefined =>
  isNot ? INVERSE[comparison] : comparison

export const SCALE_DIGITS = 4

function amountBounds(term: Term): Conditions | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(term.values[0] ?? '') ?? []
  const comparison = comparisonOf(term)
  if (whole === undefined || comparison === undefined) return undefined
  const value = BigInt(whole + fraction.padEnd(SCALE_DIGITS, '0'))
  return { is: {}, not: {}, ...bounds(comparison, [value, value], 1n) }
}

/** Of a value that covers first to last, both included. */
function bounds(comparison: Comparison, [first, last]: [bigint, bigint], step: bigint) {
  switch (comparison) {
    case '=':
      return { min: first, max: last }
    case '>':
      return { min: last + step }
    case '>=':
      return { min: first }
    case '<':
      return { max: first - step }
    case '<=':
      return { max: last }
  }
}

function timeBounds(term: Term, timeZone: string): Conditions | undefined {
  const range = timeRange(term.values[0] ?? '', timeZone)
  const comparison = comparisonOf(term)
  if (!range || comparison === undefined) return undefined
  const { min, max } = bounds(comparison, [BigInt(range.from), BigInt(range.to - 1)], 1n) as {
    min?: bigint
    max?: bigint
  }
  return {
    is: {},
    not: {},
    ...(min === undefined ? {} : { from: new Date(Number(min)) }),
    ...(max === undefined ? {} : { to: new Date(Number(max) + 1) }),
  }
}

/** A month, a day or an instant, in milliseconds since 1970. */
function timeRange(value: string, timeZone: string): { from: number; to: number } | undefined {
  const instant = parseInstant(value)
  if (instant) return { from: instant.getTime(), to: instant.getTime() + 1 }
  if (!/^\d{4}-\d{2}(-\d{2})?$/.test(value)) return undefined
  const isMonth = value.length === 7
  const start = parseInstant(`${isMonth ? `${value}-01` : value}T00:00Z`)
  if (!start) return undefined
  const end = nextStart(start, isMonth ? 'month' : 'day')
  return { from: instantOf(start, timeZone).getTime(), to: instantOf(end, timeZone).getTime() }
}

const later = (a?: Date, b?: Date): Date | undefined => (a && b ? (a > b ? a : b) : (a ?? b))
const earlier = (a?: Date, b?: Date): Date | undefined => (a && b ? (a < b ? a : b) : (a ?? b))
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
  const values: Readonly<Partial<Record<Listed, string | null>>> = {
    state: payment.state,
    profile: payment.profileId === null ? null : String(payment.profileId),
    last4: payment.last4,
    reason: payment.reason,
    method: payment.method,
    brand: payment.brand?.toLowerCase() ?? null,
    country: payment.country,
    fraud: payment.fraudStatus,
  }
  return Object.entries(values).every(([name, value]) => {
    const [wanted, unwanted] = [is[name as Listed], not[name as Listed]]
    return (
      (!wanted || (value !== null && wanted.includes(value))) &&
      !(value !== null && unwanted?.includes(value))
    )
  })
}
