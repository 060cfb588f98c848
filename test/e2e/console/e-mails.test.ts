import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAIL_KINDS } from '../../../src/mail/kinds.ts'
import { chromiumPath, launch } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'

let server: MailServer
let world: TestConsole
beforeAll(async () => {
  server = await startMailServer()
  world = await startTestConsole('console_e_mails', { config: { mail: server.mail } })
})
afterAll(async () => {
  await world?.stop()
  await server?.stop()
})

describe('the settings of e-mails', () => {
  it('are off for payers, are saved, and are refused beside their fields', async () => {
    const { html } = await world.get('Owner', 'settings/e-mails')
    expect(html.match(/<input[^>]*checked/g)).toHaveLength(5)
    const fields = {
      receipt: 'on',
      fromName: 'Books',
      replyTo: 'help@shop.example',
      teamAddresses: 'a@b.example',
    }
    expect((await world.post('Admin', 'settings/e-mails', fields)).location).toContain('note=saved')
    expect((await world.sandbox.call('GET', '')).body.emails).toEqual({
      payer: ['receipt'],
      team: [],
      fromName: 'Books',
      replyTo: 'help@shop.example',
      teamAddresses: ['a@b.example'],
    })
    const wrong = await world.post('Owner', 'settings/e-mails', {
      ...fields,
      replyTo: 'no address',
      refund: 'on',
    })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('value="no address"')
    expect(wrong.html).toContain('aria-invalid="true"')
    expect((await world.get('Owner', 'audit?action=emails.changed')).html).toContain('admin@example.com')
    expect((await world.get('Viewer', 'settings/e-mails')).html).not.toContain('Save e-mails')
  })
})

describe('the preview', () => {
  it('shows each e-mail of a sandbox app, without script, and nothing is sent', async () => {
    for (const kind of MAIL_KINDS) {
      const { status, html } = await world.get('Developer', `developers/e-mails?kind=${kind}&locale=de`)
      expect([kind, status]).toEqual([kind, 200])
      expect(html).toContain(`developers/e-mails/preview?kind=${kind}&amp;locale=de`)
      const frame = await world.get('Developer', `developers/e-mails/preview?kind=${kind}&locale=de`)
      expect(frame.html).toContain('<html lang="de"')
    }
    const live = `/console/${world.live.appId}/developers/e-mails`
    expect((await world.get('Developer', live)).status).toBe(404)
    expect(server.received).toEqual([])
  })
})

describe('a forgotten password', () => {
  const ask = (email: string) =>
    fetch(`${world.origin}/console/forgot`, {
      method: 'POST',
      body: new URLSearchParams({ email }),
      redirect: 'manual',
    })

  it('has one answer for every address, and a pause after some requests', async () => {
    const page = await (await fetch(`${world.origin}/console/forgot`)).text()
    expect(page).toContain('Send link')
    await world.tender.service.ctx.db.query({
      name: 'test.password',
      text: `update people set password_hash = 'x' where email = 'owner@example.com'`,
    })
    const [known, unknown] = [await ask('owner@example.com'), await ask('stranger@example.com')]
    expect([known.status, known.headers.get('location')]).toEqual([303, '/console/forgot?note=sent'])
    expect([unknown.status, unknown.headers.get('location')]).toEqual([303, '/console/forgot?note=sent'])
    await vi.waitFor(() => expect(server.received).toHaveLength(1), { timeout: 100_000 })
    expect(server.received[0]?.to).toEqual(['owner@example.com'])
    const link = /http:\S+\/console\/reset-password\/\S+/.exec(server.received[0]?.text ?? '')?.[0] ?? ''
    expect((await fetch(link)).status).toBe(200)
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await ask('stranger@example.com')).status)
    expect(statuses).toEqual([303, 303, 303, 429])
  })
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it.each(['light', 'dark'] as const)(
    'the screens have no accessibility violations: %s',
    async (colorScheme) => {
      const { page, context } = await world.open(browser, 'Owner', { colorScheme })
      for (const path of ['settings/e-mails', 'developers/e-mails?kind=payment-failed&locale=ar']) {
        await page.goto(`${world.origin}/console/${world.sandbox.appId}/${path}`)
        const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze()
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      }
      await context.close()
    },
  )
})

it('the link of an invitation goes by e-mail alone: neither console nor API show it', async () => {
  const email = 'invited@example.com'
  const answer = await world.post('Owner', 'team/invite', { email, role: 'Viewer' })
  const shown = await world.get('Owner', answer.location ?? '')
  expect(shown.html).toContain('The invitation is on its way by e-mail.')
  expect(answer.html + shown.html).not.toContain('/console/join/')
  const path = `/api/team/resources/${world.sandbox.appId}/roles/Viewer/users/email:other@example.com`
  const headers = { cookie: `console=${world.tokens.Owner}` }
  const reply = await fetch(world.origin + path, { method: 'POST', headers })
  const text = await reply.text()
  expect([reply.status, text.includes('Invited')]).toEqual([200, true])
  expect(text).not.toContain('/console/join/')
})
