import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '../../../src/audit/audit.ts'
import { acting } from '../../../src/context.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let console_: TestConsole
beforeAll(async () => {
  console_ = await startTestConsole('console_audit')
  const { ctx } = console_.tender.service
  const app = await ctx.node.directory.app(console_.sandbox.appId)
  const actor = {
    kind: 'person',
    id: 'per_anna',
    name: '=cmd()',
    address: '192.0.2.7',
    requestId: 'req_77',
  } as const
  for (const place of Array.from({ length: 60 }).keys())
    await audit(acting(ctx, actor), ctx.db, {
      licenseId: app?.licenseId ?? '',
      appId: app?.appId ?? '',
      action: place % 2 ? 'key.created' : 'profile.changed',
      target: `thing:${place}`,
      before: { name: '<script>alert(1)</script>' },
      after: { name: 'Shop' },
    })
})
afterAll(() => console_?.stop())

it('shows entries newest first, in pages', async () => {
  const first = await console_.get('Owner', 'audit')
  expect(first.status).toBe(200)
  expect(first.html).toContain('thing:59')
  expect(first.html).not.toContain('thing:9<')
  const next = /href="[^"]*(audit\?cursor=\d+)" rel="next"/.exec(first.html)?.[1] ?? ''
  expect((await console_.get('Owner', next)).html).toContain('thing:9<')
})

it('escapes what people wrote', async () => {
  expect((await console_.get('Owner', 'audit')).html).not.toContain('<script>alert')
})

it('filters by action, actor and target', async () => {
  const { html } = await console_.get('Owner', 'audit?action=key.created')
  expect(html).toContain('thing:59')
  expect(html).not.toContain('thing:58')
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
