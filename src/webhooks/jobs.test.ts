import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { answerWith, type Receiver, startReceiver } from '../../test/support/receiver.ts'
import { DAY, HOUR, after as later, SECOND } from '../base/clock.ts'
import { newLeaseToken } from '../base/ids.ts'
import { forgetApp } from '../merchants/directory.ts'
import { claimReady, type Load, makeReady } from './delivery/claim-store.ts'
import { endTry } from './delivery/end-store.ts'
import { senderOf } from './delivery/sender.ts'
import { removalJob } from './jobs.ts'
import { GIVE_UP_MS, WEBHOOKS } from './schedule.ts'

let ctx: TestContext
let appId: string
let shop: Receiver
beforeEach(async () => {
  ctx = await testContext()
  shop = await startReceiver()
  appId = (await testLicense(ctx)).sandbox.appId
  await run(`update apps set payment_webhook_url = '${shop.url}' where app_id = $1`)
  forgetApp(ctx, appId)
})
afterEach(async () => {
  await senderOf(ctx).idle()
  await shop.stop()
  await ctx.close()
})

let names = 0
const run = <Row>(text: string, values: unknown[] = [appId]) =>
  ctx.db.query<Row>({ name: `test.${++names}`, text }, values)

/** Events of payments 1 to `count`, each with the given number of steps. */
async function queued(count: number, steps = 1, endpoint = ''): Promise<void> {
  const now = ctx.clock.now()
  await run(
    `insert into events (app_id, payment_id, sequence, type, state, created_time, body)
     select $1, p, s, 'payment.state_changed', 'Created', $4,
       '{"payment":{"paymentId":' || p || ',"paymentState":"s' || s || '"}}'
     from generate_series(1, $2::integer) p, generate_series(1, $3::integer) s`,
    [appId, count, steps, now],
  )
  await run(
    `insert into deliveries (app_id, payment_id, sequence, url, endpoint, status, queued_time, due_time)
     select app_id, payment_id, sequence, nullif($3, ''), $3, 'ready', $2, $2 from events where app_id = $1`,
    [appId, now, endpoint],
  )
}

const statuses = async () => {
  const rows = await run<{ status: string; count: number }>(
    'select status, count(*)::integer from deliveries where app_id = $1 group by status order by status',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

const IDLE = { total: 0, apps: {} }
const claim = async (load: Load = IDLE) => (await claimReady(ctx.db, lease(), load)).claimed

const lease = () => ({
  now: ctx.clock.now(),
  leaseEnd: new Date(ctx.clock.now().getTime() + WEBHOOKS.leaseMs),
  leaseToken: newLeaseToken(ctx.random),
})

const delivered = { status: 'delivered', dueTime: null, attempt: undefined } as const

describe('a claim', () => {
  it('returns only the first of each payment, oldest first, at most 20 per endpoint', async () => {
    await queued(30, 3)
    const claimed = await claim()
    expect(claimed.map(({ paymentId, sequence }) => [paymentId, sequence])).toEqual(
      Array.from({ length: 20 }, (_, n) => [n + 1, 1]),
    )
    expect(await claim()).toEqual([])
  })

  it('run concurrently returns nothing twice, and at most 20 in total', async () => {
    await queued(60)
    // Open the connections first: claims that wait for a connection would run one after the other.
    await Promise.all(Array.from({ length: 4 }, () => run('select pg_sleep(0.1)', [])))
    const all = (await Promise.all(Array.from({ length: 6 }, () => claim()))).flat()
    expect(new Set(all.map(({ paymentId }) => paymentId)).size).toBe(all.length)
    expect(all.length).toBe(20)
  })

  it('that is limited returns the first of every endpoint before the second of any', async () => {
    await queued(10)
    const other = (await testLicense(ctx)).sandbox.appId
    await run(
      `insert into events select $2, payment_id, sequence, type, state, created_time, body
       from events where app_id = $1`,
      [appId, other],
    )
    await run(
      `insert into deliveries (app_id, payment_id, sequence, endpoint, status, queued_time, due_time)
       select $1, 1, 1, '', 'ready', $2, $2`,
      [other, new Date(ctx.clock.now().getTime() + SECOND)],
    )
    const claimed = await claim({ total: WEBHOOKS.perNode - 10, apps: {} })
    expect(claimed.map((delivery) => delivery.appId).sort()).toEqual([appId, appId, appId, other].sort())
    expect(await claim({ total: WEBHOOKS.perNode, apps: {} })).toEqual([])
  })

  it('that was lost is taken over when its lease ends, and its old holder is fenced', async () => {
    await queued(1)
    const [stale] = await claim()
    if (!stale) throw new Error('nothing was claimed')
    ctx.clock.advance(WEBHOOKS.leaseMs - 1)
    expect(await makeReady(ctx.db, ctx.clock.now(), 10)).toBe(0)
    ctx.clock.advance(1)
    expect(await makeReady(ctx.db, ctx.clock.now(), 10)).toBe(1)
    const [fresh] = await claim()
    expect(await endTry(ctx.db, { ...delivered, delivery: stale, now: ctx.clock.now() })).toBeUndefined()
    expect(await statuses()).toEqual({ sending: 1 })
    if (!fresh) throw new Error('nothing was taken over')
    const end = { ...delivered, delivery: fresh, now: ctx.clock.now() }
    expect(await endTry(ctx.db, end)).toEqual({ hasNext: false, inTrouble: false })
    expect(await statuses()).toEqual({ delivered: 1 })
  })

  it('whose lease could end before the reply is not sent', async () => {
    await queued(1)
    const sender = senderOf(ctx)
    const claim = sender.runOnce()
    ctx.clock.advance(WEBHOOKS.leaseMs)
    await claim
    await sender.idle()
    expect([shop.hooks.length, await statuses()]).toEqual([0, { sending: 1 }])
  })

  it('skips long queues of paused or disabled endpoints', async () => {
    await queued(500, 1, 'http://dead.example/')
    await run(
      `insert into webhook_endpoints
       values ($1, 'http://dead.example/', 'http://dead.example/', 5, 1, 1, $2, $3, null, '')`,
      [appId, ctx.clock.now(), new Date(ctx.clock.now().getTime() + HOUR)],
    )
    expect(await claim()).toEqual([])
    ctx.clock.advance(HOUR)
    expect((await claim()).length).toBe(1)
    await run(`update webhook_endpoints set disabled_time = due_time where app_id = $1`)
    await run(`update deliveries set status = 'ready', lease_token = null where app_id = $1`)
    expect(await claim()).toEqual([])
  })
})

describe('sending', () => {
  it('continues with a payment’s next webhook as soon as one has ended', async () => {
    await queued(3, 4)
    const sender = senderOf(ctx)
    let woken = 0
    ctx.signals.on('webhooks', () => woken++)
    for (let round = 0; round < 4; round++) {
      expect(await sender.runOnce()).toBe(3)
      await sender.idle()
      ctx.clock.advance(WEBHOOKS.gatherMs)
      await Promise.resolve()
    }
    expect(await sender.runOnce()).toBe(0)
    for (const paymentId of [1, 2, 3]) expect(shop.states(paymentId)).toEqual(['s1', 's2', 's3', 's4'])
    expect(woken).toBe(3)
  })

  it('delays the payment’s next deliveries when one has failed', async () => {
    shop.answer = answerWith(500)
    await queued(2, 3)
    await senderOf(ctx).runOnce()
    await senderOf(ctx).idle()
    expect(await statuses()).toEqual({ waiting: 6 })
    ctx.clock.advance(6 * SECOND)
    expect(await makeReady(ctx.db, ctx.clock.now(), 100)).toBe(6)
    expect(await senderOf(ctx).runOnce()).toBe(2)
  })

  it('interrupted by a shutdown does not count, and the next node sends it immediately', async () => {
    shop.answer = () => {}
    await queued(1, 2)
    await run('update deliveries set tries = 3 where app_id = $1')
    await run('insert into webhook_endpoints values ($1, $2, $2, 4, 0, 20, $3, null, null, $4)', [
      appId,
      shop.url,
      ctx.clock.now(),
      'before',
    ])
    const sender = senderOf(ctx)
    await sender.runOnce()
    await shop.count(1)
    const stopped = sender.stop()
    ctx.clock.advance(WEBHOOKS.stopMs)
    await stopped
    expect(await run('select status, tries, attempts from deliveries where app_id = $1')).toEqual([
      { status: 'ready', tries: 3, attempts: 0 },
      { status: 'ready', tries: 3, attempts: 0 },
    ])
    expect(await run('select error from delivery_attempts where app_id = $1')).toEqual([])
    expect(await run('select failures, last_error from webhook_endpoints where app_id = $1')).toEqual([
      { failures: 4, lastError: 'before' },
    ])
    expect(await sender.runOnce()).toBe(0)
    const next = await testContext({ sharing: ctx })
    shop.answer = answerWith(200)
    expect(await senderOf(next).runOnce()).toBe(1)
    await senderOf(next).idle()
    expect(shop.states(1)).toEqual(['s1', 's1'])
    await next.close()
  })
})

describe('removal', () => {
  const counts = async () => {
    const [row] = await run<Record<string, number>>(
      `select (select count(*)::integer from events where app_id = $1) as events,
         (select count(*)::integer from deliveries where app_id = $1) as deliveries,
         (select count(*)::integer from delivery_attempts where app_id = $1) as attempts`,
    )
    return row
  }

  it('deletes delivered webhooks after 30 days, with event and attempts; undelivered ones stay', async () => {
    await queued(6)
    await senderOf(ctx).runOnce()
    await senderOf(ctx).idle()
    await run(`update deliveries set status = 'exhausted' where app_id = $1 and payment_id = 1`)
    await run(
      `update deliveries set status = 'waiting', due_time = queued_time + interval '90 days'
       where app_id = $1 and payment_id = 2`,
    )
    await run(`update deliveries set status = 'dropped' where app_id = $1 and payment_id = 3`)
    await run('delete from deliveries where app_id = $1 and payment_id = 4')
    ctx.clock.advance(30 * DAY)
    expect(await removalJob(ctx).runOnce()).toBe(0)
    ctx.clock.advance(SECOND)
    expect(await removalJob(ctx).runOnce()).toBe(4)
    expect(await statuses()).toEqual({ exhausted: 1, waiting: 1 })
    expect(await counts()).toEqual({ events: 2, deliveries: 2, attempts: 2 + 1 })
  })

  it('runs in small batches, past events that must stay', async () => {
    await queued(WEBHOOKS.removalBatch + 100)
    await run(
      `update deliveries set status = case when payment_id % 2 = 0 then 'delivered' else 'exhausted' end,
         due_time = null where app_id = $1`,
    )
    ctx.clock.advance(31 * DAY)
    expect(await removalJob(ctx).runOnce()).toBe(WEBHOOKS.removalBatch / 2 + 50)
    expect(await statuses()).toEqual({ exhausted: WEBHOOKS.removalBatch / 2 + 50 })
  })

  /** An endpoint with five consecutive failures at the start, paused until then. */
  const failing = (until: Date) =>
    run(`insert into webhook_endpoints values ($1, '', $2, 9, 3, 1, $3, $4, null, 'It answered 500.')`, [
      appId,
      shop.url,
      ctx.clock.now(),
      until,
    ])

  it('exhausts deliveries that waited behind a failing endpoint for three days, and logs it', async () => {
    await queued(5)
    await failing(later(ctx.clock.now(), 4 * DAY))
    ctx.clock.advance(GIVE_UP_MS)
    expect(await removalJob(ctx).runOnce()).toBe(0)
    ctx.clock.advance(SECOND)
    expect(await removalJob(ctx).runOnce()).toBe(5)
    expect(await statuses()).toEqual({ exhausted: 5 })
    expect(ctx.lines).toContainEqual({
      level: 'warn',
      event: 'webhook.exhausted_behind_endpoint',
      data: { count: 5 },
    })
  })

  it('exhausts nothing that waited for our own outage: the endpoint is tried first', async () => {
    await queued(5)
    await failing(later(ctx.clock.now(), HOUR))
    ctx.clock.advance(GIVE_UP_MS + DAY)
    expect(await removalJob(ctx).runOnce()).toBe(0)
    expect(await statuses()).toEqual({ ready: 5 })
  })
})
