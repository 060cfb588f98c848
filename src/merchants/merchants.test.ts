import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApi, testApi, testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { Secret } from '../base/secret.ts'
import { sql } from '../db/database.ts'
import { loadApp } from './directory.ts'
import { merchantRoutes } from './routes.ts'

let ctx: TestContext
let service: TestApi
let sandbox: Awaited<ReturnType<typeof testLicense>>['sandbox']
let live: Awaited<ReturnType<typeof testLicense>>['live']

const routes = (context: TestContext) =>
  merchantRoutes(context, { openSandboxAccount: (appId) => ({ account: appId }) })
const OPERATOR = { authorization: 'bearer operator token for tests' }

beforeAll(async () => {
  ctx = await testContext()
  service = await testApi(ctx, { routes: routes(ctx) })
  const license = await testLicense(ctx)
  sandbox = license.sandbox
  live = license.live
})
afterAll(async () => {
  await service.close()
  await ctx.close()
})

const ask = (method: string, path: string, body?: unknown, key = sandbox.apiKey) =>
  service.ask(method, `/api/apps/${sandbox.appId}${path}`, { key, ...(body === undefined ? {} : { body }) })

describe('licences', () => {
  it('are created by the operator with one sandbox and one live app', async () => {
    const reply = await service.ask('POST', '/api/licenses', {
      body: { licenseName: 'Tea' },
      headers: OPERATOR,
    })
    expect(reply.status).toBe(201)
    expect(reply.json).toEqual({
      licenseId: expect.stringMatching(/^lic_/),
      licenseName: 'Tea',
      authorizationCode: expect.any(String),
      apps: [
        {
          appId: expect.stringMatching(/^app_[0-9a-z]{12}$/),
          isSandbox: true,
          friendlyName: 'Tea (sandbox)',
          apiKey: expect.stringMatching(/^sk_sandbox_[0-9a-z]{44}$/),
          webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
        },
        expect.objectContaining({
          isSandbox: false,
          apiKey: expect.stringMatching(/^sk_live_[0-9a-z]{44}$/),
        }),
      ],
    })
    for (const app of reply.json.apps) {
      const read = await service.ask('GET', `/api/v1/apps/${app.appId}`, { key: app.apiKey })
      expect([read.status, read.json.isSandbox]).toEqual([200, app.isSandbox])
    }
  })

  it('are refused to anybody else, and to everybody without an operator token', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: sandbox.apiKey }])
      expect(
        (await service.ask('POST', '/api/licenses', { body: { licenseName: 'x' }, headers })).status,
      ).toBe(401)
    const { operatorToken: _, ...config } = ctx.config
    const closed = { ...ctx, config }
    const off = await testApi(closed, { routes: routes(closed) })
    const reply = await off.ask('POST', '/api/licenses', { body: { licenseName: 'x' }, headers: OPERATOR })
    expect([reply.status, reply.json.code]).toEqual([404, 'not_found'])
    await off.close()
  })

  it('need a name', async () => {
    for (const body of [{}, { licenseName: '' }, { licenseName: 'x'.repeat(201) }, { licenseName: 5 }]) {
      const reply = await service.ask('POST', '/api/licenses', { body, headers: OPERATOR })
      expect(reply.json).toMatchObject({ status: 400, errors: [{ field: 'licenseName' }] })
    }
  })

  it('give their owner a working key of each app, the same at every asking', async () => {
    const { license } = await testLicense(ctx)
    const path = `/api/licenses/${license.licenseId}`
    const first = await service.ask('GET', path, { key: license.authorizationCode })
    expect(first.json).toMatchObject([{ isSandbox: true }, { isSandbox: false }])
    for (const { appId, authorizationCode } of first.json)
      expect((await service.ask('GET', `/api/apps/${appId}`, { key: authorizationCode })).status).toBe(200)
    const again = await service.ask('GET', `/api/v1/licenses/${license.licenseId}`, {
      key: license.authorizationCode,
    })
    expect(again.json).toEqual(first.json)
    expect((await service.ask('GET', path, { key: 'wrong' })).status).toBe(401)
    expect((await service.ask('GET', '/api/licenses/%00', { key: license.authorizationCode })).status).toBe(
      401,
    )
  })

  it('replace a revoked key of the licence, and one whose installation secret was replaced', async () => {
    const { license } = await testLicense(ctx)
    const read = async (through: TestApi) =>
      (await through.ask('GET', `/api/licenses/${license.licenseId}`, { key: license.authorizationCode }))
        .json[0]
    const { appId, authorizationCode: key } = await read(service)
    const keys = await service.ask('GET', `/api/apps/${appId}/api-keys`, { key })
    const { keyId } = keys.json.find((one: { name: string }) => one.name === 'Licence')
    await service.ask('DELETE', `/api/apps/${appId}/api-keys/${keyId}`, { key })
    expect((await service.ask('GET', `/api/apps/${appId}`, { key })).status).toBe(401)
    const second = await read(service)
    expect((await service.ask('GET', `/api/apps/${appId}`, { key: second.authorizationCode })).status).toBe(
      200,
    )

    const rekeyed = await testContext({
      sharing: ctx,
      config: { secretKeys: [new Secret('another'.repeat(6))] },
    })
    const other = await testApi(rekeyed, { routes: routes(rekeyed) })
    const third = await read(other)
    expect((await other.ask('GET', `/api/apps/${appId}`, { key: third.authorizationCode })).status).toBe(200)
    expect((await other.ask('GET', `/api/apps/${appId}`, { key: second.authorizationCode })).status).toBe(200)
    await other.close()
    await rekeyed.close()
  })
})

describe('authentication', () => {
  const read = (authorization?: string, appId = sandbox.appId) =>
    service.ask(
      'GET',
      `/api/apps/${appId}`,
      authorization === undefined ? {} : { headers: { authorization } },
    )

  it('takes the scheme word in any case', async () => {
    for (const word of ['Bearer', 'bearer', 'BEARER'])
      expect((await read(`${word} ${sandbox.apiKey}`)).status).toBe(200)
  })

  it('answers 401 with WWW-Authenticate to no, malformed and unknown keys', async () => {
    const key = sandbox.apiKey
    const bad = [
      undefined,
      '',
      'Bearer',
      key,
      `Basic ${key}`,
      `Bearer ${key} x`,
      `Bearer ${key}x`,
      'Bearer sk_live_x',
      `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      `Bearer ${key.toUpperCase()}`,
    ]
    for (const authorization of bad) {
      const reply = await read(authorization)
      expect([authorization, reply.status, reply.headers['www-authenticate']]).toEqual([
        authorization,
        401,
        'Bearer',
      ])
      expect(reply.json).toMatchObject({ code: 'unauthorized', TypeName: 'Unauthorized' })
    }
  })

  it('answers 403 to the key of another app, the same whether the app exists or not', async () => {
    const strip = ({ requestId: _, ...rest }: Record<string, unknown>) => rest
    const exists = await read(`Bearer ${sandbox.apiKey}`, live.appId)
    const not = await read(`Bearer ${sandbox.apiKey}`, 'app_000000000000')
    expect([exists.status, not.status]).toEqual([403, 403])
    expect(strip(exists.json)).toEqual(strip(not.json))
    expect((await read(`Bearer ${sandbox.apiKey}`, '%00')).status).toBe(403)
  })

  it('notes the last use, at most once a minute', async () => {
    const used = async () => {
      const reply = await ask('GET', '/api-keys')
      return reply.json[0].lastUsedTime
    }
    await expect.poll(used).not.toBeNull()
    const first = await used()
    ctx.clock.advance(30 * SECOND)
    await used()
    expect(await used()).toBe(first)
    ctx.clock.advance(MINUTE)
    await expect.poll(used).not.toBe(first)
  })

  it('limits the rate of each key, says so in headers, and lets it go on later', async () => {
    const limited = await testApi(ctx, {
      routes: routes(ctx),
      keyPolicy: { name: 'key', perSecond: 2, burst: 4 },
      strangerPolicy: { name: 'address', perSecond: 1, burst: 2 },
    })
    const once = (key = sandbox.apiKey, appId = sandbox.appId) =>
      limited.ask('GET', `/api/apps/${appId}`, { key })
    const first = await once()
    expect(first.headers['ratelimit-policy']).toBe('"key";q=4;w=2')
    expect(first.headers.ratelimit).toBe('"key";r=3;t=1')
    for (let i = 0; i < 3; i++) expect((await once()).status).toBe(200)
    const refused = await once()
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_requests'])
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.headers.ratelimit).toBe('"key";r=0;t=2')
    expect((await once(live.apiKey, live.appId)).status).toBe(200)
    ctx.clock.advance(SECOND)
    expect((await once()).status).toBe(200)
    expect((await once(sandbox.apiKey, live.appId)).headers.ratelimit).toBe('"key";r=0;t=2')
    const strangers = [await once('bad'), await once('bad'), await once('bad')]
    expect(strangers.map(({ status }) => status)).toEqual([401, 401, 429])
    await limited.close()
  })
})

describe('API keys', () => {
  it('are created beside others, shown once and listed without the key', async () => {
    const made = await ask('POST', '/api-keys', { name: 'Second', expiresTime: '2030-01-01T00:00:00Z' })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      name: 'Second',
      expiresTime: '2030-01-01T00:00:00.000Z',
      lastUsedTime: null,
    })
    expect((await ask('GET', '', undefined, made.json.apiKey)).status).toBe(200)
    const list = await ask('GET', '/api-keys')
    expect(list.status).toBe(200)
    expect(list.text).not.toContain(made.json.apiKey)
    expect(list.json).toContainEqual(
      expect.objectContaining({ keyId: made.json.keyId, hint: made.json.apiKey.slice(-4) }),
    )
    expect((await ask('POST', '/api-keys')).status).toBe(201)
  })

  it('are stored only as a hash', async () => {
    const rows = await ctx.db.query(sql('test.keys', 'select api_keys::text as row from api_keys'))
    expect(JSON.stringify(rows)).not.toContain(sandbox.apiKey.slice(-32))
  })

  it('expire', async () => {
    const expiresTime = new Date(ctx.clock.now().getTime() + HOUR).toISOString()
    const { json } = await ask('POST', '/api-keys', { expiresTime })
    expect((await ask('GET', '', undefined, json.apiKey)).status).toBe(200)
    ctx.clock.advance(HOUR)
    expect((await ask('GET', '', undefined, json.apiKey)).status).toBe(401)
    expect((await ask('POST', '/api-keys', { expiresTime: '2020-01-01T00:00:00Z' })).status).toBe(422)
    for (const bad of ['tomorrow', 5, '2030-01-01'])
      expect((await ask('POST', '/api-keys', { expiresTime: bad })).json).toMatchObject({
        status: 400,
        errors: [{ field: 'expiresTime' }],
      })
  })

  it('rotate with an overlap', async () => {
    const { json: old } = await ask('POST', '/api-keys', { name: 'Rotating' })
    const made = await ask('POST', `/api-keys/${old.keyId}/rotate`, { overlapSeconds: 60 })
    expect([made.status, made.json.name]).toEqual([201, 'Rotating'])
    const works = async (key: string) => (await ask('GET', '', undefined, key)).status
    expect([await works(old.apiKey), await works(made.json.apiKey)]).toEqual([200, 200])
    ctx.clock.advance(MINUTE)
    expect([await works(old.apiKey), await works(made.json.apiKey)]).toEqual([401, 200])
    expect((await ask('POST', `/api-keys/${old.keyId}/rotate`)).json).toMatchObject({ status: 422 })
    expect((await ask('POST', '/api-keys/key_none/rotate')).status).toBe(404)
    const tooLong = await ask('POST', `/api-keys/${made.json.keyId}/rotate`, { overlapSeconds: 604_801 })
    expect(tooLong.json).toMatchObject({ status: 400, errors: [{ field: 'overlapSeconds' }] })
  })

  it('stop at once where they are revoked, and within a second on every other node', async () => {
    const node = await testContext({ sharing: ctx })
    const other = await testApi(node, { routes: routes(node) })
    const { json } = await ask('POST', '/api-keys')
    const there = async () =>
      (await other.ask('GET', `/api/apps/${sandbox.appId}`, { key: json.apiKey })).status
    expect(await there()).toBe(200)
    const revoked = await ask('DELETE', `/api-keys/${json.keyId}`)
    expect([revoked.status, revoked.json.revokedTime]).toEqual([200, ctx.clock.now().toISOString()])
    expect((await ask('GET', '', undefined, json.apiKey)).status).toBe(401)
    ctx.clock.advance(SECOND - 1)
    expect(await there()).toBe(401)
    expect((await ask('DELETE', '/api-keys/key_none')).status).toBe(404)
    await other.close()
    await node.close()
  })
})

describe('the app', () => {
  it('is read with every member of the contract', async () => {
    expect((await ask('GET', '')).json).toEqual({
      appId: sandbox.appId,
      friendlyName: 'Corner Bookshop (sandbox)',
      isSandbox: true,
      isActive: true,
      createdTime: expect.stringMatching(/^2026-01-01T.*Z$/),
      isSetupCompleted: true,
      isConnectFirstGateway: true,
      hasFirstCapturePayment: false,
      defaultFraudPolicyId: null,
      checkoutMethods: ['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal'],
      webhookSettings: {
        paymentWebhookUrl: null,
        webhookAuthorizationHeaderScheme: null,
        webhookAuthorizationHeaderParameter: null,
        isSigningEnabled: true,
      },
      defaultRoutedProfiles: [],
    })
    const liveApp = await service.ask('GET', `/api/apps/${live.appId}`, { key: live.apiKey })
    expect(liveApp.json).toMatchObject({ isSetupCompleted: false, isConnectFirstGateway: false })
  })

  it('is changed by plain and wrapped members, and answers exactly 200', async () => {
    const plain = await ask('PATCH', '', {
      paymentWebhookUrl: 'https://shop.example/hook?a=1',
      webhookAuthorizationHeaderScheme: 'Bearer',
      webhookAuthorizationHeaderParameter: 'hook-secret',
      friendlyName: 'Books',
      defaultFraudPolicyId: '7',
    })
    expect(plain.status).toBe(200)
    expect(plain.json).toMatchObject({
      friendlyName: 'Books',
      defaultFraudPolicyId: 7,
      webhookSettings: {
        paymentWebhookUrl: 'https://shop.example/hook?a=1',
        webhookAuthorizationHeaderScheme: 'Bearer',
        webhookAuthorizationHeaderParameter: '***',
      },
    })
    expect(plain.text).not.toContain('hook-secret')
    const app = await loadApp(ctx, sandbox.appId)
    expect(ctx.vault.open(app?.webhookAuthParameter ?? new Uint8Array())).toBe('hook-secret')
    const rest = await ask('PATCH', '', { friendlyName: null, webhookAuthorizationHeaderParameter: '***' })
    expect(rest.json).toEqual(plain.json)
    const wrapped = await ask('PATCH', '', {
      friendlyName: { value: 'More books' },
      paymentWebhookUrl: '',
      webhookAuthorizationHeaderScheme: { value: null },
      webhookAuthorizationHeaderParameter: { value: null },
      defaultFraudPolicyId: { value: null },
    })
    expect(wrapped.json).toMatchObject({
      friendlyName: 'More books',
      defaultFraudPolicyId: null,
      webhookSettings: {
        paymentWebhookUrl: null,
        webhookAuthorizationHeaderScheme: null,
        webhookAuthorizationHeaderParameter: null,
      },
    })
  })

  it('refuses webhook addresses that are not absolute http addresses without credentials', async () => {
    for (const url of [
      'shop',
      'ftp://a/b',
      'https://u:p@shop.example',
      'javascript:alert(1)',
      `http://a/${'x'.repeat(2048)}`,
    ]) {
      const reply = await ask('PATCH', '', { paymentWebhookUrl: { value: url } })
      expect(reply.json).toMatchObject({ status: 400, errors: [{ field: 'paymentWebhookUrl' }] })
    }
    const header = await ask('PATCH', '', { webhookAuthorizationHeaderParameter: 'a\r\nx: y' })
    expect(header.json.errors[0].field).toBe('webhookAuthorizationHeaderParameter')
  })
})

describe('provider profiles', () => {
  it('of a new sandbox app cover every method; a live app has none', async () => {
    const { json } = await ask('GET', '/payment-profiles')
    expect(
      json.map((profile: { paymentMethodTypeString: string }) => profile.paymentMethodTypeString),
    ).toEqual(['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal'])
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
        `^http://tender.test/api/provider-webhook\\?profileId=${first.paymentProfileId}&webhookKey=[0-9a-z]{32}$`,
      ),
    })
    expect((await ask('GET', `/payment-profiles/${first.paymentProfileId}`)).json).toEqual(first)
    const none = await service.ask('GET', `/api/apps/${live.appId}/payment-profiles`, { key: live.apiKey })
    expect(none.json).toEqual([])
    const foreign = await service.ask(
      'GET',
      `/api/apps/${live.appId}/payment-profiles/${first.paymentProfileId}`,
      {
        key: live.apiKey,
      },
    )
    expect([foreign.status, foreign.json.code]).toEqual([404, 'not_found'])
    for (const id of ['99999999', 'abc', '99999999999999999999'])
      expect((await ask('GET', `/payment-profiles/${id}`)).json.detail).toBe(foreign.json.detail)
  })

  const input = {
    provider: 'plain',
    name: 'Main',
    methods: ['CreditCard'],
    currency: 'EUR',
    currencies: ['EUR', 'USD'],
    settings: { account: 'acct_1', secretKey: 'very secret value' },
  }

  it('keep their settings sealed and never show them', async () => {
    const made = await ask('POST', '/payment-profiles', input)
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      paymentProfileName: 'Main',
      currencies: ['EUR', 'USD'],
      isActive: true,
    })
    expect(made.json.settings).toEqual([
      { name: 'account', label: 'Account', secret: false, required: true, isSet: true },
      { name: 'secretKey', label: 'Secret key', secret: true, required: false, isSet: true },
    ])
    const rows = await ctx.db.query(
      sql('test.profiles', 'select payment_profiles::text as row from payment_profiles'),
    )
    expect(made.text + JSON.stringify(rows) + JSON.stringify(ctx.lines)).not.toContain('very secret')
  })

  it('are refused when the provider does not accept the settings, each wrong one named', async () => {
    const reply = await ask('POST', '/payment-profiles', { ...input, settings: { secretKey: 'short' } })
    expect(reply.json).toMatchObject({
      status: 422,
      code: 'invalid_profile_settings',
      errors: [{ field: 'settings.account' }, { field: 'settings.secretKey' }],
    })
  })

  it('are refused when the provider cannot do what they ask', async () => {
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
      expect((await ask('POST', '/payment-profiles', { ...input, ...change })).json).toMatchObject({
        status,
        code,
      })
  })

  it('of a sandbox-only provider can never be used in a live app', async () => {
    const reply = await service.ask('POST', `/api/apps/${live.appId}/payment-profiles`, {
      key: live.apiKey,
      body: { ...input, provider: 'sandbox' },
    })
    expect(reply.json).toMatchObject({ status: 422, code: 'profile_not_usable' })
    const allowed = await service.ask('POST', `/api/apps/${live.appId}/payment-profiles`, {
      key: live.apiKey,
      body: input,
    })
    expect(allowed.status).toBe(201)
  })

  it('are changed by plain or wrapped members; one secret can be replaced alone', async () => {
    const { json: made } = await ask('POST', '/payment-profiles', input)
    const path = `/payment-profiles/${made.paymentProfileId}`
    const changed = await ask('PATCH', path, {
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
    const app = await loadApp(ctx, sandbox.appId)
    const profile = app?.profiles.find((one) => one.profileId === made.paymentProfileId)
    const settings = JSON.parse(ctx.vault.open(profile?.settings ?? new Uint8Array()))
    expect(settings).toEqual({ account: 'acct_1', secretKey: 'another secret' })
    expect((await ask('PATCH', path, { settings: { secretKey: 'x' } })).status).toBe(422)
    expect((await ask('PATCH', path, {})).json).toEqual(changed.json)
    expect((await ask('PATCH', '/payment-profiles/424242', {})).status).toBe(404)
  })

  it('are grouped by the ways to check out', async () => {
    const { status, json } = await ask('GET', '/payment-profiles/payment-checkout-methods')
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
})

describe('providers', () => {
  it('are listed for everybody, with icons that exist', async () => {
    const { status, json } = await service.ask('GET', '/api/apps/providers')
    expect(status).toBe(200)
    expect(json.map((one: { provider: string }) => one.provider)).toEqual(['sandbox', 'plain'])
    for (const { iconUri1, iconUri2 } of json)
      for (const uri of [iconUri1, iconUri2]) {
        const icon = await service.ask('GET', new URL(uri).pathname)
        expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
        expect(icon.headers['cache-control']).toContain('max-age')
      }
    for (const file of ['none.svg', 'sandbox.png', '..%2Fsandbox.svg'])
      expect((await service.ask('GET', `/assets/providers/${file}`)).status).toBe(404)
  })
})
