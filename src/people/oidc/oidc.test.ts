import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestContext } from '../../../test/support/context.ts'
import { withPart } from '../../../test/support/node.ts'
import { type OidcAccount, startOidcProvider, type TestOidc } from '../../../test/support/oidc.ts'
import { clientAt, newMember, type People, peopleWorld, sessionOf } from '../../../test/support/people.ts'
import { MINUTE } from '../../base/clock.ts'
import { setDisabled } from '../members/disable.ts'
import { inviteMember } from '../members/invitations.ts'
import { findSession } from '../sessions/sessions.ts'
import { createOidcProviders, oidcProviders } from './discovery.ts'
import { hasOidc, proveWithOidc, signInWithOidc, startOidc } from './oidc.ts'

const REDIRECT = 'http://tender.test/console/oidc/callback'

const people = peopleWorld()
let oidc: TestOidc
/** The same service with the provider in its settings. */
let ctx: TestContext

beforeAll(async () => {
  oidc = await startOidcProvider(REDIRECT)
  const config = { ...people.ctx.config, oidc: oidc.config }
  const known = createOidcProviders({ clock: people.ctx.clock, config })
  ctx = withPart({ ...people.ctx, config }, oidcProviders, known)
})
afterAll(() => oidc?.close())

const world = (): People => ({ ...people, ctx })

/** Signs in as this account of the provider. */
async function signInAs(login: string, account: OidcAccount, within: TestContext = ctx) {
  oidc.accounts.set(login, account)
  const { url, cookie } = await startOidc(within)
  const query = await oidc.signIn(url, login)
  return { cookie, query, result: await signInWithOidc(within, { cookie, query }, clientAt()) }
}

const verified = (email: string): OidcAccount => ({ email, email_verified: true, name: 'Nina' })

describe('a person with a verified address', () => {
  it('signs in to the account with this address, and to the same one when the address changes', async () => {
    const member = await newMember(world(), 'Viewer')
    const first = await signInAs('member', verified(member.email.toUpperCase()))
    expect((await sessionOf(ctx, first.result)).personId).toBe(member.personId)
    const later = await signInAs('member', verified('new.address@example.com'))
    expect((await sessionOf(ctx, later.result)).personId).toBe(member.personId)
  })

  it('accepts an open invitation', async () => {
    const { licenseId } = people
    await inviteMember(ctx, { role: 'Owner' }, { licenseId, email: 'invited@example.com', role: 'Manager' })
    const { result } = await signInAs('invited', verified('invited@example.com'))
    expect(await sessionOf(ctx, result)).toMatchObject({ name: 'Nina', memberships: [{ role: 'Manager' }] })
    expect((await signInAs('invited', verified('invited@example.com'))).result.kind).toBe('signed-in')
  })

  it('does not become an owner', async () => {
    const { licenseId } = people
    await inviteMember(ctx, { role: 'Owner' }, { licenseId, email: 'boss@example.com', role: 'Owner' })
    expect((await signInAs('boss', verified('boss@example.com'))).result.kind).toBe('refused')
  })

  it('has no account without an invitation', async () => {
    expect((await signInAs('stranger', verified('stranger@example.com'))).result.kind).toBe('refused')
  })

  it('is refused while disabled', async () => {
    const member = await newMember(world(), 'Viewer')
    await setDisabled(ctx, member.personId, true)
    expect((await signInAs('disabled', verified(member.email))).result.kind).toBe('refused')
  })
})

it('an address that is not verified, or of another domain, is refused', async () => {
  const member = await newMember(world(), 'Viewer')
  for (const account of [{ email: member.email, email_verified: false }, { email: member.email }, {}])
    expect((await signInAs('unverified', account)).result.kind).toBe('refused')
  const strict = { ...ctx, config: { ...ctx.config, oidc: { ...oidc.config, emailDomain: 'shop.example' } } }
  expect((await signInAs('domain', verified(member.email), strict)).result.kind).toBe('refused')
  expect((await signInAs('domain', verified(member.email))).result.kind).toBe('signed-in')
})

describe('an answer of the provider is refused', () => {
  it('when it is sent again, in another browser, or late', async () => {
    const member = await newMember(world(), 'Viewer')
    const { cookie, query } = await signInAs('replay', verified(member.email))
    expect((await signInWithOidc(ctx, { cookie, query }, clientAt())).kind).toBe('refused')
    const [mine, other] = [await startOidc(ctx), await startOidc(ctx)]
    const answer = await oidc.signIn(mine.url, 'replay')
    expect((await signInWithOidc(ctx, { cookie: other.cookie, query: answer }, clientAt())).kind).toBe(
      'refused',
    )
    const late = await startOidc(ctx)
    const lateAnswer = await oidc.signIn(late.url, 'replay')
    ctx.clock.advance(15 * MINUTE)
    expect((await signInWithOidc(ctx, { cookie: late.cookie, query: lateAnswer }, clientAt())).kind).toBe(
      'refused',
    )
  })

  it('when the cookie or the query was changed', async () => {
    const { cookie, url } = await startOidc(ctx)
    const query = await oidc.signIn(url, 'replay')
    for (const bad of [`x${cookie}`, `${cookie}x`, '', 'a.b'])
      expect((await signInWithOidc(ctx, { cookie: bad, query }, clientAt())).kind).toBe('refused')
    for (const bad of ['', 'error=access_denied', query.replace(/state=[^&]+/, 'state=x')])
      expect((await signInWithOidc(ctx, { cookie, query: bad }, clientAt())).kind).toBe('refused')
  })
})

it('an ID token that another key signed is refused', async () => {
  const member = await newMember(world(), 'Viewer')
  const forged = await oidc.withForeignSignature(() => signInAs('forged', verified(member.email)))
  expect(forged.result.kind).toBe('refused')
  expect((await signInAs('forged', verified(member.email))).result.kind).toBe('signed-in')
})

it('a sign-in at the provider is a fresh proof of its own session only', async () => {
  const { email } = await newMember(world(), 'Viewer')
  const member = await sessionOf(ctx, (await signInAs('prover', verified(email))).result)
  const prove = async (login: string) => {
    const { url, cookie } = await startOidc(ctx, member)
    const query = await oidc.signIn(url, login)
    return { cookie, query, token: await proveWithOidc(ctx, member, { cookie, query }, clientAt()) }
  }
  expect((await prove('member')).token).toBeUndefined()
  const { token } = await prove('prover')
  expect(await findSession(ctx, token)).toMatchObject({ personId: member.personId })
  const { url, cookie } = await startOidc(ctx)
  const answer = { cookie, query: await oidc.signIn(url, 'prover') }
  expect(await proveWithOidc(ctx, member, answer, clientAt())).toBeUndefined()
})

it('a provider that does not answer is a temporary failure', async () => {
  const config = { ...ctx.config, oidc: { ...oidc.config, issuer: 'http://127.0.0.1:9' } }
  const away = withPart({ ...ctx, config }, oidcProviders, createOidcProviders({ clock: ctx.clock, config }))
  await expect(startOidc(away)).rejects.toMatchObject({ code: 'unavailable' })
  expect([hasOidc(ctx), hasOidc(people.ctx)]).toEqual([true, false])
  await expect(startOidc(people.ctx)).rejects.toMatchObject({ code: 'not_found' })
})
