import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Role } from '../../../src/people/access/roles.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import type { Answer } from '../../support/tender.ts'

let console_: TestConsole
let paid: Answer
beforeAll(async () => {
  console_ = await startTestConsole('console_search')
  const customerOrder = { customer: { customerId: 'lee', firstName: 'Lee', email: 'lee@shop.example' } }
  paid = await console_.sandbox.paid({ referenceId: 'INV-77', customerOrder })
})
afterAll(() => console_?.stop())

async function find(q: string, role: Role = 'Owner'): Promise<Answer[]> {
  const url = `${console_.origin}/console/${console_.sandbox.appId}/search?${new URLSearchParams({ q })}`
  const headers = { cookie: `console=${console_.tokens[role]}`, accept: 'application/json' }
  return (await (await fetch(url, { headers })).json()) as Answer[]
}

it('finds payments, customers and screens for the palette', async () => {
  const payment = { kind: 'payment', href: expect.stringMatching(`/payments/${paid.paymentId}$`) }
  for (const q of [String(paid.paymentId), 'INV-77', 'inv-', '4242', 'lee@shop.example'])
    expect(await find(q), q).toContainEqual(expect.objectContaining(payment))
  expect(await find('lee')).toContainEqual(
    expect.objectContaining({ kind: 'customer', label: 'Lee', detail: 'lee · lee@shop.example' }),
  )
  expect(await find('audit')).toMatchObject([{ kind: 'screen', label: 'Audit log' }])
  expect(await find('audit', 'Viewer')).toEqual([])
  for (const q of [
    'invite',
    'schedule',
    'live',
    'dark',
    'stripe',
    'new role',
    'webhooks',
    'notices',
    'system',
  ])
    expect(await find(q), q).toContainEqual(expect.objectContaining({ kind: 'screen' }))
  for (const q of ['invite', 'new role', 'webhooks', 'system']) expect(await find(q, 'Viewer'), q).toEqual([])
})

it('leads from ids of events and requests to their pages', async () => {
  const [event] = await find(`evt_${paid.paymentId}_1`)
  expect(event).toMatchObject({
    kind: 'event',
    href: expect.stringMatching(/\/developers\/events\/evt_\d+_1$/),
  })
  expect(await find('req_abc123')).toMatchObject([
    { kind: 'request', href: expect.stringMatching(/\/developers\/api-log\/req_abc123$/) },
  ])
  expect(await find('req_abc123', 'Viewer')).toEqual([])
})

it('is a page without script', async () => {
  const { html } = await console_.get('Viewer', 'search?q=4242')
  expect(html).toContain(`/payments/${paid.paymentId}`)
  const nothing = await console_.get('Viewer', 'search?q=%3Cscript%3Ealert(1)')
  expect(nothing.html).toContain('Nothing found')
  expect(nothing.html).not.toContain('<script>alert')
})
