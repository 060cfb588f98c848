import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { listPasskeys } from '../../../src/people/passkeys/passkeys.ts'
import { addIdentity, selectIssuers } from '../../../src/people/store/identities.ts'
import { insertPasskey } from '../../../src/people/store/passkeys.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('console_resets')
})
afterAll(() => world?.stop())

const PASSWORD = 'seven green lanterns'

/** A passkey and an identity of this person, and a link that the owner made. */
async function linkFor(role: string, page: 'reset-password' | 'reset-second-factor') {
  const { ctx } = world.tender.service
  const personId = `usr_${role}`
  const now = ctx.clock.now()
  await insertPasskey(ctx.db, {
    credentialId: `${role} ${page} ${now.getTime()}`,
    personId,
    publicKey: Buffer.from('key'),
    counter: 0,
    transports: [],
    name: 'Phone of <b>',
    isSynced: false,
    createdTime: now,
    lastUsedTime: null,
  })
  await addIdentity(ctx.db, { issuer: 'https://id.example', subject: `${role} ${page}` }, personId, now)
  const shown = await world.post('Owner', `team/members/${personId}/${page}`, {})
  const path = new RegExp(`/console/${page}/[\\w-]{43}`).exec(shown.html)?.[0] ?? ''
  const left = async () => [
    (await listPasskeys(ctx, personId)).length,
    (await selectIssuers(ctx.db, personId)).length,
  ]
  return { url: world.origin + path, left }
}

const send = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

describe('a reset link', () => {
  it.each([
    ['support', 'reset-password'],
    ['viewer', 'reset-second-factor'],
  ] as const)('of %s shows what else opens the account, and removes it: %s', async (role, page) => {
    const { url, left } = await linkFor(role, page)
    const html = await (await fetch(url)).text()
    expect(html).toContain('Phone of &lt;b>')
    expect(html).toContain('id.example')
    expect(html).toMatch(/<input type="checkbox"[^>]*name="removeOthers"[^>]* checked/)
    expect(await left()).toEqual([1, 1])
    const fields = { ways: 'shown', removeOthers: 'yes', password: PASSWORD }
    expect((await send(url, fields)).status).toBe(303)
    expect(await left()).toEqual([0, 0])
  })

  it.each([
    ['manager', 'reset-password'],
    ['developer', 'reset-second-factor'],
  ] as const)('of %s keeps it when the tick is taken away: %s', async (role, page) => {
    const { url, left } = await linkFor(role, page)
    // A browser leaves out a box without a tick.
    expect((await send(url, { ways: 'shown', password: PASSWORD })).status).toBe(303)
    expect(await left()).toEqual([1, 1])
  })

  it('is gone when its maker lost the right to make it', async () => {
    const shown = await world.post('Admin', 'team/members/usr_viewer/reset-password', {})
    const path = /\/console\/reset-password\/[\w-]{43}/.exec(shown.html)?.[0] ?? ''
    await world.post('Owner', 'team/members/usr_admin/role', { role: 'Viewer' })
    const late = await send(world.origin + path, { password: PASSWORD })
    expect([late.status, (await late.text()).includes('has expired or was used already')]).toEqual([
      404,
      true,
    ])
  })
})

it('an account that is not verified is told how to join a second merchant', async () => {
  const { ctx } = world.tender.service
  const made = await world.post('Owner', '/console/system/licenses/new', {
    name: 'Teahouse',
    ownerEmail: 'manager@example.com',
  })
  const path = /\/console\/join\/[\w-]{43}/.exec(made.html)?.[0] ?? ''
  const unproved = sql(
    'test.unproved',
    `update people set verified_time = null where person_id = 'usr_manager'`,
  )
  await ctx.db.query(unproved)
  const session = await send(`${world.origin}/console/sign-in`, {
    email: 'manager@example.com',
    password: PASSWORD,
  })
  const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const joined = await fetch(world.origin + path, { method: 'POST', headers: { cookie }, redirect: 'manual' })
  const html = await joined.text()
  expect([joined.status, html.includes('is not verified, so it cannot join')]).toEqual([403, true])
  expect(html).toContain('/console/forgot')
})
