import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { createFakeProvider } from '../../test/support/provider.ts'
import { appWithTwoAccounts, SECOND_ID } from '../../test/support/two-accounts.ts'
import { sql } from '../db/database.ts'
import type { App } from '../merchants/app.ts'
import type { StoredMethod, StoredRead } from '../providers/outcome.ts'
import { createCustomer } from './commands.ts'
import { findKnownTokens, foundVerified, importMethod, verifyToken } from './import-method.ts'
import { liveMethods } from './method-store.ts'
import { storeMethod } from './register-method.ts'
import { removeMethod } from './remove-method.ts'

const OLD = { brand: 'Visa', last4: '4242', expiryMonth: 6, expiryYear: 2031 }
const NEW = { ...OLD, expiryYear: 2035 }

/** Each token of a customer is the same card, as with a card that was saved twice at the provider. */
const cardOf = (customerId: string, token: string, card = OLD): StoredMethod => ({
  ...{ token, label: 'Visa •••• 4242', method: 'CreditCard', fingerprint: customerId, card },
})
const provider = createFakeProvider({ id: 'sandbox', sandboxOnly: true })
const reading = {
  ...provider.adapter,
  readStored: async (_: unknown, token: string): Promise<StoredRead> => ({
    kind: 'stored',
    stored: cardOf(token.split('-')[0] ?? '', token),
  }),
}

let ctx: TestContext
let app: App
beforeAll(async () => {
  ctx = await testContext({ providers: new Map([['sandbox', reading]]) })
  app = await appWithTwoAccounts(ctx)
})
afterAll(() => ctx?.close())

const THEN = new Date('2025-01-02T03:04:05Z')
const LATER = new Date('2025-06-02T03:04:05Z')
const profileId = () => app.profiles[0]?.profileId ?? 0
const wanted = (customerId: string, token: string, more: object = {}) => ({
  ...{ customerId, profileId: profileId(), token, consent: { time: THEN, text: 'of the file' } },
  ...more,
})

let count = 0
async function customer(): Promise<string> {
  const customerId = `c${++count}`
  const none = { email: null, firstName: null, lastName: null, mobileNumber: null, fraudPolicyId: null }
  await createCustomer(ctx, app, { customerId, ...none })
  return customerId
}

const rowOf = async (customerId: string) =>
  await ctx.db.query<Record<string, unknown>>(
    sql(
      'test.rows',
      `select m.consent_text, m.consent_time, m.card, m.card_changed_time, m.imported_time,
         encode(t.token_hash, 'hex') as hash
       from payment_methods m join payment_method_tokens t using (app_id, payment_method_id)
       where m.app_id = $1 and m.customer_id = $2 order by t.token_id`,
    ),
    [app.appId, customerId],
  )

const replaced = () =>
  ctx.db.query(sql<{ tokenId: number }>('test.replaced', 'select token_id from method_removals'), [])

it('another token of a stored card changes nothing, in any order, and no token is forgotten', async () => {
  const customerId = await customer()
  const first = await importMethod(ctx, app, wanted(customerId, `${customerId}-a`))
  expect(first.isNew).toBe(true)
  const before = await rowOf(customerId)
  for (const name of ['b', 'a', 'b']) {
    const again = await importMethod(ctx, app, wanted(customerId, `${customerId}-${name}`))
    expect(again).toEqual({ ...first, isNew: false })
  }
  expect(await rowOf(customerId)).toEqual(before)
  expect(await replaced()).toEqual([])
})

it('a method that was stored here keeps its token, its renewed card and its consent', async () => {
  const customerId = await customer()
  const consent = { text: 'of our page', time: LATER, ip: null }
  await storeMethod(ctx, app, {
    ...{ customerId, profileId: profileId(), now: ctx.clock.now(), consent },
    stored: cardOf(customerId, `${customerId}-own`, NEW),
  })
  const before = await rowOf(customerId)
  expect((await importMethod(ctx, app, wanted(customerId, `${customerId}-a`))).isNew).toBe(false)
  expect(await rowOf(customerId)).toEqual(before)
  // At another account the card gets a registration, and nothing else changes.
  const elsewhere = wanted(customerId, `${customerId}-b`, { profileId: SECOND_ID })
  expect((await importMethod(ctx, app, elsewhere)).isNew).toBe(true)
  const after = await rowOf(customerId)
  expect(after).toHaveLength(2)
  for (const row of after) expect(row).toEqual({ ...before[0], hash: row.hash })
  expect((await liveMethods(ctx.db, app.appId, customerId)).map(({ tokens }) => tokens.length)).toEqual([2])
  expect(await replaced()).toEqual([])
})

it('a dry run finds what the import would find', async () => {
  const customerId = await customer()
  const find = async (token: string) => {
    const one = wanted(customerId, token)
    const verified = await verifyToken(ctx, app, one, (await findKnownTokens(ctx, app, [one]))(one))
    return 'stored' in verified ? foundVerified(ctx, app, { token: one, verified }) : 'stored already'
  }
  expect(await find(`${customerId}-a`)).toBeUndefined()
  const { method } = await importMethod(ctx, app, wanted(customerId, `${customerId}-a`))
  expect(await find(`${customerId}-a`)).toBe('stored already')
  expect(await find(`${customerId}-b`)).toBe('known')
  await removeMethod(ctx, app, customerId, method.paymentMethodId)
  expect(await find(`${customerId}-a`)).toBe('removed')
  expect(await find(`${customerId}-b`)).toBeUndefined()
})
