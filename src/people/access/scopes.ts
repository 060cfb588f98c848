import { KEY_SCOPES, type KeyScope } from '../../merchants/keys/scopes.ts'
import { membershipOf, permissionsIn, type SignedIn } from '../signed-in.ts'
import { PERMISSIONS, type Permission } from './roles.ts'

/**
 * What a key with each scope may do. No scope has `DeveloperWrite`: a limited key must not make a key that
 * may do more. Nor has one `CustomerErase`, which cannot be undone.
 */
const GRANTS: Readonly<Record<KeyScope, readonly Permission[]>> = {
  read: [
    'DashboardRead',
    'PaymentRead',
    'CustomerRead',
    'GatewayListRead',
    'FraudPolicyRead',
    'DeveloperRead',
    'SettlementRead',
    'AppSettingRead',
  ],
  payments: ['PaymentRead', 'PaymentWrite', 'GatewayListRead', 'AppSettingRead'],
  refunds: ['PaymentRead', 'PaymentRefund'],
  reviews: ['PaymentRead', 'PaymentReview'],
  customers: ['CustomerRead', 'CustomerWrite'],
  settings: [
    'GatewayListRead',
    'PaymentProfileWrite',
    'RoutingWrite',
    'FraudPolicyRead',
    'FraudPolicyWrite',
    'SettlementRead',
    'SettlementWrite',
    'AppSettingRead',
    'AppSettingWrite',
  ],
}

const sets = new Map<string, ReadonlySet<Permission>>(
  KEY_SCOPES.map((scope) => [scope, new Set(GRANTS[scope])]),
)

/** False for a scope that this version does not know. */
export const scopeAllows = (scope: string, permission: Permission): boolean =>
  sets.get(scope)?.has(permission) ?? false

/** The scopes that allow it; none: it needs a key without scopes. */
export const scopesFor = (permission: Permission | undefined): KeyScope[] =>
  KEY_SCOPES.filter((scope) => permission !== undefined && scopeAllows(scope, permission))

/** No API key has this one, so full access does not need it. */
const PEOPLE_ONLY: Permission = 'RoleWriteOwner'

/**
 * The scopes that a member with these permissions may give to a key: those that allow nothing beyond them.
 * Null: full access too, for members who may do everything that a key can.
 */
export function grantsOf(own: ReadonlySet<Permission>): readonly KeyScope[] | null {
  if (PERMISSIONS.every((permission) => permission === PEOPLE_ONLY || own.has(permission))) return null
  return KEY_SCOPES.filter((scope) => GRANTS[scope].every((permission) => own.has(permission)))
}

export function grantsIn(person: SignedIn, licenseId: string): readonly KeyScope[] | null {
  const membership = membershipOf(person, licenseId)
  return membership === undefined ? [] : grantsOf(permissionsIn(membership))
}
