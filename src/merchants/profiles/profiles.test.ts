import { expect, it } from 'vitest'
import { apiWorld } from '../../../test/support/api.ts'
import type { TestContext } from '../../../test/support/context.ts'
import { auditEntries } from '../../audit/audit.ts'
import { sql } from '../../db/database.ts'
import { forgetApp, loadApp } from '../directory.ts'
import { merchantRoutes } from '../routes.ts'

const routes = (ctx: TestContext) => merchantRoutes(ctx)
const world = apiWorld(routes)

it('provider profiles of a new sandbox app cover every method; a live app has none', async () => {
  const { json } = await world.ask('GET', '/payment-profiles')
  expect(json.map((profile: { paymentMethodTypeString: string }) => profile.paymentMethodTypeString)).toEqual(
    ['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal'],
  )
  const [first] = json
  expect(first).toMatchObject({
    paymentProfileId: expect.any(Number),
    paymentProfileName: 'Sandbox cards',
    provider: 'sandbox',
    paymentProvider: { provider: 'sandbox', iconUri1: 'http://tender.test/assets/providers/sandbox.svg' },
    currency: 'USD',
    currencies: null,
    methods: ['CreditCard'],
    isActive: true,
    webhookUrl: expect.stringMatching(
      `/api/provider-webhook\\?profileId=${first.paymentProfileId}&webhookKey=[0-9a-z]{32}$`,
    ),
  })
  expect((await world.ask('GET', `/payment-profiles/${first.paymentProfileId}`)).json).toEqual(first)
  const none = await world.api.ask('GET', `/api/apps/${world.live.appId}/payment-profiles`, {
    key: world.live.apiKey,
  })
  expect(none.json).toEqual([])
  const foreign = await world.api.ask(
    'GET',
    `/api/apps/${world.live.appId}/payment-profiles/${first.paymentProfileId}`,
    {
      key: world.live.apiKey,
    },
  )
  expect([foreign.status, foreign.json.code]).toEqual([404, 'not_found'])
  for (const id of ['99999999', 'abc', '99999999999999999999'])
    expect((await world.ask('GET', `/payment-profiles/${id}`)).json.detail).toBe(foreign.json.detail)
})

const input = {
  provider: 'plain',
  name: 'Main',
  methods: ['CreditCard'],
  currency: 'EUR',
  currencies: ['EUR', 'USD'],
  settings: { account: 'acct_1', secretKey: 'very secret value' },
}

it('provider profiles keep their settings sealed and never show them', async () => {
  const made = await world.ask('POST', '/payment-profiles', input)
  expect(made.status).toBe(200)
  expect(made.json).toMatchObject({
    paymentProfileName: 'Main',
    currencies: ['EUR', 'USD'],
    isActive: true,
  })
  expect(made.json.settings).toEqual([
    { name: 'account', label: 'Account', secret: false, required: true, isSet: true },
    { name: 'secretKey', label: 'Secret key', secret: true, required: false, isSet: true },
  ])
  const rows = await world.ctx.db.query(
    sql('test.profiles', 'select payment_profiles::text as row from payment_profiles'),
  )
  expect(made.text + JSON.stringify(rows) + JSON.stringify(world.ctx.lines)).not.toContain('very secret')
})

it('provider profiles with invalid settings are refused, naming each setting', async () => {
  const reply = await world.ask('POST', '/payment-profiles', { ...input, settings: { secretKey: 'short' } })
  expect(reply.json).toMatchObject({
    status: 422,
    code: 'invalid_profile_settings',
    errors: [{ field: 'settings.account' }, { field: 'settings.secretKey' }],
  })
})

it('provider profiles are refused when the provider lacks a method or currency', async () => {
  const refusals: [object, number, string][] = [
    [{ currency: 'JPY', currencies: null }, 422, 'profile_not_usable'],
    [{ currency: 'EUR', currencies: ['USD'] }, 422, 'profile_not_usable'],
    [{ currency: 'XXX' }, 400, 'invalid_request'],
    [{ currencies: ['EUR', 'ABC'] }, 400, 'invalid_request'],
    [{ currencies: [] }, 400, 'invalid_request'],
    [{ methods: ['Cash'] }, 400, 'invalid_request'],
    [{ methods: [] }, 400, 'invalid_request'],
    [{ provider: 'nobody' }, 400, 'invalid_request'],
    [{ settings: 5 }, 400, 'invalid_request'],
  ]
  for (const [change, status, code] of refusals)
    expect((await world.ask('POST', '/payment-profiles', { ...input, ...change })).json).toMatchObject({
      status,
      code,
    })
})

it('provider profiles of a sandbox-only provider can never be used in a live app', async () => {
  const reply = await world.api.ask('POST', `/api/apps/${world.live.appId}/payment-profiles`, {
    key: world.live.apiKey,
    body: { ...input, provider: 'sandbox' },
  })
  expect(reply.json).toMatchObject({ status: 422, code: 'profile_not_usable' })
  const allowed = await world.api.ask('POST', `/api/apps/${world.live.appId}/payment-profiles`, {
    key: world.live.apiKey,
    body: input,
  })
  expect(allowed.status).toBe(200)
})

it('provider profiles change by plain or wrapped members; one secret can be replaced alone', async () => {
  const { json: made } = await world.ask('POST', '/payment-profiles', input)
  const path = `/payment-profiles/${made.paymentProfileId}`
  const changed = await world.ask('PATCH', path, {
    paymentProfileName: { value: 'Renamed' },
    isActive: false,
    currencies: { value: null },
    settings: { secretKey: 'another secret' },
  })
  expect(changed.status).toBe(200)
  expect(changed.json).toMatchObject({
    paymentProfileName: 'Renamed',
    isActive: false,
    currencies: null,
    currency: 'EUR',
  })
  const app = await loadApp(world.ctx, world.sandbox.appId)
  const profile = app?.profiles.find((one) => one.profileId === made.paymentProfileId)
  const settings = JSON.parse(world.ctx.vault.open(profile?.settings ?? new Uint8Array()))
  expect(settings).toEqual({ account: 'acct_1', secretKey: 'another secret' })
  expect((await world.ask('PATCH', path, { settings: { secretKey: 'x' } })).status).toBe(422)
  expect((await world.ask('PATCH', path, {})).json).toEqual(changed.json)
  expect((await world.ask('PATCH', '/payment-profiles/424242', {})).status).toBe(404)
})

it('provider profiles are grouped by checkout method', async () => {
  const { status, json } = await world.ask('GET', '/payment-profiles/payment-checkout-methods')
  expect(status).toBe(200)
  const groups = Object.fromEntries(
    json.map((group: { checkoutMethod: string; paymentCheckoutMethodItems: object[] }) => [
      group.checkoutMethod,
      group.paymentCheckoutMethodItems,
    ]),
  )
  expect(Object.keys(groups)).toEqual([
    'CreditCard',
    'ElectronicCheck',
    'VerifiedPaymentMethod',
    'ProviderHostedPage',
  ])
  expect(groups.CreditCard[0]).toMatchObject({
    paymentProfile: { paymentProfileName: 'Sandbox cards', isActive: true },
    isSupportSubscription: true,
    isSupportSinglePayment: true,
    iconUri1: expect.stringContaining('/assets/providers/'),
    iconUri2: expect.stringContaining('/assets/providers/'),
  })
  expect(groups.ProviderHostedPage[0].isSupportSubscription).toBe(false)
})

it('providers are listed without a key, with icons that exist', async () => {
  const { status, json } = await world.api.ask('GET', '/api/apps/providers')
  expect(status).toBe(200)
  expect(json.map((one: { provider: string }) => one.provider)).toEqual(['sandbox', 'plain'])
  for (const { iconUri1, iconUri2 } of json)
    for (const uri of [iconUri1, iconUri2]) {
      const icon = await world.api.ask('GET', new URL(uri).pathname)
      expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
      expect(icon.headers['cache-control']).toContain('max-age')
    }
  for (const file of ['none.svg', 'sandbox.png', '..%2Fsandbox.svg'])
    expect((await world.api.ask('GET', `/assets/providers/${file}`)).status).toBe(404)
})

it('fees of a profile are kept, changed one by one and previewed in its currency', async () => {
  const made = await world.ask('POST', '/payment-profiles', {
    ...input,
    providerInitialFee: 0.3,
    providerPercentageFee: 2.9,
  })
  const id = made.json.paymentProfileId
  expect((await world.ask('GET', `/payment-profiles/${id}/fee`)).json).toEqual({
    providerInitialFee: 0.3,
    providerPercentageFee: 2.9,
    appInitialFee: null,
    appPercentageFee: null,
  })
  const changed = await world.ask('PATCH', `/payment-profiles/${id}`, {
    appPercentageFee: 1,
    providerInitialFee: { value: 0.25 },
  })
  expect(changed.json).toMatchObject({
    providerInitialFee: 0.25,
    providerPercentageFee: 2.9,
    appPercentageFee: 1,
  })
  const preview = {
    paymentProfileId: id,
    processingFee: 2.2,
    appFee: 0.5,
    secretFee: 0,
    providerFee: 1.7,
  }
  const path = '/payment-profiles/calculate-fee?amount=50'
  expect((await world.ask('GET', `${path}&ids=${id}`)).json).toEqual([preview])
  expect((await world.ask('GET', path, [id])).json).toEqual([preview])
  expect((await world.ask('GET', path, [])).json).toEqual([])
  expect((await world.ask('GET', path)).json).toContainEqual(preview)
  for (const body of ['{', '{}', '[[]]', `["${'9'.repeat(10_000)}"]`])
    expect((await world.ask('GET', path, body)).json).toMatchObject({ status: 400 })
  expect((await world.ask('GET', `${path}&ids=99999999`)).status).toBe(404)
  expect((await world.ask('GET', '/payment-profiles/calculate-fee?amount=x')).status).toBe(400)
  for (const fee of [{ appInitialFee: -1 }, { appPercentageFee: 101 }, { appInitialFee: 0.001 }])
    expect((await world.ask('PATCH', `/payment-profiles/${id}`, fee)).json).toMatchObject({ status: 400 })
})

it('the settings of a profile are shown masked to their last four characters', async () => {
  const settings = { account: 'acct_1', secretKey: 'very secret value' }
  const { json } = await world.ask('POST', '/payment-profiles', { ...input, settings })
  const reply = await world.ask('GET', `/payment-profiles/${json.paymentProfileId}/bank-credential`)
  expect(JSON.parse(reply.json)).toEqual({ account: '****', secretKey: '****alue' })
  expect((await world.ask('GET', '/payment-profiles/99999999/bank-credential')).status).toBe(404)
})

it('a new profile is drawn from the metadata of its provider', async () => {
  const { json } = await world.ask('GET', '/payment-providers')
  const plain = json.find((one: { provider: string }) => one.provider === 'plain')
  expect(plain).toMatchObject({
    iconUri1: 'http://tender.test/assets/providers/plain.svg',
    methods: expect.arrayContaining(['CreditCard']),
    currencies: ['USD', 'EUR'],
    configuredCount: expect.any(Number),
    settings: [
      { name: 'account', label: 'Account', secret: false, required: true },
      { name: 'secretKey', label: 'Secret key', secret: true, required: false },
    ],
  })
  const live = await world.api.ask('GET', `/api/apps/${world.live.appId}/payment-providers`, {
    key: world.live.apiKey,
  })
  expect(live.json.map(({ provider }: { provider: string }) => provider)).toEqual(['plain'])
})

it('onlyRoutedProfile lists the profiles that the routing names', async () => {
  expect((await world.ask('GET', '/payment-profiles?onlyRoutedProfile=true')).json).toEqual([])
  const [first, second] = (await world.ask('GET', '/payment-profiles?onlyRoutedProfile=false')).json
  const routing = {
    defaults: [{ currency: 'USD', profileId: second.paymentProfileId }],
    routes: [{ profiles: [{ profileId: first.paymentProfileId, weight: null }] }],
  }
  const text = 'update apps set routing = $2 where app_id = $1'
  await world.ctx.db.query(sql('test.routing', text), [world.sandbox.appId, JSON.stringify(routing)])
  forgetApp(world.ctx, world.sandbox.appId)
  const routed = (await world.ask('GET', '/payment-profiles?onlyRoutedProfile=true')).json
  expect(routed).toEqual([first, second])
})

it('changes of profiles are in the audit log with the names of settings, never their values', async () => {
  const made = await world.ask('POST', '/payment-profiles', input)
  const target = `profile:${made.json.paymentProfileId}`
  const settings = { secretKey: 'another secret value' }
  await world.ask('PATCH', `/payment-profiles/${made.json.paymentProfileId}`, { isActive: false, settings })
  const { licenseId = '' } = (await loadApp(world.ctx, world.sandbox.appId)) ?? {}
  const entries = await auditEntries(world.ctx, licenseId, { limit: 10, target })
  expect(entries).toMatchObject([
    {
      action: 'profile.changed',
      before: { isActive: true },
      after: { isActive: false, settings: ['secretKey'] },
    },
    { action: 'profile.created', after: { name: 'Main', settings: ['account', 'secretKey'] } },
  ])
  expect(JSON.stringify(entries)).not.toMatch(/secret value|acct_1/)
})
