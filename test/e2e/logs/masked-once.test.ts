import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeLogs } from '../../../src/logs/jobs.ts'
import { startTestService, type TestService } from '../../support/tender.ts'

/** What was masked, as it was given. */
const masked = vi.hoisted((): unknown[] => [])
vi.mock('../../../src/logs/mask.ts', async (load) => {
  const real = await load<typeof import('../../../src/logs/mask.ts')>()
  const maskedJson: typeof real.maskedJson = (value, ...rest) => {
    masked.push(value)
    return real.maskedJson(value, ...rest)
  }
  return { ...real, maskedJson }
})

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_masked_once')
})
afterAll(() => tender?.stop())

const bodies = (): string[] =>
  masked.map((value) => JSON.stringify(value) ?? '').filter((text) => text.includes('masked-once'))

it('each body in the logs of a payment is masked once', async () => {
  const { sandbox } = await tender.newMerchant()
  const { paymentId } = await sandbox.create({ referenceId: 'masked-once' })
  await sandbox.pay(paymentId)
  await writeLogs(tender.service.ctx)
  const all = bodies()
  // The request and its answer, and the answer of the payment.
  expect(all.length).toBeGreaterThanOrEqual(3)
  expect(all.length).toBe(new Set(all).size)
})
