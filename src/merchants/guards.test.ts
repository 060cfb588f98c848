import { describe, expect, it } from 'vitest'
import { apiWorld, testApi, testLicense } from '../../test/support/api.ts'
import type { TestContext } from '../../test/support/context.ts'
import { parseRanges } from '../base/addresses.ts'
import { MINUTE, SECOND } from '../base/clock.ts'
import { appPart, randomText, systemRandom } from '../base/ids.ts'
import type { Context } from '../context.ts'
import { createNodeState } from '../node/slot.ts'
import { merchantRoutes } from './routes.ts'

const routes = (ctx: TestContext) => merchantRoutes(ctx)
const world = apiWorld(routes)

const read = (authorization?: string, appId = world.sandbox.appId) =>
  world.api.ask(
    'GET',
    `/api/apps/${appId}`,
    authorization === undefined ? {} : { headers: { authorization } },
  )

it('accepts the scheme in any case', async () => {
  for (const word of ['Bearer', 'bearer', 'BEARER'])
    expect((await read(`${word} ${world.sandbox.apiKey}`)).status).toBe(200)
})

it('returns 401 with WWW-Authenticate for missing, malformed and unknown keys', async () => {
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

it('returns the same 403 for the key of another app, whether the app exists or not', async () => {
  const strip = ({ requestId: _, ...rest }: Record<string, unknown>) => rest
  const exists = await read(`Bearer ${world.sandbox.apiKey}`, world.live.appId)
  const not = await read(`Bearer ${world.sandbox.apiKey}`, 'app_000000000000')
  expect([exists.status, not.status]).toEqual([403, 403])
  expect(strip(exists.json)).toEqual(strip(not.json))
  expect((await read(`Bearer ${world.sandbox.apiKey}`, '%00')).status).toBe(403)
})

it('records the last use, at most once a minute', async () => {
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

it('limits the rate of each key, reports it in headers, and allows requests again later', async () => {
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

it('limits all keys of an app together, and reports the limit that is nearer', async () => {
  const { sandbox, live } = await testLicense(world.ctx)
  const limited = await testApi(world.ctx, {
    routes: routes(world.ctx),
    keyPolicy: { name: 'key', perSecond: 2, burst: 4 },
    appPolicy: { name: 'app', perSecond: 3, burst: 6 },
  })
  const path = `/api/apps/${sandbox.appId}`
  const keys = [sandbox.apiKey]
  for (let n = 0; n < 2; n++)
    keys.push((await world.api.ask('POST', `${path}/api-keys`, { key: sandbox.apiKey })).json.apiKey)
  const [first = '', second = '', third = ''] = keys
  const once = (key: string) => limited.ask('GET', path, { key })
  for (let n = 0; n < 4; n++) expect((await once(first)).headers.ratelimit).toContain('"key";r=')
  expect([(await once(first)).status, (await once(first)).status]).toEqual([429, 429])
  // A request refused by one limit does not count for the other.
  const fifth = await once(second)
  expect([fifth.status, fifth.headers['ratelimit-policy']]).toEqual([200, '"app";q=6;w=2'])
  expect(fifth.headers.ratelimit).toBe('"app";r=1;t=2')
  expect((await once(second)).status).toBe(200)
  const refused = await once(third)
  expect([refused.status, refused.headers.ratelimit]).toEqual([429, '"app";r=0;t=2'])
  expect((await limited.ask('GET', `/api/apps/${live.appId}`, { key: live.apiKey })).status).toBe(200)
  world.ctx.clock.advance(SECOND)
  const again = await once(third)
  // Requests refused by the app's limit did not count for the key.
  expect([again.status, again.headers.ratelimit]).toEqual([200, '"app";r=2;t=2'])
  await limited.close()
})

it('parses an Authorization header of many spaces in linear time', async () => {
  const spaces = ' '.repeat(15_000)
  expect((await read(`Bearer x${spaces}y`)).status).toBe(401)
})

describe('unknown keys', () => {
  const strangerPolicy = { name: 'address', perSecond: 1, burst: 5 }

  /** A separate node that counts its reads of keys and licences. */
  async function countingApi() {
    const reads = { count: 0 }
    const { db } = world.ctx
    const query: Context['db']['query'] = (statement, values) => {
      if (['directory.key', 'licenses.list_codes'].includes(statement.name)) reads.count++
      return db.query(statement, values)
    }
    const base = { ...world.ctx, db: { ...db, query } }
    const ctx = { ...base, node: createNodeState(base) }
    const trust = { proxies: parseRanges('127.0.0.1') ?? [], header: 'x-forwarded-for' }
    const api = await testApi(ctx, { routes: merchantRoutes(ctx), strangerPolicy, trust })
    const ask = (appId: string, key: string, address = '198.51.100.1') =>
      api.ask('GET', `/api/apps/${appId}`, { key, headers: { 'x-forwarded-for': address } })
    return { api, reads, ask }
  }

  const wrongKey = (appId: string) => `sk_live_${appPart(appId)}${randomText(systemRandom, 32)}`

  it('cost a bounded number of reads, and do not count against known keys', async () => {
    const { api, reads, ask } = await countingApi()
    const { sandbox, live } = await testLicense(world.ctx)
    expect((await ask(sandbox.appId, sandbox.apiKey)).status).toBe(200)
    reads.count = 0
    const guesses = Array.from({ length: 40 }, () =>
      ask(sandbox.appId, wrongKey(`app_${randomText(systemRandom, 12)}`)),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(35)
    expect(reads.count).toBe(5)
    // A key known to this node, also after its cache entry has expired.
    world.ctx.clock.advance(SECOND / 2)
    expect((await ask(sandbox.appId, sandbox.apiKey)).status).toBe(200)
    // A new key of an app known to this node.
    const made = await world.api.ask('POST', `/api/apps/${sandbox.appId}/api-keys`, { key: sandbox.apiKey })
    expect((await ask(sandbox.appId, made.json.apiKey)).status).toBe(200)
    // From another network.
    expect((await ask(live.appId, live.apiKey, '198.51.100.2')).status).toBe(200)
    await api.close()
  })

  it('are limited at the address even for an app that exists', async () => {
    const { api, reads, ask } = await countingApi()
    const { sandbox } = await testLicense(world.ctx)
    expect((await ask(sandbox.appId, sandbox.apiKey)).status).toBe(200)
    reads.count = 0
    for (let n = 0; n < 20; n++) await ask(sandbox.appId, wrongKey(sandbox.appId))
    expect(reads.count).toBe(5)
    expect((await ask(sandbox.appId, sandbox.apiKey)).status).toBe(200)
    await api.close()
  })

  it('are counted by the first half of an IPv6 address', async () => {
    const { api, ask } = await countingApi()
    const statuses: number[] = []
    for (let n = 1; n <= 6; n++) statuses.push((await ask('app_x', 'bad', `2001:db8:1:2::${n}`)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await ask('app_x', 'bad', '2001:db8:1:3::1')).status).toBe(401)
    await api.close()
  })

  it('of licences are also limited before the read', async () => {
    const { api, reads } = await countingApi()
    const { license } = await testLicense(world.ctx)
    const ask = (key: string) => api.ask('GET', `/api/licenses/${license.licenseId}`, { key })
    expect((await ask(license.authorizationCode)).status).toBe(200)
    reads.count = 0
    for (let n = 0; n < 20; n++) await ask(`lc_${n}`)
    expect(reads.count).toBe(5)
    expect((await ask(license.authorizationCode)).status).toBe(200)
    await api.close()
  })
})
