import { KEY_SCOPES, type KeyScope } from '../../merchants/keys/scopes.ts'
import type { Permission } from './roles.ts'

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
