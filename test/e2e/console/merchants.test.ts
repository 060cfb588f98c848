import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { sessions } from '../../../src/people/sessions/cache.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_merchants')
})
afterAll(() => world?.stop())

const NEW = '/console/system/licenses/new'
const PASSWORD = 'seven green lanterns'

const post = (path: string, fields: Record<string, string>) =>
  fetch(`${world.origin}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })

/** Creates a licence in the console; returns its owner's cookie and its sandbox app. */
async function newMerchant(name: string) {
  const email = `${name.toLowerCase()}@example.com`
  const { html } = await world.post('Owner', NEW, { name, ownerEmail: email })
  const link = /\/console\/join\/[\w-]{43}/.exec(html)?.[0] ?? ''
  await post(link, { name: 'Owner', password: PASSWORD })
  const signedIn = await post('/console/sign-in', { email, password: PASSWORD })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const home = await fetch(`${world.origin}/console/home`, { headers: { cookie }, redirect: 'manual' })
  const appId = /app_[0-9a-z]+/.exec(home.headers.get('location') ?? '')?.[0] ?? ''
  const list = await world.get('Owner', '/console/system')
  const page = new RegExp(`${name}</bdi>.*?(/console/system/licenses/lic_[0-9a-z]+)/enter`, 's').exec(
    list.html,
  )
  const see = async (path: string) =>
    (await fetch(`${world.origin}/console/${appId}/${path}`, { headers: { cookie } })).text()
  return { appId, page: page?.[1] ?? '', see }
}

describe('a second merchant', () => {
  it('enters by an invitation that the operator makes with the licence', async () => {
    expect((await world.get('Owner', '/console/system')).html).toContain(NEW)
    const { appId, see } = await newMerchant('Teahouse')
    expect(await see('team')).toContain('teahouse@example.com')
    expect((await world.get('Owner', `/console/${appId}/overview`)).status).toBe(404)
  })

  it('is made by operators only, with a name and an address', async () => {
    expect((await world.get('Admin', NEW)).status).toBe(404)
    expect(
      (await world.post('Admin', NEW, { name: 'X', ownerEmail: 'x@example.com' }, 'overview')).status,
    ).toBe(404)
    const wrong = await world.post('Owner', NEW, { name: 'Kept name', ownerEmail: 'nobody' })
    expect([wrong.status, wrong.html.includes('value="Kept name"')]).toEqual([400, true])
    expect(wrong.html).toContain('aria-invalid="true"')
    expect((await world.post('Owner', NEW, { name: ' ', ownerEmail: 'x@example.com' })).status).toBe(400)
  })

  it('without an owner gets a new invitation, with one it does not', async () => {
    await world.post('Owner', NEW, { name: 'Ownerless', ownerEmail: 'first@example.com' })
    const { html } = await world.get('Owner', '/console/system')
    const page =
      /Ownerless<\/bdi>.*?(\/console\/system\/licenses\/lic_[0-9a-z]+)\/invite/s.exec(html)?.[1] ?? ''
    const invited = await world.post('Owner', `${page}/invite`, { email: 'second@example.com' })
    expect(invited.html).toMatch(/\/console\/join\/[\w-]{43}/)
    const owned = await newMerchant('Owned')
    const refused = await world.post('Owner', `${owned.page}/invite`, { email: 'me@example.com' })
    expect([refused.status, refused.html.includes('/console/join/')]).toEqual([422, false])
  })
})

describe('the operator', () => {
  it('enters a licence with a reason that its owner sees, reads only, until the time is over', async () => {
    const { appId, page, see } = await newMerchant('Visited')
    const overview = `/console/${appId}/overview`
    const asked = await world.get('Owner', `${page}/enter`)
    expect(asked.html).toContain('for one hour, with the role Viewer')
    const without = await world.post('Owner', `${page}/enter`, { reason: 'why' })
    expect([without.status, without.html.includes('Give a reason')]).toEqual([400, true])
    expect((await world.get('Owner', overview)).status).toBe(404)

    const reason = 'Ticket 4711: webhooks do not arrive'
    expect(await world.post('Owner', `${page}/enter`, { reason })).toMatchObject({
      status: 303,
      location: overview,
    })
    const inside = await world.get('Owner', overview)
    expect([inside.status, inside.html.includes('You read this licence as the operator')]).toEqual([
      200,
      true,
    ])
    for (const path of ['team', 'audit', 'links/new', 'developers/keys'])
      expect((await world.get('Owner', `/console/${appId}/${path}`)).status).toBe(403)
    const log = await see('audit')
    expect(log).toContain(reason)
    expect(log).toContain('An operator entered the licence')

    const end = sql('test.end_visits', 'update license_visits set expires_time = $1')
    const { ctx } = world.tender.service
    await ctx.db.query(end, [ctx.clock.now()])
    sessions(ctx).clear()
    expect((await world.get('Owner', overview)).status).toBe(404)
  })

  it('ends the visit by leaving', async () => {
    const { appId, page } = await newMerchant('Left')
    await world.post('Owner', `${page}/enter`, { reason: 'Ticket 4712: a question' })
    const left = await world.post('Owner', `/console/${appId}/team/leave`, {})
    expect(left.status).toBe(303)
    expect((await world.get('Owner', `/console/${appId}/overview`)).status).toBe(404)
    expect((await world.get('Owner', 'overview')).status).toBe(200)
  })

  it('is asked for a proof of the last five minutes', async () => {
    const { ctx } = world.tender.service
    const age = sql(
      'test.age_proof',
      `update person_sessions set proven_time = $1 where person_id = 'usr_owner'`,
    )
    await ctx.db.query(age, [new Date(ctx.clock.now().getTime() - 600_000)])
    sessions(ctx).clear()
    const asked = await world.get('Owner', NEW)
    expect([asked.status, asked.location]).toEqual([303, expect.stringContaining('/console/profile/proof')])
  })
})
