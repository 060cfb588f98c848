import { expect, it } from 'vitest'
import { apiWorld, testPolicy } from '../../../test/support/api.ts'
import type { TestContext } from '../../../test/support/context.ts'
import { loadApp } from '../directory.ts'
import { merchantRoutes } from '../routes.ts'

const routes = (ctx: TestContext) => merchantRoutes(ctx)
const world = apiWorld(routes)

it('the app is read with every member of the contract', async () => {
  expect((await world.ask('GET', '')).json).toEqual({
    appId: world.sandbox.appId,
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
    branding: {
      logoUrl: null,
      color: null,
      slogan1: null,
      slogan2: null,
      support: null,
      termsUrl: null,
      privacyUrl: null,
      locale: null,
      theme: null,
    },
  })
  const liveApp = await world.api.ask('GET', `/api/apps/${world.live.appId}`, { key: world.live.apiKey })
  expect(liveApp.json).toMatchObject({ isSetupCompleted: false, isConnectFirstGateway: false })
})

it('the app is changed by plain and wrapped members, and answers exactly 200', async () => {
  await testPolicy(world.ctx, world.sandbox.appId, 7)
  const plain = await world.ask('PATCH', '', {
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
  const app = await loadApp(world.ctx, world.sandbox.appId)
  expect(world.ctx.vault.open(app?.webhookAuthParameter ?? new Uint8Array())).toBe('hook-secret')
  const rest = await world.ask('PATCH', '', {
    friendlyName: null,
    webhookAuthorizationHeaderParameter: '***',
  })
  expect(rest.json).toEqual(plain.json)
  const kept = (await loadApp(world.ctx, world.sandbox.appId))?.webhookAuthParameter
  expect(world.ctx.vault.open(kept ?? new Uint8Array())).toBe('hook-secret')
  const wrapped = await world.ask('PATCH', '', {
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

it('the default fraud policy is one of the app: another id is 422 unknown_fraud_policy', async () => {
  const reply = await world.ask('PATCH', '', { defaultFraudPolicyId: 999 })
  expect(reply.json).toMatchObject({ status: 422, code: 'unknown_fraud_policy' })
})

it('the app refuses webhook addresses that are not absolute http addresses without credentials', async () => {
  for (const url of [
    'shop',
    'ftp://a/b',
    'https://u:p@shop.example',
    'javascript:alert(1)',
    `http://a/${'x'.repeat(2048)}`,
  ]) {
    const reply = await world.ask('PATCH', '', { paymentWebhookUrl: { value: url } })
    expect(reply.json).toMatchObject({ status: 400, errors: [{ field: 'paymentWebhookUrl' }] })
  }
  const header = await world.ask('PATCH', '', { webhookAuthorizationHeaderParameter: 'a\r\nx: y' })
  expect(header.json.errors[0].field).toBe('webhookAuthorizationHeaderParameter')
})
