import { parseInstant } from '../../base/time/instant.ts'
import { instantOf, nextStart } from '../../base/time/zone.ts'
import type { App } from '../../merchants/app.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'
import { STATES } from '../machine.ts'
import type { Conditions, Listed, ReferenceMatch } from './filter.ts'
import type { Comparison, QueryField, Term } from './query.ts'

/** Translates one term to conditions. Pure. */

export interface Readers {
  readonly app: App
  readonly timeZone: string
}

/** Undefined: the value has no meaning for the field. */
export function readTerm(term: Term, readers: Readers): Conditions | undefined {
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
  field: Exclude<QueryField, 'amount' | 'created' | 'id' | 'ref'>,
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
  settled: (value, app) => (app.hasSettlements ? oneOf(['yes', 'no'])(value, app) : undefined),
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
