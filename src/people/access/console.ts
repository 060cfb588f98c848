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
  'GET /providers': 'GatewayListRead',
  'GET /providers/{profileId}': 'GatewayListRead',
  'GET /providers/{profileId}/arrivals': 'GatewayListRead',
  'GET /providers/add': 'PaymentProfileWrite',
  'GET /providers/add/{provider}': 'PaymentProfileWrite',
  'POST /providers/add/{provider}': 'PaymentProfileWrite',
  'POST /providers/{profileId}': 'PaymentProfileWrite',
  'POST /providers/{profileId}/methods': 'PaymentProfileWrite',
  'GET /providers/{profileId}/credentials': 'PaymentProfileWrite',
  'POST /providers/{profileId}/credentials': 'PaymentProfileWrite',
  'GET /providers/{profileId}/check': 'PaymentProfileWrite',
  'GET /providers/{profileId}/connect': 'PaymentProfileWrite',
  'POST /providers/{profileId}/connect': 'PaymentProfileWrite',
  'GET /providers/{profileId}/review': 'PaymentProfileWrite',
  'GET /providers/{profileId}/disable': 'PaymentProfileWrite',
  'POST /providers/{profileId}/disable': 'PaymentProfileWrite',
  'POST /providers/{profileId}/enable': 'PaymentProfileWrite',
  // routing
  'GET /routing': 'GatewayListRead',
  'GET /routing/route': 'RoutingWrite',
  'POST /routing/route': 'RoutingWrite',
  'POST /routing/move': 'RoutingWrite',
  'GET /routing/remove': 'RoutingWrite',
  'POST /routing/remove': 'RoutingWrite',
  'POST /routing/default': 'RoutingWrite',
  // fraud
  'GET /fraud': 'FraudPolicyRead',
  'POST /fraud': 'FraudPolicyWrite',
  'GET /fraud/{policyId}': 'FraudPolicyRead',
  'POST /fraud/{policyId}': 'FraudPolicyWrite',
  'GET /fraud/{policyId}/versions': 'FraudPolicyRead',
  'POST /fraud/{policyId}/default': 'FraudPolicyWrite',
  'GET /fraud/{policyId}/delete': 'FraudPolicyWrite',
  'POST /fraud/{policyId}/delete': 'FraudPolicyWrite',
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
}
