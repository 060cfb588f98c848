import { expect, it } from 'vitest'
import { apiWorld, testApi } from '../../../test/support/api.ts'
import type { TestContext } from '../../../test/support/context.ts'
import { startMailServer } from '../../../test/support/mail-server.ts'
import { clientAt, PASSWORD, sessionOf } from '../../../test/support/people.ts'
import { auditEntries } from '../../audit/audit.ts'
import { HOUR } from '../../base/clock.ts'
import { licensePage } from '../../merchants/licenses/commands.ts'
import { merchantRoutes } from '../../merchants/routes.ts'
import { joinAsNew } from '../members/invitations.ts'
import { findSession, openSession } from '../sessions/sessions.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { may, type SignedIn } from '../signed-in.ts'
import { insertPerson } from '../store/people.ts'
import { operatorRoutes } from './operator-routes.ts'
import { leaveLicense } from './visits.ts'

const routes = (ctx: TestContext) => [...merchantRoutes(ctx), ...operatorRoutes(ctx)]
const world = apiWorld(routes)

const OPERATOR = { authorization: 'bearer operator token for tests' }
const ask = (path: string, body: unknown, api = world.api) =>
  api.ask('POST', path, { body, headers: OPERATOR })

it('licences are created by the operator with one sandbox and one live app', async () => {
  const reply = await world.api.ask('POST', '/api/licenses', {
    body: { licenseName: 'Tea' },
    headers: OPERATOR,
  })
  expect(reply.status).toBe(201)
  expect(reply.json).toEqual({
    licenseId: expect.stringMatching(/^lic_/),
    licenseName: 'Tea',
    authorizationCode: expect.any(String),
    apps: [
      {
        appId: expect.stringMatching(/^app_[0-9a-z]{12}$/),
        isSandbox: true,
        friendlyName: 'Tea (sandbox)',
        apiKey: expect.stringMatching(/^sk_sandbox_[0-9a-z]{44}$/),
        webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
      },
      expect.objectContaining({
        isSandbox: false,
        apiKey: expect.stringMatching(/^sk_live_[0-9a-z]{44}$/),
      }),
    ],
  })
  for (const app of reply.json.apps) {
    const read = await world.api.ask('GET', `/api/v1/apps/${app.appId}`, { key: app.apiKey })
    expect([read.status, read.json.isSandbox]).toEqual([200, app.isSandbox])
  }
})

it('licences are created only with the operator token, and never when none is set', async () => {
  const spaces = ' '.repeat(15_000)
  for (const authorization of [undefined, 'Bearer wrong', world.sandbox.apiKey, `Bearer x${spaces}y`]) {
    const headers = authorization === undefined ? {} : { authorization }
    const create = { body: { licenseName: 'x' }, headers }
    expect((await world.api.ask('POST', '/api/licenses', create)).status).toBe(401)
  }
  const { operatorToken: _, ...config } = world.ctx.config
  const closed = { ...world.ctx, config }
  const off = await testApi(closed, { routes: routes(closed) })
  const reply = await off.ask('POST', '/api/licenses', { body: { licenseName: 'x' }, headers: OPERATOR })
  expect([reply.status, reply.json.code]).toEqual([404, 'not_found'])
  await off.close()
})

it('licences need a name', async () => {
  for (const body of [{}, { licenseName: '' }, { licenseName: 'x'.repeat(201) }, { licenseName: 5 }]) {
    const reply = await world.api.ask('POST', '/api/licenses', { body, headers: OPERATOR })
    expect(reply.json).toMatchObject({ status: 400, errors: [{ field: 'licenseName' }] })
  }
})

it('a licence is created with an invitation of its owner, who alone runs it', async () => {
  const { ctx } = world
  const { status, json } = await ask('/api/licenses', { licenseName: 'Tea', ownerEmail: 'Tea@example.com' })
  expect([status, json.ownerEmail]).toEqual([201, 'tea@example.com'])
  const token = /\/console\/join\/([\w-]{43})$/.exec(json.invitationLink)?.[1] ?? ''
  await joinAsNew(ctx, token, { name: 'Tea', password: PASSWORD }, clientAt())
  const owner = await sessionOf(
    ctx,
    await signIn(ctx, { email: 'tea@example.com', password: PASSWORD }, clientAt()),
  )
  expect(owner.memberships).toMatchObject([{ licenseId: json.licenseId, role: 'Owner' }])
  const again = await ask(`/api/licenses/${json.licenseId}/owner-invitation`, { email: 'x@example.com' })
  expect(again.json).toMatchObject({ status: 422, code: 'not_possible' })
})

it('a licence is not made when its owner cannot be invited', async () => {
  const names = async () => (await licensePage(world.ctx, '')).items.map(({ name }) => name)
  const refused = await ask('/api/licenses', { licenseName: 'Half', ownerEmail: 'nonsense' })
  expect(refused.json).toMatchObject({ status: 400, errors: [{ field: 'ownerEmail' }] })
  expect(await names()).not.toContain('Half')
})

it('an owner is invited to a licence that has none', async () => {
  const { licenseId } = (await ask('/api/licenses', { licenseName: 'Lost' })).json
  const path = `/api/licenses/${licenseId}/owner-invitation`
  expect((await ask(path, { email: 'lost@example.com' })).json).toMatchObject({
    licenseId,
    email: 'lost@example.com',
    invitationLink: expect.stringContaining('/console/join/'),
  })
  expect((await ask(path, { email: 'lost' })).status).toBe(400)
  expect(
    (await ask('/api/licenses/lic_0000000000000000/owner-invitation', { email: 'a@b.test' })).status,
  ).toBe(404)
})

it('the link goes to the owner alone where e-mails are set up', async () => {
  const server = await startMailServer()
  const mailing = { ...world.ctx, config: { ...world.ctx.config, mail: server.mail } }
  const api = await testApi(mailing, { routes: routes(mailing) })
  const { json } = await ask('/api/licenses', { licenseName: 'Tea', ownerEmail: 'new@example.com' }, api)
  expect([json.ownerEmail, 'invitationLink' in json]).toEqual(['new@example.com', false])
  const path = `/api/licenses/${json.licenseId}/owner-invitation`
  expect('invitationLink' in (await ask(path, { email: 'new@example.com' }, api)).json).toBe(false)
  await api.close()
  await server.stop()
})

let count = 0

/** A person without membership, signed in. */
async function personOf(isOperator: boolean) {
  const { ctx } = world
  const personId = `usr_visitor${++count}`
  const email = `visitor${count}@example.com`
  await insertPerson(ctx.db, {
    personId,
    email,
    name: 'Vera',
    passwordHash: null,
    isOperator,
    now: ctx.clock.now(),
  })
  const token = await ctx.db.transaction((tx) => openSession(ctx, tx, personId, clientAt()))
  return { personId, email, token, session: async () => (await findSession(ctx, token)) as SignedIn }
}

const REASON = 'Ticket 4711: webhooks do not arrive'

it('an operator enters a licence with a reason, reads it for an hour, and its owners see why', async () => {
  const { ctx } = world
  const { licenseId } = (await ask('/api/licenses', { licenseName: 'Entered' })).json
  const { email, personId, session } = await personOf(true)
  const path = `/api/licenses/${licenseId}/visits`
  expect(may(await session(), licenseId, 'PaymentRead')).toBe(false)
  for (const reason of ['', 'why', ' '.repeat(20), 'x'.repeat(501)])
    expect((await ask(path, { email, reason })).status).toBe(400)
  expect(may(await session(), licenseId, 'PaymentRead')).toBe(false)

  const { status, json } = await ask(path, { email, reason: REASON })
  expect([status, json]).toMatchObject([201, { licenseId, email, role: 'Viewer', reason: REASON }])
  const inside = await session()
  expect(may(inside, licenseId, 'PaymentRead')).toBe(true)
  for (const denied of [
    'PaymentWrite',
    'PaymentRefund',
    'RoleRead',
    'DeveloperRead',
    'AppSettingWrite',
  ] as const)
    expect(may(inside, licenseId, denied)).toBe(false)
  const [entry] = await auditEntries(ctx, licenseId, { action: 'license.entered', limit: 2 })
  expect(entry).toMatchObject({
    actor: { kind: 'operator' },
    target: `person:${personId}`,
    after: { reason: REASON, email },
  })
  ctx.clock.advance(HOUR - 1)
  expect(may(await session(), licenseId, 'PaymentRead')).toBe(true)
  ctx.clock.advance(1)
  expect(may(await session(), licenseId, 'PaymentRead')).toBe(false)
})

it('a visit ends before its time when the operator leaves', async () => {
  const { licenseId } = (await ask('/api/licenses', { licenseName: 'Left' })).json
  const { email, personId, session } = await personOf(true)
  await ask(`/api/licenses/${licenseId}/visits`, { email, reason: REASON })
  expect(may(await session(), licenseId, 'PaymentRead')).toBe(true)
  await leaveLicense(world.ctx, licenseId, personId)
  expect(may(await session(), licenseId, 'PaymentRead')).toBe(false)
})

it('only operators enter, and only licences that exist', async () => {
  const { licenseId } = (await ask('/api/licenses', { licenseName: 'Closed' })).json
  const [operator, other] = [await personOf(true), await personOf(false)]
  const enter = async (id: string, email: string) =>
    (await ask(`/api/licenses/${id}/visits`, { email, reason: REASON })).status
  expect(await enter(licenseId, other.email)).toBe(404)
  expect(await enter(licenseId, 'stranger@example.com')).toBe(404)
  expect(await enter('lic_0000000000000000', operator.email)).toBe(404)
  const body = { email: operator.email, reason: REASON }
  const path = `/api/licenses/${licenseId}/visits`
  expect((await world.api.ask('POST', path, { body })).status).toBe(401)
  expect((await world.api.ask('POST', path, { body, key: world.sandbox.apiKey })).status).toBe(401)
})
