import { audit } from '../../audit/audit.ts'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { acting, type Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { Role } from '../access/roles.ts'
import { readEmail } from '../accounts/email.ts'
import { acceptedPassword } from '../accounts/password.ts'
import { readName } from '../accounts/settings.ts'
import { findOpenLink, issueLink, type ShownLink, takeLink } from '../links/links.ts'
import { sendInvitation } from '../mails.ts'
import { actorOf, newPersonId, type RefundLimits, type SignInClient } from '../person.ts'
import type { SignedIn } from '../signed-in.ts'
import { deleteInvitation, dropInvitations, type PersonLink, selectInvitations } from '../store/links.ts'
import { countMembers, insertMembership, lockMembers, selectMembership } from '../store/memberships.ts'
import { insertPerson, lockPerson, selectPersonByEmail } from '../store/people.ts'
import { checkLimits } from './limits.ts'
import { type Manager, MOST_MEMBERS, notAllowed } from './members.ts'
import { mayManage } from './rules.ts'

interface Invitation {
  readonly licenseId: string
  readonly email: string
  readonly role: Role
  /** For Support. */
  readonly refundLimits?: RefundLimits | null
}

/** Creates a link that is valid for seven days. An earlier one for the same address ends. */
export async function inviteMember(ctx: Context, by: Manager, invitation: Invitation): Promise<ShownLink> {
  const { licenseId, role } = invitation
  if (!mayManage(by.role, role)) throw notAllowed()
  const refundLimits = role === 'Support' ? (invitation.refundLimits ?? null) : null
  checkLimits(refundLimits)
  const email = readEmail(invitation.email)
  if (!email) throw invalid([{ field: 'email', message: 'must be an e-mail address' }])
  return ctx.db.transaction(async (tx) => {
    await lockMembers(tx, licenseId)
    const person = await selectPersonByEmail(tx, email)
    if (person && (await selectMembership(tx, licenseId, person.personId)))
      throw new ApiError('member_exists', 'This person is a member already.')
    await checkRoom(tx, licenseId)
    await dropInvitations(tx, licenseId, email)
    const createdBy = ctx.actor?.name ?? null
    const shown = await issueLink(ctx, tx, {
      kind: 'invitation',
      licenseId,
      email,
      role,
      refundLimits,
      createdBy,
    })
    const target = `invitation:${shown.link.linkId}`
    await audit(ctx, tx, { licenseId, action: 'member.invited', target, after: { email, role } })
    await sendInvitation(ctx, tx, shown, person)
    return shown
  })
}

async function checkRoom(tx: Queryable, licenseId: string): Promise<void> {
  if ((await countMembers(tx, licenseId)) >= MOST_MEMBERS)
    throw new ApiError('not_possible', `A licence has at most ${MOST_MEMBERS} members.`)
}

/** Open ones, oldest first. */
export const listInvitations = (ctx: Context, licenseId: string): Promise<PersonLink[]> =>
  selectInvitations(ctx.db, licenseId, ctx.clock.now(), MOST_MEMBERS)

export async function withdrawInvitation(
  ctx: Context,
  by: Manager,
  licenseId: string,
  linkId: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const link = await deleteInvitation(tx, licenseId, linkId)
    if (!link?.role) throw notFound('The invitation')
    if (!mayManage(by.role, link.role)) throw notAllowed()
    const { email, role } = link
    const target = `invitation:${linkId}`
    await audit(ctx, tx, {
      licenseId,
      action: 'member.invitation_withdrawn',
      target,
      before: { email, role },
    })
  })
}

/** For the page of an invitation: whether its address has an account already. */
export async function findInvitation(ctx: Context, token: string) {
  const link = await findOpenLink(ctx, token, 'invitation')
  return link && { link, hasAccount: (await selectPersonByEmail(ctx.db, link.email)) !== undefined }
}

interface NewAccount {
  readonly name: string
  readonly password: string
}

/** Creates the account of an invited person, with the membership. The person then signs in. */
export async function joinAsNew(
  ctx: Context,
  token: string,
  account: NewAccount,
  client: SignInClient,
): Promise<string> {
  const open = await findOpenLink(ctx, token, 'invitation')
  if (!open) throw notFound('The link')
  const { email } = open
  const name = readName(account.name)
  const passwordHash = await acceptedPassword(ctx, { ...account, email, network: client.network })
  return ctx.db.transaction(async (tx) => {
    const link = await takeLink(ctx, tx, token, 'invitation')
    const personId = newPersonId(ctx.random)
    const person = await insertPerson(tx, { personId, email, name, passwordHash, now: ctx.clock.now() })
    // Signed in, the person accepts with `joinAsExisting`.
    if (!person) throw new ApiError('member_exists', 'There is an account with this address: sign in first.')
    await addMember(acting(ctx, actorOf(person, client)), tx, personId, link)
    return personId
  })
}

/** Adds the membership to the account of the session, which must have the invited address. */
export async function joinAsExisting(ctx: Context, token: string, person: SignedIn): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const link = await takeLink(ctx, tx, token, 'invitation')
    if (link.email !== person.email)
      throw new ApiError('forbidden', 'The invitation is for another e-mail address.')
    await addMember(ctx, tx, person.personId, link)
  })
  ctx.node.sessions.clear()
}

/** Adds the membership that the used invitation is for. */
export async function addMember(
  ctx: Context,
  tx: Queryable,
  personId: string,
  link: PersonLink,
): Promise<void> {
  const { licenseId, role, refundLimits, email } = link
  if (!licenseId || !role) throw notFound('The link')
  await lockMembers(tx, licenseId)
  if (!(await lockPerson(tx, personId))) throw notFound('The person')
  await checkRoom(tx, licenseId)
  const now = ctx.clock.now()
  if (!(await insertMembership(tx, { licenseId, personId, role, refundLimits, now })))
    throw new ApiError('member_exists', 'This person is a member already.')
  const target = `person:${personId}`
  await audit(ctx, tx, { licenseId, action: 'member.joined', target, after: { email, role } })
}
