import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type Answer, good } from '../../support/tender.ts'

let console_: TestConsole
let paid: Answer
beforeAll(async () => {
  console_ = await startTestConsole('notes')
  paid = await console_.sandbox.paid({ customerOrder: { customer: { customerId: 'dana' } } })
})
afterAll(() => console_?.stop())

const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const pageOf = async (path: string) => textOf((await console_.get('Viewer', path)).html)

async function entriesOf(target: string) {
  const { ctx } = console_.tender.service
  const app = await loadApp(ctx, console_.sandbox.appId)
  return auditEntries(ctx, app?.licenseId ?? '', { target, limit: 10 })
}

it('notes are of the team: on the page, in the timeline and the API; the audit log has no text', async () => {
  const page = `payments/${paid.paymentId}`
  const write = (role: 'Support' | 'Viewer', text: string) =>
    console_.post(role, `${page}/notes`, { text }, page)
  expect((await write('Support', '<b>Called</b> twice')).location).toContain('note=note-added')
  expect((await write('Support', ' ')).location).toContain('note=note-refused')
  expect((await write('Support', 'x'.repeat(2_001))).location).toContain('note=note-refused')
  expect((await write('Viewer', 'No')).status).toBe(403)
  const { html } = await console_.get('Viewer', page)
  expect(html).not.toContain('<b>Called')
  expect(textOf(html)).toMatch(/support@example\.com wrote a note “&lt;b>Called&lt;\/b> twice”/)
  expect(html).not.toContain('id="note-text"')
  const added = await console_.sandbox.call('POST', `${page}/notes`, { text: 'From the shop' })
  expect([added.status, added.body]).toMatchObject([201, { text: 'From the shop', author: { kind: 'key' } }])
  const listed = good(await console_.sandbox.call('GET', `${page}/notes`)) as unknown as { text: string }[]
  expect(listed.map(({ text }) => text)).toEqual(['From the shop', '<b>Called</b> twice'])
  expect((await console_.sandbox.call('POST', `${page}/notes`, { text: '' })).status).toBe(400)
  expect((await console_.sandbox.call('GET', 'payments/1/notes')).status).toBe(404)
  const entries = await entriesOf(`payment:${paid.paymentId}`)
  expect(entries.map(({ action }) => action)).toEqual(['note.added', 'note.added'])
  expect(JSON.stringify(entries)).not.toContain('Called')
})

it('a payment or customer is given to a member of the team, who finds it', async () => {
  const page = `payments/${paid.paymentId}`
  const give = (person: string) => console_.post('Support', `${page}/assign`, { person }, page)
  expect((await give('usr_stranger')).location).toContain('note=note-refused')
  await give('usr_manager')
  expect(await pageOf(page)).toContain('Assigned to: Manager Person')
  const found = async (role: 'Manager' | 'Viewer') =>
    (await console_.get(role, 'payments?q=assigned:me')).html.includes(`data-payment="${paid.paymentId}"`)
  expect([await found('Manager'), await found('Viewer')]).toEqual([true, false])
  await give('')
  expect(await found('Manager')).toBe(false)
  expect((await entriesOf(`payment:${paid.paymentId}`)).map(({ action }) => action).slice(0, 2)).toEqual([
    'assignment.removed',
    'assignment.made',
  ])
  await console_.post('Support', 'customers/dana/assign', { person: 'usr_support' }, 'customers/dana')
  expect(await pageOf('customers/dana')).toContain('Assigned to: Support Person')
})

it('is given by API too, and a stranger is refused', async () => {
  const { call } = console_.sandbox
  const path = `payments/${paid.paymentId}/assignment`
  expect(good(await call('GET', path))).toEqual({ personId: null, name: null })
  const given = { personId: 'usr_support', name: 'Support Person' }
  expect(good(await call('PUT', path, { personId: 'usr_support' }))).toEqual(given)
  expect(good(await call('GET', path))).toEqual(given)
  expect(await pageOf(`payments/${paid.paymentId}`)).toContain('Assigned to: Support Person')
  const refused = await call('PUT', path, { personId: 'usr_stranger' })
  expect([refused.status, refused.body.errors]).toMatchObject([
    400,
    [{ field: 'personId', message: 'personId must be a member of the team.' }],
  ])
  expect((await call('PUT', 'payments/1/assignment', { personId: null })).status).toBe(404)
  expect(good(await call('PUT', path, { personId: null }))).toEqual({ personId: null, name: null })
  expect(good(await call('GET', 'customers/dana/assignment'))).toEqual(given)
  expect((await call('GET', 'customers/unknown/assignment')).status).toBe(404)
})

it('notes go with an erased customer', async () => {
  await console_.post('Support', 'customers/dana/notes', { text: 'Prefers the phone' }, 'customers/dana')
  expect(await pageOf('customers/dana')).toContain('Prefers the phone')
  good(await console_.sandbox.call('POST', 'customers/dana/erase'))
  expect(await pageOf('customers/dana')).not.toContain('Prefers the phone')
  expect(good(await console_.sandbox.call('GET', `payments/${paid.paymentId}/notes`))).toEqual([])
  expect(await pageOf(`payments/${paid.paymentId}`)).not.toContain('Called')
})
