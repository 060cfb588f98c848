import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Merchant, merchant, type SandboxWorld, sandboxWorld, till } from '../../test/support/sandbox.ts'
import { DAY } from '../base/clock.ts'
import { passChallenge } from './helpers/browser.ts'
import { HOLDER_NAMES, TEST_CARDS } from './values/values.ts'

let world: SandboxWorld
let shop: Merchant
let counter: ReturnType<typeof till>
beforeAll(async () => {
  world = await sandboxWorld()
  shop = merchant(world)
  counter = till(world, shop)
})
afterAll(() => world.close())

/** A separate merchant for one test, whose clock can be advanced. */
function ownTill() {
  const own = merchant(world)
  return { own, counter: till(world, own) }
}

describe('a card', () => {
  it.each(TEST_CARDS.filter((card) => !card.behaviour.refuse && !card.behaviour.challenge))(
    '$number ($brand, $type): approved, with brand, type and last four digits',
    async ({ number, brand, type }) => {
      const { outcome } = await counter.payWith({ number, holder: 'Ada Lovelace' })
      expect(outcome).toMatchObject({
        kind: 'approved',
        facts: {
          card: { brand, type, last4: number.slice(-4), expiryMonth: 12, expiryYear: 2029 },
          payer: { fullName: 'Ada Lovelace', email: 'ada@example.com' },
        },
      })
    },
  )

  it.each([
    ['4000000000000002', 'generic', 'unspecified'],
    ['4000000000009995', 'insufficient-funds', 'later'],
    ['4000000000009987', 'lost-card', 'never'],
    ['4000000000009979', 'stolen-card', 'never'],
    ['4000000000000069', 'expired-card', 'never'],
    ['4000000000000127', 'incorrect-cvc', 'unspecified'],
    ['4000000000000119', 'processing-error', 'later'],
    ['4000000000006975', 'limit-exceeded', 'later'],
    ['4242424242424241', 'incorrect-number', 'unspecified'],
    ['4100000000000019', 'blocked', 'unspecified'],
    ['4111111111111112', 'incorrect-number', 'unspecified'],
  ])('%s: declined with %s', async (number, reason, retry) => {
    expect((await counter.payWith({ number })).outcome).toMatchObject({ kind: 'declined', reason, retry })
  })

  it('that is valid but not a test card is refused with a message, and not stored', async () => {
    const { outcome, reference } = await counter.payWith({ number: '4539 1488 0343 6467' })
    expect(outcome).toMatchObject({ kind: 'declined', reason: 'card-not-supported' })
    expect(outcome.kind === 'declined' && outcome.raw.message).toMatch(/not a sandbox test card/)
    expect((await counter.see(reference)).facts.card).toBeUndefined()
  })

  it('is valid until the end of its expiry month', async () => {
    expect((await counter.payWith({ expiryMonth: 1, expiryYear: 2026 })).outcome.kind).toBe('approved')
    expect((await counter.payWith({ expiryMonth: 12, expiryYear: 2025 })).outcome).toMatchObject({
      reason: 'expired-card',
    })
  })

  it.each(Object.entries(HOLDER_NAMES))(
    'of the holder %s has the outcome of the name',
    async (holder, reason) => {
      const { outcome } = await counter.payWith({ holder })
      expect(outcome).toMatchObject(reason ? { kind: 'declined', reason } : { kind: 'approved' })
    },
  )

  it.each([
    ['4000002500003155', 'authorised', undefined],
    ['4000002760003184', 'authorised', undefined],
    ['4000003800000446', 'authorised', undefined],
    ['4000008260003178', 'declined', 'insufficient-funds'],
    ['4000008400001629', 'declined', 'generic'],
    ['4000008400001280', 'declined', 'authentication-failed'],
  ])('%s asks for 3-D Secure, then is %s', async (number, stage, reason) => {
    const { outcome, reference } = await counter.payWith({ number })
    if (outcome.kind !== 'redirect') throw new Error(outcome.kind)
    expect(outcome.url).toMatch(/^http:\/\/tender\.test\/sandbox\/3ds\//)
    expect(await counter.see(reference)).toMatchObject({ stage: 'needs-customer', customerUrl: outcome.url })
    expect(await passChallenge(world.browser, outcome.url)).toMatchObject({
      status: stage,
      next: shop.backUrl,
    })
    const seen = await counter.see(reference)
    expect([seen.stage, seen.decline?.reason]).toEqual([stage, reason])
    expect(await passChallenge(world.browser, outcome.url)).toMatchObject({ kind: 'refused' })
  })

  it('whose challenge fails, is cancelled or is not answered in 15 minutes is declined', async () => {
    const { own, counter } = ownTill()
    const reasons: (string | undefined)[] = []
    for (const answer of ['fail', 'cancel', undefined] as const) {
      const { outcome, reference } = await counter.payWith({ number: '4000002500003155' })
      if (outcome.kind !== 'redirect') throw new Error(outcome.kind)
      if (answer) await passChallenge(world.browser, outcome.url, answer)
      else await own.control.advanceClock(15 * 60_000)
      reasons.push((await counter.see(reference)).decline?.reason)
    }
    expect(reasons).toEqual(['authentication-failed', 'customer-cancelled', 'expired'])
  })

  it('says what 3-D Secure came to: a card whose authentication failed shifts no liability', async () => {
    const resultOf = async (number: string) => {
      const { outcome, reference } = await counter.payWith({ number })
      if (outcome.kind === 'redirect') await passChallenge(world.browser, outcome.url)
      return (await counter.see(reference)).facts.threeDSecure
    }
    expect(await resultOf('4000008400001280')).toMatchObject({ result: 'failed', liabilityShift: false })
    expect(await resultOf('4000008400001629')).toMatchObject({ result: 'authenticated-by-challenge' })
  })

  it('reports risk and checks', async () => {
    const facts = async (number: string) =>
      (await counter.see((await counter.payWith({ number })).reference)).facts
    expect((await facts('4000000000009235')).risk).toEqual({ score: 65, level: 'elevated' })
    expect((await facts('4000000000004954')).risk).toEqual({ score: 85, level: 'high' })
    expect((await facts('4100000000000019')).risk).toEqual({ score: 99, level: 'high' })
    expect((await facts('4242424242424242')).risk?.level).toBe('low')
    expect((await facts('4000000000000036')).checks).toEqual({ postalCode: 'fail' })
    expect((await facts('4000000000000101')).checks).toEqual({ cvc: 'fail' })
  })

  it.each(['4000000000000259', '4000000000002685'])(
    '%s is disputed a minute after the capture',
    async (number) => {
      const { own, counter } = ownTill()
      const { reference } = await counter.payWith({ number })
      await counter.capture(reference)
      expect((await counter.see(reference)).disputes).toBeUndefined()
      await own.control.advanceClock(60_000)
      expect(await counter.see(reference)).toMatchObject({ stage: 'captured', disputes: [{ state: 'open' }] })
      await own.control.dispute(reference, { outcome: 'won' })
      expect((await counter.see(reference)).disputes?.[0]?.state).toBe('won')
    },
  )

  it.each([
    ['4000000000007726', 'pending', 'pending', 'done'],
    ['4000000000005126', 'approved', 'done', 'failed'],
  ])('%s: a refund is %s, then %s, then %s', async (number, kind, before, afterwards) => {
    const { own, counter } = ownTill()
    const { reference } = await counter.payWith({ number })
    await counter.capture(reference)
    expect((await counter.refund(reference)).kind).toBe(kind)
    expect((await counter.see(reference)).refunds[0]?.state).toBe(before)
    await own.control.advanceClock(10_000)
    expect((await counter.see(reference)).refunds[0]?.state).toBe(afterwards)
  })

  it('once stored is charged with the listed outcome', async () => {
    const outcomeOf = async (number: string) => (await counter.charge(await counter.stored(number))).outcome
    expect((await outcomeOf('4242424242424242')).kind).toBe('approved')
    expect(await outcomeOf('4000000000000341')).toMatchObject({ kind: 'declined', reason: 'generic' })
    expect((await outcomeOf('4000002500003155')).kind).toBe('approved')
    expect(await outcomeOf('4000002760003184')).toMatchObject({ reason: 'authentication-required' })
    expect((await outcomeOf('4000003800000446')).kind).toBe('approved')
  })

  it('once stored still expires', async () => {
    const { own, counter } = ownTill()
    const token = await counter.stored('4242424242424242')
    await own.control.advanceClock(5 * 365 * DAY)
    expect((await counter.charge(token)).outcome).toMatchObject({
      kind: 'declined',
      reason: 'expired-card',
    })
  })
})
