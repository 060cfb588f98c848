import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestApi, testApi, testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { createFakeProvider } from '../../test/support/provider.ts'
import { MINUTE } from '../base/clock.ts'
import { sql } from '../db/database.ts'
import type { App } from '../merchants/app.ts'
import { loadApp } from '../merchants/directory.ts'
import { profileRoutes } from '../merchants/profiles/routes.ts'
import type { StoredMethod } from '../providers/outcome.ts'
import { chooseStoredMethod } from './choose-method.ts'
import { createCustomer } from './commands.ts'
import { storeMethod } from './register-method.ts'
import { customerRoutes } from './routes.ts'

const provider = createFakeProvider({ id: 'sandbox', sandboxOnly: true })
let ctx: TestContext
let service: TestApi
let shown: Awaited<ReturnType<typeof testLicense>>['sandbox']
let app: App
let customerId = ''
let count = 0

beforeAll(async () => {
  ctx = await testContext({ providers: new Map([['sandbox', provider.adapter]]) })
  service = await testApi(ctx, { routes: [...customerRoutes(ctx), ...profileRoutes(ctx)] })
})
afterAll(async () => {
  await service.close()
  await ctx.close()
})
beforeEach(async () => {
  shown = (await testLicense(ctx)).sandbox
  app = (await loadApp(ctx, shown.appId)) as App
  customerId = `customer ${count++}`
  await addCustomer(customerId)
  provider.forgotten.length = 0
  provider.failing = false
})

const addCustomer = (id: string) =>
  createCustomer(ctx, app, {
    customerId: id,
    firstName: null,
    lastName: null,
    email: null,
    mobileNumber: null,
    fraudPolicyId: null,
  })

const card = (token: string, fingerprint?: string): StoredMethod => ({
  token,
  label: 'Visa •••• 4242',
  method: 'CreditCard',
  ...(fingerprint ? { fingerprint } : {}),
  card: { brand: 'Visa', type: 'Credit', expiryMonth: 12, expiryYear: 2030, last4: '4242' },
})

const profile = (index: number): number => app.profiles[index]?.profileId ?? 0
const store = (
  stored: StoredMethod,
  more: { profileId?: number; customerId?: string; agreedTime?: Date } = {},
) => storeMethod(ctx, app, { customerId, profileId: profile(0), stored, now: ctx.clock.now(), ...more })
const request = (method: string, path: string, body?: unknown) =>
  service.ask(method, `/api/apps/${app.appId}${path}`, {
    key: shown.apiKey,
    ...(body === undefined ? {} : { body }),
  })
const methodsPath = () => `/customers/${encodeURIComponent(customerId)}/payment-methods`
const code = (status: number, name: string) => expect.objectContaining({ status, code: name })

it('a stored method is listed with its registration; the first becomes the default', async () => {
  const first = await store(card('tok_1', 'fp1'))
  const second = await store(
    { token: 'tok_2', label: 'Bank •••• 6789', method: 'ElectronicCheck' },
    { profileId: profile(1) },
  )
  const { status, json, text } = await request('GET', methodsPath())
  expect(status).toBe(200)
  expect(json).toEqual([
    expect.objectContaining({
      paymentMethodId: second.paymentMethodId,
      paymentMethodType: 'ElectronicCheck',
      isDefault: false,
    }),
    {
      paymentMethodId: first.paymentMethodId,
      paymentMethodType: 'CreditCard',
      paymentMethodNumber: 'Visa •••• 4242',
      isDefault: true,
      cardBrand: 'Visa',
      cardType: 'Credit',
      cardExpiryMonth: 12,
      cardExpiryYear: 2030,
      verificationState: 'Verified',
      createdTime: ctx.clock.now().toISOString(),
      providerProfiles: [
        {
          paymentMethodProviderProfileId: first.tokenId,
          profileId: profile(0),
          profileName: 'Sandbox cards',
          provider: 'sandbox',
        },
      ],
    },
  ])
  expect(text).not.toContain('tok_')
})

it('stored methods have sealed tokens', async () => {
  await store(card('tok_secret'))
  const rows = await ctx.db.query(sql('test.tokens', 'select t::text as row from payment_method_tokens t'))
  expect(JSON.stringify(rows)).not.toContain(Buffer.from('tok_secret').toString('hex'))
})

it('storing the same method twice stores it once, also concurrently', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => store(card('tok_1'))))
  expect(new Set(all.map(({ tokenId }) => tokenId)).size).toBe(1)
  expect((await request('GET', methodsPath())).json).toHaveLength(1)
})

it('a stored card has one token per profile; a new token replaces the old one', async () => {
  const first = await store(card('tok_1', 'fp'))
  const other = await store(card('tok_2', 'fp'), { profileId: profile(1) })
  const renewed = await store({ ...card('tok_3', 'fp'), label: 'Visa •••• 4242 new' })
  expect([other.paymentMethodId, renewed]).toEqual([first.paymentMethodId, first])
  expect((await chooseStoredMethod(ctx, app, customerId, { tokenId: first.tokenId })).token).toBe('tok_3')
  const { json } = await request('GET', methodsPath())
  expect(json).toMatchObject([{ paymentMethodNumber: 'Visa •••• 4242 new' }])
  expect(json[0].providerProfiles).toHaveLength(2)
})

it('storing a method does not share cards between customers', async () => {
  await addCustomer('another')
  const mine = await store(card('tok_1', 'fp'))
  const theirs = await store(card('tok_1', 'fp'), { customerId: 'another' })
  expect(theirs.paymentMethodId).not.toBe(mine.paymentMethodId)
})

it('a stopped registration is stored again only after a new consent', async () => {
  const agreedTime = ctx.clock.now()
  const first = await store(card('tok_1', 'fp'), { agreedTime })
  ctx.clock.advance(MINUTE)
  await request('DELETE', `${methodsPath()}/${first.paymentMethodId}`)
  expect(await store(card('tok_1', 'fp'), { agreedTime })).toEqual(first)
  expect((await request('GET', methodsPath())).json).toEqual([])
  ctx.clock.advance(MINUTE)
  const again = await store(card('tok_1', 'fp'), { agreedTime: ctx.clock.now() })
  expect(again.paymentMethodId).not.toBe(first.paymentMethodId)
  expect((await request('GET', methodsPath())).json).toMatchObject([{ isDefault: true }])
})

it('chooses the registration, else the method, else the default, else the newest', async () => {
  const first = await store(card('tok_1', 'fp1'))
  const second = await store(card('tok_2', 'fp2'))
  const elsewhere = await store(card('tok_2b', 'fp2'), { profileId: profile(1) })
  const choose = (choice: object) => chooseStoredMethod(ctx, app, customerId, choice)
  expect(await choose({ tokenId: second.tokenId, paymentMethodId: first.paymentMethodId })).toMatchObject({
    token: 'tok_2',
    paymentMethodId: second.paymentMethodId,
    kind: 'CreditCard',
    profileId: profile(0),
  })
  expect((await choose({ paymentMethodId: second.paymentMethodId })).tokenId).toBe(elsewhere.tokenId)
  expect((await choose({})).token).toBe('tok_1')
  await request('DELETE', `${methodsPath()}/${first.paymentMethodId}`)
  expect((await choose({})).token).toBe('tok_2b')
})

it("choosing a method answers 404 when it is unknown, removed or another customer's", async () => {
  await addCustomer('other')
  const theirs = await store(card('tok_9'), { customerId: 'other' })
  const mine = await store(card('tok_1'))
  await request('DELETE', `${methodsPath()}/${mine.paymentMethodId}`)
  for (const choice of [
    { tokenId: theirs.tokenId },
    { paymentMethodId: theirs.paymentMethodId },
    { tokenId: mine.tokenId },
    { paymentMethodId: mine.paymentMethodId },
    { tokenId: 0 },
    { paymentMethodId: Number.MAX_SAFE_INTEGER },
  ])
    await expect(chooseStoredMethod(ctx, app, customerId, choice)).rejects.toEqual(code(404, 'not_found'))
})

it('choosing a method answers 422 when none is usable, also while its profile is inactive', async () => {
  const none = code(422, 'no_stored_method')
  await expect(chooseStoredMethod(ctx, app, 'nobody', {})).rejects.toEqual(none)
  const first = await store(card('tok_1', 'fp'))
  expect((await request('PATCH', `/payment-profiles/${profile(0)}`, { isActive: false })).status).toBe(200)
  app = (await loadApp(ctx, app.appId)) as App
  for (const choice of [{}, { tokenId: first.tokenId }, { paymentMethodId: first.paymentMethodId }])
    await expect(chooseStoredMethod(ctx, app, customerId, choice)).rejects.toEqual(none)
  const elsewhere = await store(card('tok_2', 'fp'), { profileId: profile(1) })
  expect((await chooseStoredMethod(ctx, app, customerId, {})).tokenId).toBe(elsewhere.tokenId)
})

it('removing a method answers 200 with an empty body and deletes it at the provider', async () => {
  const { paymentMethodId } = await store(card('tok_1', 'fp'))
  await store(card('tok_2', 'fp'), { profileId: profile(1) })
  const reply = await request('DELETE', `${methodsPath()}/${paymentMethodId}`)
  expect([reply.status, reply.text]).toEqual([200, ''])
  await ctx.background.settled()
  expect(provider.forgotten.sort()).toEqual(['tok_1', 'tok_2'])
  expect((await request('GET', methodsPath())).json).toEqual([])
  expect((await request('DELETE', `${methodsPath()}/${paymentMethodId}`)).status).toBe(404)
})

it('removing a method succeeds even when the provider is unavailable', async () => {
  const { paymentMethodId } = await store(card('tok_1'))
  provider.failing = true
  expect((await request('DELETE', `${methodsPath()}/${paymentMethodId}`)).status).toBe(200)
  await ctx.background.settled()
  expect((await request('GET', methodsPath())).json).toEqual([])
})

it('stopping an auto payment ends one registration and answers with the customer', async () => {
  const first = await store(card('tok_1', 'fp'))
  await store(card('tok_2', 'fp'), { profileId: profile(1) })
  const path = `/customers/${encodeURIComponent(customerId)}/auto-payments/${first.tokenId}`
  const reply = await request('DELETE', path)
  expect([reply.status, reply.json.customerId]).toEqual([200, customerId])
  await ctx.background.settled()
  expect(provider.forgotten).toEqual(['tok_1'])
  expect((await request('GET', methodsPath())).json[0].providerProfiles).toHaveLength(1)
  expect((await request('DELETE', path)).status).toBe(404)
})

it("removing a method answers 404 to another customer's, unknown and impossible ids", async () => {
  await addCustomer('third')
  const theirs = await store(card('tok_9'), { customerId: 'third' })
  const customer = `/customers/${encodeURIComponent(customerId)}`
  for (const id of [theirs.paymentMethodId, 'x', '-1', '1.5', '99999999999999999999'])
    expect((await request('DELETE', `${customer}/payment-methods/${id}`)).json).toMatchObject({
      status: 404,
      detail: 'The stored payment method was not found.',
    })
  for (const id of [theirs.tokenId, 'x', '0'])
    expect((await request('DELETE', `${customer}/auto-payments/${id}`)).status).toBe(404)
  expect((await request('GET', '/customers/nobody/payment-methods')).status).toBe(404)
})

it('listing methods returns only verified ones on request', async () => {
  const { paymentMethodId } = await store(card('tok_1'))
  await ctx.db.query(
    sql(
      'test.unverify',
      "update payment_methods set verification_state = 'Unverified' where payment_method_id = $1",
    ),
    [paymentMethodId],
  )
  const listed = async (query: string) => (await request('GET', methodsPath() + query)).json.length
  expect(await listed('?onlyVerifiedPaymentMethods=true')).toBe(0)
  expect(await listed('?onlyVerifiedPaymentMethods=false')).toBe(1)
  expect(await listed('')).toBe(1)
  expect((await request('GET', `${methodsPath()}?onlyVerifiedPaymentMethods=1`)).status).toBe(400)
})
