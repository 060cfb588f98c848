import { describe, expect, it } from 'vitest'
import { after, DAY } from '../../base/clock.ts'
import { type CardTry, forbidden, type WantedCharge } from './rules.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const WANTED: WantedCharge = {
  ...{ kind: 'CreditCard', brand: 'Visa', currency: 'EUR', amountMinor: 500n, now: NOW, changedTime: null },
}
const never = (reason: string, more: Partial<CardTry> = {}): CardTry => ({
  ...{ currency: 'EUR', amountMinor: 500n, time: after(NOW, -DAY), status: 'declined' },
  ...{ reason, retry: 'never', ...more },
})
const codeOf = (tries: readonly CardTry[], more: Partial<WantedCharge> = {}) =>
  forbidden(tries, { ...WANTED, ...more })?.problem.code

describe('after a never', () => {
  it('about the card, no charge of it is allowed', () => {
    expect(codeOf([never('lost-card')], { amountMinor: 1n, currency: 'USD' })).toBe('retry-never')
  })

  it('about the amount, other amounts are; about the currency, other currencies are', () => {
    expect(codeOf([never('limit-exceeded')])).toBe('retry-never')
    expect(codeOf([never('limit-exceeded')], { amountMinor: 499n })).toBeUndefined()
    expect(codeOf([never('currency-not-supported')], { amountMinor: 499n })).toBe('retry-never')
    expect(codeOf([never('currency-not-supported')], { currency: 'USD' })).toBeUndefined()
  })

  it('about a duplicate, the next charge of the same amount is', () => {
    expect(codeOf([never('duplicate')])).toBeUndefined()
  })

  it.each(['limit-exceeded', 'currency-not-supported', 'duplicate'])(
    'of the card network, none is, although the reason is %s',
    (reason) => {
      const tries = [never(reason, { byNetwork: true })]
      expect(codeOf(tries, { amountMinor: 1n, currency: 'USD' })).toBe('retry-never')
    },
  )

  it('it is allowed after the card has paid, and after its details were renewed', () => {
    const tries = [never('lost-card', { byNetwork: true })]
    expect(codeOf([never('', { status: 'done', time: NOW }), ...tries])).toBeUndefined()
    expect(codeOf(tries, { changedTime: NOW })).toBeUndefined()
  })
})
