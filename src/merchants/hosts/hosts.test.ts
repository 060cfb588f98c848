import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { apiWorld } from '../../../test/support/api.ts'
import { fakeTexts } from '../../../test/support/host-proof.ts'
import { HOUR, MINUTE } from '../../base/clock.ts'
import { sql } from '../../db/database.ts'
import type { HttpReply } from '../../net/http.ts'
import { merchantRoutes } from '../routes.ts'
import { hostClaimsJob } from './jobs.ts'

const world = apiWorld((ctx) => merchantRoutes(ctx))
const HOST = 'pay.shop.example'

type Who = 'sandbox' | 'live'
const ask = (who: Who, method: string, path: string, body?: unknown) => {
  const { appId, apiKey } = world[who]
  return world.api.ask(method, `/api/apps/${appId}${path}`, {
    key: apiKey,
    ...(body === undefined ? {} : { body }),
  })
}
const claim = async (who: Who, domain = HOST) => (await ask(who, 'PATCH', '/checkout-page', { domain })).json
const check = async (who: Who) => (await ask(who, 'POST', '/checkout-domain/check')).json
const baseOf = async (who: Who) => (await ask(who, 'GET', '')).json.hostedPageBaseUrl

let texts: ReturnType<typeof fakeTexts>
const file = (reply: Partial<Extract<HttpReply, { kind: 'reply' }>>) =>
  vi
    .spyOn(world.ctx.http, 'call')
    .mockResolvedValue({ kind: 'reply', status: 200, headers: {}, body: '', ...reply })
beforeEach(() => {
  texts = fakeTexts(world.ctx)
  file({ status: 404 })
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const who of ['sandbox', 'live'] as const) await ask(who, 'DELETE', '/checkout-domain')
  world.ctx.clock.advance(MINUTE)
})

const entryOf = ({ hostProof }: { hostProof: { recordName: string; recordValue: string } }) =>
  texts.entries.set(hostProof.recordName, [hostProof.recordValue])

describe('a host name takes effect only when it is proved', () => {
  it('by a DNS entry with a token of this app', async () => {
    const app = await claim('sandbox')
    expect(app).toMatchObject({ hostedPageBaseUrl: 'http://tender.test', canRemoveHostedPageDomain: true })
    expect(app.hostProof).toEqual({
      host: HOST,
      recordType: 'TXT',
      recordName: `_tender.${HOST}`,
      recordValue: expect.stringMatching(/^tender-host=[0-9a-z]{32}$/),
      fileUrl: `https://${HOST}/.well-known/tender/${world.sandbox.appId}`,
      fileContent: app.hostProof.recordValue,
    })
    const none = { isProven: false, problem: 'not-found', hostedPageBaseUrl: 'http://tender.test' }
    expect(await check('sandbox')).toEqual(none)
    world.ctx.clock.advance(MINUTE)
    texts.entries.set(app.hostProof.recordName, ['v=spf1 -all', `x${app.hostProof.recordValue}`])
    expect(await check('sandbox')).toEqual(none)
    world.ctx.clock.advance(MINUTE)
    texts.entries.set(app.hostProof.recordName, ['v=spf1 -all', app.hostProof.recordValue])
    const base = `https://${HOST}`
    expect(await check('sandbox')).toEqual({ isProven: true, problem: null, hostedPageBaseUrl: base })
    expect(await check('sandbox')).toMatchObject({ isProven: true })
    expect((await ask('sandbox', 'GET', '')).json).toMatchObject({ hostedPageBaseUrl: base, hostProof: null })
  })

  it('or by a file under the path of this app', async () => {
    const { hostProof } = await claim('sandbox')
    for (const wrong of [{ status: 301 }, { body: { token: hostProof.fileContent } }, { body: 'no' }]) {
      file({ body: hostProof.fileContent, ...wrong })
      expect(await check('sandbox')).toMatchObject({ isProven: false })
      world.ctx.clock.advance(MINUTE)
    }
    const call = file({ body: `${hostProof.fileContent}\n` })
    expect(await check('sandbox')).toMatchObject({ isProven: true })
    expect(call.mock.lastCall?.[0]).toMatchObject({ url: hostProof.fileUrl, isGuarded: true })
  })

  it('and the name from before stays until then', async () => {
    entryOf(await claim('sandbox'))
    await check('sandbox')
    await claim('sandbox', 'new.shop.example')
    expect(await baseOf('sandbox')).toBe(`https://${HOST}`)
    // The name that is in effect needs no other proof.
    expect(await claim('sandbox')).toMatchObject({ hostProof: null, hostedPageBaseUrl: `https://${HOST}` })
  })
})

describe('a host name that is not proved blocks no other app', () => {
  it('of two apps that ask for it, the first to prove it gets it', async () => {
    const [first, second] = [await claim('sandbox'), await claim('live')]
    expect(second.hostProof.recordValue).not.toBe(first.hostProof.recordValue)
    // An entry of one app proves nothing for the other.
    entryOf(second)
    expect(await check('sandbox')).toMatchObject({ isProven: false, problem: 'not-found' })
    expect(await check('live')).toMatchObject({ isProven: true })
    world.ctx.clock.advance(MINUTE)
    entryOf(first)
    expect(await check('sandbox')).toMatchObject({ isProven: false, problem: 'taken' })
    expect([await baseOf('sandbox'), await baseOf('live')]).toEqual(['http://tender.test', `https://${HOST}`])
    const again = await ask('sandbox', 'PATCH', '/checkout-page', { domain: HOST })
    expect([again.status, again.json.code]).toEqual([409, 'checkout_host_taken'])
  })

  it('one from before proofs keeps working, until another app proves it', async () => {
    const before = sql<never>('test.host', 'update apps set checkout_host = $2 where app_id = $1')
    await world.ctx.db.query(before, [world.live.appId, HOST])
    world.ctx.clock.advance(MINUTE)
    expect(await baseOf('live')).toBe(`https://${HOST}`)
    const app = await claim('sandbox')
    expect(await check('sandbox')).toMatchObject({ isProven: false })
    expect(await baseOf('live')).toBe(`https://${HOST}`)
    // Its own app can prove it too.
    expect((await claim('live')).hostProof.host).toBe(HOST)
    world.ctx.clock.advance(MINUTE)
    entryOf(app)
    expect(await check('sandbox')).toMatchObject({ isProven: true })
    expect(await baseOf('live')).toBe('http://tender.test')
  })
})

it('a check is refused right after another one, and without a name', async () => {
  await claim('sandbox')
  await check('sandbox')
  const soon = await ask('sandbox', 'POST', '/checkout-domain/check')
  expect([soon.status, soon.json.code, soon.headers['retry-after']]).toEqual([429, 'too_many_requests', '5'])
  expect((await ask('live', 'POST', '/checkout-domain/check')).status).toBe(404)
})

it('a job looks for the proof, less often with time, and ends after 30 days', async () => {
  const { ctx } = world
  const job = hostClaimsJob(ctx)
  const app = await claim('sandbox')
  expect(await job.runOnce()).toBe(0)
  let checks = 0
  for (let hour = 0; hour < 24; hour++) {
    ctx.clock.advance(HOUR)
    checks += await job.runOnce()
  }
  // Every hour at first, at the end every six hours.
  expect(checks).toBeGreaterThanOrEqual(6)
  expect(checks).toBeLessThanOrEqual(12)
  ctx.clock.advance(31 * 24 * HOUR)
  await job.runOnce()
  ctx.clock.advance(31 * 24 * HOUR)
  expect(await job.runOnce()).toBe(0)
  // Asked for again, it is looked for again, with the same token.
  const again = await claim('sandbox')
  expect(again.hostProof).toEqual(app.hostProof)
  entryOf(again)
  ctx.clock.advance(MINUTE)
  expect(await job.runOnce()).toBe(1)
  expect(await baseOf('sandbox')).toBe(`https://${HOST}`)
})
