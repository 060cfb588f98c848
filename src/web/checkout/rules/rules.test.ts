import { describe, expect, it } from 'vitest'
import { NOW, newPayment } from '../../../../test/support/payment.ts'
import type { Payment } from '../../../payments/payment.ts'
import { chooseLanguage } from '../../kit/i18n/languages.ts'
import { declineText, nothingTaken, worthRepeating } from './declines.ts'
import { orderOf } from './order.ts'
import { returnUrlOf } from './return-url.ts'
import { stepOf, stepUrl } from './step.ts'

const en = chooseLanguage({}).texts
const payment = (more: Partial<Payment> = {}) => newPayment({ amountMinor: 12_840n, ...more })

describe('the checkout step of a payment', () => {
  it.each([
    [{}, 'form'],
    [{ redirectUrl: 'https://pay.example' }, 'form'],
    [{ expirationTime: NOW }, 'result'],
    [{ attempt: 10 }, 'result'],
    [{ attempt: 10, redirectUrl: 'https://pay.example' }, 'form'],
    [{ flow: 'ProviderHostedPage', redirectUrl: 'https://pay.example' }, 'provider'],
    [{ flow: 'AutoPayment' }, 'result'],
    [{ state: 'Authorizing' }, 'status'],
    [{ state: 'Authorizing', redirectUrl: 'https://bank.example' }, 'challenge'],
    [{ state: 'SaleInProgress' }, 'status'],
    [{ state: 'Approved' }, 'status'],
    [{ state: 'Capturing' }, 'status'],
    [{ state: 'Captured' }, 'result'],
    [{ state: 'Failed' }, 'result'],
    [{ state: 'CapturedHold' }, 'result'],
    [{ state: 'Refunding' }, 'result'],
    [{ state: 'Disputed' }, 'result'],
  ] as const)('%j is on %s', (more, step) => expect(stepOf(payment(more), NOW)).toBe(step))

  it('is the status page while an attempt is pending', () => {
    expect(stepOf(payment({ attempt: 1 }), NOW, true)).toBe('status')
  })

  it('has its own URL', () => {
    expect(stepUrl('/c/k', 'form', 2)).toBe('/c/k')
    expect(stepUrl('/c/k', 'challenge', 2)).toBe('/c/k/challenge/2')
    expect(stepUrl('/c/k', 'result', 2)).toBe('/c/k/result')
  })
})

describe('order sums', () => {
  const item = (amount: number, quantity = 1) => ({ name: 'Mug', amount, quantity })
  const order = (amount: object) => orderOf(payment({ details: { customerOrder: { amount } } }))

  it('accept unit prices', () => {
    const { lines, sums } = order({ items: [item(60, 2)], shipping: 8.4 })
    expect(lines.map(({ totalMinor }) => totalMinor)).toEqual([12_000n])
    expect(sums).toEqual([
      { name: 'subtotal', minor: 12_000n },
      { name: 'shipping', minor: 840n },
    ])
  })

  it('accept line totals', () => {
    const { lines } = order({ items: [item(128.4, 2)] })
    expect(lines.map(({ totalMinor }) => totalMinor)).toEqual([12_840n])
  })

  it('subtract a discount', () => {
    const { sums } = order({ items: [item(138.4)], discount: 10 })
    expect(sums.at(-1)).toEqual({ name: 'discount', minor: -1_000n })
  })

  it('are hidden when the lines contradict the amount', () => {
    const { lines, sums } = order({ items: [item(1)], shipping: 5 })
    expect(lines).toEqual([{ name: 'Mug', description: undefined, quantity: 1, totalMinor: undefined }])
    expect(sums).toEqual([])
  })

  it('are shown without lines', () => {
    expect(order({ totalTax: 20 }).sums).toEqual([
      { name: 'subtotal', minor: 10_840n },
      { name: 'tax', minor: 2_000n },
    ])
  })
})

describe('the return URL', () => {
  const added = 'paymentId=10001&referenceId=INV%207%2F8'
  it.each([
    ['https://shop.example/back', `https://shop.example/back?${added}`],
    ['https://shop.example/back?', `https://shop.example/back?${added}`],
    ['https://shop.example/back?a=1', `https://shop.example/back?a=1&${added}`],
    ['https://shop.example/back?a=1&', `https://shop.example/back?a=1&${added}`],
    ['https://shop.example/?a=%2f+b&a=c#x', `https://shop.example/?a=%2f+b&a=c&${added}#x`],
    ['https://shop.example/ü?q=é', `https://shop.example/%C3%BC?q=%C3%A9&${added}`],
  ])('%s', (returnUrl, expected) => expect(returnUrlOf(payment({ returnUrl }))).toBe(expected))

  it('is undefined for a payment without one', () => {
    expect(returnUrlOf(payment({ returnUrl: null }))).toBeUndefined()
  })
})

describe('decline texts', () => {
  it('do not reveal lost, stolen or suspected cards', () => {
    const texts = ['lost-card', 'stolen-card', 'suspected-fraud', 'blocked', 'generic', 'unheard-of'].map(
      (why) => declineText(en, why, 'Acme'),
    )
    expect(new Set(texts)).toEqual(new Set([en.declines.refused]))
  })

  it('do not claim that nothing was taken when something was', () => {
    expect(nothingTaken('underpaid')).toBe(false)
    expect(declineText(en, 'underpaid', 'Acme')).toContain('Contact Acme')
    expect(nothingTaken('insufficient-funds')).toBe(true)
  })

  it('a method that will fail again is not preselected', () => {
    expect(worthRepeating('expired-card')).toBe(false)
    expect(worthRepeating('incorrect-cvc')).toBe(true)
  })
})
