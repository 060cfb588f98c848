import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { HttpReply } from '../../../src/net/http.ts'
import { sessions } from '../../../src/people/sessions/cache.ts'
import { AFTER_PROOFS, giveSecondFactor, startTestConsole, type TestConsole } from '../../support/console.ts'
import { type DnsServer, startDns } from '../../support/dns.ts'
import { fakeTexts } from '../../support/host-proof.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'

let world: TestConsole
let receiver: Receiver
let dns: DnsServer
beforeAll(async () => {
  dns = await startDns()
  const config = { allowPrivateWebhooks: true }
  world = await startTestConsole('console_settings', { config, dnsServers: [dns.server] })
  receiver = await startReceiver()
})
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
  await dns?.stop()
})

const appOf = async () => (await world.sandbox.call('GET', '')).body

const GENERAL = {
  friendlyName: 'Books & more',
  timeZone: 'Europe/Berlin',
  defaultFraudPolicyId: '',
  requireOtpForApiKeys: 'yes',
  maxThresholdRefundCountDaily: '7',
  refundProcessReceiverEmails: 'a@example.com\nb@example.com',
}

describe('general settings', () => {
  it('are saved, and the audit log tells who did it', async () => {
    expect((await world.post('Admin', 'settings', GENERAL)).location).toContain('note=saved')
    expect(await appOf()).toMatchObject({
      friendlyName: 'Books & more',
      timeZone: 'Europe/Berlin',
      requireOtpForApiKeys: true,
      isTwoFactorAuthenticationEnabled: false,
      maxThresholdRefundCountDaily: 7,
      refundProcessReceiverEmails: [{ emailAddress: 'a@example.com' }, { emailAddress: 'b@example.com' }],
    })
    const { html } = await world.get('Owner', 'audit?action=app.changed')
    expect(html).toContain('admin@example.com')
  })

  it('protect refunds less only for a person with a code', async () => {
    const fields = { ...GENERAL, maxThresholdRefundCountDaily: '', refundProcessReceiverEmails: '' }
    const refused = await world.post('Admin', 'settings', fields)
    expect([refused.status, refused.html.includes('Set up a second factor first.')]).toEqual([403, true])
    expect(await appOf()).toMatchObject({ maxThresholdRefundCountDaily: 7 })
    await giveSecondFactor(world, 'Owner', AFTER_PROOFS)
    // The sign-in was before the second factor, so its proof had no code.
    const next = encodeURIComponent(`/console/${world.sandbox.appId}/settings`)
    const asked = await world.post('Owner', 'settings', fields)
    expect(asked.location).toBe(`/console/profile/proof?next=${next}`)
    await giveSecondFactor(world, 'Owner')
    expect((await world.post('Owner', 'settings', fields)).location).toContain('note=saved')
    expect(await appOf()).toMatchObject({
      maxThresholdRefundCountDaily: null,
      refundProcessReceiverEmails: [],
    })
  })

  it('are refused beside their fields, and what was typed stays', async () => {
    const wrong = { ...GENERAL, friendlyName: 'Kept', refundProcessReceiverEmails: 'no<b>', timeZone: 'Mars' }
    const page = await world.post('Owner', 'settings', { ...wrong, maxThresholdRefundCountDaily: '-1' })
    expect(page.status).toBe(400)
    expect(page.html).toContain('value="Kept"')
    expect(page.html).toContain('no&lt;b>')
    expect(page.html.match(/aria-invalid="true"/g)?.length).toBe(2)
    const policy = await world.post('Owner', 'settings', { ...GENERAL, defaultFraudPolicyId: '999999' })
    expect(policy.status).toBeGreaterThanOrEqual(400)
    expect(policy.html).toContain('role="alert"')
  })

  it('can be read without the right to write', async () => {
    const page = await world.get('Viewer', 'settings')
    expect(page.status).toBe(200)
    expect(page.html).not.toContain('Save settings')
    expect((await world.post('Viewer', 'settings', GENERAL)).status).toBe(403)
    expect((await world.get('Support', 'settings')).status).toBe(403)
  })
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)

/** Posts the editor's form as a browser does. */
async function upload(file: Buffer, type: string, name = 'logo.png'): Promise<Response> {
  const { html } = await world.get('Owner', 'settings/checkout')
  const body = new FormData()
  body.set('form', /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '')
  body.set('slogan1', 'With a logo')
  body.set('logo', new Blob([new Uint8Array(file)], { type }), name)
  return fetch(`${world.origin}/console/${world.sandbox.appId}/settings/checkout`, {
    method: 'POST',
    body,
    headers: { cookie: `console=${world.tokens.Owner}` },
    redirect: 'manual',
  })
}

describe('the checkout editor', () => {
  it('takes a logo whose content, type and size fit', async () => {
    expect((await upload(PNG, 'image/png')).headers.get('location')).toContain('note=saved')
    const { branding } = await appOf()
    expect(branding.slogan1).toBe('With a logo')
    const logo = await fetch(branding.logoUrl)
    expect(Buffer.from(await logo.arrayBuffer()).equals(PNG)).toBe(true)
    for (const refused of [
      await upload(Buffer.from('<script>1</script>'), 'image/png'),
      // Bun takes the type of a file from its name.
      await upload(PNG, 'text/html', 'logo.html'),
      await upload(Buffer.concat([PNG, Buffer.alloc(70_000)]), 'image/png'),
    ]) {
      expect(refused.status).toBe(400)
      expect(await refused.text()).toMatch(/id="logo"[^>]*aria-invalid="true"/)
    }
    const broken = await fetch(`${world.origin}/console/${world.sandbox.appId}/settings/checkout`, {
      method: 'POST',
      body: '--x\r\nnonsense',
      headers: { cookie: `console=${world.tokens.Owner}`, 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(broken.status).toBe(400)
  })

  it('removes the logo', async () => {
    await world.post('Owner', 'settings/checkout', { removeLogo: 'yes' })
    expect(await appOf()).toMatchObject({ branding: { logoUrl: null, slogan1: null } })
  })

  it('shows a preview of what is not saved, without script', async () => {
    const fields = { color: '#ffee00', slogan1: 'Fine <b>books', screen: 'desktop', preview: 'yes' }
    const page = await world.post('Owner', 'settings/checkout', fields)
    expect(page.status).toBe(200)
    expect(page.html).toContain('Too light beside white')
    expect(page.html).toContain('data-screen="desktop"')
    const src = /<iframe[^>]*src="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const preview = await world.get('Owner', src)
    expect(preview.html).toContain('Fine &lt;b>books')
    expect(await appOf()).toMatchObject({ branding: { color: null, slogan1: null } })
  })

  it('names Tender at the foot of the page, unless that is switched off', async () => {
    const path = new URL((await world.sandbox.create()).redirectUrl).pathname
    const checkout = async () => (await world.get('Owner', path)).html
    expect(await checkout()).toContain('Powered by Tender')
    expect((await world.get('Owner', 'settings/preview?showPoweredBy=no')).html).not.toContain('Powered by')
    await world.post('Owner', 'settings/checkout', { showPoweredBy: 'no' })
    expect(await appOf()).toMatchObject({ branding: { showPoweredBy: false } })
    expect(await checkout()).not.toContain('Powered by Tender')
    expect((await world.get('Owner', 'settings/preview')).html).not.toContain('Powered by')
    const { html } = await world.get('Owner', 'settings/checkout')
    expect(html).toContain('<option value="no" selected>Not shown')
    await world.sandbox.call('PATCH', '', { branding: { slogan1: 'Unchanged' } })
    expect(await appOf()).toMatchObject({ branding: { showPoweredBy: false } })
    await world.sandbox.call('PATCH', '', { branding: { showPoweredBy: { value: null } } })
    expect(await checkout()).toContain('Powered by Tender')
  })

  it('refuses values at their fields', async () => {
    const fields = { color: 'red', support: 'nowhere', termsUrl: 'javascript:alert(1)' }
    const page = await world.post('Owner', 'settings/checkout', fields)
    expect(page.status).toBe(400)
    expect(page.html).toMatch(/id="color"[^>]*aria-invalid="true"/)
    expect(page.html).toMatch(/id="termsUrl"[^>]*aria-invalid="true"/)
  })
})

describe('the preview', () => {
  it('is framed by the same origin only, and no form works in it', async () => {
    const reply = await fetch(`${world.origin}/console/${world.sandbox.appId}/settings/preview`, {
      headers: { cookie: `console=${world.tokens.Viewer}` },
    })
    const policy = reply.headers.get('content-security-policy')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toContain("form-action 'none'")
    expect(await reply.text()).not.toContain('<script')
  })

  it('leaves out values that could not be saved', async () => {
    const query = 'color=url(x)&termsUrl=javascript:alert(1)&support=javascript:alert(1)&theme=x&locale=zz'
    const { status, html } = await world.get('Owner', `settings/preview?${query}`)
    expect(status).toBe(200)
    expect(html).not.toContain('javascript:')
    expect(html).not.toContain('url(x)')
  })
})

describe('the checkout host', () => {
  /** Asks this service as a proxy would, with the host name or without. */
  async function proxied(path: string, headers: Record<string, string>): Promise<HttpReply> {
    const reply = await request(world.origin + path, { headers })
    return { kind: 'reply', status: reply.statusCode, headers: {}, body: await reply.body.json() }
  }

  it('shows what proves a new name, and takes it when the proof is found', async () => {
    await world.post('Owner', 'settings/host', { domain: 'pay.shop.example' })
    const { hostProof } = await appOf()
    const { html } = await world.get('Owner', 'settings/host')
    for (const text of Object.values(hostProof)) if (text !== 'TXT') expect(html).toContain(String(text))
    expect((await world.get('Viewer', 'settings/host')).html).not.toContain('Check now')
    const texts = fakeTexts(world.tender.service.ctx)
    texts.entries.set(hostProof.recordName, [hostProof.recordValue])
    const checked = await world.post('Owner', 'settings/host/check', {}, 'settings/host')
    texts.restore()
    const after = await world.get('Owner', checked.location ?? '')
    expect(after.html).toContain('pay.shop.example is proved. New payment links begin with it.')
    expect(after.html).not.toContain(hostProof.recordValue)
    expect(await appOf()).toMatchObject({ hostedPageBaseUrl: 'https://pay.shop.example', hostProof: null })
  })

  it('says that a proof was not found', async () => {
    await world.post('Owner', 'settings/host', { domain: 'other.shop.example' })
    const { location } = await world.post('Owner', 'settings/host/check', {}, 'settings/host')
    const { html } = await world.get('Owner', location ?? '')
    expect(html).toContain('Neither the DNS entry nor the file of other.shop.example was found.')
    await world.post('Owner', 'settings/host', { domain: 'pay.shop.example' })
  })

  it('is checked, and a sentence says what is wrong', async () => {
    await world.post('Owner', 'settings/host', { domain: 'pay.shop.example' })
    const check = async () => {
      const { location } = await world.post('Owner', 'settings/host/check', {}, 'settings/host')
      return (await world.get('Owner', location ?? '')).html
    }
    dns.answer = () => []
    expect(await check()).toContain('pay.shop.example has no DNS entry.')
    const { http } = world.tender.service.ctx
    const call = vi.spyOn(http, 'call')
    const path = ({ url }: { url: string }) => new URL(url).pathname
    call.mockImplementation((asked) => proxied(path(asked), { host: 'pay.shop.example' }))
    expect(await check()).toContain('pay.shop.example leads here, and its certificate is valid.')
    expect(call.mock.calls[0]?.[0]).toMatchObject({
      url: 'https://pay.shop.example/assets/host-check',
      isGuarded: true,
    })
    call.mockImplementation((asked) => proxied(path(asked), {}))
    expect(await check()).toContain('does not pass the Host header on')
    call.mockImplementation(() => proxied('/health', {}))
    expect(await check()).toContain('is answered by another server or page')
    call.mockRestore()
    expect((await world.post('Viewer', 'settings/host/check', {}, 'settings/host')).status).toBe(403)
    const unknown = (await world.get('Owner', 'settings/host?check=constructor')).html
    expect(unknown).not.toContain('class="notice')
  })

  it('is set, refused and removed', async () => {
    const wrong = await world.post('Owner', 'settings/host', { domain: 'https://x' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('aria-invalid="true"')
    const right = await world.post('Owner', 'settings/host', { domain: 'pay.shop.example' })
    expect(right.location).toContain('note=saved')
    expect((await world.get('Viewer', 'settings/host')).html).toContain('https://pay.shop.example')
    await world.post('Owner', 'settings/host', { domain: 'next.shop.example' })
    expect((await world.get('Owner', 'settings/host/remove')).html).toContain('pay.shop.example')
    const removed = await world.post('Owner', 'settings/host/remove', {})
    expect(removed.location).toContain('note=removed')
    expect(await appOf()).toMatchObject({ canRemoveHostedPageDomain: false })
  })
})

it('keeps the days after which customers are erased', async () => {
  expect((await world.post('Owner', 'settings/data', { personalDataDays: '3' })).status).toBe(400)
  await world.post('Owner', 'settings/data', { personalDataDays: '400' })
  expect(await appOf()).toMatchObject({ personalDataDays: 400 })
  await world.post('Owner', 'settings/data', { personalDataDays: '' })
  expect(await appOf()).toMatchObject({ personalDataDays: null })
})

it('clears a sandbox app, never a live one', async () => {
  const { paymentId } = await world.sandbox.create({})
  const path = 'settings/danger/clear'
  expect((await world.post('Manager', path, {}, 'overview')).status).toBe(403)
  expect((await world.sandbox.call('GET', `payments/${paymentId}`)).status).toBe(200)
  expect((await world.post('Owner', path, {})).location).toContain('note=cleared')
  expect((await world.sandbox.call('GET', `payments/${paymentId}`)).status).toBe(404)
  const live = `/console/${world.live.appId}/settings`
  expect((await world.get('Owner', `${live}/danger`)).html).not.toContain('danger/clear')
  expect((await world.post('Owner', `${live}/danger/clear`, {}, live)).status).toBe(403)
})

describe('a blocked app', () => {
  const block = 'settings/danger/block'

  it('refuses requests and payers, follows payments that began, and is unblocked', async () => {
    const paid = await world.sandbox.paid({ autoCapture: false, webhookUrl: receiver.url })
    const open = await world.sandbox.create({})
    const ask = await world.get('Admin', block)
    expect(ask.html).toContain('The API refuses every request of this app with 403')
    expect((await world.post('Admin', block, {})).location).toContain('note=blocked')

    const refused = await world.sandbox.call('GET', `payments/${paid.paymentId}`)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'app_blocked' })
    expect((await fetch(open.redirectUrl)).status).toBe(404)
    const link = { amount: '5', currency: 'USD', description: 'x' }
    expect((await world.post('Owner', 'links/new', link)).status).toBe(403)

    const page = `payments/${paid.paymentId}`
    await world.post('Owner', `${page}/capture`, { amount: String(paid.amount) })
    const shown = await world.get('Owner', page)
    expect(shown.html).toContain('data-state="Captured"')
    expect(shown.html).toContain('This app is blocked')
    await expect.poll(() => receiver.states(paid.paymentId)).toContain('Captured')

    expect((await world.get('Owner', 'audit?action=app.blocked')).html).toContain('admin@example.com')
    expect((await world.post('Owner', 'settings/danger/unblock', {})).location).toContain('note=unblocked')
    expect((await world.sandbox.call('GET', page)).status).toBe(200)
    expect((await fetch(open.redirectUrl)).status).toBe(200)
  })

  it('is blocked only by people who may change settings, after a fresh proof', async () => {
    expect((await world.post('Manager', block, {}, 'overview')).status).toBe(403)
    const { db } = world.tender.service.ctx
    const text = "update person_sessions set proven_time = proven_time - interval '2 days'"
    await db.query({ name: 'test.age_proofs', text }, [])
    sessions(world.tender.service.ctx).clear()
    expect((await world.post('Owner', block, {}, 'settings')).location).toContain('/profile/proof?next=')
    expect((await appOf()).isActive).toBe(true)
  })
})
