import { describe, expect, it } from 'vitest'
import { occasionOf } from './rules.ts'

const TIME = new Date('2026-11-15T12:00:00Z')
const event = (paymentState: string, more: object = {}): string =>
  JSON.stringify({
    payment: {
      ...{ paymentState, paymentFlow: 'HostedPage', amount: 25.5, capturedAmount: 25.5, refundedAmount: 0 },
      ...{ currency: 'EUR', referenceId: 'A-1', failure: null, ...more },
    },
  })
const kindOf = (body: string, before: string, wasCaptured: boolean) =>
  occasionOf({ body, before, wasCaptured }, TIME)?.kind

describe('slow money', () => {
  const slow = {
    capturedAmount: 0,
    expectedTime: '2026-11-29T12:00:00.000Z',
    paymentMethodName: 'Multibanco',
  }
  const begun = (before: string) =>
    occasionOf({ body: event('SaleInProgress', slow), before, wasCaptured: false }, TIME)

  it('is notified once, when it begins, with its expected end', () => {
    expect(begun(event('Created', { capturedAmount: 0 }))).toMatchObject({
      ...{ kind: 'payment-pending', until: '2026-11-29T12:00:00.000Z' },
      facts: { amountMinor: '2550', method: null, methodId: 'multibanco' },
    })
    expect(begun(event('SaleInProgress', slow))).toBeUndefined()
  })

  it('that the bank returned is not a refund by the merchant', () => {
    const returned = event('Refunded', {
      ...{ refundedAmount: 25.5, lastError: 'bank_return' },
    })
    const story = { body: returned, before: event('Captured'), wasCaptured: true }
    expect(occasionOf(story, TIME)).toMatchObject({ kind: 'refund', isReturn: true })
    const refunded = { ...story, body: event('Refunded', { refundedAmount: 25.5, lastError: null }) }
    expect(occasionOf(refunded, TIME)).toMatchObject({ kind: 'refund', isReturn: false })
  })

  it('in a wallet names the wallet and its card', () => {
    const card = { cardBrand: 'Visa', cardLast4: '4242' }
    const paid = event('Captured', { paymentMethodName: 'Apple Pay', payInfo: { card } })
    const found = occasionOf({ body: paid, before: event('Created'), wasCaptured: false }, TIME)
    expect(found?.facts).toMatchObject({ methodId: 'apple-pay', method: 'Visa •••• 4242' })
  })
})

describe('a receipt', () => {
  it('follows the first capture only', () => {
    expect(kindOf(event('Captured'), event('Capturing', { capturedAmount: 0 }), false)).toBe('receipt')
    expect(kindOf(event('Captured'), event('Capturing', { capturedAmount: 0 }), true)).toBeUndefined()
    expect(kindOf(event('Captured'), event('Disputed'), false)).toBeUndefined()
  })

  it('does not follow a capture that the provider repeats after the first event was removed', () => {
    const failed = event('Capturing', { capturedAmount: 0, canCancel: true })
    expect(kindOf(event('Captured'), failed, false)).toBeUndefined()
    const first = event('Capturing', { capturedAmount: 0, canCancel: false })
    expect(kindOf(event('Captured'), first, false)).toBe('receipt')
  })

  it('does not stand in for the refund after a recapture', () => {
    expect(kindOf(event('Captured', { refundedAmount: 5 }), event('Refunding'), true)).toBe('refund')
  })
})
