import { hasCardNumber } from '../base/cards/find.ts'
import { isCurrency } from '../base/currencies.ts'
import { ApiError } from '../base/errors.ts'
import type { CsvRow } from '../base/files/csv.ts'
import { LIMITS } from '../base/limits.ts'
import { parseMinor } from '../base/money.ts'
import { parseInstant } from '../base/time/instant.ts'
import type { TokenProblem } from '../customers/import-method.ts'
import { inspectBody, inspectCards } from '../http/inspect.ts'
import type { App } from '../merchants/app.ts'
import { IMPORTS } from './limits.ts'
import { isSealed, openToken } from './sealing.ts'

/** The file of an import, and of an export of everything: a CSV whose column `kind` says what a line is. */

export const ROW_KINDS = ['customer', 'payment-method', 'payment'] as const

export const COLUMNS = {
  kind: 'What the line is: `customer`, `payment-method` or `payment`.',
  customerId: 'Your id of the customer.',
  firstName: 'Of a customer.',
  lastName: 'Of a customer.',
  email: 'Of a customer.',
  mobileNumber: 'Of a customer.',
  isBlocked: 'Of a customer: `true` or `false`.',
  createdTime: 'Of a customer: since when you know it.',
  extras: 'Of a customer: its address and other members, as JSON.',
  paymentProfile: 'Of a method or payment: the name of the provider profile, or its id.',
  token: "Of a method: the provider's token, plain or sealed.",
  consentTime: 'Of a method: when the customer agreed.',
  consentText: 'Of a method: what the customer agreed to, or a name of that text.',
  referenceId: 'Of a payment: your reference.',
  time: 'Of a payment: when it was made.',
  amount: 'Of a payment: in units of the currency, such as 25.50.',
  currency: 'Of a payment: ISO 4217.',
  outcome: 'Of a payment: `paid` or `declined`.',
} as const
export type Column = keyof typeof COLUMNS

export interface ImportedCustomer {
  readonly kind: 'customer'
  readonly line: number
  readonly customerId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly mobileNumber: string | null
  readonly isBlocked: boolean | null
  readonly createdTime: string | null
  readonly extras: object | null
}

export interface ImportedMethod {
  readonly kind: 'payment-method'
  readonly line: number
  readonly customerId: string
  readonly profileId: number
  readonly token: string
  readonly consentTime: string
  readonly consentText: string
}

export interface ImportedPayment {
  readonly kind: 'payment'
  readonly line: number
  readonly customerId: string
  readonly referenceId: string
  readonly time: string
  readonly currency: string
  /** Minor units. */
  readonly amount: string
  readonly outcome: 'paid' | 'declined'
  readonly profileId: number | null
}

export type ImportRow = ImportedCustomer | ImportedMethod | ImportedPayment

/** Why a line is wrong. Stored; the words are in locales. */
export interface LineProblem {
  readonly code:
    | TokenProblem
    | 'not-csv'
    | 'kind'
    | 'required'
    | 'too-long'
    | 'wrong-value'
    | 'not-past'
    | 'sealed'
    | 'contradicts-line'
    | 'contradicts'
  readonly field?: Column
  /** The longest text, or the line that says something else. */
  readonly number?: number
}

class WrongLine extends Error {
  readonly problem: LineProblem
  constructor(problem: LineProblem) {
    super(problem.code)
    this.problem = problem
  }
}

const wrong = (code: LineProblem['code'], field?: Column, number?: number): WrongLine =>
  new WrongLine({ code, ...(field && { field }), ...(number !== undefined && { number }) })

export interface Reading {
  readonly app: App
  readonly now: Date
  readonly key: Uint8Array | undefined
}

/** Checks one line. The problem is that of its first wrong cell. */
export function readLine(row: CsvRow, reading: Reading): ImportRow | LineProblem {
  try {
    const cells = cellsOf(row)
    const common = { line: row.row, customerId: text(cells, 'customerId', LIMITS.customerIdLength) }
    switch (cells('kind', LIMITS.nameLength)) {
      case 'customer':
        return { kind: 'customer', ...common, ...customerIn(cells, reading) }
      case 'payment-method':
        return { kind: 'payment-method', ...common, ...methodIn(cells, common.customerId, reading) }
      case 'payment':
        return { kind: 'payment', ...common, ...paymentIn(cells, reading) }
      default:
        throw wrong('kind', 'kind')
    }
  } catch (error) {
    if (error instanceof WrongLine) return error.problem
    throw error
  }
}

/** The text of a cell. Throws for one that is longer, before its text is looked at. */
type Cells = (name: Column, most: number) => string

/** Files for spreadsheets have an apostrophe before what would be a formula, or before one more. */
const ESCAPED = /^'(?='*(?:\s*[=+\-@|%＝＋－＠]|[\t\r\n]))/

function cellsOf({ cells }: CsvRow): Cells {
  return (name, most) => {
    const value = (cells[name] ?? '').replace(ESCAPED, '')
    if (value.length > most) throw wrong('too-long', name, most)
    if (name !== 'token' && hasCardNumber(value)) throw wrong('card-number', name)
    return value
  }
}

function optional(cells: Cells, name: Column, most: number): string | null {
  const value = cells(name, most)
  return value === '' ? null : value
}

function text(cells: Cells, name: Column, most: number): string {
  const value = optional(cells, name, most)
  if (value === null) throw wrong('required', name)
  return value
}

/** In the past, in the form of every answer. */
function instant(cells: Cells, name: Column, now: Date): string {
  const time = parseInstant(text(cells, name, LIMITS.nameLength))
  if (!time) throw wrong('wrong-value', name)
  if (time > now) throw wrong('not-past', name)
  return time.toISOString()
}

const FLAGS: ReadonlyMap<string, boolean | null> = new Map([
  ['', null],
  ['true', true],
  ['false', false],
])

function customerIn(cells: Cells, { now }: Reading): Omit<ImportedCustomer, 'kind' | 'line' | 'customerId'> {
  const isBlocked = FLAGS.get(cells('isBlocked', LIMITS.nameLength).toLowerCase())
  if (isBlocked === undefined) throw wrong('wrong-value', 'isBlocked')
  return {
    firstName: optional(cells, 'firstName', LIMITS.nameLength),
    lastName: optional(cells, 'lastName', LIMITS.nameLength),
    email: optional(cells, 'email', LIMITS.emailLength),
    mobileNumber: optional(cells, 'mobileNumber', LIMITS.phoneLength),
    isBlocked,
    createdTime: cells('createdTime', LIMITS.nameLength) === '' ? null : instant(cells, 'createdTime', now),
    extras: extrasIn(optional(cells, 'extras', IMPORTS.extrasLength)),
  }
}

function extrasIn(value: string | null): object | null {
  if (value === null) return null
  const parsed = inspected(value)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  throw wrong('wrong-value', 'extras')
}

/**
 * JSON that a request could have too: PostgreSQL does not store each, and one such line would stop the whole
 * import. What the parser says is not repeated, because it quotes the cell.
 */
function inspected(value: string): unknown {
  try {
    const parsed: unknown = JSON.parse(value)
    inspectBody(parsed)
    inspectCards(parsed, [])
    return parsed
  } catch (error) {
    const isCard = error instanceof ApiError && error.code === 'card_number_not_allowed'
    throw wrong(isCard ? 'card-number' : 'wrong-value', 'extras')
  }
}

function methodIn(cells: Cells, customerId: string, { app, now, key }: Reading) {
  const profileId = profileIn(app, text(cells, 'paymentProfile', LIMITS.nameLength))
  const given = text(cells, 'token', 2 * LIMITS.providerTokenLength)
  const token = isSealed(given) ? key && openToken(key, customerId, given) : given
  if (token === undefined) throw wrong('sealed', 'token')
  if (token.length > LIMITS.providerTokenLength) throw wrong('too-long', 'token', LIMITS.providerTokenLength)
  const consentTime = instant(cells, 'consentTime', now)
  const consentText = text(cells, 'consentText', LIMITS.messageLength)
  return { profileId, token, consentTime, consentText }
}

/** By its name where one profile has it, else by its id. */
function profileIn({ profiles }: App, name: string): number {
  const named = profiles.filter((profile) => profile.name === name)
  const found = named.length === 1 ? named[0] : profiles.find(({ profileId }) => String(profileId) === name)
  if (!found) throw wrong('unknown-profile', 'paymentProfile')
  return found.profileId
}

/** The name that an import finds the profile by. */
export function profileName({ profiles }: App, profileId: number | null): string | null {
  const own = profiles.find((profile) => profile.profileId === profileId)
  if (!own) return null
  return profiles.filter(({ name }) => name === own.name).length === 1 ? own.name : String(own.profileId)
}

function paymentIn(
  cells: Cells,
  { app, now }: Reading,
): Omit<ImportedPayment, 'kind' | 'line' | 'customerId'> {
  const currency = text(cells, 'currency', LIMITS.nameLength)
  if (!isCurrency(currency)) throw wrong('wrong-value', 'currency')
  const minor = parseMinor(text(cells, 'amount', LIMITS.nameLength), currency)
  if (minor === undefined || minor <= 0n) throw wrong('wrong-value', 'amount')
  const outcome = text(cells, 'outcome', LIMITS.nameLength)
  if (outcome !== 'paid' && outcome !== 'declined') throw wrong('wrong-value', 'outcome')
  const profile = cells('paymentProfile', LIMITS.nameLength)
  return {
    referenceId: text(cells, 'referenceId', LIMITS.referenceIdLength),
    time: instant(cells, 'time', now),
    currency,
    amount: String(minor),
    outcome,
    profileId: profile === '' ? null : profileIn(app, profile),
  }
}
