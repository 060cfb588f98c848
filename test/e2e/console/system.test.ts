import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY } from '../../../src/base/clock.ts'
import type { Queryable } from '../../../src/db/database.ts'
import { queueReader } from '../../../src/insights/system.ts'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { insertLicense } from '../../../src/merchants/licenses/store.ts'
import { timersJob } from '../../../src/payments/jobs.ts'
import { markProfile } from '../../../src/routing/store.ts'
import { VERSION } from '../../../src/version.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_system')
})
afterAll(() => world?.stop())

const SYSTEM = '/console/system'

it('is for operators only', async () => {
  expect((await world.get('Owner', SYSTEM)).status).toBe(200)
  for (const role of ['Admin', 'Developer', 'Viewer'] as const)
    expect((await world.get(role, SYSTEM)).status).toBe(404)
})

it('shows version, migrations, database and licences', async () => {
  const { html } = await world.get('Owner', SYSTEM)
  expect(html).toContain(VERSION)
  expect(html).toMatch(/\d+, the last is \d{4}_\w+\.sql/)
  expect(html).toContain('PostgreSQL')
  const tables = [...html.matchAll(/<td><code>([\w.]+)<\/code><\/td>/g)].map(([, name]) => name)
  expect(tables).toEqual([...new Set(tables)])
  expect(tables).toContain('sandbox_bank.accounts')
  expect(html).toContain(world.live.appId)
  expect(html).toContain('Nothing to report.')
  expect(html).toContain('All provider profiles work')
})

it('shows the free space of the data folder, and nothing where there is no such folder', async () => {
  const { ctx } = world.tender.service
  const { config } = ctx
  const shownIn = async (dataDir: string) => {
    Object.assign(config, { dataDir })
    return (await world.get('Owner', SYSTEM)).html
  }
  expect(await shownIn(tmpdir())).toMatch(/Disk of the data folder.*?[\d.]+ \wB free of [\d.]+ \wB/s)
  expect(await shownIn(join(tmpdir(), 'no-such-folder'))).not.toContain('Disk of the data folder')
})

it('links to the metrics, and says how to turn them on', async () => {
  const { config } = world.tender.service.ctx
  expect((await world.get('Owner', SYSTEM)).html).toContain('Off: METRICS_PORT is not set')
  Object.assign(config, { metricsPort: 9464 })
  const { html } = await world.get('Owner', SYSTEM)
  Object.assign(config, { metricsPort: undefined })
  expect(html).toMatch(/<a href="http:\/\/[^"/]+:9464\/metrics">/)
})

it('shows profiles in trouble, with what merchants wrote escaped', async () => {
  const { ctx } = world.tender.service
  const { appId } = world.sandbox
  const [profile] = (await directory(ctx).app(appId))?.profiles ?? []
  const diagnosis = { code: 'text', text: 'answers <slowly>' } as const
  const due = new Date(ctx.clock.now().getTime() + 60_000)
  await markProfile(ctx.db, appId, { profileId: profile?.profileId ?? 0, failures: 3, diagnosis, due })
  const { html } = await world.get('Owner', SYSTEM)
  expect(html).toContain('answers &lt;slowly>')
})

it('counts the due rows of a queue and finds the oldest', async () => {
  const { ctx } = world.tender.service
  const readQueues = queueReader([timersJob(ctx)])
  // The service has prepared its own statement by this name on the same connections.
  const db: Queryable = {
    query: (statement, values) => ctx.db.query({ ...statement, name: 'test.queues' }, values),
  }
  const now = ctx.clock.now()
  await world.sandbox.create({ expirationTime: new Date(now.getTime() + DAY).toISOString() })
  expect(await readQueues(db, now)).toEqual([{ job: 'timers', depth: 0, oldest: null }])
  const [later] = await readQueues(db, new Date(now.getTime() + 100 * DAY))
  expect(later?.depth).toBeGreaterThan(0)
  expect(later?.oldest?.getTime()).toBeGreaterThan(now.getTime())
})

it('lists licences in pages', async () => {
  const { ctx } = world.tender.service
  const now = ctx.clock.now()
  for (const place of Array.from({ length: 55 }).keys())
    await insertLicense(ctx.db, {
      licenseId: `zz_${String(place).padStart(3, '0')}`,
      name: `Shop ${place} <b>`,
      codeHash: Buffer.from(`hash ${place}`),
      now,
    })
  const first = await world.get('Owner', SYSTEM)
  expect(first.html).not.toContain('Shop 54')
  const next = /href="([^"]*\?cursor=[^"]+)" rel="next"/.exec(first.html)?.[1] ?? ''
  const second = await world.get('Owner', next)
  expect(second.html).toContain('Shop 54 &lt;b>')
})
