import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/base/clock.ts'
import { sql } from '../../../src/db/database.ts'
import { noticesJob } from '../../../src/notices/notices.ts'
import { occasionJobs } from '../../../src/occasions/jobs.ts'
import { flushSearch } from '../../../src/payments/search/writing/writer.ts'
import type { Role } from '../../../src/people/access/roles.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

/** Without a mail server, and without jobs that run beside the test. */
let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_notices', { role: 'web' })
})
afterAll(() => world?.stop())

const write = (name: string, text: string, values: readonly unknown[]) =>
  world.tender.service.ctx.db.query(sql(`test.${name}`, text), values)

/** Twice: what was told is not told again. */
async function runJobs(): Promise<void> {
  const { ctx } = world.tender.service
  await flushSearch(ctx, world.sandbox.appId)
  for (const job of [...occasionJobs(ctx), ...occasionJobs(ctx)]) await job.runOnce()
}

const bellOf = async (role: Role): Promise<number> => {
  const { html } = await world.get(role, 'payments')
  return Number(/class="bell"[^>]*aria-label="Notices: (\d+) unread"/.exec(html)?.[1] ?? 0)
}

const sentencesOf = async (role: Role): Promise<string[]> => {
  const { html } = await world.get(role, 'notices')
  return [...html.matchAll(/<p>(?:<span[^>]*>Unread: <\/span>)?<bdi>([^<]+)<\/bdi>/g)].map(
    ([, text = '']) => text,
  )
}

async function trouble(): Promise<void> {
  const { sandbox } = world
  good(await sandbox.call('PATCH', '', { paymentWebhookUrl: 'https://shop.example/hook?token=secret' }))
  await write(
    'failing',
    `insert into webhook_endpoints (app_id, endpoint, url, failures, pauses, allowed, failing_time,
       last_error)
     values ($1, '', 'https://shop.example/hook', 9, 3, 1, $2, 'The endpoint answered 500.')`,
    [sandbox.appId, new Date(Date.now() - 20 * MINUTE)],
  )
  await write(
    'degraded',
    `insert into profile_health (app_id, profile_id, failures, diagnosis, due_time)
     select app_id, profile_id, 3, $2::json, now() + interval '1 hour' from payment_profiles
     where app_id = $1 order by profile_id limit 1`,
    [sandbox.appId, '{"code":"failed","failed":9,"calls":10}'],
  )
}

describe('notices', () => {
  it('tell of trouble and disputes without a mail server, once, to those who may open the page', async () => {
    await trouble()
    const { paymentId } = await world.sandbox.paid({ amount: 30 })
    good(await world.sandbox.call('POST', `test-helpers/payments/${paymentId}/dispute`, { dueDays: 3 }))
    await runJobs()
    const all = await sentencesOf('Owner')
    expect(all).toHaveLength(3)
    expect(all.join('\n')).toMatch(/Webhooks do not arrive at https:\/\/shop\.example\/hook\./)
    expect(all.join('\n')).toMatch(/The provider profile .+ has problems\./)
    expect(all.join('\n')).toContain('A customer disputes €30.00.')
    expect(all.join('\n')).not.toContain('secret')
    expect(await bellOf('Owner')).toBe(3)
    // Support has nothing to do with webhooks.
    const known = all.filter((sentence) => !sentence.startsWith('Webhooks'))
    expect(await sentencesOf('Support')).toEqual(known)
    expect(await bellOf('Support')).toBe(2)
  })

  it('are read by each person alone: one by opening it, all by a button', async () => {
    const { html } = await world.get('Owner', 'notices')
    const notice = /name="notice" value="(dispute:[^"]+)"/.exec(html)?.[1] ?? ''
    const opened = await world.post('Owner', 'notices/open', { notice }, 'notices')
    expect(opened.location).toMatch(/\/disputes\/[^/]+$/)
    expect([await bellOf('Owner'), await bellOf('Support')]).toEqual([2, 2])
    // A notice that the role may not see stays as it is.
    const other = /name="notice" value="(endpoint-failing:[^"]+)"/.exec(html)?.[1] ?? ''
    const refused = await world.post('Support', 'notices/open', { notice: other }, 'notices')
    expect(refused.location).toMatch(/\/notices$/)
    expect((await world.post('Owner', 'notices/read', {}, 'notices')).location).toMatch(/\/notices$/)
    expect([await bellOf('Owner'), await bellOf('Support')]).toEqual([0, 2])
    expect(await sentencesOf('Owner')).toHaveLength(3)
  })

  it('tell others of a refund that waits', async () => {
    const settings = { friendlyName: 'Shop', timeZone: 'UTC', refundApprovalAbove: 'EUR 10,00' }
    expect((await world.post('Owner', 'settings', settings)).status).toBe(303)
    const { paymentId } = await world.sandbox.paid({ amount: 30 })
    const before = await bellOf('Manager')
    await world.post('Owner', `payments/${paymentId}/refund`, { amount: '20.00' })
    expect([await bellOf('Owner'), await bellOf('Manager')]).toEqual([0, before + 1])
    expect((await sentencesOf('Manager'))[0]).toBe(
      `The refund of €20.00 of payment ${paymentId} waits for your approval.`,
    )
  })

  it('are removed after thirty days', async () => {
    const { ctx } = world.tender.service
    await noticesJob(ctx).runOnce()
    expect((await sentencesOf('Owner')).length).toBeGreaterThan(0)
    await write('age', 'update notices set created_time = $1', [new Date(Date.now() - 31 * DAY)])
    await noticesJob(ctx).runOnce()
    expect(await sentencesOf('Owner')).toEqual([])
    expect((await world.get('Owner', 'notices')).html).toContain('No notices')
    expect(await write('reads', 'select notice_id from notice_reads', [])).toEqual([])
  })
})
