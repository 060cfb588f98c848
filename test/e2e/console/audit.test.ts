import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../../src/audit/audit.ts'
import { acting } from '../../../src/context.ts'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

const ANNA = {
  kind: 'person',
  id: 'per_anna',
  name: '=cmd()',
  address: '192.0.2.7',
  requestId: 'req_77',
} as const

let console_: TestConsole
beforeAll(async () => {
  console_ = await startTestConsole('console_audit')
  const { ctx } = console_.tender.service
  const app = await directory(ctx).app(console_.sandbox.appId)
  for (const place of Array.from({ length: 60 }).keys())
    await audit(acting(ctx, ANNA), ctx.db, {
      licenseId: app?.licenseId ?? '',
      appId: app?.appId ?? '',
      action: place % 2 ? 'key.created' : 'profile.changed',
      target: `thing:${place}`,
      before: { name: '<script>alert(1)</script>' },
      after: { name: `Shop ${place}.` },
    })
})
afterAll(() => console_?.stop())

it('shows entries newest first, in pages', async () => {
  const first = await console_.get('Owner', 'audit')
  expect(first.status).toBe(200)
  expect(first.html).toContain('Shop 59.')
  expect(first.html).not.toContain('Shop 9.')
  const next = /href="[^"]*(audit\?cursor=\d+)" rel="next"/.exec(first.html)?.[1] ?? ''
  expect((await console_.get('Owner', next)).html).toContain('Shop 9.')
})

it('shows the members that changed, and folds long values', async () => {
  const { ctx } = console_.tender.service
  const app = await directory(ctx).app(console_.sandbox.appId)
  const routes = Array.from({ length: 20 }, (_, place) => ({ name: `Route ${place}` }))
  const before = { note: 'same text', weight: 1, routes: [] }
  await audit(acting(ctx, ANNA), ctx.db, {
    ...{ licenseId: app?.licenseId ?? '', appId: app?.appId ?? '' },
    ...{ action: 'test.changed', target: 'routing:1', before, after: { ...before, weight: 2, routes } },
  })
  const { html } = await console_.get('Owner', 'audit?action=test.changed')
  expect(html).toMatch(/weight: <\/span><del>1<\/del> → <ins>2<\/ins>/)
  expect(html).not.toContain('same text')
  expect(html).toMatch(/<details><summary class="muted">Routes<\/summary><del>\[\]<\/del> → <ins>\[\{/)
})

it('tells in words what was done, in the language of the person, with sign-ins', async () => {
  const { ctx } = console_.tender.service
  const app = await directory(ctx).app(console_.sandbox.appId)
  const scope = { licenseId: app?.licenseId ?? '', appId: app?.appId ?? '' }
  await audit(acting(ctx, ANNA), ctx.db, {
    ...{ ...scope, action: 'payment.refund', target: 'payment:10001', before: { state: 'Captured' } },
    after: { state: 'Refunded', amountMinor: '5000', currency: 'EUR', note: 'Broken', secondFactor: true },
  })
  await audit(acting(ctx, ANNA), ctx.db, {
    ...{ ...scope, action: 'person.signed_in', target: `person:${ANNA.id}` },
  })
  const english = (await console_.get('Owner', 'audit')).html
  expect(english).toContain('Refunded €50.00 of payment 10001')
  expect(english).toMatch(/State: <\/span><del>Captured<\/del> → <ins>Refunded<\/ins>/)
  expect(english).toContain('With a second factor: </span><ins>yes</ins>')
  expect(english).not.toMatch(/payment\.refund|amountMinor|>EUR</)
  expect(english).toContain('Signed in')
  const german = (await console_.get('Owner', 'audit?lang=de')).html
  expect(german.replaceAll('\u00a0', ' ')).toContain('50,00 € der Zahlung 10001 erstattet')
  expect(german).toContain('Mit zweitem Faktor: </span><ins>ja</ins>')
})

it('offers kinds of changes, people and days as a filter', async () => {
  const { html } = await console_.get('Owner', 'audit?action=key')
  expect(html).toMatch(/<option value="key" selected[^>]*>API keys</)
  expect(html).toContain(`<option value="${ANNA.id}">=cmd()</option>`)
  expect([html.includes('Shop 59.'), html.includes('Shop 58.')]).toEqual([true, false])
  expect(html).toMatch(/type="date"[^>]*name="from"|name="from"[^>]*type="date"/)
  expect((await console_.get('Owner', 'audit?from=2000-01-01&to=2000-01-02')).html).toContain(
    'No entry matches',
  )
})

it('escapes what people wrote', async () => {
  expect((await console_.get('Owner', 'audit')).html).not.toContain('<script>alert')
})

it('filters by action, actor and target', async () => {
  const { html } = await console_.get('Owner', 'audit?action=key.created')
  expect(html).toContain('Shop 59.')
  expect(html).not.toContain('Shop 58.')
})

it('exports all entries as a table that a spreadsheet does not run', async () => {
  const { html } = await console_.get('Owner', 'audit/export?action=key.created')
  expect(html.trim().split('\r\n')).toHaveLength(31)
  expect(html).toContain(",'=cmd(),")
})

it('is for roles that may read it', async () => {
  expect((await console_.get('Viewer', 'audit')).status).toBe(403)
  expect((await console_.get('Support', 'audit/export')).status).toBe(403)
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it.each([1280, 1440])('fits at %d px without scrolling sideways', async (width) => {
    const { ctx } = console_.tender.service
    const app = await directory(ctx).app(console_.sandbox.appId)
    const actor = {
      kind: 'person',
      id: 'per_long',
      name: 'a.rather.long.name@department.example.com',
      address: '2001:db8:1234:5678:9abc:def0:1234:5678',
      requestId: 'req_0123456789abcdefghijklmnop',
    } as const
    await audit(acting(ctx, actor), ctx.db, {
      licenseId: app?.licenseId ?? '',
      action: 'webhook_secret.rotated',
      target: 'customer:a-very-long-id-of-a-customer-0123456789',
      before: { paymentWebhookUrl: null },
      after: { paymentWebhookUrl: 'https://shop.example.com/a/long/path/of/webhooks?with=query' },
    })
    const window = await console_.open(browser, 'Owner', { viewport: { width, height: 900 } })
    await window.page.goto(`${console_.origin}/console/${console_.sandbox.appId}/audit`)
    const table = window.page.locator('#audit-table')
    expect(await table.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
    await window.close()
  })
})
