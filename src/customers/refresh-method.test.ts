import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { createFakeProvider } from '../../test/support/provider.ts'
import { appWithTwoAccounts } from '../../test/support/two-accounts.ts'
import { sql } from '../db/database.ts'
import type { App } from '../merchants/app.ts'
import { freshenCards } from '../occasions/methods.ts'
import type { StoredRead } from '../providers/outcome.ts'
import { createCustomer } from './commands.ts'
import { liveMethods } from './method-store.ts'
import { readCardAgain, renewedAtProvider } from './refresh-method.ts'
import { storeMethod } from './register-method.ts'

const OLD = { brand: 'Visa', last4: '4242', expiryMonth: 6, expiryYear: 2031 }
const NEW = { ...OLD, last4: '5678', expiryYear: 2035 }

/** What the provider answers for each token, and the tokens that it was asked for. */
const answers = new Map<string, StoredRead>()
const asked: string[] = []
const stored = (token: string, card: object): StoredRead => ({
  kind: 'stored',
  stored: { token, label: 'Visa', method: 'CreditCard', card: { ...OLD, ...card } },
})
const { adapter } = createFakeProvider({ id: 'sandbox', sandboxOnly: true })
const reading = {
  ...adapter,
  readStored: async (_: unknown, token: string): Promise<StoredRead> => {
    asked.push(token)
    return answers.get(token) ?? { kind: 'unknown', why: 'server-error' }
  },
}

let ctx: TestContext
let app: App
beforeAll(async () => {
  ctx = await testContext({ providers: new Map([['sandbox', reading]]) })
  const made = await appWithTwoAccounts(ctx)
  app = { ...made, mails: { ...made.mails, payer: ['card-expiring'] } }
})
afterAll(() => ctx?.close())
beforeEach(() => {
  answers.clear()
  asked.length = 0
})

let count = 0

/** A customer whose card is registered at both accounts. */
async function customer() {
  const customerId = `c${++count}`
  const noDetails = { firstName: null, lastName: null, mobileNumber: null, fraudPolicyId: null }
  await createCustomer(ctx, app, { customerId, email: `${customerId}@example.com`, ...noDetails })
  const registered = []
  for (const { profileId } of app.profiles)
    registered.push(
      await storeMethod(ctx, app, {
        ...{ customerId, profileId, now: ctx.clock.now() },
        stored: {
          ...{ token: `${customerId}-${profileId}`, label: 'Visa •••• 4242', method: 'CreditCard' },
          ...{ fingerprint: customerId, card: OLD },
        },
      }),
    )
  const { paymentMethodId } = registered[0] ?? { paymentMethodId: 0 }
  expect(registered[1]?.paymentMethodId).toBe(paymentMethodId)
  const tokens = app.profiles.map(({ profileId }) => `${customerId}-${profileId}`)
  const method = async () => (await liveMethods(ctx.db, app.appId, customerId))[0]
  return { customerId, paymentMethodId, registered, tokens: tokens as [string, string], method }
}

it('a card is read at its registrations until one provider has renewed it', async () => {
  const { tokens, method, ...about } = await customer()
  for (const token of tokens) answers.set(token, stored(token, OLD))
  expect(await readCardAgain(ctx, app, about)).toBe(true)
  expect([...asked].sort()).toEqual([...tokens].sort())
  const [first, second] = asked.splice(0) as [string, string]
  answers.set(second, stored(second, NEW))
  expect(await readCardAgain(ctx, app, about)).toBe(true)
  expect(await method()).toMatchObject({ card: NEW, label: 'Visa •••• 5678' })
  // The account that has not renewed it still reports the old card.
  asked.length = 0
  expect(await readCardAgain(ctx, app, about)).toBe(true)
  expect(asked).toEqual([first, second])
  expect((await method())?.card).toEqual(NEW)
  answers.delete(first)
  expect(await readCardAgain(ctx, app, about)).toBe(false)
})

it('after a charge only the registration that was charged is read', async () => {
  const { tokens, registered, method, ...about } = await customer()
  for (const token of tokens) answers.set(token, stored(token, NEW))
  for (const [place, token] of tokens.entries()) {
    asked.length = 0
    await readCardAgain(ctx, app, { ...about, tokenId: registered[place]?.tokenId ?? 0 })
    expect(asked).toEqual([token])
  }
  expect((await method())?.card).toEqual(NEW)
})

it('a report without an answer is to be followed again', async () => {
  const { tokens } = await customer()
  const [profile] = app.profiles
  expect(await renewedAtProvider(ctx, app, profile?.profileId ?? 0, tokens[0])).toBe(false)
  answers.set(tokens[0], stored(tokens[0], NEW))
  expect(await renewedAtProvider(ctx, app, profile?.profileId ?? 0, tokens[0])).toBe(true)
})

/** In the last days of the card. */
const page = (id: number) => {
  const until = new Date(Date.UTC(2031, 5, 20))
  return { after: { time: until, id, part: 0 }, until, limit: 100 }
}

it('before a reminder a card is read once: not again when the e-mail is queued', async () => {
  const { tokens, paymentMethodId } = await customer()
  for (const token of tokens) answers.set(token, stored(token, OLD))
  await freshenCards(ctx, app, page(paymentMethodId - 1))
  expect([...asked].sort()).toEqual([...tokens].sort())
  await ctx.db.query(
    sql<never>(
      'test.mail',
      `insert into mails (app_id, mail_id, kind, queued_time, expires_time, due_time, content)
       values ($1, $2, 'card-expiring', now(), now(), now(), '')`,
    ),
    [app.appId, `card-expiring:${paymentMethodId}:2031-6`],
  )
  asked.length = 0
  await freshenCards(ctx, app, page(paymentMethodId - 1))
  expect(asked).toEqual([])
})

it('a provider that does not answer is not asked about every card', async () => {
  const first = await customer()
  for (let more = 0; more < 19; more++) await customer()
  await freshenCards(ctx, app, page(first.paymentMethodId - 1))
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.length).toBeLessThan(22)
})
