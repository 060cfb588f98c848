import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONNECTIONS } from '../../../src/web/console/developers/connections.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Receiver, settings, startReceiver } from '../../support/receiver.ts'

let world: TestConsole
let shop: Receiver
beforeAll(async () => {
  world = await startTestConsole('e2e_console_connect')
  shop = await startReceiver()
})
afterAll(async () => {
  await shop?.stop()
  await world?.stop()
})

it('only packages that exist are offered, each with the ids of this app and no key', async () => {
  for (const [id, connection] of Object.entries(CONNECTIONS)) {
    if (connection.kind === 'code' && connection.folder)
      expect(existsSync(`packages/${connection.folder}`), id).toBe(true)
    const { html: text } = await world.get('Owner', `developers/connect?with=${id}`)
    expect(text).toContain(world.sandbox.appId)
    expect(text).toContain(connection.kind === 'plugin' ? '/auth/signin' : 'TENDER_KEY')
    const isShop = connection.kind === 'code' && connection.isPlugin === true
    expect(text.includes('<code>TENDER_WEBHOOK_SECRET</code>'), id).toBe(isShop)
    expect(text).not.toContain(world.sandbox.apiKey)
  }
})

it.each(['woocommerce', 'whmcs'])('%s: the three addresses of a plugin, each of which exists', async (id) => {
  const { html: text } = await world.get('Owner', `developers/connect?with=${id}`)
  expect(text).toContain('We name no plugin')
  const addresses = [...text.matchAll(/https?:\/\/[^\s"<]+\/(?:api|api\/v1|auth\/signin)(?=["<])/g)]
  const [payments = '', setup = '', consent = ''] = new Set(addresses.map(([address]) => address))
  const { appId, apiKey } = world.sandbox
  const path = (address: string) => world.origin + new URL(address).pathname
  const headers = { authorization: `Bearer ${apiKey}` }
  expect((await fetch(`${path(payments)}/apps/${appId}/payments`, { headers })).status).toBe(200)
  expect((await fetch(`${path(setup)}/apps/${appId}`, { headers })).status).toBe(200)
  expect((await fetch(`${path(consent)}?returnUrl=https://shop.example`)).status).toBe(200)
})

it('tells of the first webhook and the first payment', async () => {
  const arrived = async () => (await world.get('Owner', 'developers/connect/arrived')).html
  expect(await arrived()).toContain('No webhook was acknowledged yet.')
  await settings(world.sandbox, { paymentWebhookUrl: shop.url })
  await world.sandbox.paid()
  await shop.count(3)
  await expect.poll(arrived, { timeout: 20_000 }).toMatch(/The first webhook was acknowledged on \w/)
  const told = await arrived()
  expect(told).toContain('The first payment was captured.')
  // Acknowledged webhooks are removed after 30 days; when the first one was is still known.
  const { ctx } = world.tender.service
  for (const table of ['delivery_attempts', 'deliveries', 'events'])
    await ctx.db.query({ name: `test.no_${table}`, text: `delete from ${table}` })
  expect(await arrived()).toBe(told)
})
