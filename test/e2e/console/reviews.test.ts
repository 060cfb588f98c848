import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good, newReference } from '../../support/tender.ts'

let console_: TestConsole
let policyId: number
beforeAll(async () => {
  console_ = await startTestConsole('console_reviews')
  const rules = [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 }]
  const made = await console_.sandbox.call('POST', 'fraud-policies', { name: 'Careful', rules })
  policyId = good(made).fraudPolicyId
})
afterAll(() => console_?.stop())

async function held(): Promise<Answer> {
  const customerOrder = { customer: { customerId: newReference() } }
  const { paymentId } = await console_.sandbox.create({ fraudPolicyId: policyId, customerOrder })
  return good(await console_.sandbox.pay(paymentId, { outcome: 'elevated-risk' }))
}

async function entryOf(action: string, paymentId: number) {
  const { ctx } = console_.tender.service
  const app = await directory(ctx).app(console_.sandbox.appId)
  const target = `payment:${paymentId}`
  return (await auditEntries(ctx, app?.licenseId ?? '', { action, target, limit: 1 }))[0]
}

const badge = (html: string) => /class="rail-badge">(\d+)/.exec(html)?.[1]

it('lists held payments, oldest first, with rule and score', async () => {
  expect((await console_.get('Support', 'reviews')).html).toContain('No payments to review')
  const [first, second] = [await held(), await held()]
  const { html } = await console_.get('Support', 'reviews')
  const ids = [...html.matchAll(/data-payment="(\d+)"/g)].map(([, id]) => Number(id))
  expect(ids).toEqual([first.paymentId, second.paymentId])
  expect(html).toContain('risk score of the provider: 65; at most 60')
  expect(html).toMatch(/<td class="end" data-label="Score">65</)
  expect(badge(html)).toBe('2')
  expect(html).toContain('1 payment: 0 paid, 0 refunded, 0 disputed')
  const german = (await console_.get('Support', 'reviews?lang=de')).html
  expect(german).toContain('Regel 1: Risikowert des Anbieters: 65; höchstens 60.')
  expect(badge((await console_.get('Viewer', 'payments')).html)).toBeUndefined()
})

it('releases with a note, which the audit log keeps', async () => {
  const { paymentId } = await held()
  const path = `reviews/${paymentId}/release`
  const { location } = await console_.post('Support', path, { note: 'Called the customer' })
  expect(location).toMatch(/\/reviews\?note=released$/)
  expect((await console_.sandbox.read(paymentId)).paymentState).toBe('Captured')
  expect(await entryOf('payment.unhold', paymentId)).toMatchObject({
    actor: { id: 'usr_support' },
    after: { note: 'Called the customer' },
  })
  expect((await console_.get('Support', path)).status).toBe(404)
})

it('rejects only with a note', async () => {
  const { paymentId } = await held()
  const path = `reviews/${paymentId}/reject`
  const refused = await console_.post('Support', path, { note: ' ' })
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('Enter the reason.')])
  await console_.post('Support', path, { note: 'Stolen card' })
  expect((await console_.sandbox.read(paymentId)).paymentState).toBe('Failed')
  expect(await entryOf('payment.cancel', paymentId)).toMatchObject({ after: { note: 'Stolen card' } })
})

it('rejects captured money only within the refund limit of the member', async () => {
  const rules = [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 10 }]
  const made = await console_.sandbox.call('POST', 'fraud-policies', { name: 'Large', rules })
  const sale = async (amount: number) => {
    const customerOrder = { customer: { customerId: newReference() } }
    const wanted = { fraudPolicyId: good(made).fraudPolicyId, customerOrder, amount }
    const { paymentId } = await console_.sandbox.create(wanted)
    await console_.sandbox.pay(paymentId, { method: 'ElectronicCheck' })
    await console_.sandbox.advance('10s')
    expect((await console_.sandbox.read(paymentId)).paymentState).toBe('CapturedHold')
    return paymentId
  }
  const [small, large] = [await sale(60), await sale(41)]
  const reject = (paymentId: number) =>
    console_.post('Support', `reviews/${paymentId}/reject`, { note: 'Stolen' })
  expect((await reject(small)).status).toBe(303)
  expect(await console_.sandbox.read(small)).toMatchObject({ paymentState: 'Failed', refundedAmount: 60 })
  const refused = await reject(large)
  expect([refused.status, refused.html]).toEqual([
    403,
    expect.stringContaining('You may refund €40.00 more today'),
  ])
  expect((await console_.sandbox.read(large)).paymentState).toBe('CapturedHold')
})

it('is for people who may review', async () => {
  expect((await console_.get('Viewer', 'reviews')).status).toBe(403)
  expect((await console_.get('Developer', 'reviews/1/release')).status).toBe(403)
})
