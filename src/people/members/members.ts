import { audit } from '../../audit/audit.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { RoleId } from '../access/roles.ts'
import { tellOfRole } from '../mails.ts'
import type { RefundLimits } from '../person.ts'
import { mayHaveLimits } from '../refunds/rules.ts'
import { sessions } from '../sessions/cache.ts'
import { type Membership, roleName } from '../signed-in.ts'
import { dropOthersResets } from '../store/links.ts'
import {
  countOwners,
  deleteMembership,
  lockMembers,
  type Member,
  selectMembers,
  selectMembership,
  updateMembership,
} from '../store/memberships.ts'
import { deleteUnused, lockPerson } from '../store/people.ts'
import { checkLimits } from './limits.ts'
import { findOwnRole } from './own-roles.ts'
import { isDemotion, mayManage } from './rules.ts'
import { endInvitationsOf } from './withdrawn.ts'

/** A team of a merchant; more are refused. */
export const MAX_MEMBERS = 200

/** The member of a licence who manages others, or leaves. */
export interface Manager {
  readonly role: RoleId
  readonly personId?: string
}

export const listMembers = (ctx: Context, licenseId: string): Promise<Member[]> =>
  selectMembers(ctx.db, licenseId, MAX_MEMBERS)

export const notAllowed = (): ApiError => new ApiError('forbidden', 'Your role does not allow this.')

const lastOwner = (): ApiError =>
  new ApiError('last_owner', 'The last owner of a licence cannot leave or get another role.')

interface RoleChange {
  readonly licenseId: string
  readonly personId: string
  readonly role: RoleId
  /** For Support and own roles. */
  readonly refundLimits?: RefundLimits | null
}

/** Gives a member another role. Throws 409 for the same role, and for the last owner. */
export async function changeRole(ctx: Context, by: Manager, change: RoleChange): Promise<Membership> {
  const next = await writeRole(ctx, by, change)
  sessions(ctx).clear()
  return next
}

async function writeRole(ctx: Context, by: Manager, change: RoleChange): Promise<Membership> {
  const { licenseId, personId, role } = change
  const refundLimits = mayHaveLimits(role) ? (change.refundLimits ?? null) : null
  checkLimits(refundLimits)
  return ctx.db.transaction(async (tx) => {
    const known = await lockedMembership(tx, licenseId, personId)
    const ownRole = await findOwnRole(tx, licenseId, role)
    const next: Membership = { licenseId, role, ownRole, refundLimits }
    if (!mayManage(by.role, known.role, role)) throw notAllowed()
    if (isSame(known, next)) throw new ApiError('member_exists', `The member is ${roleName(next)} already.`)
    if (known.role === 'Owner' && role !== 'Owner') await checkOtherOwner(tx, licenseId)
    await lockPerson(tx, personId)
    await updateMembership(tx, personId, next)
    await dropOthersResets(tx, personId)
    if (isDemotion(known, next)) await endInvitationsOf(ctx, tx, personId, licenseId)
    await audit(ctx, tx, {
      licenseId,
      action: 'member.changed',
      target: `person:${personId}`,
      before: roleAndLimits(known),
      after: roleAndLimits(next),
    })
    await tellOfRole(ctx, tx, personId, { licenseId, role: roleName(next) })
    return next
  })
}

const roleAndLimits = ({ refundLimits, ...access }: Membership) => ({
  role: roleName(access),
  ...(refundLimits && { refundLimits }),
})

const isSame = (one: Membership, other: Membership): boolean =>
  one.role === other.role && sortedText(one.refundLimits) === sortedText(other.refundLimits)

const sortedText = (limits: RefundLimits | null): string =>
  JSON.stringify(Object.entries(limits ?? {}).sort())

/** Removes a member, or lets one leave. A person without any membership left is deleted. */
export async function removeMember(
  ctx: Context,
  by: Manager,
  licenseId: string,
  personId: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const known = await lockedMembership(tx, licenseId, personId)
    if (by.personId !== personId && !mayManage(by.role, known.role)) throw notAllowed()
    if (known.role === 'Owner') await checkOtherOwner(tx, licenseId)
    const person = await lockPerson(tx, personId)
    await deleteMembership(tx, licenseId, personId)
    await endInvitationsOf(ctx, tx, personId, licenseId)
    await deleteUnused(tx, personId)
    await audit(ctx, tx, {
      licenseId,
      action: by.personId === personId ? 'member.left' : 'member.removed',
      target: `person:${personId}`,
      before: { email: person?.email, ...roleAndLimits(known) },
    })
  })
  sessions(ctx).clear()
}

/** Locks all members of the licence: two owners who leave at once wait for each other. */
async function lockedMembership(tx: Queryable, licenseId: string, personId: string): Promise<Membership> {
  await lockMembers(tx, licenseId)
  const known = await selectMembership(tx, licenseId, personId)
  if (!known) throw notFound('The member')
  return known
}

/** The members must be locked. */
export async function checkOtherOwner(tx: Queryable, licenseId: string): Promise<void> {
  if ((await countOwners(tx, licenseId)) < 2) throw lastOwner()
}
