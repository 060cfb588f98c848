import { audit } from '../../audit/audit.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { acting, type Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { acceptedPassword, storePassword } from '../accounts/password.ts'
import { removeOtherWays, verifyAddress } from '../accounts/verify.ts'
import { findOpenLink, issueLink, type ShownLink, takeLink } from '../links/links.ts'
import { actorOf, type Person, type SignInClient } from '../person.ts'
import { sessions } from '../sessions/cache.ts'
import type { SignedIn } from '../signed-in.ts'
import { dropResets, type LinkKind, type PersonLink } from '../store/links.ts'
import { ownedLicense, selectMemberships } from '../store/memberships.ts'
import { lockPerson, selectPerson, selectPersonByEmail } from '../store/people.ts'
import { disableTotp, updateVerified } from '../store/secrets.ts'
import { deleteSessions } from '../store/sessions.ts'
import { auditPerson } from '../totp/commands.ts'
import { notAllowed } from './members.ts'
import { type AccessOf, mayReset } from './rules.ts'

interface ResetRequest {
  readonly licenseId: string
  readonly personId: string
  readonly kind: 'password-reset' | 'second-factor-reset'
}

/** A link with which the member chooses a new password or removes the second factor. */
export async function createReset(ctx: Context, by: SignedIn, request: ResetRequest): Promise<ShownLink> {
  const { licenseId, personId, kind } = request
  const person = await selectPerson(ctx.db, personId)
  const memberships = await selectMemberships(ctx.db, personId)
  if (!person || !memberships.some((membership) => membership.licenseId === licenseId))
    throw notFound('The member')
  if (!mayReset(by, { isOperator: person.isOperator, memberships })) throw notAllowed()
  return ctx.db.transaction(async (tx) => {
    await dropResets(tx, personId, kind)
    const shown = await issueLink(ctx, tx, {
      kind,
      email: person.email,
      personId,
      createdBy: by.email,
      makerId: by.personId,
    })
    const action = kind === 'password-reset' ? 'member.password_reset' : 'member.second_factor_reset'
    await audit(ctx, tx, { licenseId, action, target: `person:${personId}` })
    return shown
  })
}

type RestoreContext = Pick<Context, 'db' | 'clock' | 'random' | 'config' | 'actor'>

/** A link that restores the access of an owner, for the operator's command. */
export async function createOwnerRestore(ctx: RestoreContext, email: string): Promise<ShownLink> {
  const person = await selectPersonByEmail(ctx.db, email)
  const licenseId = person && (await ownedLicense(ctx.db, person.personId))
  if (!person || (!licenseId && !person.isOperator))
    throw new ApiError('not_found', `There is no owner with the address ${email}.`)
  const { personId } = person
  return ctx.db.transaction(async (tx) => {
    await dropResets(tx, personId, 'owner-restore')
    const shown = await issueLink(ctx, tx, { kind: 'owner-restore', email, personId, createdBy: 'operator' })
    if (licenseId)
      await audit(ctx, tx, { licenseId, action: 'member.access_restored', target: `person:${personId}` })
    return shown
  })
}

interface PasswordReset {
  readonly token: string
  readonly password: string
  /** An owner-restore link also removes the second factor, passkeys and identities. */
  readonly kind: 'password-reset' | 'owner-restore'
  /** Passkeys and identities; they are removed unless the person wants to keep them. */
  readonly removeOthers?: boolean
}

/**
 * Sets a new password with a link. All sessions end; the person then signs in. A link that went by e-mail
 * proves the address; after one that another person saw, the address counts as not verified.
 */
export async function resetPassword(ctx: Context, reset: PasswordReset, client: SignInClient): Promise<void> {
  const { token, password, kind, removeOthers = true } = reset
  const open = await findOpenLink(ctx, token, kind)
  if (!open) throw notFound('The link')
  const hash = await acceptedPassword(ctx, { email: open.email, password, network: client.network })
  const use = { token, kind, action: 'person.password_changed' }
  await withLink(ctx, use, client, async ({ acted, tx, person, link }) => {
    const { personId } = person
    if (link.isMailed) await verifyAddress(acted, tx, person)
    else if (kind === 'password-reset') await updateVerified(tx, personId, null)
    await storePassword(tx, personId, hash)
    if (kind === 'owner-restore') await disableTotp(tx, personId)
    if (kind === 'owner-restore' || removeOthers) await removeOtherWays(tx, personId)
  })
}

interface SecondFactorReset {
  readonly token: string
  readonly removeOthers?: boolean
}

/** Removes the second factor with a link. All sessions end; the password is still needed. */
export const resetSecondFactor = (
  ctx: Context,
  { token, removeOthers = true }: SecondFactorReset,
  client: SignInClient,
): Promise<void> => {
  const use = { token, kind: 'second-factor-reset', action: 'person.second_factor_removed' } as const
  return withLink(ctx, use, client, async ({ tx, person: { personId } }) => {
    await disableTotp(tx, personId)
    await deleteSessions(tx, personId)
    if (removeOthers) await removeOtherWays(tx, personId)
  })
}

interface LinkUse {
  readonly token: string
  readonly kind: LinkKind
  readonly action: string
}

interface UsedLink {
  /** On behalf of the person. */
  readonly acted: Context
  readonly tx: Queryable
  readonly link: PersonLink
  /** Locked. */
  readonly person: Person
}

async function withLink(
  ctx: Context,
  { token, kind, action }: LinkUse,
  client: SignInClient,
  change: (used: UsedLink) => Promise<void>,
): Promise<void> {
  const open = await findOpenLink(ctx, token, kind)
  if (!open) throw notFound('The link')
  await ctx.db.transaction(async (tx) => {
    // Before the link: who adds a membership locks the person and then deletes links.
    const person = await lockPerson(tx, open.personId ?? '')
    const link = await takeLink(ctx, tx, token, kind)
    if (!person) throw notFound('The link')
    const { personId, isOperator } = person
    const memberships = await selectMemberships(tx, personId)
    if (!(await isStillAllowed(tx, link, { isOperator, memberships }))) throw notFound('The link')
    const acted = acting(ctx, actorOf(person, client))
    await change({ acted, tx, link, person })
    await auditPerson(acted, tx, { personId, memberships }, action)
  })
  sessions(ctx).clear()
}

/** Roles may have changed since the link was made: its maker must still be allowed to make it. */
async function isStillAllowed(
  tx: Queryable,
  { kind, isMailed, makerId }: PersonLink,
  other: AccessOf,
): Promise<boolean> {
  if (isMailed || kind === 'owner-restore') return true
  const maker = await selectPerson(tx, makerId ?? '')
  if (!maker || maker.isDisabled) return false
  const memberships = await selectMemberships(tx, maker.personId)
  return mayReset({ isOperator: maker.isOperator, memberships }, other)
}
