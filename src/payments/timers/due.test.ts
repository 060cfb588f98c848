import { expect, it } from 'vitest'
import { newPayment } from '../../../test/support/payment.ts'
import { timerOf } from './due.ts'

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
