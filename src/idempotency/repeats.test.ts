import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApi, testApi, testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { DAY, SECOND } from '../base/clock.ts'
import { ApiError, ERRORS, type ErrorCode } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { sql } from '../db/database.ts'
import { appRoute } from '../merchants/app-route.ts'
import { merchantRoutes } from '../merchants/routes.ts'
import { operatorRoutes } from '../people/licenses/operator-routes.ts'
import { idempotencyJob } from './jobs.ts'
import { createRepeats } from './repeats.ts'

let ctx: TestContext
let service: TestApi
let sandbox: Awaited<ReturnType<typeof testLicense>>['sandbox']
let live: Awaited<ReturnType<typeof testLicense>>['live']

let runs = 0
let behave: () => Promise<unknown> = async () => undefined

beforeAll(async () => {
  ctx = await testContext()
  const counting = appRoute({
    method: 'POST',
    path: '/count',
    summary: 'Count',
    tag: 'Test',
    status: 201,
    handler: async () => {
      runs++
      return (await behave()) ?? { runs }
    },
  })
  const routes = [counting, ...merchantRoutes(ctx), ...operatorRoutes(ctx)]
  service = await testApi(ctx, { routes, repeats: createRepeats(ctx) })
  const license = await testLicense(ctx)
  sandbox = license.sandbox
  live = license.live
})
afterAll(async () => {
  await service.close()
  await ctx.close()
})

const count = (
  idempotencyKey: string,
  body: unknown = {},
  { prefix = '/api', query = '', app = sandbox } = {},
) =>
  service.ask('POST', `${prefix}/apps/${app.appId}/count${query}`, {
    key: app.apiKey,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  })

it('returns the stored response for the same key and body', async () => {
  const first = await count('same', { a: 1 })
  const again = await count('same', { a: 1 })
  const twin = await count('same', { a: 1 }, { prefix: '/api/v1' })
  expect(first.status).toBe(201)
  expect(first.headers['idempotent-replayed']).toBeUndefined()
  for (const repeat of [again, twin]) {
    expect([repeat.status, repeat.text]).toEqual([201, first.text])
    expect(repeat.headers['idempotent-replayed']).toBe('true')
    expect(repeat.headers['content-type']).toBe(first.headers['content-type'])
  }
})

it('returns 422 for the same key with another body or query', async () => {
  await count('other', { a: 1 })
  const before = runs
  expect((await count('other', { a: 2 })).json).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  expect((await count('other', { a: 1 }, { query: '?x=1' })).status).toBe(422)
  expect(runs).toBe(before)
})

it('scopes keys to an app', async () => {
  const [a, b] = [await count('apart'), await count('apart', {}, { app: live })]
  expect(a.json.runs).not.toBe(b.json.runs)
})

it('returns 409 while the first request runs, and its response afterwards', async () => {
  let finish = () => {}
  const running = new Promise<void>((resolve) => {
    finish = resolve
  })
  behave = () => running
  const before = runs
  const first = count('parallel')
  await expect.poll(() => runs).toBe(before + 1)
  const second = await count('parallel')
  expect([second.status, second.json.code, second.headers['retry-after']]).toEqual([
    409,
    'idempotency_key_in_use',
    '1',
  ])
  behave = async () => undefined
  finish()
  const answer = await first
  expect((await count('parallel')).text).toBe(answer.text)
  expect(runs).toBe(before + 1)
})

it('runs once for any number of concurrent requests', async () => {
  const before = runs
  const replies = await Promise.all(Array.from({ length: 20 }, () => count('storm')))
  expect(runs).toBe(before + 1)
  expect(new Set(replies.map(({ status }) => status)).has(201)).toBe(true)
  for (const { status } of replies) expect([201, 409]).toContain(status)
})

it('takes over the key of a crashed request, but not for another body', async () => {
  let wake = (_answer: object) => {}
  behave = () =>
    new Promise((resolve) => {
      wake = resolve
    })
  const before = runs
  const dead = count('dead', { a: 1 })
  await expect.poll(() => runs).toBe(before + 1)
  behave = async () => undefined
  ctx.clock.advance(LIMITS.idempotencyLockMs - SECOND)
  expect((await count('dead', { a: 1 })).status).toBe(409)
  ctx.clock.advance(SECOND)
  expect((await count('dead', { a: 2 })).status).toBe(422)
  const heir = await count('dead', { a: 1 })
  expect([heir.status, runs]).toEqual([201, before + 2])
  wake({ late: true })
  expect((await dead).json).toEqual({ late: true })
  expect((await count('dead', { a: 1 })).text).toBe(heir.text)
})

it('stores refusals, but not internal failures', async () => {
  behave = async () => {
    throw new ApiError('no_stored_method', 'None.')
  }
  const refused = await count('refused')
  behave = async () => undefined
  expect(refused.status).toBe(422)
  expect((await count('refused')).text).toBe(refused.text)
  behave = async () => {
    throw new Error('broken')
  }
  expect((await count('broken')).status).toBe(500)
  behave = async () => undefined
  expect((await count('broken')).status).toBe(201)
})

it.each(Object.keys(ERRORS) as ErrorCode[])(
  'stores %s only if it is final, else sends Retry-After',
  async (code) => {
    const { status, ...info } = ERRORS[code]
    const isTransient = 'transient' in info
    const answerTwice = async (key: string, extras = {}) => {
      behave = async () => {
        throw new ApiError(code, 'No.', extras)
      }
      const refused = await count(key)
      behave = async () => undefined
      const again = await count(key)
      return { refused, isKept: again.headers['idempotent-replayed'] === 'true' }
    }
    const { refused, isKept } = await answerTwice(`code-${code}`)
    expect([refused.status, refused.headers['retry-after']]).toEqual([status, isTransient ? '1' : undefined])
    expect(isKept).toBe(!isTransient && status < 500)
    const passing = await answerTwice(`passing-${code}`, { transient: true })
    expect([passing.refused.headers['retry-after'], passing.isKept]).toEqual(['1', false])
  },
)

it('accepts 1 to 255 visible ASCII characters', async () => {
  expect((await count('x'.repeat(255))).status).toBe(201)
  for (const bad of ['', 'x'.repeat(256), 'a b', 'ä'])
    expect((await count(bad)).json).toMatchObject({ status: 400, errors: [{ field: 'Idempotency-Key' }] })
  expect((await count('4242424242424242')).json.code).toBe('card_number_not_allowed')
})

it('seals responses with a secret, and still repeats them', async () => {
  const create = () =>
    service.ask('POST', `/api/apps/${sandbox.appId}/api-keys`, {
      key: sandbox.apiKey,
      body: { name: 'Once' },
      headers: { 'idempotency-key': 'secret' },
    })
  const first = await create()
  expect((await create()).json).toEqual(first.json)
  const license = () =>
    service.ask('POST', '/api/licenses', {
      body: { licenseName: 'Once' },
      headers: { authorization: 'Bearer operator token for tests', 'idempotency-key': 'secret' },
    })
  const made = await license()
  expect([made.status, (await license()).text]).toEqual([201, made.text])
  const rows = await ctx.db.query(sql('test.idempotency', 'select k::text as row from idempotency_keys k'))
  expect(JSON.stringify(rows)).not.toContain(first.json.apiKey)
  expect(JSON.stringify(rows)).not.toContain(made.json.authorizationCode)
})

it('keys expire after a day, whether or not they were deleted', async () => {
  const first = await count('old', { a: 1 })
  ctx.clock.advance(DAY + SECOND)
  const later = await count('old', { a: 2 })
  expect(later.status).toBe(201)
  expect(later.json.runs).toBeGreaterThan(first.json.runs)
  const job = idempotencyJob(ctx)
  expect(await job.runOnce()).toBeGreaterThan(5)
  expect(await job.runOnce()).toBe(0)
  expect((await count('old', { a: 2 })).headers['idempotent-replayed']).toBe('true')
})
