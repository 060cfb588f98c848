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

export const ROLES = ['Owner', 'Admin', 'Manager', 'Support', 'Developer', 'Viewer'] as const
export type Role = (typeof ROLES)[number]

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
 * where money goes.
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
  Viewer: VIEWER,
}

const sets = new Map(ROLES.map((role) => [role, new Set(GRANTS[role])]))

export const permissionsOf = (role: Role): ReadonlySet<Permission> => sets.get(role) ?? new Set()

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)
