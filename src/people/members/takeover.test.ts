import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../test/support/authenticator.ts'
import type { TestContext } from '../../../test/support/context.ts'
import { type MailServer, startMailServer } from '../../../test/support/mail-server.ts'
import { startOidcProvider, type TestOidc } from '../../../test/support/oidc.ts'
import {
  clientAt,
  newLicenseId,
  newMember,
  PASSWORD,
  peopleContext,
  peopleWorld,
  sessionOf,
  verify,
} from '../../../test/support/people.ts'
import { mailJobs } from '../../mail/jobs.ts'
import { mailTransport } from '../../mail/sending/transport.ts'
import { requestPasswordReset } from '../accounts/forgotten.ts'
import { findOpenLink } from '../links/links.ts'
import { signInWithOidc, startOidc } from '../oidc/oidc.ts'
import { addPasskey, listPasskeys, startPasskeyRegistration } from '../passkeys/passkeys.ts'
import { signInWithPasskey, startPasskey } from '../passkeys/sign-in.ts'
import { findSession } from '../sessions/sessions.ts'
import { signIn } from '../sign-in/sign-in.ts'
import type { SignedIn } from '../signed-in.ts'
import { findInvitation, inviteMember, joinAsExisting, joinAsNew, listInvitations } from './invitations.ts'
import { changeRole, removeMember } from './members.ts'
import { createOwnerRestore, createReset, resetPassword, resetSecondFactor } from './resets.ts'

// The owner of one licence, Mallory, tries to get into another, Bigshop, through the account of a colleague.

const ORIGIN = 'http://tender.test'
const OWNER = { role: 'Owner' } as const
const NEW_PASSWORD = 'a password of her own'

const world = peopleWorld()
let server: MailServer
let oidc: TestOidc
/** The same service with a mail server and an OpenID provider. */
let ctx: TestContext
let bigshop: string

beforeAll(async () => {
  server = await startMailServer()
  oidc = await startOidcProvider(`${ORIGIN}/console/oidc/callback`)
  ctx = await peopleContext({ sharing: world.ctx, config: { oidc: oidc.config, mail: server.mail } })
  bigshop = await newLicenseId(world.ctx)
})
afterAll(async () => {
  if (ctx) mailTransport(ctx).close()
  await ctx?.close()
  await oidc?.close()
  await server?.stop()
})

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => (error.extras?.members?.isNotVerified ? 'not verified' : (error.code ?? String(error))),
  )

/** Sends what is queued; returns the token of the last link to this page. */
async function mailedToken(email: string, page: string): Promise<string> {
  await ctx.background.settled()
  const [job] = mailJobs(ctx)
  while (((await job?.runOnce()) ?? 0) > 0) await ctx.background.settled()
  const texts = server.received.filter(({ to }) => to.includes(email)).map(({ text }) => text)
  const links = texts.join('\n').matchAll(new RegExp(`${ORIGIN}/console/${page}/([\\w-]{43})`, 'g'))
  return [...links].at(-1)?.[1] ?? ''
}

let count = 0

/** An account that Mallory opened with the link that was shown to him, with password and passkey. */
async function prepared() {
  const email = `colleague${++count}@bigshop.example`
  const invitation = { licenseId: world.licenseId, email, role: 'Viewer' } as const
  const { token } = await inviteMember(world.ctx, OWNER, invitation)
  await joinAsNew(world.ctx, token, { name: 'Colleague', password: PASSWORD }, clientAt())
  const session = await sessionOf(world.ctx, await signIn(ctx, { email, password: PASSWORD }, clientAt()))
  return { email, ...(await withPasskey(session, email)) }
}

async function withPasskey(session: SignedIn, name: string) {
  const authenticator = createAuthenticator(name)
  const { options, state } = await startPasskeyRegistration(ctx, session)
  const answer = { state, response: authenticator.create(options, ORIGIN), name: 'Phone' }
  const { token } = await addPasskey(ctx, session, answer)
  return { authenticator, token, session: (await findSession(ctx, token)) as SignedIn }
}

const invite = (email: string, role: 'Admin' | 'Viewer' = 'Admin', through: TestContext = ctx) =>
  inviteMember(through, OWNER, { licenseId: bigshop, email, role })

async function byPasskey(authenticator: ReturnType<typeof createAuthenticator>): Promise<string> {
  const { options, state } = await startPasskey(ctx, { kind: 'sign-in' })
  const answer = { state, response: authenticator.get(options, ORIGIN) }
  return (await signInWithPasskey(ctx, answer, clientAt())).kind
}

const byPassword = async (email: string, password = PASSWORD): Promise<string> =>
  (await signIn(ctx, { email, password }, clientAt())).kind

async function bySingleSignOn(email: string) {
  oidc.accounts.set(email, { email, email_verified: true, name: 'Colleague' })
  const { url, cookie } = await startOidc(ctx)
  const answer = { cookie, query: await oidc.signIn(url, email) }
  return sessionOf(ctx, await signInWithOidc(ctx, answer, clientAt()))
}

describe('an account that another person prepared', () => {
  it('joins no second licence', async () => {
    const { session } = await prepared()
    const { token } = await invite(session.email, 'Admin', world.ctx)
    expect(await codeOf(joinAsExisting(ctx, token, session))).toBe('not verified')
    expect(await findInvitation(ctx, token)).toBeDefined()
  })

  it('is not taken over with a link that another person saw', async () => {
    const { email } = await prepared()
    const { token } = await invite(email, 'Admin', world.ctx)
    expect(await findInvitation(ctx, token)).toMatchObject({ way: 'sign-in' })
    const account = { name: 'Mallory', password: NEW_PASSWORD }
    expect(await codeOf(joinAsNew(ctx, token, account, clientAt()))).toBe('member_exists')
    expect([await byPassword(email), await byPassword(email, NEW_PASSWORD)]).toEqual(['signed-in', 'refused'])
  })

  it('keeps nothing of what was set before, once its password is reset by e-mail', async () => {
    const { email, authenticator, token } = await prepared()
    await requestPasswordReset(ctx, email, clientAt('192.0.2.9'))
    const reset = { token: await mailedToken(email, 'reset-password'), password: NEW_PASSWORD }
    await resetPassword(ctx, { ...reset, kind: 'password-reset', removeOthers: false }, clientAt())
    const session = await sessionOf(ctx, await signIn(ctx, { email, password: NEW_PASSWORD }, clientAt()))
    await joinAsExisting(ctx, (await invite(email, 'Admin', world.ctx)).token, session)
    expect([await byPasskey(authenticator), await byPassword(email)]).toEqual(['refused', 'refused'])
    expect(await findSession(ctx, token)).toBeUndefined()
  })

  it('keeps nothing of what was set before, after the first single sign-on', async () => {
    const { email, authenticator, token } = await prepared()
    const session = await bySingleSignOn(email)
    await joinAsExisting(ctx, (await invite(email, 'Admin', world.ctx)).token, session)
    expect([await byPasskey(authenticator), await byPassword(email)]).toEqual(['refused', 'refused'])
    expect(await findSession(ctx, token)).toBeUndefined()
    expect((await bySingleSignOn(email)).memberships).toHaveLength(2)
  })

  it('is taken over by its person with an invitation that went by e-mail alone', async () => {
    const { email, authenticator, session } = await prepared()
    await invite(email)
    const token = await mailedToken(email, 'join')
    expect(await findInvitation(ctx, token)).toMatchObject({ way: 'take-over' })
    expect(await codeOf(joinAsExisting(ctx, token, session))).toBe('not verified')
    await joinAsNew(ctx, token, { name: 'Carla', password: NEW_PASSWORD }, clientAt())
    expect([await byPasskey(authenticator), await byPassword(email)]).toEqual(['refused', 'refused'])
    const own = await sessionOf(ctx, await signIn(ctx, { email, password: NEW_PASSWORD }, clientAt()))
    expect([own.name, own.memberships.length]).toEqual(['Carla', 2])
  })

  it('cannot be prepared anew with a reset by its owner after it was verified', async () => {
    const { email, session } = await prepared()
    await bySingleSignOn(email)
    const { personId } = session
    const request = { licenseId: world.licenseId, personId, kind: 'password-reset' } as const
    const { token } = await createReset(ctx, world.owner, request)
    await resetPassword(ctx, { token, password: PASSWORD, kind: 'password-reset' }, clientAt())
    const again = await sessionOf(ctx, await signIn(ctx, { email, password: PASSWORD }, clientAt()))
    const invitation = await invite(email, 'Admin', world.ctx)
    expect(await codeOf(joinAsExisting(ctx, invitation.token, again))).toBe('not verified')
    await joinAsExisting(ctx, invitation.token, await bySingleSignOn(email))
    expect(await byPassword(email)).toBe('refused')
  })

  it('is not opened by a sign-in that began before the verification', async () => {
    const { email } = await prepared()
    // After the password was read, and before the session is opened.
    let isVerified = false
    const transaction: typeof ctx.db.transaction = async (work) => {
      if (!isVerified) {
        isVerified = true
        await bySingleSignOn(email)
      }
      return ctx.db.transaction(work)
    }
    const begun = { ...ctx, db: { ...ctx.db, transaction } }
    const { kind } = await signIn(begun, { email, password: PASSWORD }, clientAt())
    expect([isVerified, kind]).toEqual([true, 'refused'])
  })
})

describe('a reset link that was kept', () => {
  const kept = async (kind: 'password-reset' | 'second-factor-reset') => {
    const member = await newMember(world, 'Viewer')
    await verify(ctx, member)
    const request = { licenseId: world.licenseId, personId: member.personId, kind }
    return { member, ...(await createReset(ctx, world.owner, request)) }
  }

  it('ends when its person joins another licence', async () => {
    const { member, token } = await kept('password-reset')
    const second = await kept('second-factor-reset')
    for (const one of [member, second.member])
      await joinAsExisting(ctx, (await invite(one.email, 'Admin', world.ctx)).token, one)
    // Gone, not only refused: the rights of its maker may change again.
    expect(await findOpenLink(ctx, token, 'password-reset')).toBeUndefined()
    expect(await findOpenLink(ctx, second.token, 'second-factor-reset')).toBeUndefined()
    const reset = { token, password: NEW_PASSWORD, kind: 'password-reset' } as const
    expect(await codeOf(resetPassword(ctx, reset, clientAt()))).toBe('not_found')
    expect(await codeOf(resetSecondFactor(ctx, { token: second.token }, clientAt()))).toBe('not_found')
  })

  it('ends with a new role of its person, unless the person asked for it by e-mail', async () => {
    const { member, token } = await kept('password-reset')
    const { licenseId } = world
    const change = { licenseId, personId: member.personId, role: 'Manager' } as const
    await changeRole(ctx, OWNER, change)
    const reset = { token, password: NEW_PASSWORD, kind: 'password-reset' } as const
    expect(await codeOf(resetPassword(ctx, reset, clientAt()))).toBe('not_found')
    await requestPasswordReset(ctx, member.email, clientAt('192.0.2.10'))
    const own = await mailedToken(member.email, 'reset-password')
    await changeRole(ctx, OWNER, { ...change, role: 'Viewer' })
    expect(await codeOf(resetPassword(ctx, { ...reset, token: own }, clientAt()))).toBe('done')
  })

  it('is refused when its maker may not reset the account any more', async () => {
    const admin = await newMember(world, 'Admin')
    const member = await newMember(world, 'Viewer')
    const { licenseId } = world
    const request = { licenseId, personId: member.personId, kind: 'password-reset' } as const
    const { token } = await createReset(ctx, admin, request)
    await changeRole(ctx, OWNER, { licenseId, personId: admin.personId, role: 'Viewer' })
    const reset = { token, password: NEW_PASSWORD, kind: 'password-reset' } as const
    expect(await codeOf(resetPassword(ctx, reset, clientAt()))).toBe('not_found')
    expect(await byPassword(member.email)).toBe('signed-in')
    const removed = await createReset(ctx, world.owner, request)
    expect(await codeOf(resetPassword(ctx, { ...reset, token: removed.token }, clientAt()))).toBe('done')
  })
})

describe('passkeys and identities of a thief', () => {
  it('end when the operator restores the access of an owner', async () => {
    const member = await newMember(world, 'Owner')
    const { authenticator } = await withPasskey(member, 'thief of an owner')
    const { token } = await createOwnerRestore(ctx, member.email)
    await resetPassword(ctx, { token, password: NEW_PASSWORD, kind: 'owner-restore' }, clientAt())
    expect(await byPasskey(authenticator)).toBe('refused')
  })

  it('end with a reset by default, and stay when the person wants it', async () => {
    for (const removeOthers of [undefined, true, false]) {
      const member = await newMember(world, 'Viewer')
      const { authenticator, session } = await withPasskey(member, `thief ${removeOthers}`)
      await verify(ctx, member)
      const request = { licenseId: world.licenseId, personId: session.personId, kind: 'password-reset' }
      const { token } = await createReset(ctx, world.owner, request as Parameters<typeof createReset>[2])
      const reset = { token, password: NEW_PASSWORD, kind: 'password-reset' } as const
      await resetPassword(ctx, removeOthers === undefined ? reset : { ...reset, removeOthers }, clientAt())
      const left = removeOthers === false ? 1 : 0
      expect(await listPasskeys(ctx, member.personId)).toHaveLength(left)
      expect(await byPasskey(authenticator)).toBe(left === 1 ? 'signed-in' : 'refused')
    }
  })
})

describe('invitations of a member', () => {
  async function invited() {
    const admin = await newMember(world, 'Admin')
    const email = `private${++count}@example.com`
    const actor = { kind: 'person', id: admin.personId, name: admin.email, address: '', requestId: '' }
    const acted = { ...world.ctx, actor } as TestContext
    const by = { role: 'Admin', personId: admin.personId } as const
    await inviteMember(acted, by, { licenseId: world.licenseId, email, role: 'Admin' })
    const isOpen = async () =>
      (await listInvitations(ctx, world.licenseId)).some((link) => link.email === email)
    return { admin, isOpen }
  }

  it('end when the member is removed', async () => {
    const { admin, isOpen } = await invited()
    expect(await isOpen()).toBe(true)
    await removeMember(ctx, OWNER, world.licenseId, admin.personId)
    expect(await isOpen()).toBe(false)
  })

  it('end when the member gets a lower role', async () => {
    const { admin, isOpen } = await invited()
    const change = { licenseId: world.licenseId, personId: admin.personId }
    await changeRole(ctx, OWNER, { ...change, role: 'Owner' })
    expect(await isOpen()).toBe(true)
    await changeRole(ctx, OWNER, { ...change, role: 'Manager' })
    expect(await isOpen()).toBe(false)
  })
})
