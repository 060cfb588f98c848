import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, systemClock } from '../../../src/base/clock.ts'
import { freePort } from '../../../src/net/free-port.ts'
import { openSession } from '../../../src/people/sessions/sessions.ts'
import { codeOf, stepOf } from '../../../src/people/totp/totp.ts'
import { chromiumPath, launch, openWindow } from '../../support/browser.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { startOidcProvider, type TestOidc } from '../../support/oidc.ts'

const PASSWORD = 'nine quiet bicycles'

/** Time runs as usual, from a moment that tests move ahead. */
let aheadMs = 0
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }

let world: TestConsole
let oidc: TestOidc
/** Browsers know passkeys of host names only, so not of the address that the tests use otherwise. */
let site: string
beforeAll(async () => {
  const port = await freePort('127.0.0.1')
  site = `http://localhost:${port}`
  oidc = await startOidcProvider(`${site}/console/oidc/callback`)
  world = await startTestConsole('console_profile', {
    clock,
    hasAgingProofs: true,
    config: { port, publicUrl: site, oidc: oidc.config },
  })
})
afterAll(async () => {
  await world?.stop()
  await oidc?.close()
})

/** A request of a browser that keeps the cookies that it gets. */
function browserOf(token = '') {
  const cookies = new Map([['console', token]])
  const ask = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(world.origin + path, { ...init, headers: { cookie }, redirect: 'manual' })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return { status: reply.status, html: await reply.text(), location: reply.headers.get('location') ?? '' }
  }
  return {
    cookies,
    get: (path: string) => ask(path),
    async post(path: string, fields: Record<string, string>, formPage = path) {
      const form = /name="form" value="([^"]+)"/.exec((await ask(formPage)).html)?.[1] ?? ''
      return ask(path, { method: 'POST', body: new URLSearchParams({ form, ...fields }) })
    },
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function codeFor(html: string): string {
  const secret = /data-copy="([A-Z2-7]{32})"/.exec(html)?.[1] ?? ''
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
  return codeOf(bytes, stepOf(clock.now()))
}

describe('settings', () => {
  it('are stored and used at once', async () => {
    const fields = { name: 'Vera <i>', theme: 'dark', language: 'de', timeZone: 'Asia/Tokyo' }
    const saved = await world.post('Viewer', '/console/profile', fields)
    expect(saved.location).toBe('/console/profile?note=saved')
    const { html } = await world.get('Viewer', '/console/profile?note=saved')
    expect(html).toContain('lang="de"')
    expect(html).toContain('data-theme="dark"')
    expect(html).toContain('data-shortcuts="off"')
    expect(html).toContain('Gespeichert.')
    expect(html).toContain('Vera &lt;i>')
  })

  it('are refused with the error at the field', async () => {
    const refused = await world.post('Viewer', '/console/profile', { name: ' ', timeZone: 'UTC' })
    expect([refused.status, refused.html.includes('aria-invalid="true"')]).toEqual([400, true])
    const zone = await world.post('Viewer', '/console/profile', { name: 'V', timeZone: 'Mars/Base' })
    expect(zone.status).toBe(400)
  })
})

describe('how a person signs in', () => {
  it('is protected as a part of the set-up, which then goes on', async () => {
    const own = browserOf(world.tokens.Support)
    const protect = '/console/protect'
    const page = '/console/profile/second-factor'
    expect((await own.get(protect)).html).toContain('Skip for now')
    expect((await own.get('/console/profile/passkeys/new?from=protect')).html).toContain('name="from"')
    const setUp = await own.get(`${page}?from=protect`)
    const form = /name="form" value="([^"]+)"/.exec(setUp.html)?.[1] ?? ''
    const wrong = await own.post(page, { code: '000000', form, from: 'protect' }, protect)
    expect([wrong.status, wrong.html.includes('name="from" value="protect"')]).toEqual([400, true])
    const on = await own.post(page, { code: codeFor(setUp.html), form, from: 'protect' }, protect)
    expect(on.html).toContain(`<form method="get" action="${protect}">`)
    const { html } = await own.get(protect)
    expect(html).toContain('The second factor is on.')
    expect(html).toContain('Continue to the console')
    expect((await own.get(`${page}?from=protect`)).location).toBe(protect)
    expect((await own.get(page)).location).toBe('/console/profile')
  })

  it('has a password and a second factor, and asks for a proof after five minutes', async () => {
    const own = browserOf(world.tokens.Manager)
    const page = '/console/profile'
    const first = own.cookies.get('console')
    expect((await own.post(`${page}/password`, { password: PASSWORD }, page)).location).toContain('password')
    expect(own.cookies.get('console')).not.toBe(first)
    const wrong = await own.post(`${page}/password`, { current: 'x', password: PASSWORD }, page)
    expect(wrong.status).toBe(400)

    aheadMs += 6 * MINUTE
    const proof = '/console/profile/proof?next=%2Fconsole%2Fprofile%2Fsecond-factor'
    expect((await own.get(`${page}/second-factor`)).location).toBe(proof)
    const inSetUp = await own.get(`${page}/second-factor?from=protect`)
    expect(inSetUp.location).toBe(`${proof}${encodeURIComponent('?from=protect')}`)
    expect((await own.post(`${page}/proof`, { secret: 'wrong' }, proof)).status).toBe(400)
    const proven = await own.post(
      `${page}/proof`,
      { secret: PASSWORD, next: '/console/profile/second-factor' },
      proof,
    )
    expect(proven.location).toBe('/console/profile/second-factor')

    const setUp = await own.get(`${page}/second-factor`)
    const form = /name="form" value="([^"]+)"/.exec(setUp.html)?.[1] ?? ''
    const again = await own.post(`${page}/second-factor`, { code: '000000', form }, page)
    expect([again.status, codeFor(again.html)]).toEqual([400, codeFor(setUp.html)])
    const on = await own.post(`${page}/second-factor`, { code: codeFor(setUp.html), form }, page)
    const codes = [...on.html.matchAll(/<code>((?:[0-9a-z]{4}-){3}[0-9a-z]{4})</g)].map(
      ([, code]) => code ?? '',
    )
    expect(codes).toHaveLength(10)
    expect((await own.get(page)).html).toContain('10 recovery codes are left')

    const other = browserOf()
    const email = 'manager@example.com'
    const second = await other.post('/console/sign-in', { email, password: PASSWORD })
    expect(second.location).toContain('/console/sign-in/code')
    const signedIn = await other.post('/console/sign-in/code', { code: codes[0] ?? '' }, second.location)
    expect([signedIn.location, [...other.cookies.keys()]]).toEqual(['/console', ['console']])

    const renewed = await own.post(`${page}/second-factor/codes`, {})
    expect(renewed.html).not.toContain(codes[1])
    expect((await own.post(`${page}/second-factor/off`, {})).location).toContain('note=off')
  })

  it('has sessions that are ended one by one or all at once', async () => {
    const sessionIn = (html: string) => /name="id" value="(ses_[0-9a-z]+)"/.exec(html)?.[1] ?? ''
    const first = browserOf()
    const second = browserOf()
    const login = { email: 'manager@example.com', password: PASSWORD }
    await first.post('/console/sign-in', login)
    await second.post('/console/sign-in', login)
    const { html } = await second.get('/console/profile')
    const end = { id: sessionIn(html) }
    expect((await second.post('/console/profile/sessions/end', end, '/console/profile')).status).toBe(303)
    const all = await second.post('/console/profile/sessions/end-all', {})
    expect(all.location).toBe('/console/sign-in?note=ended')
    for (const one of [first, second])
      expect((await one.get('/console/profile')).location).toContain('/console/sign-in')
  })
})

describe('single sign-on', () => {
  it('signs a person in and leads to the page that was asked for', async () => {
    oidc.accounts.set('admin', { email: 'admin@example.com', email_verified: true })
    const own = browserOf()
    const asked = await own.get('/console/profile')
    expect((await own.get(asked.location)).html).toContain('Continue with Test provider')
    const start = await own.get('/console/oidc/start?next=%2Fconsole%2Fprofile')
    const query = await oidc.signIn(start.location, 'admin')
    const back = await own.get(`/console/oidc/callback?${query}`)
    expect([back.location, [...own.cookies.keys()]]).toEqual(['/console/profile', ['console']])
    expect((await own.get('/console/profile')).html).toContain('admin@example.com')
    const repeated = await own.get(`/console/oidc/callback?${query}`)
    expect(repeated.location).toContain('/console/sign-in')
  })

  it('is a fresh proof for a person without a password', async () => {
    const own = browserOf(await freshToken('usr_admin'))
    aheadMs += 6 * MINUTE
    const next = '/console/profile/passkeys/new'
    expect((await own.get(next)).location).toContain('/console/profile/proof')
    const start = await own.get(`/console/oidc/proof?next=${encodeURIComponent(next)}`)
    const query = await oidc.signIn(start.location, 'admin')
    expect((await own.get(`/console/oidc/callback?${query}`)).location).toBe(next)
    expect((await own.get(next)).status).toBe(200)
  })
})

describe.skipIf(!chromiumPath)('a passkey', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it('is added in the profile and signs in', async () => {
    const window = await openWindow(browser, site)
    const { page, context, faults } = window
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    await context.addCookies([{ name: 'console', value: await freshToken(), url: site }])
    await page.goto(`${site}/console/profile`)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('The passkey is added.').waitFor()
    await page.getByRole('cell', { name: 'Laptop' }).waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(/\/overview$/)
    expect(faults).toEqual([])
    await window.close()
  })

  it('is not offered without script', async () => {
    const window = await openWindow(browser, site, { javaScriptEnabled: false })
    await window.page.goto(`${site}/console/sign-in`)
    expect(await window.page.getByRole('button', { name: 'Use a passkey' }).isVisible()).toBe(false)
    await window.close()
  })
})

/** A new session of the owner: its proof is fresh, wherever earlier tests moved the time. */
async function freshToken(personId = 'usr_owner'): Promise<string> {
  const { ctx } = world.tender.service
  const client = { address: '127.0.0.1', network: '127.0.0.1', requestId: 'req_test' }
  return ctx.db.transaction((tx) => openSession(ctx, tx, personId, client))
}

it('changes the theme from the top bar of any page and comes back to it', async () => {
  const page = `/console/${world.sandbox.appId}/payments?q=state:failed`
  const switchTo = async (theme: string, next: string) =>
    (await world.post('Developer', '/console/profile/theme', { theme, next }, page)).location
  expect((await world.get('Developer', page)).html).toContain('aria-label="Theme: Like the system"')
  expect(await switchTo('dark', page)).toBe(page)
  const { html } = await world.get('Developer', page)
  expect(html).toContain('data-theme="dark"')
  expect(html).toMatch(/name="theme" value="system"[^>]*><input[^>]*name="next"/)
  expect(await switchTo('system', '//evil.example')).toBe('/console')
  expect((await world.get('Developer', page)).html).not.toContain('data-theme=')
})
