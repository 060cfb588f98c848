import { expect, it } from 'vitest'
import { apiWorld, testApi, testLicense } from '../../../test/support/api.ts'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { auditEntries } from '../../audit/audit.ts'
import { HOUR, MINUTE, SECOND } from '../../base/clock.ts'
import { acting } from '../../context.ts'
import { sql } from '../../db/database.ts'
import { loadApp } from '../directory.ts'
import { merchantRoutes } from '../routes.ts'
import { createKey, revokeKey } from './commands.ts'

const routes = (ctx: TestContext) => merchantRoutes(ctx)
const world = apiWorld(routes)

it('API keys are shown once when created, and listed without the secret', async () => {
  const made = await world.ask('POST', '/api-keys', { name: 'Second', expiresTime: '2030-01-01T00:00:00Z' })
  expect(made.status).toBe(201)
  expect(made.json).toMatchObject({
    name: 'Second',
    expiresTime: '2030-01-01T00:00:00.000Z',
    lastUsedTime: null,
  })
  expect((await world.ask('GET', '', undefined, made.json.apiKey)).status).toBe(200)
  const list = await world.ask('GET', '/api-keys')
  expect(list.status).toBe(200)
  expect(list.text).not.toContain(made.json.apiKey)
  expect(list.json).toContainEqual(
    expect.objectContaining({ keyId: made.json.keyId, hint: made.json.apiKey.slice(-4) }),
  )
  expect((await world.ask('POST', '/api-keys')).status).toBe(201)
})

it('API keys can be limited to scopes, which a rotated key keeps', async () => {
  const made = await world.ask('POST', '/api-keys', { name: 'Shop', scopes: ['refunds', 'read'] })
  expect(made.json).toMatchObject({ scopes: ['read', 'refunds'] })
  const { keyId, apiKey } = made.json
  expect((await world.ask('GET', '', undefined, apiKey)).status).toBe(200)
  const refused = await world.ask('POST', '/api-keys', {}, apiKey)
  expect(refused.json).toMatchObject({ status: 403, code: 'key_scope' })
  expect(refused.json.detail).toBe('The API key may not do this. It needs full access.')
  const patch = await world.ask('PATCH', '', { friendlyName: 'Other' }, apiKey)
  expect(patch.json.detail).toBe('The API key may not do this. It needs the scope settings.')
  const rotated = await world.ask('POST', `/api-keys/${keyId}/rotate`)
  expect(rotated.json.scopes).toEqual(['read', 'refunds'])
  expect((await world.ask('PATCH', '', {}, rotated.json.apiKey)).status).toBe(403)
  for (const scopes of [[], ['all'], 'read'])
    expect((await world.ask('POST', '/api-keys', { scopes })).status).toBe(400)
  // Full access is given only when it is asked for.
  for (const least of [{}, { scopes: null }, { fullAccess: false }])
    expect((await world.ask('POST', '/api-keys', least)).json.scopes).toEqual(['read'])
  expect((await world.ask('POST', '/api-keys', { fullAccess: true })).json.scopes).toBe(null)
  const both = await world.ask('POST', '/api-keys', { fullAccess: true, scopes: ['read'] })
  expect(both.json).toMatchObject({ status: 400, errors: [{ field: 'fullAccess' }] })
})

it('API keys show when and from where they were used last', async () => {
  const { json } = await world.ask('POST', '/api-keys', { name: 'Used' })
  expect(json).toMatchObject({ lastUsedTime: null, lastUsedAddress: null })
  await world.ask('GET', '', undefined, json.apiKey)
  const shown = async () =>
    (await world.ask('GET', '/api-keys')).json.find((key: { keyId: string }) => key.keyId === json.keyId)
  await expect
    .poll(shown)
    .toMatchObject({ lastUsedTime: expect.stringContaining('Z'), lastUsedAddress: '127.0.0.1' })
})

it('API keys are stored only as a hash', async () => {
  const rows = await world.ctx.db.query(sql('test.keys', 'select api_keys::text as row from api_keys'))
  expect(JSON.stringify(rows)).not.toContain(world.sandbox.apiKey.slice(-32))
})

it('API keys expire', async () => {
  const expiresTime = new Date(world.ctx.clock.now().getTime() + HOUR).toISOString()
  const { json } = await world.ask('POST', '/api-keys', { expiresTime })
  expect((await world.ask('GET', '', undefined, json.apiKey)).status).toBe(200)
  world.ctx.clock.advance(HOUR)
  expect((await world.ask('GET', '', undefined, json.apiKey)).status).toBe(401)
  expect((await world.ask('POST', '/api-keys', { expiresTime: '2020-01-01T00:00:00Z' })).status).toBe(422)
  for (const bad of ['tomorrow', 5, '2030-01-01'])
    expect((await world.ask('POST', '/api-keys', { expiresTime: bad })).json).toMatchObject({
      status: 400,
      errors: [{ field: 'expiresTime' }],
    })
})

it('API keys rotate with an overlap', async () => {
  const { json: old } = await world.ask('POST', '/api-keys', { name: 'Rotating' })
  const made = await world.ask('POST', `/api-keys/${old.keyId}/rotate`, { overlapSeconds: 60 })
  expect([made.status, made.json.name]).toEqual([201, 'Rotating'])
  const works = async (key: string) => (await world.ask('GET', '', undefined, key)).status
  expect([await works(old.apiKey), await works(made.json.apiKey)]).toEqual([200, 200])
  world.ctx.clock.advance(MINUTE)
  expect([await works(old.apiKey), await works(made.json.apiKey)]).toEqual([401, 200])
  expect((await world.ask('POST', `/api-keys/${old.keyId}/rotate`)).json).toMatchObject({ status: 422 })
  expect((await world.ask('POST', '/api-keys/key_none/rotate')).status).toBe(404)
  const tooLong = await world.ask('POST', `/api-keys/${made.json.keyId}/rotate`, { overlapSeconds: 604_801 })
  expect(tooLong.json).toMatchObject({ status: 400, errors: [{ field: 'overlapSeconds' }] })
})

it('revoked API keys stop immediately on this node and within a second on other nodes', async () => {
  const node = await testContext({ sharing: world.ctx })
  const other = await testApi(node, { routes: routes(node) })
  const { json } = await world.ask('POST', '/api-keys')
  const there = async () =>
    (await other.ask('GET', `/api/apps/${world.sandbox.appId}`, { key: json.apiKey })).status
  expect(await there()).toBe(200)
  const revoked = await world.ask('DELETE', `/api-keys/${json.keyId}`)
  expect([revoked.status, revoked.json.revokedTime]).toEqual([200, world.ctx.clock.now().toISOString()])
  expect((await world.ask('GET', '', undefined, json.apiKey)).status).toBe(401)
  world.ctx.clock.advance(SECOND - 1)
  expect(await there()).toBe(401)
  expect((await world.ask('DELETE', '/api-keys/key_none')).status).toBe(404)
  await other.close()
  await node.close()
})

it('an app has at most 50 active API keys, also under concurrent requests', async () => {
  const { license, sandbox } = await testLicense(world.ctx)
  const path = `/api/apps/${sandbox.appId}/api-keys`
  const make = (key = sandbox.apiKey, body: object = {}) => world.api.ask('POST', path, { key, body })
  const expiresTime = new Date(world.ctx.clock.now().getTime() + HOUR).toISOString()
  const expiring = await make(sandbox.apiKey, { expiresTime })
  const made = await Promise.all(Array.from({ length: 60 }, () => make()))
  const statuses = made.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(48)
  expect(statuses.filter((status) => status === 409)).toHaveLength(12)
  const refused = made.find(({ status }) => status === 409)
  expect(refused?.json).toMatchObject({
    code: 'too_many_api_keys',
    detail: 'The app has 50 active API keys and may have 50. Revoke one first.',
  })

  // During the overlap a rotation adds one key; without overlap it replaces the old key.
  const rotate = (overlapSeconds: number) =>
    world.api.ask('POST', `${path}/${expiring.json.keyId}/rotate`, {
      key: sandbox.apiKey,
      body: { overlapSeconds },
    })
  expect((await rotate(60)).json).toMatchObject({ status: 409, code: 'too_many_api_keys' })
  expect((await world.api.ask('GET', path, { key: expiring.json.apiKey })).status).toBe(200)
  const rotated = await rotate(0)
  expect(rotated.status).toBe(201)
  expect((await make()).status).toBe(409)

  // Revoked and expired keys are not counted, nor is the licence's own key.
  await world.api.ask('DELETE', `${path}/${rotated.json.keyId}`, { key: sandbox.apiKey })
  expect((await make(sandbox.apiKey, { expiresTime })).status).toBe(201)
  expect((await make()).status).toBe(409)
  const licensed = await world.api.ask('GET', `/api/licenses/${license.licenseId}`, {
    key: license.authorizationCode,
  })
  const [{ authorizationCode }] = licensed.json
  expect((await world.api.ask('GET', path, { key: authorizationCode })).status).toBe(200)
  world.ctx.clock.advance(HOUR)
  expect((await make(authorizationCode)).status).toBe(201)
  expect((await make()).status).toBe(409)
})

it('a key keeps the person who made it, and its changes are in the audit log', async () => {
  const app = await loadApp(world.ctx, world.sandbox.appId)
  if (!app) throw new Error('the app exists')
  const actor = { kind: 'person', id: 'per_1', name: 'a@b.example', address: '::1', requestId: 'r' } as const
  const anna = acting(world.ctx, { ...actor, grants: ['read'] })
  const { row } = await createKey(anna, app, { name: 'Hers', scopes: ['read'] })
  const listed = (await world.ask('GET', '/api-keys')).json
  expect(listed).toContainEqual(expect.objectContaining({ keyId: row.keyId, createdBy: 'per_1' }))
  const rotated = await world.ask('POST', `/api-keys/${row.keyId}/rotate`, { overlapSeconds: 0 })
  expect(rotated.json.createdBy).toBe('per_1')
  await revokeKey(anna, app, rotated.json.keyId)
  const entries = await auditEntries(world.ctx, app.licenseId, { limit: 3 })
  expect(entries.map(({ action, actor: { kind } }) => [action, kind])).toEqual([
    ['key.revoked', 'person'],
    ['key.rotated', 'key'],
    ['key.created', 'person'],
  ])
  expect(JSON.stringify(entries)).not.toContain(rotated.json.apiKey)
})
