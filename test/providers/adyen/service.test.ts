import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { good, newReference } from '../../support/tender.ts'
import type { DashboardAct } from '../kit/simulator.ts'
import { type Opened, openShop, type Shop } from './shop.ts'
import type { Item } from './state.ts'

/** Adyen cannot be read: its notifications end every payment right, whatever happens to them on the way. */

const DAY = 86_400_000

/** Every order of the items. */
function orders<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((one, place) => orders(all.toSpliced(place, 1)).map((rest) => [one, ...rest]))
}

const kinds = (shop: Shop, { reference }: Opened): string[] =>
  shop.adyen.ledger(reference).map(({ kind, state }) => `${kind} ${state}`)

// Adyen's documentation leaves open which reference a notification about a modification names.
describe.each(['payment', 'modification'] as const)('with the reference of the %s', (names) => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(`adyen_service_${names}`, { names })
  })
  afterAll(() => shop?.stop())

  const shows = async (payment: Opened, expected: object): Promise<void> =>
    expect(await shop.read(payment)).toMatchObject(expected)

  /** Something happens at Adyen, and its notifications are delivered. */
  async function then(payment: Opened, act: DashboardAct): Promise<void> {
    expect(shop.adyen.dashboard(payment.reference, act)).toBe(true)
    await shop.deliver()
  }

  it('captures, cancels and refunds when Adyen says so, and says meanwhile what it waits for', async () => {
    const payment = await shop.pay()
    await shop.deliver()
    await shows(payment, { paymentState: 'Capturing', capturedAmount: 0, lastError: null })
    const capturing = await shop.act(payment, 'recheck')
    expect(capturing).toMatchObject({
      paymentState: 'Capturing',
      lastError: 'Waiting for Adyen to confirm the capture.',
    })
    await shop.pass(3 * DAY)
    await shows(payment, { paymentState: 'Capturing' })
    await shop.deliver()
    await shows(payment, { paymentState: 'Captured', capturedAmount: 20, lastError: null })
    expect(await shop.act(payment, 'refund?amount=5')).toMatchObject({ paymentState: 'Refunding' })
    expect((await shop.act(payment, 'recheck')).lastError).toBe('Waiting for Adyen to confirm the refund.')
    await shop.deliver()
    await shows(payment, { paymentState: 'Captured', refundedAmount: 5, lastError: null })
    await then(payment, { kind: 'refund' })
    await shows(payment, { paymentState: 'Refunded', refundedAmount: 20 })
    expect(kinds(shop, payment)).toEqual(['authorise done', 'capture done', 'refund done', 'refund done'])
  })

  it('voids a reservation when Adyen says so', async () => {
    const payment = await shop.paid({ autoCapture: false })
    await shows(payment, { paymentState: 'Authorized' })
    expect(await shop.act(payment, 'cancel')).toMatchObject({ paymentState: 'Cancelling' })
    expect((await shop.act(payment, 'recheck')).lastError).toBe(
      'Waiting for Adyen to confirm the cancellation.',
    )
    await shop.deliver()
    await shows(payment, { paymentState: 'Failed', failure: { code: 'cancelled' } })
    expect(kinds(shop, payment)).toEqual(['authorise done', 'void done'])
  })

  it('knows that a page was paid before the notification comes', async () => {
    const payment = await shop.pay()
    expect(await shop.act(payment, 'recheck')).toMatchObject({ paymentState: 'Authorizing' })
    expect(await shop.act(payment, 'recheck')).toMatchObject({
      paymentState: 'Authorizing',
      lastError: 'Waiting for Adyen to confirm the payment.',
    })
    await shop.deliver()
    await shows(payment, { paymentState: 'Capturing', lastError: null })
    await shop.deliver()
    await shows(payment, { paymentState: 'Captured' })
  })

  it('ends the same in every order, with every notification repeated', async () => {
    // A capture, a part refunded by us, a part refunded at Adyen, and a chargeback that is reversed.
    const reported: Item[] = []
    const story = await shop.pay({ autoCapture: false })
    reported.push(...(await shop.deliver()))
    await shop.act(story, 'capture')
    reported.push(...(await shop.deliver()))
    await shop.act(story, 'refund?amount=5')
    reported.push(...(await shop.deliver()))
    shop.adyen.dashboard(story.reference, { kind: 'refund', amountMinor: 300n })
    reported.push(...(await shop.deliver()))
    const ends = { paymentState: 'Captured', capturedAmount: 20, refundedAmount: 8 }
    await shows(story, ends)
    for (const item of [...reported, ...reported]) await shop.send(shop.adyen.sign([item]))
    await shows(story, ends)
    expect(reported.map(({ eventCode }) => eventCode)).toEqual([
      'AUTHORISATION',
      'CAPTURE',
      'REFUND',
      'REFUND',
    ])
  })

  it('takes what happened at Adyen in any order', async () => {
    for (const order of orders([0, 1, 2])) {
      const payment = await shop.pay({ autoCapture: false })
      shop.adyen.dashboard(payment.reference, { kind: 'capture' })
      shop.adyen.dashboard(payment.reference, { kind: 'refund', amountMinor: 700n })
      await shop.deliver((items) => order.flatMap((place) => items[place] ?? []))
      await shows(payment, { paymentState: 'Captured', capturedAmount: 20, refundedAmount: 7 })
      await shop.act(payment, 'recheck')
      expect(JSON.stringify(await shop.read(payment))).toContain('"1111"')
    }
  })

  it('takes several events in one call', async () => {
    const payment = await shop.pay({ autoCapture: false })
    shop.adyen.dashboard(payment.reference, { kind: 'capture' })
    const reply = await shop.send(shop.adyen.sign(shop.adyen.waiting.splice(0)))
    expect([reply.status, await reply.text()]).toEqual([200, '[accepted]'])
    await shows(payment, { paymentState: 'Captured', capturedAmount: 20 })
  })

  it('ends right when the notification of the authorisation, or of the capture, is lost', async () => {
    const one = await shop.pay({ autoCapture: false })
    shop.adyen.dashboard(one.reference, { kind: 'capture' })
    await shop.deliver((items) => items.filter(({ eventCode }) => eventCode !== 'AUTHORISATION'))
    await shows(one, { paymentState: 'Captured', capturedAmount: 20 })
    const other = await shop.pay()
    await shop.deliver()
    await shop.deliver((items) => items.filter(({ eventCode }) => eventCode !== 'CAPTURE'))
    await shows(other, { paymentState: 'Capturing' })
    await then(other, { kind: 'dispute', state: 'open' })
    await shows(other, { paymentState: 'Disputed', capturedAmount: 20 })
    expect(kinds(shop, other)).toEqual(['authorise done', 'capture done'])
  })

  it('ends right when the notification of a refund is lost and sent again later', async () => {
    const payment = await shop.paid()
    await shop.act(payment, 'refund')
    const lost = await takeAway(shop)
    await shop.pass(8 * DAY)
    await shows(payment, { paymentState: 'Refunding', refundedAmount: 0 })
    for (const item of lost) await shop.send(shop.adyen.sign([item]))
    await shows(payment, { paymentState: 'Refunded' })
    const held = await shop.paid({ autoCapture: false })
    await shop.act(held, 'cancel')
    await takeAway(shop)
    await shop.pass(8 * DAY)
    await shows(held, { paymentState: 'Cancelling' })
    expect(kinds(shop, payment)).toEqual(['authorise done', 'capture done', 'refund done'])
    expect(kinds(shop, held)).toEqual(['authorise done', 'void done'])
  })

  it('returns to the reservation when the capture is refused, and can be captured again', async () => {
    const payment = await shop.paid({ autoCapture: false })
    shop.adyen.arm({ kind: 'decline', operation: 'capture', code: 'Scheme refused' })
    expect((await shop.act(payment, 'capture')).paymentState).toBe('Capturing')
    await shop.deliver()
    await shows(payment, {
      paymentState: 'Authorized',
      lastError: 'The capture was refused: Scheme refused',
    })
    await shop.act(payment, 'capture')
    await shop.deliver()
    await shows(payment, { paymentState: 'Captured', capturedAmount: 20, lastError: null })
  })

  it('returns to the state before when a cancellation or a refund is refused', async () => {
    const held = await shop.paid({ autoCapture: false })
    shop.adyen.arm({ kind: 'decline', operation: 'cancel', code: 'Not possible' })
    await shop.act(held, 'cancel')
    await shop.deliver()
    await shows(held, { paymentState: 'Authorized', lastError: 'The cancellation was refused: Not possible' })
    const payment = await shop.paid()
    shop.adyen.arm({ kind: 'decline', operation: 'refund', code: 'Not possible' })
    await shop.act(payment, 'refund')
    await shop.deliver()
    await shows(payment, { paymentState: 'Captured', refundedAmount: 0 })
    expect((await shop.read(payment)).lastError).toBe('The refund was refused: Not possible')
  })

  it('keeps a capture that fails after it was reported as done, because Adyen captures again', async () => {
    const payment = await shop.paid()
    await shop.pass(DAY)
    await then(payment, { kind: 'fail-capture' })
    expect((await shop.read(payment)).paymentState).not.toBe('Refunded')
    await shop.pass(DAY)
    await then(payment, { kind: 'recapture' })
    await shows(payment, { paymentState: 'Captured', capturedAmount: 20, refundedAmount: 0 })
    expect(kinds(shop, payment)).toEqual(['authorise done', 'capture done'])
    // The failure arrives before the report of the capture.
    const early = await shop.pay()
    await shop.deliver()
    shop.adyen.dashboard(early.reference, { kind: 'fail-capture' })
    await shop.deliver((items) => items.toReversed())
    expect((await shop.read(early)).capturedAmount).toBe(0)
    await shop.pass(DAY)
    await then(early, { kind: 'recapture' })
    await shows(early, { paymentState: 'Captured', capturedAmount: 20 })
  })

  it('shows a refund that fails after it was reported as done', async () => {
    const payment = await shop.paid()
    await shop.act(payment, 'refund?amount=5')
    await shop.deliver()
    await shows(payment, { paymentState: 'Captured', refundedAmount: 5 })
    await then(payment, { kind: 'fail-refund' })
    const lastError = 'A refund of 5.00 USD failed later; the money is still with the provider.'
    await shows(payment, { paymentState: 'Captured', lastError })
    await shop.pass(DAY)
    await then(payment, { kind: 'repeat-refund' })
    await shows(payment, { paymentState: 'Captured', refundedAmount: 5 })
  })

  it('follows a chargeback: opened, reversed, and a second one', async () => {
    const payment = await shop.paid()
    await then(payment, { kind: 'dispute', state: 'open' })
    await shows(payment, {
      paymentState: 'Disputed',
      dispute: { state: 'open', amount: 20, reason: '10.4', evidenceDueTime: '2027-02-28T23:00:00.000Z' },
    })
    await then(payment, { kind: 'dispute', state: 'won' })
    await shows(payment, { paymentState: 'Captured' })
    await then(payment, { kind: 'dispute', state: 'lost' })
    await shows(payment, { paymentState: 'Refunded' })
    const late = await shop.paid()
    shop.adyen.dashboard(late.reference, { kind: 'dispute', state: 'won' })
    await shop.deliver((items) => items.toReversed())
    await shows(late, { paymentState: 'Captured' })
  })

  it('does not lose an inquiry whose time to answer is over, and follows a chargeback after it', async () => {
    const payment = await shop.paid()
    const inquiry = { kind: 'dispute', isInquiry: true } as const
    await then(payment, { ...inquiry, state: 'open' })
    await shop.pass(DAY)
    await then(payment, { ...inquiry, state: 'lost' })
    await shows(payment, { paymentState: 'Disputed', refundedAmount: 0 })
    await shop.pass(DAY)
    await then(payment, { kind: 'dispute', state: 'lost' })
    await shows(payment, { paymentState: 'Refunded' })
  })

  it('is lost in arbitration after it was won', async () => {
    const payment = await shop.paid()
    await then(payment, { kind: 'dispute', state: 'won' })
    await shows(payment, { paymentState: 'Captured' })
    await shop.pass(DAY)
    await then(payment, { kind: 'dispute', state: 'open' })
    await shows(payment, { paymentState: 'Disputed' })
    await shop.pass(DAY)
    shop.adyen.tellDispute(payment.reference, 'SCHEME_ARBITRATION_LOST')
    await shop.deliver()
    await shows(payment, { paymentState: 'Refunded' })
  })

  it('fails when the authorisation expires', async () => {
    const held = await shop.paid({ autoCapture: false })
    await then(held, { kind: 'expire-authorisation' })
    await shows(held, { paymentState: 'Failed', failure: { code: 'authorization_expired' } })
  })

  it('captures a debit, and takes its return', async () => {
    const debit = await shop.paid({ method: 'ElectronicCheck' })
    await shows(debit, { paymentState: 'Captured', capturedAmount: 20 })
    await then(debit, { kind: 'return-debit' })
    await shows(debit, { paymentState: 'Refunded', lastError: 'bank_return' })
  })

  it('leaves the page open after a refusal, and closes it when the payment is cancelled', async () => {
    const payment = await shop.open()
    await shop.adyen.payer(payment.page, { kind: 'decline', code: '12' })
    await shop.deliver()
    await shows(payment, { paymentState: 'Created', lastError: 'The account does not have enough money.' })
    expect((await shop.act(payment, 'cancel')).paymentState).toBe('Failed')
    await expect(shop.adyen.payer(payment.page, { kind: 'pay' })).rejects.toThrow('410')
  })

  it('cancels by our reference when the page was paid and the notification is missing', async () => {
    const payment = await shop.pay()
    const late = await takeAway(shop)
    expect(await shop.act(payment, 'cancel')).toMatchObject({ paymentState: 'Cancelling' })
    expect(shop.adyen.requests.at(-1)?.path).toBe('/v72/cancels')
    for (const item of late) await shop.send(shop.adyen.sign([item]))
    await shows(payment, { paymentState: 'Cancelling' })
    await shop.deliver()
    await shows(payment, { paymentState: 'Failed', failure: { code: 'cancelled' } })
    expect(kinds(shop, payment)).toEqual(['authorise done', 'void done'])
  })

  it('gives back what is authorised after the payment has failed', async () => {
    const payment = await shop.open()
    shop.adyen.payOnClose(payment.reference)
    expect((await shop.act(payment, 'cancel')).paymentState).toBe('Failed')
    await shop.deliver()
    expect(kinds(shop, payment)).toEqual(['authorise done', 'void done'])
    await shop.deliver()
    await shop.pass(8 * DAY)
    await shows(payment, { paymentState: 'Failed', capturedAmount: 0 })
    const asked = shop.adyen.requests.filter(({ path }) => path.endsWith('/cancels'))
    expect(asked.filter(({ body }) => body.includes(payment.reference))).toHaveLength(1)
  })

  it('stores a card, told or found, and charges it without the customer', async () => {
    for (const isReported of [true, false]) {
      const payment = await shop.pay({ registerAutoPayment: true })
      await shop.deliver((items) =>
        items.filter(({ eventCode }) => isReported || eventCode !== 'RECURRING_CONTRACT'),
      )
      await shop.deliver()
      await shows(payment, { paymentState: 'Captured' })
      const { customerId } = payment
      const methods = good(await shop.tender.sandbox.call('GET', `customers/${customerId}/payment-methods`))
      expect(methods).toMatchObject([
        { paymentMethodType: 'CreditCard', paymentMethodNumber: 'Visa •••• 1111' },
      ])
      const customerOrder = { customer: { customerId } }
      const request = { referenceId: newReference(), amount: 9, autoCapture: true, customerOrder }
      const charged = good(await shop.tender.sandbox.call('POST', 'payments/auto-payment', request))
      expect(charged.paymentState).toBe('Capturing')
      await shop.deliver()
      expect(await shop.tender.sandbox.read(charged.paymentId)).toMatchObject({ paymentState: 'Captured' })
      shop.adyen.arm({ kind: 'decline', operation: 'charge', code: '38' })
      const refused = { ...request, referenceId: newReference() }
      expect(good(await shop.tender.sandbox.call('POST', 'payments/auto-payment', refused))).toMatchObject({
        paymentState: 'Failed',
        failure: { declineCode: 'authentication-required' },
      })
      await shop.deliver()
    }
  })

  it('stores a card in a wallet, and charges it as a card without the customer', async () => {
    const { customerId } = await shop.paid({ method: 'apple-pay', registerAutoPayment: true })
    const methods = good(await shop.tender.sandbox.call('GET', `customers/${customerId}/payment-methods`))
    expect(methods).toMatchObject([
      { paymentMethodType: 'CreditCard', paymentMethodNumber: 'Apple Pay, Visa •••• 1111' },
    ])
    const customerOrder = { customer: { customerId } }
    const request = { referenceId: newReference(), amount: 9, autoCapture: true, customerOrder }
    const charged = good(await shop.tender.sandbox.call('POST', 'payments/auto-payment', request))
    await shop.deliver()
    expect(await shop.tender.sandbox.read(charged.paymentId)).toMatchObject({ paymentState: 'Captured' })
    const sent = shop.adyen.requests.findLast(({ path }) => path === '/v72/payments')
    expect(JSON.parse(sent?.body ?? '{}').paymentMethod).toMatchObject({ type: 'scheme' })
  })
})

describe('a charge whose answer is lost', () => {
  let shop: Shop
  let customerId = ''
  let isLosing = false
  beforeAll(async () => {
    shop = await openShop('adyen_lost_charges')
    const { http } = shop.tender.service.ctx
    const send = http.call.bind(http)
    vi.spyOn(http, 'call').mockImplementation(async (call) => {
      const reply = await send(call)
      const isLost = isLosing && call.url.endsWith('/v72/payments')
      return isLost ? { kind: 'no-answer', why: 'timeout', cause: 'timeout' } : reply
    })
    customerId = (await shop.paid({ registerAutoPayment: true })).customerId
  })
  afterAll(() => shop?.stop())

  async function charge() {
    isLosing = true
    const customerOrder = { customer: { customerId } }
    const request = { referenceId: newReference(), amount: 9, autoCapture: true, customerOrder }
    const { paymentId, paymentState } = good(
      await shop.tender.sandbox.call('POST', 'payments/auto-payment', request),
    )
    expect(paymentState).toBe('Authorizing')
    const { reference } = shop.adyen.allEntries().at(-1) ?? { reference: '' }
    return { paymentId, customerId, reference, page: '' }
  }

  it('is repeated with its key', async () => {
    const payment = await charge()
    await takeAway(shop)
    await shop.pass(3_000)
    expect(await shop.read(payment)).toMatchObject({ paymentState: 'Authorizing' })
    isLosing = false
    await shop.pass(15_000)
    await shop.deliver()
    expect(await shop.read(payment)).toMatchObject({ paymentState: 'Captured' })
    expect(kinds(shop, payment)).toEqual(['authorise done', 'capture done'])
  })

  it('is told by the notification', async () => {
    const payment = await charge()
    await shop.deliver()
    await shop.deliver()
    expect(await shop.read(payment)).toMatchObject({ paymentState: 'Captured' })
    expect(kinds(shop, payment)).toEqual(['authorise done', 'capture done'])
  })

  it('is cancelled by our reference when Adyen has forgotten its key', async () => {
    const payment = await charge()
    await takeAway(shop)
    await shop.pass(8 * DAY)
    expect(shop.adyen.requests.at(-1)?.path).toBe('/v72/cancels')
    expect(await shop.read(payment)).toMatchObject({
      paymentState: 'Authorizing',
      lastError: 'Waiting for Adyen to confirm the payment.',
    })
    await shop.deliver()
    const failure = { code: 'provider_rejected' }
    expect(await shop.read(payment)).toMatchObject({ paymentState: 'Failed', failure })
    expect(kinds(shop, payment)).toEqual(['authorise done', 'void done'])
  })
})

/** Notifications that are lost. */
async function takeAway({ adyen }: Shop): Promise<Item[]> {
  return adyen.waiting.splice(0)
}
