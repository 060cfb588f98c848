import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/base/clock.ts'
import { createDice } from '../../simulate/dice.ts'
import {
  type Answer,
  good,
  newReference,
  startTestService,
  type TestApp,
  type TestService,
  testApp,
} from '../../support/tender.ts'

let tender: TestService
let other: TestService
let app: TestApp
/** The same app through another node. */
let there: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_retry', { rateLimit: 100_000 })
  other = await startTestService('e2e_retry_other', {
    databaseUrl: tender.databaseUrl,
    rateLimit: 100_000,
  })
  app = tender.sandbox
  there = testApp(other.url, app, other.service)
})
afterAll(async () => {
  await other?.stop()
  await tender?.stop()
})

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })

async function storedCard(outcome: string, customerId = newReference()): Promise<string> {
  const { paymentId } = await app.create({ ...order(customerId), registerAutoPayment: true })
  good(await app.pay(paymentId, { outcome }))
  return customerId
}

const charge = async (customerId: string, amount = 9.99, through = app): Promise<Answer> =>
  good(
    await through.call('POST', 'payments/auto-payment', {
      ...{ referenceId: newReference(), amount, autoCapture: true },
      ...order(customerId),
    }),
  )

interface BankCharge {
  readonly customerId: string
  readonly brand: string
  readonly amountMinor: bigint
  readonly retry: string | null
  readonly time: Date
}

/** What the bank has declined of stored cards, oldest first. Nothing of the service's own is read. */
const declinedByBank = (): Promise<BankCharge[]> =>
  tender.service.ctx.db.query<BankCharge>({
    name: 'test.bank_declines',
    text: `select p.document -> 'customer' ->> 'id' as customer_id,
        p.document -> 'instrument' ->> 'brand' as brand, p.amount_minor,
        p.document -> 'decline' ->> 'retry' as retry, l.entry_time as time
      from sandbox_bank.payments p join sandbox_bank.ledger l using (account, payment_id)
      where l.kind in ('sale', 'authorise') and l.status = 'declined' and p.document ->> 'stored' is not null
      order by l.entry_time`,
  })

const declinesOf = async (customerId: string) =>
  (await declinedByBank()).filter((one) => one.customerId === customerId)

describe('a failed charge', () => {
  it.each([
    ['stored-charge-later', 'later', 'insufficient-funds'],
    ['stored-charge-never', 'never', 'lost-card'],
    ['challenge-always', 'after-customer-acts', 'authentication-required'],
    ['stored-charge-declined', 'unspecified', 'generic'],
  ])('of the test card %s says whether to try again: %s', async (outcome, retry, declineCode) => {
    const { failure, paymentId } = await charge(await storedCard(outcome))
    expect(failure).toMatchObject({ code: 'declined', declineCode, retry })
    expect(failure.retryAfter === null).toBe(retry !== 'later')
    const [attempt] = good(await app.call('GET', `payments/${paymentId}/attempts`))
    expect([attempt.retry, attempt.retryAfter]).toEqual([retry, failure.retryAfter])
  })

  it('from before advice was stored is judged by its reason', async () => {
    const { paymentId } = await charge(await storedCard('stored-charge-never'))
    const { db } = tender.service.ctx
    const old = `update payments set failure = (failure::jsonb - 'retry')::json where payment_id = $1`
    await db.query({ name: 'test.old_failure', text: old }, [paymentId])
    const stripped = `update operations set outcome = (outcome::jsonb - 'retry')::json where payment_id = $1`
    await db.query({ name: 'test.old_outcome', text: stripped }, [paymentId])
    expect((await app.read(paymentId)).failure).toMatchObject({ retry: 'never', retryAfter: null })
    const [attempt] = good(await app.call('GET', `payments/${paymentId}/attempts`))
    expect(attempt.retry).toBe('never')
  })
})

describe('the guard', () => {
  it('refuses every charge after a final decline, and calls no provider', async () => {
    const customerId = await storedCard('stored-charge-never')
    await charge(customerId)
    const refused = await charge(customerId, 5)
    expect(refused).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'retry_forbidden', retry: 'never', retryAfter: null },
    })
    expect(await app.states(refused.paymentId)).toEqual(['Created', 'Failed'])
    expect(await app.attempts(refused.paymentId)).toBe(0)
    expect(await declinesOf(customerId)).toHaveLength(1)
  })

  it('frees only the card with which the customer pays again', async () => {
    const customerId = await storedCard('stored-charge-never')
    const [method] = good(await app.call('GET', `customers/${customerId}/payment-methods`))
    await charge(customerId)
    await storedCard('approved', customerId)
    const methods = good(await app.call('GET', `customers/${customerId}/payment-methods`))
    expect(methods).toHaveLength(2)
    const by = (paymentMethodId: number) =>
      app.call('POST', 'payments/auto-payment', {
        ...{ referenceId: newReference(), amount: 9.99, autoCapture: true, paymentMethodId },
        ...order(customerId),
      })
    const fresh = methods.find((one: Answer) => one.paymentMethodId !== method.paymentMethodId)
    expect((await by(fresh.paymentMethodId)).body.paymentState).toBe('Captured')
    expect((await by(method.paymentMethodId)).body.failure.code).toBe('retry_forbidden')
    // The same card, entered again by the customer and approved.
    await storedCard('stored-charge-never', customerId)
    expect((await by(method.paymentMethodId)).body.failure.code).toBe('declined')
  })

  it('stops at the limit of Visa also when two nodes charge at once, and says when it ends', async () => {
    const customerId = await storedCard('stored-charge-later')
    const charges = Array.from({ length: 24 }, (_, n) => charge(customerId, 9.99, n % 2 ? app : there))
    const codes = (await Promise.all(charges)).map(({ failure }) => failure.code)
    expect(codes.filter((code) => code === 'declined')).toHaveLength(15)
    expect(await declinesOf(customerId)).toHaveLength(15)
    const { failure } = await charge(customerId)
    expect(failure).toMatchObject({ code: 'retry_forbidden', retry: 'later' })
    const waitMs = new Date(failure.retryAfter).getTime() - Date.now()
    expect(waitMs).toBeGreaterThan(29 * DAY)
    expect((await charge(customerId, 10)).failure.code).toBe('declined')
  })

  it('can be turned off, and a repeated request counts once', async () => {
    const customerId = await storedCard('stored-charge-never')
    await charge(customerId)
    const off = good(await app.call('PATCH', '', { retryGuard: false }))
    expect(off.retryGuard).toBe(false)
    expect((await charge(customerId)).failure.code).toBe('declined')
    expect(good(await app.call('PATCH', '', { retryGuard: { value: null } })).retryGuard).toBe(true)
    const again = { referenceId: newReference(), amount: 3, autoCapture: true }
    const later = await storedCard('stored-charge-later')
    for (let n = 0; n < 20; n++)
      good(await app.call('POST', 'payments/auto-payment', { ...again, ...order(later) }))
    expect(await declinesOf(later)).toHaveLength(1)
    expect((await charge(later, 3)).failure.code).toBe('declined')
  })
})

const CARDS = [
  'stored-charge-later',
  'stored-charge-never',
  'stored-charge-later-mastercard',
  'stored-charge-never-mastercard',
  'stored-charge-declined',
]

/** The most declines in any window that ends with one. */
function most(charges: readonly BankCharge[], days: number): number {
  const inWindow = (end: BankCharge) =>
    charges.filter(({ time }) => time <= end.time && time.getTime() > end.time.getTime() - days * DAY)
  return Math.max(0, ...charges.map((end) => inWindow(end).length))
}

describe('by the ledger of the bank', () => {
  const count = Number(process.env.RETRY_DECLINES ?? 230)

  it(`none of ${count} declines comes after a never or beyond a limit`, { timeout: 1_800_000 }, async () => {
    const dice = createDice(Number(process.env.RETRY_SEED ?? 7))
    const customers = await Promise.all(
      Array.from({ length: Math.max(5, Math.ceil(count / 75)) }, (_, n) =>
        storedCard(CARDS[n % CARDS.length] ?? 'approved'),
      ),
    )
    let [refused, done] = [0, 0]
    while (done - refused < count) {
      const customerId = dice.pick(customers)
      const isFinal = CARDS[customers.indexOf(customerId) % CARDS.length]?.includes('never')
      // The bank's answer is not known yet to charges that run beside it.
      const burst = isFinal ? 1 : 1 + dice.below(12)
      const charges = Array.from({ length: burst }, () =>
        charge(customerId, dice.pick([5, 7.5]), dice.pick([app, there])),
      )
      const codes = (await Promise.all(charges)).map(({ failure }) => failure.code)
      refused += codes.filter((code) => code === 'retry_forbidden').length
      done += burst
      if (dice.chance(0.1)) await app.advance(`${1 + dice.below(60)}h`)
    }
    const all = (await declinedByBank()).filter((one) => customers.includes(one.customerId))
    expect(refused).toBeGreaterThan(0)
    expect(refused + all.length).toBe(done)
    for (const customerId of customers) {
      const own = all.filter((one) => one.customerId === customerId)
      const final = own.findIndex(({ retry }) => retry === 'never')
      expect(final === -1 ? 0 : own.length - final - 1).toBe(0)
      const isMastercard = own[0]?.brand === 'Mastercard'
      if (isMastercard) expect(most(own, 1)).toBeLessThanOrEqual(10)
      for (const amount of new Set(own.map(({ amountMinor }) => amountMinor)))
        expect(
          most(
            own.filter(({ amountMinor }) => amountMinor === amount),
            30,
          ),
        ).toBeLessThanOrEqual(isMastercard ? 35 : 15)
    }
  })
})
