import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { HOUR, MINUTE, SECOND, systemClock } from '../../../src/base/clock.ts'
import { LIMITS } from '../../../src/base/limits.ts'
import { silentLog } from '../../../src/base/log.ts'
import { notificationsJob } from '../../../src/notifications/jobs.ts'
import { alarmsJob, operationsJob, secondLooksJob } from '../../../src/payments/jobs.ts'
import { appOf, attemptOf, bankAdapter, countOf, holdReads, notifyAs } from '../../support/notifying.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let shop: TestApp
let neighbour: TestApp
let aheadMs = 0
beforeAll(async () => {
  // It stands still, so that what is counted does not depend on how long a step takes.
  const startMs = systemClock.now().getTime()
  const clock = { ...systemClock, now: () => new Date(startMs + aheadMs) }
  // No loops run here: every job runs when a test says so.
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

const unreadable = () =>
  vi.spyOn(bankAdapter(tender), 'retrieve').mockResolvedValue({ kind: 'unknown', why: 'timeout' })

/** A captured payment, and its attempt as the bank's notifications name it. */
async function paidBy(app: TestApp) {
  const { paymentId } = await app.paid()
  const attempt = await attemptOf(tender, app, paymentId)
  const profile = (await appOf(tender, app)).profiles.find((one) => one.profileId === attempt.profileId)
  if (!profile) throw new Error('the profile is gone')
  const notify = () => notifyAs(tender, profile, { reference: attempt.key })
  return { paymentId, profile, reference: attempt.key, notify }
}

const query = (text: string, values: readonly unknown[]) =>
  tender.service.ctx.db.query({ name: '', text }, values)

/** Notifications that were verified and not followed, older than all others. */
const addBacklog = (app: TestApp, { profileId }: { profileId: number }, reference: string, count: number) =>
  query(
    `insert into provider_notifications (app_id, profile_id, digest, received_time, status, due_time, hints)
     select $1, $2, decode(md5(n::text), 'hex'), now(), 'new', now() - interval '1 hour',
       json_build_array(json_build_object('reference', $3::text))
     from generate_series(1, $4) n`,
    [app.appId, profileId, reference, count],
  )

it('notifications of a profile whose provider hangs do not hold up those of others', async () => {
  const { ctx } = tender.service
  const slow = await paidBy(neighbour)
  const healthy = await paidBy(shop)
  const reading = unreadable()
  // Kept for the job: the bank cannot be read yet.
  await Promise.all(Array.from({ length: 10 }, slow.notify))
  good(await shop.call('POST', `test-helpers/payments/${healthy.paymentId}/dispute`, {}))
  await healthy.notify()
  await ctx.background.settled()
  reading.mockRestore()
  aheadMs += MINUTE
  const gate = holdReads(tender, neighbour)
  const job = notificationsJob(ctx)
  void job.runOnce()
  await expect
    .poll(async () => (await shop.read(healthy.paymentId)).paymentState, { timeout: 10_000 })
    .toBe('Disputed')
  expect(gate.waiting).toBeGreaterThan(0)
  gate.open()
  await ctx.background.settled()
})

it('a backlog of one profile fills its own share only, whatever its length', async () => {
  const { ctx } = tender.service
  const slow = await paidBy(neighbour)
  const healthy = await paidBy(shop)
  await ctx.background.settled()
  await addBacklog(neighbour, slow.profile, slow.reference, 600)
  const reading = unreadable()
  await healthy.notify()
  await ctx.background.settled()
  reading.mockRestore()
  aheadMs += MINUTE
  const gate = holdReads(tender, neighbour)
  const job = notificationsJob(ctx)
  while ((await job.runOnce()) > 0);
  await expect.poll(() => countOf(tender, shop), { timeout: 10_000 }).toBe(0)
  await expect.poll(() => gate.waiting, { timeout: 10_000 }).toBe(LIMITS.jobRows.perProfile)
  expect(await job.runOnce()).toBe(0)
  gate.open()
  await ctx.background.settled()
})

it('a flood of notifications starts a bounded number of reads, and every one is followed', async () => {
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

it('a notification that cannot be followed is tried less and less often, for 30 days', async () => {
  const { ctx } = tender.service
  const { notify } = await paidBy(shop)
  await ctx.background.settled()
  const reading = unreadable()
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

it('an alarm that changes nothing rings less and less often', async () => {
  const { ctx } = tender.service
  await shop.paid({ autoCapture: false })
  await ctx.background.settled()
  await query(`update timers set due_time = now() - interval '1 hour' where app_id = $1`, [shop.appId])
  const reading = unreadable()
  const job = alarmsJob(ctx)
  for (let minute = 0; minute < 60; minute++) {
    await job.runFor?.(shop.appId)
    await ctx.background.settled()
    aheadMs += MINUTE + SECOND
  }
  // At once, then after 1, 2, 4, 8, 16 and 32 minutes.
  expect(reading.mock.calls.length).toBeLessThanOrEqual(7)
  reading.mockRestore()
})

it('an operation that fails by an exception is tried less and less often', async () => {
  const { ctx } = tender.service
  const { paymentId } = await shop.create()
  await shop.fault('authorise', 'reply-lost')
  good(await shop.pay(paymentId))
  await ctx.background.settled()
  // A fault of ours: the payment names a profile that its app does not have.
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

it('operations of a provider that hangs do not hold up those of others', async () => {
  const { ctx } = tender.service
  /** A payment of which nobody knows yet whether it was authorised. */
  const unknown = async (app: TestApp): Promise<number> => {
    const { paymentId } = await app.create()
    await app.fault('authorise', 'reply-lost')
    good(await app.pay(paymentId))
    return paymentId
  }
  // More than one claim takes.
  for (let count = 0; count < 25; count++) await unknown(neighbour)
  const paymentId = await unknown(shop)
  await ctx.background.settled()
  aheadMs += MINUTE
  const gate = holdReads(tender, neighbour)
  const job = operationsJob(ctx)
  void (async () => {
    while ((await job.runOnce()) > 0);
  })()
  await expect
    .poll(async () => (await shop.read(paymentId)).paymentState, { timeout: 10_000 })
    .toBe('Captured')
  await expect.poll(() => gate.waiting).toBe(LIMITS.jobRows.perProfile)
  gate.open()
  await ctx.background.settled()
}, 60_000)

it('a second look in vain is repeated less and less often, and ends after a week', async () => {
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
  const job = secondLooksJob(ctx)
  const looks = async (steps: number, stepMs: number) => {
    let done = 0
    for (let step = 0; step < steps; step++) {
      aheadMs += stepMs
      done += (await job.runFor?.(shop.appId)) ?? 0
      await ctx.background.settled()
    }
    return done
  }
  expect(await looks(100, 5 * MINUTE)).toBeLessThanOrEqual(12)
  expect(await looks(14, 12 * HOUR)).toBeGreaterThan(5)
  expect(await looks(14, 12 * HOUR)).toBeLessThanOrEqual(2)
  expect(await looks(14, 12 * HOUR)).toBe(0)
})
