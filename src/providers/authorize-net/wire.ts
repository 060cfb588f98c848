import { type Money, money, parseMinor } from '../../base/money.ts'
import { itemsAt, matching, timeAt, valueAt, wordAt } from '../kit/json.ts'

/** The parts of the provider's JSON that the adapter reads. All is checked. */

/** A list, also one inside of an element of its own. */
export function listOf(value: unknown, name: string, item?: string): readonly unknown[] {
  const inside = item === undefined ? undefined : itemsAt(value, name, item)
  return itemsAt(value, name) ?? inside ?? []
}

export const isId = matching(/^[1-9]\d{0,19}$/)

/** Undefined for "0", which stands for a transaction that was not made. */
export function idOf(value: unknown, ...names: string[]): string | undefined {
  const text = wordAt(value, ...names)
  return isId(text) ? text : undefined
}

function amountOf(value: unknown, name: string, currency: string): Money | undefined {
  const text = wordAt(value, name)
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
  const status = wordAt(value, 'transactionStatus')
  if (!id || !status) return undefined
  return {
    ...{ id, status, invoice: wordAt(value, 'invoiceNumber'), account: wordAt(value, 'accountNumber') },
    isReturned: String(valueAt(value, 'hasReturnedItems')) === 'true',
  }
}

export interface TransactionDetails extends Summary {
  readonly type: string
  /** The transaction that a refund belongs to. */
  readonly refTransId: string | undefined
  readonly reasonCode: number
  readonly reasonText: string
  readonly submittedAt: Date | undefined
  /** The time at which its batch was settled. */
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
  const one = valueAt(body, 'transaction')
  const summary = summaryIn(one)
  const authorised = amountOf(one, 'authAmount', currency)
  const settled = amountOf(one, 'settleAmount', currency)
  if (!summary || !authorised || !settled) return undefined
  const returned = listOf(one, 'returnedItems', 'returnedItem')[0]
  return {
    ...summary,
    isReturned: summary.isReturned || returned !== undefined,
    invoice: wordAt(one, 'order', 'invoiceNumber'),
    type: wordAt(one, 'transactionType') ?? '',
    refTransId: idOf(one, 'refTransId'),
    reasonCode: Number(wordAt(one, 'responseReasonCode') ?? 0),
    reasonText: wordAt(one, 'responseReasonDescription') ?? '',
    submittedAt: timeAt(one, 'submitTimeUTC'),
    settledAt: timeAt(one, 'batch', 'settlementTimeUTC'),
    ...{ authorised, settled },
    wasFiltered: wordAt(one, 'FDSFilterAction') !== undefined,
    returnCode: returned === undefined ? undefined : (wordAt(returned, 'code') ?? ''),
    payment: instrumentIn(valueAt(one, 'payment')),
    payer: payerIn(one),
    avs: wordAt(one, 'AVSResponse'),
    cvv: wordAt(one, 'cardCodeResponse'),
  }
}

function instrumentIn(payment: unknown): Instrument {
  const account = valueAt(payment, 'bankAccount')
  if (account === undefined) {
    const card = valueAt(payment, 'creditCard')
    const brand = wordAt(card, 'cardType')
    return { kind: 'card', number: wordAt(card, 'cardNumber') ?? '', ...(brand ? { brand } : {}) }
  }
  return { kind: 'bank', number: wordAt(account, 'accountNumber') ?? '' }
}

function payerIn(one: unknown): TransactionDetails['payer'] {
  const billTo = valueAt(one, 'billTo')
  const fullName = [wordAt(billTo, 'firstName'), wordAt(billTo, 'lastName')].filter(Boolean).join(' ')
  const email = wordAt(one, 'customer', 'email')
  const country = wordAt(billTo, 'country')
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
  const answer = valueAt(body, 'transactionResponse')
  const code = wordAt(answer, 'responseCode')
  if (code !== '1' && code !== '2' && code !== '3' && code !== '4') return undefined
  const problem = listOf(answer, 'errors', 'error')[0]
  const message = listOf(answer, 'messages', 'message')[0]
  return {
    code,
    id: idOf(answer, 'transId'),
    original: idOf(answer, 'refTransID'),
    reasonCode: Number(wordAt(problem, 'errorCode') ?? wordAt(message, 'code') ?? 0),
    reasonText: wordAt(problem, 'errorText') ?? wordAt(message, 'description') ?? '',
    account: wordAt(answer, 'accountNumber'),
    brand: wordAt(answer, 'accountType'),
  }
}
