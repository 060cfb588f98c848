// Generated from the OpenAPI document by `npm run docs`. Do not edit.

export interface Health {
  status: 'ok'
}

export interface LicensedApp {
  isSandbox: boolean
  appId: string
  /** An API key of this app. */
  authorizationCode: string
}

export interface WebhookHealth {
  /** Webhooks that were given up, counted up to 1000. */
  exhaustedCount: number
  /** Webhook addresses in trouble. */
  endpoints: {
    url: string
    /** Disabled: it answered 410. A resend or a test that is received turns it on again. */
    status: 'failing' | 'paused' | 'disabled'
    /** ISO 8601, UTC, with milliseconds. */
    since: string
    /** In a row. */
    failures: number
    lastError: string
    nextTryTime: string | null
  }[]
}

export interface PaymentProvider {
  provider: string
  iconUri1: string
  iconUri2: string
}

export interface PaymentProfileSummary {
  paymentProfileId: number
  paymentProfileName: string
  paymentMethodTypeString: string
  isActive: boolean
  currency: string
  paymentProvider: PaymentProvider
}

/** How to prove that a host name is yours: one of both. It takes effect when the proof is found. */
export interface HostProof {
  /** The name that the app asked for. */
  host: string
  recordType: 'TXT'
  /** The name of a DNS entry of this type… */
  recordName: string
  /** …and its value. */
  recordValue: string
  /** Or: an address on the host name… */
  fileUrl: string
  /** …that answers 200 with this text. */
  fileContent: string
}

/** How the app shows itself on the checkout and the customer panel. */
export interface Branding {
  logoUrl: string | null
  color: string | null
  slogan1: string | null
  slogan2: string | null
  support: string | null
  termsUrl: string | null
  privacyUrl: string | null
  locale: string | null
  theme: string | null
  /** The pages name Tender at their foot. */
  showPoweredBy: boolean
}

/** Sent only where the operator has set up a mail server. */
export interface Emails {
  /** Sent to payers. None by default. */
  payer: ('receipt' | 'refund' | 'payment-pending' | 'payment-failed' | 'method-added' | 'method-removed' | 'card-expiring')[]
  /** Sent to the team. All by default. */
  team: ('endpoint-failing' | 'provider-degraded' | 'authorisations-ending' | 'settlements' | 'dispute')[]
  /** Null: the name of the app. */
  fromName: string | null
  replyTo: string | null
  /** Empty: the owners of the licence. A sandbox app without addresses sends none. */
  teamAddresses: string[]
}

export interface App {
  appId: string
  friendlyName: string
  isSandbox: boolean
  isActive: boolean
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  /** A provider profile is active. */
  isSetupCompleted: boolean
  /** A provider profile exists. */
  isConnectFirstGateway: boolean
  hasFirstCapturePayment: boolean
  defaultFraudPolicyId: number | null
  checkoutMethods: string[]
  webhookSettings: {
    paymentWebhookUrl: string | null
    webhookAuthorizationHeaderScheme: string | null
    /** Masked: only whether one is set. */
    webhookAuthorizationHeaderParameter: string | null
    isSigningEnabled: boolean
  }
  webhookHealth?: WebhookHealth
  /** The last try to send a webhook. */
  lastWebhookProcessTime: string | null
  /** Null: it was received. */
  lastWebhookError: string | null
  defaultRoutedProfiles: {
    currency: string
    paymentProfile: PaymentProfileSummary
  }[]
  /** Null: any number of refunds. */
  maxThresholdRefundCountDaily: number | null
  /** A person’s refunds of a payment above this sum wait for a second person. None: never. */
  refundApprovalAbove: {
    currency: string
    amount: number
  }[]
  refundProcessReceiverEmails: {
    emailAddress: string
  }[]
  /** Refund, mark-as-refund and mark-as-dispute need `otpCode`. */
  isTwoFactorAuthenticationEnabled: boolean
  /** They need it with an API key too. */
  requireOtpForApiKeys: boolean
  /** The address of the logo. */
  logo: string | null
  /** Payment links begin with it. */
  hostedPageBaseUrl: string
  /** The checkout has a host name of its own. */
  canRemoveHostedPageDomain: boolean
  /** How to prove a host name that is not proved yet. */
  hostProof: HostProof | null
  /** Where the DNS entry of such a host name leads to. */
  targetCName: string
  checkoutSlogan1: string | null
  checkoutSlogan2: string | null
  /** Null: a licence does not expire. */
  licenseExpirationTime: string | null
  licenseAmount: number | null
  licenseRenewCalculatedTime: string | null
  hasAppliance: boolean
  showFraudPolicyInDashboard: boolean
  /** IANA name. Decides when a day of the app begins. */
  timeZone: string
  /**
   * The day on which a month of the figures begins, in presets such as `this-month`, the overview and
   * exports.
   */
  monthStartsOn: number
  /** Days after their last payment until customers are erased. Null: they are kept. */
  personalDataDays: number | null
  /** Charges of stored cards that the card networks forbid are refused before the provider is called. */
  retryGuard: boolean
  /**
   * Money that arrives after a payment link has ended is kept: the failed payment becomes Captured. False: it
   * is given back.
   */
  acceptLatePayments: boolean
  /** Shown on the payer’s bank statement where the provider can, unless the payment has its own. */
  statementDescriptor: string | null
  branding: Branding
  emails: Emails
}

/** Each member plain or as { "value": … }. Absent or null: unchanged. */
export interface AppPatch {
  friendlyName?: string | null | {
    value?: string | null
  }
  paymentWebhookUrl?: string | null | {
    value?: string | null
  }
  webhookAuthorizationHeaderScheme?: string | null | {
    value?: string | null
  }
  webhookAuthorizationHeaderParameter?: string | null | {
    value?: string | null
  }
  defaultFraudPolicyId?: number | string | null | {
    value?: number | string | null
  }
  maxThresholdRefundCountDaily?: number | null | {
    value?: number | null
  }
  refundApprovalAbove?: {
    currency: string
    amount: number
  }[] | null | {
    value?: {
      currency: string
      amount: number
    }[] | null
  }
  refundProcessReceiverEmails?: (string | {
    emailAddress: string
  })[] | null | {
    value?: (string | {
      emailAddress: string
    })[] | null
  }
  logo?: string | null | {
    value?: string | null
  }
  isTwoFactorAuthenticationEnabled?: boolean | null | {
    value?: boolean | null
  }
  requireOtpForApiKeys?: boolean | null | {
    value?: boolean | null
  }
  timeZone?: string | null | {
    value?: string | null
  }
  monthStartsOn?: number | null | {
    value?: number | null
  }
  personalDataDays?: number | null | {
    value?: number | null
  }
  retryGuard?: boolean | null | {
    value?: boolean | null
  }
  acceptLatePayments?: boolean | null | {
    value?: boolean | null
  }
  statementDescriptor?: string | null | {
    value?: string | null
  }
  /** The profile that comes first for a currency. Never wrapped. */
  defaultRoutedProfile?: {
    currency: string
    /** Null: the currency has no default any more. */
    paymentProfileId?: number | string | null
  } | null
  branding?: {
    logo?: string | null | {
      value?: string | null
    }
    color?: string | null | {
      value?: string | null
    }
    slogan1?: string | null | {
      value?: string | null
    }
    slogan2?: string | null | {
      value?: string | null
    }
    support?: string | null | {
      value?: string | null
    }
    termsUrl?: string | null | {
      value?: string | null
    }
    privacyUrl?: string | null | {
      value?: string | null
    }
    locale?: string | null | {
      value?: string | null
    }
    theme?: string | null | {
      value?: string | null
    }
    showPoweredBy?: boolean | null | {
      value?: boolean | null
    }
  } | null
  emails?: {
    payer?: ('receipt' | 'refund' | 'payment-pending' | 'payment-failed' | 'method-added' | 'method-removed' | 'card-expiring')[] | null | {
      value?: ('receipt' | 'refund' | 'payment-pending' | 'payment-failed' | 'method-added' | 'method-removed' | 'card-expiring')[] | null
    }
    team?: ('endpoint-failing' | 'provider-degraded' | 'authorisations-ending' | 'settlements' | 'dispute')[] | null | {
      value?: ('endpoint-failing' | 'provider-degraded' | 'authorisations-ending' | 'settlements' | 'dispute')[] | null
    }
    fromName?: string | null | {
      value?: string | null
    }
    replyTo?: string | null | {
      value?: string | null
    }
    teamAddresses?: string[] | null | {
      value?: string[] | null
    }
  } | null
}

/** Each member plain or as { "value": … }. Absent or null: unchanged. */
export interface CheckoutPagePatch {
  domain?: string | null | {
    value?: string | null
  }
  checkoutSlogan1?: string | null | {
    value?: string | null
  }
  checkoutSlogan2?: string | null | {
    value?: string | null
  }
}

export interface CheckedHost {
  /** The host name is in effect. */
  isProven: boolean
  /** Neither the DNS entry nor the file was found, or another app proved the name before. */
  problem: 'not-found' | 'taken' | null
  /** Payment links begin with it. */
  hostedPageBaseUrl: string
}

export interface ClearedApp {
  /** Rows. */
  removedCount: number
  isCompleted: boolean
}

export interface ApiKey {
  keyId: string
  name: string
  /** The last four characters of the key. */
  hint: string
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  expiresTime: string | null
  revokedTime: string | null
  /** To the minute. */
  lastUsedTime: string | null
  /** Where it was used from then. */
  lastUsedAddress: string | null
  /** What the key may do. Null: full access. */
  scopes: string[] | null
  /** The person who made it in the console. Their one-time codes count for it. */
  createdBy: string | null
}

export interface ApiKeyInput {
  name?: string | null
  expiresTime?: string | null
  /**
   * What the key may do; other requests are refused with 403 `key_scope`. Absent or null: `read` alone. A
   * person can name only scopes whose permissions the own role has.
   */
  scopes?: ('read' | 'payments' | 'refunds' | 'reviews' | 'customers' | 'settings')[] | null
  /** True: everything that a key can do, instead of scopes. For owners, admins and keys with full access. */
  fullAccess?: boolean | null
}

export interface NewApiKey {
  keyId: string
  name: string
  /** The last four characters of the key. */
  hint: string
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  expiresTime: string | null
  revokedTime: string | null
  /** To the minute. */
  lastUsedTime: string | null
  /** Where it was used from then. */
  lastUsedAddress: string | null
  /** What the key may do. Null: full access. */
  scopes: string[] | null
  /** The person who made it in the console. Their one-time codes count for it. */
  createdBy: string | null
  /** Shown once. */
  apiKey: string
}

export interface RotateApiKeyInput {
  overlapSeconds?: number | null
}

export interface PaymentProfile {
  paymentProfileId: number
  paymentProfileName: string
  paymentMethodTypeString: string
  isActive: boolean
  currency: string
  paymentProvider: PaymentProvider
  provider: string
  /** Null: every currency the provider takes. */
  currencies: string[] | null
  methods: ('CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal' | 'ideal' | 'bancontact' | 'sepa-debit' | 'eps' | 'klarna' | 'blik' | 'przelewy24' | 'twint' | 'mb-way' | 'multibanco' | 'swish' | 'vipps' | 'mobilepay' | 'pix' | 'alipay' | 'wechat-pay' | 'cash-app' | 'afterpay' | 'link' | 'bank-transfer' | 'apple-pay' | 'google-pay')[]
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  providerInitialFee: number | null
  /** In percent. */
  providerPercentageFee: number | null
  appInitialFee: number | null
  /** In percent. */
  appPercentageFee: number | null
  /** Where the provider sends its notifications. */
  webhookUrl: string
  /** When the provider last accepted the settings. Null: not known, or they changed since. */
  acceptedTime: string | null
  /** When a genuine notification arrived last, to the minute. Null: none yet. */
  lastNotificationTime: string | null
  /** Which settings are set. Their values are never shown. */
  settings: {
    name: string
    label: string
    secret: boolean
    required: boolean
    isSet: boolean
  }[]
}

export interface CheckoutMethodGroup {
  checkoutMethod: 'CreditCard' | 'ElectronicCheck' | 'VerifiedPaymentMethod' | 'ProviderHostedPage'
  paymentCheckoutMethodItems: {
    paymentProfile: PaymentProfileSummary
    isSupportSubscription: boolean
    isSupportSinglePayment: boolean
    iconUri1: string
    iconUri2: string
  }[]
}

export interface PaymentProviderSetup {
  provider: string
  iconUri1: string
  iconUri2: string
  name: string
  /** The provider's own documentation. */
  docs: string
  methods: ('CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal' | 'ideal' | 'bancontact' | 'sepa-debit' | 'eps' | 'klarna' | 'blik' | 'przelewy24' | 'twint' | 'mb-way' | 'multibanco' | 'swish' | 'vipps' | 'mobilepay' | 'pix' | 'alipay' | 'wechat-pay' | 'cash-app' | 'afterpay' | 'link' | 'bank-transfer' | 'apple-pay' | 'google-pay')[]
  /** Null: any. */
  currencies: string[] | null
  /** Stored methods can be charged later. */
  isSupportSubscription: boolean
  /** Profiles of the app at this provider. */
  configuredCount: number
  /** What a new profile needs. */
  settings: {
    name: string
    label: string
    secret: boolean
    required: boolean
    help: string | null
  }[]
  /** Where the notification address is pasted at the provider. */
  connectHelp: string | null
}

export interface PaymentProfileFeePreview {
  paymentProfileId: number
  /** The sum of the others. */
  processingFee: number
  appFee: number
  /** Always 0. */
  secretFee: number
  providerFee: number
}

export interface PaymentProfileFee {
  providerInitialFee: number | null
  /** In percent. */
  providerPercentageFee: number | null
  appInitialFee: number | null
  /** In percent. */
  appPercentageFee: number | null
}

export interface PaymentProfileMethod {
  id:
    | 'CreditCard'
    | 'ElectronicCheck'
    | 'Crypto'
    | 'Paypal'
    | 'ideal'
    | 'bancontact'
    | 'sepa-debit'
    | 'eps'
    | 'klarna'
    | 'blik'
    | 'przelewy24'
    | 'twint'
    | 'mb-way'
    | 'multibanco'
    | 'swish'
    | 'vipps'
    | 'mobilepay'
    | 'pix'
    | 'alipay'
    | 'wechat-pay'
    | 'cash-app'
    | 'afterpay'
    | 'link'
    | 'bank-transfer'
    | 'apple-pay'
    | 'google-pay'
  /** In English. */
  name: string
  /** Whether the account at the provider has it turned on. Null: the provider does not tell. */
  isEnabledAtProvider: boolean | null
  /** The profile offers it, and the account does not lack it. */
  isOffered: boolean
  /** Empty: any. */
  currencies: string[]
  /** Where its payers live. Empty: anywhere. */
  countries: string[]
}

export interface PaymentProfileInput {
  provider: string
  paymentProfileName?: string | null
  name?: string | null
  methods?: ('CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal' | 'ideal' | 'bancontact' | 'sepa-debit' | 'eps' | 'klarna' | 'blik' | 'przelewy24' | 'twint' | 'mb-way' | 'multibanco' | 'swish' | 'vipps' | 'mobilepay' | 'pix' | 'alipay' | 'wechat-pay' | 'cash-app' | 'afterpay' | 'link' | 'bank-transfer' | 'apple-pay' | 'google-pay')[] | null
  currency: string
  currencies?: string[] | null
  isActive?: boolean | null
  settings?: {
    [name: string]: unknown
  } | null
  providerInitialFee?: number | null
  providerPercentageFee?: number | null
  appInitialFee?: number | null
  appPercentageFee?: number | null
}

/** Each member plain or as { "value": … }. */
export interface PaymentProfilePatch {
  paymentProfileName?: string | null | {
    value?: string | null
  }
  name?: string | null | {
    value?: string | null
  }
  methods?: ('CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal' | 'ideal' | 'bancontact' | 'sepa-debit' | 'eps' | 'klarna' | 'blik' | 'przelewy24' | 'twint' | 'mb-way' | 'multibanco' | 'swish' | 'vipps' | 'mobilepay' | 'pix' | 'alipay' | 'wechat-pay' | 'cash-app' | 'afterpay' | 'link' | 'bank-transfer' | 'apple-pay' | 'google-pay')[] | null | {
    value?: ('CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal' | 'ideal' | 'bancontact' | 'sepa-debit' | 'eps' | 'klarna' | 'blik' | 'przelewy24' | 'twint' | 'mb-way' | 'multibanco' | 'swish' | 'vipps' | 'mobilepay' | 'pix' | 'alipay' | 'wechat-pay' | 'cash-app' | 'afterpay' | 'link' | 'bank-transfer' | 'apple-pay' | 'google-pay')[] | null
  }
  currency?: string | null | {
    value?: string | null
  }
  currencies?: string[] | null | {
    value?: string[] | null
  }
  isActive?: boolean | null | {
    value?: boolean | null
  }
  settings?: {
    [name: string]: unknown
  } | null
  providerInitialFee?: number | null | {
    value?: number | null
  }
  providerPercentageFee?: number | null | {
    value?: number | null
  }
  appInitialFee?: number | null | {
    value?: number | null
  }
  appPercentageFee?: number | null | {
    value?: number | null
  }
}

export interface PaymentProfileCheck {
  ok: boolean
  /** What is wrong, in one sentence. */
  problem?: string
  /** The kind of the problem. */
  code?:
    | 'credentials'
    | 'permission'
    | 'unreachable'
    | 'busy'
    | 'no-answer'
    | 'not-found'
    | 'refused'
    | 'other-account'
    | 'not-ready'
  /** What was found to be right. Providers tell different parts. */
  tested?: ('credentials' | 'permissions' | 'account' | 'methods' | 'currency')[]
  /** The id of the account at the provider. */
  account?: string
  /** What works less well than it could, each in one sentence. */
  warnings?: string[]
}

export interface PaymentProfileConnection {
  isConnected: boolean
  webhookUrl: string
  /** What is left to do at the provider. */
  instructions?: string
}

export interface TeamRole {
  roleId: string
  roleName: string
  description: string | null
}

export interface TeamUser {
  userId: string
  email: string | null
  name: string | null
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  accessedTime: string | null
  isDisabled: boolean
  /** The person opened a link that was sent by e-mail, or came from the OpenID provider. */
  isEmailVerified: boolean
  isPhoneVerified: boolean
  /** A bot is an API key. */
  isBot: boolean
  description: string | null
}

export interface TeamUserRole {
  /** The app. Members belong to the licence, so both apps show the same. */
  resourceId: string
  userId: string
  role: TeamRole
  user: TeamUser
  /**
   * Shown once, for a person without membership. Valid for seven days. Absent where e-mails are set up: the
   * link then goes to the address alone.
   */
  invitationLink?: string
}

export interface OwnRoleBody {
  roleName: string
  /** The overview is always among them. People and licences stay with owners and administrators. */
  permissions: ('DashboardRead' | 'PaymentRead' | 'PaymentWrite' | 'PaymentRefund' | 'PaymentReview' | 'CustomerRead' | 'CustomerWrite' | 'CustomerErase' | 'GatewayListRead' | 'PaymentProfileWrite' | 'RoutingWrite' | 'FraudPolicyRead' | 'FraudPolicyWrite' | 'DeveloperRead' | 'DeveloperWrite' | 'RoleRead' | 'AuditRead' | 'SettlementRead' | 'SettlementWrite' | 'AppSettingRead' | 'AppSettingWrite')[]
}

export interface OwnRole {
  roleId: string
  roleName: string
  permissions: string[]
}

export interface RemovedRole {
  roleId: string
}

export interface RemovedUser {
  userId: string
}

export interface BotInput {
  name: string
}

export interface BotKey {
  accessToken: {
    /** The API key. Shown once. */
    value: string
    expirationTime: string | null
    scheme: string
    /** ISO 8601, UTC, with milliseconds. */
    issuedTime: string
  }
  refreshToken: null
  userId: string
}

/** The name plain or as { "value": … }. */
export interface BotPatch {
  name?: string | null | {
    value?: string | null
  }
}

export interface CurrentUser {
  userId: string
  email: string | null
  name: string | null
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  accessedTime: string | null
  isDisabled: boolean
  /** The person opened a link that was sent by e-mail, or came from the OpenID provider. */
  isEmailVerified: boolean
  isPhoneVerified: boolean
  /** A bot is an API key. */
  isBot: boolean
  description: string | null
  timeZone: string | null
  theme: string | null
  is2faActivate: boolean
}

/** Each member plain or as { "value": … }. Absent or null: unchanged. { "value": null } clears. */
export interface CurrentUserPatch {
  timeZone?: string | null | {
    value?: string | null
  }
  theme?: 'light' | 'dark' | 'auto' | null | {
    value?: 'light' | 'dark' | 'auto' | null
  }
}

export interface OwnApp {
  appId: string
  licenseId: string
  friendlyName: string
  isSandbox: boolean
  isActive: boolean
  isSetupCompleted: boolean
  isConnectFirstGateway: boolean
  hasFirstCapturePayment: boolean
  roleName: string
  /** Whether the person has a second factor. */
  is2faActivate: boolean
}

export interface SecondFactorState {
  isActive: boolean
  /** Shown once. Each replaces a code once. */
  recoveryCodes?: string[]
}

export interface PublicSettings {
  brand: string
  signinImageUri: string | null
  signinImageUri2: string | null
  signinSlogan: string | null
  /** People join by invitation only. */
  isSupportSignupProcess: boolean
  isSupportPaymentProfileEdit: boolean
  isSupportLicenseManagement: boolean
  isSupportCustomizeCheckout: boolean
  signinTermsAndConditionUrl: string | null
  signinPrivacyUrl: string | null
  signinTermsAndCondition: string | null
}

export interface CustomerActivity {
  activityLogId: string
  activityLogType:
    | 'Blocked'
    | 'Unblocked'
    | 'PolicyChanged'
    | 'PolicyReset'
    | 'DetailsChanged'
    | 'MethodAdded'
    | 'MethodRemoved'
    | 'Erased'
    | 'FraudDecision'
  customerId: string
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  data: {
    [name: string]: unknown
  } | null
  actor: {
    kind: string
    id: string
    name: string
  } | null
}

export interface CustomerInput {
  /** The merchant's identifier. Unique within the app. */
  customerId: string
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  mobileNumber?: string | null
  mobile?: string | null
  phoneNumber?: string | null
  fraudPolicyId?: number | string | null
}

export interface Customer {
  customerId: string
  firstName: string | null
  lastName: string | null
  email: string | null
  mobileNumber: string | null
  fraudPolicyId: number | null
  isBlocked: boolean
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  /** When personal data was erased. */
  erasedTime: string | null
  app: {
    appId: string
    friendlyName: string
    isSandbox: boolean
    isBlocked: boolean
    /** ISO 8601, UTC, with milliseconds. */
    createdTime: string
  }
}

/** Each member plain or as { "value": … }. Absent or null: unchanged. { "value": null } clears. */
export interface CustomerPatch {
  firstName?: string | null | {
    value?: string | null
  }
  lastName?: string | null | {
    value?: string | null
  }
  email?: string | null | {
    value?: string | null
  }
  mobileNumber?: string | null | {
    value?: string | null
  }
  mobile?: string | null | {
    value?: string | null
  }
  phoneNumber?: string | null | {
    value?: string | null
  }
  fraudPolicyId?: number | string | null | {
    value?: number | string | null
  }
  isBlocked?: boolean | null | {
    value?: boolean | null
  }
}

export interface StoredPaymentMethod {
  paymentMethodId: number
  paymentMethodType: 'CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal'
  /** Masked. */
  paymentMethodNumber: string
  isDefault: boolean
  cardBrand?: string
  cardType?: string
  cardExpiryMonth?: number
  cardExpiryYear?: number
  nickname?: string
  verificationState: string
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  /** When its token was imported from elsewhere. */
  importedTime?: string
  providerProfiles: {
    paymentMethodProviderProfileId: number
    profileId: number
    profileName: string
    provider: string
  }[]
}

export interface MethodImport {
  /** An integer, also accepted as a numeric string. */
  paymentProfileId: number | string
  /** As the guide to moving in has it for each provider. Never a card number. */
  token: string
  consentTime: string
  /** What the customer agreed to, or a name of that text and its version. */
  consentText: string
}

/** The webhook, as it is sent. */
export interface Event {
  type: string
  eventId: string
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  sequence: number
  /** What it is about: `payment`, `refund` or `dispute`. */
  kind?: string
  /** The whole Payment as it was at that change. */
  payment?: Payment
}

export interface WebhookAttempt {
  /** Counts from 1. */
  attempt: number
  /** ISO 8601, UTC, with milliseconds. */
  time: string
  /** Null when no answer came. */
  httpStatus: number | null
  latencyMs: number
  /** What went wrong, in words; null when the endpoint answered 2xx. */
  error: string | null
  /** The first 4 KiB of the answer, secrets masked. Not in lists. */
  response?: string | null
  nextTryTime: string | null
}

export interface WebhookDelivery {
  /** Also the `webhook-id` of every try. */
  eventId: string
  type: string
  /** Null for a test. */
  paymentId: number | null
  paymentState: string | null
  sequence: number
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  /** ISO 8601, UTC, with milliseconds. */
  queuedTime: string
  /** Where it goes, without the query. */
  url: string | null
  /** The further endpoint that it goes to. Absent: the first one. */
  endpointId?: string
  status: 'pending' | 'delivered' | 'exhausted' | 'dropped'
  nextTryTime: string | null
  attempts: WebhookAttempt[]
}

export interface Resent {
  resent: number
}

export interface WebhookEndpoint {
  endpointId: string
  /** It is the webhook address of the app, also in its settings. */
  isFirst: boolean
  url: string
  authorizationHeaderScheme: string | null
  /** Masked: only whether one is set. */
  authorizationHeaderParameter: string | null
  /** The states whose events it receives. Null: all. */
  states: string[] | null
  /** The kinds of events that it receives. Null: all. */
  kinds: string[] | null
  /** It collects its events, for 30 days at most. */
  isPaused: boolean
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  /** Null: none. As in `webhookHealth` of the app. */
  trouble: {
    status: 'failing' | 'paused' | 'disabled'
    /** ISO 8601, UTC, with milliseconds. */
    since: string
    /** In a row. */
    failures: number
    lastError: string
    nextTryTime: string | null
  } | null
}

export interface WebhookEndpointInput {
  url: string
  /** Absent, null or empty: every state. */
  states?: ('Created' | 'Authorized' | 'Authorizing' | 'Approved' | 'Capturing' | 'Captured' | 'Failed' | 'Disputed' | 'SaleInProgress' | 'ProviderAuthorizedHold' | 'Cancelling' | 'CapturedHold' | 'Refunded' | 'Refunding')[] | null
  /**
   * Absent, null or empty: every kind. An event must be of a chosen kind and state. `payment`: it is made,
   * paid, held, captured, cancelled or failed; `refund`: a refund is asked for, done or refused, or the
   * payer's bank returned a debit; `dispute`: a dispute was opened, changed or decided.
   */
  kinds?: ('payment' | 'refund' | 'dispute')[] | null
  isPaused?: boolean | null
  authorizationHeaderScheme?: string | null | {
    value?: string | null
  }
  authorizationHeaderParameter?: string | null | {
    value?: string | null
  }
}

export interface NewWebhookEndpoint {
  endpointId: string
  /** It is the webhook address of the app, also in its settings. */
  isFirst: boolean
  url: string
  authorizationHeaderScheme: string | null
  /** Masked: only whether one is set. */
  authorizationHeaderParameter: string | null
  /** The states whose events it receives. Null: all. */
  states: string[] | null
  /** The kinds of events that it receives. Null: all. */
  kinds: string[] | null
  /** It collects its events, for 30 days at most. */
  isPaused: boolean
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  /** Null: none. As in `webhookHealth` of the app. */
  trouble: {
    status: 'failing' | 'paused' | 'disabled'
    /** ISO 8601, UTC, with milliseconds. */
    since: string
    /** In a row. */
    failures: number
    lastError: string
    nextTryTime: string | null
  } | null
  /** Signs what is sent to it. Shown once. */
  secret: string
}

/** Each member plain or as { "value": … }. Absent or null: unchanged. Empty `states` or `kinds`: all. */
export interface WebhookEndpointPatch {
  url?: string | null | {
    value?: string | null
  }
  states?: ('Created' | 'Authorized' | 'Authorizing' | 'Approved' | 'Capturing' | 'Captured' | 'Failed' | 'Disputed' | 'SaleInProgress' | 'ProviderAuthorizedHold' | 'Cancelling' | 'CapturedHold' | 'Refunded' | 'Refunding')[] | null | {
    value?: ('Created' | 'Authorized' | 'Authorizing' | 'Approved' | 'Capturing' | 'Captured' | 'Failed' | 'Disputed' | 'SaleInProgress' | 'ProviderAuthorizedHold' | 'Cancelling' | 'CapturedHold' | 'Refunded' | 'Refunding')[] | null
  }
  kinds?: ('payment' | 'refund' | 'dispute')[] | null | {
    value?: ('payment' | 'refund' | 'dispute')[] | null
  }
  isPaused?: boolean | null | {
    value?: boolean | null
  }
  authorizationHeaderScheme?: string | null | {
    value?: string | null
  }
  authorizationHeaderParameter?: string | null | {
    value?: string | null
  }
}

export interface WebhookEndpointSecret {
  /** Shown once. */
  secret: string
  /** ISO 8601, UTC, with milliseconds. */
  previousValidUntil: string
}

export interface FraudPolicy {
  fraudPolicyId: number
  isDefault: boolean
  version: number
  name: string
  rules: {
    action:
      | 'HoldPayment'
      | 'RejectPayment'
      | 'BlockCustomer'
      | 'RequestExemption'
      | 'RequestChallenge'
      | 'RequireChallenge'
    measure:
      | 'PaymentCount'
      | 'ProviderRejectCount'
      | 'TotalAmount'
      | 'DistinctCard'
      | 'SingleAmount'
      | 'ProviderRiskScore'
    period: 'Daily' | 'Weekly' | 'Monthly'
    periodCount: number
    threshold: number
    currency: string | null
    paymentProfiles: number[] | null
    message: string | null
  }[]
  firewall: {
    allowedCountries: string[]
    blockedCountries: string[]
    allowedAddresses: string[]
    blockedAddresses: string[]
    matchCardCountry: boolean
    maxRiskScore: number | null
    whenUnavailable: 'Accept' | 'Reject'
    message: string | null
  }
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
}

export interface PaymentMethodPolicyRuleMetadata {
  paymentMethodAddCategory: 'CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal'
  paymentMethodRuleItems: {
    /** Added in the customer panel without a charge, or with a payment. */
    paymentMethodAddMode: 'CustomerPanel' | 'Payment'
    paymentMethodVerificationTypes: ('Provider' | 'MicroDeposit')[]
    paymentProfile: PaymentProfileSummary
  }[]
}

export interface FraudPolicyVersion {
  version: number
  change: 'Created' | 'Changed' | 'Deleted'
  /** ISO 8601, UTC, with milliseconds. */
  changedTime: string
  changedBy: {
    keyId: string | null
    name: string | null
  } | null
  name: string
  rules: {
    action:
      | 'HoldPayment'
      | 'RejectPayment'
      | 'BlockCustomer'
      | 'RequestExemption'
      | 'RequestChallenge'
      | 'RequireChallenge'
    measure:
      | 'PaymentCount'
      | 'ProviderRejectCount'
      | 'TotalAmount'
      | 'DistinctCard'
      | 'SingleAmount'
      | 'ProviderRiskScore'
    period: 'Daily' | 'Weekly' | 'Monthly'
    periodCount: number
    threshold: number
    currency: string | null
    paymentProfiles: number[] | null
    message: string | null
  }[]
  firewall: {
    allowedCountries: string[]
    blockedCountries: string[]
    allowedAddresses: string[]
    blockedAddresses: string[]
    matchCardCountry: boolean
    maxRiskScore: number | null
    whenUnavailable: 'Accept' | 'Reject'
    message: string | null
  }
}

export interface FraudPolicyInput {
  name: string
  /** Applies to every payment that names no other policy. */
  isDefault?: boolean | null
  rules?: {
    /**
     * The last three ask for 3-D Secure, for card payments with the payer present. `RequireChallenge` rejects
     * the payment if no profile can ask.
     */
    action:
      | 'HoldPayment'
      | 'RejectPayment'
      | 'BlockCustomer'
      | 'RequestExemption'
      | 'RequestChallenge'
      | 'RequireChallenge'
    /**
     * PaymentCount: payments of the customer, this one included, that are being paid or were paid.
     * ProviderRejectCount: attempts of the customer that a provider declined. TotalAmount: amount of the
     * customer's payments, this one included, in the currency of this one. DistinctCard: different cards that
     * the customer tried. SingleAmount: amount of this payment. ProviderRiskScore: the provider's own risk
     * score of this payment.
     */
    measure:
      | 'PaymentCount'
      | 'ProviderRejectCount'
      | 'TotalAmount'
      | 'DistinctCard'
      | 'SingleAmount'
      | 'ProviderRiskScore'
    /** Rolling: 24 hours, 7 or 30 days. Daily when not given. */
    period?: 'Daily' | 'Weekly' | 'Monthly' | null
    /** How many periods; 1 when not given. */
    periodCount?: number | null
    /** Decimal in major units, as a number or as a string. */
    threshold: number | string
    /** Null: any. */
    currency?: string | null
    /** Null or empty: all. */
    paymentProfiles?: (number | string)[] | null
    /** For the payer, when the rule stops the payment. */
    message?: string | null
  }[] | null
  firewall?: {
    allowedCountries?: string[] | null
    blockedCountries?: string[] | null
    /** IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24. */
    allowedAddresses?: string[] | null
    /** IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24. */
    blockedAddresses?: string[] | null
    /** The card must come from the country of the customer's address. */
    matchCardCountry?: boolean | null
    maxRiskScore?: number | null
    /** When something to be checked is not known. */
    whenUnavailable?: 'Accept' | 'Reject' | null
    message?: string | null
  } | null
}

/** What is absent or null stays; rules and firewall are replaced whole. */
export interface FraudPolicyPatch {
  name?: string | null
  /** Applies to every payment that names no other policy. */
  isDefault?: boolean | null
  rules?: {
    /**
     * The last three ask for 3-D Secure, for card payments with the payer present. `RequireChallenge` rejects
     * the payment if no profile can ask.
     */
    action:
      | 'HoldPayment'
      | 'RejectPayment'
      | 'BlockCustomer'
      | 'RequestExemption'
      | 'RequestChallenge'
      | 'RequireChallenge'
    /**
     * PaymentCount: payments of the customer, this one included, that are being paid or were paid.
     * ProviderRejectCount: attempts of the customer that a provider declined. TotalAmount: amount of the
     * customer's payments, this one included, in the currency of this one. DistinctCard: different cards that
     * the customer tried. SingleAmount: amount of this payment. ProviderRiskScore: the provider's own risk
     * score of this payment.
     */
    measure:
      | 'PaymentCount'
      | 'ProviderRejectCount'
      | 'TotalAmount'
      | 'DistinctCard'
      | 'SingleAmount'
      | 'ProviderRiskScore'
    /** Rolling: 24 hours, 7 or 30 days. Daily when not given. */
    period?: 'Daily' | 'Weekly' | 'Monthly' | null
    /** How many periods; 1 when not given. */
    periodCount?: number | null
    /** Decimal in major units, as a number or as a string. */
    threshold: number | string
    /** Null: any. */
    currency?: string | null
    /** Null or empty: all. */
    paymentProfiles?: (number | string)[] | null
    /** For the payer, when the rule stops the payment. */
    message?: string | null
  }[] | null
  firewall?: {
    allowedCountries?: string[] | null
    blockedCountries?: string[] | null
    /** IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24. */
    allowedAddresses?: string[] | null
    /** IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24. */
    blockedAddresses?: string[] | null
    /** The card must come from the country of the customer's address. */
    matchCardCountry?: boolean | null
    maxRiskScore?: number | null
    /** When something to be checked is not known. */
    whenUnavailable?: 'Accept' | 'Reject' | null
    message?: string | null
  } | null
}

export interface FraudSimulation {
  fraudPolicyId: number
  /** ISO 8601, UTC, with milliseconds. */
  from: string
  /** ISO 8601, UTC, with milliseconds. */
  to: string
  /** Payments with an attempt in that time. */
  payments: number
  /** False: there were more payments than are looked at. */
  isComplete: boolean
  stopped: {
    count: number
    byDecision: {
      Hold: number
      Reject: number
      Block: number
    }
    byCurrency: {
      currency: string
      count: number
      amount: number
    }[]
    /** Stopped payments that were refunded later. */
    laterRefunded: number
    /** Stopped payments that were disputed later. */
    laterDisputed: number
  }
  /** Payments that are not stopped, by what is asked of 3-D Secure. */
  threeDSecure: {
    RequestExemption: number
    RequestChallenge: number
    RequireChallenge: number
  }
  byRule: {
    rule: number | null
    name: string
    violated: number
  }[]
  examples: {
    paymentId: number
    decision: 'Accept' | 'Hold' | 'Reject' | 'Block'
    /** Those that were violated. */
    checks: {
      /** Before the provider was called, or after it approved. */
      stage: 'Before' | 'After'
      /** The measure of a rule, or what the firewall looked at. */
      name: string
      rule: number | null
      action: string
      seen: string | null
      limit: string
      allowed: string[] | null
      blocked: string[] | null
      currency: string | null
      period: 'Daily' | 'Weekly' | 'Monthly' | null
      periodCount: number | null
      result: 'Passed' | 'Violated' | 'NotKnown' | 'NotApplicable'
      explanation: string
    }[]
    explanation: string
  }[]
}

export interface BlockEntry {
  entryId: number
  kind: 'Card' | 'Email' | 'EmailDomain' | 'Address' | 'Customer' | 'Country'
  /** Null: erased with the data of its customer. The entry still applies. */
  value: string | null
  reason: string | null
  /** The payment that it was taken from. */
  paymentId: number | null
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  /** The person or the API key. */
  createdBy: string | null
  endTime: string | null
  /**
   * Payments that meet the entry are let through without the checks of a policy, instead of being stopped.
   */
  isAllowed: boolean
}

export interface BlockEntryInput {
  kind: 'Card' | 'Email' | 'EmailDomain' | 'Address' | 'Customer' | 'Country'
  /**
   * A card as brand, last digits and expiry (`visa 4242 12/2030`), an e-mail address, a domain, an IP address
   * or range, the id of a customer, or a two-letter country code.
   */
  value: string
  reason?: string | null
  /** In the future. Null: it has no end. */
  endTime?: string | null
  /**
   * Payments that meet the entry are let through without the checks of a policy, instead of being stopped.
   */
  isAllowed?: boolean
}

export interface Routing {
  defaultProfiles: {
    currency: string
    paymentProfileId: number
  }[]
  routes: {
    name: string | null
    currency: string | null
    method: string | null
    minAmount: number | null
    maxAmount: number | null
    countries: string[] | null
    brands: string[] | null
    threeDSecure?: 'RequestExemption' | 'RequestChallenge' | 'RequireChallenge'
    profiles: {
      paymentProfileId: number
      weight: number | null
    }[]
  }[]
  noFailoverAfter: string[]
  health: {
    paymentProfileId: number
    paymentProfileName: string
    trouble: {
      explanation: string
      /** ISO 8601, UTC, with milliseconds. */
      probedTime: string
    } | null
  }[]
}

export interface RoutingInput {
  /** The profile that comes first for a currency where no route says otherwise. */
  defaultProfiles?: {
    currency: string
    /** An integer, also accepted as a numeric string. */
    paymentProfileId: number | string
  }[] | null
  /** The first whose conditions are met decides. What is absent or null is no condition. */
  routes?: {
    name?: string | null
    currency?: string | null
    method?:
      | 'CreditCard'
      | 'ElectronicCheck'
      | 'Crypto'
      | 'Paypal'
      | 'ideal'
      | 'bancontact'
      | 'sepa-debit'
      | 'eps'
      | 'klarna'
      | 'blik'
      | 'przelewy24'
      | 'twint'
      | 'mb-way'
      | 'multibanco'
      | 'swish'
      | 'vipps'
      | 'mobilepay'
      | 'pix'
      | 'alipay'
      | 'wechat-pay'
      | 'cash-app'
      | 'afterpay'
      | 'link'
      | 'bank-transfer'
      | 'apple-pay'
      | 'google-pay'
      | null
    minAmount?: number | string | null
    maxAmount?: number | string | null
    /** Of the customer's address. */
    countries?: string[] | null
    /** Known for stored cards. */
    brands?: string[] | null
    /** Asked for card payments that meet the conditions, at any profile. */
    threeDSecure?: 'RequestExemption' | 'RequestChallenge' | 'RequireChallenge' | null
    profiles: {
      /** An integer, also accepted as a numeric string. */
      paymentProfileId: number | string
      weight?: number | null
    }[]
  }[] | null
  /** Causes after which no other profile is tried. Absent or null: none. */
  noFailoverAfter?: ('not-sent' | 'rate-limited' | 'bad-credentials' | 'unsupported' | 'issuer-unavailable' | 'processing-error' | 'card-not-supported' | 'currency-not-supported')[] | null
}

export interface RoutingExplanation {
  profiles: {
    place: number
    paymentProfileId: number
    paymentProfileName: string
    method: string
    reasons: string[]
  }[]
  excluded: {
    paymentProfileId: number
    method: string
    reason: string
  }[]
}

/** A refund that needs the yes of a second person. */
export interface RefundApproval {
  approvalId: string
  paymentId: number
  amount: number
  currency: string
  reason: string | null
  state: 'open' | 'approved' | 'refused'
  askedBy: string
  askedTime: string
  decidedBy: string | null
  decidedTime: string | null
}

export interface Payment {
  appId: string
  paymentId: number
  paymentState:
    | 'Created'
    | 'Authorized'
    | 'Authorizing'
    | 'Approved'
    | 'Capturing'
    | 'Captured'
    | 'Failed'
    | 'Disputed'
    | 'SaleInProgress'
    | 'ProviderAuthorizedHold'
    | 'Cancelling'
    | 'CapturedHold'
    | 'Refunded'
    | 'Refunding'
  paymentStateId: number
  amount: number
  capturedAmount: number
  refundedAmount: number
  referenceId: string
  currency: string
  autoCapture: boolean
  paymentFlow: 'HostedPage' | 'Direct' | 'ProviderHostedPage' | 'AutoPayment'
  autoPayment: 'None' | 'Register' | 'Use'
  fraudStatus: 'Unknown' | 'Verified' | 'RuleViolated' | 'Suspicious' | 'Fraudulent' | 'Ignored'
  /** The secret part of the address of the checkout page. */
  paymentKey: string
  /** While the payment can still be paid on a page. */
  redirectUrl?: string
  returnUrl?: string
  webhookUrl?: string
  customerId: string
  payerIp: string | null
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  expirationTime: string | null
  /** Of a slow method while it is in progress: until when the result may take. */
  expectedTime?: string
  customerOrder: {
    [name: string]: unknown
  }
  fraudPolicyId: number | null
  fraudPolicyName: string | null
  /** The stored method that was charged, or the id of a method by name. */
  paymentMethodId:
    | number
    | 'ideal'
    | 'bancontact'
    | 'sepa-debit'
    | 'eps'
    | 'klarna'
    | 'blik'
    | 'przelewy24'
    | 'twint'
    | 'mb-way'
    | 'multibanco'
    | 'swish'
    | 'vipps'
    | 'mobilepay'
    | 'pix'
    | 'alipay'
    | 'wechat-pay'
    | 'cash-app'
    | 'afterpay'
    | 'link'
    | 'bank-transfer'
    | 'apple-pay'
    | 'google-pay'
    | null
  /** In English. Only of a method by name and of a card in a wallet. */
  paymentMethodName?: string
  paymentMethodProviderProfileId: number | null
  /** Only if it was asked for, or the provider reports it. */
  threeDSecure?: {
    /** What the provider was asked for; null: nothing. */
    requested: 'challenge' | 'exemption' | null
    /**
     * `authenticated`: in one of the two ways, and the provider does not say which. `attempted`: the bank
     * takes no part, and the scheme confirms the attempt. `not-authenticated`: not completed.
     * `not-supported`: by the card, or by the provider. Null: not known.
     */
    result:
      | 'authenticated-by-challenge'
      | 'frictionless'
      | 'authenticated'
      | 'attempted'
      | 'exempted'
      | 'not-authenticated'
      | 'failed'
      | 'not-supported'
      | null
    /** Of the protocol. */
    version: string | null
    /** Whether the payer's bank is liable for fraud; null: the provider does not say. */
    liabilityShift: boolean | null
  }
  /** Why it ended in Failed. */
  failure: {
    code:
      | 'declined'
      | 'expired'
      | 'cancelled'
      | 'authorization_expired'
      | 'fraud_rejected'
      | 'provider_rejected'
      | 'retry_forbidden'
    message: string
    declineCode?: string
    /**
     * `never`: the card networks forbid another charge of this card. `later`: it may succeed from
     * `retryAfter` on. `after-customer-acts`: the customer has to pay again or to enter other details.
     * `unspecified`: the provider does not say.
     */
    retry: 'never' | 'later' | 'after-customer-acts' | 'unspecified'
    /** With `later`: not before then. */
    retryAfter: string | null
  } | null
  /** The last problem, in words for the merchant. */
  lastError: string | null
  canCapture: boolean
  canCaptured: boolean
  canCancel: boolean
  canRefund: boolean
  canUnhold: boolean
  canRecheck: boolean
  canMarkAsRefund: boolean
  canMarkAsDispute: boolean
  feeBreakdown: {
    totalAmount: number
    netAmount: number
    appFee: number
    providerFee: number
    currency: string
    isProviderFeeActual: boolean
  } | null
  /** The first of `disputes`. */
  dispute: {
    /** The provider's id. */
    disputeId: string
    state: 'open' | 'won' | 'lost'
    /** The disputed amount; null: all that was captured. */
    amount: number | null
    /** The provider's reason code. */
    reason: string | null
    /** Until when evidence can be sent. */
    evidenceDueTime: string | null
    /** The provider's page about the dispute. */
    providerUrl: string | null
    /** The provider takes a refund while this dispute is open. */
    canRefund: boolean
    /**
     * True, or absent. The dispute was lost, and then it was not: the money is with the merchant again, while
     * the payment stays Refunded with the amount in `refundedAmount`.
     */
    isWonLate?: boolean
  } | null
  /** Every dispute of the payment: open ones first, then lost ones. */
  disputes: {
    /** The provider's id. */
    disputeId: string
    state: 'open' | 'won' | 'lost'
    /** The disputed amount; null: all that was captured. */
    amount: number | null
    /** The provider's reason code. */
    reason: string | null
    /** Until when evidence can be sent. */
    evidenceDueTime: string | null
    /** The provider's page about the dispute. */
    providerUrl: string | null
    /** The provider takes a refund while this dispute is open. */
    canRefund: boolean
    /**
     * True, or absent. The dispute was lost, and then it was not: the money is with the merchant again, while
     * the payment stays Refunded with the amount in `refundedAmount`.
     */
    isWonLate?: boolean
  }[]
  payInfo?: {
    providerReferenceId: string | null
    authorizeId: string | null
    captureId: string | null
    providerFee: number | null
    paymentProfile: {
      paymentProfileId: number
      paymentProfileName: string
      paymentMethodTypeString: string | null
      isActive: boolean
      currency: string
      paymentProvider: {
        provider: string
        iconUri1: string
        iconUri2: string
      }
    }
    payer: {
      fullName: string | null
      email: string | null
      country: string | null
      card: {
        cardBrand: string | null
        cardType: string | null
        cardExpiryMonth: number | null
        cardExpiryYear: number | null
        cardLast4: string | null
        cardCountry: string | null
      } | null
    }
    card: {
      cardBrand: string | null
      cardType: string | null
      cardExpiryMonth: number | null
      cardExpiryYear: number | null
      cardLast4: string | null
      cardCountry: string | null
    } | null
    checks: {
      address?: 'pass' | 'fail'
      postalCode?: 'pass' | 'fail'
      cvc?: 'pass' | 'fail'
      threeDSecure?: 'authenticated' | 'attempted' | 'failed'
    } | null
    /** The card network's code of the last decline. */
    networkDeclineCode: string | null
    /** Where the customer claims a refund that is on its way. */
    refundClaimUrl: string | null
  }
  /** What the provider has settled. Only when a payment is read, in apps with a source. */
  settlement?: {
    state: 'unsettled' | 'settled' | 'paid-out' | 'difference'
    payoutId: number | null
    paidOutTime: string | null
    /** What was settled less what Tender expects; 0: they agree. */
    difference: number
  } | null
}

export interface CustomerOrder {
  customer: {
    customerId: string
    firstName?: string | null
    lastName?: string | null
    email?: string | null
    phoneNumber?: string | null
    mobileNumber?: string | null
    address?: {
      streetAddressLine1?: string | null
      streetAddressLine2?: string | null
      zipCode?: string | null
      city?: string | null
      state?: string | null
      country?: string | null
      countryCode?: string | null
    } | null
    accountCreatedTime?: string | null
    customId?: string | null
  }
  orderId?: string | null
  description?: string | null
  amount?: {
    total?: number | string | null
    shipping?: number | string | null
    totalTax?: number | string | null
    discount?: number | string | null
    handling?: number | string | null
    insurance?: number | string | null
    items?: {
      name: string
      /** Decimal in major units, as a number or as a string. */
      amount: number | string
      quantity: number | string
      category: 'DigitalGoods' | 'PhysicalGoods'
      sku?: string | null
      tax?: number | string | null
      description?: string | null
    }[] | null
  } | null
  items?: {
    name?: string | null
    amount?: number | string | null
    quantity?: number | string | null
    category?: 'DigitalGoods' | 'PhysicalGoods' | 'Service' | null
    sku?: string | null
    tax?: number | string | null
    description?: string | null
  }[] | null
}

export interface PaymentStateLog {
  /** The place of the state, from 1. */
  paymentStateLogId: number
  paymentState: string
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  lastError: string | null
}

export interface PaymentProviderLogData {
  paymentId: string
  /** What the request was for: a step of the payment, or `read`. */
  method: string
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  paymentGateway: string | null
  /** The request and the reply, masked. */
  message: unknown
  /** The reply or what went wrong; null after a success. */
  error: unknown
}

export interface PaymentProviderFullInfo {
  /** JSON text: the newest reply about the payment, masked; null when there is none in the log. */
  providerInfo: string | null
}

export interface PaymentProviderPaymentLinkInfo {
  /** The payment in the dashboard of the provider. */
  orderUrl: string | null
  /** What the provider calls the id. */
  orderField: string | null
  orderValue: string | null
}

export interface PaymentAttempt {
  attempt: number
  /** ISO 8601, UTC, with milliseconds. */
  time: string
  paymentProfileId: number
  paymentProfileName: string | null
  paymentMethodType: 'CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal' | 'ProviderHostedPage'
  /** Of a method by name: `ideal`. */
  paymentMethodId?:
    | 'ideal'
    | 'bancontact'
    | 'sepa-debit'
    | 'eps'
    | 'klarna'
    | 'blik'
    | 'przelewy24'
    | 'twint'
    | 'mb-way'
    | 'multibanco'
    | 'swish'
    | 'vipps'
    | 'mobilepay'
    | 'pix'
    | 'alipay'
    | 'wechat-pay'
    | 'cash-app'
    | 'afterpay'
    | 'link'
    | 'bank-transfer'
    | 'apple-pay'
    | 'google-pay'
  status: 'Running' | 'Waiting' | 'Approved' | 'Declined' | 'NotDone' | 'GivenUp'
  /** The outcome in words. */
  explanation: string
  declineCode: string | null
  providerCode: string | null
  retry: 'never' | 'later' | 'after-customer-acts' | 'unspecified' | null
  retryAfter: string | null
  undone: {
    status: 'Running' | 'Done' | 'Refused'
    explanation: string
    /** ISO 8601, UTC, with milliseconds. */
    time: string
  } | null
}

export interface FraudVerdicts {
  paymentId: number
  fraudStatus: string
  verdicts: {
    attempt: number
    /** ISO 8601, UTC, with milliseconds. */
    time: string
    fraudPolicyId: number | null
    fraudPolicyName: string | null
    version: number | null
    paymentProfileId: number
    decision: 'Accept' | 'Hold' | 'Reject' | 'Block'
    checks: {
      /** Before the provider was called, or after it approved. */
      stage: 'Before' | 'After'
      /** The measure of a rule, or what the firewall looked at. */
      name: string
      rule: number | null
      action: string
      seen: string | null
      limit: string
      allowed: string[] | null
      blocked: string[] | null
      currency: string | null
      period: 'Daily' | 'Weekly' | 'Monthly' | null
      periodCount: number | null
      result: 'Passed' | 'Violated' | 'NotKnown' | 'NotApplicable'
      explanation: string
    }[]
  }[]
}

export interface PaymentSummary {
  paymentId: number
  paymentProvider: {
    provider: string
    iconUri1: string
    iconUri2: string
  } | null
  currency: string
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  paymentStateId: number
  paymentState:
    | 'Created'
    | 'Authorized'
    | 'Authorizing'
    | 'Approved'
    | 'Capturing'
    | 'Captured'
    | 'Failed'
    | 'Disputed'
    | 'SaleInProgress'
    | 'ProviderAuthorizedHold'
    | 'Cancelling'
    | 'CapturedHold'
    | 'Refunded'
    | 'Refunding'
  amount: number
  customerId: string
  redactedPayerPaymentMethodNumber: string | null
  autoPayment: 'None' | 'Register' | 'Use'
}

export interface PaymentOverview {
  /** ISO 8601, UTC, with milliseconds. */
  from: string
  /** ISO 8601, UTC, with milliseconds. */
  to: string
  granularity: 'hour' | 'day' | 'month'
  kpi: {
    /** In percent, 0 to 100. */
    approvalRate: number
    capturedCount: number
    totalAttempts: number
    declinedCount: number
    fraudBlockedCount: number
  }
  previousKpi: {
    /** In percent, 0 to 100. */
    approvalRate: number
    capturedCount: number
    totalAttempts: number
    declinedCount: number
    fraudBlockedCount: number
  }
  volumeSeries: {
    label: string
    /** `2026-11-15T12`, `2026-11-15` or `2026-11`. */
    dateKey: string
    capturedCount: number
    declinedCount: number
  }[]
  paymentStates: {
    state:
      | 'Created'
      | 'Authorized'
      | 'Authorizing'
      | 'Approved'
      | 'Capturing'
      | 'Captured'
      | 'Failed'
      | 'Disputed'
      | 'SaleInProgress'
      | 'ProviderAuthorizedHold'
      | 'Cancelling'
      | 'CapturedHold'
      | 'Refunded'
      | 'Refunding'
    count: number
  }[]
  providerStats: {
    providerName: string
    currency: string
    transactionCount: number
    /** Captured. */
    grossVolume: number
    fees: number
    /** In percent, 0 to 100. */
    approvalRate: number
    /** In percent, 0 to 100. */
    shareOfVolume: number
  }[]
  currencyStats: {
    currency: string
    /** Captured. */
    volume: number
    paymentCount: number
    fees: number
    /** The sum of payments that a fraud policy rejected. */
    fraudProtectedAmount: number
  }[]
  declinedByCurrency: {
    currency: string
    count: number
    amount: number
  }[]
  fraud: {
    paymentsBlocked: number
    customersBlocked: number
  }
  failedCharges: {
    failed: number
    /**
     * Followed within 14 days by a captured payment of the same customer: for the same order, or for the same
     * amount where one of them has no order.
     */
    recovered: number
    /** Refused by network rules: `retry_forbidden`. */
    forbidden: number
    /** False: only the newest 2,000 are counted. */
    isWhole: boolean
    byRetry: {
      /** The `failure.retry` of these. */
      retry: 'never' | 'later' | 'after-customer-acts' | 'unspecified'
      failed: number
      /**
       * Followed within 14 days by a captured payment of the same customer: for the same order, or for the
       * same amount where one of them has no order.
       */
      recovered: number
      /** Refused by network rules: `retry_forbidden`. */
      forbidden: number
    }[]
  }
}

export interface PaymentDashboard {
  providerIncomes: {
    provider: string
    paymentProfileId: number
    currency: string
    recordCount: number
    /** Captured less refunded. */
    incomeAmount: number
  }[]
  providerCurrencies: {
    provider: string
    paymentProfileId: number
    currency: string
    recordCount: number
    totalAmount: number
  }[]
  paymentCurrencies: {
    currency: string
    totalAmount: number
    recordCount: number
  }[]
  paymentState: {
    paymentState:
      | 'Created'
      | 'Authorized'
      | 'Authorizing'
      | 'Approved'
      | 'Capturing'
      | 'Captured'
      | 'Failed'
      | 'Disputed'
      | 'SaleInProgress'
      | 'ProviderAuthorizedHold'
      | 'Cancelling'
      | 'CapturedHold'
      | 'Refunded'
      | 'Refunding'
    paymentStateId: number
    recordCount: number
  }[]
  paymentDaily: {
    /** `2026-11-15` */
    dateKey: string
    /** The day of the month. */
    day: number
    recordCount: number
  }[]
}

export interface RejectedDashboard {
  rejectedDaily: {
    /** `2026-11-15` */
    dateKey: string
    /** The day of the month. */
    day: number
    recordCount: number
  }[]
  rejectedCurrencies: {
    currency: string
    totalAmount: number
    recordCount: number
  }[]
}

export interface LedgerBalances {
  /** `2026-11-18` */
  date: string
  /** False while there is so much to book that it goes on after the answer. */
  isComplete: boolean
  balances: {
    account:
      | 'clearing'
      | 'reserves'
      | 'bank'
      | 'sales'
      | 'refunds'
      | 'fees'
      | 'disputes'
      | 'adjustments'
      | 'conversion'
      | 'differences'
    /** Null: the account is of the whole app. */
    paymentProfileId: number | null
    currency: string
    /** Debits less credits: sales are negative. */
    balance: number
    /** The account in the journal for hledger. */
    name: string
  }[]
}

export interface LedgerFees {
  from: string
  to: string
  by: 'provider' | 'method' | 'country' | 'month'
  /** False while there is so much to book that it goes on after the answer. */
  isComplete: boolean
  fees: {
    /**
     * The id of the provider profile, the method, the country or the month (`2026-10`). Null: the lines have
     * no payment, or its country is unknown.
     */
    name: string | null
    currency: string
    /** Fees less those that were given back. */
    fees: number
    /** Sales of the lines. */
    gross: number
    /** Fees ÷ gross, in percent with two decimals. Null without sales. */
    effectiveRate: number | null
  }[]
}

export interface LedgerMonth {
  /** `2026-10` */
  month: string
  /** ISO 8601, UTC, with milliseconds. */
  closedTime: string
}

export interface GoingLive {
  isComplete: boolean
  items: {
    item:
      | 'provider'
      | 'notification'
      | 'address'
      | 'webhook'
      | 'mail'
      | 'secondFactor'
      | 'fraud'
      | 'branding'
      | 'backup'
      | 'payment'
    isDone: boolean
    /** Of an item with several parts: those that are open. */
    missing: ('answer' | 'signature' | 'name' | 'logo' | 'terms' | 'support' | 'payment' | 'refund')[]
    /** When it was last seen, where that is known. */
    time: string | null
  }[]
}

export interface SettlementLine {
  lineId: number
  paymentProfileId: number
  providerLineId: string
  kind:
    | 'sale'
    | 'refund'
    | 'fee'
    | 'dispute'
    | 'dispute-reversal'
    | 'return'
    | 'reserve'
    | 'adjustment'
    | 'conversion'
    | 'payout'
  paymentId: number | null
  /** The reference of the payment. */
  referenceId: string | null
  /** In `currency`, before fees. What is taken from the merchant is negative. */
  gross: number
  /** In `settlementCurrency`. Null: the provider reports none. */
  fee: number | null
  /** In `settlementCurrency`. Null: the provider reports gross amounts only. */
  net: number | null
  currency: string
  settlementCurrency: string | null
  /** ISO 8601, UTC, with milliseconds. */
  time: string
  payoutId: number | null
  /** `suggested` is a payment of the same amount and days: it is shown and never counted. */
  match: 'exact' | 'suggested' | 'none'
}

export interface Payout {
  payoutId: number
  paymentProfileId: number
  providerPayoutId: string
  /** Null until the provider has reported the payout itself. */
  amount: number | null
  currency: string | null
  state: 'pending' | 'paid' | 'failed'
  /** ISO 8601, UTC, with milliseconds. */
  time: string
  /** When it is or was on the bank account. */
  arrivalTime: string | null
  /** What the bank statement says. */
  bankReference: string | null
}

export interface PayoutDetails {
  payoutId: number
  paymentProfileId: number
  providerPayoutId: string
  /** Null until the provider has reported the payout itself. */
  amount: number | null
  currency: string | null
  state: 'pending' | 'paid' | 'failed'
  /** ISO 8601, UTC, with milliseconds. */
  time: string
  /** When it is or was on the bank account. */
  arrivalTime: string | null
  /** What the bank statement says. */
  bankReference: string | null
  /** Sums by kind and currency. */
  lines: {
    kind:
      | 'sale'
      | 'refund'
      | 'fee'
      | 'dispute'
      | 'dispute-reversal'
      | 'return'
      | 'reserve'
      | 'adjustment'
      | 'conversion'
      | 'payout'
    count: number
    gross: number
    fee: number | null
    net: number | null
    currency: string
    settlementCurrency: string | null
  }[]
  /** Whether the net amounts of its lines are the amount. Null: the provider does not report enough. */
  addsUp: boolean | null
  /** The sum of its lines less its amount. */
  difference: number | null
}

export interface SettlementException {
  exceptionId: number
  paymentProfileId: number
  kind: 'missing' | 'unknown' | 'amount' | 'currency' | 'doubled' | 'unseen' | 'fee' | 'payout' | 'unpaid'
  state: 'open' | 'closed'
  paymentId: number | null
  lineId: number | null
  payoutId: number | null
  about: 'sale' | 'refund' | 'dispute' | 'return' | null
  currency: string | null
  /** What Tender expects, signed as lines are. */
  expectedAmount: number | null
  /** What the provider reports. */
  actualAmount: number | null
  /** ISO 8601, UTC, with milliseconds. */
  openedTime: string
  closedTime: string | null
  /** Null while it is open, and when it closed by itself. */
  closedBy: string | null
  reason: string | null
}

export interface SettlementReport {
  reportId: number
  /** Lines that were read, also those that were known. */
  lines: number
  /** Rows that could not be read. The other rows count. */
  badRows: {
    row: string
    problem: string
  }[]
  /** The same file was received before: nothing has changed. */
  isRepeated: boolean
}

export interface ListedSettlementReport {
  reportId: number
  paymentProfileId: number
  /** `api` is a page that Tender read at the provider. */
  source: 'api' | 'file'
  fileName: string | null
  /** Of its first line. */
  fromTime: string | null
  /** Of its last line. */
  untilTime: string | null
  /** ISO 8601, UTC, with milliseconds. */
  receivedTime: string
  /** Lines that were read, also those that were known. */
  lines: number
  /** Rows that could not be read, at most 200. */
  badRowCount: number
}

export interface SettlementReportDetails {
  reportId: number
  paymentProfileId: number
  /** `api` is a page that Tender read at the provider. */
  source: 'api' | 'file'
  fileName: string | null
  /** Of its first line. */
  fromTime: string | null
  /** Of its last line. */
  untilTime: string | null
  /** ISO 8601, UTC, with milliseconds. */
  receivedTime: string
  /** Lines that were read, also those that were known. */
  lines: number
  /** Rows that could not be read, at most 200. */
  badRowCount: number
  badRows: {
    row: string
    problem: string
  }[]
}

export interface SettlementSource {
  paymentProfileId: number
  isActive: boolean
  /** The provider's API can be read. Files can come for any profile. */
  canRead: boolean
  /** What was captured before is not missed. */
  beginTime: string | null
  readUntil: string | null
  lastReadTime: string | null
  /** Why the last read failed. It is tried again. */
  problem: {
    code: string
    message?: string
  } | null
}

export interface Dispute {
  /** The provider's id, as in `disputes` of the payment; `marked-…` for one that was recorded by hand. */
  disputeId: string
  paymentId: number
  /** The reference of the payment. */
  referenceId: string
  customerId: string
  paymentProfileId: number | null
  provider: string | null
  state: 'open' | 'won' | 'lost'
  amount: number
  currency: string
  /** The provider's code. */
  reason: string | null
  /** Until when the provider takes evidence. */
  evidenceDueTime: string | null
  /** The provider's page about the dispute. */
  providerUrl: string | null
  /** ISO 8601, UTC, with milliseconds. */
  openedTime: string
  decidedTime: string | null
  /** What the merchant answered. `submitting` and `accepting`: sent, and the result is not known yet. */
  answer: 'draft' | 'submitting' | 'submitted' | 'accepting' | 'accepted' | null
  answeredBy: string | null
  answeredTime: string | null
}

export interface DisputeDetails {
  /** The provider's id, as in `disputes` of the payment; `marked-…` for one that was recorded by hand. */
  disputeId: string
  paymentId: number
  /** The reference of the payment. */
  referenceId: string
  customerId: string
  paymentProfileId: number | null
  provider: string | null
  state: 'open' | 'won' | 'lost'
  amount: number
  currency: string
  /** The provider's code. */
  reason: string | null
  /** Until when the provider takes evidence. */
  evidenceDueTime: string | null
  /** The provider's page about the dispute. */
  providerUrl: string | null
  /** ISO 8601, UTC, with milliseconds. */
  openedTime: string
  decidedTime: string | null
  /** What the merchant answered. `submitting` and `accepting`: sent, and the result is not known yet. */
  answer: 'draft' | 'submitting' | 'submitted' | 'accepting' | 'accepted' | null
  answeredBy: string | null
  answeredTime: string | null
  /** The payment can be refunded now, in spite of its disputes. */
  canRefund: boolean
  /** The draft. Removed here when the provider has it. */
  texts: {
    [name: string]: unknown
  }
  files: {
    kind:
      | 'receipt'
      | 'shippingProof'
      | 'customerCommunication'
      | 'serviceProof'
      | 'policy'
      | 'duplicateProof'
      | 'other'
    mediaType: 'application/pdf' | 'image/jpeg' | 'image/png'
    /** In bytes. */
    size: number
    /** Hexadecimal. It shows later which file was sent. */
    sha256: string
    savedBy: string
    /** ISO 8601, UTC, with milliseconds. */
    savedTime: string
    /** The provider has the file; it was removed here. */
    isSent: boolean
  }[]
  /** Null: the dispute can only be answered at `providerUrl`. */
  limits: {
    /** The texts that the provider takes, with the most characters of each. */
    texts: {
      [name: string]: unknown
    }
    /** The most characters of all texts together. */
    totalText: number | null
    files: ('receipt' | 'shippingProof' | 'customerCommunication' | 'serviceProof' | 'policy' | 'duplicateProof' | 'other')[]
    fileBytes: number
    totalBytes: number
  } | null
  /** Why the last answer was not taken: a code. */
  problem: string | null
}

export interface PaymentLink {
  paymentLinkId: string
  /** Opening it creates nothing; the button on its page makes a payment. */
  url: string
  isReusable: boolean
  /** false when it was withdrawn, has expired or made all its payments. */
  isActive: boolean
  /** Null: the payer chooses. */
  amount: number | null
  minimumAmount: number | null
  maximumAmount: number | null
  currency: string
  description: string
  referenceId: string | null
  autoCapture: boolean
  returnUrl: string | null
  /** Null: any number. */
  maximumPayments: number | null
  /** Payments of which something was captured. */
  paidCount: number
  /** What was captured, before refunds. */
  paidAmount: number
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  expirationTime: string | null
  withdrawnTime: string | null
}

export interface Export {
  exportId: string
  /** What the file has rows of. */
  kind: 'payments' | 'refunds' | 'disputes' | 'customers' | 'links' | 'events' | 'everything'
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  /** Why it failed: choose a shorter period, remove exports, or try again. */
  problem: 'too-many-rows' | 'no-space' | 'internal' | null
  /** Rows that are in the file so far. */
  rows: number
  /** Of the file so far. */
  bytes: number
  columns: string[]
  /** Of payments. */
  query: string | null
  separator: 'comma' | 'semicolon'
  byteOrderMark: boolean
  /** The beginning of the period, ISO 8601. Null: the first of all. */
  from: string | null
  /** The end of the period, which is not part of it, ISO 8601. */
  to: string
  /** The schedule that asked for it. */
  scheduleId: string | null
  requestedBy: {
    kind: 'person' | 'key' | 'operator' | 'service'
    id: string
    name: string
  }
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  /** When it ended, ISO 8601. */
  endedTime: string | null
  /** When the file is removed, ISO 8601. */
  removalTime: string | null
}

export interface ExportSchedule {
  scheduleId: string
  /** What the file has rows of. */
  kind: 'payments' | 'refunds' | 'disputes' | 'customers' | 'links' | 'events' | 'everything'
  every: 'day' | 'week' | 'month'
  columns: string[]
  /** Of payments. */
  query: string | null
  separator: 'comma' | 'semicolon'
  byteOrderMark: boolean
  recipients: string[]
  isPaused: boolean
  /** ISO 8601, UTC, with milliseconds. */
  nextTime: string
  createdBy: {
    kind: 'person' | 'key' | 'operator' | 'service'
    id: string
    name: string
  }
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
}

export interface Import {
  importId: string
  state: 'waiting' | 'running' | 'done' | 'cancelled'
  /** Everything was checked, and nothing is written. */
  isDryRun: boolean
  fileName: string | null
  /** Lines of the file, without its header. */
  lines: number
  /** Lines that are done so far. */
  done: number
  /** Lines that added something; in a dry run, that would. */
  added: number
  /** Lines that say what is known already. */
  unchanged: number
  /** Lines that were left out: `…/problems` names them. */
  wrong: number
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
  endedTime: string | null
}

export interface ImportProblem {
  /** The number of the line in the file. The header is line 1. */
  line: number
  code: string
  field: string | null
  /** A sentence about it. */
  message: string
}

export interface ErasedCustomer {
  customerId: string
  /** ISO 8601, UTC, with milliseconds. */
  erasedTime: string
}

export interface Note {
  noteId: number
  text: string
  author: {
    kind: string
    id: string
    name: string
  }
  /** ISO 8601, UTC, with milliseconds. */
  createdTime: string
}

export interface NewNote {
  /** What the team should know. */
  text: string
}

/** The member of the team who takes care of it; null for none. */
export interface Assignment {
  personId: string | null
  /** The name, otherwise the e-mail address. */
  name: string | null
}

export interface NewAssignment {
  personId: string | null
}

export interface ApiCall {
  /** As the answer’s `x-request-id`. */
  requestId: string
  /** ISO 8601, UTC, with milliseconds. */
  time: string
  method: string
  /** Without the query. */
  path: string
  /** The path with parameters in braces. */
  route: string
  status: number
  /** From the headers of the request to the end of the answer. */
  ms: number
  /** The API key. */
  keyId: string | null
  /** The person, for a request of the console. */
  personId: string | null
  /** The address of the client. */
  address: string
  idempotencyKey: string | null
  /** Answered with the answer of an earlier request. */
  isReplayed: boolean
  paymentId: number | null
  /** The code of a refusal. */
  error: string | null
}

export interface ApiCounts {
  /** ISO 8601, UTC, with milliseconds. */
  from: string
  /** ISO 8601, UTC, with milliseconds. */
  to: string
  bucket: 'minute' | 'hour'
  buckets: {
    /** ISO 8601, UTC, with milliseconds. */
    time: string
    succeeded: number
    /** 4xx. */
    refused: number
    /** 5xx. */
    failed: number
    /** How many of these have no line in the log. */
    leftOut: number
    averageMs: number | null
  }[]
}

export interface ApiCallDetails {
  /** As the answer’s `x-request-id`. */
  requestId: string
  /** ISO 8601, UTC, with milliseconds. */
  time: string
  method: string
  /** Without the query. */
  path: string
  /** The path with parameters in braces. */
  route: string
  status: number
  /** From the headers of the request to the end of the answer. */
  ms: number
  /** The API key. */
  keyId: string | null
  /** The person, for a request of the console. */
  personId: string | null
  /** The address of the client. */
  address: string
  idempotencyKey: string | null
  /** Answered with the answer of an earlier request. */
  isReplayed: boolean
  paymentId: number | null
  /** The code of a refusal. */
  error: string | null
  /** Masked JSON of about 8 kB at most; null when it is not kept. */
  query: unknown
  /** Masked JSON of about 8 kB at most; null when it is not kept. */
  requestBody: unknown
  /** Masked JSON of about 8 kB at most; null when it is not kept. */
  answerBody: unknown
}

export interface LicenseInput {
  licenseName: string
  ownerEmail?: string
}

export interface License {
  licenseId: string
  licenseName: string
  /** Shown once. Opens GET /api/licenses/{licenseId}. */
  authorizationCode: string
  apps: {
    appId: string
    isSandbox: boolean
    friendlyName: string
    /** Shown once. */
    apiKey: string
    /** Shown once. Signs the webhooks of the app. */
    webhookSecret: string
  }[]
  /** Who is invited as the owner. */
  ownerEmail?: string
  /**
   * Shown once, valid for seven days. Absent where e-mails are set up: the link then goes to the address
   * alone.
   */
  invitationLink?: string
}

export interface OwnerInput {
  email: string
}

export interface OwnerInvitation {
  licenseId: string
  email: string
  /** ISO 8601, UTC, with milliseconds. */
  expiresTime: string
  /**
   * Shown once, valid for seven days. Absent where e-mails are set up: the link then goes to the address
   * alone.
   */
  invitationLink?: string
}

export interface VisitInput {
  email: string
  reason: string
}

export interface LicenseVisit {
  licenseId: string
  email: string
  role: string
  reason: string
  /** ISO 8601, UTC, with milliseconds. */
  expiresTime: string
  /** Sandbox first. The console shows them meanwhile. */
  appIds: string[]
}

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code:
    | 'malformed_request'
    | 'invalid_request'
    | 'unauthorized'
    | 'invalid_signature'
    | 'forbidden'
    | 'key_scope'
    | 'app_blocked'
    | 'sandbox_only'
    | 'otp_required'
    | 'otp_invalid'
    | 'otp_not_enrolled'
    | 'not_found'
    | 'method_not_allowed'
    | 'request_timeout'
    | 'reference_id_reused'
    | 'payment_not_capturable'
    | 'payment_not_cancellable'
    | 'payment_not_refundable'
    | 'refund_too_late'
    | 'payment_not_held'
    | 'payment_not_payable'
    | 'payment_busy'
    | 'action_not_allowed'
    | 'too_many_api_keys'
    | 'too_many_webhook_endpoints'
    | 'member_exists'
    | 'last_owner'
    | 'customer_exists'
    | 'token_in_use'
    | 'customer_busy'
    | 'checkout_host_taken'
    | 'refund_limit_reached'
    | 'refund_needs_approval'
    | 'fraud_policy_in_use'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'headers_too_large'
    | 'no_profile_for_currency'
    | 'profile_not_usable'
    | 'invalid_profile_settings'
    | 'other_account'
    | 'no_stored_method'
    | 'amount_out_of_bounds'
    | 'wrong_settlement_report'
    | 'token_not_known'
    | 'wrong_import_file'
    | 'customer_blocked'
    | 'unknown_fraud_policy'
    | 'card_number_not_allowed'
    | 'idempotency_key_reused'
    | 'not_possible'
    | 'too_many_requests'
    | 'internal_error'
    | 'unavailable'
  /** Every bad field. */
  errors?: {
    field: string
    message: string
  }[]
  requestId: string
  /** The code in another spelling, for older clients. */
  TypeName: string
  /** The same as `detail`, for older clients. */
  Message: string
}

export interface ApiKeysListQuery {
  /** Where a page begins; from the `Link` header of the one before. */
  after?: string
}

export interface PaymentProfilesListQuery {
  onlyRoutedProfile?: boolean
}

export interface PaymentProfilesCalculateFeeQuery {
  amount: number | string
  /** Absent: the ids in the body, else every active profile. */
  ids?: string
}

export interface TeamCreateBotByNameQuery {
  botName: string
}

export interface CustomersAllActivityQuery {
  activityLogType?:
    | 'Blocked'
    | 'Unblocked'
    | 'PolicyChanged'
    | 'PolicyReset'
    | 'DetailsChanged'
    | 'MethodAdded'
    | 'MethodRemoved'
    | 'Erased'
    | 'FraudDecision'
  beginTime?: string
  endTime?: string
  pageNumber?: number | string
  pageSize?: number | string
  customerId?: string
}

export interface CustomersActivityQuery {
  activityLogType?:
    | 'Blocked'
    | 'Unblocked'
    | 'PolicyChanged'
    | 'PolicyReset'
    | 'DetailsChanged'
    | 'MethodAdded'
    | 'MethodRemoved'
    | 'Erased'
    | 'FraudDecision'
  beginTime?: string
  endTime?: string
  pageNumber?: number | string
  pageSize?: number | string
}

export interface CustomersListQuery {
  pageNumber?: number | string
  pageSize?: number | string
  /** The beginning of an id, name, e-mail address or phone number. */
  searchCriteria?: string
  isBlocked?: boolean
  /** An integer, also accepted as a numeric string. */
  fraudPolicyId?: number | string
}

export interface CustomersPaymentMethodsQuery {
  onlyVerifiedPaymentMethods?: boolean
}

export interface CustomersProviderInfoResult {
  accounts: {
    [name: string]: unknown
  }[]
  item: null
  numbers: null
}

export interface CustomersPanelLinkQuery {
  returnUrl?: string
  unauthorizedRedirectUrl?: string
  customerPanelLinkAccessType?: 'CreditCard' | 'ElectronicCheck' | 'All'
  /** The link is for this one thing to do, and for nothing else. */
  task?: 'add-method' | 'verify-method' | 'pay'
  /** An integer, also accepted as a numeric string. */
  paymentMethodId?: number | string
  /** An integer, also accepted as a numeric string. */
  paymentId?: number | string
}

export interface CustomersResetFraudCountsResult {
  customerId: string
}

export interface EventsListQuery {
  /** Only those of this payment. */
  paymentId?: number | string
  since?: string
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: string
}

export interface WebhooksListQuery {
  /** Only those of this payment. */
  paymentId?: number | string
  since?: string
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: string
  status?: 'pending' | 'delivered' | 'exhausted' | 'dropped'
}

export interface WebhooksGetQuery {
  /** Of `GET /webhook-endpoints`. Absent: the first endpoint. */
  endpointId?: string
}

export interface WebhooksResendQuery {
  /** Of `GET /webhook-endpoints`. Absent: the first endpoint. */
  endpointId?: string
}

export interface WebhooksResendFailedQuery {
  since?: string
}

export interface FraudPoliciesListQuery {
  /** Where a page begins; from the `Link` header of the one before. */
  after?: number | string
}

export interface FraudPoliciesVersionsQuery {
  /** Where a page begins; from the `Link` header of the one before. */
  before?: number | string
}

export interface FraudPoliciesReplaceRulesInput {
  /**
   * The last three ask for 3-D Secure, for card payments with the payer present. `RequireChallenge` rejects
   * the payment if no profile can ask.
   */
  action:
    | 'HoldPayment'
    | 'RejectPayment'
    | 'BlockCustomer'
    | 'RequestExemption'
    | 'RequestChallenge'
    | 'RequireChallenge'
  /**
   * PaymentCount: payments of the customer, this one included, that are being paid or were paid.
   * ProviderRejectCount: attempts of the customer that a provider declined. TotalAmount: amount of the
   * customer's payments, this one included, in the currency of this one. DistinctCard: different cards that
   * the customer tried. SingleAmount: amount of this payment. ProviderRiskScore: the provider's own risk
   * score of this payment.
   */
  measure:
    | 'PaymentCount'
    | 'ProviderRejectCount'
    | 'TotalAmount'
    | 'DistinctCard'
    | 'SingleAmount'
    | 'ProviderRiskScore'
  /** Rolling: 24 hours, 7 or 30 days. Daily when not given. */
  period?: 'Daily' | 'Weekly' | 'Monthly' | null
  /** How many periods; 1 when not given. */
  periodCount?: number | null
  /** Decimal in major units, as a number or as a string. */
  threshold: number | string
  /** Null: any. */
  currency?: string | null
  /** Null or empty: all. */
  paymentProfiles?: (number | string)[] | null
  /** For the payer, when the rule stops the payment. */
  message?: string | null
}

export interface FraudPoliciesSimulateInput {
  /** How far to look back. */
  days: number
}

export interface FraudPoliciesRejectedPaymentsQuery {
  beginTime?: string
  endTime?: string
  timeZoneName?: string
}

export interface BlockListListQuery {
  kind?: 'Card' | 'Email' | 'EmailDomain' | 'Address' | 'Customer' | 'Country'
  /** Where a page begins; from the `Link` header of the one before. */
  before?: number | string
}

export interface RoutingExplainInput {
  currency: string
  amount?: number | string | null
  method?:
    | 'CreditCard'
    | 'ElectronicCheck'
    | 'Crypto'
    | 'Paypal'
    | 'ideal'
    | 'bancontact'
    | 'sepa-debit'
    | 'eps'
    | 'klarna'
    | 'blik'
    | 'przelewy24'
    | 'twint'
    | 'mb-way'
    | 'multibanco'
    | 'swish'
    | 'vipps'
    | 'mobilepay'
    | 'pix'
    | 'alipay'
    | 'wechat-pay'
    | 'cash-app'
    | 'afterpay'
    | 'link'
    | 'bank-transfer'
    | 'apple-pay'
    | 'google-pay'
    | null
  /** true when not given. */
  autoCapture?: boolean | null
  country?: string | null
  brand?: string | null
  /** Weights draw by it: the same payment, the same order. */
  paymentId?: number | string | null
}

export interface RefundApprovalsListQuery {
  state?: 'open' | 'approved' | 'refused'
}

export interface PaymentsCreateHostedPageInput {
  /** Names the payment for ever. The same value again never makes a second payment. */
  referenceId: string
  /** Decimal in major units, as a number or as a string. */
  amount: number | string
  /** true captures as soon as authorised, false authorises only. */
  autoCapture: boolean
  customerOrder: CustomerOrder
  /** Webhooks of this payment go here instead of to the address of the app. */
  webhookUrl?: string | null
  /** Applied instead of the policy of the app. */
  fraudPolicyId?: number | string | null
  /** Shown on the payer’s bank statement, after the name of the shop, where the provider can. */
  statementDescriptor?: string | null
  /** An ISO 4217 code that a provider profile of the app takes. */
  currency: string
  /** The language of the payer, such as `de` or `de-AT`, for the checkout and the pages of providers. */
  locale?: string | null
  /** The country of the payer by ISO 3166-1, when the order has no address. */
  country?: string | null
  /** Shown on the pages of providers instead of the name of the app, where they can. */
  brandName?: string | null
  /** What to ask of 3-D Secure when the payer uses a card. */
  threeDSecure?: {
    /** `challenge` asks the bank to challenge the payer, `exemption` asks it not to. */
    requested: 'challenge' | 'exemption'
    /** With `challenge`: only profiles that can ask for one offer cards. Otherwise they are preferred. */
    isRequired?: boolean | null
  } | null
  registerAutoPayment?: boolean | null
  /** The checkout link stops working then. */
  expirationTime?: string | null
  returnUrl: string
  /** Whether the checkout offers to save the method. */
  showPayRecurringInCheckout: boolean
  /** Offer these provider profiles only. */
  paymentProfiles?: (number | string)[] | null
  /** The same for a single profile. */
  paymentProfileId?: number | string | null
  /**
   * Offer these methods only. `ProviderHostedPage` stands for every method without fields on the checkout,
   * such as PayPal and each method by name, `VerifiedPaymentMethod` for stored ones.
   */
  checkoutMethods?: ('CreditCard' | 'ElectronicCheck' | 'Crypto' | 'Paypal' | 'VerifiedPaymentMethod' | 'ProviderHostedPage' | 'ideal' | 'bancontact' | 'sepa-debit' | 'eps' | 'klarna' | 'blik' | 'przelewy24' | 'twint' | 'mb-way' | 'multibanco' | 'swish' | 'vipps' | 'mobilepay' | 'pix' | 'alipay' | 'wechat-pay' | 'cash-app' | 'afterpay' | 'link' | 'bank-transfer' | 'apple-pay' | 'google-pay')[] | null
}

export interface PaymentsCreateInput {
  /** Names the payment for ever. The same value again never makes a second payment. */
  referenceId: string
  /** Decimal in major units, as a number or as a string. */
  amount: number | string
  /** true captures as soon as authorised, false authorises only. */
  autoCapture: boolean
  customerOrder: CustomerOrder
  /** Webhooks of this payment go here instead of to the address of the app. */
  webhookUrl?: string | null
  /** Applied instead of the policy of the app. */
  fraudPolicyId?: number | string | null
  /** Shown on the payer’s bank statement, after the name of the shop, where the provider can. */
  statementDescriptor?: string | null
  /** An ISO 4217 code that a provider profile of the app takes. */
  currency: string
  /** The language of the payer, such as `de` or `de-AT`, for the checkout and the pages of providers. */
  locale?: string | null
  /** The country of the payer by ISO 3166-1, when the order has no address. */
  country?: string | null
  /** Shown on the pages of providers instead of the name of the app, where they can. */
  brandName?: string | null
  /** What to ask of 3-D Secure when the payer uses a card. */
  threeDSecure?: {
    /** `challenge` asks the bank to challenge the payer, `exemption` asks it not to. */
    requested: 'challenge' | 'exemption'
    /** With `challenge`: only profiles that can ask for one offer cards. Otherwise they are preferred. */
    isRequired?: boolean | null
  } | null
  registerAutoPayment?: boolean | null
  /** The checkout link stops working then. */
  expirationTime?: string | null
  returnUrl?: string | null
}

export interface PaymentsListQuery {
  /**
   * Terms such as `state:failed provider:stripe amount:>100 ref:INV-* -state:refunded`, and free text: a
   * payment id, the last four digits of a card, the beginning of a reference, or a customer.
   */
  q?: string
  /**
   * States, or words for how a payment stands: `held`, `declined` (it may still be payable), `blocked` by a
   * fraud rule, `accepted` (authorised or paid), `paid`, `part-refunded`. Several are separated by commas.
   */
  state?: string
  /** Providers, such as `stripe`. Several are separated by commas. */
  provider?: string
  /** Ids of provider profiles. Several are separated by commas. */
  profile?: string
  /** Currencies. Several are separated by commas. */
  currency?: string
  /** The id of a customer. */
  customer?: string
  /** Ids of fraud policies. Several are separated by commas. */
  policy?: string
  /** Created since this day, month or instant. */
  from?: string
  /** Created until the end of this day or month, or until this instant. */
  to?: string
  /** The least amount. */
  min?: number | string
  /** The greatest amount. */
  max?: number | string
  timeZoneName?: string
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  cursor?: string
}

export interface PaymentsCreateProviderHostedPageInput {
  /** Names the payment for ever. The same value again never makes a second payment. */
  referenceId: string
  /** Decimal in major units, as a number or as a string. */
  amount: number | string
  /** true captures as soon as authorised, false authorises only. */
  autoCapture: boolean
  customerOrder: CustomerOrder
  /** Webhooks of this payment go here instead of to the address of the app. */
  webhookUrl?: string | null
  /** Applied instead of the policy of the app. */
  fraudPolicyId?: number | string | null
  /** Shown on the payer’s bank statement, after the name of the shop, where the provider can. */
  statementDescriptor?: string | null
  /** An ISO 4217 code that a provider profile of the app takes. */
  currency: string
  /** The language of the payer, such as `de` or `de-AT`, for the checkout and the pages of providers. */
  locale?: string | null
  /** The country of the payer by ISO 3166-1, when the order has no address. */
  country?: string | null
  /** Shown on the pages of providers instead of the name of the app, where they can. */
  brandName?: string | null
  /** What to ask of 3-D Secure when the payer uses a card. */
  threeDSecure?: {
    /** `challenge` asks the bank to challenge the payer, `exemption` asks it not to. */
    requested: 'challenge' | 'exemption'
    /** With `challenge`: only profiles that can ask for one offer cards. Otherwise they are preferred. */
    isRequired?: boolean | null
  } | null
  registerAutoPayment?: boolean | null
  /** The checkout link stops working then. */
  expirationTime?: string | null
  returnUrl?: string | null
  /** An integer, also accepted as a numeric string. */
  paymentProfileId: number | string
}

export interface PaymentsCreateAutoPaymentInput {
  /** Names the payment for ever. The same value again never makes a second payment. */
  referenceId: string
  /** Decimal in major units, as a number or as a string. */
  amount: number | string
  /** true captures as soon as authorised, false authorises only. */
  autoCapture: boolean
  customerOrder: CustomerOrder
  /** Webhooks of this payment go here instead of to the address of the app. */
  webhookUrl?: string | null
  /** Applied instead of the policy of the app. */
  fraudPolicyId?: number | string | null
  /** Shown on the payer’s bank statement, after the name of the shop, where the provider can. */
  statementDescriptor?: string | null
  currency?: string | null
  /** Charge this stored method; else the default one, else the newest. */
  paymentMethodId?: number | string | null
  /** Charge at this provider profile. */
  paymentMethodProviderProfileId?: number | string | null
}

export interface PaymentsLinkResult {
  url: string
}

export interface PaymentsCaptureQuery {
  /** A part of it only, in major units. Where it is missing, `amount` of a JSON body is read. */
  amount?: number | string
}

export interface PaymentsCancelQuery {
  /** The current one-time code, where the app demands a second factor. */
  otpCode?: string
}

export interface PaymentsRefundQuery {
  /** A part of it only, in major units. Where it is missing, `amount` of a JSON body is read. */
  amount?: number | string
  /**
   * Why the money is given back. Stripe gets it, and blocks the card and the e-mail address of a `fraudulent`
   * refund.
   */
  reason?: 'duplicate' | 'fraudulent' | 'requested-by-customer' | 'other'
  description?: string
  /** The current one-time code, where the app demands a second factor. */
  otpCode?: string
}

export interface PaymentsMarkAsRefundInput {
  reason?: string | null
}

export interface PaymentsMarkAsRefundQuery {
  description?: string
  /** The current one-time code, where the app demands a second factor. */
  otpCode?: string
}

export interface PaymentsMarkAsDisputeInput {
  reason?: string | null
}

export interface PaymentsMarkAsDisputeQuery {
  description?: string
  /** The current one-time code, where the app demands a second factor. */
  otpCode?: string
}

export interface PaymentsSummaryQuery {
  /** Ids of payment states, separated by commas: `7,14`. */
  paymentStates?: string
  /** A payment id, reference, customer, or last four digits. */
  searchCriteria?: string
  beginTime?: string
  endTime?: string
  /** From 1. */
  pageNumber?: number | string
  pageSize?: number | string
  customerId?: string
  /** An integer, also accepted as a numeric string. */
  paymentProfileId?: number | string
  /** An integer, also accepted as a numeric string. */
  fraudPolicyId?: number | string
}

export interface PaymentsOverviewQuery {
  beginTime?: string
  endTime?: string
  timeZoneName?: string
}

export interface PaymentsDashboardQuery {
  beginTime?: string
  endTime?: string
  timeZoneName?: string
  /** An integer, also accepted as a numeric string. */
  paymentProfileId?: number | string
}

export interface LedgerBalancesQuery {
  /** The balances at the end of this day of the app's time zone. Default: today. */
  date?: number | string
}

export interface LedgerFeesQuery {
  /** Default: provider. */
  by?: 'provider' | 'method' | 'country' | 'month'
  /** From this day of the app's time zone. Default: the first. */
  from?: number | string
  /** To the end of this day. Default: the last. */
  to?: number | string
}

export interface LedgerJournalQuery {
  /** Default: csv. */
  format?: 'csv' | 'hledger' | 'beancount'
  /** From this day of the app's time zone. Default: the first. */
  from?: number | string
  /** To the end of this day. Default: the last. */
  to?: number | string
}

export interface LedgerSettlementsQuery {
  /** From this day of the app's time zone. Default: the first. */
  from?: number | string
  /** To the end of this day. Default: the last. */
  to?: number | string
}

export interface SettlementsLinesQuery {
  kind?:
    | 'sale'
    | 'refund'
    | 'fee'
    | 'dispute'
    | 'dispute-reversal'
    | 'return'
    | 'reserve'
    | 'adjustment'
    | 'conversion'
    | 'payout'
  match?: 'exact' | 'suggested' | 'none'
  /** An integer, also accepted as a numeric string. */
  paymentId?: number | string
  /** An integer, also accepted as a numeric string. */
  payoutId?: number | string
  /** An integer, also accepted as a numeric string. */
  paymentProfileId?: number | string
  since?: string
  until?: string
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: string
}

export interface SettlementsPayoutsQuery {
  /** An integer, also accepted as a numeric string. */
  paymentProfileId?: number | string
  state?: 'pending' | 'paid' | 'failed'
  since?: string
  until?: string
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: string
}

export interface SettlementsExceptionsQuery {
  kind?: 'missing' | 'unknown' | 'amount' | 'currency' | 'doubled' | 'unseen' | 'fee' | 'payout' | 'unpaid'
  state?: 'open' | 'closed'
  /** An integer, also accepted as a numeric string. */
  paymentId?: number | string
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: string
}

export interface SettlementsCloseExceptionInput {
  /** Why nothing has to be done. Kept in the audit log. */
  reason: string
}

export interface SettlementsImportReportQuery {
  /** An integer, also accepted as a numeric string. */
  paymentProfileId: number | string
  /** Shown in the list of reports. */
  fileName?: string
}

export interface SettlementsReportsQuery {
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: number | string
}

export interface SettlementsSetSourceInput {
  /** Whether the provider's API is read. */
  isActive: boolean
}

export interface DisputesListQuery {
  state?: 'open' | 'won' | 'lost'
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: string
}

export interface DisputesSaveEvidenceInput {
  /** All texts of the draft: those that are missing are removed. */
  texts: {
    explanation?: string | null
    productDescription?: string | null
    customerName?: string | null
    customerEmail?: string | null
    shippingCarrier?: string | null
    trackingNumber?: string | null
    shippingDate?: string | null
    accessLog?: string | null
    refundPolicy?: string | null
    refundRefusal?: string | null
    duplicateExplanation?: string | null
  }
}

export interface PaymentLinksCreateInput {
  /** false: one payment at most. */
  isReusable: boolean
  /** What each payer pays. Without it the payer chooses between the bounds. */
  amount?: number | string | null
  /** The least that the payer may choose. */
  minimumAmount?: number | string | null
  /** The most that the payer may choose. */
  maximumAmount?: number | string | null
  /** An ISO 4217 code that a provider profile of the app takes. */
  currency: string
  /** Shown to the payer; the name of the app where it is left out. */
  description?: string | null
  /** The reference of each payment begins with it; else with the id of the link. */
  referenceId?: string | null
  /** How many payments the link makes. Payments that fail or expire do not count. */
  maximumPayments?: number | null
  /** The link makes no payment after it. */
  expirationTime?: string | null
  /** true, which is the default, captures as soon as authorised; false authorises only. */
  autoCapture?: boolean | null
  /** Where payers go from the result of their payment. */
  returnUrl?: string | null
}

export interface PaymentLinksListQuery {
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: string
}

export interface PaymentLinksPaymentsQuery {
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: number | string
}

export interface ExportsCreateInput {
  /** What the file has rows of. */
  kind: 'payments' | 'refunds' | 'disputes' | 'customers' | 'links' | 'events' | 'everything'
  /** Names of columns in their order. Default: the usual ones of the kind. */
  columns?: string[] | null
  query?: string | null
  /** Between cells. With semicolons, amounts have a decimal comma. Default: comma. */
  separator?: 'comma' | 'semicolon' | null
  /** Whether the file begins with the mark by which spreadsheets recognise UTF-8. Default: true. */
  byteOrderMark?: boolean | null
  sealingKey?: string | null
  /** A period of the app's time zone, instead of `from` and `to`. */
  period?: 'today' | 'yesterday' | 'last-7-days' | 'last-30-days' | 'this-month' | 'last-month' | 'all' | null
  from?: string | null
  to?: string | null
}

export interface ExportSchedulesCreateInput {
  /** What the file has rows of. */
  kind: 'payments' | 'refunds' | 'disputes' | 'customers' | 'links' | 'events' | 'everything'
  /** Names of columns in their order. Default: the usual ones of the kind. */
  columns?: string[] | null
  query?: string | null
  /** Between cells. With semicolons, amounts have a decimal comma. Default: comma. */
  separator?: 'comma' | 'semicolon' | null
  /** Whether the file begins with the mark by which spreadsheets recognise UTF-8. Default: true. */
  byteOrderMark?: boolean | null
  /** A day, week or month of the app's time zone is exported when it has ended. */
  every: 'day' | 'week' | 'month'
  /** Ids of members who get an e-mail with a link to the exports. */
  recipients?: string[] | null
}

export interface ExportSchedulesUpdateInput {
  /** Periods that end during a pause are not exported. */
  isPaused?: boolean
  recipients?: string[]
}

export interface ImportsCreateQuery {
  isDryRun?: boolean
  /** Shown in the list of imports. */
  fileName?: string
}

export interface ImportsProblemsQuery {
  after?: number | string
}

export interface ApiLogListQuery {
  since?: string
  until?: string
  /** Only answers of this class. */
  statusClass?: '2xx' | '3xx' | '4xx' | '5xx'
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** How the path begins. */
  pathPrefix?: string
  keyId?: string
  requestId?: string
  pageSize?: number | string
  /** Where a page begins; from the `Link` header of the one before. */
  before?: string
}

export interface ApiLogCountsQuery {
  since?: string
  until?: string
}

export interface TestHelpersPayInput {
  method?:
    | 'CreditCard'
    | 'ElectronicCheck'
    | 'Crypto'
    | 'Paypal'
    | 'ideal'
    | 'bank-transfer'
    | 'sepa-debit'
    | 'apple-pay'
    | 'multibanco'
    | 'klarna'
    | null
  outcome?: string | null
  saveMethod?: boolean | null
  /** Where the customer sits, for fraud policies. */
  payerIp?: string | null
}

export interface TestHelpersDisputeInput {
  outcome?: 'open' | 'won' | 'lost' | null
  amount?: number | string | null
  isFurther?: boolean | null
  isInquiry?: boolean | null
  /** Days until evidence is due; 10 when the dispute opens. */
  dueDays?: number | null
}

export interface TestHelpersSetFaultInput {
  step: 'authorise' | 'capture' | 'cancel' | 'refund' | 'charge' | 'keep' | 'dispute' | 'any'
  effect:
    | 'decline'
    | 'request-lost'
    | 'reply-lost'
    | 'reply-late'
    | 'http-500-after-acting'
    | 'unreadable'
    | 'pending-then-approved'
    | 'capture-fails'
    | 'refund-pending'
    | 'refund-fails-later'
    | 'notification-duplicate'
    | 'notification-reordered'
    | 'notification-late'
    | 'notification-never'
    | 'notification-forged'
    | 'outage'
  times?: number
  delayMs?: number
}

export interface TestHelpersSetFaultResult {
  step: 'authorise' | 'capture' | 'cancel' | 'refund' | 'charge' | 'keep' | 'dispute' | 'any'
  effect:
    | 'decline'
    | 'request-lost'
    | 'reply-lost'
    | 'reply-late'
    | 'http-500-after-acting'
    | 'unreadable'
    | 'pending-then-approved'
    | 'capture-fails'
    | 'refund-pending'
    | 'refund-fails-later'
    | 'notification-duplicate'
    | 'notification-reordered'
    | 'notification-late'
    | 'notification-never'
    | 'notification-forged'
    | 'outage'
  times?: number
  delayMs?: number
}

export interface TestHelpersClearFaultsResult {
  cleared: true
}

export interface TestHelpersLedgerQuery {
  paymentId?: number | string
}

export interface TestHelpersLedgerResult {
  paymentId: number | null
  kind: 'authorise' | 'sale' | 'capture' | 'void' | 'refund'
  amount: number
  currency: string
  status: 'done' | 'pending' | 'declined'
  operationKey: string
  /** ISO 8601, UTC, with milliseconds. */
  time: string
}

export interface TestHelpersPayOutResult {
  payouts: {
    paymentProfileId: number | null
    providerPayoutId: string
    amount: number
    currency: string
    /** ISO 8601, UTC, with milliseconds. */
    time: string
  }[]
}

export interface TestHelpersSetSettlementFaultInput {
  kind: 'missing' | 'doubled' | 'altered' | 'currency' | 'cut' | 'order'
  /** The payment whose next line is wrong. Absent: the next sale or refund of any. */
  paymentId?: number | string | null
}

export interface TestHelpersSetSettlementFaultResult {
  kind: 'missing' | 'doubled' | 'altered' | 'currency' | 'cut' | 'order'
  paymentId: number | null
}

export interface TestHelpersClearSettlementFaultsResult {
  cleared: true
}

export interface TestHelpersAdvanceClockInput {
  advance: string
}

export interface TestHelpersAdvanceClockResult {
  /** ISO 8601, UTC, with milliseconds. */
  now: string
}
