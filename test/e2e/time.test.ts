import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR } from '../../src/base/clock.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { timersJob } from '../../src/payments/jobs.ts'
import { findPayment } from '../../src/payments/store/payments.ts'
import { expireLink } from '../../src/payments/timers/close.ts'
import { advanceClock } from '../../src/sandbox/helpers/commands.ts'
import { holdReads } from '../support/notifying.ts'
import { startReceiver } from '../support/receiver.ts'
import { good, newReference, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_time')
})
afterAll(() => tender?.stop())

const inOneHour = async () => {
  const { createdTime } = await tender.sandbox.create()
  return new Date(new Date(createdTime).getTime() + 3_600_000).toISOString()
}

describe('time', () => {
  it('expires a link after its expirationTime: Failed, expired, no redirectUrl', async () => {
    const expirationTime = await inOneHour()
    const payment = await tender.sandbox.create({ expirationTime })
    expect([payment.expirationTime, typeof payment.redirectUrl]).toEqual([expirationTime, 'string'])
    await tender.sandbox.advance('61m')
    const expired = await tender.sandbox.read(payment.paymentId)
    expect(expired).toMatchObject({ paymentState: 'Failed', failure: { code: 'expired' } })
    expect(expired).not.toHaveProperty('redirectUrl')
    expect(await tender.sandbox.states(payment.paymentId)).toEqual(['Created', 'Failed'])
    expect((await tender.sandbox.pay(payment.paymentId)).status).toBe(409)
    expect((await tender.sandbox.call('GET', `payments/${payment.paymentId}/payment-link`)).status).toBe(409)
  })

  it('does not expire a payment that was paid in time', async () => {
    const payment = await tender.sandbox.paid({ expirationTime: await inOneHour(), autoCapture: false })
    await tender.sandbox.advance('2h')
    expect((await tender.sandbox.read(payment.paymentId)).paymentState).toBe('Authorized')
  })

  it('lets an attempt finish that started before the link expired', async () => {
    const { paymentId } = await tender.sandbox.create({ expirationTime: await inOneHour() })
    await tender.sandbox.pay(paymentId, { method: 'ElectronicCheck' })
    await tender.sandbox.advance('2h')
    expect((await tender.sandbox.read(paymentId)).paymentState).toBe('Captured')
  })

  it('expires while the customer is on a page that takes no money without us', async () => {
    const { sandbox, service } = tender
    const app = await loadApp(service.ctx, sandbox.appId)
    const profile = app?.profiles.find(({ methods }) => methods.includes('Paypal'))
    const requestBody = {
      ...{ referenceId: newReference(), amount: 12.5, currency: 'EUR', autoCapture: true },
      ...{ paymentProfileId: profile?.profileId, returnUrl: 'https://shop.example/' },
      ...{ expirationTime: await inOneHour(), customerOrder: { customer: { customerId: 'late' } } },
    }
    // The customer is on the provider's page.
    const { paymentId } = good(await sandbox.call('POST', 'payments/provider-hosted-page', requestBody))
    const payment = await findPayment(service.ctx.db, sandbox.appId, paymentId)
    if (!app || !payment) throw new Error('the payment is gone')
    const later = { ...app, clockOffsetMs: app.clockOffsetMs + 2 * HOUR }
    expect((await expireLink(service.ctx, later, payment)).state).toBe('Failed')
    expect(await sandbox.read(paymentId)).toMatchObject({ failure: { code: 'expired' } })
  })

  it('fails a declined payment whose link has expired', async () => {
    const { paymentId } = await tender.sandbox.create({ expirationTime: await inOneHour() })
    await tender.sandbox.pay(paymentId, { outcome: 'insufficient-funds' })
    await tender.sandbox.advance('2h')
    expect(await tender.sandbox.read(paymentId)).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'expired' },
    })
  })

  it('fails a payment that changed while its link was checked', async () => {
    const { ctx } = tender.service
    const { sandbox } = await tender.newMerchant()
    const expirationTime = new Date(Date.now() + HOUR).toISOString()
    const { paymentId } = await sandbox.create({ expirationTime })
    const before = await findPayment(ctx.db, sandbox.appId, paymentId)
    await sandbox.pay(paymentId, { outcome: 'insufficient-funds' })
    const app = await loadApp(ctx, sandbox.appId)
    if (!app || !before) throw new Error('the payment is gone')
    const later = { ...app, clockOffsetMs: app.clockOffsetMs + 2 * HOUR }
    expect((await expireLink(ctx, later, before)).state).toBe('Failed')
  })

  it('is advanced immediately for a job that runs at the same time', async () => {
    const { ctx } = tender.service
    const { sandbox } = await tender.newMerchant()
    const expirationTime = new Date(Date.now() + HOUR).toISOString()
    const { paymentId } = await sandbox.create({ expirationTime })
    const app = await loadApp(ctx, sandbox.appId)
    if (!app) throw new Error('the app is gone')
    const timers = timersJob(ctx)
    // Runs between advancing our clock and the bank's, as the service's own loop may.
    const control = () => ({ advanceClock: () => timers.runOnce() })
    await advanceClock(ctx, { control } as never, app, { advance: '2h', jobs: [timers] })
    expect((await sandbox.read(paymentId)).paymentState).toBe('Failed')
  })

  it("releases an authorisation after the provider's window: Failed, authorization_expired", async () => {
    const { paymentId } = await tender.sandbox.paid({ autoCapture: false })
    await tender.sandbox.advance('6d')
    expect((await tender.sandbox.read(paymentId)).paymentState).toBe('Authorized')
    await tender.sandbox.advance('2d')
    const released = await tender.sandbox.read(paymentId)
    expect(released).toMatchObject({ paymentState: 'Failed', failure: { code: 'authorization_expired' } })
    expect((await tender.sandbox.act(paymentId, 'capture')).status).toBe(409)
  })

  it('advances only the clock of the calling app', async () => {
    const other = (await tender.newMerchant()).sandbox
    const before = (await other.create()).createdTime
    await tender.sandbox.advance('30d')
    const after = (await other.create()).createdTime
    expect(new Date(after).getTime() - new Date(before).getTime()).toBeLessThan(60_000)
  })

  it('is advanced without waiting for the provider or the endpoint of another app', async () => {
    const other = (await tender.newMerchant()).sandbox
    const shop = await startReceiver()
    const unanswered = new Promise<void>((resolve) => {
      shop.answer = () => resolve()
    })
    good(await other.call('PATCH', '', { paymentWebhookUrl: shop.url }))
    const { paymentId } = await other.create({ autoCapture: false })
    await unanswered
    await other.fault('authorise', 'reply-lost')
    good(await other.pay(paymentId))
    const gate = holdReads(tender, other)
    // One read runs in the background, another in a job.
    good(await other.call('POST', `payments/${paymentId}/recheck`, undefined, { prefer: 'respond-async' }))
    const second = await other.create()
    await other.fault('authorise', 'reply-lost')
    good(await other.pay(second.paymentId))
    await expect.poll(() => gate.waiting).toBeGreaterThan(1)

    const mine = await tender.sandbox.create({ expirationTime: await inOneHour() })
    await tender.sandbox.advance('61m')
    expect((await tender.sandbox.read(mine.paymentId)).paymentState).toBe('Failed')
    expect(gate.waiting).toBeGreaterThan(1)
    gate.open()
    await shop.stop()
  }, 60_000)

  it.each(['8x', '', '-1d', '0s', '99999d', 5])('refuses to be advanced by %s', async (advance) => {
    expect((await tender.sandbox.call('POST', 'test-helpers/clock', { advance })).status).toBe(400)
  })

  it('disputes the payment of a card with a later chargeback', async () => {
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.pay(paymentId, { outcome: 'chargeback-fraudulent' })
    await tender.sandbox.advance('2m')
    await expect.poll(async () => (await tender.sandbox.read(paymentId)).paymentState).toBe('Disputed')
  })
})

describe('test helpers', () => {
  it('do not exist in a live app', async () => {
    for (const [method, path] of [
      ['POST', 'test-helpers/payments/1/pay'],
      ['POST', 'test-helpers/payments/1/dispute'],
      ['POST', 'test-helpers/faults'],
      ['DELETE', 'test-helpers/faults'],
      ['POST', 'test-helpers/clock'],
      ['GET', 'test-helpers/ledger'],
    ] as const) {
      const body = { step: 'any', effect: 'outage', advance: '1d' }
      const reply = await tender.live.call(method, path, method === 'POST' ? body : undefined)
      expect([path, reply.status]).toEqual([path, 404])
    }
  })

  it('list the outcomes and faults', async () => {
    const { paymentId } = await tender.sandbox.create()
    const outcome = await tender.sandbox.pay(paymentId, { outcome: 'explode' })
    expect(outcome.status).toBe(400)
    expect(outcome.body.detail).toContain('insufficient-funds')
    expect(
      (await tender.sandbox.call('POST', 'test-helpers/faults', { step: 'any', effect: 'explode' })).status,
    ).toBe(400)
    expect((await tender.sandbox.pay(paymentId, { method: 'Cash' })).status).toBe(400)
  })

  it('list the ledger of the app, each row with its payment', async () => {
    const payment = await tender.sandbox.paid()
    const rows = good(await tender.sandbox.call('GET', 'test-helpers/ledger'))
    const mine = rows.filter((row: { paymentId: number }) => row.paymentId === payment.paymentId)
    expect(mine.map((row: { kind: string }) => row.kind)).toEqual(['sale'])
  })
})
