import { audit } from '../../audit/audit.ts'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { expected } from '../../base/mistakes.ts'
import { acting, type Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { canSend } from '../../mail/queue.ts'
import type { RoleId } from '../access/roles.ts'
import { readEmail } from '../accounts/email.ts'
import { acceptedPassword, storePassword } from '../accounts/password.ts'
import { readName } from '../accounts/settings.ts'
import { verifyAddress } from '../accounts/verify.ts'
import { findOpenLink, issueLink, type ShownLink, takeLink } from '../links/links.ts'
import { sendInvitation, tellOfRole } from '../mails.ts'
import { actorOf, newPersonId, type Person, type RefundLimits, type SignInClient } from '../person.ts'
import { mayHaveLimits } from '../refunds/rules.ts'
import { sessions } from '../sessions/cache.ts'
import { roleName, type SignedIn } from '../signed-in.ts'
import {
  deleteInvitation,
  dropInvitations,
  dropOthersResets,
  type PersonLink,
  selectInvitations,
} from '../store/links.ts'
import {
  countMembers,
  insertMembership,
  lockMembers,
  selectMembership,
  selectMemberships,
} from '../store/memberships.ts'
import { insertPerson, lockPerson, selectPersonByEmail, updateName } from '../store/people.ts'
import { checkLimits } from './limits.ts'
import { MAX_MEMBERS, type Manager, notAllowed } from './members.ts'
import { findOwnRole } from './own-roles.ts'
import { mayManage } from './rules.ts'

interface Invitation {
  readonly licenseId: string
  readonly email: string
  readonly role: RoleId
  /** For Support and own roles. */
  readonly refundLimits?: RefundLimits | null
}

/** Creates a link that is valid for seven days. An earlier one for the same address ends. */
export async function inviteMember(ctx: Context, by: Manager, invitation: Invitation): Promise<ShownLink> {
  if (!mayManage(by.role, invitation.role)) throw notAllowed()
  return ctx.db.transaction((tx) => inviteWithin(ctx, tx, invitation))
}

/** The same within a transaction; the caller has checked the permission. */
export async function inviteWithin(ctx: Context, tx: Queryable, invitation: Invitation): Promise<ShownLink> {
  const { licenseId, role } = invitation
  const refundLimits = mayHaveLimits(role) ? (invitation.refundLimits ?? null) : null
  checkLimits(refundLimits)
  const email = readEmail(invitation.email)
  if (!email) throw invalid([expected('email', 'email')])
  await lockMembers(tx, licenseId)
  const access = { role, ownRole: await findOwnRole(tx, licenseId, role) }
  const person = await selectPersonByEmail(tx, email)
  if (person && (await selectMembership(tx, licenseId, person.personId)))
    throw new ApiError('member_exists', 'This person is a member already.')
  await checkRoom(tx, licenseId)
  await dropInvitations(tx, licenseId, email)
  const shown = await issueLink(ctx, tx, {
    kind: 'invitation',
    licenseId,
    email,
    role,
    refundLimits,
    createdBy: ctx.actor?.name ?? null,
    makerId: ctx.actor?.kind === 'person' ? ctx.actor.id : null,
    isMailed: canSend(ctx),
  })
  const target = `invitation:${shown.link.linkId}`
  await audit(ctx, tx, {
    licenseId,
    action: 'member.invited',
    target,
    after: { email, role: roleName(access) },
  })
  await sendInvitation(ctx, tx, shown, person)
  return shown
}

/** The address of a new invitation for who invites; undefined when it went by e-mail alone. */
export const urlToPassOn = ({ link, url }: ShownLink): string | undefined => (link.isMailed ? undefined : url)

async function checkRoom(tx: Queryable, licenseId: string): Promise<void> {
  if ((await countMembers(tx, licenseId)) >= MAX_MEMBERS)
    throw new ApiError('not_possible', `A licence has at most ${MAX_MEMBERS} members.`)
}

/** Open ones, oldest first. */
export const listInvitations = (ctx: Context, licenseId: string): Promise<PersonLink[]> =>
  selectInvitations(ctx.db, licenseId, ctx.clock.now(), MAX_MEMBERS)

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
    const { email } = link
    const target = `invitation:${linkId}`
    await audit(ctx, tx, {
      licenseId,
      action: 'member.invitation_withdrawn',
      target,
      before: { email, role: link.ownRoleName ?? link.role },
    })
  })
}

/**
 * How an invitation is accepted: with a new account, with the account of the address after signing in, or by
 * taking over an account whose address was never verified, with a link that went there by e-mail alone.
 */
export type JoinWay = 'new' | 'sign-in' | 'take-over'

/** For the page of an invitation. */
export async function findInvitation(
  ctx: Context,
  token: string,
): Promise<{ readonly link: PersonLink; readonly way: JoinWay } | undefined> {
  const link = await findOpenLink(ctx, token, 'invitation')
  return link && { link, way: wayOf(link, await selectPersonByEmail(ctx.db, link.email)) }
}

function wayOf({ isMailed }: PersonLink, account: Person | undefined): JoinWay {
  if (!account) return 'new'
  return isMailed && !account.isVerified ? 'take-over' : 'sign-in'
}

interface NewAccount {
  readonly name: string
  readonly password: string
}

/**
 * Creates the account of an invited person, with the membership, or takes over one that was not verified.
 * The person then signs in.
 */
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
  const joined = await ctx.db.transaction(async (tx) => {
    const link = await takeLink(ctx, tx, token, 'invitation')
    const personId = newPersonId(ctx.random)
    const account = { personId, email, name, passwordHash, isVerified: link.isMailed, now: ctx.clock.now() }
    const person =
      (await insertPerson(tx, account)) ?? (await takeOver(ctx, tx, link, { name, passwordHash }))
    await addMember(acting(ctx, actorOf(person, client)), tx, person.personId, link)
    return person.personId
  })
  sessions(ctx).clear()
  return joined
}

/** Gives an account that was not verified to the holder of its address: what was set before ends. */
async function takeOver(
  ctx: Context,
  tx: Queryable,
  link: PersonLink,
  { name, passwordHash }: { readonly name: string; readonly passwordHash: string },
): Promise<Person> {
  await lockMembers(tx, link.licenseId ?? '')
  const known = await selectPersonByEmail(tx, link.email)
  const person = known && (await lockPerson(tx, known.personId))
  // Signed in, the person accepts with `joinAsExisting`.
  if (!person || wayOf(link, person) !== 'take-over')
    throw new ApiError('member_exists', 'There is an account with this address: sign in first.')
  await verifyAddress(ctx, tx, person)
  await storePassword(tx, person.personId, passwordHash)
  await updateName(tx, person.personId, name)
  return { ...person, isVerified: true }
}

/** Adds the membership to the account of the session, which must have the invited address. */
export async function joinAsExisting(ctx: Context, token: string, person: SignedIn): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const link = await takeLink(ctx, tx, token, 'invitation')
    if (link.email !== person.email)
      throw new ApiError('forbidden', 'The invitation is for another e-mail address.')
    await addMember(ctx, tx, person.personId, link)
  })
  sessions(ctx).clear()
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
  const person = await lockPerson(tx, personId)
  if (!person) throw notFound('The person')
  if (!person.isVerified && (await selectMemberships(tx, personId)).length > 0) throw notVerified()
  await checkRoom(tx, licenseId)
  const now = ctx.clock.now()
  if (!(await insertMembership(tx, { licenseId, personId, role, refundLimits, now })))
    throw new ApiError('member_exists', 'This person is a member already.')
  const target = `person:${personId}`
  const name = link.ownRoleName ?? role
  await audit(ctx, tx, { licenseId, action: 'member.joined', target, after: { email, role: name } })
  await dropOthersResets(tx, personId)
  await tellOfRole(ctx, tx, personId, { licenseId, role: name })
}

/** Another person may have opened the account. */
const notVerified = (): ApiError =>
  new ApiError('forbidden', 'The e-mail address of the account is not verified yet.', {
    members: { isNotVerified: true },
  })
