import { customerIdsBy } from '../../customers/commands.ts'
import { RECOVERED, RETRY } from './charges-store.ts'
import type { Conditions, Listed } from './filter.ts'
import { amountSaid, LOOKED_UP, SCALE_DIGITS } from './terms.ts'

/**
 * The conditions that are checked row by row on what a scan finds. Every list statement has all of them, with
 * null for those not asked for: one statement for each scan, whatever the filter.
 */

export interface Residual extends Conditions {
  /** Customers that a free text means. */
  readonly textCustomers?: readonly string[]
  /** Words of `customerIdsBy`: customers that a free text means, too many to be named. */
  readonly textWords?: string
  /** The same besides `is.customer`. */
  readonly customerWords?: string
}

/** The standings of `standingsOf`, as the database computes them. */
const OUTCOME = 'payment_outcome(s.state, s.reason, s.captured_minor)'
const PART_REFUNDED = `case when s.refunded_minor > 0 and s.state <> 'Refunded' then 'part-refunded' end`
const STANDINGS = ['s.state', OUTCOME, PART_REFUNDED]

const COLUMNS: Readonly<Record<Exclude<Listed, 'state' | 'stateToo'>, string>> = {
  profile: 's.profile_id::text',
  currency: 's.currency',
  customer: 's.customer_id',
  last4: 's.last4',
  policy: 's.policy_id::text',
  reason: 's.reason',
  order: 's.order_id',
  method: 's.method',
  brand: 'lower(s.brand)',
  flow: 's.flow',
  country: 's.country',
  fraud: 's.fraud_status',
  /** Null without captured money. */
  settled: `(select case when t.state = 'unsettled' then 'no' else 'yes' end from settlement_states t
     where t.app_id = $1 and t.payment_id = s.payment_id)`,
  assigned: `(select a.person_id from assignments a
     where a.app_id = $1 and a.subject = 'payment:' || s.payment_id)`,
  link: `(select t.link_id from payment_link_places t
     where t.app_id = $1 and t.reference_id = s.reference_id)`,
  retry: RETRY,
  recovered: RECOVERED,
}
const EXPRESSIONS: readonly (readonly [Listed, readonly string[]])[] = [
  ['state', STANDINGS],
  ['stateToo', STANDINGS],
  ...Object.entries(COLUMNS).map(([field, column]) => [field as Listed, [column]] as const),
]
const FIELDS = EXPRESSIONS.map(([field]) => field)

/** The first parameter after those of the scan. */
const FIRST = 7
const parameter = (place: number): string => `$${FIRST + place}`
const after = FIELDS.length

const [TEXT_WORDS, CUSTOMER_WORDS] = [12, 13].map((place) => parameter(after + place)) as [string, string]
/** A hash of ids that is made once for a statement, when the first row gets here. */
const isMeantBy = (words: string): string =>
  `(${words}::text is not null and s.customer_id in (${customerIdsBy(words)}))`

const isOneOf = EXPRESSIONS.map(([field, expressions], place) => {
  const wanted = parameter(place)
  const any = [
    ...expressions.map((expression) => `${expression} = any (${wanted})`),
    ...(field === 'customer' ? [isMeantBy(CUSTOMER_WORDS)] : []),
  ]
  return `(${wanted}::text[] is null or ${any.join(' or ')})`
})
/** Excluded values as `field:value`. Some cannot be excluded: they would be looked up for every row. */
const excluded = EXPRESSIONS.filter(([field]) => !LOOKED_UP.has(field))
  .flatMap(([field, expressions]) => expressions.map((expression) => `'${field}:' || ${expression}`))
  .join(', ')
/** As `starts_with`, without a subquery for each row. */
const begins = (prefixes: string): string => `s.reference_id ^@ any (${prefixes}::text[])`

const [NOT, MIN, MAX, IDS] = [0, 1, 2, 3].map((place) => parameter(after + place)) as [
  string,
  string,
  string,
  string,
]
const [WHOLE, BEGINNING, NOT_WHOLE, NOT_BEGINNING] = [4, 5, 6, 7].map((place) =>
  parameter(after + place),
) as [string, string, string, string]
const [TEXT, TEXT_NUMBER, TEXT_CUSTOMERS, TEXT_AMOUNT] = [8, 9, 10, 11].map((place) =>
  parameter(after + place),
) as [string, string, string, string]

/** The first parameter after those of the conditions. */
export const RESIDUAL_END = FIRST + after + 14

export const RESIDUAL = [
  ...isOneOf,
  `(${NOT}::text[] is null or not (array[${excluded}] && ${NOT}))`,
  `(${MIN}::numeric is null or s.amount >= ${MIN})`,
  `(${MAX}::numeric is null or s.amount <= ${MAX})`,
  `(${IDS}::bigint[] is null or s.payment_id = any (${IDS}))`,
  `(${WHOLE}::text[] is null or s.reference_id = any (${WHOLE}) or ${begins(BEGINNING)})`,
  `(${NOT_WHOLE}::text[] is null or not (s.reference_id = any (${NOT_WHOLE}) or ${begins(NOT_BEGINNING)}))`,
  // What most matches have comes first, and what costs most last.
  `(${TEXT}::text[] is null or ${isMeantBy(TEXT_WORDS)} or s.customer_id = any (${TEXT_CUSTOMERS}::text[])
     or s.order_id = any (${TEXT}) or s.amount = ${TEXT_AMOUNT}::numeric or s.last4 = ${TEXT_NUMBER}
     or ${begins(TEXT)} or ${TEXT_NUMBER}::text is not null and s.payment_id::text = ${TEXT_NUMBER})`,
].join('\n     and ')

export function residualValues(residual: Residual): unknown[] {
  const { is, not, ids, references, notReferences, min, max, text, textCustomers = [] } = residual
  const { textWords = null, customerWords = null } = residual
  const nots = FIELDS.flatMap((field) => (not[field] ?? []).map((value) => `${field}:${value}`))
  const wholes = (matches: Conditions['references'], isPrefix: boolean) =>
    matches ? matches.filter((match) => match.isPrefix === isPrefix).map((match) => match.text) : null
  return [
    ...FIELDS.map((field) => is[field] ?? null),
    nots.length > 0 ? nots : null,
    ...[decimal(min), decimal(max), ids ?? null],
    ...[wholes(references, false), wholes(references, true)],
    ...[wholes(notReferences, false), wholes(notReferences, true)],
    ...[text === undefined ? null : spellings(text), text !== undefined && isNumber(text) ? text : null],
    ...[textCustomers, text === undefined ? null : decimal(amountSaid(text)), textWords, customerWords],
  ]
}

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)

/** References keep their case; a person who types one may not. */
export const spellings = (text: string): string[] => [
  ...new Set([text, text.toUpperCase(), text.toLowerCase()]),
]

/** Ten-thousandths as decimal text. */
export function decimal(scaled: bigint | undefined): string | null {
  if (scaled === undefined) return null
  const sign = scaled < 0n ? '-' : ''
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(SCALE_DIGITS + 1, '0')
  return `${sign}${digits.slice(0, -SCALE_DIGITS)}.${digits.slice(-SCALE_DIGITS)}`
}
