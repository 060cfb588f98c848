import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Merchant,
  merchant,
  purchase,
  type SandboxWorld,
  sandboxWorld,
  TYPED,
  till,
} from '../../../test/support/sandbox.ts'
import { DAY } from '../../base/clock.ts'
import { money } from '../../base/money.ts'
import { actOnPage, type PageAction, passChallenge } from '../helpers/browser.ts'
import { choiceFor, outcomesOf } from '../helpers/choices.ts'

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

describe('a bank account', () => {
  const pay = async (outcome: string, minor: bigint, { own, counter }: ReturnType<typeof ownTill>) =>
    counter.start({
      method: 'ElectronicCheck',
      amount: money(minor, 'USD'),
      instrument: await own.token('ElectronicCheck', outcome),
    })

  it.each([
    ['approved', 'captured', undefined, undefined],
    ['account-closed', 'declined', 'account-closed', 'R02'],
    ['no-account', 'declined', 'no-account', 'R03'],
    ['insufficient-funds', 'declined', 'insufficient-funds', 'R01'],
    ['debit-not-authorised', 'declined', 'debit-not-authorised', 'R10'],
    ['approved-to-100', 'captured', undefined, undefined],
  ])('%s: pending, then %s after 4 s', async (outcome, stage, reason, code) => {
    const { own, counter } = ownTill()
    const paid = await pay(outcome, 10_000n, { own, counter })
    expect(paid.outcome).toMatchObject({ kind: 'pending', waitsFor: 'provider' })
    await own.control.advanceClock(3_999)
    expect((await counter.see(paid.reference)).stage).toBe('processing')
    await own.control.advanceClock(1)
    const seen = await counter.see(paid.reference)
    expect([seen.stage, seen.decline?.reason, seen.decline?.raw.code]).toEqual([stage, reason, code])
    expect(await own.control.ledger(paid.reference)).toHaveLength(1)
  })

  it('of the sample routing number declines above 100.00', async () => {
    expect((await pay('approved-to-100', 10_001n, ownTill())).outcome.kind).toBe('declined')
  })

  it('with a late return is returned a minute after the capture', async () => {
    const { own, counter } = ownTill()
    const { reference } = await pay('returned-later', 1_000n, { own, counter })
    await own.control.advanceClock(4_000)
    expect(await counter.see(reference)).toMatchObject({ stage: 'captured' })
    await own.control.advanceClock(60_000)
    expect(await counter.see(reference)).toMatchObject({ isReturned: true })
  })

  it('that is slow stays pending for five days', async () => {
    const { own, counter } = ownTill()
    const { reference } = await pay('slow', 1_000n, { own, counter })
    await own.control.advanceClock(5 * DAY - 1)
    expect((await counter.see(reference)).stage).toBe('processing')
    await own.control.advanceClock(1)
    expect((await counter.see(reference)).stage).toBe('captured')
  })
})

describe('a page', () => {
  it.each([
    ['pay-exactly', 'captured', undefined],
    ['pay-90-percent', 'declined', 'underpaid'],
    ['pay-110-percent', 'captured', undefined],
    ['pay-after-expiry', 'declined', 'expired'],
    ['pay-unconfirmed', 'processing', undefined],
    ['pay-double-spend', 'declined', 'generic'],
    ['do-nothing', 'needs-customer', undefined],
  ] as const)('for crypto: %s ends %s', async (action, stage, reason) => {
    const { own, counter } = ownTill()
    const { reference, url } = await counter.open('Crypto')
    expect((await actOnPage(world.browser, url, { action })).kind).toBe('ok')
    await own.control.advanceClock(60_000)
    const seen = await counter.see(reference)
    expect([seen.stage, seen.decline?.reason]).toEqual([stage, reason])
  })

  it.each([
    ['buyer@example.com', 'approved', undefined],
    ['decline@example.com', 'declined', 'generic'],
    ['review@example.com', 'pending', undefined],
    ['echeck@example.com', 'pending', undefined],
  ])('for PayPal: %s approves and the second step is %s', async (email, kind, reason) => {
    const { own, counter } = ownTill()
    const { adapter } = world.sandbox
    const { reference, handles, url } = await counter.open('Paypal')
    expect(await actOnPage(world.browser, url, { action: 'approve', email })).toMatchObject({
      status: 'approved',
    })
    const resume = own.operation('resume', reference)
    const outcome = await adapter.resume(own.context(), resume, purchase({ method: 'Paypal' }), handles)
    expect(outcome).toMatchObject({
      kind,
      ...(reason ? { reason, raw: { code: 'INSTRUMENT_DECLINED' } } : {}),
    })
    expect((await counter.see(reference)).facts.payer?.email).toBe(email)
    if (email.startsWith('review')) expect(outcome).toMatchObject({ waitsFor: 'review' })
  })

  it('for PayPal: cancel@example.com cancels', async () => {
    const { reference, url } = await counter.open('Paypal')
    await actOnPage(world.browser, url, { action: 'approve', email: 'cancel@example.com' })
    expect(await counter.see(reference)).toMatchObject({
      stage: 'declined',
      decline: { reason: 'customer-cancelled' },
    })
  })

  it('for a card requires 3-D Secure if the card does', async () => {
    const { reference, url } = await counter.open('CreditCard')
    const card = { ...TYPED, number: '4000002500003155' }
    const shown = await actOnPage(world.browser, url, { action: 'card', card })
    if (shown.kind !== 'ok' || !shown.next) throw new Error('no challenge')
    await passChallenge(world.browser, shown.next)
    expect((await counter.see(reference)).stage).toBe('authorised')
  })

  it.each([
    [{ action: 'decline', reason: 'do-not-honour' }, 'do-not-honour'],
    [{ action: 'cancel' }, 'customer-cancelled'],
  ] as [PageAction, string][])('%j declines with %s', async (action, reason) => {
    const { reference, url } = await counter.open('Crypto')
    await actOnPage(world.browser, url, action)
    expect((await counter.see(reference)).decline?.reason).toBe(reason)
    expect(await actOnPage(world.browser, url, { action: 'approve' })).toMatchObject({ kind: 'refused' })
  })

  it('that is not paid closes after 30 minutes', async () => {
    const { own, counter } = ownTill()
    const { reference, url } = await counter.open('Paypal')
    await own.control.advanceClock(30 * 60_000)
    expect(await actOnPage(world.browser, url, { action: 'approve' })).toMatchObject({ kind: 'refused' })
    expect((await counter.see(reference)).decline?.reason).toBe('expired')
  })

  it('is not accessible with a forged session', async () => {
    const { url } = await counter.open('Crypto')
    const guess = `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`
    expect(await actOnPage(world.browser, guess, { action: 'approve' })).toMatchObject({ kind: 'refused' })
  })
})

describe('an amount', () => {
  it('has no effect if the profile has not enabled it', async () => {
    const { outcome } = await counter.charge(await counter.stored(), 200_100n)
    expect(outcome.kind).toBe('approved')
  })

  it.each([
    [199_999n, { kind: 'approved' }],
    [200_000n, { kind: 'declined', reason: 'generic' }],
    [200_100n, { kind: 'declined', reason: 'insufficient-funds' }],
    [200_400n, { kind: 'declined', reason: 'expired-card' }],
    [201_000n, { kind: 'declined', reason: 'incorrect-cvc' }],
    [201_200n, { kind: 'declined', reason: 'lost-card' }],
    [201_300n, { kind: 'declined', reason: 'stolen-card' }],
    [201_400n, { kind: 'declined', reason: 'suspected-fraud' }],
    [299_999n, { kind: 'declined', reason: 'generic' }],
    [300_000n, { kind: 'declined', reason: 'processing-error' }],
    [400_100n, { kind: 'pending' }],
    [500_100n, { kind: 'unknown', why: 'connection-lost' }],
    [500_200n, { kind: 'unknown', why: 'connection-lost' }],
    [500_400n, { kind: 'unknown', why: 'server-error' }],
    [500_500n, { kind: 'unknown', why: 'unreadable-reply' }],
    [804_200n, { kind: 'approved', facts: { risk: { score: 42, level: 'low' } } }],
    [810_000n, { kind: 'approved', facts: { risk: { score: 100, level: 'high' } } }],
  ])('of %d minor units ends as the list says', async (amount, expected) => {
    const { outcome } = await counter.charge(await counter.stored(), amount, true)
    expect(outcome).toMatchObject(expected)
  })

  it('selects later events of the payment', async () => {
    const { own, counter } = ownTill()
    const { adapter } = world.sandbox
    const token = await counter.stored()
    const paid = async (amount: bigint) => (await counter.charge(token, amount, true)).reference
    const failing = await paid(700_300n)
    expect((await counter.capture(failing, 700_300n)).kind).toBe('declined')
    const late = await paid(700_400n)
    expect(await adapter.cancel(own.context(), own.operation('cancel', late), {})).toMatchObject({
      why: 'wrong-state',
    })
    expect((await counter.see(late)).stage).toBe('captured')
    const slow = await paid(700_200n)
    expect((await counter.capture(slow, 700_200n)).kind).toBe('pending')
    const short = await paid(700_100n)
    await own.control.advanceClock(60_000)
    expect((await counter.see(slow)).stage).toBe('captured')
    expect((await counter.see(short)).stage).toBe('expired')
  })
})

it('every outcome of the test helper maps to a choice of the customer', () => {
  for (const method of ['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal'] as const) {
    expect(outcomesOf(method)[0]).toBe('approved')
    for (const word of outcomesOf(method)) expect(choiceFor(method, word, new Date(0)), word).toBeDefined()
  }
})
