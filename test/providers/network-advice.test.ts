import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/base/clock.ts'
import { declineOf as adyenDecline } from '../../src/providers/adyen/declines.ts'
import { networkAdvice } from '../../src/providers/kit/advice.ts'
import { declinedBy } from '../../src/providers/stripe/exchange.ts'

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`kit/networks/${name}.json`, import.meta.url), 'utf8'))
const merchantAdvice = read<{ codes: Record<string, string> }>('merchant-advice')
const visa = read<Record<'1' | '2' | '3', string[]>>('visa-categories')

/** What a published description says about a retry. */
function published(text: string): object | undefined {
  const [, count, unit] = /^Retry after (\d+) (hour|day)s?$/.exec(text) ?? []
  if (count) return { retry: 'later', retryAfterMs: Number(count) * (unit === 'hour' ? HOUR : DAY) }
  if (/^Do not try again|^Stop recurring/.test(text)) return { retry: 'never', byNetwork: true }
  if (/try again later$/.test(text)) return { retry: 'later' }
  return /^New account information/.test(text) ? { retry: 'after-customer-acts' } : undefined
}

describe('the advice of card networks', () => {
  it.each(Object.entries(merchantAdvice.codes))('Mastercard %s is read as published: %s', (advice, text) => {
    expect(networkAdvice({ advice })).toEqual(published(text))
  })

  it('forbids another try of a Visa card after every code of category 1, and after no other', () => {
    const said = (codes: readonly string[]) =>
      codes.map((response) => networkAdvice({ response, brand: 'visa' })?.retry)
    expect(said(visa['1'])).toEqual(visa['1'].map(() => 'never'))
    expect(said([...visa['2'], ...visa['3']])).toEqual([...visa['2'], ...visa['3']].map(() => undefined))
  })

  it('reads codes that Adyen sends with a text and without leading zeros', () => {
    expect(networkAdvice({ response: '4 : Pick up card' })).toEqual({ retry: 'never', byNetwork: true })
    expect(networkAdvice({ advice: '25 : Retry after 24 hours' })).toEqual({
      retry: 'later',
      retryAfterMs: DAY,
    })
    expect(networkAdvice({ response: '5 : Do not honor', advice: '99 : none' })).toBeUndefined()
  })

  it('wins over the advice and the table of the provider', () => {
    const error = {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      advice_code: 'try_again_later',
    }
    expect(declinedBy(error)).toMatchObject({ reason: 'insufficient-funds', retry: 'later' })
    expect(declinedBy({ ...error, network_advice_code: '26' })).toMatchObject({ retryAfterMs: 2 * DAY })
    expect(declinedBy({ ...error, network_advice_code: '03' })).toMatchObject({ byNetwork: true })
    const visaCard = { card: { brand: 'visa' } }
    const restricted = { ...error, network_decline_code: '57' }
    expect(declinedBy({ ...restricted, payment_method: visaCard })).toMatchObject({ retry: 'never' })
    expect(declinedBy(restricted)).toMatchObject({ retry: 'later' })
    expect(declinedBy({ ...error, advice_code: 'do_not_try_again' }).byNetwork).toBeUndefined()
    expect(adyenDecline({ code: '2', text: 'Refused', advice: '03 : Do not try again' })).toMatchObject({
      reason: 'generic',
      retry: 'never',
      byNetwork: true,
    })
  })
})
