import { after } from '../../base/clock.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { periodRange, type TimeSpan, wallRange } from '../../base/time/period.ts'
import { nextStart } from '../../base/time/zone.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { METHOD_IDS, METHOD_KINDS } from '../../providers/methods/method.ts'
import { RETRY_ADVICE } from '../../providers/outcome.ts'
import { STATES } from '../machine.ts'
import type { Conditions, Listed, ReferenceMatch } from './filter.ts'
import type { Comparison, QueryField, Term } from './query.ts'

/** Translates one term to conditions. Pure. */

export interface Readers {
  readonly app: App
  readonly timeZone: string
  /** By the app's clock. */
  readonly now: Date
  /** Who asks: `assigned:me`. */
  readonly actor: Context['actor']
}

/** Undefined: the value has no meaning for the field. */
export function readTerm(term: Term, readers: Readers): Conditions | undefined {
  const { field, values, isNot } = term
  switch (field) {
    case 'amount':
      return amountBounds(term)
    case 'created':
      return timeBounds(term, readers)
    case 'id': {
      const ids = values.filter((value) => /^\d{1,15}$/.test(value)).map(Number)
      return ids.length < values.length || isNot ? undefined : { is: {}, not: {}, ids }
    }
    case 'ref': {
      const matches = values.map(referenceMatch)
      return { is: {}, not: {}, ...(isNot ? { notReferences: matches } : { references: matches }) }
    }
    case 'person':
      return isNot ? undefined : { is: { customer: values }, not: {}, customerSearches: values }
    default:
      return listedTerm(term, field, readers)
  }
}

/** An exclusion of these would be looked up for every row. */
export const LOOKED_UP: ReadonlySet<string> = new Set(['link', 'retry', 'recovered'])

function listedTerm(
  { values, isNot }: Term,
  field: Exclude<QueryField, 'amount' | 'created' | 'id' | 'ref' | 'person'>,
  readers: Readers,
): Conditions | undefined {
  if (field === 'customer' && !isNot) return customerTerm(values)
  if (isNot && LOOKED_UP.has(field)) return undefined
  const read = values.map((value) => READ[field](value, readers.app, readers.actor))
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

type Reader = (value: string, app: App, actor?: Context['actor']) => readonly string[] | undefined

const FRAUD = ['Unknown', 'Verified', 'RuleViolated', 'Suspicious', 'Fraudulent', 'Ignored']
const FLOWS = ['HostedPage', 'Direct', 'ProviderHostedPage', 'AutoPayment']
const STATE_NAMES = Object.keys(STATES)
const HELD = STATE_NAMES.filter((name) => STATES[name as keyof typeof STATES].kind === 'held')
const METHOD_NAMES = [...METHOD_KINDS, ...METHOD_IDS]
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

/** `accepted`: authorised or paid. */
const STANDINGS: Readonly<Record<string, readonly string[]>> = {
  held: HELD,
  accepted: ['approved', 'paid'],
  ...Object.fromEntries(['paid', 'declined', 'blocked', 'part-refunded'].map((word) => [word, [word]])),
}

/** A state of the machine, or a word for how the payment stands. */
function stateOf(value: string): readonly string[] | undefined {
  const lower = value.toLowerCase()
  const state = STATE_NAMES.find((name) => name.toLowerCase() === lower)
  if (state !== undefined) return [state]
  return Object.hasOwn(STANDINGS, lower) ? STANDINGS[lower] : undefined
}

const READ: Readonly<Record<Listed | 'provider', Reader>> = {
  state: stateOf,
  stateToo: stateOf,
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
  method: (value, app) => oneOf(METHOD_NAMES)(METHODS[value.toLowerCase()] ?? value, app),
  brand: (value) => [value.toLowerCase()],
  flow: oneOf(FLOWS),
  country: pattern(/^[A-Z]{2}$/, (value) => value.toUpperCase()),
  fraud: oneOf(FRAUD),
  /** A person of the team, by id. */
  assigned: (value, _app, actor) => {
    if (value.toLowerCase() !== 'me') return /^[\w-]{1,64}$/.test(value) ? [value] : undefined
    // A key is no person: nothing is assigned to it.
    return actor?.kind === 'person' ? [actor.id] : []
  },
  link: pattern(/^link_[0-9a-z]{16}$/, (value) => value.toLowerCase()),
  retry: oneOf(RETRY_ADVICE),
  recovered: oneOf(['yes', 'no']),
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

const AMOUNT_SAID = /^[\p{Sc}\s]*([\d][\d.,' \u00a0\u202f]{0,20})[\p{Sc}\s]*$/u

/**
 * An amount as people write it, in ten-thousandths: `99,89`, `€1.234,50`, `1,234.50 USD`, `1 234`. The last
 * separator is the decimal point if one or two digits follow it, or any number but three.
 */
export function amountSaid(text: string): bigint | undefined {
  const bare = text.replace(/^[A-Z]{3}\b|\b[A-Z]{3}$/giu, '')
  const [, digits] = AMOUNT_SAID.exec(bare) ?? []
  const written = digits?.trim()
  if (!written) return undefined
  const [, whole = '', fraction = ''] = /^(.*?)(?:[.,](\d{1,2}|\d{4}))?$/.exec(written) ?? []
  if (!/^\d{1,3}([.,' \u00a0\u202f]\d{3}){0,3}$|^\d{1,12}$/.test(whole)) return undefined
  return BigInt(whole.replace(/\D/g, '') + fraction.padEnd(SCALE_DIGITS, '0'))
}

/** The bounds for a value that covers first to last, both included. */
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

function timeBounds(term: Term, readers: Readers): Conditions | undefined {
  const value = term.values[0] ?? ''
  const { app, now, timeZone } = readers
  const isWord = term.comparison === '='
  const range =
    timeRange(value, readers) ??
    (isWord ? periodRange(value.toLowerCase(), now, timeZone, app.monthStartsOn) : undefined)
  const comparison = comparisonOf(term)
  if (!range || comparison === undefined) return undefined
  const { min, max } = bounds(
    comparison,
    [BigInt(range.from.getTime()), BigInt(range.to.getTime() - 1)],
    1n,
  ) as {
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

/** A month, a day or an instant. */
function timeRange(value: string, { timeZone }: Readers): TimeSpan | undefined {
  const instant = parseInstant(value)
  if (instant) return { from: instant, to: after(instant, 1) }
  if (!/^\d{4}-\d{2}(-\d{2})?$/.test(value)) return undefined
  const isMonth = value.length === 7
  const start = parseInstant(`${isMonth ? `${value}-01` : value}T00:00Z`)
  return start && wallRange(start, nextStart(start, isMonth ? 'month' : 'day'), timeZone)
}
