import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { good, startTestService, type TestService } from '../support/tender.ts'

/**
 * Compares the bank's ledger after each kind of fault: nothing is charged twice and nothing is lost.
 */
let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_faults')
})
afterAll(() => tender?.stop())
afterEach(() => tender.sandbox.call('DELETE', 'test-helpers/faults'))

const state = async (paymentId: number) => (await tender.sandbox.read(paymentId)).paymentState
const recheck = async (paymentId: number) => good(await tender.sandbox.act(paymentId, 'recheck'))
const act = async (paymentId: number, action: string) => good(await tender.sandbox.act(paymentId, action))
const authorised = () => tender.sandbox.paid({ autoCapture: false })
const settled = (paymentId: number, wanted: string) =>
  expect.poll(() => state(paymentId), { interval: 200 }).toBe(wanted)

/** Without notifications, only recheck and the recovery worker can find the outcome. */
const dropNotifications = () => tender.sandbox.fault('any', 'notification-never', { times: 50 })

/** Ledger entries that were carried out, without declined ones. */
async function done(paymentId: number): Promise<string[]> {
  const rows = await tender.sandbox.ledger(paymentId)
  return rows.filter((row) => row.status === 'done').map((row) => row.kind)
}

const AFTER_ACTING = ['reply-lost', 'http-500-after-acting', 'unreadable'] as const

describe('a provider that acts but does not reply', () => {
  it.each(AFTER_ACTING)(
    '%s while authorising: stays Authorizing until recheck finds the outcome',
    async (effect) => {
      const { paymentId } = await tender.sandbox.create({ autoCapture: false })
      await dropNotifications()
      await tender.sandbox.fault('authorise', effect)
      const unknown = good(await tender.sandbox.pay(paymentId))
      expect([unknown.paymentState, unknown.failure]).toEqual(['Authorizing', null])
      expect((await recheck(paymentId)).paymentState).toBe('Authorized')
      expect(await done(paymentId)).toEqual(['authorise'])
    },
  )

  it.each(AFTER_ACTING)('%s while capturing: stays Capturing, one capture', async (effect) => {
    await dropNotifications()
    const { paymentId } = await authorised()
    await tender.sandbox.fault('capture', effect)
    expect((await act(paymentId, 'capture')).paymentState).toBe('Capturing')
    expect((await act(paymentId, 'capture')).paymentState).toBe('Capturing')
    expect((await recheck(paymentId)).paymentState).toBe('Captured')
    expect(await done(paymentId)).toEqual(['authorise', 'capture'])
  })

  it.each(AFTER_ACTING)('%s while cancelling: stays Cancelling, one void', async (effect) => {
    await dropNotifications()
    const { paymentId } = await authorised()
    await tender.sandbox.fault('cancel', effect)
    expect((await act(paymentId, 'cancel')).paymentState).toBe('Cancelling')
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Failed', failure: { code: 'cancelled' } })
    expect(await done(paymentId)).toEqual(['authorise', 'void'])
  })

  it.each(AFTER_ACTING)('%s while refunding: stays Refunding, one refund', async (effect) => {
    await dropNotifications()
    const { paymentId } = await tender.sandbox.paid()
    await tender.sandbox.fault('refund', effect)
    expect((await act(paymentId, 'refund?amount=5')).paymentState).toBe('Refunding')
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Captured', refundedAmount: 5 })
    expect(await done(paymentId)).toEqual(['sale', 'refund'])
  })

  it('is resolved by the recovery worker without a request', async () => {
    await dropNotifications()
    const { paymentId } = await authorised()
    await tender.sandbox.fault('capture', 'reply-lost')
    expect((await act(paymentId, 'capture')).paymentState).toBe('Capturing')
    await settled(paymentId, 'Captured')
    expect(await done(paymentId)).toEqual(['authorise', 'capture'])
  })

  it('is resolved by its notification', async () => {
    const { paymentId } = await authorised()
    await tender.sandbox.fault('capture', 'reply-lost')
    await act(paymentId, 'capture')
    await settled(paymentId, 'Captured')
  })

  it('does not become a failure with age', async () => {
    await dropNotifications()
    const { paymentId } = await authorised()
    await tender.sandbox.fault('any', 'outage', { times: 100 })
    expect((await act(paymentId, 'capture')).paymentState).toBe('Capturing')
    await tender.sandbox.advance('3d')
    expect(await state(paymentId)).toBe('Capturing')
  })
})

describe('a request that does not reach the provider', () => {
  it('while authorising: nothing is charged, and the customer can retry', async () => {
    await dropNotifications()
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.fault('authorise', 'request-lost')
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('SaleInProgress')
    const back = await recheck(paymentId)
    expect(back.paymentState).toBe('Created')
    expect(back.lastError).toContain('did not reach the provider')
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Captured')
    expect(await done(paymentId)).toEqual(['sale'])
  })

  it.each([
    ['capture', 'capture', 'Capturing', 'Captured', ['authorise', 'capture']],
    ['cancel', 'cancel', 'Cancelling', 'Failed', ['authorise', 'void']],
  ] as const)(
    'during a %s: the same operation is retried with its key',
    async (step, action, moving, end, kinds) => {
      await dropNotifications()
      const { paymentId } = await authorised()
      await tender.sandbox.fault(step, 'request-lost')
      expect((await act(paymentId, action)).paymentState).toBe(moving)
      expect((await recheck(paymentId)).paymentState).toBe(end)
      expect(await done(paymentId)).toEqual(kinds)
    },
  )

  it('while refunding: the refund is retried with its key', async () => {
    await dropNotifications()
    const { paymentId } = await tender.sandbox.paid()
    await tender.sandbox.fault('refund', 'request-lost')
    expect((await act(paymentId, 'refund')).paymentState).toBe('Refunding')
    expect((await recheck(paymentId)).paymentState).toBe('Refunded')
    expect(await done(paymentId)).toEqual(['sale', 'refund'])
  })
})

describe('a provider that is down', () => {
  it('while authorising: nothing is charged, and the customer can retry', async () => {
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.fault('authorise', 'outage')
    expect(good(await tender.sandbox.pay(paymentId))).toMatchObject({
      paymentState: 'Created',
      failure: null,
    })
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Captured')
  })

  it('while capturing: the capture is sent when the provider is available again', async () => {
    const { paymentId } = await authorised()
    await tender.sandbox.fault('capture', 'outage')
    expect((await act(paymentId, 'capture')).paymentState).toBe('Capturing')
    await settled(paymentId, 'Captured')
    expect(await done(paymentId)).toEqual(['authorise', 'capture'])
  })
})

describe('a provider that declines', () => {
  it('a capture: the payment returns to Authorized and shows the reason', async () => {
    const { paymentId } = await authorised()
    await tender.sandbox.fault('capture', 'capture-fails')
    const back = await act(paymentId, 'capture')
    expect(back).toMatchObject({ paymentState: 'Authorized', capturedAmount: 0 })
    expect(back.lastError).toContain('capture')
    expect((await act(paymentId, 'capture')).paymentState).toBe('Captured')
  })

  it('a cancellation: the payment returns to Authorized and shows the reason', async () => {
    const { paymentId } = await authorised()
    await tender.sandbox.fault('cancel', 'decline')
    const back = await act(paymentId, 'cancel')
    expect(back.paymentState).toBe('Authorized')
    expect(back.lastError).toContain('cancellation')
  })

  it('a refund: the payment returns to Captured and shows the reason', async () => {
    const { paymentId } = await tender.sandbox.paid()
    await tender.sandbox.fault('refund', 'decline')
    const back = await act(paymentId, 'refund')
    expect(back).toMatchObject({ paymentState: 'Captured', refundedAmount: 0 })
    expect(back.lastError).toContain('refund')
    expect((await act(paymentId, 'refund')).paymentState).toBe('Refunded')
  })

  it('an authorisation: the payment returns to Created', async () => {
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.fault('authorise', 'decline')
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Created')
  })
})

describe('a slow provider', () => {
  it('an authorisation that is pending, then approved', async () => {
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.fault('authorise', 'pending-then-approved')
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('SaleInProgress')
    await tender.sandbox.advance('1m')
    await settled(paymentId, 'Captured')
    expect(await done(paymentId)).toEqual(['sale'])
  })

  it('a refund that is pending, then done', async () => {
    const { paymentId } = await tender.sandbox.paid()
    await tender.sandbox.fault('refund', 'refund-pending')
    expect((await act(paymentId, 'refund')).paymentState).toBe('Refunding')
    await tender.sandbox.advance('1h')
    await settled(paymentId, 'Refunded')
    expect(await done(paymentId)).toEqual(['sale', 'refund'])
  })

  it('a refund that is pending, then fails', async () => {
    const { paymentId } = await tender.sandbox.paid()
    await tender.sandbox.fault('refund', 'refund-fails-later')
    expect((await act(paymentId, 'refund')).paymentState).toBe('Refunding')
    await tender.sandbox.advance('1h')
    await settled(paymentId, 'Captured')
    expect((await tender.sandbox.read(paymentId)).refundedAmount).toBe(0)
    expect((await act(paymentId, 'refund')).paymentState).toBe('Refunded')
  })

  it('a completed refund that is returned later is recorded without changing the history', async () => {
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.pay(paymentId, { outcome: 'refund-fails-later' })
    expect((await act(paymentId, 'refund')).paymentState).toBe('Refunded')
    await tender.sandbox.advance('1d')
    await recheck(paymentId)
    const payment = await tender.sandbox.read(paymentId)
    expect([payment.paymentState, payment.refundedAmount]).toEqual(['Refunded', 25.5])
  })
})

describe('notifications', () => {
  it.each(['duplicate', 'reordered', 'late', 'never', 'forged'])(
    'delivered %s have no duplicate effect',
    async (how) => {
      await tender.sandbox.fault('any', `notification-${how}`, { times: 10 })
      const { paymentId } = await authorised()
      await act(paymentId, 'capture')
      await act(paymentId, 'refund?amount=5')
      await tender.sandbox.advance('30s')
      const payment = await tender.sandbox.read(paymentId)
      expect(payment).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5, refundedAmount: 5 })
      expect(await done(paymentId)).toEqual(['authorise', 'capture', 'refund'])
      expect(await tender.sandbox.states(paymentId)).toEqual([
        'Created',
        'Authorizing',
        'Authorized',
        'Capturing',
        'Captured',
        'Refunding',
        'Captured',
      ])
    },
  )

  it('return 404 without the right key and 401 with a wrong signature, and have no effect', async () => {
    const [profile] = good(await tender.sandbox.call('GET', 'payment-profiles'))
    const body = JSON.stringify({ reference: 'X'.repeat(20), type: 'payment.captured' })
    const post = (url: string) =>
      fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect((await post(`${profile.webhookUrl}x`)).status).toBe(404)
    expect((await post(`${tender.url}/api/provider-webhook?profileId=999999&webhookKey=x`)).status).toBe(404)
    expect((await post(profile.webhookUrl)).status).toBe(401)
    expect((await post(profile.webhookUrl)).status).toBe(401)
    const second = profile.webhookUrl.replace('provider-webhook', 'provider-webhook2')
    expect((await post(`${second}x`)).status).toBe(404)
    expect((await post(second)).status).toBe(401)
  })
})
