import { expect, it } from 'vitest'
import { apiWorld, testPolicy } from '../../../test/support/api.ts'
import type { TestContext } from '../../../test/support/context.ts'
import { auditEntries } from '../../audit/audit.ts'
import { setDefaultProfile } from '../../routing/commands.ts'
import { loadApp } from '../directory.ts'
import { merchantRoutes } from '../routes.ts'
import { changeApp } from './commands.ts'

const routes = (ctx: TestContext) => merchantRoutes(ctx, { setDefaultProfile })
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
    lastWebhookProcessTime: null,
    lastWebhookError: null,
    defaultRoutedProfiles: [],
    maxThresholdRefundCountDaily: null,
    refundApprovalAbove: [],
    retryGuard: true,
    acceptLatePayments: false,
    statementDescriptor: null,
    refundProcessReceiverEmails: [],
    isTwoFactorAuthenticationEnabled: false,
    requireOtpForApiKeys: false,
    logo: null,
    hostedPageBaseUrl: 'http://tender.test',
    canRemoveHostedPageDomain: false,
    hostProof: null,
    targetCName: 'tender.test',
    checkoutSlogan1: null,
    checkoutSlogan2: null,
    licenseExpirationTime: null,
    licenseAmount: null,
    licenseRenewCalculatedTime: null,
    hasAppliance: false,
    showFraudPolicyInDashboard: true,
    timeZone: 'UTC',
    monthStartsOn: 1,
    personalDataDays: null,
    emails: {
      payer: [],
      team: ['endpoint-failing', 'provider-degraded', 'authorisations-ending', 'settlements', 'dispute'],
      fromName: null,
      replyTo: null,
      teamAddresses: [],
    },
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
      showPoweredBy: true,
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
  const message = 'defaultFraudPolicyId names no fraud policy of this app.'
  const errors = [{ field: 'defaultFraudPolicyId', message }]
  expect(reply.json).toMatchObject({ status: 422, code: 'unknown_fraud_policy', detail: message, errors })
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

it('refund limits, receivers, second factor, time zone and retention are settings of the app', async () => {
  const plain = await world.ask('PATCH', '', {
    maxThresholdRefundCountDaily: 3,
    refundProcessReceiverEmails: [{ emailAddress: 'a@shop.example' }, 'b@shop.example', 'a@shop.example'],
    isTwoFactorAuthenticationEnabled: true,
    requireOtpForApiKeys: { value: true },
    timeZone: 'Asia/Tokyo',
    monthStartsOn: 20,
    personalDataDays: { value: 365 },
  })
  expect(plain.json).toMatchObject({
    maxThresholdRefundCountDaily: 3,
    refundProcessReceiverEmails: [{ emailAddress: 'a@shop.example' }, { emailAddress: 'b@shop.example' }],
    isTwoFactorAuthenticationEnabled: true,
    requireOtpForApiKeys: true,
    timeZone: 'Asia/Tokyo',
    monthStartsOn: 20,
    personalDataDays: 365,
  })
  expect((await world.ask('PATCH', '', { friendlyName: 'Same' })).json).toEqual({
    ...plain.json,
    friendlyName: 'Same',
  })
  const none = { value: null }
  const app = await loadApp(world.ctx, world.sandbox.appId)
  if (!app) throw new Error('the app exists')
  // On behalf of the service itself: a key may not loosen what protects refunds.
  await changeApp(
    world.ctx,
    app,
    {
      maxThresholdRefundCountDaily: none,
      refundProcessReceiverEmails: none,
      isTwoFactorAuthenticationEnabled: none,
      requireOtpForApiKeys: none,
      timeZone: none,
      monthStartsOn: none,
      personalDataDays: none,
    },
    {},
  )
  expect((await world.ask('GET', '')).json).toMatchObject({
    maxThresholdRefundCountDaily: null,
    refundApprovalAbove: [],
    refundProcessReceiverEmails: [],
    isTwoFactorAuthenticationEnabled: false,
    requireOtpForApiKeys: false,
    timeZone: 'UTC',
    monthStartsOn: 1,
    personalDataDays: null,
  })
  const refusals: [string, unknown][] = [
    ['maxThresholdRefundCountDaily', -1],
    ['maxThresholdRefundCountDaily', 1.5],
    ['refundProcessReceiverEmails', ['not an address']],
    ['refundProcessReceiverEmails', Array.from({ length: 21 }, (_, at) => `r${at}@shop.example`)],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', '+01:00'],
    ['monthStartsOn', 0],
    ['monthStartsOn', 29],
    ['personalDataDays', 29],
    ['personalDataDays', 3_651],
  ]
  for (const [field, value] of refusals) {
    const { json } = await world.ask('PATCH', '', { [field]: value })
    expect([json.status, json.errors?.[0].field]).toEqual([400, expect.stringContaining(field)])
  }
})

it('the default profile of a currency is set and cleared without touching the others', async () => {
  const [first, second] = (await world.ask('GET', '/payment-profiles')).json
  const set = (currency: string, paymentProfileId: unknown) =>
    world.ask('PATCH', '', { defaultRoutedProfile: { currency, paymentProfileId } })
  await set('EUR', first.paymentProfileId)
  await set('USD', String(second.paymentProfileId))
  const both = await set('EUR', second.paymentProfileId)
  expect(both.json.defaultRoutedProfiles).toEqual([
    {
      currency: 'USD',
      paymentProfile: expect.objectContaining({ paymentProfileName: second.paymentProfileName }),
    },
    {
      currency: 'EUR',
      paymentProfile: expect.objectContaining({ paymentProfileId: second.paymentProfileId }),
    },
  ])
  expect((await set('EUR', null)).json.defaultRoutedProfiles).toHaveLength(1)
  expect((await set('EUR', 99_999_999)).json).toMatchObject({
    status: 400,
    errors: [{ field: 'defaultRoutedProfile.paymentProfileId' }],
  })
  expect((await set('XXX', null)).json).toMatchObject({ status: 400 })
})

it('a logo of the settings request is the logo of the branding', async () => {
  const png = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64')}`
  const { json } = await world.ask('PATCH', '', { logo: { value: png } })
  expect(json.logo).toMatch(/\/assets\/logos\//)
  expect(json.branding.logoUrl).toBe(json.logo)
  expect((await world.ask('PATCH', '', { logo: { value: null } })).json.logo).toBeNull()
  const bad = await world.ask('PATCH', '', { logo: 'https://shop.example/logo.png' })
  expect(bad.json).toMatchObject({ status: 400 })
})

it('changes of the app are in the audit log, without secrets', async () => {
  await world.ask('PATCH', '', {
    friendlyName: 'Audited',
    webhookAuthorizationHeaderParameter: 'hook-secret-2',
    branding: { color: '#3b5bdb' },
  })
  await world.ask('PATCH', '', { friendlyName: 'Audited' })
  const app = await loadApp(world.ctx, world.sandbox.appId)
  const entries = await auditEntries(world.ctx, app?.licenseId ?? '', { limit: 100 })
  const named = entries.filter(({ after }) => JSON.stringify(after).includes('Audited'))
  expect(named).toMatchObject([
    {
      action: 'app.changed',
      appId: world.sandbox.appId,
      actor: { kind: 'key' },
      after: { friendlyName: 'Audited', webhookAuthParameter: 'set' },
    },
  ])
  expect(entries[0]).toMatchObject({
    action: 'branding.changed',
    before: { color: null },
    after: { color: '#3b5bdb' },
  })
  expect(JSON.stringify(entries)).not.toContain('hook-secret')
})
