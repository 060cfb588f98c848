import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good, newReference } from '../../support/tender.ts'

let console_: TestConsole
let policyId: number
beforeAll(async () => {
  console_ = await startTestConsole('console_block_list')
  const rules = [{ action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 60 }]
  const made = await console_.sandbox.call('POST', 'fraud-policies', { name: 'Careful', rules })
  policyId = good(made).fraudPolicyId
})
afterAll(() => console_?.stop())

const orderOf = (customer: object) => ({
  customerOrder: { customer: { customerId: newReference(), ...customer } },
})

async function stateOf(customer: object, wish: object = {}): Promise<string> {
  const { paymentId } = await console_.sandbox.create(orderOf(customer))
  const { paymentState, failure } = good(await console_.sandbox.pay(paymentId, wish))
  return failure ? failure.code : paymentState
}

const entries = async (): Promise<Answer[]> => good(await console_.sandbox.call('GET', 'block-list'))

async function removeAll(): Promise<void> {
  for (const { entryId } of await entries())
    good(await console_.sandbox.call('DELETE', `block-list/${entryId}`))
}

it('pasted lines are added together, each wrong one named, and stop payments', async () => {
  const values = 'one@example.com\n\nnot an address\r\ntwo@example.com\nneither'
  const fields = { kind: 'Email', values, reason: 'Leaked <list>', endTime: '' }
  const refused = await console_.post('Risk', 'fraud/blocks', fields)
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('Line 3 must be an e-mail address.')
  expect(refused.html).toContain('Line 5 must be an e-mail address.')
  expect(refused.html).toContain('two@example.com')
  expect(await entries()).toEqual([])
  const good_ = { ...fields, values: 'one@example.com\ntwo@example.com\nONE@example.com' }
  const { location } = await console_.post('Risk', 'fraud/blocks', good_)
  expect(location).toMatch(/fraud\/blocks\?note=blocked&count=2$/)
  expect(await stateOf({ email: 'two@example.com' })).toBe('fraud_rejected')
  const { html } = await console_.get('Viewer', 'fraud/blocks')
  expect(html).toContain('Leaked &lt;list>')
  expect(html).toContain('risk@')
  expect(html).not.toContain('Add entries')
  expect((await console_.post('Support', 'fraud/blocks', good_)).status).toBe(403)
})

it('an entry is removed after a question', async () => {
  const [entry] = await entries()
  const path = `fraud/blocks/${entry.entryId}/remove`
  expect((await console_.get('Risk', path)).html).toContain(`Remove entry ${entry.entryId}`)
  expect((await console_.post('Risk', path, {})).location).toContain('note=unblocked')
  expect(await stateOf({ email: entry.value })).toBe('Captured')
  expect((await console_.post('Risk', path, {})).status).toBe(404)
  await removeAll()
})

it('who made a payment or is a customer is blocked by their choices', async () => {
  const paid = await console_.sandbox.paid(orderOf({ email: 'pays@example.com' }))
  const path = `payments/${paid.paymentId}/block`
  const none = await console_.post('Risk', path, { reason: 'Chosen nothing' })
  expect([none.status, none.html.includes('Choose what to block.')]).toEqual([400, true])
  expect((await console_.get('Risk', path)).html).toMatch(/value="Card" checked/)
  await console_.post('Risk', path, { block: 'Email', reason: 'Seen before', endTime: '2999-12-31' })
  expect((await entries())[0]).toMatchObject({
    ...{ kind: 'Email', value: 'pays@example.com', reason: 'Seen before', paymentId: paid.paymentId },
    endTime: expect.stringMatching(/^(2999-12-31|3000-01-01)T/),
  })
  good(await console_.sandbox.call('POST', 'customers', { customerId: 'bad', email: 'bad@example.com' }))
  await console_.post('Risk', 'customers/bad/block-list', { block: 'Customer' })
  expect(await stateOf({ customerId: 'bad' })).toBe('fraud_rejected')
  expect((await console_.get('Support', 'customers/bad/block-list')).status).toBe(403)
  await removeAll()
})

it('a held payment is rejected and its card blocked by one form', async () => {
  const order = orderOf({ email: 'held@example.com' })
  const { paymentId } = await console_.sandbox.create({ fraudPolicyId: policyId, ...order })
  good(await console_.sandbox.pay(paymentId, { outcome: 'elevated-risk' }))
  const path = `reviews/${paymentId}/block`
  const { html } = await console_.get('Risk', 'reviews')
  expect(html).toMatch(/data-key="b"[^>]*>Reject and block/)
  expect((await console_.get('Support', 'reviews')).html).not.toContain('Reject and block')
  const noReason = await console_.post('Risk', path, { block: 'Card' })
  expect(noReason.status).not.toBe(303)
  expect(await entries()).toEqual([])
  const { location } = await console_.post('Risk', path, { block: 'Card', note: 'Stolen' })
  expect(location).toMatch(/reviews\?note=rejectedAndBlocked&count=1$/)
  expect((await console_.sandbox.read(paymentId)).paymentState).toBe('Failed')
  expect(await entries()).toMatchObject([{ kind: 'Card', reason: 'Stolen', paymentId }])
  const again = await console_.sandbox.create(orderOf({}))
  const stopped = good(await console_.sandbox.pay(again.paymentId, { outcome: 'elevated-risk' }))
  expect(stopped.failure.code).toBe('fraud_rejected')
  const page = (await console_.get('Risk', `payments/${again.paymentId}`)).html
  expect(page).toMatch(/Block list, entry \d+: Card\./)
  const log = (await console_.get('Risk', 'audit')).html
  expect(log).toContain('to the block list')
})

it('the form lets payments through with a reason, of kinds that name one payer', async () => {
  await removeAll()
  const fields = { effect: 'allow', kind: 'Email', values: 'vip@example.com', reason: '', endTime: '' }
  const noReason = await console_.post('Risk', 'fraud/blocks', fields)
  expect([noReason.status, noReason.html.includes('Reason is required.')]).toEqual([400, true])
  const domain = { ...fields, kind: 'EmailDomain', values: 'example.com', reason: 'Partner' }
  const refused = await console_.post('Risk', 'fraud/blocks', domain)
  expect(refused.html).toContain(
    'The allow list takes cards, e-mail addresses, IP addresses and customers only.',
  )
  expect(await entries()).toEqual([])
  const { location } = await console_.post('Risk', 'fraud/blocks', { ...fields, reason: 'Known for years' })
  expect(location).toMatch(/fraud\/blocks\?note=allowed&count=1$/)
  const [entry] = await entries()
  expect(entry).toMatchObject({ isAllowed: true, reason: 'Known for years' })
  expect((await console_.get('Viewer', 'fraud/blocks')).html).toContain('>Let through<')
  expect((await console_.get('Risk', `fraud/blocks/${entry.entryId}/remove`)).html).toContain(
    'check new payments',
  )
  const { paymentId } = await console_.sandbox.create(orderOf({ email: 'vip@example.com' }))
  good(await console_.sandbox.pay(paymentId))
  expect((await console_.get('Risk', `payments/${paymentId}`)).html).toMatch(/Allow list, entry \d+: E-mail/)
  expect((await console_.get('Risk', 'audit')).html).toContain('to the allow list')
  await removeAll()
})
