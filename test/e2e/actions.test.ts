import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadApp } from '../../src/merchants/directory.ts'
import { cancelPayment, getPayment, recheckPayment } from '../../src/payments/actions.ts'
import { good, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_actions')
})
afterAll(() => tender?.stop())

const authorised = (more: object = {}) => tender.sandbox.paid({ autoCapture: false, ...more })
const act = (paymentId: number, action: string) => tender.sandbox.act(paymentId, action)
const kinds = async (paymentId: number) =>
  (await tender.sandbox.ledger(paymentId)).map((row) => `${row.kind} ${row.status}`)

it('a node that has not heard of the profile of a payment yet acts on it all the same', async () => {
  const { ctx } = tender.service
  const { paymentId } = await authorised()
  const app = await loadApp(ctx, tender.sandbox.appId)
  if (!app) throw new Error('the sandbox app is there')
  const stale = { ...app, profiles: [] }
  const payment = await getPayment(ctx, stale, paymentId)
  expect(await recheckPayment(ctx, stale, payment, { waitMs: 60_000 })).toMatchObject({ state: 'Authorized' })
  const cancelled = await cancelPayment(ctx, stale, payment, { waitMs: 60_000 })
  expect(cancelled).toMatchObject({ state: 'Failed', failure: { code: 'cancelled' } })
  expect(await kinds(paymentId)).toEqual(['authorise done', 'void done'])
})

describe('a paid payment', () => {
  it('is captured immediately with autoCapture and shows the customer and the method', async () => {
    const payment = await tender.sandbox.paid()
    expect(payment).toMatchObject({ paymentState: 'Captured', paymentStateId: 7, capturedAmount: 25.5 })
    expect(payment).not.toHaveProperty('redirectUrl')
    expect(await tender.sandbox.states(payment.paymentId)).toEqual(['Created', 'SaleInProgress', 'Captured'])
    expect(payment.payInfo.paymentProfile).toMatchObject({
      paymentMethodTypeString: 'CreditCard',
      isActive: true,
      currency: 'USD',
      paymentProvider: { provider: 'sandbox' },
    })
    const providers = await fetch(`${tender.url}/api/apps/providers`)
    expect(await providers.json()).toContainEqual(payment.payInfo.paymentProfile.paymentProvider)
    for (const icon of ['iconUri1', 'iconUri2'])
      expect((await fetch(payment.payInfo.paymentProfile.paymentProvider[icon])).status).toBe(200)
    expect(payment.payInfo.payer.card).toMatchObject({
      cardBrand: 'Visa',
      cardType: 'Credit',
      cardExpiryMonth: 12,
    })
    expect(payment.payInfo.card).toEqual(payment.payInfo.payer.card)
    for (const id of ['providerReferenceId', 'captureId']) expect(payment.payInfo[id]).toBeTypeOf('string')
    expect(payment.payInfo.authorizeId).toBeNull()
    const { totalAmount, netAmount, appFee, providerFee } = payment.feeBreakdown
    expect(payment.feeBreakdown).toMatchObject({
      totalAmount: 25.5,
      currency: 'EUR',
      isProviderFeeActual: true,
    })
    expect(netAmount).toBeCloseTo(totalAmount - appFee - providerFee, 10)
    expect(payment.payInfo.providerFee).toBe(providerFee)
    expect(await kinds(payment.paymentId)).toEqual(['sale done'])
  })

  it('is only authorised without autoCapture', async () => {
    const payment = await authorised()
    expect(payment).toMatchObject({
      paymentState: 'Authorized',
      paymentStateId: 3,
      capturedAmount: 0,
      canCapture: true,
    })
    expect(await tender.sandbox.states(payment.paymentId)).toEqual(['Created', 'Authorizing', 'Authorized'])
  })

  it('stays open after a decline, shows the reason, and accepts another attempt', async () => {
    const { paymentId } = await tender.sandbox.create()
    const declined = good(await tender.sandbox.pay(paymentId, { outcome: 'insufficient-funds' }))
    expect(declined).toMatchObject({ paymentState: 'Created', failure: null, capturedAmount: 0 })
    expect(declined.lastError).toContain('not have enough money')
    expect(declined.redirectUrl).toContain('/c/')
    expect(good(await tender.sandbox.pay(paymentId))).toMatchObject({
      paymentState: 'Captured',
      lastError: null,
    })
    expect(await tender.sandbox.states(paymentId)).toEqual([
      'Created',
      'SaleInProgress',
      'Created',
      'SaleInProgress',
      'Captured',
    ])
    expect(await kinds(paymentId)).toEqual(['sale declined', 'sale done'])
  })

  it('goes through a 3-D Secure challenge', async () => {
    const { paymentId } = await tender.sandbox.create()
    expect(good(await tender.sandbox.pay(paymentId, { outcome: 'challenge' })).paymentState).toBe('Captured')
    expect(await kinds(paymentId)).toEqual(['sale done'])
  })

  it('stays Created when the customer abandons it', async () => {
    const { paymentId } = await tender.sandbox.create()
    expect(good(await tender.sandbox.pay(paymentId, { outcome: 'abandon' })).paymentState).toBe('Created')
    const paypal = good(await tender.sandbox.pay(paymentId, { method: 'Paypal', outcome: 'abandon' }))
    expect(paypal.paymentState).toBe('Created')
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Captured')
  })

  it('is approved on the page of a provider that requires a second step', async () => {
    const { paymentId } = await tender.sandbox.create()
    expect(good(await tender.sandbox.pay(paymentId, { method: 'Paypal' })).paymentState).toBe('Captured')
    expect(await tender.sandbox.states(paymentId)).toEqual(['Created', 'Approved', 'Captured'])
  })

  it('is a one-step sale if the method supports it, and settles later', async () => {
    const { paymentId } = await tender.sandbox.create()
    const started = good(await tender.sandbox.pay(paymentId, { method: 'ElectronicCheck' }))
    expect(started).toMatchObject({ paymentState: 'SaleInProgress', paymentStateId: 10, capturedAmount: 0 })
    await tender.sandbox.advance('5s')
    expect(await tender.sandbox.read(paymentId)).toMatchObject({
      paymentState: 'Captured',
      capturedAmount: 25.5,
    })
    expect(await tender.sandbox.states(paymentId)).toEqual(['Created', 'SaleInProgress', 'Captured'])
  })

  it('returns to Created when a bank debit is returned', async () => {
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.pay(paymentId, { method: 'ElectronicCheck', outcome: 'account-closed' })
    await tender.sandbox.advance('5s')
    const payment = await tender.sandbox.read(paymentId)
    expect([payment.paymentState, payment.lastError]).toEqual(['Created', 'The bank account is closed.'])
  })

  it('cannot be paid twice', async () => {
    const payment = await tender.sandbox.paid()
    const again = await tender.sandbox.pay(payment.paymentId)
    expect([again.status, again.body.code]).toEqual([409, 'payment_not_payable'])
  })
})

describe('capture', () => {
  it('returns 200 with the payment in state Captured', async () => {
    const { paymentId } = await authorised()
    const { status, body } = await act(paymentId, 'capture')
    expect([status, body.paymentState, body.capturedAmount]).toEqual([200, 'Captured', 25.5])
    expect(await tender.sandbox.states(paymentId)).toEqual([
      'Created',
      'Authorizing',
      'Authorized',
      'Capturing',
      'Captured',
    ])
  })

  it('treats an empty JSON body as no body', async () => {
    const { paymentId } = await authorised()
    const reply = await tender.sandbox.call('POST', `payments/${paymentId}/capture`, '', {
      'content-type': 'application/json',
    })
    expect(reply.status).toBe(200)
  })

  it('returns 200 for a repeat, without a second effect', async () => {
    const { paymentId } = await authorised()
    const first = await act(paymentId, 'capture')
    const second = await act(paymentId, 'capture')
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
    expect(await kinds(paymentId)).toEqual(['authorise done', 'capture done'])
  })

  it('captures part of the amount and releases the rest', async () => {
    const { paymentId } = await authorised()
    const { body } = await act(paymentId, 'capture?amount=10.00')
    expect(body).toMatchObject({ paymentState: 'Captured', amount: 25.5, capturedAmount: 10 })
    const refund = await act(paymentId, 'refund')
    expect(refund.body).toMatchObject({ paymentState: 'Refunded', refundedAmount: 10 })
  })

  it.each([
    ['25.51', 422, 'amount_out_of_bounds'],
    ['0', 400, 'invalid_request'],
    ['1.234', 400, 'invalid_request'],
    ['abc', 400, 'invalid_request'],
  ])('of %s answers %i %s', async (amount, status, code) => {
    const { paymentId } = await authorised()
    const reply = await act(paymentId, `capture?amount=${amount}`)
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect((await tender.sandbox.read(paymentId)).paymentState).toBe('Authorized')
  })

  it('a wrong amount is refused before the state of the payment, where an amount is read', async () => {
    const { paymentId } = await tender.sandbox.create()
    const wrong = [{ field: 'amount', message: expect.stringContaining('decimal') }]
    for (const action of ['capture', 'refund', 'cancel', 'unhold']) {
      const { status, body } = await act(paymentId, `${action}?amount=1.234`)
      expect([action, status, body.code, body.errors]).toEqual([action, 400, 'invalid_request', wrong])
    }
    expect((await act(paymentId, 'recheck?amount=1.234')).status).toBe(200)
    expect((await act(paymentId, 'refund?amount=1.2')).body.code).toBe('payment_not_refundable')
    expect((await act(1, 'refund?amount=1.234')).body.code).toBe('not_found')
  })

  it('returns 409 with the state and the allowed actions if the payment is not authorised', async () => {
    const { paymentId } = await tender.sandbox.create()
    const { status, body } = await act(paymentId, 'capture')
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'payment_not_capturable',
      paymentState: 'Created',
      allowedActions: ['cancel'],
    })
  })

  it('returns the moving state immediately with Prefer: respond-async', async () => {
    const { paymentId } = await authorised()
    const path = `payments/${paymentId}/capture`
    const { status, body } = await tender.sandbox.call('POST', path, undefined, { prefer: 'respond-async' })
    expect([status, body.paymentState]).toEqual([200, 'Capturing'])
    await expect.poll(async () => (await tender.sandbox.read(paymentId)).paymentState).toBe('Captured')
  })

  it('returns the moving state if the provider is slower than Prefer: wait', async () => {
    // A notification could arrive before the reply.
    await tender.sandbox.fault('any', 'notification-never', { times: 5 })
    const { paymentId } = await authorised()
    await tender.sandbox.fault('capture', 'reply-late', { delayMs: 2500 })
    const path = `payments/${paymentId}/capture`
    const { body } = await tender.sandbox.call('POST', path, undefined, { prefer: 'wait=1' })
    expect(body.paymentState).toBe('Capturing')
    await expect.poll(async () => (await tender.sandbox.read(paymentId)).paymentState).toBe('Captured')
    await tender.sandbox.call('DELETE', 'test-helpers/faults')
    expect(await kinds(paymentId)).toEqual(['authorise done', 'capture done'])
  })
})

describe('cancel', () => {
  it('enters Cancelling and Failed without a provider call if no attempt was made', async () => {
    const { paymentId } = await tender.sandbox.create()
    const { status, body } = await act(paymentId, 'cancel')
    expect(status).toBe(200)
    expect(body).toMatchObject({ paymentState: 'Failed', paymentStateId: 8, failure: { code: 'cancelled' } })
    expect(body).not.toHaveProperty('redirectUrl')
    expect(await tender.sandbox.states(paymentId)).toEqual(['Created', 'Cancelling', 'Failed'])
    expect(await tender.sandbox.ledger(paymentId)).toEqual([])
  })

  it('releases the funds of an authorised payment', async () => {
    const { paymentId } = await authorised()
    const { body } = await act(paymentId, 'cancel')
    expect(body).toMatchObject({ paymentState: 'Failed', failure: { code: 'cancelled' } })
    expect(await kinds(paymentId)).toEqual(['authorise done', 'void done'])
  })

  it('closes the provider page that the customer has open', async () => {
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.pay(paymentId, { method: 'Paypal', outcome: 'abandon' })
    expect((await act(paymentId, 'cancel')).body).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'cancelled' },
    })
    expect((await tender.sandbox.pay(paymentId)).status).toBe(409)
  })

  it('returns 200 for a repeat, without a second effect', async () => {
    const { paymentId } = await authorised()
    await act(paymentId, 'cancel')
    expect((await act(paymentId, 'cancel')).status).toBe(200)
    expect(await kinds(paymentId)).toEqual(['authorise done', 'void done'])
  })

  it('returns 409 for a captured payment, which must be refunded', async () => {
    const { paymentId } = await tender.sandbox.paid()
    const { status, body } = await act(paymentId, 'cancel')
    expect([status, body.code, body.paymentState]).toEqual([409, 'payment_not_cancellable', 'Captured'])
    expect(body.allowedActions).toContain('refund')
  })
})

describe('refund', () => {
  it('returns the full captured amount', async () => {
    const { paymentId } = await tender.sandbox.paid()
    const { status, body } = await act(paymentId, 'refund?description=damaged')
    expect([status, body.paymentState, body.refundedAmount]).toEqual([200, 'Refunded', 25.5])
    expect((await tender.sandbox.states(paymentId)).slice(-2)).toEqual(['Refunding', 'Refunded'])
  })

  it('returns to Captured after each partial refund until the full amount is refunded', async () => {
    const { paymentId } = await tender.sandbox.paid()
    expect((await act(paymentId, 'refund?amount=10')).body).toMatchObject({
      paymentState: 'Captured',
      refundedAmount: 10,
    })
    expect((await act(paymentId, 'refund?amount=10.50')).body).toMatchObject({
      paymentState: 'Captured',
      refundedAmount: 20.5,
    })
    const tooMuch = await act(paymentId, 'refund?amount=5.01')
    expect([tooMuch.status, tooMuch.body.code]).toEqual([422, 'amount_out_of_bounds'])
    expect((await act(paymentId, 'refund?amount=5')).body).toMatchObject({
      paymentState: 'Refunded',
      refundedAmount: 25.5,
    })
  })

  it('returns 200 for a refunded payment, without a second effect', async () => {
    const { paymentId } = await tender.sandbox.paid()
    await act(paymentId, 'refund')
    expect((await act(paymentId, 'refund')).body.paymentState).toBe('Refunded')
    expect((await kinds(paymentId)).filter((kind) => kind.startsWith('refund'))).toEqual(['refund done'])
  })

  it('returns 409 for an uncaptured payment', async () => {
    const { paymentId } = await authorised()
    const { status, body } = await act(paymentId, 'refund')
    expect([status, body.code]).toEqual([409, 'payment_not_refundable'])
  })

  it('returns 409 with the reason while the provider has an open dispute', async () => {
    const { paymentId } = await tender.sandbox.paid()
    good(await tender.sandbox.call('POST', `test-helpers/payments/${paymentId}/dispute`, {}))
    await expect
      .poll(async () => (await tender.sandbox.read(paymentId)).paymentState, { timeout: 20_000 })
      .toBe('Disputed')
    const { status, body } = await act(paymentId, 'refund')
    expect([status, body.detail]).toEqual([
      ...[409, 'The provider does not refund this payment while it is disputed.'],
    ])
  })

  it('is not possible, and canRefund is false, if the provider does not support refunds', async () => {
    const { paymentId } = await tender.sandbox.create()
    await tender.sandbox.pay(paymentId, { method: 'Crypto' })
    await tender.sandbox.advance('2h')
    expect(await tender.sandbox.read(paymentId)).toMatchObject({ paymentState: 'Captured', canRefund: false })
    expect((await act(paymentId, 'refund')).status).toBe(409)
  })

  it('refunds once per Idempotency-Key, also when the first reply was lost', async () => {
    const { paymentId } = await tender.sandbox.paid()
    const refund = () =>
      tender.sandbox.call('POST', `payments/${paymentId}/refund?amount=5`, undefined, {
        'idempotency-key': 'k-1',
      })
    const first = await refund()
    const second = await refund()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect(await tender.sandbox.read(paymentId)).toMatchObject({ refundedAmount: 5 })
  })
})

describe('an amount in a JSON body', () => {
  const send = (paymentId: number, action: string, body: unknown) =>
    tender.sandbox.call('POST', `payments/${paymentId}/${action}`, body)

  it('is a part, as in the query: never all of the money', async () => {
    const { paymentId } = await authorised()
    expect(good(await send(paymentId, 'capture', { amount: 20.5 }))).toMatchObject({ capturedAmount: 20.5 })
    expect(good(await send(paymentId, 'refund', { amount: '5', anything: 1 }))).toMatchObject({
      refundedAmount: 5,
    })
    const both = await send(paymentId, 'refund?amount=2', { amount: 4 })
    expect(good(both)).toMatchObject({ refundedAmount: 7 })
  })

  it('that is none is refused and moves nothing; other bodies are ignored', async () => {
    const { paymentId } = await tender.sandbox.paid()
    for (const amount of ['five', -1, {}, '1e2', false])
      expect(await send(paymentId, 'refund', { amount })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field: 'amount' }] },
      })
    expect((await send(paymentId, 'refund', { amount: 26 })).status).toBe(422)
    expect(await tender.sandbox.read(paymentId)).toMatchObject({ refundedAmount: 0 })
    for (const [body, refundedAmount] of [
      [{ amount: 1 }, 1],
      [[], 25.5],
    ] as const)
      expect(good(await send(paymentId, 'refund', body))).toMatchObject({ refundedAmount })
    const held = await authorised()
    expect(good(await send(held.paymentId, 'cancel', { amount: 'all' }))).toMatchObject({
      paymentState: 'Failed',
    })
  })
})

describe('an operation that the database rejects', () => {
  const run = (text: string) => tender.service.ctx.db.query({ name: '', text })

  it('returns 500, not payment_busy, and the Idempotency-Key can be reused', async () => {
    await run('alter table operations add constraint operations_odd check (amount_minor <> 1234)')
    const { paymentId } = await tender.sandbox.paid()
    const refund = () =>
      tender.sandbox.call('POST', `payments/${paymentId}/refund?amount=12.34`, undefined, {
        'idempotency-key': 'k-odd',
      })
    const failed = await refund()
    expect([failed.status, failed.body.code]).toEqual([500, 'internal_error'])
    await run('alter table operations drop constraint operations_odd')
    expect((await refund()).body).toMatchObject({ paymentState: 'Captured', refundedAmount: 12.34 })
  })
})

describe('marks and disputes', () => {
  it('mark-as-refund records a refund made elsewhere, without a provider call', async () => {
    const { paymentId } = await tender.sandbox.paid()
    const { status, body } = await act(paymentId, 'mark-as-refund?description=cash')
    expect([status, body.paymentState, body.refundedAmount]).toEqual([200, 'Refunded', 25.5])
    expect(await kinds(paymentId)).toEqual(['sale done'])
  })

  it('mark-as-dispute records a dispute, with the reason in the body', async () => {
    const { paymentId } = await tender.sandbox.paid()
    const path = `payments/${paymentId}/mark-as-dispute`
    const { status, body } = await tender.sandbox.call('POST', path, { reason: 'letter from the bank' })
    expect([status, body.paymentState]).toEqual([200, 'Disputed'])
    expect((await act(paymentId, 'mark-as-refund')).body.paymentState).toBe('Refunded')
  })

  it('a dispute at the provider is tracked until it is resolved', async () => {
    const { paymentId } = await tender.sandbox.paid()
    const dispute = async (outcome: string) =>
      good(await tender.sandbox.call('POST', `test-helpers/payments/${paymentId}/dispute`, { outcome }))
        .paymentState
    expect(await dispute('open')).toBe('Disputed')
    expect(await dispute('won')).toBe('Captured')
    const other = (await tender.sandbox.paid()).paymentId
    await tender.sandbox.call('POST', `test-helpers/payments/${other}/dispute`)
    const lost = await tender.sandbox.call('POST', `test-helpers/payments/${other}/dispute`, {
      outcome: 'lost',
    })
    expect(lost.body).toMatchObject({ paymentState: 'Refunded', refundedAmount: 25.5 })
  })

  it('return 409 for a payment that is not captured', async () => {
    const { paymentId } = await tender.sandbox.create()
    expect((await act(paymentId, 'mark-as-refund')).status).toBe(409)
    expect((await act(paymentId, 'mark-as-dispute')).status).toBe(409)
  })
})

describe('unhold and recheck', () => {
  it('unhold returns 409 for a payment that is not held', async () => {
    const { paymentId } = await authorised()
    const { status, body } = await act(paymentId, 'unhold')
    expect([status, body.code]).toEqual([409, 'payment_not_held'])
  })

  it('recheck returns 200 with the payment in any state', async () => {
    const created = await tender.sandbox.create()
    expect((await act(created.paymentId, 'recheck')).body.paymentState).toBe('Created')
    const paid = await tender.sandbox.paid()
    expect((await act(paid.paymentId, 'recheck')).body).toEqual(paid)
  })
})

describe('an unknown payment id', () => {
  it.each(['999999999', '0', 'abc', '1e3', '99999999999999999999', '-1'])('%s returns 404', async (id) => {
    const read = await tender.sandbox.call('GET', `payments/${id}`)
    expect([read.status, read.body.code]).toEqual([404, 'not_found'])
    expect((await tender.sandbox.call('POST', `payments/${id}/capture`)).status).toBe(404)
  })
})

describe('installation settings', () => {
  it('let a sandbox app add a profile of the built-in provider without credentials', async () => {
    const body = {
      paymentProfileName: 'More cards',
      provider: 'sandbox',
      methods: ['CreditCard'],
      currency: 'EUR',
    }
    const made = await tender.sandbox.call('POST', 'payment-profiles', body)
    expect(made.status).toBe(200)
    const { paymentId } = await tender.sandbox.create({ paymentProfiles: [made.body.paymentProfileId] })
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Captured')
  })
})
