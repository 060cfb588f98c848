import { expect, it } from 'vitest'
import { newPayment } from '../../../test/support/payment.ts'
import { DAY } from '../../base/clock.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import { returnableMs, timerOf, withWatch } from './due.ts'

const WATCH = { since: '2027-01-04T09:00:00.000Z', next: '2027-01-05T09:00:00.000Z' }

it.each(['Captured', 'CapturedHold', 'Disputed'] as const)('a debit that is %s is read again', (state) => {
  const payment = newPayment({ state, method: 'ElectronicCheck', payInfo: { watch: WATCH } })
  expect(timerOf(payment)?.toISOString()).toBe(WATCH.next)
  expect(timerOf({ ...payment, payInfo: {} })).toBeNull()
})

it('a page that could not be closed is read again, at the latest when its link ends', () => {
  const payment = newPayment({ state: 'Created', payInfo: { watch: WATCH } })
  expect(timerOf(payment)?.toISOString()).toBe(WATCH.next)
  const expirationTime = new Date('2027-01-04T12:00:00.000Z')
  expect(timerOf({ ...payment, expirationTime })).toEqual(expirationTime)
})

it('a link stays for as long as money may come by an open page of a slow method', () => {
  const expirationTime = new Date('2027-01-04T12:00:00.000Z')
  const left = newPayment({ state: 'Created', expirationTime, redirectUrl: 'https://bank.example' })
  const until = (method: AnyMethod, more: object = {}) => timerOf({ ...left, method, ...more })?.toISOString()
  expect(until('bank-transfer')).toBe('2027-01-18T12:00:00.000Z')
  expect(until('multibanco')).toBe('2027-01-11T12:00:00.000Z')
  expect(until('ideal')).toBe(expirationTime.toISOString())
  expect(until('bank-transfer', { redirectUrl: null })).toBe(expirationTime.toISOString())
})

it.each([
  ['ElectronicCheck', 6, 7],
  ['ElectronicCheck', 8, 14],
  ['ElectronicCheck', 57, undefined],
  ['sepa-debit', 57, 63],
  ['sepa-debit', 70, 90],
  ['sepa-debit', 380, 390],
  ['sepa-debit', 391, undefined],
  ['ideal', 1, undefined],
] as const)('%s, captured %i days ago, is read again on day %s', (method, age, day) => {
  const since = new Date(WATCH.since)
  const now = new Date(since.getTime() + age * DAY + 1)
  const { watch } = withWatch({}, { since, now, forMs: returnableMs(method) })
  expect(watch && (Date.parse(watch.next) - since.getTime()) / DAY).toBe(day)
})
