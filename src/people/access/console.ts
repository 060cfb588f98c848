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
  // team
  // audit
  'GET /audit': 'AuditRead',
  'GET /audit/export': 'AuditRead',
  // settings
}
