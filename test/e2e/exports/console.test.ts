import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { exportJobs } from '../../../src/exports/jobs.ts'
import { columnsOf, KIND_NAMES } from '../../../src/exports/kinds.ts'
import { EXPORTS } from '../../../src/exports/limits.ts'
import type { Role } from '../../../src/people/access/roles.ts'
import { CONSOLE_LANGUAGES } from '../../../src/web/kit/texts/languages.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'

let server: MailServer
let world: TestConsole
beforeAll(async () => {
  server = await startMailServer()
  world = await startTestConsole('console_exports', { role: 'web', config: { mail: server.mail } })
})
afterAll(async () => {
  await world?.stop()
  await server?.stop()
})

type Fields = readonly (readonly [name: string, value: string])[]

/** A form with several fields of one name. */
async function post(role: Role, path: string, fields: Fields) {
  const { html } = await world.get(role, path)
  const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const reply = await fetch(`${world.origin}/console/${world.sandbox.appId}/${path}`, {
    method: 'POST',
    body: new URLSearchParams([['form', form], ...fields.map((field) => [...field])]),
    headers: { cookie: `console=${world.tokens[role]}` },
    redirect: 'manual',
  })
  return { status: reply.status, html: await reply.text(), location: reply.headers.get('location') ?? '' }
}

const ticked = (html: string): string[] =>
  [...html.matchAll(/name="columns" value="(\w+)" checked/g)].map(([, name]) => name ?? '')

const columns = (...names: string[]): Fields => names.map((name) => ['columns', name] as const)

it('each column has a name in every language', () => {
  const names = KIND_NAMES.filter((kind) => kind !== 'everything').flatMap((kind) => columnsOf(kind))
  for (const { texts } of CONSOLE_LANGUAGES)
    expect(names.filter((name) => !Object.hasOwn(texts.exports.columnNames, name))).toEqual([])
})

describe('the form of an export', () => {
  it('orders columns without script, downloads a small file and remembers the choice', async () => {
    await world.sandbox.paid({ referenceId: 'INV-1' })
    const chosen: Fields = [['kind', 'payments'], ['period', 'all'], ...columns('amount', 'currency', 'net')]
    const moved = await post('Viewer', 'exports/new', [...chosen, ['act', 'up:net']])
    expect([moved.status, ticked(moved.html)]).toEqual([200, ['amount', 'net', 'currency']])
    const none = await post('Viewer', 'exports/new', [
      ['kind', 'payments'],
      ['act', 'make'],
    ])
    expect([none.status, none.html.includes('must have at least one column')]).toEqual([400, true])
    const made = await post('Viewer', 'exports/new', [...chosen, ['separator', 'semicolon'], ['act', 'make']])
    expect(made.location).toMatch(/\/exports\/exp_\w+\/file$/)
    expect((await world.get('Viewer', made.location)).html.split('\r\n')[0]).toBe('amount;currency;net')
    const { html } = await world.get('Viewer', 'exports/new?kind=payments')
    expect(ticked(html)).toEqual(['amount', 'currency', 'net'])
    expect(html).toMatch(/value="semicolon" selected/)
    expect(ticked((await world.get('Owner', 'exports/new')).html)).toContain('providerPaymentId')
  })

  it('takes over the filter of the list', async () => {
    await world.sandbox.create({ referenceId: 'INV-2' })
    const list = await world.get('Viewer', 'payments?q=ref:INV-2')
    expect(list.html).toContain('name="query" value="q=ref:INV-2"')
    const path = 'exports/new?kind=payments&query=q%3Dref%3AINV-2'
    expect((await world.get('Viewer', path)).html).toContain('q=ref:INV-2')
    const fields: Fields = [
      ['kind', 'payments'],
      ['query', 'q=ref:INV-2'],
      ['period', 'all'],
    ]
    const { location } = await post('Viewer', 'exports/new', [...fields, ...columns('referenceId')])
    expect((await world.get('Viewer', location)).html).toBe('referenceId\r\nINV-2\r\n')
  })

  it('offers the kinds that the role may read, and no file of others', async () => {
    const kinds = async (role: Role) =>
      [...(await world.get(role, 'exports/new')).html.matchAll(/exports\/new\?kind=(\w+)"/g)].map(
        ([, k]) => k,
      )
    expect(await kinds('Support')).toEqual(['payments', 'refunds', 'disputes', 'customers', 'links'])
    expect(await kinds('Developer')).toContain('events')
    const fields: Fields = [['kind', 'events'], ['period', 'all'], ...columns('eventId')]
    const { location } = await post('Developer', 'exports/new', fields)
    expect((await world.get('Developer', location)).html).toContain('evt_')
    expect((await world.get('Support', location)).status).toBe(404)
    expect((await world.get('Support', 'exports')).html).not.toContain('Events')
    // Only who made it, or a member who may change settings, removes it.
    const remove = location.replace(/^.*(exports\/.*)\/file$/, '$1/remove')
    expect((await world.post('Viewer', remove, {}, 'exports')).status).toBe(404)
    expect((await world.post('Owner', remove, {}, 'exports')).location).toMatch(/note=removed$/)
  })
})

describe('a large export', () => {
  it('shows its progress; its person gets a notice, and an e-mail with a link without a secret', async () => {
    const { ctx } = world.tender.service
    const query = (name: string, text: string, values: readonly unknown[]) =>
      ctx.db.query(sql<{ count: number }>(`test.${name}`, text), values)
    const count = EXPORTS.pagesAtOnce * EXPORTS.pageRows + 1
    await query(
      'customers',
      `insert into customers (app_id, customer_id, created_time)
       select $1, 'past ' || n, $2::timestamptz - n * interval '1 second'
       from generate_series(1, $3::integer) n`,
      [world.sandbox.appId, ctx.clock.now(), count],
    )
    const fields: Fields = [['kind', 'customers'], ['period', 'all'], ...columns('customerId')]
    expect((await post('Manager', 'exports/new', fields)).location).toMatch(/note=started$/)
    const before = await world.get('Manager', 'exports')
    expect(before.html).toMatch(/data-poll="[^"]+\/exports\/list"/)
    expect(before.html).toContain('5,000')
    await exportJobs(ctx)[0]?.runOnce()
    await ctx.background.settled()
    const after = await world.get('Manager', 'exports/list')
    expect(after.html).toContain('data-poll-done')
    expect((await world.get('Manager', 'notices')).html).toMatch(
      /Your export is ready: Customers, 5,\d+ rows\./,
    )
    expect((await world.get('Owner', 'notices')).html).toContain('No notices')
    const mails = 'select count(*)::integer as count from mails where kind = $1 and mail_id like $2'
    expect(await query('mails', mails, ['export-ready', '%:usr_manager'])).toEqual([{ count: 1 }])
    expect(await query('mails', mails, ['export-ready', '%'])).toEqual([{ count: 1 }])
  })
})

it('a member with a role of the merchant is told of the exports that the role may read', async () => {
  const { ctx } = world.tender.service
  await post('Owner', 'team/roles/new', [
    ['name', 'Ledger clerk'],
    ['PaymentRead', 'yes'],
  ])
  const permissions = (await world.get('Owner', 'team/permissions')).html
  const role = /team\/roles\/(role_\w+)/.exec(permissions)?.[1] ?? ''
  await post('Owner', 'team/members/usr_viewer/role', [['role', role]])
  const fields: Fields = [
    ['kind', 'payments'],
    ['every', 'day'],
    ['recipients', 'usr_viewer'],
  ]
  const made = await post('Viewer', 'exports/schedules/new', [...fields, ...columns('currency')])
  expect(made.location).toMatch(/note=scheduled$/)
  await world.sandbox.advance('25h')
  for (const name of ['export schedules', 'exports'])
    await exportJobs(ctx)
      .find((job) => job.name === name)
      ?.runOnce()
  await ctx.background.settled()
  const text = `select count(*)::integer as count from mails where kind = 'export-ready' and mail_id like $1`
  expect(await ctx.db.query(sql('test.told', text), ['%:usr_viewer'])).toEqual([{ count: 1 }])
  expect((await world.get('Viewer', 'notices')).html).toContain('export is ready')
  await post('Owner', 'team/members/usr_viewer/role', [['role', 'Viewer']])
})
