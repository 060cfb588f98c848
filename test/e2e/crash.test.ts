import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Killable, killableService, killUnderLoad } from '../support/killable.ts'
import { PROCESS_TOKEN } from '../support/service-process.ts'
import { type TestApp, testMerchant } from '../support/tender.ts'

/** Kills the real process repeatedly during operations, on one database. */
let service: Killable
let app: TestApp

beforeAll(async () => {
  service = await killableService('e2e_crash')
  await service.start()
  app = (await testMerchant(service.url, undefined, PROCESS_TOKEN)).sandbox
})
afterAll(() => service?.kill())

const done = async (paymentId: number) =>
  (await app.ledger(paymentId)).filter((row) => row.status === 'done').map((row) => row.kind)

/** On a busy machine the first connections to the database may take longer than a request waits for them. */
async function startAgain(): Promise<void> {
  await service.start()
  const listed = async () => (await app.call('GET', 'payments')).status
  await expect.poll(listed, { timeout: 60_000 }).toBe(200)
}

describe('kill -9', () => {
  it.each([
    ['capture', 'Captured', ['authorise', 'capture'], false],
    ['cancel', 'Failed', ['authorise', 'void'], false],
    ['refund', 'Refunded', ['sale', 'refund'], true],
  ] as const)(
    'between the provider call and the commit of a %s: one effect, and the truth is found',
    async (step, end, kinds, autoCapture) => {
      await app.fault('any', 'notification-never', { times: 10 })
      const { paymentId } = await app.paid({ autoCapture })
      await app.fault(step, 'reply-late', { delayMs: 20_000 })
      const cut = app.act(paymentId, step).catch(() => undefined)
      await expect.poll(() => done(paymentId), { timeout: 15_000 }).toEqual(kinds)
      await service.kill()
      await cut
      await startAgain()
      expect((await app.read(paymentId)).paymentState).toMatch(/ing$/)
      await app.advance('1m')
      expect((await app.read(paymentId)).paymentState).toBe(end)
      expect(await done(paymentId)).toEqual(kinds)
      await app.call('DELETE', 'test-helpers/faults')
    },
  )

  it('between the provider call and the commit of a sale: one charge', async () => {
    await app.fault('any', 'notification-never', { times: 10 })
    const { paymentId } = await app.create()
    await app.fault('authorise', 'reply-late', { delayMs: 20_000 })
    const cut = app.pay(paymentId).catch(() => undefined)
    await expect.poll(() => done(paymentId), { timeout: 15_000 }).toEqual(['sale'])
    await service.kill()
    await cut
    await startAgain()
    expect((await app.read(paymentId)).paymentState).toBe('SaleInProgress')
    await app.advance('1m')
    expect((await app.read(paymentId)).paymentState).toBe('Captured')
    expect(await done(paymentId)).toEqual(['sale'])
    await app.call('DELETE', 'test-helpers/faults')
  })

  it('under load, five times: acknowledged changes persist, and there are no double charges', async () => {
    const acknowledged = new Map<number, string>()
    for (let round = 0; round < 5; round++)
      await killUnderLoad(service, app, { acknowledged, afterMs: 40 * round })
    await app.advance('2m')
    await app.advance('2m')
    for (const [paymentId, state] of acknowledged) {
      const payment = await app.read(paymentId)
      if (state === 'Captured') expect(payment.paymentState).toBe('Captured')
      expect(['Created', 'Captured']).toContain(payment.paymentState)
      const expected = payment.paymentState === 'Captured' ? ['sale'] : []
      expect([paymentId, await done(paymentId)]).toEqual([paymentId, expected])
    }
  })
})
