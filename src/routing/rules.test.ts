import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Diagnosis, diagnosisText } from '../merchants/profiles/diagnosis.ts'
import type { RoutingConfig, RoutingRule } from '../merchants/routing-config.ts'
import { rankReasonText } from './reasons.ts'
import {
  diagnose,
  HEALTH,
  NO_ROUTING,
  pauseAfter,
  profileOrder,
  type RoutingFacts,
  rank,
  routeFor,
  type Sample,
  sharesOf,
} from './rules.ts'

const CANDIDATES = [1, 2, 3].map((profileId) => ({ profileId, method: 'CreditCard' }))
const ASKING: RoutingFacts = { currency: 'EUR', amountMinor: 5000n, seed: 'p1' }
const route = (more: Partial<RoutingRule>): RoutingRule => ({
  name: null,
  currency: null,
  method: null,
  minAmount: null,
  maxAmount: null,
  countries: null,
  brands: null,
  profiles: [{ profileId: 3, weight: null }],
  ...more,
})
const healthy = () => undefined
const ILL: Diagnosis = { code: 'failed', failed: 5, calls: 6 }

const order = (config: Partial<RoutingConfig>, asking: Partial<RoutingFacts> = {}, trouble = healthy) =>
  rank(CANDIDATES, { ...NO_ROUTING, ...config }, { ...ASKING, ...asking }, trouble).map(
    ({ candidate }) => candidate.profileId,
  )

describe('shares of weights', () => {
  const shares = (profiles: RoutingRule['profiles'], trouble: Parameters<typeof rank>[3] = healthy) => {
    const ranked = rank(CANDIDATES, { ...NO_ROUTING, routes: [route({ profiles })] }, ASKING, trouble)
    const found = sharesOf(ranked)
    return Object.fromEntries(ranked.map(({ candidate }, place) => [candidate.profileId, found[place]]))
  }
  const weighted = (...weights: readonly (number | null)[]) =>
    weights.map((weight, place) => ({ profileId: place + 1, weight }))

  it('tell the part that each takes first', () => {
    expect(shares(weighted(70, 30))).toEqual({ 1: 0.7, 2: 0.3, 3: undefined })
    expect(shares(weighted(1, 1, 2))).toEqual({ 1: 0.25, 2: 0.25, 3: 0.5 })
  })

  it('are of those that can take the payment now', () => {
    const gone = [...weighted(60, 20), { profileId: 9, weight: 20 }]
    expect(shares(gone)).toEqual({ 1: 0.75, 2: 0.25, 3: undefined })
    const ill = (profileId: number) => (profileId === 1 ? ILL : undefined)
    expect(shares(weighted(70, 20, 20), ill)).toEqual({ 1: undefined, 2: 0.5, 3: 0.5 })
  })

  it('are none where one takes all, or comes before them', () => {
    expect(shares(weighted(70))).toEqual({ 1: undefined, 2: undefined, 3: undefined })
    expect(shares(weighted(null, 70, 30))).toEqual({ 1: undefined, 2: undefined, 3: undefined })
  })
})

describe('the first profile', () => {
  it('the order of creation without configuration', () => {
    expect(order({})).toEqual([1, 2, 3])
  })

  it('the default of the currency', () => {
    const defaults = [
      { currency: 'EUR', profileId: 2 },
      { currency: 'USD', profileId: 3 },
    ]
    expect(order({ defaults })).toEqual([2, 1, 3])
    expect(order({ defaults }, { currency: 'USD' })).toEqual([3, 1, 2])
  })

  it('the profiles of the first matching route, in its order, before the default', () => {
    const profiles = [
      { profileId: 3, weight: null },
      { profileId: 1, weight: null },
    ]
    const config = { defaults: [{ currency: 'EUR', profileId: 2 }], routes: [route({ profiles })] }
    expect(order(config)).toEqual([3, 1, 2])
  })

  it.each<[Partial<RoutingRule>, Partial<RoutingFacts>, boolean]>([
    [{ currency: 'EUR' }, {}, true],
    [{ currency: 'USD' }, {}, false],
    [{ method: 'CreditCard' }, {}, true],
    [{ method: 'Paypal' }, {}, false],
    [{ minAmount: 50 }, {}, true],
    [{ minAmount: 50.01 }, {}, false],
    [{ maxAmount: 50 }, {}, true],
    [{ maxAmount: 49.99 }, {}, false],
    [{ minAmount: 1 }, { amountMinor: undefined }, false],
    [{ minAmount: 5000, maxAmount: 5000 }, { currency: 'JPY' }, true],
    [{ countries: ['DE'] }, { country: 'DE' }, true],
    [{ countries: ['DE'] }, { country: 'FR' }, false],
    [{ countries: ['DE'] }, {}, false],
    [{ brands: ['Visa'] }, { brand: 'visa' }, true],
    [{ brands: ['Visa'] }, { brand: 'JCB' }, false],
    [{ brands: ['Visa'] }, {}, false],
  ])('a route with %o for %o decides: %s', (conditions, asking, decides) => {
    expect(order({ routes: [route(conditions)] }, asking)[0]).toBe(decides ? 3 : 1)
  })

  it('a failing profile is last for any routes, with the reason', () => {
    const routes = [route({ name: 'All' })]
    const trouble = (profileId: number) => (profileId === 3 ? ILL : undefined)
    const ranked = rank(CANDIDATES, { defaults: [], routes }, ASKING, trouble)
    expect(
      ranked.map(({ candidate, reasons }) => [candidate.profileId, ...reasons.map(rankReasonText)]),
    ).toEqual([
      [1, 'no route names it'],
      [2, 'no route names it'],
      [3, 'place 1 of route 1 (All)', 'put last: 5 of the last 6 calls failed'],
    ])
  })

  it('weights distribute payments, and the same payment gets the same order', () => {
    const profiles = [
      { profileId: 1, weight: 70 },
      { profileId: 2, weight: 30 },
      { profileId: 3, weight: null },
    ]
    const first = Array.from({ length: 5000 }, (_, n) => profileOrder(route({ profiles }), `payment ${n}`)[0])
    const share = first.filter((profileId) => profileId === 1).length / first.length
    expect(share).toBeGreaterThan(0.67)
    expect(share).toBeLessThan(0.73)
    expect(profileOrder(route({ profiles }), 'x')).toEqual(profileOrder(route({ profiles }), 'x'))
    expect(profileOrder(route({ profiles }), 'x')[2]).toBe(3)
  })

  it('every candidate is ranked once, with any configuration', () => {
    const ids = fc.integer({ min: 1, max: 5 })
    const config = fc.record({
      defaults: fc.array(fc.record({ currency: fc.constantFrom('EUR', 'USD'), profileId: ids })),
      routes: fc.array(
        fc
          .array(fc.record({ profileId: ids, weight: fc.option(fc.integer({ min: 1, max: 9 })) }))
          .map((profiles) => route({ profiles })),
      ),
    })
    fc.assert(
      fc.property(config, fc.string(), fc.array(ids), (one, seed, ill) => {
        const trouble = (id: number) => (ill.includes(id) ? ILL : undefined)
        const ranked = rank(CANDIDATES, one, { ...ASKING, seed }, trouble).map(({ candidate }) => candidate)
        expect(new Set(ranked)).toEqual(new Set(CANDIDATES))
        const places = ranked.map(({ profileId }) => (ill.includes(profileId) ? 1 : 0))
        expect(places).toEqual([...places].sort())
      }),
    )
  })
})

describe('health', () => {
  const samples = (count: number, more: Partial<Sample> = {}): Sample[] =>
    Array.from({ length: count }, () => ({ atMs: 0, failed: false, tookMs: 100, ...more }))

  it.each<[string, Sample[], number, string | undefined]>([
    ['few failures prove nothing', samples(4, { failed: true }), 0, undefined],
    ['five failures are an outage', samples(5, { failed: true }), 0, '5 of the last 5 calls failed'],
    [
      'half failing is an outage',
      [...samples(5, { failed: true }), ...samples(5)],
      0,
      '5 of the last 10 calls failed',
    ],
    ['less than half is bad luck', [...samples(4, { failed: true }), ...samples(5)], 0, undefined],
    ['old failures say nothing', samples(9, { failed: true }), HEALTH.freshMs + 1, undefined],
    ['slow answers', samples(5, { tookMs: 9000 }), 0, 'half of the last 5 calls took over 9000 ms'],
    ['all well', samples(20), 0, undefined],
  ])('%s', (_name, list, nowMs, description) => {
    const found = diagnose(list, nowMs)
    expect(found && diagnosisText(found)).toBe(description)
  })

  it('the delay before a probe doubles up to ten minutes', () => {
    expect([1, 2, 3, 9].map(pauseAfter)).toEqual([30_000, 60_000, 120_000, 600_000])
  })
})

describe('profiles that cannot be asked for 3-D Secure', () => {
  const ranked = (lacking: readonly number[], config: Partial<RoutingConfig> = {}, trouble = healthy) =>
    rank(
      CANDIDATES.map((one) => ({ ...one, lacksThreeDSecure: lacking.includes(one.profileId) })),
      { ...NO_ROUTING, ...config },
      ASKING,
      trouble,
    )
  const idsOf = (list: ReturnType<typeof ranked>) => list.map(({ candidate }) => candidate.profileId)

  it('come behind the others, whatever the routes say, and say why', () => {
    expect(idsOf(ranked([1]))).toEqual([2, 3, 1])
    const found = ranked([3], { routes: [route({})] })
    expect(idsOf(found)).toEqual([1, 2, 3])
    expect(found.at(-1)?.reasons.map(rankReasonText)).toEqual([
      'place 1 of route 1',
      'put behind those that can be asked for 3-D Secure',
    ])
  })

  it('keep the places of other methods', () => {
    const check = { profileId: 8, method: 'ElectronicCheck' }
    const [first, second] = [1, 2].map((profileId) => ({ profileId, method: 'CreditCard' }))
    const asked = [{ ...first, lacksThreeDSecure: true }, check, { ...second, lacksThreeDSecure: false }]
    const found = rank(asked as never, NO_ROUTING, ASKING, healthy)
    expect(found.map(({ candidate }) => (candidate as typeof check).profileId)).toEqual([2, 8, 1])
  })

  it('come before one that is in trouble', () => {
    const ill = (profileId: number) => (profileId === 2 ? ILL : undefined)
    expect(idsOf(ranked([1], {}, ill as never))).toEqual([3, 1, 2])
  })
})

it('a route asks by its conditions, also at profiles that it does not name', () => {
  const routes = [
    route({ minAmount: 100, threeDSecure: 'RequireChallenge' }),
    route({ threeDSecure: 'RequestExemption' }),
  ]
  const candidate = { profileId: 9, method: 'CreditCard' }
  const asked = (amountMinor: bigint) =>
    routeFor(candidate, { defaults: [], routes }, { ...ASKING, amountMinor })
  expect(asked(10_000n)?.threeDSecure).toBe('RequireChallenge')
  expect(asked(9_999n)?.threeDSecure).toBe('RequestExemption')
})
