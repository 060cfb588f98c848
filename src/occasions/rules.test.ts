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
