import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTender, type Tender, TenderError } from '../../packages/sdk/src/tender.ts'
import { CONNECTIONS, SHOP_SCOPES } from '../../src/web/console/developers/connections.ts'
import { hostedPage, startTestService, type TestService } from '../support/tender.ts'

/** The shop days use a key with full access; a merchant has the one that the page "Connect a shop" makes. */
let service: TestService
beforeAll(async () => {
  service = await startTestService('shop_keys')
})
afterAll(() => service?.stop())

/** What the plugins call, by the name in their source. */
const CALLS: Readonly<Record<string, (tender: Tender, paymentId: number) => Promise<unknown>>> = {
  'payments.createHostedPage': ({ payments }) =>
    payments.createHostedPage(hostedPage({ showPayRecurringInCheckout: true }) as never),
  'payments.get': ({ payments }, id) => payments.get(id),
  'payments.getByReference': ({ payments }) => payments.getByReference('none'),
  'payments.list': ({ payments }) => payments.list({ q: 'ref:T4X-*' }).take(1),
  'payments.capture': ({ payments }, id) => payments.capture(id, { amount: 5 }),
  'payments.cancel': ({ payments }, id) => payments.cancel(id),
  'payments.refund': ({ payments }, id) => payments.refund(id, { amount: 1 }),
  'customers.create': ({ customers }) => customers.create({ customerId: 'cus_1', email: 'a@shop.example' }),
  'customers.update': ({ customers }) => customers.update('cus_1', { firstName: 'Dana' }),
  'customers.paymentMethods': ({ customers }) => customers.paymentMethods('cus_1'),
  'customers.removePaymentMethod': ({ customers }) => customers.removePaymentMethod('cus_1', '1'),
}

function callsOf(folder: string): string[] {
  const source = readdirSync(join('packages', folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join('packages', folder, 'src', file), 'utf8'))
    .join('\n')
  const called = [...source.matchAll(/\b(payments|customers)\.(\w+)\(/g)].map(
    ([, on, name]) => `${on}.${name}`,
  )
  // `payments[action]` is one of these two.
  const acts = source.includes('payments[action]') ? ['payments.capture', 'payments.cancel'] : []
  return [...new Set([...called, ...acts])]
    .filter((name) => !/\.(?:some|find|push|filter)$/.test(name))
    .sort()
}

describe.each(['vendure', 'medusa'])('the key that "Connect a shop" makes for %s', (folder) => {
  it('may do every call of the plugin', async () => {
    const connection = CONNECTIONS[folder]
    const scopes = (connection?.kind === 'code' ? connection.scopes : undefined) ?? SHOP_SCOPES
    const { sandbox } = await service.newMerchant()
    const { body: key } = await sandbox.call('POST', 'api-keys', { name: 'Shop', scopes: scopes.split(',') })
    const tender = createTender({ url: service.url, appId: sandbox.appId, apiKey: key.apiKey })
    const names = callsOf(folder)
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) {
      const { paymentId } = await sandbox.paid({ autoCapture: name === 'payments.refund' })
      const call = CALLS[name]
      if (!call) throw new Error(`${name} is called by the plugin and not tried here`)
      const refusal = await call(tender, paymentId).then(
        () => undefined,
        (error) => (error instanceof TenderError ? error.status : error),
      )
      // Nothing, or not found: the key may ask.
      expect([name, refusal ?? 404]).toEqual([name, 404])
    }
  })
})
