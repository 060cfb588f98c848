import { folded } from '../../base/text.ts'

/**
 * The query grammar of payment lists. Pure.
 *
 *     state:failed provider:stripe amount:>100 ref:INV-* -state:refunded "free text"
 *
 * A term is `field:value`, with several values separated by commas, a comparison (`>`, `>=`, `<`, `<=` or
 * `a..b`) for amounts and times, and `*` at the end for the beginning of a text. `-` in front excludes. A
 * word such as `declined` or `yesterday` is a term by itself. Every other word is free text.
 */

const FIELDS = {
  state: 'state',
  provider: 'provider',
  profile: 'profile',
  currency: 'currency',
  customer: 'customer',
  email: 'person',
  name: 'person',
  policy: 'policy',
  last4: 'last4',
  ref: 'ref',
  reference: 'ref',
  order: 'order',
  reason: 'reason',
  method: 'method',
  brand: 'brand',
  flow: 'flow',
  country: 'country',
  fraud: 'fraud',
  settled: 'settled',
  assigned: 'assigned',
  link: 'link',
  retry: 'retry',
  recovered: 'recovered',
  amount: 'amount',
  created: 'created',
  id: 'id',
} as const

/** `stateToo` is the state of a filter beside the query. */
export type QueryField = (typeof FIELDS)[keyof typeof FIELDS] | 'stateToo'

export type Comparison = '=' | '>' | '>=' | '<' | '<='

export interface Term {
  /** As it was written, for messages. */
  readonly source: string
  readonly field: QueryField
  readonly isNot: boolean
  /** More than one only with `=`. A range becomes two terms. */
  readonly comparison: Comparison
  readonly values: readonly string[]
}

export interface ParsedQuery {
  readonly terms: readonly Term[]
  /** The words that are not terms, in one line. */
  readonly text: string
  readonly notUnderstood: readonly string[]
}

export const QUERY_LENGTH = 500
const MAX_TERMS = 20
export const MAX_VALUES = 16

/** Quoted parts may hold spaces and colons. An opening quote without an end is an ordinary character. */
export const WORDS = /(?:[^\s"]|"[^"]{0,500}"|")+/g

export function parseQuery(query: string): ParsedQuery {
  const words = query.slice(0, QUERY_LENGTH).match(WORDS) ?? []
  const terms: Term[] = []
  const texts: string[] = []
  const notUnderstood: string[] =
    query.length > QUERY_LENGTH ? [query.slice(QUERY_LENGTH, QUERY_LENGTH + 40)] : []
  for (const word of words) {
    const read = readWord(word)
    if (read === undefined) texts.push(unquoted(word))
    else if (read.length === 0 || terms.length + read.length > MAX_TERMS) notUnderstood.push(word)
    else terms.push(...read)
  }
  return { terms, text: folded(texts.join(' ')), notUnderstood }
}

/** Words that people say instead of a term. In quotes they are text. */
const SAID: Readonly<Record<string, QueryField>> = {
  ...Object.fromEntries(
    ['declined', 'blocked', 'paid', 'captured', 'refunded', 'failed', 'disputed', 'held'].map(
      (word) => [word, 'state'] as const,
    ),
  ),
  today: 'created',
  yesterday: 'created',
}

const TERM = /^(-?)([A-Za-z][A-Za-z0-9]{0,19}):(.*)$/s

/** Undefined: the word is free text. Empty: it has the form of a term and no meaning. */
function readWord(word: string): Term[] | undefined {
  const lower = word.toLowerCase()
  if (Object.hasOwn(SAID, lower)) {
    const field = SAID[lower] as QueryField
    return [{ source: word, field, isNot: false, comparison: '=', values: [lower] }]
  }
  const [, minus, name, rest] = TERM.exec(word) ?? []
  if (name === undefined || rest === undefined) return undefined
  const field = fieldOf(name)
  // An address such as https://… and a reference such as a:b are text.
  if (field === undefined) return rest.startsWith('//') ? undefined : []
  const term = { source: word, field, isNot: minus === '-' }
  return isOrdered(field) ? readOrdered(term, unquoted(rest)) : readValues(term, rest)
}

const isOrdered = (field: QueryField): boolean => field === 'amount' || field === 'created'

function fieldOf(name: string): QueryField | undefined {
  const lower = name.toLowerCase()
  return Object.hasOwn(FIELDS, lower) ? FIELDS[lower as keyof typeof FIELDS] : undefined
}

function readValues(term: Omit<Term, 'comparison' | 'values'>, rest: string): Term[] {
  const parts = rest.match(/(?:[^,"]|"[^"]{0,500}"|")+/g) ?? []
  const values = parts.map(unquoted).filter((value) => value !== '')
  return values.length === 0 || values.length > MAX_VALUES ? [] : [{ ...term, comparison: '=', values }]
}

const COMPARED = /^(>=|<=|>|<|=)?(.{1,60})$/s

function readOrdered(term: Omit<Term, 'comparison' | 'values'>, text: string): Term[] {
  const dots = text.indexOf('..')
  if (dots < 0) {
    const [, comparison = '=', value] = COMPARED.exec(text) ?? []
    return value === undefined ? [] : [{ ...term, comparison: comparison as Comparison, values: [value] }]
  }
  // What is outside a range is two pieces, which no list can show in order.
  if (term.isNot) return []
  const [least, most] = [text.slice(0, dots), text.slice(dots + 2)]
  if (least === '' && most === '') return []
  return [
    ...(least === '' ? [] : [{ ...term, comparison: '>=' as const, values: [least] }]),
    ...(most === '' ? [] : [{ ...term, comparison: '<=' as const, values: [most] }]),
  ]
}

const unquoted = (word: string): string => word.replace(/"([^"]{0,500})"/g, '$1').trim()
