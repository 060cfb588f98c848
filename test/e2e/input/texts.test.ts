import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasCardNumber } from '../../../src/base/cards/find.ts'
import {
  type Answer,
  good,
  hostedPage,
  newReference,
  startTestService,
  type TestService,
} from '../../support/tender.ts'

vi.setConfig({ testTimeout: 120_000 })

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_texts')
})
afterAll(() => tender?.stop())

const LINES = 'Web hosting\r\n\tPlan: Business  (12 months)\n\nDomain: shop.example\u2028'
const LONG = LINES.repeat(200).slice(0, 10_000)

/** Line breaks, control characters, emoji, combining marks, other scripts and markup. */
const PIECES = [
  ...[
    '\n',
    '\r\n',
    '\t',
    '\u2028',
    '\u0085',
    '\u0001',
    '\u001b[31m',
    '\u007f',
    ' ',
    '  ',
    '\u00a0',
    '\u200b',
  ],
  ...[
    'é',
    'e\u0301',
    'Zoë',
    '株式会社',
    'مرحبا',
    '\u202e',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    '𝒜',
    '\u{10ffff}',
    'Z\u0351\u0353\u0310',
  ],
  ...[
    '<b>',
    '&amp;',
    '"',
    "'",
    '\\',
    '%00',
    '{{x}}',
    '$(y)',
    ';--',
    '=1+1',
    'undefined',
    'null',
    '12',
    'a',
    'Hosting',
  ],
]

/** A text of at most this many code points, often exactly as many. */
const hostile = (most: number, least = 0): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }), fc.boolean(), fc.nat(most))
    .map(([pieces, isFull, length]) => {
      const points = [...pieces.join('')]
      const wanted = Math.max(isFull ? most : Math.min(length, most), least)
      return Array.from({ length: wanted }, (_each, place) => points[place % points.length]).join('')
    })
    .filter((text) => !hasCardNumber(text))

const unique = (most: number) => hostile(most - 40, 1).map((text) => `${newReference()}${text}`)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const person = maybe(hostile(200))

const orders = fc.record({
  customer: fc.record({
    customerId: unique(200),
    firstName: person,
    lastName: person,
    email: maybe(hostile(254)),
    phoneNumber: maybe(hostile(50)),
    mobileNumber: maybe(hostile(50)),
    customId: person,
    accountCreatedTime: maybe(hostile(40)),
    address: maybe(
      fc.record({
        streetAddressLine1: person,
        streetAddressLine2: person,
        zipCode: person,
        city: person,
        state: person,
        country: person,
        countryCode: person,
      }),
    ),
  }),
  orderId: person,
  description: maybe(hostile(10_000)),
  amount: fc.record({
    items: fc.array(
      fc.record({
        name: hostile(1_000, 1),
        amount: fc.constant(25.5),
        quantity: fc.constant(1),
        category: fc.constantFrom('DigitalGoods', 'PhysicalGoods'),
        sku: person,
        description: maybe(hostile(10_000)),
      }),
      { maxLength: 2 },
    ),
  }),
})

const withoutUndefined = (value: Answer): Answer => JSON.parse(JSON.stringify(value))
const charge = (customerOrder: object) => ({
  referenceId: newReference(),
  amount: 9.99,
  autoCapture: true,
  customerOrder,
})

describe('every accepted text can be paid', () => {
  it('a description of several lines and 10,000 characters, item names of 1,000', async () => {
    const name = 'X'.repeat(1_000)
    const customerOrder = {
      customer: { customerId: newReference() },
      description: LONG,
      amount: { items: [{ name, amount: 25.5, quantity: 1, category: 'DigitalGoods', description: LONG }] },
      items: [{ name }],
    }
    const paid = await tender.sandbox.paid({ customerOrder, registerAutoPayment: true })
    expect(paid).toMatchObject({ paymentState: 'Captured', customerOrder })
    const renewal = good(await tender.sandbox.call('POST', 'payments/auto-payment', charge(customerOrder)))
    expect(renewal).toMatchObject({ paymentState: 'Captured', customerOrder })
    for (const [field, text] of [
      ['description', `${LONG}x`],
      ['description', '\n'.repeat(10_001)],
    ] as const) {
      const { status, body } = await tender.sandbox.call(
        'POST',
        'payments/hosted-page',
        hostedPage({ customerOrder: { ...customerOrder, [field]: text } }),
      )
      expect([status, body.errors[0].field]).toEqual([400, `customerOrder.${field}`])
    }
  })

  it('any text in any field: paid on every method, echoed unchanged, charged again, refunded', async () => {
    const methods = ['CreditCard', 'ElectronicCheck', 'Paypal', 'Crypto']
    await fc.assert(
      fc.asyncProperty(
        unique(200),
        orders,
        fc.constantFrom(...methods),
        hostile(1_000),
        async (referenceId, order, method, reason) => {
          const created = await tender.sandbox.create({ referenceId, customerOrder: order })
          expect([created.referenceId, created.customerOrder]).toEqual([referenceId, withoutUndefined(order)])
          const saveMethod = method === 'CreditCard'
          good(await tender.sandbox.pay(created.paymentId, { method, saveMethod }))
          await settled(created.paymentId)
          if (!saveMethod) return
          const renewal = good(await tender.sandbox.call('POST', 'payments/auto-payment', charge(order)))
          expect(renewal).toMatchObject({ paymentState: 'Captured', customerOrder: withoutUndefined(order) })
          const query = new URLSearchParams({ amount: '1.00', description: reason })
          const refund = good(await tender.sandbox.act(created.paymentId, `refund?${query}`))
          expect(refund).toMatchObject({ paymentState: 'Captured', refundedAmount: 1 })
          const found = await tender.sandbox.call(
            'GET',
            `payments/referenceId:${encodeURIComponent(referenceId)}`,
          )
          expect([found.status, found.body.paymentId]).toEqual([200, created.paymentId])
        },
      ),
      { numRuns: 20, seed: 8 },
    )
  }, 300_000)

  it('any reason in a refund, a mark and a repeated customer', async () => {
    const query = new URLSearchParams({ description: LONG.slice(0, 4_000) })
    const refunded = await tender.sandbox.paid()
    expect(good(await tender.sandbox.act(refunded.paymentId, `refund?${query}`)).paymentState).toBe(
      'Refunded',
    )
    const disputed = await tender.sandbox.paid()
    const mark = await tender.sandbox.call('POST', `payments/${disputed.paymentId}/mark-as-dispute`, {
      reason: LONG,
    })
    expect(good(mark)).toMatchObject({ paymentState: 'Disputed', lastError: LONG })
    const marked = await tender.sandbox.paid()
    const gone = await tender.sandbox.call('POST', `payments/${marked.paymentId}/mark-as-refund`, {
      reason: LONG,
    })
    expect(good(gone).paymentState).toBe('Refunded')
  })
})

/** Advances the clock of the app until a bank debit or a transfer settles. */
async function settled(paymentId: number): Promise<void> {
  let payment = await tender.sandbox.read(paymentId)
  if (payment.paymentState === 'SaleInProgress') {
    await tender.sandbox.advance('1d')
    payment = await tender.sandbox.read(paymentId)
  }
  expect([payment.paymentState, payment.lastError]).toEqual(['Captured', null])
}
