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
  // payment
  'GET /payments/{paymentId}': 'PaymentRead',
  'GET /payments/by-reference': 'PaymentRead',
  'GET /payments/{paymentId}/events': 'PaymentRead',
  'GET /payments/{paymentId}/requests/{requestId}': 'DeveloperRead',
  'GET /payments/{paymentId}/refund': 'PaymentRefund',
  'POST /payments/{paymentId}/refund': 'PaymentRefund',
  'GET /payments/{paymentId}/capture': 'PaymentWrite',
  'POST /payments/{paymentId}/capture': 'PaymentWrite',
  'GET /payments/{paymentId}/cancel': 'PaymentWrite',
  'POST /payments/{paymentId}/cancel': 'PaymentWrite',
  'GET /payments/{paymentId}/release': 'PaymentReview',
  'POST /payments/{paymentId}/release': 'PaymentReview',
  'GET /payments/{paymentId}/mark-refunded': 'PaymentWrite',
  'POST /payments/{paymentId}/mark-refunded': 'PaymentWrite',
  'GET /payments/{paymentId}/mark-disputed': 'PaymentWrite',
  'POST /payments/{paymentId}/mark-disputed': 'PaymentWrite',
  'POST /payments/{paymentId}/recheck': 'PaymentWrite',
  'POST /payments/{paymentId}/resend': 'DeveloperWrite',
  // dock
  'GET /dock': 'PaymentRead',
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
