import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { disputesJob } from '../../../src/occasions/disputes.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { addMember } from '../../support/members.ts'
import { good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

/** A mail leaves within seconds; a busy machine may need many times that. */
const WAIT = { timeout: 100_000, interval: 50 }

let server: MailServer
let tender: TestService
let app: TestApp
beforeAll(async () => {
  server = await startMailServer()
  tender = await startTestService('e2e_dispute_mails', { config: { mail: server.mail } })
  app = tender.sandbox
  await addMember(tender.service.ctx, app.appId, 'team@shop.example')
})
afterAll(async () => {
  await tender?.stop()
  await server?.stop()
})

const subjects = () => server.received.map(({ headers }) => headers.subject ?? '')

/** As after restarts and on several nodes: the job runs more than once, also at the same time. */
async function runJob(): Promise<void> {
  const { ctx } = tender.service
  await Promise.all([disputesJob(ctx).runOnce(), disputesJob(ctx).runOnce()])
  expect(await disputesJob(ctx).runOnce(), 'nothing is left to send').toBe(0)
}

async function disputed(wish: object, of = app) {
  const customerOrder = { orderId: 'B-77', customer: { customerId: 'ann' } }
  const { paymentId } = await of.paid({ customerOrder })
  good(await of.call('POST', `test-helpers/payments/${paymentId}/dispute`, wish))
  const [dispute] = good(await of.call('GET', 'disputes'))
  return dispute
}

it('the team hears of a dispute at the start, a week and a day before the deadline, once each', async () => {
  good(await app.call('PATCH', '', { emails: { teamAddresses: ['team@shop.example'] } }))
  const { disputeId } = await disputed({ dueDays: 10 })
  await runJob()
  await vi.waitFor(() => expect(subjects()).toHaveLength(1), WAIT)
  expect(subjects()[0]).toMatch(/^New dispute of €25\.50 for B-77$/)
  expect(server.received[0]?.text).toContain(`/disputes/${disputeId}`)
  // A draft is no answer yet.
  good(await app.call('PUT', `disputes/${disputeId}/evidence`, { texts: { explanation: 'To be sent' } }))
  await app.advance('2d')
  await runJob()
  await app.advance('2d')
  await runJob()
  await vi.waitFor(() => expect(subjects()).toHaveLength(2), WAIT)
  expect(subjects()[1]).toMatch(/^A week left/)
  await app.advance('5d')
  await app.advance('2h')
  await runJob()
  await vi.waitFor(() => expect(subjects()).toHaveLength(3), WAIT)
  expect(subjects()[2]).toMatch(/^A day left/)
  await app.advance('3d')
  await runJob()
  const { db } = tender.service.ctx
  const counted = sql('test.dispute_mails', `select mail_id from mails where kind = 'dispute'`)
  expect(await db.query(counted)).toHaveLength(3)
})

it('a dispute with evidence needs no reminder, and without these e-mails nothing is sent', async () => {
  const { sandbox } = await tender.newMerchant()
  const emails = { teamAddresses: ['other@shop.example'] }
  good(await sandbox.call('PATCH', '', { emails }))
  const { disputeId } = await disputed({ dueDays: 3 }, sandbox)
  await runJob()
  good(await sandbox.call('PUT', `disputes/${disputeId}/evidence`, { texts: { explanation: 'Here' } }))
  good(await sandbox.call('POST', `disputes/${disputeId}/submit`))
  await sandbox.advance('60h')
  await runJob()
  // Once the deadline has passed, there is nothing to hurry for.
  const late = (await tender.newMerchant()).sandbox
  good(await late.call('PATCH', '', { emails }))
  await disputed({ dueDays: 9 }, late)
  await runJob()
  await late.advance('10d')
  await runJob()
  const off = (await tender.newMerchant()).sandbox
  good(await off.call('PATCH', '', { emails: { ...emails, team: [] } }))
  await disputed({ dueDays: 3 }, off)
  await runJob()
  const { db } = tender.service.ctx
  const kept = sql(
    'test.dispute_mails_of',
    `select mail_id from mails where kind = 'dispute' and app_id = any ($1)`,
  )
  expect(await db.query(kept, [[sandbox.appId, late.appId, off.appId]])).toEqual([
    { mailId: expect.stringContaining(':opened:') },
    { mailId: expect.stringContaining(':opened:') },
  ])
})
