import { describe, expect, it } from 'vitest'
import { CURRENCIES } from '../../base/currencies.ts'
import { money } from '../../base/money.ts'
import { amountLimits, fromWire, STRIPE_CURRENCIES, toWire } from './amounts.ts'
import { declineOf } from './declines.ts'
import { readReply } from './exchange.ts'
import { manifest } from './manifest.ts'

describe('amounts at Stripe', () => {
  const cases: readonly [bigint, string, string][] = [
    [1_050n, 'EUR', '1050'],
    [500n, 'JPY', '500'],
    [12_340n, 'KWD', '12340'],
    [5n, 'ISK', '500'],
    [700n, 'UGX', '70000'],
    [123_400n, 'MGA', '1234'],
    [17_500n, 'HUF', '17500'],
  ]
  for (const [minor, currency, wire] of cases)
    it(`writes ${minor} minor units of ${currency} as ${wire} and reads them back`, () => {
      expect(toWire(money(minor, currency))).toBe(wire)
      expect(fromWire(Number(wire), currency.toLowerCase())).toEqual(money(minor, currency))
    })

  it('cannot write what Stripe does not have', () => {
    expect(toWire(money(12_345n, 'KWD'))).toBeUndefined()
    expect(toWire(money(123_450n, 'MGA'))).toBeUndefined()
    expect(toWire(money(1n, 'IQD'))).toBeUndefined()
  })

  it('does not read what is not an amount', () => {
    for (const value of [undefined, null, '5', 1.5, Number.NaN, 2 ** 60])
      expect(fromWire(value, 'eur')).toBeUndefined()
    expect(fromWire(550, 'isk')).toBeUndefined()
    expect(fromWire(550, 'xyz')).toBeUndefined()
    expect(fromWire(550, undefined)).toBeUndefined()
  })

  it('knows only currencies that we know', () => {
    expect(STRIPE_CURRENCIES.filter((code) => !CURRENCIES.has(code))).toEqual([])
    expect(new Set(STRIPE_CURRENCIES).size).toBe(STRIPE_CURRENCIES.length)
  })

  it('has limits in our own minor units', () => {
    expect(amountLimits('USD', 'CreditCard')).toEqual({ smallest: 50n, largest: 99_999_999n })
    expect(amountLimits('ISK', 'CreditCard')).toEqual({ largest: 999_999n })
    expect(amountLimits('KWD', 'CreditCard')).toEqual({ largest: 99_999_999n, multipleOf: 10n })
    expect(amountLimits('MGA', 'CreditCard')).toEqual({ largest: 9_999_999_900n, multipleOf: 100n })
    expect(amountLimits('EUR', 'ElectronicCheck')).toEqual({ largest: 0n })
  })
})

describe('codes of declines', () => {
  it('prefers the code of the bank, and the advice of Stripe about a retry', () => {
    expect(declineOf({ declineCode: 'insufficient_funds', code: 'card_declined' })).toEqual({
      reason: 'insufficient-funds',
      retry: 'later',
      stripeCode: 'insufficient_funds',
      isUnlisted: false,
    })
    const advised = declineOf({ declineCode: 'generic_decline', adviceCode: 'do_not_try_again' })
    expect(advised).toMatchObject({ reason: 'generic', retry: 'never' })
    expect(declineOf({ code: 'expired_card' })).toMatchObject({ reason: 'expired-card', retry: 'never' })
  })

  it('counts a code that is not in the table', () => {
    expect(declineOf({ declineCode: 'new_code', code: 'expired_card' })).toEqual({
      reason: 'expired-card',
      retry: 'never',
      stripeCode: 'new_code',
      isUnlisted: true,
    })
    expect(declineOf({ declineCode: 'toString' })).toMatchObject({ reason: 'generic', isUnlisted: true })
    expect(declineOf({})).toEqual({ reason: 'generic', retry: 'unspecified', isUnlisted: false })
  })
})

describe('replies of Stripe', () => {
  const now = new Date(0)
  const reply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    readReply({ kind: 'reply', status, headers, body }, 'refund', now)
  const error = (more: object) => ({ error: { type: 'invalid_request_error', message: 'No.', ...more } })

  it('are unknown unless they say what happened', () => {
    for (const body of [undefined, '', 'html', [], {}, { object: 'charge' }, { error: null }])
      expect(reply(200, body)).toMatchObject({ kind: 'unknown', why: 'unreadable-reply' })
    for (const status of [301, 400, 402, 404]) expect(reply(status, '<html>').kind).toBe('unknown')
    for (const status of [409, 424, 500, 502]) expect(reply(status, error({})).kind).toBe('unknown')
    expect(reply(400, error({ type: 'idempotency_error' })).kind).toBe('unknown')
  })

  it('say when to try again', () => {
    const limited = reply(429, error({ code: 'rate_limit' }), { 'retry-after': '5' })
    expect(limited).toMatchObject({ why: 'rate-limited', retryAfter: new Date(5_000) })
    expect(reply(429, error({}), { 'retry-after': 'soon' })).not.toHaveProperty('retryAfter')
  })

  it('never carry a key', () => {
    const failed = reply(401, error({ message: 'Invalid API Key provided: sk_test_51Ab****cdEF' }))
    expect(JSON.stringify(failed)).not.toContain('51Ab')
  })

  const codes: readonly [string, string][] = [
    ['payment_intent_unexpected_state', 'wrong-state'],
    ['charge_already_refunded', 'wrong-state'],
    ['resource_missing', 'not-found'],
    ['api_key_expired', 'bad-credentials'],
    ['amount_too_small', 'bad-request'],
  ]
  for (const [code, why] of codes)
    it(`${code} is ${why}`, () =>
      expect(reply(400, error({ code }))).toMatchObject({ kind: 'not-done', why }))
})

describe('settings of a profile', () => {
  const problems = (settings: object, isSandbox = true) => {
    const result = manifest.settings.parse(settings, { isSandbox })
    return result.ok ? [] : result.problems.map(({ field }) => field)
  }
  const key = '51SimulatorSecretKey'

  it('takes secret and restricted keys of the app’s own mode', () => {
    for (const kind of ['sk', 'rk']) {
      expect(problems({ secretKey: `${kind}_test_${key}` })).toEqual([])
      expect(problems({ secretKey: `${kind}_live_${key}` }, false)).toEqual([])
      expect(problems({ secretKey: `${kind}_live_${key}` })).toEqual(['secretKey'])
      expect(problems({ secretKey: `${kind}_test_${key}` }, false)).toEqual(['secretKey'])
    }
  })

  it('refuses anything else', () => {
    for (const secretKey of [undefined, '', 5, 'pk_test_51SimulatorSecretKey', `sk_test_${key}\n`, 'whsec_1'])
      expect(problems({ secretKey })).toEqual(['secretKey'])
    for (const webhookSecret of ['secret', 5, 'whsec_short', 'whsec_0123456789abcdef nothing'])
      expect(problems({ secretKey: `sk_test_${key}`, webhookSecret })).toEqual(['webhookSecret'])
  })

  it('takes several signing secrets', () => {
    const settings = {
      secretKey: `sk_test_${key}`,
      webhookSecret: 'whsec_0123456789abcdef, whsec_0123456789abcdeg',
    }
    const parsed = manifest.settings.parse(settings, { isSandbox: true })
    expect(parsed).toMatchObject({
      config: { webhookSecrets: ['whsec_0123456789abcdef', 'whsec_0123456789abcdeg'] },
    })
  })
})
