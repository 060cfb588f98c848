import { audit } from '../../audit/audit.ts'
import { ApiError, invalid, notFound, wrongField } from '../../base/errors.ts'
import { randomText } from '../../base/ids.ts'
import { mistaken } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { isOwnRole, OWN_ROLE_PERMISSIONS, ROLES, type RoleId } from '../access/roles.ts'
import { sessions } from '../sessions/cache.ts'
import type { OwnRole } from '../signed-in.ts'
import { lockMembers } from '../store/memberships.ts'
import {
  countUses,
  deleteOwnRole,
  insertOwnRole,
  type StoredRole,
  selectOwnRoles,
  updateOwnRole,
} from '../store/own-roles.ts'

/** Roles that a merchant makes from the table of permissions. Decision 0172. */

/** More would not fit the table of permissions. */
const MAX_OWN_ROLES = 12
const MAX_NAME = 40
/** Every member sees the overview. */
const ENTRY = 'DashboardRead'

export const listOwnRoles = (ctx: Pick<Context, 'db'>, licenseId: string): Promise<StoredRole[]> =>
  selectOwnRoles(ctx.db, licenseId)

/** Null for a built-in role. Throws 404 for the id of no role of this licence. */
export async function findOwnRole(tx: Queryable, licenseId: string, role: RoleId): Promise<OwnRole | null> {
  if (!isOwnRole(role)) return null
  return roleIn(await selectOwnRoles(tx, licenseId), role)
}

function roleIn(roles: readonly StoredRole[], roleId: string): StoredRole {
  const known = roles.find((one) => one.roleId === roleId)
  if (!known) throw notFound('The role')
  return known
}

export async function createOwnRole(ctx: Context, licenseId: string, role: OwnRole): Promise<StoredRole> {
  const checked = checkedRole(role)
  return ctx.db.transaction(async (tx) => {
    await lockMembers(tx, licenseId)
    if ((await selectOwnRoles(tx, licenseId)).length >= MAX_OWN_ROLES)
      throw new ApiError('not_possible', `A licence has at most ${MAX_OWN_ROLES} roles of its own.`)
    const roleId = `role_${randomText(ctx.random, 16)}` as const
    const made = await insertOwnRole(tx, { ...checked, roleId, licenseId, now: ctx.clock.now() })
    if (!made) throw nameTaken()
    await audit(ctx, tx, { licenseId, action: 'role.created', target: `role:${roleId}`, after: checked })
    return made
  })
}

/** Counts at once for every member who has the role. */
export async function changeOwnRole(ctx: Context, licenseId: string, role: StoredRole): Promise<StoredRole> {
  const checked = checkedRole(role)
  const changed = await ctx.db.transaction(async (tx) => {
    await lockMembers(tx, licenseId)
    const { roleId, ...before } = roleIn(await selectOwnRoles(tx, licenseId), role.roleId)
    const next = await updateOwnRole(tx, licenseId, { ...checked, roleId })
    if (!next) throw nameTaken()
    const target = `role:${roleId}`
    await audit(ctx, tx, { licenseId, action: 'role.changed', target, before, after: checked })
    return next
  })
  sessions(ctx).clear()
  return changed
}

/** Throws 409 while a member or an open invitation has the role. */
export async function removeOwnRole(ctx: Context, licenseId: string, roleId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockMembers(tx, licenseId)
    const before = roleIn(await selectOwnRoles(tx, licenseId), roleId)
    if ((await countUses(tx, licenseId, roleId, ctx.clock.now())) > 0)
      throw new ApiError(
        'not_possible',
        'Members or invitations have this role. Give them another one first.',
      )
    await deleteOwnRole(tx, licenseId, roleId)
    const { name, permissions } = before
    const target = `role:${roleId}`
    await audit(ctx, tx, { licenseId, action: 'role.removed', target, before: { name, permissions } })
  })
}

function checkedRole({ name, permissions }: OwnRole): OwnRole {
  const text = name.trim()
  if (text === '' || text.length > MAX_NAME || /\p{Cc}/u.test(text))
    throw invalid([mistaken('name', 'length', { least: 1, most: MAX_NAME })])
  if (ROLES.some((role) => role.toLowerCase() === text.toLowerCase())) throw nameTaken()
  const wrong = permissions.find((one) => !OWN_ROLE_PERMISSIONS.includes(one))
  if (wrong !== undefined) throw invalid([wrongField('permissions', `cannot have ${wrong}`)])
  const granted = OWN_ROLE_PERMISSIONS.filter((one) => one === ENTRY || permissions.includes(one))
  return { name: text, permissions: granted }
}

const nameTaken = (): ApiError => invalid([mistaken('name', 'taken')])
