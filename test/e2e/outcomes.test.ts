import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METHOD_KINDS } from '../../src/providers/outcome.ts'
import { outcomesOf } from '../../src/sandbox/helpers/choices.ts'
import { startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_outcomes')
})
afterAll(() => tender?.stop())

const all = METHOD_KINDS.flatMap((method) => outcomesOf(method).map((outcome) => [method, outcome] as const))

describe('every customer outcome at the built-in bank', () => {
  const sentence = '%s, %s: the payment ends open or paid, never in between, and is charged at most once'
  it.each(all)(sentence, async (method, outcome) => {
    const { paymentId } = await tender.sandbox.create({ amount: 20 })
    const reply = await tender.sandbox.pay(paymentId, { method, outcome })
    expect(reply.status).toBe(200)
    await tender.sandbox.advance('7d')
    const payment = await tender.sandbox.read(paymentId)
    const charged = (await tender.sandbox.ledger(paymentId)).filter(
      (row) => row.status === 'done' && (row.kind === 'capture' || row.kind === 'sale'),
    )
    expect(charged.length).toBeLessThanOrEqual(1)
    if (payment.paymentState === 'SaleInProgress') expect(outcome).toBe('unconfirmed')
    else expect(['Created', 'Captured', 'Disputed', 'Refunded']).toContain(payment.paymentState)
    if (payment.paymentState === 'Created' && outcome !== 'abandon')
      expect(payment.lastError).toBeTypeOf('string')
    expect(payment.capturedAmount > 0).toBe(charged.length === 1)
  })
})
