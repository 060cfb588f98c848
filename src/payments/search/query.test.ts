import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { App } from '../../merchants/app.ts'
import { readFilter } from './conditions.ts'
import { parseQuery, QUERY_LENGTH } from './query.ts'
import { amountSaid } from './terms.ts'

const profiles = [
  { profileId: 1, name: 'Cards EU', provider: 'stripe' },
  { profileId: 2, name: 'Wallets', provider: 'paypal' },
]
const app = { appId: 'app_000000000000', profiles, monthStartsOn: 1 } as unknown as App
const now = new Date('2026-11-18T00:30:00Z')
const read = (q: string, timeZone?: string) => readFilter(app, { q }, { now, timeZone })

describe('the query grammar', () => {
  it('reads every term of the example', () => {
    const { conditions, notUnderstood } = read(
      'state:failed provider:stripe amount:>100 currency:eur last4:4242 ref:INV-* customer:dana ' +
        'created:>2026-11-01 -state:refunded',
    )
    expect(notUnderstood).toEqual([])
    expect(conditions).toEqual({
      is: { state: ['Failed'], profile: ['1'], currency: ['EUR'], last4: ['4242'], customer: ['dana'] },
      not: { state: ['Refunded'] },
      references: [{ text: 'INV-', isPrefix: true }],
      min: 1_000_001n,
      from: new Date('2026-11-02T00:00:00Z'),
    })
  })

  it('reads ranges, comparisons and their opposites', () => {
    expect(read('amount:10..20.5').conditions).toMatchObject({ min: 100_000n, max: 205_000n })
    expect(read('amount:10').conditions).toMatchObject({ min: 100_000n, max: 100_000n })
    expect(read('-amount:>10').conditions).toMatchObject({ max: 100_000n })
    expect(read('amount:<10 amount:>=5').conditions).toMatchObject({ min: 50_000n, max: 99_999n })
    expect(read('created:2026-11').conditions).toMatchObject({
      from: new Date('2026-11-01T00:00:00Z'),
      to: new Date('2026-12-01T00:00:00Z'),
    })
    expect(read('created:2026-03-29', 'Europe/Berlin').conditions).toMatchObject({
      from: new Date('2026-03-28T23:00:00Z'),
      to: new Date('2026-03-29T22:00:00Z'),
    })
    expect(read('created:<=2026-11-01T12:00:00Z').conditions.to).toEqual(new Date('2026-11-01T12:00:00.001Z'))
  })

  it('adds up the values of a field and keeps quoted spaces', () => {
    expect(read('state:failed,captured state:created').conditions.is.state).toEqual([
      'Failed',
      'Captured',
      'Created',
    ])
    expect(read('order:"order 7, part"').conditions.is.order).toEqual(['order 7, part'])
    expect(read('profile:"cards eu"').conditions.is.profile).toEqual(['1'])
    expect(read('state:held').conditions.is.state).toEqual(['ProviderAuthorizedHold', 'CapturedHold'])
    expect(read('state:Declined,part-refunded').conditions.is.state).toEqual(['declined', 'part-refunded'])
    expect(read('state:accepted').conditions.is.state).toEqual(['approved', 'paid'])
    expect(read('state:approved').conditions.is.state).toEqual(['Approved'])
  })

  it('takes other words as text', () => {
    expect(read('dana  lee').conditions.text).toBe('dana lee')
    expect(read('https://shop.example/1 state:failed').conditions.text).toBe('https://shop.example/1')
    expect(read('"state:failed"').conditions).toEqual({ is: {}, not: {}, text: 'state:failed' })
  })

  it('reads words that people say, unless they are quoted', () => {
    expect(read('declined today').conditions).toEqual({
      is: { state: ['declined'] },
      not: {},
      from: new Date('2026-11-18T00:00:00Z'),
      to: new Date('2026-11-19T00:00:00Z'),
    })
    expect(read('Yesterday', 'America/New_York').conditions).toMatchObject({
      from: new Date('2026-11-16T05:00:00Z'),
      to: new Date('2026-11-17T05:00:00Z'),
    })
    expect(read('"today"').conditions).toEqual({ is: {}, not: {}, text: 'today' })
    for (const [word, from, to] of [
      ['this-week', '2026-11-16', '2026-11-23'],
      ['last-week', '2026-11-09', '2026-11-16'],
      ['this-month', '2026-11-01', '2026-12-01'],
      ['last-month', '2026-10-01', '2026-11-01'],
    ])
      expect(read(`created:${word}`).conditions).toMatchObject({
        from: new Date(`${from}T00:00:00Z`),
        to: new Date(`${to}T00:00:00Z`),
      })
    const shifted = { ...app, monthStartsOn: 18 }
    for (const [word, from, to] of [
      ['this-month', '2026-11-18', '2026-12-18'],
      ['last-month', '2026-10-18', '2026-11-18'],
    ])
      expect(readFilter(shifted, { period: word }, { now }).conditions).toMatchObject({
        from: new Date(`${from}T00:00:00Z`),
        to: new Date(`${to}T00:00:00Z`),
      })
    expect(read('email:example.com').conditions.customerSearches).toEqual(['example.com'])
  })

  it('reads amounts as people write them', () => {
    const said = (text: string) => amountSaid(text)
    for (const text of ['99.89', '99,89', '€99.89', '99,89 €', '99.89 EUR', 'usd 99.89'])
      expect(said(text)).toBe(998_900n)
    for (const text of ['1234.5', '1,234.50', '1.234,50', "1'234.50", '1 234,5'])
      expect(said(text)).toBe(12_345_000n)
    expect(said('1.234')).toBe(12_340_000n)
    expect(said('880017')).toBe(8_800_170_000n)
    for (const text of ['', 'dana', '1..2', '1,23,4', 'INV-99.89', '12 34', '--', '9'.repeat(40)])
      expect(said(text)).toBeUndefined()
  })

  it('tells what it did not understand', () => {
    for (const word of [
      ...['state:faild', 'nonsense:1', 'amount:>x', 'created:2026-02-30', 'last4:12', '-amount:5', 'state:'],
      ...[
        'currency:euro',
        '-created:2026-01..2026-02',
        'amount:..',
        'method:cash',
        'country:Germany',
        'policy:x',
      ],
    ])
      expect(read(word)).toMatchObject({ conditions: { is: {}, not: {} }, notUnderstood: [word] })
    expect(read('x'.repeat(QUERY_LENGTH + 5)).notUnderstood).toHaveLength(1)
  })

  it('finds nothing, instead of everything, for a provider that the app never had', () => {
    expect(read('provider:btcpay').conditions.is.profile).toEqual([])
  })

  it('requires what the query and what the other members say', () => {
    const filter = { q: 'state:failed,captured amount:>5', state: 'Failed,Created', min: '10', max: '20' }
    expect(readFilter(app, filter, { now }).conditions).toMatchObject({
      is: { state: ['Failed', 'Captured'], stateToo: ['Failed', 'Created'] },
      min: 100_000n,
      max: 200_000n,
    })
  })

  it('tells of a list with more values than count', () => {
    const profiles = (count: number) => Array.from({ length: count }, (_, n) => n + 1).join(',')
    expect(readFilter(app, { profile: profiles(16) }, { now }).notUnderstood).toEqual([])
    const profile = profiles(17)
    expect(readFilter(app, { profile }, { now }).notUnderstood).toEqual([`profile=${profile}`])
  })

  it('ignores members that a query of the API has beside these', () => {
    const filter = { paymentState: 'Authorized', constructor: 'x', pageSize: '10', state: 'Failed' }
    expect(readFilter(app, filter, { now })).toEqual({
      conditions: { is: { stateToo: ['Failed'] }, not: {} },
      notUnderstood: [],
    })
  })
})

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'state:',
    'amount:',
    'created:',
    '-',
    '"',
    ',',
    '..',
    '>',
    '<=',
    ':',
    '*',
    ' ',
    'ref:',
    '{}',
  ),
  fc.constantFrom('failed', '2026-11-01', '100', 'NaN', '9'.repeat(40), '-1', '__proto__', 'constructor:x'),
)

describe('any text at all', () => {
  it('is read without an error, within bounds, and no word is lost', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const query = pieces.join('')
        const { terms, text, notUnderstood } = parseQuery(query)
        expect(terms.length).toBeLessThanOrEqual(20)
        expect(text.length).toBeLessThanOrEqual(QUERY_LENGTH)
        for (const { values } of terms) expect(values.length).toBeLessThanOrEqual(16)
        const { conditions } = read(query)
        for (const values of Object.values(conditions.is)) expect(values.length).toBeLessThanOrEqual(320)
        if (/\p{L}/u.test(query)) expect(terms.length + text.length + notUnderstood.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('means the same wherever its terms stand', () => {
    const words = [
      'state:failed',
      '-currency:EUR',
      'amount:>10',
      'created:<2026-11-01',
      'ref:A*',
      'last4:4242',
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(words), (some) => {
        expect(read(some.join(' ')).conditions).toEqual(read([...some].sort().join('  ')).conditions)
      }),
    )
  })
})
