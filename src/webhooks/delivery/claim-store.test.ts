import { afterEach, beforeEach, expect, it } from 'vitest'
import { testLicense } from '../../../test/support/api.ts'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { after, HOUR } from '../../base/clock.ts'
import { newLeaseToken } from '../../base/ids.ts'
import { openDatabase } from '../../db/pool.ts'
import { WEBHOOKS } from '../schedule.ts'
import { claimReady, type Load } from './claim-store.ts'
import { APP_STEP } from './shares.ts'

let ctx: TestContext
let dead: string
let healthy: string
beforeEach(async () => {
  ctx = await testContext()
  const apps = [(await testLicense(ctx)).sandbox.appId, (await testLicense(ctx)).sandbox.appId].sort()
  // The scan reaches the dead app first.
  dead = apps[0] ?? ''
  healthy = apps[1] ?? ''
})
afterEach(() => ctx.close())

let names = 0
const run = <Row>(text: string, values: unknown[], db: TestContext['db'] = ctx.db) =>
  db.query<Row>({ name: `test.claim.${++names}`, text }, values)

/** Payments 1 to `count`, the n-th to the endpoint that is n modulo `endpoints`. */
async function queued(appId: string, count: number, endpoints: number): Promise<void> {
  const now = ctx.clock.now()
  await run(
    `insert into events (app_id, payment_id, sequence, type, state, created_time, body)
     select $1, p, 1, 'payment.state_changed', 'Created', $3, '{}' from generate_series(1, $2::integer) p`,
    [appId, count, now],
  )
  await run(
    `insert into deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time)
     select app_id, payment_id, 1, address, address, 'ready', $3, $3
     from events,
       lateral (select 'http://hangs.example/' || lpad((payment_id % $2)::text, 6, '0')) a (address)
     where app_id = $1`,
    [appId, endpoints, now],
  )
}

const claim = (load: Load, db = ctx.db) => {
  const now = ctx.clock.now()
  const lease = { now, leaseEnd: after(now, WEBHOOKS.leaseMs), leaseToken: newLeaseToken(ctx.random) }
  return claimReady(db, lease, load)
}

/** Claims like a sender until nothing more is returned; claimed deliveries stay in flight. */
async function claimAll(used: Record<string, number> = {}) {
  const reached = new Map<string, string>()
  for (;;) {
    const apps: Record<string, { used: number; after?: string }> = {}
    for (const appId of [dead, healthy]) {
      const after = reached.get(appId)
      apps[appId] = { used: used[appId] ?? 0, ...(after === undefined ? {} : { after }) }
    }
    const total = Object.values(used).reduce((sum, count) => sum + count, 0)
    const { claimed, more } = await claim({ total, apps })
    if (claimed.length + more.size === 0) return used
    reached.clear()
    for (const [appId, endpoint] of more) reached.set(appId, endpoint)
    for (const { appId } of claimed) used[appId] = (used[appId] ?? 0) + 1
  }
}

it('an app with 1,100 endpoints gets its share of the slots, and another app its own', async () => {
  await queued(dead, 1_100, 1_100)
  expect(await claimAll()).toEqual({ [dead]: WEBHOOKS.perApp })
  await queued(healthy, 1, 1)
  const load = { total: WEBHOOKS.perApp, apps: { [dead]: { used: WEBHOOKS.perApp } } }
  const { claimed, more } = await claim(load)
  expect([claimed.map(({ appId }) => appId), more.size]).toEqual([[healthy], 0])
})

it('hanging endpoints leave slots for another endpoint of the same app', async () => {
  await queued(dead, 15 * 21, 15)
  const used = (await claimAll())[dead] ?? 0
  expect(used).toBeLessThan(WEBHOOKS.perApp - APP_STEP)
  await run(
    `update deliveries set url = null, endpoint = '' where app_id = $1 and payment_id in (
       select payment_id from deliveries where app_id = $1 and status = 'ready' limit 3)`,
    [dead],
  )
  const { claimed } = await claim({ total: used, apps: { [dead]: { used } } })
  expect(claimed.map(({ endpoint }) => endpoint)).toEqual(['', '', ''])
})

it('successive claims reach every endpoint, past any number of paused ones', async () => {
  const count = 2 * WEBHOOKS.perLook + 50
  await queued(dead, count, count)
  await run(
    `insert into webhook_endpoints
     select app_id, endpoint, endpoint, 5, 1, 1, $2, $3, null, '' from deliveries
     where app_id = $1 and payment_id <> $4`,
    [dead, ctx.clock.now(), after(ctx.clock.now(), HOUR), count - 1],
  )
  expect(await claimAll()).toEqual({ [dead]: 1 })
})

interface Reads {
  rows: number
}

const readsOf = async (index: string, db: TestContext['db']): Promise<number> => {
  await run('select pg_stat_force_next_flush()', [], db)
  const [row] = await run<Reads>(
    'select (idx_tup_read)::integer as rows from pg_stat_user_indexes where indexrelname = $1',
    [index],
    db,
  )
  return row?.rows ?? 0
}

it('a claim reads nothing that was delivered, whatever the statistics say', async () => {
  const db = openDatabase({ url: ctx.databaseUrl, size: 1 })
  const [count, left] = [10_000, 20]
  await queued(dead, count, 1)
  await run('alter table deliveries set (autovacuum_enabled = false)', [], db)
  // The index of a queue is larger than its rows need: most of them have left it.
  await run('alter index deliveries_ready set (fillfactor = 10)', [], db)
  await run('reindex index deliveries_ready', [], db)
  await run('analyze deliveries', [], db)
  await run(
    `update deliveries set status = 'delivered', due_time = null where payment_id <= $1`,
    [count - left],
    db,
  )
  // Without dead entries, but with the statistics of the full queue.
  await run('vacuum deliveries', [], db)
  const before = await readsOf('deliveries_pkey', db)
  expect((await claim({ total: 0, apps: {} }, db)).claimed.length).toBe(left)
  expect((await readsOf('deliveries_pkey', db)) - before).toBeLessThan(10 * left)
  await db.close()
})

it('a delivery that is being sent is in one index beside its key', async () => {
  await queued(dead, 3, 3)
  expect((await claim({ total: 0, apps: {} })).claimed.length).toBe(3)
  await run('vacuum analyze deliveries', [])
  const entries = await run<{ name: string }>(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'deliveries'::regclass and c.reltuples > 0 order by 1`,
    [],
  )
  expect(entries.map(({ name }) => name)).toEqual(['deliveries_leased', 'deliveries_pkey'])
})

it('a claim reads a bounded part of a long queue, and none of an app without free slots', async () => {
  // One connection, so that its statistics can be read.
  const db = openDatabase({ url: ctx.databaseUrl, size: 1 })
  const read = () => readsOf('deliveries_ready', db)
  await queued(dead, 20_000, 10_000)
  await queued(healthy, 1, 1)
  const first = await read()
  const full = { total: WEBHOOKS.perApp, apps: { [dead]: { used: WEBHOOKS.perApp } } }
  expect((await claim(full, db)).claimed.map(({ appId }) => appId)).toEqual([healthy])
  const second = await read()
  expect(second - first).toBeLessThan(20)
  const open = { total: 199, apps: { [dead]: { used: 199 } } }
  expect((await claim(open, db)).claimed.length).toBe(1)
  expect((await read()) - second).toBeLessThan(10 * WEBHOOKS.perLook)
  await db.close()
})
