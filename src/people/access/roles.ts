/** Every permission. Existing clients know most of these names. */
export const PERMISSIONS = [
  'DashboardRead',
  'PaymentRead',
  'PaymentWrite',
  'PaymentRefund',
  'PaymentReview',
  'CustomerRead',
  'CustomerWrite',
  'CustomerErase',
  'GatewayListRead',
  'PaymentProfileWrite',
  'RoutingWrite',
  'FraudPolicyRead',
  'FraudPolicyWrite',
  'DeveloperRead',
  'DeveloperWrite',
  'RoleRead',
  'RoleWrite',
  'RoleWriteOwner',
  'AuditRead',
  'SettlementRead',
  'SettlementWrite',
  'AppSettingRead',
  'AppSettingWrite',
  'LicenseManagement',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export const ROLES = [
  'Owner',
  'Admin',
  'Manager',
  'Support',
  'Developer',
  'Finance',
  'Risk',
  'Viewer',
] as const
export type Role = (typeof ROLES)[number]

/** The role of a member: a built-in one, or the id of one that the merchant made. */
export type RoleId = Role | `role_${string}`

const without = (...left: readonly Permission[]): readonly Permission[] =>
  PERMISSIONS.filter((permission) => !left.includes(permission))

const VIEWER: readonly Permission[] = [
  'DashboardRead',
  'PaymentRead',
  'CustomerRead',
  'GatewayListRead',
  'FraudPolicyRead',
  'SettlementRead',
  'AppSettingRead',
]

/**
 * What each role may do. A Support member refunds up to an amount per currency and day. A Developer has
 * nothing that moves money or redirects it: credentials of providers, routing and the webhook address decide
 * where money goes. Finance reads and exports money and closes exceptions of settlements; Risk decides about
 * held payments and writes policies. Neither refunds.
 */
const GRANTS: Readonly<Record<Role, readonly Permission[]>> = {
  Owner: PERMISSIONS,
  Admin: without('RoleWriteOwner'),
  Manager: without(
    'RoleWrite',
    'RoleWriteOwner',
    'DeveloperWrite',
    'AppSettingWrite',
    'LicenseManagement',
    'CustomerErase',
  ),
  Support: [
    'DashboardRead',
    'PaymentRead',
    'PaymentRefund',
    'PaymentReview',
    'CustomerRead',
    'CustomerWrite',
    'GatewayListRead',
    'FraudPolicyRead',
  ],
  Developer: [...VIEWER, 'DeveloperRead', 'DeveloperWrite', 'AuditRead', 'RoleRead'],
  Finance: [...VIEWER, 'SettlementWrite', 'AuditRead'],
  Risk: [...VIEWER, 'PaymentReview', 'CustomerWrite', 'FraudPolicyWrite', 'AuditRead'],
  Viewer: VIEWER,
}

const sets = new Map(ROLES.map((role) => [role, new Set(GRANTS[role])]))

/** What a built-in role may do. An own role has its permissions in its membership. */
export const permissionsOf = (role: RoleId): ReadonlySet<Permission> => sets.get(role as Role) ?? new Set()

/**
 * What an own role may have. People and licences stay with owners and administrators: otherwise a member
 * could give out more than was meant.
 */
export const OWN_ROLE_PERMISSIONS = without('RoleWrite', 'RoleWriteOwner', 'LicenseManagement')

export const isOwnRole = (role: string): role is `role_${string}` => role.startsWith('role_')

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)
