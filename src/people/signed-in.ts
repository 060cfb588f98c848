import { type Permission, permissionsOf, type RoleId } from './access/roles.ts'

/** A person with a valid console session, as pages and guards see them. */
export interface SignedIn {
  /** Hash of the session's token as text: an id that reveals nothing. */
  readonly sessionId: string
  readonly personId: string
  readonly email: string
  readonly name: string | null
  readonly isOperator: boolean
  readonly hasSecondFactor: boolean
  /** Since when; null without one. */
  readonly secondFactorTime: Date | null
  /** When the person last proved who they are, for sensitive actions. */
  readonly provenTime: Date
  readonly language: string | null
  readonly theme: 'light' | 'dark' | null
  readonly timeZone: string | null
  readonly hasShortcuts: boolean
  readonly memberships: readonly Membership[]
}

export interface Membership {
  readonly licenseId: string
  readonly role: RoleId
  /** The name and the permissions of an own role; null for a built-in one. */
  readonly ownRole: OwnRole | null
  /**
   * Most that the member refunds a day, in minor units by currency. Null: a Support member refunds nothing,
   * and an own role has no limit.
   */
  readonly refundLimits: Readonly<Record<string, string>> | null
  /** For an operator who entered a licence of others: the access ends by itself. */
  readonly endsTime?: Date
}

/** A role that the merchant made. */
export interface OwnRole {
  readonly name: string
  readonly permissions: readonly Permission[]
}

export const membershipOf = ({ memberships }: SignedIn, licenseId: string): Membership | undefined =>
  memberships.find((membership) => membership.licenseId === licenseId)

/** Whether the person may do this in the licence. */
export function may(person: SignedIn, licenseId: string, permission: Permission): boolean {
  const membership = membershipOf(person, licenseId)
  return membership !== undefined && permissionsIn(membership).has(permission)
}

/** What a member may do. */
export const permissionsIn = ({ role, ownRole }: Pick<Membership, 'role' | 'ownRole'>) =>
  ownRole ? new Set(ownRole.permissions) : permissionsOf(role)

export const roleName = ({ role, ownRole }: Pick<Membership, 'role' | 'ownRole'>): string =>
  ownRole?.name ?? role
