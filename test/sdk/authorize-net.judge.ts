import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import {
  type AnetRequest,
  captureReserved,
  chargeStored,
  decideHold,
  deleteStored,
  listBatches,
  listOfBatch,
  listOfCustomer,
  listUnsettled,
  openPage,
  readProfile,
  readTransaction,
  refundSettled,
  storeMethod,
  voidTransaction,
} from '../../src/providers/authorize-net/calls.ts'
import type { TransactionDetails } from '../../src/providers/authorize-net/wire.ts'
import { operation, purchase } from '../../src/providers/contract/core.ts'

/**
 * The provider refuses elements in another order than its schema has them. The contracts of its own library
 * are made from that schema: they take over the members that they know, in that order. Its client is not
 * used, because it never answers after an error.
 */
type Contract = new (members: object) => object
const { APIContracts } = createRequire(import.meta.url)('authorizenet') as {
  readonly APIContracts: Readonly<Record<string, Contract>>
}

const sum = purchase({}).amount
const stored = { customer: '1234567890', method: '2345678901' }
const storing = { key: 'K0000000000000000001', reference: 'A0000000000000000001' }
const who = { customer: { id: 'dana', email: 'dana@shop.example' }, method: 'CreditCard' as const }
const paidWith = (payment: object) => ({ id: '60000000001', payment }) as unknown as TransactionDetails
const card = paidWith({ number: 'XXXX1111' })
const bank = { accountType: 'checking', routing: 'XXXX0021', name: 'Dana Doe' }
const refund = { ...operation('refund'), description: 'Returned' }
const customer = { id: 'dana', firstName: 'Dana', lastName: 'Doe', email: 'dana@shop.example', phone: '123' }

const REQUESTS: readonly (readonly [string, AnetRequest])[] = [
  ['a page', openPage(operation('start'), purchase({ customer, description: 'Tea' }))],
  ['a page for a bank account', openPage(operation('start'), purchase({ method: 'ElectronicCheck' }))],
  [
    'a charge',
    chargeStored(operation('charge'), purchase({ description: 'Tea', customerPresent: false }), stored),
  ],
  ['a capture', captureReserved(operation('capture'), '60000000001', sum)],
  ['a void', voidTransaction(operation('cancel'), '60000000001')],
  ['a refund to a card', refundSettled(refund, card, sum)],
  ['a refund to an account', refundSettled(refund, paidWith({ number: 'XXXX6789', bank }), sum)],
  ['a decision', decideHold(operation('resume'), 'approve', '60000000001')],
  ['a read', readTransaction('60000000001')],
  ['a list', listUnsettled(1)],
  ['a list of a customer', listOfCustomer(stored, 1)],
  ['batches', listBatches(new Date(0), new Date(1e9))],
  ['a list of a batch', listOfBatch('123', 1)],
  ['storing', storeMethod({ ...storing, ...who }, '60000000001')],
  ['a stored customer', readProfile('1234567890')],
  ['removing', deleteStored(stored)],
]

/** As the library would write it. */
function byContract({ name, content }: AnetRequest): string {
  const known = APIContracts[name.charAt(0).toUpperCase() + name.slice(1)]
  if (!known) throw new Error(`the library has no ${name}`)
  return JSON.stringify(new known(withLists(content) as object))
}

/** The library is given a list of settings as a list. It writes `{ setting: […] }`. */
function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { setting } = value as { setting?: unknown }
  if (Array.isArray(setting)) return setting
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withLists(member)]))
}

describe('the contracts of Authorize.Net have the members of our requests, in the same order', () => {
  it.each(REQUESTS)('%s', (_says, request) => {
    expect(byContract(request)).toBe(JSON.stringify(request.content))
  })

  it('which is not true of another order', () => {
    const content = { transactionRequest: { amount: '1.00', transactionType: 'authOnlyTransaction' } }
    const request = { name: 'createTransactionRequest', content }
    expect(byContract(request)).not.toBe(JSON.stringify(content))
  })
})
