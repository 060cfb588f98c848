import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { clientAt, newMember, PASSWORD, peopleWorld } from '../../../test/support/people.ts'
import { auditEntries } from '../../audit/audit.ts'
import { MINUTE } from '../../base/clock.ts'
import { keyRoutes } from '../../merchants/keys/routes.ts'
import { licensedApps } from '../../merchants/licenses/commands.ts'
import { findSession } from '../sessions/sessions.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { selectTotp } from '../store/secrets.ts'
import { codeOf, stepOf } from '../totp/totp.ts'
import { peopleRoutes } from './routes.ts'

const world = peopleWorld()
let api: TestApi
let appId: string
let apiKey: string
let ownerToken: string

const tokenOf = async (email: string): Promise<string> => {
  const result = await signIn(world.ctx, { email, password: PASSWORD }, clientAt())
  return 'token' in result ? result.token : ''
}

beforeAll(async () => {
  const { ctx, licenseId } = world
  const routes = [...peopleRoutes(ctx), ...keyRoutes(ctx)]
  api = await testApi(ctx, { routes, findSignedIn: (token) => findSession(ctx, token) })
  const [app] = await licensedApps(ctx, licenseId)
  appId = app?.appId ?? ''
  apiKey = app?.authorizationCode ?? ''
  ownerToken = await tokenOf('owner@example.com')
})
afterAll(() => api?.close())

const ask = (method: string, path: string, token = ownerToken, body?: unknown) =>
  api.ask(method, path, { headers: { cookie: `console=${token}` }, ...(body === undefined ? {} : { body }) })

const team = (method: string, path: string, token?: string, body?: unknown) =>
  ask(method, `/api/team/resources/${appId}${path}`, token, body)

describe('the team', () => {
  it('lists members, invited people and API keys as bots', async () => {
    const invited = await team('POST', '/roles/Viewer/users/email:new@example.com')
    expect([invited.status, invited.json]).toMatchObject([
      200,
      {
        role: { roleId: 'Viewer' },
        user: { email: 'new@example.com', isEmailVerified: false },
        invitationLink: expect.stringMatching(/^http:\/\/tender\.test\/console\/join\/[\w-]{43}$/),
      },
    ])
    const { json } = await team('GET', '/user-roles')
    expect(json).toMatchObject([
      { resourceId: appId, role: { roleName: 'Owner' }, user: { email: 'owner@example.com', isBot: false } },
      { userId: invited.json.userId, role: { roleName: 'Viewer' } },
      { role: { roleName: 'Bot' }, user: { isBot: true } },
      { role: { roleName: 'Bot' }, user: { isBot: true } },
    ])
    // Made at the same instant, so in any order.
    const names = json.slice(2).map(({ user }: { user: { name: string } }) => user.name)
    expect(names.sort()).toEqual(['First key', 'Licence'])
    expect(JSON.stringify(json)).not.toContain('/console/join/')
    expect((await team('DELETE', `/roles/Viewer/users/${invited.json.userId}`)).status).toBe(200)
    expect((await team('GET', '/user-roles')).json).toHaveLength(3)
  })

  it('gives another role, by address or by id, and refuses the same role', async () => {
    const { email, personId } = await newMember(world, 'Viewer')
    expect((await team('POST', `/roles/Manager/users/email:${email}`)).json).toMatchObject({
      userId: personId,
      role: { roleId: 'Manager' },
    })
    expect((await team('POST', `/roles/Manager/users/${personId}`)).json).toMatchObject({
      status: 409,
      code: 'member_exists',
    })
    expect((await team('POST', `/roles/Viewer/users/${personId}`)).status).toBe(200)
    expect((await team('POST', `/roles/King/users/${personId}`)).status).toBe(404)
    expect((await team('POST', '/roles/Viewer/users/usr_unknown')).status).toBe(404)
    expect((await team('POST', '/roles/Viewer/users/email:nonsense')).status).toBe(400)
    expect((await team('DELETE', `/roles/Manager/users/${personId}`)).status).toBe(404)
    expect((await team('DELETE', `/roles/Viewer/users/${personId}`)).status).toBe(200)
  })

  it('keeps its last owner', async () => {
    const { personId } = world.owner
    expect((await team('DELETE', `/roles/Owner/users/${personId}`)).json).toMatchObject({
      code: 'last_owner',
    })
    expect((await team('POST', `/roles/Viewer/users/${personId}`)).json).toMatchObject({ code: 'last_owner' })
  })

  it('is changed by people with the permission only', async () => {
    const viewer = await tokenOf((await newMember(world, 'Viewer')).email)
    expect((await team('GET', '/user-roles', viewer)).status).toBe(403)
    expect((await team('POST', '/roles/Owner/users/email:me@example.com', viewer)).status).toBe(403)
    const admin = await tokenOf((await newMember(world, 'Admin')).email)
    expect((await team('POST', '/roles/Owner/users/email:me@example.com', admin)).status).toBe(403)
    expect((await team('POST', '/roles/Admin/users/email:me@example.com', admin)).status).toBe(200)
    const path = `/api/team/resources/${appId}`
    expect((await api.ask('GET', `${path}/user-roles`, { key: apiKey })).status).toBe(200)
    const byKey = await api.ask('POST', `${path}/roles/Admin/users/email:me2@example.com`, { key: apiKey })
    expect(byKey.status).toBe(403)
  })

  it('refuses requests from another site', async () => {
    const headers = { cookie: `console=${ownerToken}`, origin: 'https://evil.example' }
    const path = `/api/team/resources/${appId}/roles/Viewer/users/email:x@example.com`
    expect((await api.ask('POST', path, { headers })).status).toBe(403)
  })
})

it('bots are API keys, shown once and replaced at once', async () => {
  const created = await team('POST', '/roles/Bot/bots', undefined, { name: 'Server' })
  expect(created.json).toMatchObject({ accessToken: { scheme: 'Bearer' }, refreshToken: null })
  const key = created.json.accessToken.value
  const works = async (candidate: string) =>
    (await api.ask('GET', `/api/apps/${appId}/api-keys`, { key: candidate })).status
  expect(await works(key)).toBe(200)
  const { json } = await ask('POST', `/api/team/users/${created.json.userId}/bot/reset-api-key`)
  expect([await works(key), await works(json.accessToken.value)]).toEqual([401, 200])
  const named = await team('POST', '/bots?botName=Second')
  expect(named.json.userId).toMatch(/^key_/)
  const developer = await tokenOf((await newMember(world, 'Viewer')).email)
  expect(
    (await ask('POST', `/api/team/users/${named.json.userId}/bot/reset-api-key`, developer)).status,
  ).toBe(404)
  expect((await team('DELETE', `/roles/Bot/users/${named.json.userId}`)).status).toBe(200)
  expect(await works(named.json.accessToken.value)).toBe(401)
})

it('a bot is renamed by people who may change keys, and is never an owner', async () => {
  const { userId } = (await team('POST', '/roles/Viewer/bots', undefined, { name: 'Reports' })).json
  const scopesOf = async () => {
    const { json } = await ask('GET', `/api/apps/${appId}/api-keys`)
    return json.find(({ keyId }: { keyId: string }) => keyId === userId)?.scopes
  }
  expect(await scopesOf()).toEqual(['read'])
  const renamed = await ask('PATCH', `/api/team/users/${userId}/bot`, undefined, {
    name: { value: 'Nightly' },
  })
  expect(renamed.json).toMatchObject({ userId, name: 'Nightly', isBot: true })
  const { json } = await team('GET', '/user-roles')
  expect(json).toContainEqual(expect.objectContaining({ userId, user: renamed.json }))
  const viewer = await tokenOf((await newMember(world, 'Viewer')).email)
  expect((await ask('PATCH', `/api/team/users/${userId}/bot`, viewer, { name: 'Mine' })).status).toBe(404)
  expect((await ask('PATCH', `/api/team/users/${userId}/bot`, undefined, {})).status).toBe(400)
  expect((await ask('PATCH', '/api/team/users/key_none/bot', undefined, { name: 'x' })).status).toBe(404)
  const [entry] = await auditEntries(world.ctx, world.licenseId, { action: 'key.renamed', limit: 1 })
  expect(entry).toMatchObject({ before: { name: 'Reports' }, after: { name: 'Nightly' } })
  expect((await team('POST', '/roles/Owner/bots', undefined, { name: 'King' })).status).toBe(422)
  expect((await team('POST', '/roles/King/bots', undefined, { name: 'King' })).status).toBe(404)
})

describe('the person of the session', () => {
  it('has settings, apps and permissions', async () => {
    const path = '/api/team/users/current'
    expect((await ask('GET', path)).json).toMatchObject({
      email: 'owner@example.com',
      theme: null,
      timeZone: null,
    })
    const body = { timeZone: { value: 'Europe/Vienna' }, theme: 'dark' }
    expect((await ask('PATCH', path, undefined, body)).json).toMatchObject({
      theme: 'dark',
      timeZone: 'Europe/Vienna',
    })
    const cleared = { timeZone: { value: null }, theme: 'auto' }
    expect((await ask('PATCH', path, undefined, cleared)).json).toMatchObject({ theme: null, timeZone: null })
    expect((await ask('PATCH', path, undefined, { timeZone: 'Nowhere/Land' })).status).toBe(400)
    expect((await ask('GET', `${path}/info`)).json).toEqual((await ask('GET', path)).json)
    expect((await ask('GET', `${path}/apps`)).json).toMatchObject([
      { appId, isSandbox: true },
      { isSandbox: false },
    ])
    expect((await ask('GET', `${path}/apps/${appId}/permissions`)).json).toContain('RoleWriteOwner')
    expect((await ask('GET', `${path}/apps/app_000000000000/permissions`)).status).toBe(403)
  })

  it('is not an API key', async () => {
    expect((await api.ask('GET', '/api/team/users/current', { key: apiKey })).status).toBe(403)
    expect((await api.ask('GET', '/api/team/users/current')).status).toBe(401)
  })

  it('sets up a second factor with a QR code and turns it off again', async () => {
    const { ctx } = world
    const member = await newMember(world, 'Viewer')
    const token = await tokenOf(member.email)
    const path = `/api/apps/${appId}/twofactor`
    expect((await ask('POST', `${path}/activate?otpCode=123456`, token)).status).toBe(422)
    const qr = await ask('POST', `${path}/qr-code`, token)
    expect(qr.json).toMatch(/^data:image\/svg\+xml;base64,/)
    expect((await ask('POST', `${path}/activate?otpCode=000000`, token)).status).toBe(400)
    const secret = await storedSecret(member.personId)
    const code = () => codeOf(secret, stepOf(ctx.clock.now()))
    const activated = await ask('POST', `${path}/activate?otpCode=${code()}`, token)
    expect(activated.json).toMatchObject({ isActive: true, recoveryCodes: expect.any(Array) })
    const next = /console=([\w-]+)/.exec(String(activated.headers['set-cookie']))?.[1] ?? ''
    expect((await ask('GET', '/api/team/users/current', token)).status).toBe(401)
    ctx.clock.advance(5 * MINUTE)
    expect((await ask('POST', `${path}/deactivate`, next)).json).toMatchObject({
      status: 403,
      TypeName: 'Need2FaException',
    })
    expect((await ask('POST', `${path}/deactivate?otpCode=000000`, next)).json).toMatchObject({
      TypeName: 'Invalid2FaException',
    })
    expect((await ask('POST', `${path}/deactivate?otpCode=${code()}`, next)).json).toEqual({
      isActive: false,
    })
  })
})

async function storedSecret(personId: string): Promise<Buffer> {
  const row = await selectTotp(world.ctx.db, personId)
  return Buffer.from(world.ctx.vault.open(row?.totpSecret ?? new Uint8Array()), 'base64')
}

it('public settings need no credentials', async () => {
  expect((await api.ask('GET', '/api/settings')).json).toMatchObject({
    brand: 'Tender',
    isSupportSignupProcess: false,
  })
})
