import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { type Answer, good, hostedPage, startTestService, type TestService } from '../../support/tender.ts'
import { createFaultProxy, type FaultProxy } from '../kit/fault-proxy.ts'
import { type BtcpaySimulator, createBtcpaySimulator } from './simulator.ts'
import { VERSIONS } from './world.ts'

/** The whole service with a store of the simulated server, as a merchant sets it up. */

describe.each(VERSIONS)('a server of version %s', (version) => {
  let tender: TestService
  let simulator: BtcpaySimulator
  let proxy: FaultProxy
  let profile: Answer
  const logged: object[] = []

  beforeAll(async () => {
    // No jobs: the provider is read only when a test causes it.
    const warn = (event: string, data: object = {}) => {
      if (event === 'payment.underpaid') logged.push(data)
    }
    tender = await startTestService(`btcpay_service_${version.replaceAll('.', '_')}`, {
      role: 'web',
      log: { ...silentLog, warn },
    })
  })
  afterAll(() => tender?.stop())

  beforeEach(async () => {
    simulator = await createBtcpaySimulator({ version })
    proxy = await createFaultProxy(simulator.origin)
    const settings = { ...simulator.settings, serverUrl: proxy.origin }
    const path = 'payment-profiles'
    profile = good(await tender.sandbox.call('POST', path, { provider: 'btcpay', currency: 'EUR', settings }))
    const at = `${path}/${profile.paymentProfileId}`
    expect(good(await tender.sandbox.call('POST', `${at}/check`))).toMatchObject({ ok: true })
    expect(good(await tender.sandbox.call('POST', `${at}/connect`))).toMatchObject({ isConnected: true })
  })

  afterEach(async () => {
    expect(simulator.violations).toEqual([])
    await proxy.close()
    await simulator.close()
  })

  async function deliver(): Promise<void> {
    for (const { headers, body } of simulator.takeNotifications()) {
      const reply = await fetch(profile.webhookUrl, { method: 'POST', headers: { ...headers }, body })
      expect(reply.status).toBe(200)
      await reply.arrayBuffer()
    }
  }

  const open = async (): Promise<Answer> => {
    const { returnUrl, ...body } = hostedPage()
    const direct = { ...body, returnUrl, paymentProfileId: profile.paymentProfileId }
    return good(await tender.sandbox.call('POST', 'payments/provider-hosted-page', direct))
  }

  const state = async ({ paymentId }: Answer): Promise<Answer> => tender.sandbox.read(paymentId)
  const expectState = (payment: Answer) => expect.poll(async () => (await state(payment)).paymentState)
  const recheck = async ({ paymentId }: Answer): Promise<Answer> =>
    good(await tender.sandbox.act(paymentId, 'recheck'))

  async function captured(): Promise<Answer> {
    const payment = await open()
    await simulator.payer(payment.redirectUrl, { kind: 'pay' })
    simulator.advance(10 * MINUTE)
    await deliver()
    await expectState(payment).toBe('Captured')
    return payment
  }

  const refund = async ({ paymentId }: Answer, amount: number): Promise<Answer> =>
    good(await tender.sandbox.act(paymentId, `refund?amount=${amount}`))

  const claimPage = async (payment: Answer): Promise<string | null> =>
    (await state(payment)).payInfo.refundClaimUrl

  describe('a payment at a BTCPay Server', () => {
    it('is captured when it has its confirmations', async () => {
      const payment = await open()
      expect(payment.redirectUrl).toContain('/i/')
      await simulator.payer(payment.redirectUrl, { kind: 'pay' })
      await deliver()
      await expectState(payment).not.toBe('Created')
      expect((await state(payment)).capturedAmount).toBe(0)
      simulator.advance(10 * MINUTE)
      await deliver()
      await expectState(payment).toBe('Captured')
      expect((await state(payment)).capturedAmount).toBe(25.5)
    })

    it('that is paid while it is cancelled is captured, and no second one can be begun', async () => {
      const payment = await open()
      await simulator.payer(payment.redirectUrl, { kind: 'pay' })
      simulator.takeNotifications()
      expect(good(await tender.sandbox.act(payment.paymentId, 'cancel')).paymentState).toBe('Cancelling')
      simulator.advance(10 * MINUTE)
      expect(await recheck(payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
    })

    it('stays Refunding until the customer has claimed the refund', async () => {
      const payment = await captured()
      const refunding = await refund(payment, 25.5)
      expect(refunding).toMatchObject({ paymentState: 'Refunding' })
      expect(await claimPage(payment)).toContain('/pull-payments/')
      await deliver()
      expect((await state(payment)).paymentState).toBe('Refunding')
      simulator.dashboard(simulator.allEntries()[0]?.reference ?? '', { kind: 'settle' })
      await deliver()
      await expectState(payment).toBe('Refunded')
      expect((await state(payment)).refundedAmount).toBe(25.5)
      expect(await claimPage(payment)).toBeNull()
    })

    it('fails as underpaid if the rest does not come in time, and the part is given back', async () => {
      const payment = await open()
      await simulator.payer(payment.redirectUrl, { kind: 'pay-part', percent: 50 })
      await deliver()
      expect((await state(payment)).paymentState).toBe('Created')
      simulator.advance(20 * MINUTE)
      await deliver()
      // The rest can still come, as long as the server watches.
      expect((await recheck(payment)).paymentState).toBe('Created')
      simulator.advance(DAY)
      await tender.sandbox.advance('25h')
      await recheck(payment)
      await expectState(payment).toBe('Failed')
      const failed = await state(payment)
      const lastError = 'Only 12.75 EUR was paid. It is given back.'
      expect(failed).toMatchObject({ lastError, failure: { code: 'declined', declineCode: 'underpaid' } })
      expect(logged).toContainEqual(
        expect.objectContaining({ paymentId: payment.paymentId, paid: '12.75 EUR' }),
      )
      await tender.sandbox.advance('1m')
      const refunds = simulator.allEntries().filter(({ kind }) => kind === 'refund')
      expect(refunds).toMatchObject([{ amountMinor: 1275n, state: 'pending' }])
      const undone = async () =>
        good(await tender.sandbox.call('GET', `payments/${payment.paymentId}/attempts`))[0]?.undone
      expect(await undone()).toMatchObject({ status: 'Running' })
      // The customer finds the page of the claim where the payment is shown.
      const claim = await claimPage(payment)
      expect(claim).toContain('/pull-payments/')
      const page = await fetch(`${tender.url}/c/${failed.paymentKey}`)
      expect(await page.text()).toContain(claim)
      simulator.dashboard(refunds[0]?.reference ?? '', { kind: 'settle' })
      await deliver()
      await expect.poll(undone).toMatchObject({ status: 'Done' })
      expect(await claimPage(payment)).toBeNull()
      expect(simulator.allEntries().filter(({ kind }) => kind === 'refund')).toHaveLength(1)
    })

    it('gives back the part that was paid before it was cancelled', async () => {
      const payment = await open()
      await simulator.payer(payment.redirectUrl, { kind: 'pay-part', percent: 50 })
      good(await tender.sandbox.act(payment.paymentId, 'cancel'))
      simulator.advance(20 * MINUTE)
      await deliver()
      await expectState(payment).toBe('Failed')
      await tender.sandbox.advance('1m')
      const refunds = simulator.allEntries().filter(({ kind }) => kind === 'refund')
      expect(refunds).toMatchObject([{ amountMinor: 1275n, state: 'pending' }])
      expect(await claimPage(payment)).toContain('/pull-payments/')
    })

    it('gives back a payment that comes after the end', async () => {
      const payment = await open()
      simulator.advance(20 * MINUTE)
      await deliver()
      await expectState(payment).toBe('Failed')
      await simulator.payer(payment.redirectUrl, { kind: 'pay' })
      simulator.advance(10 * MINUTE)
      await deliver()
      const refunds = () => simulator.allEntries().filter(({ kind }) => kind === 'refund')
      await expect.poll(refunds).toMatchObject([{ amountMinor: 2550n, state: 'pending' }])
      expect((await state(payment)).paymentState).toBe('Failed')
    })

    it('gives back a payment that comes after the end, also if no notification tells of it', async () => {
      // Tests before this one have moved the time of the app.
      simulator.advance(new Date((await open()).createdTime).getTime() - Date.now())
      const payment = await open()
      simulator.advance(20 * MINUTE)
      await deliver()
      await expectState(payment).toBe('Failed')
      await simulator.payer(payment.redirectUrl, { kind: 'pay' })
      simulator.advance(10 * MINUTE)
      simulator.takeNotifications()
      await tender.sandbox.advance('25h')
      const refunds = async () => {
        // A read that a busy machine could not finish in time is repeated later.
        await tender.sandbox.advance('1m')
        return simulator.allEntries().filter(({ kind }) => kind === 'refund')
      }
      await expect.poll(refunds).toMatchObject([{ amountMinor: 2550n, state: 'pending' }])
    })

    it('is found again if the answer that opened its page was lost', async () => {
      proxy.arm({
        kind: 'cut-after',
        match: ({ method, path }) => method === 'POST' && /invoices$/.test(path),
      })
      const payment = await open()
      expect(payment.redirectUrl).toBeUndefined()
      const found = await recheck(payment)
      expect(found.redirectUrl).toContain('/i/')
      expect(simulator.allEntries()).toEqual([])
    })

    it.each(['cut-after', 'cut-before'] as const)(
      'is refunded once if the answer is lost (%s)',
      async (kind) => {
        const payment = await captured()
        proxy.arm({ kind, match: ({ method, path }) => method === 'POST' && /refund$/.test(path) })
        expect((await refund(payment, 10)).paymentState).toBe('Refunding')
        expect((await recheck(payment)).paymentState).toBe('Refunding')
        await tender.sandbox.advance('2m')
        expect((await recheck(payment)).paymentState).toBe('Refunding')
        const refunds = simulator.allEntries().filter((entry) => entry.kind === 'refund')
        expect(refunds).toMatchObject([{ amountMinor: 1000n, state: 'pending' }])
        expect(await claimPage(payment)).toContain('/pull-payments/')
        simulator.dashboard(refunds[0]?.reference ?? '', { kind: 'settle' })
        await deliver()
        await expectState(payment).toBe('Captured')
        expect((await state(payment)).refundedAmount).toBe(10)
      },
    )
  })
})
