import { describe, expect, it } from 'vitest'
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
import { raceTransactions } from '../../../test/support/racing.ts'
import { auditEntries } from '../../audit/audit.ts'
import { DAY } from '../../base/clock.ts'
import { acting, type Context } from '../../context.ts'
import { findPerson } from '../accounts/settings.ts'
import { createOwner, isSetupOpen, type NewOwner, setupToken } from '../accounts/setup.ts'
import { actorOf } from '../person.ts'
import { findSession } from '../sessions/sessions.ts'
import { signIn } from '../sign-in/sign-in.ts'
import type { SignedIn } from '../signed-in.ts'
import { setDisabled } from './disable.ts'
import {
  findInvitation,
  inviteMember,
  joinAsExisting,
  joinAsNew,
  listInvitations,
  withdrawInvitation,
} from './invitations.ts'
import { changeRole, listMembers, removeMember } from './members.ts'
import { createOwnerRestore, createReset, resetPassword, resetSecondFactor } from './resets.ts'

const world = peopleWorld()
const OWNER = { role: 'Owner' } as const
const ADMIN = { role: 'Admin' } as const
const by = ({ personId, memberships }: SignedIn) => ({ personId, role: memberships[0]?.role ?? 'Viewer' })

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => error.code ?? String(error),
  )

const invite = (
  email: string,
  role: 'Viewer' | 'Owner' | 'Support' = 'Viewer',
  licenseId = world.licenseId,
) => inviteMember(world.ctx, OWNER, { licenseId, email, role })

describe('the first set-up', () => {
  const owner = (ctx: Context, email: string): NewOwner => ({
    token: setupToken(ctx),
    email,
    name: 'Olga',
    password: PASSWORD,
    licenseName: 'Corner Bookshop',
  })

  it('succeeds once, also when it is sent twice at the same time', async () => {
    const ctx = await peopleContext()
    expect(await isSetupOpen(ctx)).toBe(true)
    const both = await raceTransactions(
      ctx,
      (first) => codeOf(createOwner(first, owner(ctx, 'one@example.com'), clientAt())),
      (second) => codeOf(createOwner(second, owner(ctx, 'two@example.com'), clientAt())),
    )
    expect(both).toEqual(['done', 'not_found'])
    expect(await codeOf(createOwner(ctx, owner(ctx, 'three@example.com'), clientAt()))).toBe('not_found')
    expect(await isSetupOpen(ctx)).toBe(false)
    await ctx.close()
  })

  it('needs the token, which every node derives, and a good password', async () => {
    const ctx = await peopleContext()
    const good = owner(ctx, 'one@example.com')
    expect(await codeOf(createOwner(ctx, { ...good, token: 'x' }, clientAt()))).toBe('forbidden')
    expect(await codeOf(createOwner(ctx, { ...good, password: 'short' }, clientAt()))).toBe('invalid_request')
    expect(await codeOf(createOwner(ctx, { ...good, email: 'x' }, clientAt()))).toBe('invalid_request')
    expect(await isSetupOpen(ctx)).toBe(true)
    await ctx.close()
  })

  it('needs the operator token in production, and takes the first licence', async () => {
    const ctx = await peopleContext({ config: { production: true } })
    const licenseId = await newLicenseId(ctx)
    ctx.clock.advance(DAY)
    await newLicenseId(ctx)
    const good = owner(ctx, 'one@example.com')
    expect(await codeOf(createOwner(ctx, good, clientAt()))).toBe('forbidden')
    const token = ctx.config.operatorToken?.reveal() ?? ''
    const created = await createOwner(ctx, { ...good, token }, clientAt())
    expect(created.licenseId).toBe(licenseId)
    expect(await findSession(ctx, created.sessionToken)).toMatchObject({ isOperator: true })
    await ctx.close()
  })
})

describe('an invitation', () => {
  it('creates an account with the role, once', async () => {
    const { url, token } = await invite('New.Person@example.com', 'Support')
    expect(url).toBe(`http://tender.test/console/join/${token}`)
    expect(await findInvitation(world.ctx, token)).toMatchObject({ way: 'new' })
    const account = { name: 'Nina', password: PASSWORD }
    const both = [1, 2].map(() => codeOf(joinAsNew(world.ctx, token, account, clientAt())))
    expect((await Promise.all(both)).sort()).toEqual(['done', 'not_found'])
    const result = await signIn(
      world.ctx,
      { email: 'new.person@example.com', password: PASSWORD },
      clientAt(),
    )
    expect((await sessionOf(world.ctx, result)).memberships).toMatchObject([{ role: 'Support' }])
  })

  it('is valid for seven days, until it is withdrawn or replaced', async () => {
    const first = await invite('late@example.com')
    const second = await invite('late@example.com')
    expect(await findInvitation(world.ctx, first.token)).toBeUndefined()
    world.ctx.clock.advance(7 * DAY - 1)
    expect(await findInvitation(world.ctx, second.token)).toBeDefined()
    world.ctx.clock.advance(1)
    expect(await findInvitation(world.ctx, second.token)).toBeUndefined()
    const third = await invite('late@example.com')
    expect(await listInvitations(world.ctx, world.licenseId)).toMatchObject([{ email: 'late@example.com' }])
    await withdrawInvitation(world.ctx, ADMIN, world.licenseId, third.link.linkId)
    const account = { name: 'Late', password: PASSWORD }
    expect(await codeOf(joinAsNew(world.ctx, third.token, account, clientAt()))).toBe('not_found')
  })

  it('adds a licence to an existing account, and only to the invited one', async () => {
    const member = await newMember(world, 'Viewer')
    const other = await newMember(world, 'Viewer')
    const licenseId = await newLicenseId(world.ctx)
    const { token } = await invite(member.email, 'Viewer', licenseId)
    expect(await codeOf(joinAsNew(world.ctx, token, { name: 'X', password: PASSWORD }, clientAt()))).toBe(
      'member_exists',
    )
    expect(await codeOf(joinAsExisting(world.ctx, token, other))).toBe('forbidden')
    await verify(world.ctx, member)
    await joinAsExisting(world.ctx, token, member)
    expect((await listMembers(world.ctx, licenseId)).map(({ person }) => person.email)).toEqual([
      member.email,
    ])
    expect(await codeOf(invite(member.email, 'Viewer', licenseId))).toBe('member_exists')
  })

  it('to become an owner is made by owners only', async () => {
    const wanted = { licenseId: world.licenseId, email: 'boss@example.com', role: 'Owner' } as const
    expect(await codeOf(inviteMember(world.ctx, ADMIN, wanted))).toBe('forbidden')
    expect(await codeOf(inviteMember(world.ctx, { role: 'Manager' }, { ...wanted, role: 'Viewer' }))).toBe(
      'forbidden',
    )
    expect(await codeOf(inviteMember(world.ctx, OWNER, wanted))).toBe('done')
  })

  it('may limit refunds of a Support member by currency', async () => {
    const wanted = { licenseId: world.licenseId, email: 'limits@example.com', role: 'Support' } as const
    for (const refundLimits of [{ USD: '0' }, { USD: '-1' }, { USD: '1.5' }, { XXY: '5' }])
      expect(await codeOf(inviteMember(world.ctx, OWNER, { ...wanted, refundLimits }))).toBe(
        'invalid_request',
      )
    const { link } = await inviteMember(world.ctx, OWNER, { ...wanted, refundLimits: { USD: '50000' } })
    expect(link.refundLimits).toEqual({ USD: '50000' })
  })
})

describe('a member', () => {
  it('gets another role, which takes effect at once', async () => {
    const member = await newMember(world, 'Viewer')
    const signed = await signIn(world.ctx, { email: member.email, password: PASSWORD }, clientAt())
    const change = { licenseId: world.licenseId, personId: member.personId, role: 'Manager' } as const
    const ctx = acting(world.ctx, actorOf(world.owner, clientAt()))
    await changeRole(ctx, by(world.owner), change)
    expect((await sessionOf(world.ctx, signed)).memberships).toMatchObject([{ role: 'Manager' }])
    expect(await codeOf(changeRole(world.ctx, OWNER, change))).toBe('member_exists')
    const [entry] = await auditEntries(world.ctx, world.licenseId, { limit: 1 })
    expect(entry).toMatchObject({
      action: 'member.changed',
      before: { role: 'Viewer' },
      after: { role: 'Manager' },
    })
  })

  it('cannot make an owner, nor change one, without being one', async () => {
    const admin = await newMember(world, 'Admin')
    const licenseId = world.licenseId
    const toOwner = { licenseId, personId: admin.personId, role: 'Owner' } as const
    const fromOwner = { licenseId, personId: world.owner.personId, role: 'Viewer' } as const
    expect(await codeOf(changeRole(world.ctx, by(admin), toOwner))).toBe('forbidden')
    expect(await codeOf(changeRole(world.ctx, by(admin), fromOwner))).toBe('forbidden')
    expect(await codeOf(removeMember(world.ctx, by(admin), licenseId, world.owner.personId))).toBe(
      'forbidden',
    )
  })

  it('may leave; the account is deleted with the last membership, with its sessions', async () => {
    const member = await newMember(world, 'Viewer')
    const signed = await signIn(world.ctx, { email: member.email, password: PASSWORD }, clientAt())
    await removeMember(world.ctx, by(member), world.licenseId, member.personId)
    expect(await findPerson(world.ctx, member.personId)).toBeUndefined()
    await expect(sessionOf(world.ctx, signed)).rejects.toThrow('not signed in')
  })

  it('of two licences keeps the account', async () => {
    const member = await newMember(world, 'Viewer')
    const licenseId = await newLicenseId(world.ctx)
    await verify(world.ctx, member)
    await joinAsExisting(world.ctx, (await invite(member.email, 'Viewer', licenseId)).token, member)
    await removeMember(world.ctx, OWNER, world.licenseId, member.personId)
    expect(await findPerson(world.ctx, member.personId)).toBeDefined()
  })
})

describe('the last owner', () => {
  /** A licence with two owners. */
  async function owners() {
    const licenseId = await newLicenseId(world.ctx)
    const all = [await newMember(world, 'Viewer'), await newMember(world, 'Viewer')]
    for (const one of all) {
      await verify(world.ctx, one)
      await joinAsExisting(world.ctx, (await invite(one.email, 'Owner', licenseId)).token, one)
    }
    return { licenseId, all }
  }

  it('cannot leave, be demoted or be disabled', async () => {
    const { ctx, licenseId, owner } = world
    expect(await codeOf(removeMember(ctx, by(owner), licenseId, owner.personId))).toBe('last_owner')
    const change = { licenseId, personId: owner.personId, role: 'Admin' } as const
    expect(await codeOf(changeRole(ctx, by(owner), change))).toBe('last_owner')
    expect(await codeOf(setDisabled(ctx, owner.personId, true))).toBe('last_owner')
  })

  it('stays when two owners leave at the same time', async () => {
    const { licenseId, all } = await owners()
    const leave = (n: number) => (ctx: Context) => {
      const personId = all[n]?.personId ?? ''
      return codeOf(removeMember(ctx, { role: 'Owner', personId }, licenseId, personId))
    }
    expect(await raceTransactions(world.ctx, leave(0), leave(1))).toEqual(['done', 'last_owner'])
    expect(await listMembers(world.ctx, licenseId)).toHaveLength(1)
  })

  it('stays when one owner leaves and the other is demoted at the same time', async () => {
    const { licenseId, all } = await owners()
    const [one = '', other = ''] = all.map(({ personId }) => personId)
    const both = await raceTransactions(
      world.ctx,
      (ctx) => codeOf(removeMember(ctx, OWNER, licenseId, one)),
      (ctx) => codeOf(changeRole(ctx, OWNER, { licenseId, personId: other, role: 'Viewer' })),
    )
    expect(both).toEqual(['done', 'last_owner'])
  })
})

describe('a reset', () => {
  const resetOf = (
    who: SignedIn,
    whom: SignedIn,
    kind: 'password-reset' | 'second-factor-reset' = 'password-reset',
  ) => createReset(world.ctx, who, { licenseId: world.licenseId, personId: whom.personId, kind })

  it('of a password is for administrators above the member, and for owners', async () => {
    const [admin, peer, manager] = [
      await newMember(world, 'Admin'),
      await newMember(world, 'Admin'),
      await newMember(world, 'Manager'),
    ]
    expect(await codeOf(resetOf(manager, manager))).toBe('forbidden')
    expect(await codeOf(resetOf(admin, peer))).toBe('forbidden')
    expect(await codeOf(resetOf(admin, world.owner))).toBe('forbidden')
    expect(await codeOf(resetOf(admin, manager))).toBe('done')
    expect(await codeOf(resetOf(world.owner, peer))).toBe('done')
  })

  it('is refused for a person who is also a member elsewhere: the account is the same', async () => {
    const member = await newMember(world, 'Viewer')
    const licenseId = await newLicenseId(world.ctx)
    await verify(world.ctx, member)
    await joinAsExisting(world.ctx, (await invite(member.email, 'Owner', licenseId)).token, member)
    expect(await codeOf(resetOf(world.owner, member))).toBe('forbidden')
  })

  it('sets a new password once and ends all sessions', async () => {
    const member = await newMember(world, 'Viewer')
    const signed = await signIn(world.ctx, { email: member.email, password: PASSWORD }, clientAt())
    const { token } = await resetOf(world.owner, member)
    const reset = { token, password: 'another long password', kind: 'password-reset' } as const
    expect(await codeOf(resetPassword(world.ctx, { ...reset, password: 'short' }, clientAt()))).toBe(
      'invalid_request',
    )
    expect(await codeOf(resetPassword(world.ctx, { ...reset, kind: 'owner-restore' }, clientAt()))).toBe(
      'not_found',
    )
    await resetPassword(world.ctx, reset, clientAt())
    expect(await codeOf(resetPassword(world.ctx, reset, clientAt()))).toBe('not_found')
    await expect(sessionOf(world.ctx, signed)).rejects.toThrow('not signed in')
    const again = await signIn(world.ctx, { email: member.email, password: reset.password }, clientAt())
    expect(again.kind).toBe('signed-in')
  })

  it('of a second factor ends all sessions and leaves the password', async () => {
    const member = await newMember(world, 'Viewer')
    const { token } = await resetOf(world.owner, member, 'second-factor-reset')
    await resetSecondFactor(world.ctx, { token }, clientAt())
    expect(await codeOf(resetSecondFactor(world.ctx, { token }, clientAt()))).toBe('not_found')
    const again = await signIn(world.ctx, { email: member.email, password: PASSWORD }, clientAt())
    expect(again.kind).toBe('signed-in')
  })

  it('by the operator restores the access of an owner', async () => {
    const { ctx, owner } = world
    expect(await codeOf(createOwnerRestore(ctx, 'stranger@example.com'))).toBe('not_found')
    expect(await codeOf(createOwnerRestore(ctx, (await newMember(world, 'Admin')).email))).toBe('not_found')
    const { token, url } = await createOwnerRestore(ctx, owner.email)
    expect(url).toContain('/console/restore/')
    await resetPassword(ctx, { token, password: 'a restored password', kind: 'owner-restore' }, clientAt())
    const again = await signIn(ctx, { email: owner.email, password: 'a restored password' }, clientAt())
    expect(again.kind).toBe('signed-in')
  })
})
