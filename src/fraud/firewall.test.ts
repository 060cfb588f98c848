import { describe, expect, it } from 'vitest'
import { contains, parseAddress, parseRange } from '../base/addresses.ts'
import { judgeFirewall } from './firewall.ts'
import { type Firewall, NO_FIREWALL } from './policy.ts'
import type { FraudCheck, FraudFacts } from './verdict.ts'

const FACTS: FraudFacts = { amountMinor: 1n, currency: 'EUR', profileId: 1, payerPresent: true, isCard: true }
const card = (country?: string) => ({ card: { identity: 'visa', ...(country ? { country } : {}) } })

const judge = (firewall: Partial<Firewall>, stage: FraudCheck['stage'], facts: Partial<FraudFacts> = {}) =>
  judgeFirewall({ ...NO_FIREWALL, ...firewall }, { ...FACTS, ...facts }, stage).map(
    ({ name, seen, result }) => [name, seen, result],
  )

describe('the firewall', () => {
  it('makes no checks without settings', () => {
    expect([...judge({}, 'Before'), ...judge({}, 'After')]).toEqual([])
  })

  it.each<[Partial<Firewall>, string | undefined, string]>([
    [{ blockedAddresses: ['203.0.113.0/24'] }, '203.0.113.9', 'Violated'],
    [{ blockedAddresses: ['203.0.113.0/24'] }, '203.0.114.9', 'Passed'],
    [{ blockedAddresses: ['2001:db8::/32'] }, '2001:db8:1::5', 'Violated'],
    [{ blockedAddresses: ['203.0.113.9'] }, '::ffff:203.0.113.9', 'Violated'],
    [{ allowedAddresses: ['198.51.100.7'] }, '198.51.100.7', 'Passed'],
    [{ allowedAddresses: ['198.51.100.7'] }, '198.51.100.8', 'Violated'],
    [{ allowedAddresses: ['10.0.0.0/8'], blockedAddresses: ['10.1.0.0/16'] }, '10.1.2.3', 'Violated'],
    [{ blockedAddresses: ['203.0.113.0/24'] }, undefined, 'NotKnown'],
    [{ blockedAddresses: ['203.0.113.0/24'], whenUnavailable: 'Reject' }, undefined, 'Violated'],
  ])('addresses: %o with %s: %s', (firewall, payerIp, result) => {
    expect(judge(firewall, 'Before', { payerIp })).toEqual([['Address', payerIp ?? null, result]])
    expect(judge(firewall, 'After', { payerIp })).toEqual([])
  })

  it('addresses are not checked when no payer is present', () => {
    const firewall = { blockedAddresses: ['0.0.0.0/0'], whenUnavailable: 'Reject' as const }
    expect(judge(firewall, 'Before', { payerPresent: false })).toEqual([['Address', null, 'NotApplicable']])
  })

  it.each<[Partial<Firewall>, Partial<FraudFacts>, string | null, string]>([
    [{ blockedCountries: ['KP'] }, { addressCountry: 'KP' }, 'KP', 'Violated'],
    [{ blockedCountries: ['KP'] }, { addressCountry: 'DE' }, 'DE', 'Passed'],
    [{ blockedCountries: ['KP'] }, { addressCountry: 'DE', ...card('KP') }, 'DE, KP', 'Violated'],
    [{ allowedCountries: ['DE', 'AT'] }, { addressCountry: 'AT', ...card('DE') }, 'AT, DE', 'Passed'],
    [{ allowedCountries: ['DE', 'AT'] }, { payerCountry: 'FR' }, 'FR', 'Violated'],
    [{ allowedCountries: ['DE'] }, {}, null, 'NotKnown'],
    [{ allowedCountries: ['DE'], whenUnavailable: 'Reject' }, {}, null, 'Violated'],
  ])('countries: %o with %o sees %s: %s', (firewall, facts, seen, result) => {
    expect(judge(firewall, 'After', facts)).toEqual([['Country', seen, result]])
  })

  it('countries: an unknown country does not refuse before a provider is called', () => {
    const firewall = { allowedCountries: ['DE'], whenUnavailable: 'Reject' as const }
    expect(judge(firewall, 'Before')).toEqual([])
    expect(judge(firewall, 'Before', { addressCountry: 'FR' })).toEqual([['Country', 'FR', 'Violated']])
  })

  it.each<[Partial<FraudFacts>, string]>([
    [{ addressCountry: 'DE', ...card('DE') }, 'Passed'],
    [{ addressCountry: 'DE', ...card('US') }, 'Violated'],
    [{ addressCountry: 'DE', ...card() }, 'NotKnown'],
    [card('US'), 'NotKnown'],
    [{ addressCountry: 'DE', isCard: false }, 'NotApplicable'],
  ])('card country against address country: %o: %s', (facts, result) => {
    expect(judge({ matchCardCountry: true }, 'After', facts).map((one) => one[2])).toEqual([result])
    const strict = judge({ matchCardCountry: true, whenUnavailable: 'Reject' }, 'After', facts)
    expect(strict.map((one) => one[2])).toEqual([result === 'NotKnown' ? 'Violated' : result])
  })

  it.each<[number | undefined, string]>([
    [70, 'Passed'],
    [71, 'Violated'],
    [undefined, 'NotKnown'],
  ])('a maximum provider risk score of 70 with %s: %s', (riskScore, result) => {
    expect(judge({ maxRiskScore: 70 }, 'After', { riskScore }).map((one) => one[2])).toEqual([result])
  })
})

describe('addresses and ranges', () => {
  it.each([
    ['1.2.3.4', true],
    ['1.2.3.0/24', true],
    ['::1', true],
    ['2001:db8::/32', true],
    ['::', true],
    ['1:2:3:4:5:6:7:8', true],
    ['1.2.3', false],
    ['1.2.3.256', false],
    ['01.2.3.4', false],
    ['1.2.3.4/33', false],
    ['1.2.3.4/-1', false],
    ['::1/129', false],
    ['1::2::3', false],
    ['1:2:3:4:5:6:7', false],
    ['1:2:3:4:5:6:7::8:9', false],
    ['12345::', false],
    ['', false],
    ['localhost', false],
  ])('%s is one: %s', (text, isOne) => {
    expect(parseRange(text) !== undefined).toBe(isOne)
  })

  it('a range includes its first and last address and neither neighbour', () => {
    const range = parseRange('10.20.30.64/26')
    const holds = (text: string) => {
      const address = parseAddress(text)
      return range && address && contains(range, address)
    }
    expect(['10.20.30.63', '10.20.30.64', '10.20.30.127', '10.20.30.128'].map(holds)).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(holds('::a14:1e40')).toBe(false)
  })
})
