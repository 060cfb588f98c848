import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let site: TestConsole
beforeAll(async () => {
  site = await startTestConsole('e2e_console_licenses')
})
afterAll(() => site?.stop())

const best = async (role: 'Owner' | 'Viewer', query = '') => {
  const { status, html } = await site.get(role, `/api/licenses/best-license${query}`)
  return { status, body: JSON.parse(html) }
}

it('the best licence of a person is answered with its apps', async () => {
  const { status, body } = await best('Viewer')
  expect([status, body.licenseName]).toEqual([200, 'Acme'])
  expect(body.apps.map(({ appId }: { appId: string }) => appId).sort()).toEqual(
    [site.sandbox.appId, site.live.appId].sort(),
  )
})

it('with generateBot it is a list with working API keys, for those who manage the licence', async () => {
  const { status, body } = await best('Owner', '?generateBot=true')
  expect(status).toBe(200)
  const sandbox = body.find(({ isSandbox }: { isSandbox: boolean }) => isSandbox)
  expect(sandbox.appId).toBe(site.sandbox.appId)
  const read = await fetch(`${site.origin}/api/apps/${sandbox.appId}`, {
    headers: { authorization: `Bearer ${sandbox.authorizationCode}` },
  })
  expect(read.status).toBe(200)
  expect((await best('Viewer', '?generateBot=true')).status).toBe(403)
})

it('needs a session', async () => {
  expect((await fetch(`${site.origin}/api/licenses/best-license`)).status).toBe(401)
})
