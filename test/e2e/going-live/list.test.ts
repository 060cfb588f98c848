import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { setupToken } from '../../../src/people/accounts/setup.ts'
import { insertMembership } from '../../../src/people/store/memberships.ts'
import { deletePasskey, insertPasskey } from '../../../src/people/store/passkeys.ts'
import { insertPerson } from '../../../src/people/store/people.ts'
import type { ProviderAdapter } from '../../../src/providers/port.ts'
import { giveSecondFactor, startTestConsole, type TestConsole } from '../../support/console.ts'
import { createFakeProvider } from '../../support/provider.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { type Answer, good, startTestService, type TestApp } from '../../support/tender.ts'

let world: TestConsole
let receiver: Receiver
let live: TestApp
let isAccepted = true
beforeAll(async () => {
  receiver = await startReceiver()
  world = await startTestConsole('e2e_going_live')
  live = world.live
  const providers = world.tender.service.ctx.providers as Map<string, ProviderAdapter>
  const { adapter } = createFakeProvider({ id: 'scripted' })
  providers.set('scripted', {
    ...adapter,
    connectHelp: 'Paste it.',
    check: async () =>
      isAccepted
        ? { ok: true, tested: ['credentials'] }
        : { ok: false, problem: 'The key is wrong.', code: 'credentials' },
    receive: async () => ({ kind: 'ignored' }),
  })
})
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
})

const listOf = async (app: TestApp): Promise<Record<string, Answer>> => {
  directory(world.tender.service.ctx).forget(app.appId)
  const { items } = good(await app.call('GET', 'going-live'))
  return Object.fromEntries(items.map((one: Answer) => [one.item, one]))
}
const stateOf = async (item: string, app = live) => (await listOf(app))[item]
const page = async (path: string) =>
  (await world.get('Owner', `/console/${live.appId}/${path}`)).html.replaceAll('&amp;', '&')

it('begins with every item open on a live app, as text and with its way', async () => {
  const items = await listOf(live)
  expect(Object.keys(items)).toHaveLength(10)
  expect(Object.values(items).filter(({ isDone }) => isDone)).toEqual([])
  const parts = (item: string) => items[item]?.missing
  expect(parts('branding')).toEqual(['name', 'logo', 'terms', 'support'])
  expect(parts('webhook')).toEqual(['answer', 'signature'])
  expect(parts('payment')).toEqual(['payment', 'refund'])
  const html = await page('overview')
  expect(html).toContain('0 of 10 done')
  expect(html).not.toContain('4242')
  expect(html.match(/data-state="open"/g)).toHaveLength(10)
  expect(html).toMatch(/A provider accepts its keys <small class="pill amber">Open</)
  expect(html).toMatch(/href="\/console\/[^"]+\/developers\/webhooks">Open the webhooks</)
  expect((await world.get('Viewer', 'going-live')).location).toContain('/overview')
})

it('has a provider whose keys are accepted, and a notification, when they are seen', async () => {
  const settings = { account: 'acct_1', secretKey: 'a secret key' }
  const input = { provider: 'scripted', name: 'Main', currency: 'EUR', settings }
  const { paymentProfileId: id, webhookUrl } = good(await live.call('POST', 'payment-profiles', input))
  expect(await stateOf('provider')).toMatchObject({ isDone: false })
  isAccepted = false
  good(await live.call('POST', `payment-profiles/${id}/check`))
  expect(await stateOf('provider')).toMatchObject({ isDone: false })
  isAccepted = true
  good(await live.call('POST', `payment-profiles/${id}/check`))
  expect(await stateOf('provider')).toMatchObject({ isDone: true })
  good(await live.call('PATCH', `payment-profiles/${id}`, { settings: { secretKey: 'another key' } }))
  expect(await stateOf('provider')).toMatchObject({ isDone: false })
  good(await live.call('POST', `payment-profiles/${id}/check`))

  expect(await stateOf('notification')).toMatchObject({ isDone: false, time: null })
  expect((await fetch(webhookUrl, { method: 'POST', body: 'hello' })).status).toBe(200)
  await world.tender.service.ctx.background.settled()
  expect(await stateOf('notification')).toMatchObject({ isDone: true, time: expect.any(String) })
  good(await live.call('PATCH', `payment-profiles/${id}`, { isActive: false }))
  expect(await stateOf('provider')).toMatchObject({ isDone: false })
  // A proven profile is turned on without a question.
  expect(await page(`providers/${id}`)).toMatch(/<form method="post" action="[^"]*\/enable"/)
  good(await live.call('PATCH', `payment-profiles/${id}`, { isActive: true }))
})

it('has a webhook when one was answered and a secret was made', async () => {
  good(await live.call('PATCH', '', { paymentWebhookUrl: receiver.url }))
  expect(await stateOf('webhook')).toMatchObject({ isDone: false, missing: ['answer', 'signature'] })
  good(await live.call('POST', 'webhooks/test'))
  expect(await stateOf('webhook')).toMatchObject({ isDone: false, missing: ['signature'] })
  expect(await page('going-live')).toContain('Still open: a signing secret.')
  good(await live.call('POST', 'webhook-signing-secret'))
  expect(await stateOf('webhook')).toMatchObject({ isDone: true, missing: [] })
})

it('names a test event as one, without a link to a payment', async () => {
  const html = await page('developers/events')
  expect(html).toContain('Test, without a payment')
  expect(html).not.toMatch(/href="[^"]*\/payments\/\d+"/)
})

it('knows the address and the mail server from the settings', async () => {
  const { config } = world.tender.service.ctx
  const before = { ...config }
  const mail = { url: 'smtp://127.0.0.1' } as unknown as typeof config.mail
  Object.assign(config, { publicUrl: 'https://pay.localhost' })
  expect(await stateOf('address')).toMatchObject({ isDone: false })
  Object.assign(config, { publicUrl: 'http://pay.example.com' })
  expect(await stateOf('address')).toMatchObject({ isDone: false })
  Object.assign(config, { publicUrl: 'https://pay.example.com', mail })
  expect(await stateOf('address')).toMatchObject({ isDone: true })
  expect(await stateOf('mail')).toMatchObject({ isDone: true })
  Object.assign(config, { publicUrl: before.publicUrl, mail: undefined })
  expect(await stateOf('mail')).toMatchObject({ isDone: false })
})

it('knows owners, policies, branding and backups', async () => {
  const { ctx } = world.tender.service
  const key = { credentialId: 'key', publicKey: new Uint8Array(1), counter: 0, transports: [], name: 'Key' }
  const made = { isSynced: false, createdTime: ctx.clock.now(), lastUsedTime: null }
  await insertPasskey(ctx.db, { ...key, personId: 'usr_owner', ...made })
  expect(await stateOf('secondFactor')).toMatchObject({ isDone: true })
  await deletePasskey(ctx.db, 'usr_owner', 'key')
  expect(await stateOf('secondFactor')).toMatchObject({ isDone: false })
  await giveSecondFactor(world, 'Owner')
  expect(await stateOf('secondFactor')).toMatchObject({ isDone: true })
  // Owners of another licence, and those who may not sign in, do not count.
  const other = await world.tender.newMerchant()
  const owner = async (of: TestApp, personId: string) => {
    const licenseId = (await directory(ctx).app(of.appId))?.licenseId ?? ''
    const now = ctx.clock.now()
    await ctx.db.transaction(async (tx) => {
      const person = { email: `${personId}@example.com`, name: 'Owner', passwordHash: null, now }
      await insertPerson(tx, { personId, ...person })
      await insertMembership(tx, { licenseId, personId, role: 'Owner', refundLimits: null, now })
    })
  }
  await owner(other.sandbox, 'usr_elsewhere')
  expect(await stateOf('secondFactor')).toMatchObject({ isDone: true })
  await owner(live, 'usr_second')
  expect(await stateOf('secondFactor')).toMatchObject({ isDone: false })
  await ctx.db.query(
    sql('test.disable', `update people set is_disabled = true where person_id = 'usr_second'`),
  )
  expect(await stateOf('secondFactor')).toMatchObject({ isDone: true })

  const policy = { name: 'Small sums', rules: [] }
  const { fraudPolicyId } = good(await live.call('POST', 'fraud-policies', policy))
  expect(await stateOf('fraud')).toMatchObject({ isDone: false })
  good(await live.call('PATCH', '', { defaultFraudPolicyId: fraudPolicyId }))
  expect(await stateOf('fraud')).toMatchObject({ isDone: true })

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
  const logo = `data:image/svg+xml;base64,${svg}`
  const branding = { logo, termsUrl: 'https://shop.example/terms' }
  good(await live.call('PATCH', '', { friendlyName: 'Corner Bookshop', branding }))
  expect(await stateOf('branding')).toMatchObject({ isDone: false, missing: ['support'] })
  good(await live.call('PATCH', '', { branding: { support: 'help@shop.example' } }))
  expect(await stateOf('branding')).toMatchObject({ isDone: true })

  expect(await stateOf('backup')).toMatchObject({ isDone: false })
  // As the guide tells scripts of operators to do.
  await ctx.db.query(sql('test.backup', 'insert into backups default values'))
  expect(await stateOf('backup')).toMatchObject({ isDone: true, time: expect.any(String) })
})

it('knows a payment and its refund', async () => {
  const app = world.sandbox
  const other = (await world.tender.newMerchant()).sandbox
  const elsewhere = await other.paid()
  good(await other.act(elsewhere.paymentId, 'refund'))
  expect(await stateOf('payment', app)).toMatchObject({ missing: ['payment', 'refund'] })
  const { paymentId } = await app.paid({ amount: 40, currency: 'USD', autoCapture: true })
  expect(await stateOf('payment', app)).toMatchObject({ missing: ['refund'] })
  good(await app.call('POST', `payments/${paymentId}/refund`, { amount: 40 }))
  expect(await stateOf('payment', app)).toMatchObject({ isDone: true })
  const { db } = world.tender.service.ctx
  const become = (state: string) =>
    db.query(sql('test.refunds', 'update refunds set state = $2 where app_id = $1'), [app.appId, state])
  await become('failed')
  expect(await stateOf('payment', app)).toMatchObject({ missing: ['refund'] })
  await become('done')
})

it('the steps that were tried in a sandbox app are done after weeks, too', async () => {
  const other = (await world.tender.newMerchant()).sandbox
  const elsewhere = await other.create()
  good(await other.pay(elsewhere.paymentId, { outcome: 'insufficient-funds' }))
  const before = (await world.get('Owner', 'overview')).html
  expect(before).toMatch(/a payment was declined\s*<small class="muted">Open</)
  const { paymentId } = await world.sandbox.create({ currency: 'USD' })
  good(await world.sandbox.pay(paymentId, { outcome: 'insufficient-funds' }))
  good(await world.sandbox.call('POST', 'test-helpers/clock', { advance: '30d' }))
  const { html } = await world.get('Owner', 'overview')
  expect(html).toMatch(/a payment was refunded\s*<small class="muted">Done</)
  expect(html).toMatch(/a payment was declined\s*<small class="muted">Done</)
  expect(html).toMatch(/Connect a provider <small class="pill ">Open</)
})

it('names open items at the first payment link of a live app only', async () => {
  const first = await page('links/new')
  expect(first).toContain('This is the first payment link of the live app')
  expect(first).toContain('One real payment was made and refunded')
  expect(first).not.toContain('<li>A fraud policy is chosen</li>')
  expect((await world.get('Owner', 'links/new')).html).not.toContain('first payment link of the live app')
  const fields = { amount: '1.00', currency: 'EUR', description: 'Test', expiry: 'week' }
  const made = await world.post('Owner', `/console/${live.appId}/links/new`, fields)
  expect([made.status, made.location]).toEqual([303, expect.stringContaining('note=created')])
  expect(await page('links/new')).not.toContain('This is the first payment link of the live app')
})

it('before the set-up, the console has a field for the token that the service printed', async () => {
  const fresh = await startTestService('e2e_going_live_setup', { config: { production: false } })
  try {
    const open = async (path: string) => {
      const reply = await fetch(`${fresh.url}${path}`, { redirect: 'follow' })
      return { status: reply.status, html: await reply.text() }
    }
    for (const path of ['/', '/console']) {
      const { status, html } = await open(path)
      expect([path, status]).toEqual([path, 200])
      expect(html).toMatch(/Set-up token<\/label>.*<input type="password" name="token"/s)
    }
    const wrong = await open('/console/setup?token=guess')
    expect([wrong.status, wrong.html]).toEqual([
      403,
      expect.stringContaining('The token in the address is wrong'),
    ])
    const token = setupToken(fresh.service.ctx)
    expect((await open(`/console/setup?token=${token}`)).html).not.toContain('Set-up token')
    const body = new URLSearchParams({
      token,
      email: 'dana@example.com',
      password: 'a long sentence of words',
    })
    const done = await fetch(`${fresh.url}/console/setup`, { method: 'POST', body, redirect: 'manual' })
    expect(done.headers.get('location')).toBe('/console/home')
  } finally {
    await fresh.stop()
  }
})
