import { permissionsOf, type Role } from '../access/roles.ts'
import type { Membership } from '../signed-in.ts'

/** Whether a role may give, change or take away another role. */
export function mayManage(by: Role, ...roles: readonly Role[]): boolean {
  const permissions = permissionsOf(by)
  if (!permissions.has('RoleWrite')) return false
  return permissions.has('RoleWriteOwner') || !roles.includes('Owner')
}

/** Roles of one rank do not stand above each other. */
const RANK: Readonly<Record<Role, number>> = {
  Owner: 4,
  Admin: 3,
  Manager: 2,
  Support: 1,
  Developer: 1,
  Viewer: 0,
}

/** Whether the new role stands below the old one. */
export const isDemotion = (from: Role, to: Role): boolean => RANK[to] < RANK[from]

export interface AccessOf {
  readonly isOperator: boolean
  readonly memberships: readonly Membership[]
}

/**
 * Whether one person may reset the password or second factor of another: owners of everyone, administrators
 * of roles below. A person has one account for all licences, so this must hold in each licence of the other:
 * otherwise the owner of one licence could take over another. Only operators reset an operator's account.
 */
export function mayReset(by: AccessOf, other: AccessOf): boolean {
  if (other.isOperator && !by.isOperator) return false
  return (
    other.memberships.length > 0 &&
    other.memberships.every(({ licenseId, role }) => {
      const own = by.memberships.find((membership) => membership.licenseId === licenseId)?.role
      return own === 'Owner' || (own === 'Admin' && RANK[role] < RANK.Admin)
    })
  )
}
