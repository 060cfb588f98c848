import type { Permission } from './roles.ts'

/**
 * The permission for each page and form of the console, with paths relative to `/console/{appId}`. Pages of
 * the person (`/console/profile`) and of the operator (`/console/system`) are not here: the first needs a
 * session only, the second an operator.
 */
export const CONSOLE_ROUTES: Readonly<Record<string, Permission>> = {
  // overview
  'GET /overview': 'DashboardRead',
  'POST /overview/test-payment': 'PaymentWrite',
  // payments
  // reviews
  // links
  // customers
  // providers
  // routing
  // fraud
  // developers
  'GET /developers': 'DeveloperRead',
  'GET /developers/keys': 'DeveloperRead',
  'GET /developers/webhooks': 'DeveloperRead',
  'GET /developers/webhooks/{eventId}': 'DeveloperRead',
  'GET /developers/events': 'DeveloperRead',
  'GET /developers/events/{eventId}': 'DeveloperRead',
  'GET /developers/api-log': 'DeveloperRead',
  'GET /developers/api-log/{requestId}': 'DeveloperRead',
  'GET /developers/test-tools': 'DeveloperRead',
  'GET /developers/quickstart': 'DeveloperRead',
  'GET /developers/keys/new': 'DeveloperWrite',
  'POST /developers/keys': 'DeveloperWrite',
  'GET /developers/keys/{keyId}/rotate': 'DeveloperWrite',
  'POST /developers/keys/{keyId}/rotate': 'DeveloperWrite',
  'GET /developers/keys/{keyId}/revoke': 'DeveloperWrite',
  'POST /developers/keys/{keyId}/revoke': 'DeveloperWrite',
  'POST /developers/webhooks/test': 'DeveloperWrite',
  'GET /developers/webhooks/secret': 'DeveloperWrite',
  'POST /developers/webhooks/secret': 'DeveloperWrite',
  'GET /developers/webhooks/resend-failed': 'DeveloperWrite',
  'POST /developers/webhooks/resend-failed': 'DeveloperWrite',
  'POST /developers/webhooks/{eventId}/resend': 'DeveloperWrite',
  'POST /developers/test-tools/faults': 'DeveloperWrite',
  'POST /developers/test-tools/clear-faults': 'DeveloperWrite',
  'POST /developers/test-tools/clock': 'DeveloperWrite',
  'POST /developers/webhooks': 'AppSettingWrite',
  // team
  'GET /team': 'RoleRead',
  'GET /team/permissions': 'RoleRead',
  'GET /team/members/{personId}': 'RoleRead',
  'GET /team/invite': 'RoleWrite',
  'POST /team/invite': 'RoleWrite',
  'POST /team/invitations/{linkId}/withdraw': 'RoleWrite',
  'POST /team/members/{personId}/enable': 'RoleWrite',
  'GET /team/members/{personId}/role': 'RoleWrite',
  'POST /team/members/{personId}/role': 'RoleWrite',
  'GET /team/members/{personId}/remove': 'RoleWrite',
  'POST /team/members/{personId}/remove': 'RoleWrite',
  'GET /team/members/{personId}/reset-password': 'RoleWrite',
  'POST /team/members/{personId}/reset-password': 'RoleWrite',
  'GET /team/members/{personId}/reset-second-factor': 'RoleWrite',
  'POST /team/members/{personId}/reset-second-factor': 'RoleWrite',
  'GET /team/members/{personId}/sign-out': 'RoleWrite',
  'POST /team/members/{personId}/sign-out': 'RoleWrite',
  'GET /team/members/{personId}/disable': 'RoleWrite',
  'POST /team/members/{personId}/disable': 'RoleWrite',
  'GET /team/shops/{host}/disconnect': 'LicenseManagement',
  'POST /team/shops/{host}/disconnect': 'LicenseManagement',
  // audit
  'GET /audit': 'AuditRead',
  'GET /audit/export': 'AuditRead',
  // settings
}
