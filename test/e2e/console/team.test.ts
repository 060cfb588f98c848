import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, after as plus } from '../../../src/base/clock.ts'
import { sha256 } from '../../../src/base/secret.ts'
import { sql } from '../../../src/db/database.ts'
import { PERMISSIONS, permissionsOf, ROLES } from '../../../src/people/access/roles.ts'
import { createSessionCache, sessions } from '../../../src/people/sessions/cache.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_team')
})
afterAll(() => world?.stop())

const linkIn = (html: string, page: string): string =>
  new RegExp(`${world.origin}(/console/${page}/[\\w-]{43})`).exec(html)?.[1] ?? ''

describe('the list', () => {
  it('shows people with role and second factor; changes only to those who may make them', async () => {
    const asOwner = await world.get('Owner', 'team')
    expect(asOwner.html).toContain('support@example.com')
    expect(asOwner.html).toContain('Invite')
    const asManager = await world.get('Manager', 'team')
    expect([asManager.status, asManager.html.includes('/team/invite')]).toEqual([200, false])
    expect((await world.get('Viewer', 'team')).status).toBe(403)
  })

  it('marks addresses that are not verified, here, at the member and in the own profile', async () => {
    const { ctx } = world.tender.service
    const text = `update people
      set verified_time = case email when 'viewer@example.com' then null else now() end`
    await ctx.db.query(sql<never>('test.verified', text))
    sessions(ctx).clear()
    const { html } = await world.get('Owner', 'team')
    const marked = html.split('<tr').filter((row) => row.includes('not verified'))
    expect(marked.map((row) => /[a-z]+@example\.com/.exec(row)?.[0])).toEqual(['viewer@example.com'])
    const member = /team\/members\/(usr_\w+)/.exec(marked[0] ?? '')?.[1]
    expect((await world.get('Owner', `team/members/${member}`)).html).toContain('not verified')
    const profileOf = async (token: string, query = '') =>
      (
        await fetch(`${world.origin}/console/profile${query}`, { headers: { cookie: `console=${token}` } })
      ).text()
    expect(await profileOf(world.tokens.Viewer)).toContain('not verified')
    expect(await profileOf(world.tokens.Viewer, '?lang=de')).toContain('nicht bestätigt')
    expect(await profileOf(world.tokens.Owner)).not.toContain('not verified')
  })

  it('has the matrix of the table that guards use', async () => {
    const { html } = await world.get('Owner', 'team/permissions')
    const granted = ROLES.reduce((sum, role) => sum + permissionsOf(role).size, 0)
    expect(html.split('>✓<').length - 1).toBe(granted)
    expect(html.split('>–<').length - 1).toBe(ROLES.length * PERMISSIONS.length - granted)
  })
})

describe('an invitation', () => {
  it('shows its link once, opens the account and can be withdrawn', async () => {
    const fields = { email: 'ada@example.com', role: 'Support', refundLimits: 'EUR 100.00\nJPY 5000' }
    const shown = await world.post('Owner', 'team/invite', fields)
    const link = linkIn(shown.html, 'join')
    expect((await fetch(world.origin + link)).status).toBe(200)
    const list = await world.get('Owner', 'team')
    expect([list.html.includes('ada@example.com'), list.html.includes(link)]).toEqual([true, false])
    const linkId = /invitations\/(lnk_[0-9a-z]+)\/withdraw/.exec(list.html)?.[1]
    await world.post('Admin', `team/invitations/${linkId}/withdraw`, {}, 'team')
    expect((await fetch(world.origin + link)).status).toBe(404)
  })

  it('keeps what was typed when it is refused, with the error at its field', async () => {
    const limits = await world.post('Owner', 'team/invite', {
      email: 'bob@example.com',
      role: 'Support',
      refundLimits: 'ten euros',
    })
    expect(limits.status).toBe(400)
    expect(limits.html).toContain('value="bob@example.com"')
    expect(limits.html).toContain('Write lines such as EUR 100.00')
    const email = await world.post('Owner', 'team/invite', { email: 'bob', role: 'Viewer' })
    expect([email.status, email.html.includes('aria-invalid="true"')]).toEqual([400, true])
    const owner = await world.post('Admin', 'team/invite', { email: 'bob@example.com', role: 'Owner' })
    expect(owner.status).toBe(403)
  })
})

describe('a member', () => {
  const page = (role: string) => `team/members/usr_${role}`

  it('was last seen at the sign-in, then within a minute of the last request', async () => {
    const { ctx } = world.tender.service
    const seen = async (role: string) =>
      /Last seen<\/dt><dd><time datetime="([^"]+)"/.exec((await world.get('Owner', page(role))).html)?.[1]
    expect(await seen('manager')).toBeDefined()
    const before = await seen('developer')
    const restMs = 2 * MINUTE
    const clock = { ...ctx.clock, now: () => plus(ctx.clock.now(), restMs) }
    const cache = createSessionCache({ db: ctx.db, clock })
    await cache.get(sha256(world.tokens.Developer).toString('base64'))
    const later = await seen('developer')
    expect(Date.parse(later ?? '') - Date.parse(before ?? '')).toBeGreaterThanOrEqual(restMs)
  })

  it('gets another role with limits', async () => {
    const fields = { role: 'Support', refundLimits: 'EUR 12.50' }
    expect((await world.post('Admin', `${page('viewer')}/role`, fields)).status).toBe(303)
    const { html } = await world.get('Owner', page('viewer'))
    expect(html).toContain('EUR 12.50')
    const back = await world.post('Admin', `${page('viewer')}/role`, { role: 'Viewer' })
    expect(back.location).toContain('note=changed')
  })

  it('who is the last owner stays, with a sentence that says why', async () => {
    const left = await world.post('Owner', `${page('owner')}/remove`, {})
    expect([left.status, left.html.includes('The last owner of a licence cannot leave')]).toEqual([409, true])
    expect((await world.post('Owner', 'team/leave', {})).status).toBe(409)
    const lowered = await world.post('Owner', `${page('owner')}/role`, { role: 'Viewer' })
    expect([lowered.status, lowered.html.includes('The last owner')]).toEqual([409, true])
  })

  it('gets links for a lost password or second factor, but not from an equal', async () => {
    const reset = await world.post('Owner', `${page('support')}/reset-password`, {})
    expect((await fetch(world.origin + linkIn(reset.html, 'reset-password'))).status).toBe(200)
    const second = await world.post('Admin', `${page('support')}/reset-second-factor`, {})
    expect((await fetch(world.origin + linkIn(second.html, 'reset-second-factor'))).status).toBe(200)
    const refused = await world.post('Admin', `${page('owner')}/reset-password`, {})
    expect([refused.status, linkIn(refused.html, 'reset-password')]).toEqual([403, ''])
  })

  it('is disabled by an operator only', async () => {
    expect((await world.post('Admin', `${page('developer')}/disable`, {})).status).toBe(403)
    expect((await world.post('Owner', `${page('developer')}/disable`, {})).status).toBe(303)
    expect((await world.get('Developer', 'team')).location).toContain('/console/sign-in')
    expect((await world.post('Owner', `${page('developer')}/enable`, {}, page('developer'))).status).toBe(303)
  })

  it('is signed out everywhere and removed', async () => {
    expect((await world.post('Admin', `${page('owner')}/sign-out`, {})).status).toBe(403)
    expect((await world.get('Support', 'overview')).status).toBe(200)
    await world.post('Admin', `${page('support')}/sign-out`, {})
    expect((await world.get('Support', 'overview')).location).toContain('/console/sign-in')
    expect((await world.post('Admin', `${page('support')}/remove`, {})).location).toContain('note=removed')
    expect((await world.get('Owner', page('support'))).status).toBe(404)
  })

  it('leaves without the permission to change the team, in the console and by the API', async () => {
    expect((await world.get('Viewer', '/console/profile')).html).toContain('Leave team')
    const left = await world.post('Viewer', 'team/leave', {})
    expect([left.status, left.location]).toEqual([303, '/console'])
    expect((await world.get('Viewer', 'overview')).location).toContain('/console/sign-in')
    expect((await world.get('Owner', page('viewer'))).status).toBe(404)
    expect((await world.get('Owner', 'audit?action=member.left')).html).toContain('viewer@example.com')

    const remove = async (role: 'Manager' | 'Owner', roleId: string, userId: string) => {
      const url = `${world.origin}/api/team/resources/${world.sandbox.appId}/roles/${roleId}/users/${userId}`
      return (await fetch(url, { method: 'DELETE', headers: { cookie: `console=${world.tokens[role]}` } }))
        .status
    }
    const keys = (await world.sandbox.call('GET', 'api-keys')).body
    expect(await remove('Manager', 'Admin', 'usr_admin')).toBe(403)
    expect(await remove('Manager', 'Bot', keys[0].keyId)).toBe(403)
    expect(await remove('Manager', 'Manager', 'usr_manager')).toBe(200)
    expect(await remove('Owner', 'Owner', 'usr_owner')).toBe(409)
  })
})
