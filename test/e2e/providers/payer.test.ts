import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { good } from '../../support/tender.ts'
import { type Scripted, startScripted } from './scripted.ts'

/** What the provider gets to know of the payer and the shop. */

let scripted: Scripted
beforeAll(async () => {
  scripted = await startScripted('e2e_provider_payer')
})
afterAll(() => scripted?.tender.stop())
beforeEach(() => scripted.reset())

const patch = async (body: object) => good(await scripted.tender.sandbox.call('PATCH', '', body))

async function purchaseOf(more: object) {
  await scripted.create(more)
  return scripted.purchases.at(-1)
}

it('the language and the country are those of the payment, before those of the order', async () => {
  const address = { streetAddressLine1: 'Damrak 1', city: 'Amsterdam', zipCode: '1012', country: 'NL' }
  const customerOrder = { customer: { customerId: 'dana', address } }
  expect(await purchaseOf({ customerOrder, locale: 'de-AT', country: 'AT' })).toMatchObject({
    ...{ locale: 'de-AT', country: 'AT' },
    billing: { line1: 'Damrak 1', city: 'Amsterdam', postalCode: '1012', country: 'NL' },
  })
  expect(await purchaseOf({ customerOrder })).toMatchObject({ country: 'NL' })
  const vague = { customer: { customerId: 'dana', address: { country: 'PL' } } }
  const sent = await purchaseOf({ customerOrder: vague })
  expect(sent).toMatchObject({ country: 'PL' })
  expect(sent).not.toHaveProperty('billing')
})

it('the brand and the statement are those of the payment, otherwise those of the app', async () => {
  await patch({ friendlyName: 'Acme', statementDescriptor: 'ACME shop' })
  expect(await purchaseOf({})).toMatchObject({ brand: 'Acme', statement: 'ACME shop' })
  const own = { brandName: 'Acme Tickets', statementDescriptor: 'Concert' }
  expect(await purchaseOf(own)).toMatchObject({ brand: 'Acme Tickets', statement: 'Concert' })
  expect((await patch({ statementDescriptor: '' })).statementDescriptor).toBeNull()
  expect(await purchaseOf({})).not.toHaveProperty('statement')
})

it.each([
  ['locale', 'german'],
  ['locale', 'DE'],
  ['country', 'nl'],
  ['country', 'NLD'],
  ['statementDescriptor', 'longer than 22 characters'],
])('%s does not take %s', async (field, value) => {
  const { sandbox } = scripted.tender
  const body = { ...(await scripted.create()), amount: 1, [field]: value }
  const refused = await sandbox.call('POST', 'payments/provider-hosted-page', {
    ...body,
    ...{ referenceId: `${field}-${value}`, paymentProfileId: scripted.profileId },
  })
  expect(refused.status).toBe(400)
  expect(refused.body.errors.map((one: { field: string }) => one.field)).toContain(field)
})
