import { describe, expect, it } from 'vitest'
import { money } from '../../../base/money.ts'
import type { Facts } from '../../../providers/outcome.ts'
import type { OperationRecord, Payment } from '../../payment.ts'
import type { SnapshotContext } from './context.ts'
import { onLateFacts } from './partial.ts'

const context = (facts: Facts, payment: object = {}, operation?: object): SnapshotContext => ({
  payment: {
    ...{ state: 'Captured', currency: 'EUR', payInfo: { feeMinor: '30' }, handles: {}, details: {} },
    ...payment,
  } as unknown as Payment,
  operation: operation as OperationRecord | undefined,
  snapshot: { facts, handles: {} } as SnapshotContext['snapshot'],
  inputs: {} as SnapshotContext['inputs'],
})
const fee = (minor: bigint, currency = 'EUR'): Facts => ({ fee: money(minor, currency) })

it('takes a fee that is known or adjusted after the payment', () => {
  const updates = { payInfo: { feeMinor: '45' } }
  expect(onLateFacts(context(fee(45n)))).toMatchObject({ events: [], updates })
  expect(onLateFacts(context(fee(45n), { payInfo: null }))).toMatchObject({ events: [], updates })
  expect(onLateFacts(context(fee(45n), { state: 'Refunded' }))).toMatchObject({ updates })
})

it.each<[string, SnapshotContext]>([
  ['the same fee', context(fee(30n))],
  ['no fee', context({})],
  ['a fee in another currency', context(fee(45n, 'USD'))],
  ['an operation that is open', context(fee(45n), {}, { step: 'refund' })],
  ['a payment that has no money', context(fee(45n), { state: 'Authorized' })],
])('changes nothing: %s', (_what, given) => expect(onLateFacts(given)).toBeUndefined())

describe('a method that the provider stores after the payment', () => {
  const stored = { paymentMethodId: 7, tokenId: 8 }
  const given = (payment: object = {}, operation?: object) => ({
    ...context({}, { tokenId: null, ...payment }, operation),
    inputs: { stored } as unknown as SnapshotContext['inputs'],
  })

  it.each(['Authorized', 'ProviderAuthorizedHold', 'Captured', 'CapturedHold', 'Disputed', 'Refunded'])(
    'is added to a payment that is %s',
    (state) => {
      expect(onLateFacts(given({ state }))).toMatchObject({ events: [], updates: stored })
    },
  )

  it.each<[string, SnapshotContext]>([
    ['a payment that has one', given({ tokenId: 3 })],
    ['a payment that has no money', given({ state: 'Failed' })],
    ['an operation that is open', given({}, { step: 'refund' })],
  ])('is not added: %s', (_what, context) => expect(onLateFacts(context)).toBeUndefined())
})
