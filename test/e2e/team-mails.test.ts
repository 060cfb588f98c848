import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MINUTE } from '../../src/base/clock.ts'
import { sql } from '../../src/db/database.ts'
import { troubleJob } from '../../src/occasions/team.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { addMember } from '../support/members.ts'
import { good, startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** A mail leaves within seconds; a busy machine may need many times that. */
const WAIT = { timeout: 100_000, interval: 50 }

let server: MailServer
let tender: TestService
let app: TestApp
beforeAll(async () => {
  server = await startMailServer()
  tender = await startTestService('e2e_team_mails', { config: { mail: server.mail } })
  app = tender.sandbox
  await addMember(tender.service.ctx, app.appId, 'owner@shop.example')
})
afterAll(async () => {
  await tender?.stop()
  await server?.stop()
})

const settle = (emails: object, of = app) => of.call('PATCH', '', { emails }).then(good)

const subjectOf = ({ headers }: ReceivedMail): string => headers.subject ?? ''

async function mailTo(address: string, about: string): Promise<ReceivedMail> {
  const found = () =>
    server.received.find((mail) => mail.to.includes(address) && subjectOf(mail).includes(about))
  await vi.waitFor(() => expect(found()).toBeDefined(), WAIT)
  return found() as ReceivedMail
}

const write = (name: string, text: string, values: readonly unknown[]) =>
  tender.service.ctx.db.query(sql(`test.${name}`, text), values)

/** Problems of an endpoint and a provider, as webhooks and routing record them. */
async function inTrouble({ appId }: TestApp): Promise<void> {
  const since = new Date(Date.now() - 20 * MINUTE)
  await write(
    'failing',
    `insert into webhook_endpoints (app_id, endpoint, url, failures, pauses, allowed, failing_time,
       last_error)
     values ($1, '', 'https://shop.example/hook', 9, 3, 1, $2, 'The endpoint answered 500.')`,
    [appId, since],
  )
  await write(
    'degraded',
    `insert into profile_health (app_id, profile_id, failures, diagnosis, due_time)
     select app_id, profile_id, 3, $2::json, now() + interval '1 hour' from payment_profiles
     where app_id = $1 order by profile_id limit 1`,
    [appId, '{"code":"failed","failed":9,"calls":10}'],
  )
}

const runTroubleJob = async () => {
  await troubleJob(tender.service.ctx).runOnce()
  await troubleJob(tender.service.ctx).runOnce()
}

describe('the team', () => {
  it('is told of a failing endpoint and a provider with problems, once a day', async () => {
    good(await app.call('PATCH', '', { paymentWebhookUrl: 'https://shop.example/hook?token=secret' }))
    await inTrouble(app)
    await runTroubleJob()
    await settle({ teamAddresses: ['ops@shop.example'] })
    await runTroubleJob()
    const endpoint = await mailTo('ops@shop.example', 'Webhooks of')
    expect(endpoint.text).toContain('https://shop.example/hook')
    expect(endpoint.text).toContain('The endpoint answered 500.')
    expect(endpoint.text).not.toContain('secret')
    const provider = await mailTo('ops@shop.example', 'has problems')
    expect(provider.text).toContain('9 of the last 10 calls failed.')
    expect(server.received.map(subjectOf)).toHaveLength(2)
  })

  it('of a sandbox app without addresses, or with these e-mails off, is told nothing', async () => {
    const { sandbox, live } = await tender.newMerchant()
    for (const one of [sandbox, live]) {
      good(await one.call('PATCH', '', { paymentWebhookUrl: 'https://shop.example/hook' }))
      await inTrouble(one)
    }
    await settle({ team: [], teamAddresses: ['off@shop.example'] }, live)
    await runTroubleJob()
    const text = 'select mail_id from mails where app_id = any ($1)'
    expect(await write('of_apps', text, [[sandbox.appId, live.appId]])).toEqual([])
  })

  it('is told of authorisations that end within a day', async () => {
    const { sandbox } = await tender.newMerchant()
    await addMember(tender.service.ctx, sandbox.appId, 'finance@shop.example')
    const order = { orderId: 'B-77', customer: { customerId: 'ann' } }
    const { paymentId } = await sandbox.paid({ autoCapture: false, customerOrder: order })
    const kept = await sandbox.paid({ autoCapture: false })
    const soon = `update payments set authorised_until = now() + interval '5 hours'
      where app_id = $1 and payment_id = $2`
    await write('ends_soon', soon, [sandbox.appId, paymentId])
    const searched = `select payment_id from payment_search where app_id = $1 and state = 'Authorized'`
    await vi.waitFor(async () => {
      expect(await write('searched', searched, [sandbox.appId])).toHaveLength(2)
    }, WAIT)
    await settle({ teamAddresses: ['finance@shop.example'] }, sandbox)
    // The look of this day was before the payment.
    const again = `update mail_walks set due_time = now() where app_id = $1 and source = 'authorisations'`
    await write('look_again', again, [sandbox.appId])
    const mail = await mailTo('finance@shop.example', '1 authorisation ends')
    expect(mail.text).toContain('B-77')
    expect(mail.text).not.toContain(kept.referenceId)
  })
})

describe('a payer', () => {
  it('is told of a card that expires soon, with a link to add another', async () => {
    const { sandbox } = await tender.newMerchant()
    await addMember(tender.service.ctx, sandbox.appId, 'eve@example.com')
    const customer = { customerId: 'eve', email: 'eve@example.com' }
    await sandbox.paid({ registerAutoPayment: true, customerOrder: { customer } })
    const now = new Date()
    const card = { brand: 'Visa', last4: '4242', expiryMonth: now.getUTCMonth() + 1 }
    await write('expiring', `update payment_methods set card = $2 where app_id = $1`, [
      sandbox.appId,
      JSON.stringify({ ...card, expiryYear: now.getUTCFullYear() }),
    ])
    // The bank has not renewed the card: it is read again before the e-mail.
    await write(
      'not_renewed',
      `update sandbox_bank.stored_methods set document = (document::jsonb || jsonb_build_object('instrument',
         (document -> 'instrument')::jsonb || $1::jsonb))::json`,
      [JSON.stringify({ ...card, expiryYear: now.getUTCFullYear() })],
    )
    await settle({ payer: ['card-expiring'] }, sandbox)
    const mail = await mailTo('eve@example.com', 'expires soon')
    expect(mail.text).toContain('4242')
    expect(mail.text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/p\//)
    expect(mail.headers['list-unsubscribe']).toContain('/unsubscribe/')
  })
})
