import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launch, openWindow } from '../../support/browser.ts'
import { type Answer, good, startTestService, type TestService } from '../../support/tender.ts'

const EMAIL = 'dana@example.com'
const PASSWORD = 'seven green lanterns'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('console_account')
})
afterAll(() => tender?.stop())

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${tender.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers,
  })

const get = (path: string, cookie = '') =>
  fetch(`${tender.url}${path}`, { redirect: 'manual', headers: { cookie } })

const cookieOf = (reply: Response): string => (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

describe('before the set-up', () => {
  it('leads from the console and from the root to the set-up', async () => {
    expect((await get('/console')).headers.get('location')).toBe('/console/setup')
    expect((await get('/console/sign-in')).headers.get('location')).toBe('/console/setup')
    expect((await get('/')).headers.get('location')).toBe('/console/setup')
  })

  it('asks for the operator token in its form, and takes none from the address', async () => {
    const token = tender.operatorToken
    for (const path of ['/console/setup', `/console/setup?token=${token}`]) {
      const reply = await get(path)
      const html = await reply.text()
      expect([path, reply.status]).toEqual([path, 200])
      expect(html).toMatch(/<input type="password" name="token"/)
      expect(html).not.toContain(token)
    }
    const fields = { email: EMAIL, name: 'Dana', password: PASSWORD }
    expect((await post(`/console/setup?token=${token}`, fields)).status).toBe(403)
    expect((await get('/console')).headers.get('location')).toBe('/console/setup')
  })

  it('opens only with the operator token', async () => {
    const refused = await post('/console/setup', { token: 'guess', email: EMAIL, password: PASSWORD })
    expect(refused.status).toBe(403)
  })

  it('refuses a common password at its field and keeps the other fields', async () => {
    const token = tender.operatorToken
    const reply = await post('/console/setup', {
      token,
      name: 'Dana',
      email: EMAIL,
      password: 'password1234',
    })
    expect(reply.status).toBe(400)
    const html = await reply.text()
    expect(html).toContain('is among the most common passwords')
    expect(html).toContain(`value="${EMAIL}"`)
    expect(html).not.toContain('password1234')
    expect(html).not.toContain(token)
  })
})

describe.skipIf(!chromiumPath)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  it('proposes the zone and the currency of the browser', async () => {
    const zone = { locale: 'de-CH', timezoneId: 'Asia/Kathmandu' }
    for (const [javaScriptEnabled, timeZone] of [
      [true, 'Asia/Kathmandu'],
      [false, 'UTC'],
    ] as const) {
      const { page, close } = await openWindow(browser, tender.url, { ...zone, javaScriptEnabled })
      await page.goto(`${tender.url}/console/setup`)
      await expect.poll(() => page.locator('select[name=timeZone]').inputValue()).toBe(timeZone)
      expect(await page.locator('select[name=currency]').inputValue()).toBe('CHF')
      await close()
    }
  })

  it('sets up, signs out and signs in again, without script', async () => {
    const window = await openWindow(browser, tender.url, { javaScriptEnabled: false })
    const { page } = window
    await page.goto(`${tender.url}/console/setup`)
    await page.getByLabel('Operator token').fill(tender.operatorToken)
    await page.getByLabel('Name of your business').fill('Corner Books')
    await page.getByLabel('Time zone').selectOption('Europe/Lisbon')
    await page.getByLabel('Currency').selectOption('CHF')
    await page.getByLabel('Your name').fill('Dana K.')
    await page.getByLabel('E-mail').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(/\/console\/[^/]+\/overview$/)
    expect(await page.getByRole('banner').textContent()).toContain('Corner Books')
    const { friendlyName, timeZone } = good(await tender.sandbox.call('GET', ''))
    expect([friendlyName, timeZone]).toEqual(['Corner Books (sandbox)', 'Europe/Lisbon'])
    const profiles: Answer[] = good(await tender.sandbox.call('GET', 'payment-profiles'))
    expect(new Set(profiles.map(({ currency }) => currency))).toEqual(new Set(['CHF']))
    // A second factor is offered first, and can be left out.
    await page.getByRole('link', { name: 'Set up a passkey or a code app' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Protect your account')
    await page.getByRole('button', { name: 'Set up second factor' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    expect(new URL(page.url()).pathname).toBe('/console/protect')
    await page.getByRole('button', { name: 'Skip for now' }).click()
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/[^/]+\/overview$/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.getByRole('status').textContent()).toContain('signed out')
    await page.getByLabel('E-mail').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/[^/]+\/overview$/)
    expect(window.faults).toEqual([])
    await window.close()
  })
})

describe('after the set-up', () => {
  it('closes the set-up for good, also for the right token', async () => {
    const reply = await get(`/console/setup?token=${tender.operatorToken}`)
    expect(reply.headers.get('location')).toBe('/console/sign-in')
    expect((await get('/')).headers.get('location')).toBe('/console')
  })

  it('gives one answer for a wrong password and an unknown address', async () => {
    const plain = (html: string, email: string) => html.replaceAll(email, 'X')
    const wrong = await post('/console/sign-in', { email: EMAIL, password: 'wrong wrong wrong' })
    const unknown = await post('/console/sign-in', {
      email: 'eve@example.com',
      password: 'wrong wrong wrong',
    })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(plain(await wrong.text(), EMAIL)).toBe(plain(await unknown.text(), 'eve@example.com'))
  })

  it('makes a new session at each sign-in and ends it at sign-out', async () => {
    const planted = 'console=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const reply = await post('/console/sign-in', { email: EMAIL, password: PASSWORD }, { cookie: planted })
    const cookie = cookieOf(reply)
    expect(cookie).not.toBe(planted)
    expect(reply.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
    const home = await get('/console/home', cookie)
    const html = await (await get(home.headers.get('location') ?? '', cookie)).text()
    const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
    await post('/console/sign-out', { form }, { cookie })
    expect((await get('/console/home', cookie)).headers.get('location')).toContain('/console/sign-in')
  })

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/console//evil', '/api/apps'])(
    'does not lead away after the sign-in: %s',
    async (next) => {
      const reply = await post('/console/sign-in', { email: EMAIL, password: PASSWORD, next })
      expect(reply.headers.get('location')).toBe('/console')
    },
  )

  it('refuses forms of other sites and forms without a form id', async () => {
    const foreign = await post(
      '/console/sign-in',
      { email: EMAIL, password: PASSWORD },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(foreign.status).toBe(403)
    const cookie = cookieOf(await post('/console/sign-in', { email: EMAIL, password: PASSWORD }))
    expect((await post('/console/sign-out', {}, { cookie })).status).toBe(403)
    expect((await get('/console/home', cookie)).headers.get('location')).toContain('/overview')
  })
})
