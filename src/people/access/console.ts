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
  'GET /payments': 'PaymentRead',
  'GET /payments/newer': 'PaymentRead',
  'GET /payments/export': 'PaymentRead',
  'POST /payments/views': 'PaymentRead',
  'POST /payments/views/remove': 'PaymentRead',
  'POST /payments/bulk': 'PaymentWrite',
  'GET /payments/bulk/{action}': 'PaymentWrite',
  'POST /payments/bulk/{action}': 'PaymentWrite',
  'GET /payments/bulk/{action}/result': 'PaymentWrite',
  'GET /search': 'PaymentRead',
  // reviews
  'GET /reviews': 'PaymentReview',
  'GET /reviews/{paymentId}/release': 'PaymentReview',
  'POST /reviews/{paymentId}/release': 'PaymentReview',
  'GET /reviews/{paymentId}/reject': 'PaymentReview',
  'POST /reviews/{paymentId}/reject': 'PaymentReview',
  // links
  'GET /links': 'PaymentWrite',
  'GET /links/new': 'PaymentWrite',
  'POST /links/new': 'PaymentWrite',
  'GET /links/{paymentId}': 'PaymentWrite',
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
