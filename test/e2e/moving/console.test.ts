import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Role } from '../../../src/people/access/roles.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { csvFile, runImports } from '../../support/imports.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_imports', { role: 'web' })
})
afterAll(() => world?.stop())

async function send(role: Role, file: string, fields: Record<string, string> = {}) {
  const path = 'exports/imports/new'
  const { html } = await world.get(role, path)
  const body = new FormData()
  body.set('form', /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '')
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('file', new Blob([file]), 'C:\\shop <b>.csv')
  const reply = await fetch(`${world.origin}/console/${world.sandbox.appId}/${path}`, {
    ...{ method: 'POST', body, redirect: 'manual' as const },
    headers: { cookie: `console=${world.tokens[role]}` },
  })
  return { status: reply.status, html: await reply.text(), location: reply.headers.get('location') ?? '' }
}

const FILE = csvFile([
  { kind: 'customer', customerId: 'c-1', firstName: 'Ada' },
  { kind: 'customer', customerId: 'c-2', firstName: 'Ada', createdTime: 'yesterday' },
])

it('a file is checked first and imported then, and each wrong line is named', async () => {
  const dry = await send('Owner', FILE)
  expect([dry.status, dry.location]).toEqual([303, expect.stringMatching(/\/exports\/imports\/imp_\w+$/)])
  await runImports(world.tender.service)
  const page = (await world.get('Owner', dry.location)).html
  expect(page).toContain('<h1>shop &lt;b>.csv</h1>')
  expect(page).toMatch(/Would be added<\/dt><dd>1</)
  expect(page).toContain('createdTime does not have the expected form.')
  expect((await world.sandbox.call('GET', 'customers/c-1')).status).toBe(404)

  const real = await send('Owner', FILE, { mode: 'real' })
  await runImports(world.tender.service)
  expect((await world.get('Owner', real.location)).html).toMatch(/Added<\/dt><dd>1</)
  expect((await world.sandbox.call('GET', 'customers/c-1')).status).toBe(200)
  const list = (await world.get('Owner', 'exports/imports')).html
  expect(list.match(/imports\/imp_/g)?.length).toBeGreaterThanOrEqual(2)
})

it('a wrong file or key is told beside its field, and the key is never shown', async () => {
  const key = await send('Owner', FILE, { sealingKey: 'abc' })
  expect([key.status, key.html.includes('64 hexadecimal digits')]).toEqual([400, true])
  expect(key.html).not.toContain('value="abc"')
  const none = await send('Owner', '')
  expect([none.status, none.html.includes('Choose a file.')]).toEqual([400, true])
  const other = await send('Owner', 'a,b\r\n1,2\r\n')
  expect([other.status, other.html.includes('The header has no column')]).toEqual([422, true])
})

it('everything is exported with a key, by those who may', async () => {
  const refused = await world.post('Owner', 'exports/everything', { sealingKey: '' })
  expect(refused.status).toBe(400)
  const made = await world.post('Owner', 'exports/everything', { sealingKey: 'ab'.repeat(32) })
  expect(made.location).toMatch(/exports\?note=started$/)
  expect((await world.get('Owner', 'exports')).html).toContain('Everything')
  for (const path of ['exports/imports', 'exports/everything'])
    expect((await world.get('Manager', path)).status).toBe(403)
  expect((await world.get('Manager', 'exports')).html).not.toContain('exports/everything')
})
