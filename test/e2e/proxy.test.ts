import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRanges } from '../../src/base/addresses.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/db/database.ts'
import { ask, NGINX, type Nginx, type ProxyReply, proxyPort, startNginx } from '../support/nginx.ts'
import { startTestService, type TestApp, type TestService } from '../support/tender.ts'

// A real reverse proxy with TLS. Its clients come from different addresses of 127.0.0.0/8; it calls the
// service from 127.0.0.1, the one trusted proxy.

const PAYER = '127.0.0.2'
const BLOCKED = '127.0.0.66'

/** The clock is fixed, so no token bucket refills during the test. */
const startTime = new Date()
const standing: Clock = { now: () => startTime, sleep: systemClock.sleep }

let tender: TestService
let nginx: Nginx
let shop: TestApp

const hiddenInputs = (html: string): [string, string][] =>
  [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name ?? '',
    (value ?? '').replaceAll('&amp;', '&'),
  ])

const pathOf = ({ headers }: ProxyReply): string => {
  const { pathname, search } = new URL(String(headers.location), nginx.url)
  return pathname + search
}

/** Pays with a card from this address, using forms without script. */
async function payFrom(address: string, redirectUrl: string, headers: Record<string, string> = {}) {
  const { pathname } = new URL(redirectUrl)
  const page = await ask(nginx, address, `GET ${pathname}`, { headers })
  const html = /<form[^>]*action="[^"]*\/sandbox\/tokens".*?<\/form>/s.exec(page.text)?.[0] ?? ''
  const form = new URLSearchParams([
    ...hiddenInputs(html),
    ['number', '4242 4242 4242 4242'],
    ['expiry', '12 / 40'],
    ['code', '123'],
    ['name', 'Dana'],
  ])
  const tokens = await ask(nginx, address, 'POST /sandbox/tokens', { headers, form })
  const paid = await ask(nginx, address, `GET ${pathOf(tokens)}`, { headers })
  expect([page.status, tokens.status, paid.status]).toEqual([200, 303, 303])
}

describe.runIf(NGINX !== undefined)('behind a reverse proxy', () => {
  beforeAll(async () => {
    const port = await proxyPort()
    const config = {
      publicUrl: `https://localhost:${port}`,
      trustedProxies: parseRanges('127.0.0.1') ?? [],
      clientAddressHeader: 'x-forwarded-for',
    }
    tender = await startTestService('proxy', { config, clock: standing })
    shop = tender.sandbox
    nginx = await startNginx(NGINX ?? '', `http://127.0.0.1:${tender.service.ctx.config.port}`, port)
  })
  afterAll(async () => {
    await nginx?.stop()
    await tender?.stop()
  })

  it("records the payer's address with the payment and the consent", async () => {
    const payment = await shop.create({ registerAutoPayment: true, customerOrder: customer('consenting') })
    await payFrom(PAYER, payment.redirectUrl)
    expect(await shop.read(payment.paymentId)).toMatchObject({ capturedAmount: 25.5, payerIp: PAYER })
    const rows = await tender.service.ctx.db.query(
      sql('test.consents', 'select consent_ip from payment_methods where app_id = $1'),
      [shop.appId],
    )
    expect(rows).toEqual([{ consentIp: PAYER }])
  })

  it("applies fraud rules to the payer's address, not to an address in a header of the payer", async () => {
    const policy = await shop.call('POST', 'fraud-policies', {
      name: 'Addresses',
      firewall: { blockedAddresses: [BLOCKED] },
    })
    expect(policy.status).toBe(201)
    const { fraudPolicyId } = policy.body
    expect((await shop.call('PATCH', '', { defaultFraudPolicyId: fraudPolicyId })).status).toBe(200)
    const spoofed = { 'x-forwarded-for': PAYER }
    const blocked = await shop.create({ customerOrder: customer('blocked') })
    await payFrom(BLOCKED, blocked.redirectUrl, spoofed)
    expect(await shop.read(blocked.paymentId)).toMatchObject({ capturedAmount: 0 })
    const verdicts = await shop.call('GET', `payments/${blocked.paymentId}/fraud`)
    expect(JSON.stringify(verdicts.body)).toContain(`payer's address: ${BLOCKED}`)
    const fine = await shop.create({ customerOrder: customer('fine') })
    await payFrom(PAYER, fine.redirectUrl, { 'x-forwarded-for': BLOCKED, forwarded: `for=${BLOCKED}` })
    expect(await shop.read(fine.paymentId)).toMatchObject({ payerIp: PAYER, capturedAmount: 25.5 })
  })

  it('limits each client separately, without reducing the limit of payers at the same address', async () => {
    const wrong = (address: string, claims: string) =>
      ask(nginx, address, 'POST /c/nothing/cancel', { headers: { 'x-forwarded-for': claims } })
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await wrong('127.0.0.77', `198.51.100.${n}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 404), 429])
    expect((await wrong('127.0.0.78', '127.0.0.77')).status).toBe(404)
    const payment = await shop.create({ customerOrder: customer('neighbour') })
    await payFrom('127.0.0.77', payment.redirectUrl)
    expect(await shop.read(payment.paymentId)).toMatchObject({ capturedAmount: 25.5 })
  })

  it('ignores the header of a peer that is not a trusted proxy', async () => {
    const own = await startTestService('no_proxy', { config: { trustedProxies: [] } })
    const other = await own.sandbox.create({ customerOrder: customer('direct') })
    await payDirectly(own.url, other.redirectUrl)
    expect(await own.sandbox.read(other.paymentId)).toMatchObject({ payerIp: '127.0.0.1' })
    await own.stop()
  })

  it('sends Strict-Transport-Security', async () => {
    for (const path of ['/health/live', '/docs', '/nowhere', '/c/nothing', '/c/nothing/state'])
      expect((await ask(nginx, PAYER, `GET ${path}`)).headers['strict-transport-security']).toBe(
        'max-age=31536000',
      )
  })
})

const customer = (customerId: string) => ({ customer: { customerId } })

async function payDirectly(url: string, redirectUrl: string): Promise<void> {
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  const page = await (await fetch(redirectUrl, { headers })).text()
  const html = /<form[^>]*action="[^"]*\/sandbox\/tokens".*?<\/form>/s.exec(page)?.[0] ?? ''
  const typed = { number: '4242 4242 4242 4242', expiry: '12 / 40', code: '123', name: 'Dana' }
  const body = new URLSearchParams([...hiddenInputs(html), ...Object.entries(typed)])
  const tokens = await fetch(`${url}/sandbox/tokens`, { method: 'POST', body, headers, redirect: 'manual' })
  await fetch(tokens.headers.get('location') ?? '', { headers, redirect: 'manual' })
}
