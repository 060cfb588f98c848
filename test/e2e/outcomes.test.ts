import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METHOD_KINDS } from '../../src/providers/outcome.ts'
import { outcomesOf } from '../../src/sandbox/helpers/choices.ts'
import { type Reply, startTestService, type TestService } from '../support/tender.ts'

const all = METHOD_KINDS.flatMap((method) => outcomesOf(method).map((outcome) => [method, outcome] as const))

let tender: TestService
/** The payments in the order of the outcomes. A week passes once for all of them. */
const paid: { readonly paymentId: number; readonly reply: Reply }[] = []
beforeAll(async () => {
  tender = await startTestService('e2e_outcomes')
  for (const [method, outcome] of all) {
    const { paymentId } = await tender.sandbox.create({ amount: 20 })
    paid.push({ paymentId, reply: await tender.sandbox.pay(paymentId, { method, outcome }) })
  }
  await tender.sandbox.advance('7d')
})
afterAll(() => tender?.stop())

describe('every customer outcome at the built-in bank', () => {
  const sentence = '%s, %s: the payment ends open or paid, never in between, and is charged at most once'
  const cases = all.map(([method, outcome], place) => [method, outcome, place] as const)
  it.each(cases)(sentence, async (_method, outcome, place) => {
    const { paymentId = 0, reply } = paid[place] ?? {}
    expect(reply?.status).toBe(200)
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
