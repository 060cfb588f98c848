import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { DAY, MINUTE, systemClock } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { notificationRemovalJob, notificationsJob } from '../../../src/inbound/jobs.ts'
import type { Profile } from '../../../src/merchants/app.ts'
import { appOf, attemptOf, bankAdapter, countOf, notifyAs } from '../../support/notifying.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let shop: TestApp
let paymentId: number
let profile: Profile
let reference: string
let aheadMs = 0
beforeAll(async () => {
  const startMs = systemClock.now().getTime()
  const clock = { ...systemClock, now: () => new Date(startMs + aheadMs) }
  // No job loops: each test runs its jobs.
  tender = await startTestService('e2e_kept', { clock, role: 'web', log: silentLog })
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  shop = (await tender.newMerchant()).sandbox
  paymentId = (await shop.paid()).paymentId
  const attempt = await attemptOf(tender, shop, paymentId)
  const found = (await appOf(tender, shop)).profiles.find((one) => one.profileId === attempt.profileId)
  if (!found) throw new Error('the profile does not exist')
  profile = found
  reference = attempt.key
  await tender.service.ctx.background.settled()
})
afterEach(() => vi.restoreAllMocks())

const query = <Row>(text: string, values: readonly unknown[] = []) =>
  tender.service.ctx.db.query<Row>({ name: '', text }, values)

/** All stored data of the app's notifications, bytes as text. */
async function stored(): Promise<string> {
  const rows = await query<{ text: string }>(
    `select coalesce(encode(body, 'escape'), '') || row_to_json(n)::text as text
     from provider_notifications n where app_id = $1`,
    [shop.appId],
  )
  return rows.map(({ text }) => text).join('\n')
}

const run = async (job: { runFor?(appId: string): Promise<number>; runOnce(): Promise<number> }) => {
  const done = await (job.runFor ? job.runFor(shop.appId) : job.runOnce())
  await tender.service.ctx.background.settled()
  return done
}

it('does not store the headers, address or body of a verified notification', async () => {
  vi.spyOn(bankAdapter(tender), 'retrieve').mockResolvedValue({ kind: 'unknown', why: 'timeout' })
  expect(await notifyAs(tender, profile, { reference, id: 'payer-data' })).toBe(200)
  expect(await notifyAs(tender, profile, { reference, id: 'payer-data-2', isForged: true })).toBe(401)
  await tender.service.ctx.background.settled()
  expect([await countOf(tender, shop), await countOf(tender, shop, 'forged')]).toEqual([1, 1])
  const text = await stored()
  for (const secret of [profile.webhookKey, 'sandbox-signature', 'payer-data', '/api/provider-webhook'])
    expect(text).not.toContain(secret)
})

it('stores an unverified notification without the key of its address until it is verified', async () => {
  const { ctx } = tender.service
  const adapter = bankAdapter(tender)
  const receive = adapter.receive.bind(adapter)
  const receiving = vi.spyOn(adapter, 'receive').mockRejectedValueOnce(new Error('no answer'))
  good(await shop.call('POST', `test-helpers/payments/${paymentId}/dispute`, {}))
  await query(`update payments set state = 'Captured' where app_id = $1 and payment_id = $2`, [
    shop.appId,
    paymentId,
  ])
  expect(await notifyAs(tender, profile, { reference, id: 'the-same' })).toBe(200)
  expect(await stored()).toContain('the-same')
  expect(await stored()).not.toContain(profile.webhookKey)

  // The same bytes again: neither can be verified yet.
  receiving.mockRejectedValueOnce(new Error('no answer'))
  expect(await notifyAs(tender, profile, { reference, id: 'the-same' })).toBe(503)

  receiving.mockImplementation(receive)
  aheadMs += MINUTE
  await run(notificationsJob(ctx))
  expect(receiving.mock.lastCall?.[1].url).toContain(`webhookKey=${profile.webhookKey}`)
  expect((await shop.read(paymentId)).paymentState).toBe('Disputed')
  expect(await countOf(tender, shop, 'done')).toBe(1)
  expect(await stored()).not.toContain('the-same')
})

it('processes a genuine notification after a forged one with the same id', async () => {
  expect(await notifyAs(tender, profile, { reference, id: 'twice', isForged: true })).toBe(401)
  expect(await notifyAs(tender, profile, { reference, id: 'twice' })).toBe(200)
  expect(await notifyAs(tender, profile, { reference, id: 'twice', isForged: true })).toBe(401)
  await tender.service.ctx.background.settled()
  expect([await countOf(tender, shop, 'done'), await countOf(tender, shop, 'forged')]).toEqual([1, 0])
})

it('removes notifications after 30 days; a later repeat only causes a read', async () => {
  const { ctx } = tender.service
  const removal = notificationRemovalJob(ctx)
  expect(await notifyAs(tender, profile, { reference, id: 'old' })).toBe(200)
  await ctx.background.settled()
  const reading = vi.spyOn(bankAdapter(tender), 'retrieve')
  reading.mockResolvedValueOnce({ kind: 'unknown', why: 'timeout' })
  expect(await notifyAs(tender, profile, { reference, id: 'open' })).toBe(200)
  await ctx.background.settled()
  aheadMs += 29 * DAY
  await run(removal)
  expect(await countOf(tender, shop, 'done')).toBe(1)
  expect(await notifyAs(tender, profile, { reference, id: 'old' })).toBe(200)
  await ctx.background.settled()
  expect(reading).toHaveBeenCalledTimes(1)

  aheadMs += 2 * DAY
  await run(removal)
  expect([await countOf(tender, shop, 'done'), await countOf(tender, shop)]).toEqual([0, 1])
  const ledger = await shop.ledger(paymentId)
  expect(await notifyAs(tender, profile, { reference, id: 'old' })).toBe(200)
  await ctx.background.settled()
  expect(reading).toHaveBeenCalledTimes(2)
  expect(await shop.ledger(paymentId)).toEqual(ledger)
})

it('blanks ended notifications of earlier versions in small batches', async () => {
  await query(
    `insert into provider_notifications
       (app_id, profile_id, digest, received_time, headers, url, body, status)
     select $1, $2, decode(md5(n::text), 'hex'), $3, '{"authorization":"secret"}', '?webhookKey=secret',
       'secret', 'done' from generate_series(1, 700) n`,
    [shop.appId, profile.profileId, tender.service.ctx.clock.now()],
  )
  const removal = notificationRemovalJob(tender.service.ctx)
  expect(await removal.runOnce()).toBe(500)
  expect(await stored()).toContain('secret')
  expect(await removal.runOnce()).toBe(200)
  expect(await stored()).not.toContain('secret')
  expect(await removal.runOnce()).toBe(0)
})
