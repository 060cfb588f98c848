import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '../../src/db/database.ts'
import { createFastClock } from '../support/clock.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { addMember } from '../support/members.ts'
import { good, newReference, startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** A mail leaves within seconds; a busy machine may need many times that. */
const WAIT = { timeout: 100_000, interval: 50 }

let server: MailServer
let tender: TestService
let app: TestApp
beforeAll(async () => {
  server = await startMailServer()
  // Occasions are looked for every five seconds, two seconds after they happened.
  tender = await startTestService('e2e_mails', { clock: createFastClock(4), config: { mail: server.mail } })
  app = tender.sandbox
  for (const email of ['owner@example.com', 'owner@shop.example'])
    await addMember(tender.service.ctx, app.appId, email)
})
afterAll(async () => {
  await tender?.stop()
  await server?.stop()
})

const settle = (emails: object, of = app) => of.call('PATCH', '', { emails }).then(good)

const orderOf = (customerId: string, email: string) => ({
  customerOrder: {
    orderId: 'A-1001',
    description: 'Two <b>books</b>',
    customer: { customerId, email, firstName: 'Dana' },
  },
})

/** The messages to an address, once there are this many. */
async function mailsTo(address: string, count: number): Promise<ReceivedMail[]> {
  const found = () => server.received.filter(({ to }) => to.includes(address))
  await vi.waitFor(() => expect(found().map(subjectOf)).toHaveLength(count), WAIT)
  return found()
}

const subjectOf = ({ headers }: ReceivedMail): string => headers.subject ?? ''

const countOf = async (table: 'mails' | 'mail_walks', appId = app.appId): Promise<number> => {
  // Ending authorisations are notices in the console too, and looked for in every app.
  const isMail = table === 'mails' || `source <> 'authorisations'`
  const text = `select count(*)::int as n from ${table} where app_id = $1 and ${isMail}`
  const [row] = await tender.service.ctx.db.query(sql<{ n: number }>(`test.count_${table}`, text), [appId])
  return row?.n ?? 0
}

async function countOfReceipts(paymentId: number): Promise<number> {
  const text = 'select count(*)::int as n from mails where app_id = $1 and mail_id = $2'
  const count = sql<{ n: number }>('test.count_receipts', text)
  const [row] = await tender.service.ctx.db.query(count, [app.appId, `receipt:${paymentId}`])
  return row?.n ?? 0
}

describe('without settings', () => {
  it('payers get nothing, and no row is written', async () => {
    const { sandbox } = await tender.newMerchant()
    const { paymentId } = await sandbox.paid(orderOf('quiet', 'quiet@example.com'))
    await sandbox.act(paymentId, 'refund')
    // Another app's mail goes the whole way in the meantime.
    await settle({ payer: ['receipt'] })
    await app.paid(orderOf('loud', 'loud@example.com'))
    await mailsTo('loud@example.com', 1)
    expect(await countOf('mails', sandbox.appId)).toBe(0)
    expect(await countOf('mail_walks', sandbox.appId)).toBe(0)
    expect(server.received.filter(({ to }) => to.includes('quiet@example.com'))).toEqual([])
  })
})

describe('payers', () => {
  it('get a receipt, refunds, changes of methods and failed charges, each once', async () => {
    await settle({
      payer: ['receipt', 'refund', 'payment-failed', 'method-added', 'method-removed'],
      fromName: 'Corner Bookshop',
      replyTo: 'help@shop.example',
    })
    good(
      await app.call('PATCH', '', {
        friendlyName: 'Bookshop sandbox',
        refundProcessReceiverEmails: ['books@shop.example'],
      }),
    )
    const customer = orderOf('dana', 'dana@example.com')
    const { paymentId } = await app.paid({ ...customer, registerAutoPayment: true })
    good(await app.act(paymentId, 'refund?amount=5.5'))
    await app.fault('charge', 'decline')
    const failed = await app.call('POST', 'payments/auto-payment', {
      referenceId: newReference(),
      amount: 9.99,
      autoCapture: true,
      ...customer,
    })
    expect(failed.body.paymentState).toBe('Failed')
    const [method] = good(await app.call('GET', 'customers/dana/payment-methods'))
    good(await app.call('DELETE', `customers/dana/payment-methods/${method.paymentMethodId}`))

    const mails = await mailsTo('dana@example.com', 5)
    expect(mails.map(subjectOf).sort()).toEqual([
      '[Test] A payment method was added at Corner Bookshop',
      '[Test] A payment method was removed at Corner Bookshop',
      '[Test] Your payment to Corner Bookshop did not succeed',
      '[Test] Your receipt from Corner Bookshop',
      '[Test] Your refund from Corner Bookshop',
    ])
    for (const { headers, text, html } of mails) {
      expect(headers.from).toBe('Corner Bookshop <mail@tender.test>')
      expect(headers['reply-to']).toBe('help@shop.example')
      expect(html).not.toContain('<b>books')
      expect(text + html).not.toMatch(/\d{12}/)
    }
    const [receipt] = mails.filter((mail) => subjectOf(mail).includes('receipt'))
    expect(receipt?.text).toContain('€25.50')
    expect(receipt?.text).toContain('A-1001')
    expect(receipt?.text).toContain('Visa •••• 4242')
    expect(receipt?.headers).not.toHaveProperty('list-unsubscribe')
    const [refund] = mails.filter((mail) => subjectOf(mail).includes('refund'))
    expect(refund?.text).toContain('You get €5.50 back')
    const [team] = await mailsTo('books@shop.example', 1)
    expect(subjectOf(team as ReceivedMail)).toBe('Refund of €5.50 for A-1001')
    expect(team?.text).toContain(`/console/${app.appId}/payments/${paymentId}`)
  })

  it('are told until when slow money is expected, and get the receipt when it is there', async () => {
    const { sandbox } = await tender.newMerchant()
    await addMember(tender.service.ctx, sandbox.appId, 'owner@slow.example')
    await settle({ payer: ['payment-pending', 'receipt'] }, sandbox)
    const profile = { provider: 'sandbox', name: 'By name', currency: 'EUR', methods: ['multibanco'] }
    good(await sandbox.call('POST', 'payment-profiles', profile))
    const { paymentId } = await sandbox.create({ ...orderOf('sam', 'sam@slow.example'), currency: 'EUR' })
    good(await sandbox.pay(paymentId, { method: 'multibanco', outcome: 'approved' }))
    const [pending] = await mailsTo('sam@slow.example', 1)
    expect(subjectOf(pending as ReceivedMail)).toMatch(/^\[Test\] Your payment to .+ is on its way$/)
    expect(pending?.text).toMatch(/It is expected by \w+ \d+, \d{4}/)
    expect(pending?.text).toContain('Multibanco')
    await sandbox.advance('25h')
    good(await sandbox.act(paymentId, 'recheck'))
    const mails = await mailsTo('sam@slow.example', 2)
    expect(subjectOf(mails[1] as ReceivedMail)).toContain('Your receipt')
  })

  it('get no second receipt when the provider captures a payment again', async () => {
    const { paymentId } = await app.paid(orderOf('again', 'again@example.com'))
    await mailsTo('again@example.com', 1)
    // As after the time for which ended messages are kept.
    const { db } = tender.service.ctx
    const forget = 'delete from mails where app_id = $1 and mail_id = $2 and due_time is null'
    await vi.waitFor(async () => {
      await db.query(sql<never>('test.forget', forget), [app.appId, `receipt:${paymentId}`])
      expect(await countOfReceipts(paymentId)).toBe(0)
    }, WAIT)
    const repeat = sql<never>(
      'test.captured_again',
      `insert into events (app_id, payment_id, sequence, type, state, created_time, body)
       select app_id, payment_id, sequence + n, type, state, created_time + n * interval '1 ms',
         replace(body, '"Captured"', '"' || state || '"')
       from (select e.app_id, e.payment_id, e.sequence, e.type, e.body, $3::timestamptz as created_time,
           n, case n when 1 then 'Capturing' else 'Captured' end as state
         from events e, (values (1), (2)) v (n)
         where e.app_id = $1 and e.payment_id = $2 and e.state = 'Captured') again`,
    )
    await db.query(repeat, [app.appId, paymentId, tender.service.ctx.clock.now()])
    // A later payment's receipt comes after everything before it was looked at.
    await app.paid(orderOf('again', 'again@example.com'))
    await mailsTo('again@example.com', 2)
    expect(await countOfReceipts(paymentId)).toBe(0)
  })

  it('pay a failed charge with the link, and can unsubscribe from such reminders', async () => {
    const [mail] = server.received.filter((one) => subjectOf(one).includes('did not succeed'))
    const link = /http:\/\/[^\s]+\/p\/[^\s]+/.exec(mail?.text ?? '')?.[0] ?? ''
    const opened = await fetch(link, { headers: { 'sec-fetch-dest': 'document' }, redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/p'])
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const stop = /^<(.+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    // A scanner that opens the link unsubscribes nobody.
    expect((await fetch(stop)).status).toBe(200)
    const optOuts = async () =>
      (await tender.service.ctx.db.query(sql('test.opt_outs', 'select app_id from mail_opt_outs'))).length
    expect(await optOuts()).toBe(0)
    const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
    expect((await fetch(stop, oneClick)).status).toBe(200)
    expect(await optOuts()).toBe(1)
    expect((await fetch(`${stop}x`)).status).toBe(404)
    expect((await fetch(`${stop}x`, oneClick)).status).toBe(404)

    await app.fault('charge', 'decline')
    await app.paid({ ...orderOf('dana', 'dana@example.com'), registerAutoPayment: true })
    await app.call('POST', 'payments/auto-payment', {
      referenceId: newReference(),
      amount: 7,
      autoCapture: true,
      ...orderOf('dana', 'dana@example.com'),
    })
    await vi.waitFor(async () => {
      const text = `select status, last_error from mails where app_id = $1 and kind = 'payment-failed'
        order by queued_time desc limit 1`
      const [row] = await tender.service.ctx.db.query(sql<{ status: string }>('test.last_failed', text), [
        app.appId,
      ])
      expect(row).toMatchObject({ status: 'dropped', lastError: 'The recipient unsubscribed.' })
    }, WAIT)
  })
})

describe('a sandbox app', () => {
  it('writes to members of its licence and their domains only', async () => {
    const { sandbox } = await tender.newMerchant()
    for (const email of ['eve@team.example', 'Eve.Shop@gmail.com'])
      await addMember(tender.service.ctx, sandbox.appId, email)
    await settle({ payer: ['receipt'] }, sandbox)
    const sent = ['payer@team.example', 'eve.shop+test@gmail.com']
    const left = ['stranger@gmail.com', 'ann@sub.team.example', 'ann@example.com', '+x@gmail.com']
    for (const [n, email] of [...left, ...sent].entries()) await sandbox.paid(orderOf(`c${n}`, email))
    const ended = sql<{ status: string; lastError: string | null }>(
      'test.ended_mails',
      `select status, last_error from mails where app_id = $1 and ended_time is not null order by status`,
    )
    const dropped = { status: 'dropped', lastError: 'The recipient is not of the team.' }
    await vi.waitFor(async () => {
      expect(await tender.service.ctx.db.query(ended, [sandbox.appId])).toEqual([
        ...left.map(() => dropped),
        ...sent.map(() => ({ status: 'sent', lastError: null })),
      ])
    }, WAIT)
    const reached = server.received.flatMap(({ to }) => to)
    expect(sent.filter((one) => reached.includes(one))).toEqual(sent)
    expect(left.filter((one) => reached.includes(one))).toEqual([])
  })
})

describe('settings of an app', () => {
  it('are read and written over the API', async () => {
    const { sandbox } = await tender.newMerchant()
    const standard = {
      payer: [],
      team: ['endpoint-failing', 'provider-degraded', 'authorisations-ending', 'settlements', 'dispute'],
      fromName: null,
      replyTo: null,
      teamAddresses: [],
    }
    expect(good(await sandbox.call('GET', '')).emails).toEqual(standard)
    const changed = { payer: ['refund'], team: [], fromName: 'Shop', replyTo: 'a@b.example' }
    await settle({ ...changed, teamAddresses: ['ops@b.example'] }, sandbox)
    expect(good(await sandbox.call('GET', '')).emails).toEqual({
      ...changed,
      teamAddresses: ['ops@b.example'],
    })
    await settle({ payer: { value: null }, team: { value: null }, fromName: '', replyTo: '' }, sandbox)
    await settle({ teamAddresses: { value: [] } }, sandbox)
    expect(good(await sandbox.call('GET', '')).emails).toEqual(standard)
    for (const wrong of [
      { payer: ['other'] },
      { fromName: 'Shop\r\nBcc: eve@example.com' },
      { fromName: 'Shop <eve@example.com>' },
      { replyTo: 'a@b.example\nBcc: eve@example.com' },
      { teamAddresses: Array(21).fill('a@b.example') },
    ])
      expect((await sandbox.call('PATCH', '', { emails: wrong })).status).toBe(400)
  })
})
