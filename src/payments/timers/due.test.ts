import { expect, it } from 'vitest'
import { newPayment } from '../../../test/support/payment.ts'
import { alarmOf } from './due.ts'

it.each(['Captured', 'CapturedHold', 'Disputed'] as const)('a debit that is %s is read again', (state) => {
  const watch = { since: '2027-01-04T09:00:00.000Z', next: '2027-01-05T09:00:00.000Z' }
  const payment = newPayment({ state, method: 'ElectronicCheck', payInfo: { watch } })
  expect(alarmOf(payment)?.toISOString()).toBe(watch.next)
  expect(alarmOf({ ...payment, payInfo: {} })).toBeNull()
})
