import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

const RETURN = 'https://shop.example/back?state=a%20b#done'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_grant')
})
afterAll(() => world?.stop())

const page = (returnUrl: string) =>
  `/auth/signin?returnUrl=${encodeURIComponent(returnUrl)}&grantAuthorization=true`

const licenseIn = (html: string): string => /lic_[0-9a-z]{16}/.exec(html)?.[0] ?? ''

async function grant(returnUrl: string): Promise<URL> {
  const { html } = await world.get('Admin', page(returnUrl))
  const fields = { returnUrl, decision: 'grant', licenseId: licenseIn(html) }
  const { location } = await world.post('Admin', '/auth/signin', fields, page(returnUrl))
  return new URL(location ?? '')
}

const appsWith = (url: URL) =>
  fetch(`${world.origin}/api/licenses/${url.searchParams.get('licenseId')}`, {
    headers: { authorization: `Bearer ${url.searchParams.get('authorizationCode')}` },
  })

describe('a shop that asks for access', () => {
  it('leads to the sign-in first, and back, however the plugin escaped its address', async () => {
    const reply = await fetch(
      `${world.origin}/auth/signin?returnUrl=https://shop.example/(x)*&grantAuthorization=true`,
      { redirect: 'manual' },
    )
    const next = new URL(reply.headers.get('location') ?? '', world.origin).searchParams.get('next')
    expect(next).toBe(
      '/auth/signin?returnUrl=https%3A%2F%2Fshop.example%2F%28x%29%2A&grantAuthorization=true',
    )
    const form = await fetch(`${world.origin}${reply.headers.get('location')}`)
    expect(await form.text()).toContain('shop.example%2F%28x%29%2A')
  })

  it('is named on the page, and gets a code that works only after the click', async () => {
    const { status, html, location } = await world.get('Owner', page(RETURN))
    expect([status, location]).toEqual([200, null])
    expect(html).toContain('>shop.example</bdi>')
    const url = await grant(RETURN)
    expect(url.href).toContain('https://shop.example/back?state=a%20b&licenseId=lic_')
    expect(url.hash).toBe('#done')
    const reply = await appsWith(url)
    expect(reply.status).toBe(200)
    const [{ appId, authorizationCode }] = (await reply.json()) as [Record<string, string>]
    const app = await fetch(`${world.origin}/api/apps/${appId}`, {
      headers: { authorization: `Bearer ${authorizationCode}` },
    })
    expect(app.status).toBe(200)
  })

  it('keeps the codes of others, replaces its own, and is disconnected', async () => {
    const first = await grant('https://one.example/')
    const other = await grant('https://two.example/')
    const second = await grant('https://one.example/again')
    expect((await appsWith(other)).status).toBe(200)
    expect((await appsWith(second)).status).toBe(200)
    expect((await appsWith(first)).status).toBe(401)
    expect((await world.get('Admin', 'team')).html).toContain('two.example')
    const gone = await world.post('Admin', 'team/shops/two.example/disconnect', {})
    expect(gone.location).toContain('note=disconnected')
    expect((await world.get('Admin', 'team')).html).not.toContain('two.example')
    expect((await appsWith(other)).status).toBe(401)
    expect((await world.get('Developer', 'team/shops/one.example/disconnect')).status).toBe(403)
  })

  it('gets its address back unchanged when the person denies', async () => {
    const fields = { returnUrl: RETURN, decision: 'deny' }
    const { location } = await world.post('Owner', '/auth/signin', fields, page(RETURN))
    expect(location).toBe(RETURN)
  })

  it('gets nothing from roles that may not manage the licence', async () => {
    const shown = await world.get('Manager', page(RETURN))
    expect([shown.status, shown.html.includes('value="grant"')]).toEqual([403, false])
    const licenseId = licenseIn((await world.get('Owner', page(RETURN))).html)
    const fields = { returnUrl: RETURN, decision: 'grant', licenseId }
    const refused = await world.post('Manager', '/auth/signin', fields, page(RETURN))
    expect([refused.status, refused.location]).toEqual([403, null])
    const foreign = { ...fields, licenseId: 'lic_0000000000000000' }
    expect((await world.post('Owner', '/auth/signin', foreign, page(RETURN))).status).toBe(403)
  })

  it('is refused with an address that is not http, or without a form of the page', async () => {
    for (const wrong of ['javascript:alert(1)', '//evil.example', 'https://a@evil.example/', ''])
      expect((await world.get('Owner', page(wrong))).status).toBe(400)
    const body = new URLSearchParams({ returnUrl: 'https://evil.example/', decision: 'deny', form: 'x' })
    const forged = await fetch(`${world.origin}/auth/signin`, {
      method: 'POST',
      body,
      headers: { cookie: `console=${world.tokens.Owner}` },
      redirect: 'manual',
    })
    expect([forged.status, forged.headers.get('location')]).toEqual([403, null])
  })
})
