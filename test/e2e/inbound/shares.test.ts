import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { HOUR, MINUTE, SECOND, systemClock } from '../../../src/base/clock.ts'
import { LIMITS } from '../../../src/base/limits.ts'
import { silentLog } from '../../../src/base/log.ts'
import { notificationsJob } from '../../../src/inbound/jobs.ts'
import { lateRechecksJob, operationsJob, timersJob } from '../../../src/payments/jobs.ts'
import { appOf, attemptOf, bankAdapter, countOf, holdReads, notifyAs } from '../../support/notifying.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let shop: TestApp
let neighbour: TestApp
let aheadMs = 0
beforeAll(async () => {
  // The clock is fixed, so counts do not depend on the duration of a step.
  const startMs = systemClock.now().getTime()
  const clock = { ...systemClock, now: () => new Date(startMs + aheadMs) }
  // No job loops: each test runs its jobs.
  tender = await startTestService('e2e_shares', { clock, role: 'web', log: silentLog })
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  shop = (await tender.newMerchant()).sandbox
  neighbour = (await tender.newMerchant()).sandbox
})

afterEach(async () => {
  vi.restoreAllMocks()
  await query('delete from provider_notifications', [])
})

const makeUnreadable = () =>
  vi.spyOn(bankAdapter(tender), 'retrieve').mockResolvedValue({ kind: 'unknown', why: 'timeout' })

/** A captured payment and the reference of its attempt in the bank's notifications. */
async function paidBy(app: TestApp) {
  const { paymentId } = await app.paid()
  const attempt = await attemptOf(tender, app, paymentId)
  const profile = (await appOf(tender, app)).profiles.find((one) => one.profileId === attempt.profileId)
  if (!profile) throw new Error('the profile does not exist')
  const notify = () => notifyAs(tender, profile, { reference: attempt.key })
  return { paymentId, profile, reference: attempt.key, notify }
}

const query = (text: string, values: readonly unknown[]) =>
  tender.service.ctx.db.query({ name: '', text }, values)

/** Verified, unprocessed notifications, older than all others. */
const addBacklog = (app: TestApp, { profileId }: { profileId: number }, reference: string, count: number) =>
  query(
    `insert into provider_notifications (app_id, profile_id, digest, received_time, status, due_time, hints)
     select $1, $2, decode(md5(n::text), 'hex'), now(), 'new', now() - interval '1 hour',
       json_build_array(json_build_object('reference', $3::text))
     from generate_series(1, $4) n`,
    [app.appId, profileId, reference, count],
  )

it('notifications of a profile whose provider hangs do not delay those of others', async () => {
  const { ctx } = tender.service
  const slow = await paidBy(neighbour)
  const healthy = await paidBy(shop)
  const reading = makeUnreadable()
  // Left to the job: the bank is not readable yet.
  await Promise.all(Array.from({ length: 10 }, slow.notify))
  good(await shop.call('POST', `test-helpers/payments/${healthy.paymentId}/dispute`, {}))
  await healthy.notify()
  await ctx.background.settled()
  reading.mockRestore()
  aheadMs += MINUTE
  const gate = holdReads(tender, neighbour)
  const job = notificationsJob(ctx)
  void job.runOnce()
  await expect.poll(async () => (await shop.read(healthy.paymentId)).paymentState).toBe('Disputed')
  expect(gate.waiting).toBeGreaterThan(0)
  gate.open()
  await ctx.background.settled()
})

it('a backlog of any length uses only the share of its profile', async () => {
  const { ctx } = tender.service
  const slow = await paidBy(neighbour)
  const healthy = await paidBy(shop)
  await ctx.background.settled()
  await addBacklog(neighbour, slow.profile, slow.reference, 600)
  const reading = makeUnreadable()
  await healthy.notify()
  await ctx.background.settled()
  reading.mockRestore()
  aheadMs += MINUTE
  const gate = holdReads(tender, neighbour)
  const job = notificationsJob(ctx)
  while ((await job.runOnce()) > 0);
  await expect.poll(() => countOf(tender, shop)).toBe(0)
  await expect.poll(() => gate.waiting).toBe(LIMITS.jobRows.perProfile)
  expect(await job.runOnce()).toBe(0)
  gate.open()
  await ctx.background.settled()
})

it('many notifications start a bounded number of reads, and all are processed', async () => {
  const { ctx } = tender.service
  const flooded = await paidBy(neighbour)
  await ctx.background.settled()
  const gate = holdReads(tender, neighbour)
  const replies = await Promise.all(Array.from({ length: 60 }, flooded.notify))
  expect(new Set(replies)).toEqual(new Set([200]))
  await expect.poll(() => gate.waiting).toBe(LIMITS.notifications.perProfile)
  expect(await countOf(tender, neighbour)).toBe(60)
  gate.open()
  const job = notificationsJob(ctx)
  await expect
    .poll(async () => {
      await job.runOnce()
      await ctx.background.settled(neighbour.appId)
      return countOf(tender, neighbour)
    })
    .toBe(0)
  expect(gate.mostWaiting).toBe(LIMITS.notifications.perProfile)
})

it('a notification that cannot be processed is retried with backoff for 30 days', async () => {
  const { ctx } = tender.service
  const { notify } = await paidBy(shop)
  await ctx.background.settled()
  const reading = makeUnreadable()
  await notify()
  await ctx.background.settled()
  const job = notificationsJob(ctx)
  const tries = async (steps: number, stepMs: number) => {
    const before = reading.mock.calls.length
    for (let step = 0; step < steps; step++) {
      aheadMs += stepMs
      await job.runOnce()
      await ctx.background.settled()
    }
    return reading.mock.calls.length - before
  }
  // After 30 s, then 30 s, 1, 2, 4, 8… minutes.
  expect(await tries(30, MINUTE)).toBe(6)
  expect(await tries(12, 5 * MINUTE)).toBe(2)
  expect(await tries(24, HOUR)).toBeGreaterThanOrEqual(20)
  expect(await countOf(tender, shop)).toBe(1)
  aheadMs += LIMITS.notificationsKeptMs
  expect(await tries(1, HOUR)).toBe(1)
  expect([await countOf(tender, shop), await countOf(tender, shop, 'exhausted')]).toEqual([0, 1])
  reading.mockRestore()
})

it('a timer without effect is retried with backoff', async () => {
  const { ctx } = tender.service
  await shop.paid({ autoCapture: false })
  await ctx.background.settled()
  await query(`update timers set due_time = now() - interval '1 hour' where app_id = $1`, [shop.appId])
  const reading = makeUnreadable()
  const job = timersJob(ctx)
  for (let minute = 0; minute < 60; minute++) {
    await job.runFor?.(shop.appId)
    await ctx.background.settled()
    aheadMs += MINUTE + SECOND
  }
  // Immediately, then after 1, 2, 4, 8, 16 and 32 minutes.
  expect(reading.mock.calls.length).toBeLessThanOrEqual(7)
  reading.mockRestore()
})

it('an operation that throws is retried with backoff', async () => {
  const { ctx } = tender.service
  const { paymentId } = await shop.create()
  await shop.fault('authorise', 'reply-lost')
  good(await shop.pay(paymentId))
  await ctx.background.settled()
  // An internal error: the payment names a profile that its app does not have.
  await query('update payments set profile_id = 0 where app_id = $1 and payment_id = $2', [
    shop.appId,
    paymentId,
  ])
  const job = operationsJob(ctx)
  let tries = 0
  for (let minute = 0; minute < 30; minute++) {
    aheadMs += MINUTE
    tries += (await job.runFor?.(shop.appId)) ?? 0
    await ctx.background.settled()
  }
  expect(tries).toBeLessThanOrEqual(6)
  expect(tries).toBeGreaterThan(1)
})

it('operations of a provider that hangs do not delay those of others', async () => {
  const { ctx } = tender.service
  /** A payment whose authorisation has an unknown outcome. */
  const unknown = async (app: TestApp): Promise<number> => {
    const { paymentId } = await app.create()
    await app.fault('authorise', 'reply-lost')
    good(await app.pay(paymentId))
    return paymentId
  }
  // More than one claim returns.
  for (let count = 0; count < 25; count++) await unknown(neighbour)
  const paymentId = await unknown(shop)
  await ctx.background.settled()
  aheadMs += MINUTE
  const gate = holdReads(tender, neighbour)
  const job = operationsJob(ctx)
  void (async () => {
    while ((await job.runOnce()) > 0);
  })()
  await expect.poll(async () => (await shop.read(paymentId)).paymentState).toBe('Captured')
  await expect.poll(() => gate.waiting).toBe(LIMITS.jobRows.perProfile)
  gate.open()
  await ctx.background.settled()
}, 60_000)

it('a delayed check without a result is retried with backoff, for a week', async () => {
  const { ctx } = tender.service
  const { paymentId } = await shop.create()
  await shop.fault('authorise', 'reply-lost')
  const reading = vi
    .spyOn(bankAdapter(tender), 'retrieve')
    .mockResolvedValue({ kind: 'absent', conclusive: true })
  good(await shop.pay(paymentId))
  expect(good(await shop.act(paymentId, 'recheck')).paymentState).toBe('Created')
  await ctx.background.settled()
  reading.mockReset().mockResolvedValue({ kind: 'unknown', why: 'timeout' })
  const job = lateRechecksJob(ctx)
  const checks = async (steps: number, stepMs: number) => {
    let done = 0
    for (let step = 0; step < steps; step++) {
      aheadMs += stepMs
      done += (await job.runFor?.(shop.appId)) ?? 0
      await ctx.background.settled()
    }
    return done
  }
  expect(await checks(100, 5 * MINUTE)).toBeLessThanOrEqual(12)
  expect(await checks(14, 12 * HOUR)).toBeGreaterThan(5)
  expect(await checks(14, 12 * HOUR)).toBeLessThanOrEqual(2)
  expect(await checks(14, 12 * HOUR)).toBe(0)
})

it('a request that arrives after the delayed check is found by a second one', async () => {
  const { ctx } = tender.service
  const { paymentId } = await shop.create()
  await shop.fault('authorise', 'reply-lost')
  const reading = vi
    .spyOn(bankAdapter(tender), 'retrieve')
    .mockResolvedValue({ kind: 'absent', conclusive: true })
  good(await shop.pay(paymentId))
  expect(good(await shop.act(paymentId, 'recheck')).paymentState).toBe('Created')
  const job = lateRechecksJob(ctx)
  const checkAfter = async (ms: number) => {
    aheadMs += ms
    await job.runFor?.(shop.appId)
    await ctx.background.settled()
    return (await shop.read(paymentId)).paymentState
  }
  reading.mockClear()
  expect(await checkAfter(HOUR)).toBe('Created')
  expect(reading).toHaveBeenCalledOnce()
  reading.mockRestore()
  expect(await checkAfter(LIMITS.lateRecheckAgainMs)).toBe('Captured')
})
