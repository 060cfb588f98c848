import type { Permission } from './roles.ts'

/**
 * The permission for each page and form of the console, with paths relative to `/console/{appId}`. Pages of
 * the person (`/console/profile`) and of the operator (`/console/system`) are not here: the first needs a
 * session only, the second an operator.
 */
export const CONSOLE_ROUTES: Readonly<Record<string, Permission>> = {
  // overview
  // payments
  // reviews
  // links
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
  // team
  // audit
  'GET /audit': 'AuditRead',
  'GET /audit/export': 'AuditRead',
  // settings
}
