import { type Money, money, parseMinor } from '../../base/money.ts'

/** The parts of the provider's JSON that the adapter reads. All is checked. */

export type JsonMembers = Readonly<Record<string, unknown>>

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Undefined for a text that is empty: the provider writes empty texts for what it does not know. */
export function textOf(value: unknown, ...names: string[]): string | undefined {
  const found = names.reduce(memberOf, value)
  const text = typeof found === 'number' ? String(found) : found
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** A list, also one inside of an element of its own. */
export function listOf(value: unknown, name: string, item?: string): readonly unknown[] {
  const member = memberOf(value, name)
  const list = item !== undefined && !Array.isArray(member) ? memberOf(member, item) : member
  return Array.isArray(list) ? list : []
}

const ID = /^[1-9]\d{0,19}$/

/** Undefined for "0", which stands for a transaction that was not made. */
export function idOf(value: unknown, ...names: string[]): string | undefined {
  const text = textOf(value, ...names)
  return text !== undefined && ID.test(text) ? text : undefined
}

export const isId = (text: string | undefined): text is string => text !== undefined && ID.test(text)

/** A key or a reference of ours. */
export const isKey = (text: string | undefined): text is string =>
  text !== undefined && /^[0-9A-Z]{20}$/.test(text)

function amountOf(value: unknown, name: string, currency: string): Money | undefined {
  const text = textOf(value, name)
  const minor = text === undefined ? undefined : parseMinor(text, currency)
  return minor === undefined ? undefined : money(minor, currency)
}

/** One line of a list of transactions. */
export interface Summary {
  readonly id: string
  readonly status: string
  readonly invoice: string | undefined
  readonly account: string | undefined
  /** The payer's bank took the debit back. Its status stays what it was; the return has an id of its own. */
  readonly isReturned: boolean
}

export function summaryIn(value: unknown): Summary | undefined {
  const id = idOf(value, 'transId')
  const status = textOf(value, 'transactionStatus')
  if (!id || !status) return undefined
  return {
    ...{ id, status, invoice: textOf(value, 'invoiceNumber'), account: textOf(value, 'accountNumber') },
    isReturned: String(memberOf(value, 'hasReturnedItems')) === 'true',
  }
}

export interface TransactionDetails extends Summary {
  readonly type: string
  /** The transaction that a refund belongs to. */
  readonly refTransId: string | undefined
  readonly reasonCode: number
  readonly reasonText: string
  readonly submittedAt: Date | undefined
  /** Of its batch. */
  readonly settledAt: Date | undefined
  readonly authorised: Money
  readonly settled: Money
  /** The fraud filters held it, now or before. */
  readonly wasFiltered: boolean
  readonly returnCode: string | undefined
  readonly payment: Instrument
  readonly payer: { readonly fullName?: string; readonly email?: string; readonly country?: string }
  readonly avs: string | undefined
  readonly cvv: string | undefined
}

interface Instrument {
  readonly kind: 'card' | 'bank'
  /** As the provider shows it: XXXX1111. */
  readonly number: string
  readonly brand?: string
}

/** Amounts have no currency: it is that of the account, which the request named. */
export function detailsIn(body: unknown, currency: string): TransactionDetails | undefined {
  const one = memberOf(body, 'transaction')
  const summary = summaryIn(one)
  const authorised = amountOf(one, 'authAmount', currency)
  const settled = amountOf(one, 'settleAmount', currency)
  if (!summary || !authorised || !settled) return undefined
  const returned = listOf(one, 'returnedItems', 'returnedItem')[0]
  return {
    ...summary,
    isReturned: summary.isReturned || returned !== undefined,
    invoice: textOf(one, 'order', 'invoiceNumber'),
    type: textOf(one, 'transactionType') ?? '',
    refTransId: idOf(one, 'refTransId'),
    reasonCode: Number(textOf(one, 'responseReasonCode') ?? 0),
    reasonText: textOf(one, 'responseReasonDescription') ?? '',
    submittedAt: timeIn(one, 'submitTimeUTC'),
    settledAt: timeIn(memberOf(one, 'batch'), 'settlementTimeUTC'),
    ...{ authorised, settled },
    wasFiltered: textOf(one, 'FDSFilterAction') !== undefined,
    returnCode: returned === undefined ? undefined : (textOf(returned, 'code') ?? ''),
    payment: instrumentIn(memberOf(one, 'payment')),
    payer: payerIn(one),
    avs: textOf(one, 'AVSResponse'),
    cvv: textOf(one, 'cardCodeResponse'),
  }
}

function timeIn(value: unknown, name: string): Date | undefined {
  const time = new Date(textOf(value, name) ?? '')
  return Number.isNaN(time.getTime()) ? undefined : time
}

function instrumentIn(payment: unknown): Instrument {
  const account = memberOf(payment, 'bankAccount')
  if (account === undefined) {
    const card = memberOf(payment, 'creditCard')
    const brand = textOf(card, 'cardType')
    return { kind: 'card', number: textOf(card, 'cardNumber') ?? '', ...(brand ? { brand } : {}) }
  }
  return { kind: 'bank', number: textOf(account, 'accountNumber') ?? '' }
}

function payerIn(one: unknown): TransactionDetails['payer'] {
  const billTo = memberOf(one, 'billTo')
  const fullName = [textOf(billTo, 'firstName'), textOf(billTo, 'lastName')].filter(Boolean).join(' ')
  const email = textOf(one, 'customer', 'email')
  const country = textOf(billTo, 'country')
  return { ...(fullName ? { fullName } : {}), ...(email ? { email } : {}), ...(country ? { country } : {}) }
}

/** The provider's answer to a request that makes or changes a transaction. */
export interface Result {
  /** 1 approved, 2 declined, 3 error, 4 held for review. */
  readonly code: '1' | '2' | '3' | '4'
  readonly id: string | undefined
  /** The transaction that this one repeats or belongs to. */
  readonly original: string | undefined
  readonly reasonCode: number
  readonly reasonText: string
  readonly account: string | undefined
  readonly brand: string | undefined
}

export function resultIn(body: unknown): Result | undefined {
  const answer = memberOf(body, 'transactionResponse')
  const code = textOf(answer, 'responseCode')
  if (code !== '1' && code !== '2' && code !== '3' && code !== '4') return undefined
  const problem = listOf(answer, 'errors', 'error')[0]
  const message = listOf(answer, 'messages', 'message')[0]
  return {
    code,
    id: idOf(answer, 'transId'),
    original: idOf(answer, 'refTransID'),
    reasonCode: Number(textOf(problem, 'errorCode') ?? textOf(message, 'code') ?? 0),
    reasonText: textOf(problem, 'errorText') ?? textOf(message, 'description') ?? '',
    account: textOf(answer, 'accountNumber'),
    brand: textOf(answer, 'accountType'),
  }
}
