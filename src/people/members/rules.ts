import { permissionsOf, type RoleId } from '../access/roles.ts'
import { type Membership, permissionsIn } from '../signed-in.ts'

/** Whether a role may give, change or take away another role. */
export function mayManage(by: RoleId, ...roles: readonly RoleId[]): boolean {
  const permissions = permissionsOf(by)
  if (!permissions.has('RoleWrite')) return false
  return permissions.has('RoleWriteOwner') || !roles.includes('Owner')
}

type Access = Pick<Membership, 'role' | 'ownRole'>

/** Whether the new role lacks something that the old one allows. */
export function isDemotion(from: Access, to: Access): boolean {
  const kept = permissionsIn(to)
  return [...permissionsIn(from)].some((permission) => !kept.has(permission))
}

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
      return own === 'Owner' || (own === 'Admin' && !permissionsOf(role).has('RoleWrite'))
    })
  )
}
