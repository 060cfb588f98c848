import { expect, it } from 'vitest'
import { newPayment } from '../../../test/support/payment.ts'
import { problemText } from '../problems.ts'
import { mergeFacts, notDoneFailure, summary } from './merge-facts.ts'

it("removes card numbers and characters that a database rejects from a provider's texts", () => {
  const text = 'Dana\0 4242\u00a0 4242 4242\n4242 \ud800'
  const kept = 'Dana\ufffd [card number] \ufffd'
  expect(mergeFacts(newPayment(), { facts: { payer: { fullName: text } } }).payInfo?.payer?.fullName).toBe(
    kept,
  )
  const refused = notDoneFailure({ kind: 'not-done', why: 'bad-request', raw: { message: text } })
  expect(problemText(refused.problem)).toContain(`(${kept})`)
  expect(summary('declined', { raw: { message: text } })).toEqual({
    kind: 'declined',
    raw: { message: kept },
  })
})
