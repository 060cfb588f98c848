import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobsOf } from '../../src/app.ts'
import { SECOND } from '../../src/base/clock.ts'
import type { Context } from '../../src/context.ts'
import type { Database } from '../../src/db/database.ts'
import { createLanes } from '../../src/db/lanes.ts'
import { createProviders } from '../../src/providers/registry.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { hostedPage, startTestService, type TestApp, type TestService } from '../support/tender.ts'

const HELPERS = [
  ['POST', 'test-helpers/payments/1/pay'],
  ['POST', 'test-helpers/faults'],
  ['DELETE', 'test-helpers/faults'],
  ['GET', 'test-helpers/ledger'],
  ['POST', 'test-helpers/clock'],
] as const

const PAGES = ['/sandbox/pay/x', '/sandbox/keep/x', '/sandbox/3ds/x']

const profile = { provider: 'sandbox', name: 'Cards', methods: ['CreditCard'], currency: 'USD' }

describe('with SANDBOX_BANK=off', () => {
  let on: TestService
  let off: TestService
  /** An app with profiles and a payment of the time when the bank was on. */
  let before: TestApp
  let paid: { paymentId: number }
  beforeAll(async () => {
    on = await startTestService('sandbox_off')
    before = on.sandbox
    paid = await before.paid()
    await on.stop()
    off = await startTestService('sandbox_off', {
      databaseUrl: on.databaseUrl,
      config: { sandboxBank: false, production: false },
    })
  })
  afterAll(() => off.stop())

  const callOff = (path: string, method = 'GET', body?: object) =>
    fetch(`${off.url}/api/apps/${before.appId}/${path}`, {
      method,
      headers: { authorization: `Bearer ${before.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then(async (reply) => ({ status: reply.status, body: await reply.json() }))

  it('there are no test helpers and no pages of the bank', async () => {
    for (const [method, path] of HELPERS)
      expect(await off.sandbox.call(method, path), path).toMatchObject({ status: 404 })
    for (const path of PAGES) expect((await fetch(off.url + path)).status, path).toBe(404)
    const { paths } = (await (await fetch(`${off.url}/openapi.json`)).json()) as { paths: object }
    expect(Object.keys(paths).filter((path) => path.includes('test-helpers'))).toEqual([])
  })

  it('a profile of the provider is refused as of an unknown one', async () => {
    const refused = await off.sandbox.call('POST', 'payment-profiles', profile)
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'provider' }] },
    })
    const unknown = await off.sandbox.call('POST', 'payment-profiles', { ...profile, provider: 'acorn' })
    expect(refused.body.errors).toEqual(unknown.body.errors)
    const others = [...createProviders([]).keys()].sort().join(', ')
    expect(refused.body.errors[0].message).toBe(`provider must be one of ${others}.`)
  })

  it('a new licence has its apps, without a provider', async () => {
    expect(await off.sandbox.call('GET', 'payment-profiles')).toMatchObject({ status: 200, body: [] })
    expect((await off.live.call('GET', '')).status).toBe(200)
  })

  it('earlier profiles and payments can be read, and refuse what needs the provider', async () => {
    const listed = await callOff('payment-profiles')
    expect(listed.body).toHaveLength(4)
    const read = await callOff(`payments/${paid.paymentId}`)
    expect(read).toMatchObject({ status: 200, body: { paymentState: 'Captured', canRefund: false } })
    const create = await callOff('payments/hosted-page', 'POST', hostedPage())
    expect(create).toMatchObject({ status: 422, body: { code: 'no_profile_for_currency' } })
    const [{ paymentProfileId }] = listed.body
    const change = await callOff(`payment-profiles/${paymentProfileId}`, 'PATCH', { name: 'Other' })
    expect(change).toMatchObject({ status: 422, body: { code: 'profile_not_usable' } })
    expect(change.body.detail).toContain('the provider sandbox, which is not available here')
  })

  it('no demo licence is made', () => expect(off.service.firstRun).toBeUndefined())
})

describe('on an idle node', () => {
  let off: TestContext
  let on: TestContext
  beforeAll(async () => {
    off = await testContext()
    on = await testContext({ sharing: off })
  })
  afterAll(async () => {
    await on.close()
    await off.close()
  })

  /** The statements that all jobs send while they run at their intervals. */
  async function statementsIn(seconds: number, ctx: TestContext, bank?: Sandbox): Promise<string[]> {
    const sent: string[] = []
    const jobs = jobsOf({ ...ctx, db: recording(ctx.db, sent) } as Context, bank)
    for (let ms = 0; ms < seconds * SECOND; ms += 250) {
      await Promise.all(jobs.filter(({ everyMs }) => ms % everyMs === 0).map((job) => job.runOnce()))
      ctx.clock.advance(250)
    }
    return sent
  }

  it('the bank adds no statement', async () => {
    const without = await statementsIn(10, off)
    expect(without.filter((name) => name === 'jobs.due')).toHaveLength(10)
    const sandbox = createSandbox({ ...on, publicUrl: 'http://tender.test' })
    expect(await statementsIn(10, on, sandbox)).toEqual(without)
  })
})

/** The same database, with the name of each statement in the order of sending. */
function recording(db: Database, sent: string[]): Database {
  const query: Database['query'] = (statement, values) => {
    sent.push(statement.name)
    return db.query(statement, values)
  }
  const batch = createLanes(async (statement, json) => (await query(statement as never, [json])) as never)
  return { ...db, query, batch }
}
