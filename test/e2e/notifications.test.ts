import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { MINUTE, systemClock } from '../../src/base/clock.ts'
import { good, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
let aheadMs = 0
beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }
  tender = await startTestService('e2e_notifications', { clock })
})
afterAll(() => tender?.stop())

it('a notification that came while the provider could not be read is followed when it can', async () => {
  const { sandbox, service } = tender
  const { paymentId } = await sandbox.paid()
  const adapter = service.ctx.providers.get('sandbox')
  if (!adapter) throw new Error('there is no sandbox')
  await service.ctx.background.settled()
  const reading = vi.spyOn(adapter, 'retrieve').mockResolvedValue({ kind: 'unknown', why: 'timeout' })
  // The helper reads it once, the notification makes us read it again: both in vain.
  good(await sandbox.call('POST', `test-helpers/payments/${paymentId}/dispute`, {}))
  await expect.poll(() => reading.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(1)
  await service.ctx.background.settled()
  reading.mockRestore()
  expect((await sandbox.read(paymentId)).paymentState).toBe('Captured')

  // By now its signature would be too old for a notification that comes now.
  aheadMs = 10 * MINUTE
  await expect
    .poll(async () => (await sandbox.read(paymentId)).paymentState, { timeout: 10_000 })
    .toBe('Disputed')
})
