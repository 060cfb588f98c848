import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { sql } from '../../../src/db/database.ts'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'

/** A mail leaves within seconds; a busy machine may need many times that. */
const WAIT = { timeout: 100_000, interval: 50 }

let server: MailServer
let world: TestConsole
beforeAll(async () => {
  server = await startMailServer()
  world = await startTestConsole('console_link_mail', { config: { mail: server.mail } })
})
afterAll(async () => {
  await world?.stop()
  await server?.stop()
})

async function newLink(email: string): Promise<string> {
  const fields = { amount: '12.50', currency: 'EUR', description: 'Coffee', expiry: 'week' }
  const { location } = await world.post('Manager', 'links/new', { ...fields, customerKind: 'new', email })
  return /\/links\/(\d+)/.exec(location ?? '')?.[1] ?? ''
}

const send = (id: string, fields: Record<string, string>) =>
  world.post('Manager', `links/${id}/mail`, fields, `links/${id}`)

describe('a payment link by e-mail', () => {
  it('is sent in the language of the payer, with the message of the person as one line of text', async () => {
    const id = await newLink('payer@example.com')
    const page = (await world.get('Manager', `links/${id}`)).html
    expect(page).toContain('value="payer@example.com"')
    const message = 'Danke für Ihren Anruf.\r\n<b>Bis bald</b>'
    const { location } = await send(id, { to: 'payer@example.com', locale: 'de', message })
    expect(location).toMatch(/note=mailed$/)
    await vi.waitFor(() => expect(server.received).toHaveLength(1), WAIT)
    const [mail] = server.received
    expect(mail?.to).toEqual(['payer@example.com'])
    expect(mail?.headers.subject).toMatch(/Zahlungsaufforderung von/)
    expect(mail?.text).toContain('Danke für Ihren Anruf. <b>Bis bald</b>')
    expect(mail?.html).not.toContain('<b>Bis')
    const { redirectUrl } = await world.sandbox.read(Number(id))
    expect(mail?.text).toContain(redirectUrl)
    await vi.waitFor(async () => {
      expect((await world.get('Manager', `links/${id}`)).html).toContain(' · sent')
    }, WAIT)
    const { ctx } = world.tender.service
    const licenseId = (await directory(ctx).app(world.sandbox.appId))?.licenseId ?? ''
    const [entry] = await auditEntries(ctx, licenseId, { target: `payment:${id}`, limit: 1 })
    expect(entry).toMatchObject({ action: 'link.mailed', actor: { id: 'usr_manager' } })
    expect(JSON.stringify(entry)).not.toContain('payer@example.com')
  })

  it('is refused for what is no address, a long message, and strangers of a sandbox app', async () => {
    const id = await newLink('payer@example.com')
    const wrong = async (fields: Record<string, string>) => {
      const { status, html } = await send(id, { to: 'payer@example.com', locale: 'en', ...fields })
      return [status, /class="error"[^>]*>([^<]+)/.exec(html)?.[1]]
    }
    expect(await wrong({ to: 'a@b.c, d@e.f' })).toEqual([400, 'E-mail address must be an e-mail address.'])
    expect(await wrong({ message: 'x'.repeat(501) })).toEqual([
      400,
      'Message must be a text of at most 500 characters.',
    ])
    expect(await wrong({ to: 'stranger@gmail.com' })).toEqual([
      400,
      'E-mail address must be an address of the team while the app is a sandbox.',
    ])
    expect(server.received).toHaveLength(1)
  })

  it('is sent five times at most, 200 times a day in an app, and not after it was paid', async () => {
    const id = await newLink('payer@example.com')
    const fields = { to: 'payer@example.com', locale: 'en', message: '' }
    for (let time = 0; time < 5; time++) expect((await send(id, fields)).location).toMatch(/note=mailed$/)
    expect((await send(id, fields)).location).toMatch(/note=mail-limit$/)
    expect((await world.get('Manager', `links/${id}?note=mail-limit`)).html).toContain('was not sent')
    const many = sql<never>(
      'test.many_links',
      `insert into mails (app_id, mail_id, kind, queued_time, expires_time, status, ended_time)
       select $1, 'payment-link:0:' || n, 'payment-link', $2, $2, 'sent', $2 from generate_series(1, 200) n`,
    )
    const { ctx } = world.tender.service
    const other = await newLink('payer@example.com')
    await ctx.db.query(many, [world.sandbox.appId, ctx.clock.now()])
    expect((await send(other, fields)).location).toMatch(/note=mail-limit$/)
    const { paymentId } = await world.sandbox.paid()
    expect((await send(String(paymentId), fields)).status).toBe(409)
    expect((await world.get('Manager', `links/${paymentId}`)).html).not.toContain('Send by e-mail')
  })
})

it('an operator tries the mail server from the System page, and sees whether it took it', async () => {
  const post = () => world.post('Owner', '/console/system/test-mail', {}, '/console/system')
  expect((await post()).location).toBe('/console/system?note=mail-sent')
  const found = server.received.find(({ headers }) => headers.subject === 'Test e-mail of Tender')
  expect(found?.to).toEqual(['owner@example.com'])
  const { db } = world.tender.service.ctx
  const waiting = sql('test.waiting_mails', 'select mail_id from mails where due_time is not null')
  await vi.waitFor(async () => expect(await db.query(waiting)).toEqual([]), WAIT)
  server.next.push({ at: 'rcpt', code: 550 })
  expect((await post()).location).toBe('/console/system?note=mail-refused')
  const { html } = await world.get('Owner', '/console/system?note=mail-refused')
  expect(html).toContain('did not take the e-mail')
  expect(html).toMatch(/Last backup/)
  const refused = await world.post('Manager', '/console/system/test-mail', {}, 'overview')
  expect(refused.status).toBe(404)
})
