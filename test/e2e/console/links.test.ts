import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import type { Answer } from '../../support/tender.ts'

let console_: TestConsole
beforeAll(async () => {
  console_ = await startTestConsole('console_links')
})
afterAll(() => console_?.stop())

const FIELDS = { amount: '12,50', currency: 'EUR', description: 'Coffee <b>', expiry: 'week' }

const create = (more: Record<string, string> = {}) =>
  console_.post('Manager', 'links/new', { ...FIELDS, ...more })

async function created(more: Record<string, string> = {}): Promise<Answer> {
  const { location, html } = await create(more)
  const id = /\/links\/(\d+)\?note=created$/.exec(location ?? '')?.[1]
  if (!id) throw new Error(html)
  return console_.sandbox.read(Number(id))
}

describe('a payment link', () => {
  it('is an ordinary payment with a random reference and an audit entry', async () => {
    const payment = await created({ recurring: 'yes', returnUrl: 'https://shop.example/back' })
    expect(payment).toMatchObject({
      amount: 12.5,
      currency: 'EUR',
      autoCapture: true,
      paymentFlow: 'HostedPage',
      paymentState: 'Created',
      referenceId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      returnUrl: 'https://shop.example/back',
    })
    const days = (Date.parse(payment.expirationTime) - Date.parse(payment.createdTime)) / 86_400_000
    expect(days).toBeCloseTo(7, 3)
    const { ctx } = console_.tender.service
    const app = await directory(ctx).app(console_.sandbox.appId)
    const target = `payment:${payment.paymentId}`
    expect(await auditEntries(ctx, app?.licenseId ?? '', { target, limit: 5 })).toMatchObject([
      { action: 'link.created', actor: { id: 'usr_manager' }, after: { amountMinor: '1250' } },
    ])
    const { html } = await console_.get('Manager', `links/${payment.paymentId}`)
    expect(html).toContain(payment.redirectUrl)
    expect(html).toContain('class="qr"')
    expect(html).toContain('This installation has no mail server.')
    expect(html).not.toContain('Coffee <b>')
    expect((await console_.get('Manager', 'links')).html).toContain(`/links/${payment.paymentId}`)
  })

  it('keeps the input and names what is wrong', async () => {
    const { status, html } = await create({ amount: 'ten', item1: 'Cup', returnUrl: 'nowhere' })
    expect(status).toBe(422)
    for (const text of ['Enter an amount such as', 'Each item needs', 'begins with https://', 'value="ten"'])
      expect(html).toContain(text)
    const items = await create({ item1: 'Cup', price1: '5', quantity1: '2' })
    expect(items.html).toContain('The items add up to €10.00.')
    expect((await create({ expiry: 'date', date: '2020-01-01' })).html).toContain(
      'Enter a day in the future.',
    )
  })

  it('is for a new customer, a known one, or none', async () => {
    const known = await console_.sandbox.create({
      customerOrder: { customer: { customerId: 'cust-1', firstName: 'Dana', email: 'dana@shop.example' } },
    })
    const by = (customer: string) => ({ customerKind: 'known', customer })
    expect((await created(by('cust-1'))).customerId).toBe(known.customerId)
    expect((await created(by('dana@shop.example'))).customerId).toBe(known.customerId)
    expect((await create(by('unknown'))).html).toContain('No customer matches.')
    await console_.sandbox.create({
      customerOrder: { customer: { customerId: 'cust-2', firstName: 'Dana', email: 'd2@shop.example' } },
    })
    const several = await create(by('Dana'))
    expect(several.html).toContain('Several customers match. Choose one.')
    expect((await created({ ...by('Dana'), choice: 'cust-2' })).customerId).toBe('cust-2')
    const fresh = await created({ customerKind: 'new', firstName: 'Kim', email: 'kim@shop.example' })
    expect(fresh.customerOrder.customer).toMatchObject({ firstName: 'Kim', email: 'kim@shop.example' })
  })

  it('does not show stored methods', async () => {
    const customerOrder = { customer: { customerId: 'stored' } }
    await console_.sandbox.paid({ customerOrder, registerAutoPayment: true })
    const ordinary = await console_.sandbox.create({ customerOrder })
    const link = await created({ customerKind: 'known', customer: 'stored' })
    const page = async ({ redirectUrl }: Answer) => (await fetch(redirectUrl)).text()
    expect(await page(ordinary)).toContain('•••• 4242')
    expect(await page(link)).not.toContain('•••• 4242')
  })

  it('is made once by a form that is sent twice', async () => {
    const page = await console_.get('Manager', 'links/new')
    const form = /name="form" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
    const send = async () => (await create({ form })).location
    expect(await send()).toBe(await send())
  })

  it('is for people who may create payments', async () => {
    expect((await console_.get('Support', 'links/new')).status).toBe(403)
    expect((await console_.get('Viewer', 'links')).status).toBe(403)
  })
})
