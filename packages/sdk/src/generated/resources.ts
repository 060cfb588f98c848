// Generated from the OpenAPI document by `npm run docs`. Do not edit.
import {
  type CallOptions,
  type Id,
  type List,
  listOf,
  type Send,
  segment,
  type TenderFile,
} from '../send.ts'
import type * as T from './types.ts'

const service = (send: Send) => ({
  /** Is the process up. */
  live: (options?: CallOptions): Promise<T.Health> =>
    send('GET', '/health/live', { options }),
  /** Can it take requests? Not while the database is away or the service stops. */
  ready: (options?: CallOptions): Promise<T.Health> =>
    send('GET', '/health/ready', { options }),
  /** This description. */
  openapi: (options?: CallOptions): Promise<Record<string, unknown>> =>
    send('GET', '/openapi.json', { options }),
  /** The providers of this installation. */
  providers: (options?: CallOptions): Promise<T.PaymentProvider[]> =>
    send('GET', '/api/apps/providers', { options }),
  /** What a console shows before the sign-in. */
  settings: (options?: CallOptions): Promise<T.PublicSettings> =>
    send('GET', '/api/settings', { options }),
})

const licenses = (send: Send) => ({
  /** The apps of a licence, each with a working API key. */
  apps: (licenseId: Id, options?: CallOptions): Promise<T.LicensedApp[]> =>
    send('GET', `/api/licenses/${segment(licenseId)}`, { options }),
  /** Create a licence: one merchant with a sandbox app and a live app. */
  create: (body: T.LicenseInput, options?: CallOptions): Promise<T.License> =>
    send('POST', '/api/licenses', { body, options }),
  /** Invite an owner to a licence that has none. */
  inviteOwner: (licenseId: Id, body: T.OwnerInput, options?: CallOptions): Promise<T.OwnerInvitation> =>
    send('POST', `/api/licenses/${segment(licenseId)}/owner-invitation`, { body, options }),
  /** Enter a licence: an operator reads it for an hour. */
  enter: (licenseId: Id, body: T.VisitInput, options?: CallOptions): Promise<T.LicenseVisit> =>
    send('POST', `/api/licenses/${segment(licenseId)}/visits`, { body, options }),
})

const app = (send: Send) => ({
  /** Read the app. */
  get: (options?: CallOptions): Promise<T.App> =>
    send('GET', '/api/apps/{appId}', { options }),
  /** Change the settings of the app. */
  update: (body?: T.AppPatch, options?: CallOptions): Promise<T.App> =>
    send('PATCH', '/api/apps/{appId}', { body, options }),
  /** Change the host name and the texts of the checkout. */
  updateCheckoutPage: (body?: T.CheckoutPagePatch, options?: CallOptions): Promise<T.App> =>
    send('PATCH', '/api/apps/{appId}/checkout-page', { body, options }),
  /** Look for the proof of the host name now. */
  checkCheckoutDomain: (options?: CallOptions): Promise<T.CheckedHost> =>
    send('POST', '/api/apps/{appId}/checkout-domain/check', { options }),
  /** Remove the host name of the checkout. */
  removeCheckoutDomain: (options?: CallOptions): Promise<T.App> =>
    send('DELETE', '/api/apps/{appId}/checkout-domain', { options }),
  /** The address of the app in the console. */
  consoleLink: (options?: CallOptions): Promise<string> =>
    send('GET', '/api/apps/{appId}/panel-link', { options }),
  /** Empty a sandbox app. */
  clearAll: (options?: CallOptions): Promise<T.ClearedApp> =>
    send('POST', '/api/apps/{appId}/clear-all', { options }),
  /** What the app has and lacks for real customers. */
  goingLive: (options?: CallOptions): Promise<T.GoingLive> =>
    send('GET', '/api/apps/{appId}/going-live', { options }),
})

const apiKeys = (send: Send) => ({
  /** List the API keys of the app, without the keys themselves. */
  list: (query?: T.ApiKeysListQuery, options?: CallOptions): List<T.ApiKey> =>
    listOf(send, '/api/apps/{appId}/api-keys', { query, options }),
  /** Create an API key beside the existing ones. */
  create: (body?: T.ApiKeyInput, options?: CallOptions): Promise<T.NewApiKey> =>
    send('POST', '/api/apps/{appId}/api-keys', { body, options }),
  /** Replace an API key; the old one works on for a while. */
  rotate: (keyId: Id, body?: T.RotateApiKeyInput, options?: CallOptions): Promise<T.NewApiKey> =>
    send('POST', `/api/apps/{appId}/api-keys/${segment(keyId)}/rotate`, { body, options }),
  /** Revoke an API key. */
  revoke: (keyId: Id, options?: CallOptions): Promise<T.ApiKey> =>
    send('DELETE', `/api/apps/{appId}/api-keys/${segment(keyId)}`, { options }),
})

const paymentProfiles = (send: Send) => ({
  /** List the provider profiles of the app. */
  list: (query?: T.PaymentProfilesListQuery, options?: CallOptions): Promise<T.PaymentProfile[]> =>
    send('GET', '/api/apps/{appId}/payment-profiles', { query, options }),
  /** Add a provider profile. */
  create: (body: T.PaymentProfileInput, options?: CallOptions): Promise<T.PaymentProfile> =>
    send('POST', '/api/apps/{appId}/payment-profiles', { body, options }),
  /** The ways to check out that the app offers, with the profiles that take them. */
  checkoutMethods: (options?: CallOptions): Promise<T.CheckoutMethodGroup[]> =>
    send('GET', '/api/apps/{appId}/payment-profiles/payment-checkout-methods', { options }),
  /** Read a provider profile. */
  get: (paymentProfileId: Id, options?: CallOptions): Promise<T.PaymentProfile> =>
    send('GET', `/api/apps/{appId}/payment-profiles/${segment(paymentProfileId)}`, { options }),
  /** Change a provider profile. */
  update: (
    paymentProfileId: Id,
    body?: T.PaymentProfilePatch,
    options?: CallOptions,
  ): Promise<T.PaymentProfile> =>
    send('PATCH', `/api/apps/{appId}/payment-profiles/${segment(paymentProfileId)}`, { body, options }),
  /** Remove a provider profile that was never used. */
  remove: (paymentProfileId: Id, options?: CallOptions): Promise<T.PaymentProfile> =>
    send('DELETE', `/api/apps/{appId}/payment-profiles/${segment(paymentProfileId)}`, { options }),
  /** The providers that the app can use, with what a new profile needs. */
  providers: (options?: CallOptions): Promise<T.PaymentProviderSetup[]> =>
    send('GET', '/api/apps/{appId}/payment-providers', { options }),
  /** What a payment would cost at each profile. */
  calculateFee: (
    query: T.PaymentProfilesCalculateFeeQuery,
    options?: CallOptions,
  ): Promise<T.PaymentProfileFeePreview[]> =>
    send('GET', '/api/apps/{appId}/payment-profiles/calculate-fee', { query, options }),
  /** The fees of a provider profile. */
  fees: (paymentProfileId: Id, options?: CallOptions): Promise<T.PaymentProfileFee> =>
    send('GET', `/api/apps/{appId}/payment-profiles/${segment(paymentProfileId)}/fee`, { options }),
  /** The methods of a provider profile, and which of them the account has turned on. */
  methods: (paymentProfileId: Id, options?: CallOptions): Promise<T.PaymentProfileMethod[]> =>
    send('GET', `/api/apps/{appId}/payment-profiles/${segment(paymentProfileId)}/methods`, { options }),
  /** The settings of a provider profile, masked. */
  maskedSettings: (paymentProfileId: Id, options?: CallOptions): Promise<string> =>
    send(
      'GET',
      `/api/apps/{appId}/payment-profiles/${segment(paymentProfileId)}/bank-credential`,
      { options },
    ),
  /** Check the settings of a provider profile. */
  check: (paymentProfileId: Id, options?: CallOptions): Promise<T.PaymentProfileCheck> =>
    send('POST', `/api/apps/{appId}/payment-profiles/${segment(paymentProfileId)}/check`, { options }),
  /** Register the notification address at the provider. */
  connect: (paymentProfileId: Id, options?: CallOptions): Promise<T.PaymentProfileConnection> =>
    send('POST', `/api/apps/{appId}/payment-profiles/${segment(paymentProfileId)}/connect`, { options }),
})

const team = (send: Send) => ({
  /** List members, invited people and API keys with their roles. */
  list: (options?: CallOptions): Promise<T.TeamUserRole[]> =>
    send('GET', '/api/team/resources/{appId}/user-roles', { options }),
  /** List the roles. */
  roles: (options?: CallOptions): Promise<T.TeamRole[]> =>
    send('GET', '/api/team/resources/{appId}/roles', { options }),
  /** Invite a person by e-mail address, or change the role of a member. */
  invite: (roleId: Id, email: Id, options?: CallOptions): Promise<T.TeamUserRole> =>
    send(
      'POST',
      `/api/team/resources/{appId}/roles/${segment(roleId)}/users/email:${segment(email)}`,
      { options },
    ),
  /** Give a member another role. */
  changeRole: (roleId: Id, userId: Id, options?: CallOptions): Promise<T.TeamUserRole> =>
    send(
      'POST',
      `/api/team/resources/{appId}/roles/${segment(roleId)}/users/${segment(userId)}`,
      { options },
    ),
  /** Remove a member, leave the team, withdraw an invitation, or revoke an API key. */
  remove: (roleId: Id, userId: Id, options?: CallOptions): Promise<T.RemovedUser> =>
    send(
      'DELETE',
      `/api/team/resources/{appId}/roles/${segment(roleId)}/users/${segment(userId)}`,
      { options },
    ),
  /** Create an API key as a bot. */
  createBot: (roleId: Id, body: T.BotInput, options?: CallOptions): Promise<T.BotKey> =>
    send('POST', `/api/team/resources/{appId}/roles/${segment(roleId)}/bots`, { body, options }),
  /** Create an API key as a bot, by its name. */
  createBotByName: (query: T.TeamCreateBotByNameQuery, options?: CallOptions): Promise<T.BotKey> =>
    send('POST', '/api/team/resources/{appId}/bots', { query, options }),
})

const customers = (send: Send) => ({
  /** What happened to customers beside payments, the newest first. */
  allActivity: (query?: T.CustomersAllActivityQuery, options?: CallOptions): List<T.CustomerActivity> =>
    listOf(send, '/api/apps/{appId}/customers/activity-logs', { query, options }),
  /** What happened to a customer beside payments, the newest first. */
  activity: (
    customerId: Id,
    query?: T.CustomersActivityQuery,
    options?: CallOptions,
  ): List<T.CustomerActivity> =>
    listOf(send, `/api/apps/{appId}/customers/${segment(customerId)}/activity-logs`, { query, options }),
  /** Create a customer. */
  create: (body: T.CustomerInput, options?: CallOptions): Promise<T.Customer> =>
    send('POST', '/api/apps/{appId}/customers', { body, options }),
  /** List the customers of the app, ordered by customerId. */
  list: (query?: T.CustomersListQuery, options?: CallOptions): List<T.Customer> =>
    listOf(send, '/api/apps/{appId}/customers', { query, options }),
  /** Read a customer. */
  get: (customerId: Id, options?: CallOptions): Promise<T.Customer> =>
    send('GET', `/api/apps/{appId}/customers/${segment(customerId)}`, { options }),
  /** Change a customer. */
  update: (customerId: Id, body?: T.CustomerPatch, options?: CallOptions): Promise<T.Customer> =>
    send('PATCH', `/api/apps/{appId}/customers/${segment(customerId)}`, { body, options }),
  /** List the stored payment methods of a customer, newest first. */
  paymentMethods: (
    customerId: Id,
    query?: T.CustomersPaymentMethodsQuery,
    options?: CallOptions,
  ): Promise<T.StoredPaymentMethod[]> =>
    send('GET', `/api/apps/{appId}/customers/${segment(customerId)}/payment-methods`, { query, options }),
  /** Remove a stored payment method; its auto-payment registrations end too. */
  removePaymentMethod: (customerId: Id, paymentMethodId: Id, options?: CallOptions): Promise<void> =>
    send(
      'DELETE',
      `/api/apps/{appId}/customers/${segment(customerId)}/payment-methods/${segment(paymentMethodId)}`,
      { options },
    ),
  /** Stop an auto-payment registration. */
  stopAutoPayment: (
    customerId: Id,
    customerAutomaticProfileId: Id,
    options?: CallOptions,
  ): Promise<T.Customer> =>
    send(
      'DELETE',
      `/api/apps/{appId}/customers/${segment(customerId)}/auto-payments/${segment(customerAutomaticProfileId)}`,
      { options },
    ),
  /** Import a stored payment method by the provider's token. */
  importPaymentMethod: (
    customerId: Id,
    body: T.MethodImport,
    options?: CallOptions,
  ): Promise<T.StoredPaymentMethod> =>
    send(
      'POST',
      `/api/apps/{appId}/customers/${segment(customerId)}/payment-methods/import`,
      { body, options },
    ),
  /** The balance of a stored method. */
  methodBalance: (customerId: Id, paymentMethodId: Id, options?: CallOptions): Promise<number | null> =>
    send(
      'GET',
      `/api/apps/{appId}/customers/${segment(customerId)}/payment-methods/${segment(paymentMethodId)}/balance`,
      { options },
    ),
  /** What bank data services know of a customer. */
  providerInfo: (customerId: Id, options?: CallOptions): Promise<T.CustomersProviderInfoResult> =>
    send('GET', `/api/apps/{appId}/customers/${segment(customerId)}/provider-raw-info`, { options }),
  /** A signed link to the customer's own panel, valid for one hour. */
  panelLink: (customerId: Id, query?: T.CustomersPanelLinkQuery, options?: CallOptions): Promise<string> =>
    send('GET', `/api/apps/{appId}/customers/${segment(customerId)}/panel-link`, { query, options }),
  /** Let the counts of fraud rules start anew for a customer. */
  resetFraudCounts: (customerId: Id, options?: CallOptions): Promise<T.CustomersResetFraudCountsResult> =>
    send(
      'POST',
      `/api/apps/{appId}/customers/${segment(customerId)}/reset-affected-check-policy-time`,
      { options },
    ),
  /** Erase the personal data of a customer. */
  erase: (customerId: Id, options?: CallOptions): Promise<T.ErasedCustomer> =>
    send('POST', `/api/apps/{appId}/customers/${segment(customerId)}/erase`, { options }),
  /** List the notes of a customer, the newest first. */
  notes: (customerId: Id, options?: CallOptions): Promise<T.Note[]> =>
    send('GET', `/api/apps/{appId}/customers/${segment(customerId)}/notes`, { options }),
  /** Add a note to a customer. */
  addNote: (customerId: Id, body: T.NewNote, options?: CallOptions): Promise<T.Note> =>
    send('POST', `/api/apps/{appId}/customers/${segment(customerId)}/notes`, { body, options }),
  /** Read which member of the team takes care of a customer. */
  assignment: (customerId: Id, options?: CallOptions): Promise<T.Assignment> =>
    send('GET', `/api/apps/{appId}/customers/${segment(customerId)}/assignment`, { options }),
  /** Give a customer to a member of the team. */
  assign: (customerId: Id, body: T.NewAssignment, options?: CallOptions): Promise<T.Assignment> =>
    send('PUT', `/api/apps/{appId}/customers/${segment(customerId)}/assignment`, { body, options }),
})

const events = (send: Send) => ({
  /** List the events of the app, the newest first. */
  list: (query?: T.EventsListQuery, options?: CallOptions): List<T.Event> =>
    listOf(send, '/api/apps/{appId}/events', { query, options }),
})

const webhooks = (send: Send) => ({
  /** List the webhooks of the app with their attempts, the newest first. */
  list: (query?: T.WebhooksListQuery, options?: CallOptions): List<T.WebhookDelivery> =>
    listOf(send, '/api/apps/{appId}/webhooks', { query, options }),
  /** Read a webhook with every attempt and what was answered. */
  get: (eventId: Id, query?: T.WebhooksGetQuery, options?: CallOptions): Promise<T.WebhookDelivery> =>
    send('GET', `/api/apps/{appId}/webhooks/${segment(eventId)}`, { query, options }),
  /** Send a webhook again, or now instead of later. */
  resend: (eventId: Id, query?: T.WebhooksResendQuery, options?: CallOptions): Promise<T.WebhookDelivery> =>
    send('POST', `/api/apps/{appId}/webhooks/${segment(eventId)}/resend`, { query, options }),
  /** Send all webhooks again that were given up. */
  resendFailed: (query?: T.WebhooksResendFailedQuery, options?: CallOptions): Promise<T.Resent> =>
    send('POST', '/api/apps/{appId}/webhooks/resend-failed', { query, options }),
  /** Send a test event to the webhook address of the app. */
  sendTest: (options?: CallOptions): Promise<T.WebhookDelivery> =>
    send('POST', '/api/apps/{appId}/webhooks/test', { options }),
  /** Replace the secret that signs webhooks; both sign for a day. */
  rotateSecret: (options?: CallOptions): Promise<string> =>
    send('POST', '/api/apps/{appId}/webhook-signing-secret', { options }),
  /** Send webhooks without a signature. */
  removeSecret: (options?: CallOptions): Promise<void> =>
    send('DELETE', '/api/apps/{appId}/webhook-signing-secret', { options }),
})

const webhookEndpoints = (send: Send) => ({
  /** List the webhook endpoints of the app. */
  list: (options?: CallOptions): Promise<T.WebhookEndpoint[]> =>
    send('GET', '/api/apps/{appId}/webhook-endpoints', { options }),
  /** Add a webhook endpoint. */
  create: (body: T.WebhookEndpointInput, options?: CallOptions): Promise<T.NewWebhookEndpoint> =>
    send('POST', '/api/apps/{appId}/webhook-endpoints', { body, options }),
  /** Read a webhook endpoint. */
  get: (endpointId: Id, options?: CallOptions): Promise<T.WebhookEndpoint> =>
    send('GET', `/api/apps/{appId}/webhook-endpoints/${segment(endpointId)}`, { options }),
  /** Change a webhook endpoint, or pause it. */
  update: (
    endpointId: Id,
    body?: T.WebhookEndpointPatch,
    options?: CallOptions,
  ): Promise<T.WebhookEndpoint> =>
    send('PATCH', `/api/apps/{appId}/webhook-endpoints/${segment(endpointId)}`, { body, options }),
  /** Remove a webhook endpoint. */
  remove: (endpointId: Id, options?: CallOptions): Promise<void> =>
    send('DELETE', `/api/apps/{appId}/webhook-endpoints/${segment(endpointId)}`, { options }),
  /** Send a test event to one webhook endpoint. */
  sendTest: (endpointId: Id, options?: CallOptions): Promise<T.WebhookDelivery> =>
    send('POST', `/api/apps/{appId}/webhook-endpoints/${segment(endpointId)}/test`, { options }),
  /** Replace the secret of a webhook endpoint; both sign for a day. */
  rotateSecret: (endpointId: Id, options?: CallOptions): Promise<T.WebhookEndpointSecret> =>
    send('POST', `/api/apps/{appId}/webhook-endpoints/${segment(endpointId)}/secret`, { options }),
})

const fraudPolicies = (send: Send) => ({
  /** List the fraud policies of the app. */
  list: (query?: T.FraudPoliciesListQuery, options?: CallOptions): List<T.FraudPolicy> =>
    listOf(send, '/api/apps/{appId}/fraud-policies', { query, options }),
  /** Create a fraud policy. */
  create: (body: T.FraudPolicyInput, options?: CallOptions): Promise<T.FraudPolicy> =>
    send('POST', '/api/apps/{appId}/fraud-policies', { body, options }),
  /** How customers can add a method, by kind of method. */
  ruleMetadata: (options?: CallOptions): Promise<T.PaymentMethodPolicyRuleMetadata[]> =>
    send('GET', '/api/apps/{appId}/fraud-policies/payment-method-policy-rule-metadata', { options }),
  /** Read a fraud policy. */
  get: (fraudPolicyId: Id, options?: CallOptions): Promise<T.FraudPolicy> =>
    send('GET', `/api/apps/{appId}/fraud-policies/${segment(fraudPolicyId)}`, { options }),
  /** Change a fraud policy. */
  update: (fraudPolicyId: Id, body?: T.FraudPolicyPatch, options?: CallOptions): Promise<T.FraudPolicy> =>
    send('PATCH', `/api/apps/{appId}/fraud-policies/${segment(fraudPolicyId)}`, { body, options }),
  /** Delete a fraud policy; customers pinned to it fall back to the default. */
  remove: (fraudPolicyId: Id, options?: CallOptions): Promise<void> =>
    send('DELETE', `/api/apps/{appId}/fraud-policies/${segment(fraudPolicyId)}`, { options }),
  /** Every version of a fraud policy, newest first, with who changed it and when. */
  versions: (
    fraudPolicyId: Id,
    query?: T.FraudPoliciesVersionsQuery,
    options?: CallOptions,
  ): List<T.FraudPolicyVersion> =>
    listOf(send, `/api/apps/{appId}/fraud-policies/${segment(fraudPolicyId)}/versions`, { query, options }),
  /** Replace the rules of a fraud policy. */
  replaceRules: (
    fraudPolicyId: Id,
    body?: T.FraudPoliciesReplaceRulesInput[],
    options?: CallOptions,
  ): Promise<T.FraudPolicy> =>
    send('PATCH', `/api/apps/{appId}/fraud-policies/${segment(fraudPolicyId)}/rules`, { body, options }),
  /** What a policy would have stopped. */
  simulate: (
    fraudPolicyId: Id,
    body: T.FraudPoliciesSimulateInput,
    options?: CallOptions,
  ): Promise<T.FraudSimulation> =>
    send('POST', `/api/apps/{appId}/fraud-policies/${segment(fraudPolicyId)}/simulate`, { body, options }),
  /** Payments of a period that a fraud policy rejected, by day and currency. */
  rejectedPayments: (
    query?: T.FraudPoliciesRejectedPaymentsQuery,
    options?: CallOptions,
  ): Promise<T.RejectedDashboard> =>
    send('GET', '/api/apps/{appId}/fraud-policies/dashboard-rejected-payments', { query, options }),
})

const blockList = (send: Send) => ({
  /** The block list of the app, newest entries first. */
  list: (query?: T.BlockListListQuery, options?: CallOptions): List<T.BlockEntry> =>
    listOf(send, '/api/apps/{appId}/block-list', { query, options }),
  /** Take no more payments from a card, an e-mail address, an IP address, a customer or a country. */
  add: (body: T.BlockEntryInput, options?: CallOptions): Promise<T.BlockEntry> =>
    send('POST', '/api/apps/{appId}/block-list', { body, options }),
  /** Remove an entry of the block list. */
  remove: (entryId: Id, options?: CallOptions): Promise<void> =>
    send('DELETE', `/api/apps/{appId}/block-list/${segment(entryId)}`, { options }),
})

const routing = (send: Send) => ({
  /** Which provider profile takes which payment, and how well the profiles work. */
  get: (options?: CallOptions): Promise<T.Routing> =>
    send('GET', '/api/apps/{appId}/routing', { options }),
  /** Replace the routing of the app. */
  replace: (body?: T.RoutingInput, options?: CallOptions): Promise<T.Routing> =>
    send('PUT', '/api/apps/{appId}/routing', { body, options }),
  /** Why a payment would go where it goes. */
  explain: (body: T.RoutingExplainInput, options?: CallOptions): Promise<T.RoutingExplanation> =>
    send('POST', '/api/apps/{appId}/routing/explain', { body, options }),
})

const refundApprovals = (send: Send) => ({
  /** List refunds that need a second person, the newest first. */
  list: (query?: T.RefundApprovalsListQuery, options?: CallOptions): Promise<T.RefundApproval[]> =>
    send('GET', '/api/apps/{appId}/refund-approvals', { query, options }),
})

const payments = (send: Send) => ({
  /** Create a payment on the hosted checkout. */
  createHostedPage: (body: T.PaymentsCreateHostedPageInput, options?: CallOptions): Promise<T.Payment> =>
    send('POST', '/api/apps/{appId}/payments/hosted-page', { body, options }),
  /** Create a payment. */
  create: (body: T.PaymentsCreateInput, options?: CallOptions): Promise<T.Payment> =>
    send('POST', '/api/apps/{appId}/payments', { body, options }),
  /** List the payments of the app, the newest first. */
  list: (query?: T.PaymentsListQuery, options?: CallOptions): List<T.Payment> =>
    listOf(send, '/api/apps/{appId}/payments', { query, options }),
  /** Create a payment on a provider's own page. */
  createProviderHostedPage: (
    body: T.PaymentsCreateProviderHostedPageInput,
    options?: CallOptions,
  ): Promise<T.Payment> =>
    send('POST', '/api/apps/{appId}/payments/provider-hosted-page', { body, options }),
  /** Charge a stored method. */
  createAutoPayment: (body: T.PaymentsCreateAutoPaymentInput, options?: CallOptions): Promise<T.Payment> =>
    send('POST', '/api/apps/{appId}/payments/auto-payment', { body, options }),
  /** Read a payment by its id. */
  get: (paymentId: Id, options?: CallOptions): Promise<T.Payment> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}`, { options }),
  /** Read a payment by its reference. */
  getByReference: (referenceId: Id, options?: CallOptions): Promise<T.Payment> =>
    send('GET', `/api/apps/{appId}/payments/referenceId:${segment(referenceId)}`, { options }),
  /** The link on which a payment can be paid. */
  link: (paymentId: Id, options?: CallOptions): Promise<T.PaymentsLinkResult> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/payment-link`, { options }),
  /** Capture an authorised payment. */
  capture: (paymentId: Id, query?: T.PaymentsCaptureQuery, options?: CallOptions): Promise<T.Payment> =>
    send('POST', `/api/apps/{appId}/payments/${segment(paymentId)}/capture`, { query, options }),
  /** Cancel an uncaptured or held payment. */
  cancel: (paymentId: Id, query?: T.PaymentsCancelQuery, options?: CallOptions): Promise<T.Payment> =>
    send('POST', `/api/apps/{appId}/payments/${segment(paymentId)}/cancel`, { query, options }),
  /** Refund a captured payment. */
  refund: (paymentId: Id, query?: T.PaymentsRefundQuery, options?: CallOptions): Promise<T.Payment> =>
    send('POST', `/api/apps/{appId}/payments/${segment(paymentId)}/refund`, { query, options }),
  /** Release a payment held by a fraud rule. */
  unhold: (paymentId: Id, options?: CallOptions): Promise<T.Payment> =>
    send('POST', `/api/apps/{appId}/payments/${segment(paymentId)}/unhold`, { options }),
  /** Ask the provider for the true state. */
  recheck: (paymentId: Id, options?: CallOptions): Promise<T.Payment> =>
    send('POST', `/api/apps/{appId}/payments/${segment(paymentId)}/recheck`, { options }),
  /** Record a refund made elsewhere. */
  markAsRefund: (
    paymentId: Id,
    body?: T.PaymentsMarkAsRefundInput,
    query?: T.PaymentsMarkAsRefundQuery,
    options?: CallOptions,
  ): Promise<T.Payment> =>
    send('POST', `/api/apps/{appId}/payments/${segment(paymentId)}/mark-as-refund`, { body, query, options }),
  /** Record a dispute. */
  markAsDispute: (
    paymentId: Id,
    body?: T.PaymentsMarkAsDisputeInput,
    query?: T.PaymentsMarkAsDisputeQuery,
    options?: CallOptions,
  ): Promise<T.Payment> =>
    send(
      'POST',
      `/api/apps/{appId}/payments/${segment(paymentId)}/mark-as-dispute`,
      { body, query, options },
    ),
  /** List the states that a payment entered. */
  stateLogs: (paymentId: Id, options?: CallOptions): Promise<T.PaymentStateLog[]> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/state-logs`, { options }),
  /** Read the newest webhook of a payment with its attempts. */
  lastWebhook: (paymentId: Id, options?: CallOptions): Promise<T.WebhookDelivery | null> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/last-webhook-item`, { options }),
  /** List the requests to providers about a payment. */
  providerLog: (paymentId: Id, options?: CallOptions): Promise<T.PaymentProviderLogData[]> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/provider-log`, { options }),
  /** What the provider last told about a payment. */
  providerInfo: (paymentId: Id, options?: CallOptions): Promise<T.PaymentProviderFullInfo> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/provider-raw-info`, { options }),
  /** Where a payment is in the dashboard of its provider. */
  providerLink: (paymentId: Id, options?: CallOptions): Promise<T.PaymentProviderPaymentLinkInfo> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/provider-link-info`, { options }),
  /** List the attempts to pay a payment. */
  attempts: (paymentId: Id, options?: CallOptions): Promise<T.PaymentAttempt[]> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/attempts`, { options }),
  /** Why a payment was accepted, held or rejected. */
  fraud: (paymentId: Id, options?: CallOptions): Promise<T.FraudVerdicts> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/fraud`, { options }),
  /** List the payments of the app in pages with numbers. */
  summary: (query?: T.PaymentsSummaryQuery, options?: CallOptions): Promise<T.PaymentSummary[]> =>
    send('GET', '/api/apps/{appId}/payments/summary', { query, options }),
  /** Figures of a period, compared with the period before. */
  overview: (query?: T.PaymentsOverviewQuery, options?: CallOptions): Promise<T.PaymentOverview> =>
    send('GET', '/api/apps/{appId}/payments/overview', { query, options }),
  /** Payments of a period by provider, currency, state and day. */
  dashboard: (query?: T.PaymentsDashboardQuery, options?: CallOptions): Promise<T.PaymentDashboard> =>
    send('GET', '/api/apps/{appId}/payments/dashboard-payments', { query, options }),
  /** List the notes of a payment, the newest first. */
  notes: (paymentId: Id, options?: CallOptions): Promise<T.Note[]> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/notes`, { options }),
  /** Add a note to a payment. */
  addNote: (paymentId: Id, body: T.NewNote, options?: CallOptions): Promise<T.Note> =>
    send('POST', `/api/apps/{appId}/payments/${segment(paymentId)}/notes`, { body, options }),
  /** Read which member of the team takes care of a payment. */
  assignment: (paymentId: Id, options?: CallOptions): Promise<T.Assignment> =>
    send('GET', `/api/apps/{appId}/payments/${segment(paymentId)}/assignment`, { options }),
  /** Give a payment to a member of the team. */
  assign: (paymentId: Id, body: T.NewAssignment, options?: CallOptions): Promise<T.Assignment> =>
    send('PUT', `/api/apps/{appId}/payments/${segment(paymentId)}/assignment`, { body, options }),
})

const ledger = (send: Send) => ({
  /** The balance of each account of the ledger at the end of a day. */
  balances: (query?: T.LedgerBalancesQuery, options?: CallOptions): Promise<T.LedgerBalances> =>
    send('GET', '/api/apps/{appId}/ledger/balances', { query, options }),
  /** What settlements cost, by provider profile, method, country or month. */
  fees: (query?: T.LedgerFeesQuery, options?: CallOptions): Promise<T.LedgerFees> =>
    send('GET', '/api/apps/{appId}/ledger/fees', { query, options }),
  /** Export the journal for a spreadsheet, hledger or beancount. */
  journal: (query?: T.LedgerJournalQuery, options?: CallOptions): Promise<TenderFile> =>
    send.file('/api/apps/{appId}/ledger/journal', { query, options }),
  /** Export the settlement lines of all providers as one CSV. */
  settlements: (query?: T.LedgerSettlementsQuery, options?: CallOptions): Promise<TenderFile> =>
    send.file('/api/apps/{appId}/ledger/settlements', { query, options }),
  /** The months that are closed. */
  months: (options?: CallOptions): Promise<T.LedgerMonth[]> =>
    send('GET', '/api/apps/{appId}/ledger/months', { options }),
  /** Close a month of the ledger for good. */
  closeMonth: (month: Id, options?: CallOptions): Promise<T.LedgerMonth> =>
    send('POST', `/api/apps/{appId}/ledger/months/${segment(month)}/close`, { options }),
})

const settlements = (send: Send) => ({
  /** List what providers report about settled money, the newest first. */
  lines: (query?: T.SettlementsLinesQuery, options?: CallOptions): List<T.SettlementLine> =>
    listOf(send, '/api/apps/{appId}/settlement-lines', { query, options }),
  /** List the payouts of providers, the newest first. */
  payouts: (query?: T.SettlementsPayoutsQuery, options?: CallOptions): List<T.Payout> =>
    listOf(send, '/api/apps/{appId}/payouts', { query, options }),
  /** Read a payout with its lines by kind, and whether they add up. */
  payout: (payoutId: Id, options?: CallOptions): Promise<T.PayoutDetails> =>
    send('GET', `/api/apps/{appId}/payouts/${segment(payoutId)}`, { options }),
  /** List what does not agree, open exceptions first, the newest first. */
  exceptions: (query?: T.SettlementsExceptionsQuery, options?: CallOptions): List<T.SettlementException> =>
    listOf(send, '/api/apps/{appId}/settlement-exceptions', { query, options }),
  /** Close an exception with a reason. */
  closeException: (
    id: Id,
    body: T.SettlementsCloseExceptionInput,
    options?: CallOptions,
  ): Promise<T.SettlementException> =>
    send('POST', `/api/apps/{appId}/settlement-exceptions/${segment(id)}/close`, { body, options }),
  /** Accept the payment that is suggested for the line of an exception. */
  acceptSuggestion: (id: Id, options?: CallOptions): Promise<T.SettlementException> =>
    send('POST', `/api/apps/{appId}/settlement-exceptions/${segment(id)}/accept`, { options }),
  /** Import a settlement report. */
  importReport: (
    body: Uint8Array,
    query: T.SettlementsImportReportQuery,
    options?: CallOptions,
  ): Promise<T.SettlementReport> =>
    send('POST', '/api/apps/{appId}/settlement-reports', { body, query, options }),
  /** List files and pages that were read, the newest first. */
  reports: (query?: T.SettlementsReportsQuery, options?: CallOptions): List<T.ListedSettlementReport> =>
    listOf(send, '/api/apps/{appId}/settlement-reports', { query, options }),
  /** Read a report with the rows that could not be read. */
  report: (reportId: Id, options?: CallOptions): Promise<T.SettlementReportDetails> =>
    send('GET', `/api/apps/{appId}/settlement-reports/${segment(reportId)}`, { options }),
  /** Read how the settlements of a profile arrive. */
  source: (paymentProfileId: Id, options?: CallOptions): Promise<T.SettlementSource> =>
    send('GET', `/api/apps/{appId}/settlement-sources/${segment(paymentProfileId)}`, { options }),
  /** Turn reading of the provider's settlements on or off. */
  setSource: (
    paymentProfileId: Id,
    body: T.SettlementsSetSourceInput,
    options?: CallOptions,
  ): Promise<T.SettlementSource> =>
    send('PUT', `/api/apps/{appId}/settlement-sources/${segment(paymentProfileId)}`, { body, options }),
  /** Read the provider's settlements now. */
  readSource: (paymentProfileId: Id, options?: CallOptions): Promise<T.SettlementSource> =>
    send('POST', `/api/apps/{appId}/settlement-sources/${segment(paymentProfileId)}/read`, { options }),
})

const disputes = (send: Send) => ({
  /** List disputes: open ones by deadline, then decided ones, the newest first. */
  list: (query?: T.DisputesListQuery, options?: CallOptions): List<T.Dispute> =>
    listOf(send, '/api/apps/{appId}/disputes', { query, options }),
  /** Read a dispute with its evidence and the limits of its provider. */
  get: (disputeId: Id, options?: CallOptions): Promise<T.DisputeDetails> =>
    send('GET', `/api/apps/{appId}/disputes/${segment(disputeId)}`, { options }),
  /** Save the texts of the evidence as a draft. */
  saveEvidence: (
    disputeId: Id,
    body: T.DisputesSaveEvidenceInput,
    options?: CallOptions,
  ): Promise<T.DisputeDetails> =>
    send('PUT', `/api/apps/{appId}/disputes/${segment(disputeId)}/evidence`, { body, options }),
  /** Remove a file from the draft. */
  removeFile: (disputeId: Id, kind: Id, options?: CallOptions): Promise<T.DisputeDetails> =>
    send('DELETE', `/api/apps/{appId}/disputes/${segment(disputeId)}/files/${segment(kind)}`, { options }),
  /** Submit the evidence to the provider. */
  submit: (disputeId: Id, options?: CallOptions): Promise<T.DisputeDetails> =>
    send('POST', `/api/apps/{appId}/disputes/${segment(disputeId)}/submit`, { options }),
  /** Accept a dispute: the payer keeps the money. */
  accept: (disputeId: Id, options?: CallOptions): Promise<T.DisputeDetails> =>
    send('POST', `/api/apps/{appId}/disputes/${segment(disputeId)}/accept`, { options }),
})

const paymentLinks = (send: Send) => ({
  /** Create a payment link for one payer or for many. */
  create: (body: T.PaymentLinksCreateInput, options?: CallOptions): Promise<T.PaymentLink> =>
    send('POST', '/api/apps/{appId}/payment-links', { body, options }),
  /** List payment links, the newest first. */
  list: (query?: T.PaymentLinksListQuery, options?: CallOptions): List<T.PaymentLink> =>
    listOf(send, '/api/apps/{appId}/payment-links', { query, options }),
  /** Read a payment link with what was paid through it. */
  get: (paymentLinkId: Id, options?: CallOptions): Promise<T.PaymentLink> =>
    send('GET', `/api/apps/{appId}/payment-links/${segment(paymentLinkId)}`, { options }),
  /** Withdraw a payment link. */
  withdraw: (paymentLinkId: Id, options?: CallOptions): Promise<T.PaymentLink> =>
    send('DELETE', `/api/apps/{appId}/payment-links/${segment(paymentLinkId)}`, { options }),
  /** List the payments of a payment link, the newest first. */
  payments: (
    paymentLinkId: Id,
    query?: T.PaymentLinksPaymentsQuery,
    options?: CallOptions,
  ): List<T.Payment> =>
    listOf(send, `/api/apps/{appId}/payment-links/${segment(paymentLinkId)}/payments`, { query, options }),
})

const exports = (send: Send) => ({
  /** Make a file of payments, refunds, disputes, customers, links, events or everything. */
  create: (body: T.ExportsCreateInput, options?: CallOptions): Promise<T.Export> =>
    send('POST', '/api/apps/{appId}/exports', { body, options }),
  /** List the exports of the last seven days, the newest first. */
  list: (options?: CallOptions): Promise<T.Export[]> =>
    send('GET', '/api/apps/{appId}/exports', { options }),
  /** Read an export and its progress. */
  get: (exportId: Id, options?: CallOptions): Promise<T.Export> =>
    send('GET', `/api/apps/{appId}/exports/${segment(exportId)}`, { options }),
  /** Remove an export and its file. */
  remove: (exportId: Id, options?: CallOptions): Promise<void> =>
    send('DELETE', `/api/apps/{appId}/exports/${segment(exportId)}`, { options }),
  /** Read the file of an export that is done. */
  file: (exportId: Id, options?: CallOptions): Promise<TenderFile> =>
    send.file(`/api/apps/{appId}/exports/${segment(exportId)}/file`, { options }),
  /** Cancel an export that is not done. */
  cancel: (exportId: Id, options?: CallOptions): Promise<T.Export> =>
    send('POST', `/api/apps/{appId}/exports/${segment(exportId)}/cancel`, { options }),
})

const exportSchedules = (send: Send) => ({
  /** Export each day, week or month when it has ended. */
  create: (body: T.ExportSchedulesCreateInput, options?: CallOptions): Promise<T.ExportSchedule> =>
    send('POST', '/api/apps/{appId}/export-schedules', { body, options }),
  /** List the schedules of exports. */
  list: (options?: CallOptions): Promise<T.ExportSchedule[]> =>
    send('GET', '/api/apps/{appId}/export-schedules', { options }),
  /** Pause or resume a schedule, or change who gets an e-mail. */
  update: (
    scheduleId: Id,
    body?: T.ExportSchedulesUpdateInput,
    options?: CallOptions,
  ): Promise<T.ExportSchedule> =>
    send('PATCH', `/api/apps/{appId}/export-schedules/${segment(scheduleId)}`, { body, options }),
  /** Remove a schedule; its exports stay. */
  remove: (scheduleId: Id, options?: CallOptions): Promise<void> =>
    send('DELETE', `/api/apps/{appId}/export-schedules/${segment(scheduleId)}`, { options }),
})

const imports = (send: Send) => ({
  /** Import customers, stored payment methods and past payments. */
  create: (body: Uint8Array, query?: T.ImportsCreateQuery, options?: CallOptions): Promise<T.Import> =>
    send('POST', '/api/apps/{appId}/imports', { body, query, options }),
  /** List the imports of the last thirty days, the newest first. */
  list: (options?: CallOptions): Promise<T.Import[]> =>
    send('GET', '/api/apps/{appId}/imports', { options }),
  /** Read an import and its progress. */
  get: (importId: Id, options?: CallOptions): Promise<T.Import> =>
    send('GET', `/api/apps/{appId}/imports/${segment(importId)}`, { options }),
  /** List the wrong lines of an import in their order, up to 1,000 after a line. */
  problems: (
    importId: Id,
    query?: T.ImportsProblemsQuery,
    options?: CallOptions,
  ): Promise<T.ImportProblem[]> =>
    send('GET', `/api/apps/{appId}/imports/${segment(importId)}/problems`, { query, options }),
  /** Cancel an import that is not done; what is imported stays. */
  cancel: (importId: Id, options?: CallOptions): Promise<T.Import> =>
    send('POST', `/api/apps/{appId}/imports/${segment(importId)}/cancel`, { options }),
})

const apiLog = (send: Send) => ({
  /** List the requests of the app, the newest first. */
  list: (query?: T.ApiLogListQuery, options?: CallOptions): List<T.ApiCall> =>
    listOf(send, '/api/apps/{appId}/api-log', { query, options }),
  /** Count the requests of the app by time and class of status. */
  counts: (query?: T.ApiLogCountsQuery, options?: CallOptions): Promise<T.ApiCounts> =>
    send('GET', '/api/apps/{appId}/api-log-counts', { query, options }),
  /** Read a request with its masked bodies. */
  get: (requestId: Id, options?: CallOptions): Promise<T.ApiCallDetails> =>
    send('GET', `/api/apps/{appId}/api-log/${segment(requestId)}`, { options }),
})

const testHelpers = (send: Send) => ({
  /** Pay as a customer would. */
  pay: (paymentId: Id, body?: T.TestHelpersPayInput, options?: CallOptions): Promise<T.Payment> =>
    send('POST', `/api/apps/{appId}/test-helpers/payments/${segment(paymentId)}/pay`, { body, options }),
  /** Let the payer's bank dispute a payment. */
  dispute: (paymentId: Id, body?: T.TestHelpersDisputeInput, options?: CallOptions): Promise<T.Payment> =>
    send('POST', `/api/apps/{appId}/test-helpers/payments/${segment(paymentId)}/dispute`, { body, options }),
  /** Let the built-in bank misbehave. */
  setFault: (body: T.TestHelpersSetFaultInput, options?: CallOptions): Promise<T.TestHelpersSetFaultResult> =>
    send('POST', '/api/apps/{appId}/test-helpers/faults', { body, options }),
  /** Clear all faults. */
  clearFaults: (options?: CallOptions): Promise<T.TestHelpersClearFaultsResult> =>
    send('DELETE', '/api/apps/{appId}/test-helpers/faults', { options }),
  /** What the built-in bank really did. */
  ledger: (query?: T.TestHelpersLedgerQuery, options?: CallOptions): Promise<T.TestHelpersLedgerResult[]> =>
    send('GET', '/api/apps/{appId}/test-helpers/ledger', { query, options }),
  /** Pay out what is due at the app's time. */
  payOut: (options?: CallOptions): Promise<T.TestHelpersPayOutResult> =>
    send('POST', '/api/apps/{appId}/test-helpers/payouts', { options }),
  /** Let the next settlement report be wrong. */
  setSettlementFault: (
    body: T.TestHelpersSetSettlementFaultInput,
    options?: CallOptions,
  ): Promise<T.TestHelpersSetSettlementFaultResult> =>
    send('POST', '/api/apps/{appId}/test-helpers/settlement-faults', { body, options }),
  /** Clear all faults of settlement reports. */
  clearSettlementFaults: (options?: CallOptions): Promise<T.TestHelpersClearSettlementFaultsResult> =>
    send('DELETE', '/api/apps/{appId}/test-helpers/settlement-faults', { options }),
  /** Move the app's time ahead. */
  advanceClock: (
    body: T.TestHelpersAdvanceClockInput,
    options?: CallOptions,
  ): Promise<T.TestHelpersAdvanceClockResult> =>
    send('POST', '/api/apps/{appId}/test-helpers/clock', { body, options }),
})

/** Every operation of the API, by resource. */
export const resourcesOf = (send: Send) => ({
  service: service(send),
  licenses: licenses(send),
  app: app(send),
  apiKeys: apiKeys(send),
  paymentProfiles: paymentProfiles(send),
  team: team(send),
  customers: customers(send),
  events: events(send),
  webhooks: webhooks(send),
  webhookEndpoints: webhookEndpoints(send),
  fraudPolicies: fraudPolicies(send),
  blockList: blockList(send),
  routing: routing(send),
  refundApprovals: refundApprovals(send),
  payments: payments(send),
  ledger: ledger(send),
  settlements: settlements(send),
  disputes: disputes(send),
  paymentLinks: paymentLinks(send),
  exports: exports(send),
  exportSchedules: exportSchedules(send),
  imports: imports(send),
  apiLog: apiLog(send),
  testHelpers: testHelpers(send),
})
