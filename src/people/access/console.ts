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
  // audit
  'GET /audit': 'AuditRead',
  'GET /audit/export': 'AuditRead',
  // settings
  'GET /settings': 'AppSettingRead',
  'GET /settings/checkout': 'AppSettingRead',
  'GET /settings/preview': 'AppSettingRead',
  'GET /settings/host': 'AppSettingRead',
  'GET /settings/data': 'AppSettingRead',
  'GET /settings/danger': 'AppSettingRead',
  'POST /settings': 'AppSettingWrite',
  'POST /settings/checkout': 'AppSettingWrite',
  'POST /settings/host': 'AppSettingWrite',
  'GET /settings/host/remove': 'AppSettingWrite',
  'POST /settings/host/remove': 'AppSettingWrite',
  'POST /settings/data': 'AppSettingWrite',
  'GET /settings/danger/clear': 'AppSettingWrite',
  'POST /settings/danger/clear': 'AppSettingWrite',
}
