import { afterAll, beforeAll, expect, it } from 'vitest'
import { linesAgainstLedger } from '../support/bank-lines.ts'
import { good, newReference, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_payouts')
})
afterAll(() => tender?.stop())

const helper = (path: string, body?: object) => tender.sandbox.call('POST', `test-helpers/${path}`, body)

it('a test pays out what is two days old, less the fees', async () => {
  const { sandbox, service } = tender
  const { paymentId } = await sandbox.paid({ amount: 100 })
  good(await sandbox.act(paymentId, 'refund?amount=40'))
  expect(good(await helper('payouts'))).toEqual({ payouts: [] })
  await sandbox.advance('4d')
  // 100.00 less 2.9 % and 0.30, less 40.00.
  expect(good(await helper('payouts'))).toEqual({
    payouts: [
      {
        ...{ providerPayoutId: 'po_000001', amount: 56.8, currency: 'EUR' },
        paymentProfileId: expect.any(Number),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
      },
    ],
  })
  expect(good(await helper('payouts'))).toEqual({ payouts: [] })
  expect(await linesAgainstLedger(service.ctx.db, sandbox.appId)).toEqual([])
})

it('a test plants faults in the next settlement report, of a payment that a provider has seen', async () => {
  const { sandbox } = tender
  const { paymentId } = await sandbox.paid()
  const plant = (body: object) => helper('settlement-faults', body)
  expect(good(await plant({ kind: 'missing', paymentId }))).toEqual({ kind: 'missing', paymentId })
  expect(good(await plant({ kind: 'cut' }))).toEqual({ kind: 'cut', paymentId: null })
  expect((await plant({ kind: 'cut', paymentId })).status).toBe(400)
  expect((await plant({ kind: 'late' })).status).toBe(400)
  expect((await plant({ kind: 'missing', paymentId: 99_999_999 })).status).toBe(404)
  const unpaid = await sandbox.create({ referenceId: newReference() })
  expect((await plant({ kind: 'missing', paymentId: unpaid.paymentId })).body.code).toBe('not_possible')
  const cleared = await sandbox.call('DELETE', 'test-helpers/settlement-faults')
  expect(good(cleared)).toEqual({ cleared: true })
})

it('live apps have no such helpers', async () => {
  for (const path of ['payouts', 'settlement-faults'])
    expect((await tender.live.call('POST', `test-helpers/${path}`, { kind: 'cut' })).status).toBe(404)
})
