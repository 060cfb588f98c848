import { expect, it } from 'vitest'
import { apiWorld, testApi } from '../../test/support/api.ts'
import type { TestContext } from '../../test/support/context.ts'
import { MINUTE, SECOND } from '../base/clock.ts'
import { merchantRoutes } from './routes.ts'

const routes = (ctx: TestContext) => merchantRoutes(ctx)
const world = apiWorld(routes)

const read = (authorization?: string, appId = world.sandbox.appId) =>
  world.api.ask(
    'GET',
    `/api/apps/${appId}`,
    authorization === undefined ? {} : { headers: { authorization } },
  )

it('takes the scheme word in any case', async () => {
  for (const word of ['Bearer', 'bearer', 'BEARER'])
    expect((await read(`${word} ${world.sandbox.apiKey}`)).status).toBe(200)
})

it('answers 401 with WWW-Authenticate to no, malformed and unknown keys', async () => {
  const key = world.sandbox.apiKey
  const bad = [
    undefined,
    '',
    'Bearer',
    key,
    `Basic ${key}`,
    `Bearer ${key} x`,
    `Bearer ${key}x`,
    'Bearer sk_live_x',
    `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    `Bearer ${key.toUpperCase()}`,
  ]
  for (const authorization of bad) {
    const reply = await read(authorization)
    expect([authorization, reply.status, reply.headers['www-authenticate']]).toEqual([
      authorization,
      401,
      'Bearer',
    ])
    expect(reply.json).toMatchObject({ code: 'unauthorized', TypeName: 'Unauthorized' })
  }
})

it('answers 403 to the key of another app, the same whether the app exists or not', async () => {
  const strip = ({ requestId: _, ...rest }: Record<string, unknown>) => rest
  const exists = await read(`Bearer ${world.sandbox.apiKey}`, world.live.appId)
  const not = await read(`Bearer ${world.sandbox.apiKey}`, 'app_000000000000')
  expect([exists.status, not.status]).toEqual([403, 403])
  expect(strip(exists.json)).toEqual(strip(not.json))
  expect((await read(`Bearer ${world.sandbox.apiKey}`, '%00')).status).toBe(403)
})

it('notes the last use, at most once a minute', async () => {
  const used = async () => {
    const reply = await world.ask('GET', '/api-keys')
    return reply.json[0].lastUsedTime
  }
  await expect.poll(used).not.toBeNull()
  const first = await used()
  world.ctx.clock.advance(30 * SECOND)
  await used()
  expect(await used()).toBe(first)
  world.ctx.clock.advance(MINUTE)
  await expect.poll(used).not.toBe(first)
})

it('limits the rate of each key, says so in headers, and lets it go on later', async () => {
  const limited = await testApi(world.ctx, {
    routes: routes(world.ctx),
    keyPolicy: { name: 'key', perSecond: 2, burst: 4 },
    strangerPolicy: { name: 'address', perSecond: 1, burst: 2 },
  })
  const once = (key = world.sandbox.apiKey, appId = world.sandbox.appId) =>
    limited.ask('GET', `/api/apps/${appId}`, { key })
  const first = await once()
  expect(first.headers['ratelimit-policy']).toBe('"key";q=4;w=2')
  expect(first.headers.ratelimit).toBe('"key";r=3;t=1')
  for (let i = 0; i < 3; i++) expect((await once()).status).toBe(200)
  const refused = await once()
  expect([refused.status, refused.json.code]).toEqual([429, 'too_many_requests'])
  expect(refused.headers['retry-after']).toBe('1')
  expect(refused.headers.ratelimit).toBe('"key";r=0;t=2')
  expect((await once(world.live.apiKey, world.live.appId)).status).toBe(200)
  world.ctx.clock.advance(SECOND)
  expect((await once()).status).toBe(200)
  expect((await once(world.sandbox.apiKey, world.live.appId)).headers.ratelimit).toBe('"key";r=0;t=2')
  const strangers = [await once('bad'), await once('bad'), await once('bad')]
  expect(strangers.map(({ status }) => status)).toEqual([401, 401, 429])
  await limited.close()
})
