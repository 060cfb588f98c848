# Generated from the OpenAPI document by `npm run docs`. Do not edit.
from __future__ import annotations

import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


class Health(TypedDict):
    status: Literal["ok"]


class LicensedApp(TypedDict):
    isSandbox: bool
    appId: str
    # An API key of this app.
    authorizationCode: str


class WebhookHealth(TypedDict):
    # Webhooks that were given up, counted up to 1000.
    exhaustedCount: int
    # Webhook addresses in trouble.
    endpoints: List[WebhookHealthEndpoints]


class WebhookHealthEndpoints(TypedDict):
    url: str
    # Disabled: it answered 410. A resend or a test that is received turns it on again.
    status: Literal["failing", "paused", "disabled"]
    # ISO 8601, UTC, with milliseconds.
    since: str
    # In a row.
    failures: int
    lastError: str
    nextTryTime: Optional[str]


class PaymentProvider(TypedDict):
    provider: str
    iconUri1: str
    iconUri2: str


class PaymentProfileSummary(TypedDict):
    paymentProfileId: int
    paymentProfileName: str
    paymentMethodTypeString: str
    isActive: bool
    currency: str
    paymentProvider: PaymentProvider


class HostProof(TypedDict):
    """How to prove that a host name is yours: one of both. It takes effect when the proof is found."""
    # The name that the app asked for.
    host: str
    recordType: Literal["TXT"]
    # The name of a DNS entry of this type…
    recordName: str
    # …and its value.
    recordValue: str
    # Or: an address on the host name…
    fileUrl: str
    # …that answers 200 with this text.
    fileContent: str


class Branding(TypedDict):
    """How the app shows itself on the checkout and the customer panel."""
    logoUrl: Optional[str]
    color: Optional[str]
    slogan1: Optional[str]
    slogan2: Optional[str]
    support: Optional[str]
    termsUrl: Optional[str]
    privacyUrl: Optional[str]
    locale: Optional[str]
    theme: Optional[str]
    # The pages name Tender at their foot.
    showPoweredBy: bool


class Emails(TypedDict):
    """Sent only where the operator has set up a mail server."""
    # Sent to payers. None by default.
    payer: List[Literal["receipt", "refund", "payment-pending", "payment-failed", "method-added", "method-removed", "card-expiring"]]
    # Sent to the team. All by default.
    team: List[Literal["endpoint-failing", "provider-degraded", "authorisations-ending", "settlements", "dispute"]]
    # Null: the name of the app.
    fromName: Optional[str]
    replyTo: Optional[str]
    # Empty: the owners of the licence. A sandbox app without addresses sends none.
    teamAddresses: List[str]


class App(TypedDict):
    appId: str
    friendlyName: str
    isSandbox: bool
    isActive: bool
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    # A provider profile is active.
    isSetupCompleted: bool
    # A provider profile exists.
    isConnectFirstGateway: bool
    hasFirstCapturePayment: bool
    defaultFraudPolicyId: Optional[int]
    checkoutMethods: List[str]
    webhookSettings: AppWebhookSettings
    webhookHealth: NotRequired[WebhookHealth]
    # The last try to send a webhook.
    lastWebhookProcessTime: Optional[str]
    # Null: it was received.
    lastWebhookError: Optional[str]
    defaultRoutedProfiles: List[AppDefaultRoutedProfiles]
    # Null: any number of refunds.
    maxThresholdRefundCountDaily: Optional[int]
    # A person’s refunds of a payment above this sum wait for a second person. None: never.
    refundApprovalAbove: List[AppRefundApprovalAbove]
    refundProcessReceiverEmails: List[AppRefundProcessReceiverEmails]
    # Refund, mark-as-refund and mark-as-dispute need `otpCode`.
    isTwoFactorAuthenticationEnabled: bool
    # They need it with an API key too.
    requireOtpForApiKeys: bool
    # The address of the logo.
    logo: Optional[str]
    # Payment links begin with it.
    hostedPageBaseUrl: str
    # The checkout has a host name of its own.
    canRemoveHostedPageDomain: bool
    # How to prove a host name that is not proved yet.
    hostProof: Optional[HostProof]
    # Where the DNS entry of such a host name leads to.
    targetCName: str
    checkoutSlogan1: Optional[str]
    checkoutSlogan2: Optional[str]
    # Null: a licence does not expire.
    licenseExpirationTime: Optional[str]
    licenseAmount: Optional[Decimal]
    licenseRenewCalculatedTime: Optional[str]
    hasAppliance: bool
    showFraudPolicyInDashboard: bool
    # IANA name. Decides when a day of the app begins.
    timeZone: str
    # The day on which a month of the figures begins, in presets such as `this-month`, the overview and
    # exports.
    monthStartsOn: int
    # Days after their last payment until customers are erased. Null: they are kept.
    personalDataDays: Optional[int]
    # Charges of stored cards that the card networks forbid are refused before the provider is called.
    retryGuard: bool
    # Money that arrives after a payment link has ended is kept: the failed payment becomes Captured. False:
    # it is given back.
    acceptLatePayments: bool
    # Shown on the payer’s bank statement where the provider can, unless the payment has its own.
    statementDescriptor: Optional[str]
    branding: Branding
    emails: Emails


class AppWebhookSettings(TypedDict):
    paymentWebhookUrl: Optional[str]
    webhookAuthorizationHeaderScheme: Optional[str]
    # Masked: only whether one is set.
    webhookAuthorizationHeaderParameter: Optional[str]
    isSigningEnabled: bool


class AppDefaultRoutedProfiles(TypedDict):
    currency: str
    paymentProfile: PaymentProfileSummary


class AppRefundApprovalAbove(TypedDict):
    currency: str
    amount: Decimal


class AppRefundProcessReceiverEmails(TypedDict):
    emailAddress: str


class AppPatch(TypedDict):
    """Each member plain or as { "value": … }. Absent or null: unchanged."""
    friendlyName: NotRequired[Optional[Union[str, AppPatchFriendlyName]]]
    paymentWebhookUrl: NotRequired[Optional[Union[str, AppPatchPaymentWebhookUrl]]]
    webhookAuthorizationHeaderScheme: NotRequired[Optional[Union[str, AppPatchWebhookAuthorizationHeaderScheme]]]
    webhookAuthorizationHeaderParameter: NotRequired[Optional[Union[str, AppPatchWebhookAuthorizationHeaderParameter]]]
    defaultFraudPolicyId: NotRequired[Optional[Union[int, str, AppPatchDefaultFraudPolicyId]]]
    maxThresholdRefundCountDaily: NotRequired[Optional[Union[int, AppPatchMaxThresholdRefundCountDaily]]]
    refundApprovalAbove: NotRequired[Optional[Union[List[AppPatchRefundApprovalAbove], AppPatchRefundApprovalAboveValue]]]
    refundProcessReceiverEmails: NotRequired[Optional[Union[List[Union[str, AppPatchRefundProcessReceiverEmails]], AppPatchRefundProcessReceiverEmailsValue]]]
    logo: NotRequired[Optional[Union[str, AppPatchLogo]]]
    isTwoFactorAuthenticationEnabled: NotRequired[Optional[Union[bool, AppPatchIsTwoFactorAuthenticationEnabled]]]
    requireOtpForApiKeys: NotRequired[Optional[Union[bool, AppPatchRequireOtpForApiKeys]]]
    timeZone: NotRequired[Optional[Union[str, AppPatchTimeZone]]]
    monthStartsOn: NotRequired[Optional[Union[int, AppPatchMonthStartsOn]]]
    personalDataDays: NotRequired[Optional[Union[int, AppPatchPersonalDataDays]]]
    retryGuard: NotRequired[Optional[Union[bool, AppPatchRetryGuard]]]
    acceptLatePayments: NotRequired[Optional[Union[bool, AppPatchAcceptLatePayments]]]
    statementDescriptor: NotRequired[Optional[Union[str, AppPatchStatementDescriptor]]]
    # The profile that comes first for a currency. Never wrapped.
    defaultRoutedProfile: NotRequired[Optional[AppPatchDefaultRoutedProfile]]
    branding: NotRequired[Optional[AppPatchBranding]]
    emails: NotRequired[Optional[AppPatchEmails]]


class AppPatchFriendlyName(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchPaymentWebhookUrl(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchWebhookAuthorizationHeaderScheme(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchWebhookAuthorizationHeaderParameter(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchDefaultFraudPolicyId(TypedDict):
    value: NotRequired[Optional[Union[int, str]]]


class AppPatchMaxThresholdRefundCountDaily(TypedDict):
    value: NotRequired[Optional[int]]


class AppPatchRefundApprovalAbove(TypedDict):
    currency: str
    amount: Union[int, Decimal]


class AppPatchRefundApprovalAboveValue(TypedDict):
    value: NotRequired[Optional[List[AppPatchRefundApprovalAboveValueValue]]]


class AppPatchRefundApprovalAboveValueValue(TypedDict):
    currency: str
    amount: Union[int, Decimal]


class AppPatchRefundProcessReceiverEmails(TypedDict):
    emailAddress: str


class AppPatchRefundProcessReceiverEmailsValue(TypedDict):
    value: NotRequired[Optional[List[Union[str, AppPatchRefundProcessReceiverEmailsValueValue]]]]


class AppPatchRefundProcessReceiverEmailsValueValue(TypedDict):
    emailAddress: str


class AppPatchLogo(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchIsTwoFactorAuthenticationEnabled(TypedDict):
    value: NotRequired[Optional[bool]]


class AppPatchRequireOtpForApiKeys(TypedDict):
    value: NotRequired[Optional[bool]]


class AppPatchTimeZone(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchMonthStartsOn(TypedDict):
    value: NotRequired[Optional[int]]


class AppPatchPersonalDataDays(TypedDict):
    value: NotRequired[Optional[int]]


class AppPatchRetryGuard(TypedDict):
    value: NotRequired[Optional[bool]]


class AppPatchAcceptLatePayments(TypedDict):
    value: NotRequired[Optional[bool]]


class AppPatchStatementDescriptor(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchDefaultRoutedProfile(TypedDict):
    currency: str
    # Null: the currency has no default any more.
    paymentProfileId: NotRequired[Optional[Union[int, str]]]


class AppPatchBranding(TypedDict):
    logo: NotRequired[Optional[Union[str, AppPatchBrandingLogo]]]
    color: NotRequired[Optional[Union[str, AppPatchBrandingColor]]]
    slogan1: NotRequired[Optional[Union[str, AppPatchBrandingSlogan1]]]
    slogan2: NotRequired[Optional[Union[str, AppPatchBrandingSlogan2]]]
    support: NotRequired[Optional[Union[str, AppPatchBrandingSupport]]]
    termsUrl: NotRequired[Optional[Union[str, AppPatchBrandingTermsUrl]]]
    privacyUrl: NotRequired[Optional[Union[str, AppPatchBrandingPrivacyUrl]]]
    locale: NotRequired[Optional[Union[str, AppPatchBrandingLocale]]]
    theme: NotRequired[Optional[Union[str, AppPatchBrandingTheme]]]
    showPoweredBy: NotRequired[Optional[Union[bool, AppPatchBrandingShowPoweredBy]]]


class AppPatchBrandingLogo(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingColor(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingSlogan1(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingSlogan2(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingSupport(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingTermsUrl(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingPrivacyUrl(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingLocale(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingTheme(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchBrandingShowPoweredBy(TypedDict):
    value: NotRequired[Optional[bool]]


class AppPatchEmails(TypedDict):
    payer: NotRequired[Optional[Union[List[Literal["receipt", "refund", "payment-pending", "payment-failed", "method-added", "method-removed", "card-expiring"]], AppPatchEmailsPayer]]]
    team: NotRequired[Optional[Union[List[Literal["endpoint-failing", "provider-degraded", "authorisations-ending", "settlements", "dispute"]], AppPatchEmailsTeam]]]
    fromName: NotRequired[Optional[Union[str, AppPatchEmailsFromName]]]
    replyTo: NotRequired[Optional[Union[str, AppPatchEmailsReplyTo]]]
    teamAddresses: NotRequired[Optional[Union[List[str], AppPatchEmailsTeamAddresses]]]


class AppPatchEmailsPayer(TypedDict):
    value: NotRequired[Optional[List[Literal["receipt", "refund", "payment-pending", "payment-failed", "method-added", "method-removed", "card-expiring"]]]]


class AppPatchEmailsTeam(TypedDict):
    value: NotRequired[Optional[List[Literal["endpoint-failing", "provider-degraded", "authorisations-ending", "settlements", "dispute"]]]]


class AppPatchEmailsFromName(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchEmailsReplyTo(TypedDict):
    value: NotRequired[Optional[str]]


class AppPatchEmailsTeamAddresses(TypedDict):
    value: NotRequired[Optional[List[str]]]


class CheckoutPagePatch(TypedDict):
    """Each member plain or as { "value": … }. Absent or null: unchanged."""
    domain: NotRequired[Optional[Union[str, CheckoutPagePatchDomain]]]
    checkoutSlogan1: NotRequired[Optional[Union[str, CheckoutPagePatchCheckoutSlogan1]]]
    checkoutSlogan2: NotRequired[Optional[Union[str, CheckoutPagePatchCheckoutSlogan2]]]


class CheckoutPagePatchDomain(TypedDict):
    value: NotRequired[Optional[str]]


class CheckoutPagePatchCheckoutSlogan1(TypedDict):
    value: NotRequired[Optional[str]]


class CheckoutPagePatchCheckoutSlogan2(TypedDict):
    value: NotRequired[Optional[str]]


class CheckedHost(TypedDict):
    # The host name is in effect.
    isProven: bool
    # Neither the DNS entry nor the file was found, or another app proved the name before.
    problem: Optional[Literal["not-found", "taken"]]
    # Payment links begin with it.
    hostedPageBaseUrl: str


class ClearedApp(TypedDict):
    # Rows.
    removedCount: int
    isCompleted: bool


class ApiKey(TypedDict):
    keyId: str
    name: str
    # The last four characters of the key.
    hint: str
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    expiresTime: Optional[str]
    revokedTime: Optional[str]
    # To the minute.
    lastUsedTime: Optional[str]
    # Where it was used from then.
    lastUsedAddress: Optional[str]
    # What the key may do. Null: full access.
    scopes: Optional[List[str]]
    # The person who made it in the console. Their one-time codes count for it.
    createdBy: Optional[str]


class ApiKeyInput(TypedDict):
    name: NotRequired[Optional[str]]
    expiresTime: NotRequired[Optional[str]]
    # What the key may do; other requests are refused with 403 `key_scope`. Absent or null: `read` alone. A
    # person can name only scopes whose permissions the own role has.
    scopes: NotRequired[Optional[List[Literal["read", "payments", "refunds", "reviews", "customers", "settings"]]]]
    # True: everything that a key can do, instead of scopes. For owners, admins and keys with full access.
    fullAccess: NotRequired[Optional[bool]]


class NewApiKey(TypedDict):
    keyId: str
    name: str
    # The last four characters of the key.
    hint: str
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    expiresTime: Optional[str]
    revokedTime: Optional[str]
    # To the minute.
    lastUsedTime: Optional[str]
    # Where it was used from then.
    lastUsedAddress: Optional[str]
    # What the key may do. Null: full access.
    scopes: Optional[List[str]]
    # The person who made it in the console. Their one-time codes count for it.
    createdBy: Optional[str]
    # Shown once.
    apiKey: str


class RotateApiKeyInput(TypedDict):
    overlapSeconds: NotRequired[Optional[int]]


class PaymentProfile(TypedDict):
    paymentProfileId: int
    paymentProfileName: str
    paymentMethodTypeString: str
    isActive: bool
    currency: str
    paymentProvider: PaymentProvider
    provider: str
    # Null: every currency the provider takes.
    currencies: Optional[List[str]]
    methods: List[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    providerInitialFee: Optional[Decimal]
    # In percent.
    providerPercentageFee: Optional[Decimal]
    appInitialFee: Optional[Decimal]
    # In percent.
    appPercentageFee: Optional[Decimal]
    # Where the provider sends its notifications.
    webhookUrl: str
    # When the provider last accepted the settings. Null: not known, or they changed since.
    acceptedTime: Optional[str]
    # When a genuine notification arrived last, to the minute. Null: none yet.
    lastNotificationTime: Optional[str]
    # Which settings are set. Their values are never shown.
    settings: List[PaymentProfileSettings]


class PaymentProfileSettings(TypedDict):
    name: str
    label: str
    secret: bool
    required: bool
    isSet: bool


class CheckoutMethodGroup(TypedDict):
    checkoutMethod: Literal["CreditCard", "ElectronicCheck", "VerifiedPaymentMethod", "ProviderHostedPage"]
    paymentCheckoutMethodItems: List[CheckoutMethodGroupPaymentCheckoutMethodItems]


class CheckoutMethodGroupPaymentCheckoutMethodItems(TypedDict):
    paymentProfile: PaymentProfileSummary
    isSupportSubscription: bool
    isSupportSinglePayment: bool
    iconUri1: str
    iconUri2: str


class PaymentProviderSetup(TypedDict):
    provider: str
    iconUri1: str
    iconUri2: str
    name: str
    # The provider's own documentation.
    docs: str
    methods: List[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]
    # Null: any.
    currencies: Optional[List[str]]
    # Stored methods can be charged later.
    isSupportSubscription: bool
    # Profiles of the app at this provider.
    configuredCount: int
    # What a new profile needs.
    settings: List[PaymentProviderSetupSettings]
    # Where the notification address is pasted at the provider.
    connectHelp: Optional[str]


class PaymentProviderSetupSettings(TypedDict):
    name: str
    label: str
    secret: bool
    required: bool
    help: Optional[str]


class PaymentProfileFeePreview(TypedDict):
    paymentProfileId: int
    # The sum of the others.
    processingFee: Decimal
    appFee: Decimal
    # Always 0.
    secretFee: Decimal
    providerFee: Decimal


class PaymentProfileFee(TypedDict):
    providerInitialFee: Optional[Decimal]
    # In percent.
    providerPercentageFee: Optional[Decimal]
    appInitialFee: Optional[Decimal]
    # In percent.
    appPercentageFee: Optional[Decimal]


class PaymentProfileMethod(TypedDict):
    id: Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]
    # In English.
    name: str
    # Whether the account at the provider has it turned on. Null: the provider does not tell.
    isEnabledAtProvider: Optional[bool]
    # The profile offers it, and the account does not lack it.
    isOffered: bool
    # Empty: any.
    currencies: List[str]
    # Where its payers live. Empty: anywhere.
    countries: List[str]


class PaymentProfileInput(TypedDict):
    provider: str
    paymentProfileName: NotRequired[Optional[str]]
    name: NotRequired[Optional[str]]
    methods: NotRequired[Optional[List[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]]]
    currency: str
    currencies: NotRequired[Optional[List[str]]]
    isActive: NotRequired[Optional[bool]]
    settings: NotRequired[Optional[Dict[str, Any]]]
    providerInitialFee: NotRequired[Optional[Union[int, Decimal]]]
    providerPercentageFee: NotRequired[Optional[Union[int, Decimal]]]
    appInitialFee: NotRequired[Optional[Union[int, Decimal]]]
    appPercentageFee: NotRequired[Optional[Union[int, Decimal]]]


class PaymentProfilePatch(TypedDict):
    """Each member plain or as { "value": … }."""
    paymentProfileName: NotRequired[Optional[Union[str, PaymentProfilePatchPaymentProfileName]]]
    name: NotRequired[Optional[Union[str, PaymentProfilePatchName]]]
    methods: NotRequired[Optional[Union[List[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]], PaymentProfilePatchMethods]]]
    currency: NotRequired[Optional[Union[str, PaymentProfilePatchCurrency]]]
    currencies: NotRequired[Optional[Union[List[str], PaymentProfilePatchCurrencies]]]
    isActive: NotRequired[Optional[Union[bool, PaymentProfilePatchIsActive]]]
    settings: NotRequired[Optional[Dict[str, Any]]]
    providerInitialFee: NotRequired[Optional[Union[int, Decimal, PaymentProfilePatchProviderInitialFee]]]
    providerPercentageFee: NotRequired[Optional[Union[int, Decimal, PaymentProfilePatchProviderPercentageFee]]]
    appInitialFee: NotRequired[Optional[Union[int, Decimal, PaymentProfilePatchAppInitialFee]]]
    appPercentageFee: NotRequired[Optional[Union[int, Decimal, PaymentProfilePatchAppPercentageFee]]]


class PaymentProfilePatchPaymentProfileName(TypedDict):
    value: NotRequired[Optional[str]]


class PaymentProfilePatchName(TypedDict):
    value: NotRequired[Optional[str]]


class PaymentProfilePatchMethods(TypedDict):
    value: NotRequired[Optional[List[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]]]


class PaymentProfilePatchCurrency(TypedDict):
    value: NotRequired[Optional[str]]


class PaymentProfilePatchCurrencies(TypedDict):
    value: NotRequired[Optional[List[str]]]


class PaymentProfilePatchIsActive(TypedDict):
    value: NotRequired[Optional[bool]]


class PaymentProfilePatchProviderInitialFee(TypedDict):
    value: NotRequired[Optional[Union[int, Decimal]]]


class PaymentProfilePatchProviderPercentageFee(TypedDict):
    value: NotRequired[Optional[Union[int, Decimal]]]


class PaymentProfilePatchAppInitialFee(TypedDict):
    value: NotRequired[Optional[Union[int, Decimal]]]


class PaymentProfilePatchAppPercentageFee(TypedDict):
    value: NotRequired[Optional[Union[int, Decimal]]]


class PaymentProfileCheck(TypedDict):
    ok: bool
    # What is wrong, in one sentence.
    problem: NotRequired[str]
    # The kind of the problem.
    code: NotRequired[Literal["credentials", "permission", "unreachable", "busy", "no-answer", "not-found", "refused", "other-account", "not-ready"]]
    # What was found to be right. Providers tell different parts.
    tested: NotRequired[List[Literal["credentials", "permissions", "account", "methods", "currency"]]]
    # The id of the account at the provider.
    account: NotRequired[str]
    # What works less well than it could, each in one sentence.
    warnings: NotRequired[List[str]]


class PaymentProfileConnection(TypedDict):
    isConnected: bool
    webhookUrl: str
    # What is left to do at the provider.
    instructions: NotRequired[str]


class TeamRole(TypedDict):
    roleId: str
    roleName: str
    description: Optional[str]


class TeamUser(TypedDict):
    userId: str
    email: Optional[str]
    name: Optional[str]
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    accessedTime: Optional[str]
    isDisabled: bool
    # The person opened a link that was sent by e-mail, or came from the OpenID provider.
    isEmailVerified: bool
    isPhoneVerified: bool
    # A bot is an API key.
    isBot: bool
    description: Optional[str]


class TeamUserRole(TypedDict):
    # The app. Members belong to the licence, so both apps show the same.
    resourceId: str
    userId: str
    role: TeamRole
    user: TeamUser
    # Shown once, for a person without membership. Valid for seven days. Absent where e-mails are set up: the
    # link then goes to the address alone.
    invitationLink: NotRequired[str]


class OwnRoleBody(TypedDict):
    roleName: str
    # The overview is always among them. People and licences stay with owners and administrators.
    permissions: List[Literal["DashboardRead", "PaymentRead", "PaymentWrite", "PaymentRefund", "PaymentReview", "CustomerRead", "CustomerWrite", "CustomerErase", "GatewayListRead", "PaymentProfileWrite", "RoutingWrite", "FraudPolicyRead", "FraudPolicyWrite", "DeveloperRead", "DeveloperWrite", "RoleRead", "AuditRead", "SettlementRead", "SettlementWrite", "AppSettingRead", "AppSettingWrite"]]


class OwnRole(TypedDict):
    roleId: str
    roleName: str
    permissions: List[str]


class RemovedRole(TypedDict):
    roleId: str


class RemovedUser(TypedDict):
    userId: str


class BotInput(TypedDict):
    name: str


class BotKey(TypedDict):
    accessToken: BotKeyAccessToken
    refreshToken: None
    userId: str


class BotKeyAccessToken(TypedDict):
    # The API key. Shown once.
    value: str
    expirationTime: Optional[str]
    scheme: str
    # ISO 8601, UTC, with milliseconds.
    issuedTime: str


class BotPatch(TypedDict):
    """The name plain or as { "value": … }."""
    name: NotRequired[Optional[Union[str, BotPatchName]]]


class BotPatchName(TypedDict):
    value: NotRequired[Optional[str]]


class CurrentUser(TypedDict):
    userId: str
    email: Optional[str]
    name: Optional[str]
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    accessedTime: Optional[str]
    isDisabled: bool
    # The person opened a link that was sent by e-mail, or came from the OpenID provider.
    isEmailVerified: bool
    isPhoneVerified: bool
    # A bot is an API key.
    isBot: bool
    description: Optional[str]
    timeZone: Optional[str]
    theme: Optional[str]
    is2faActivate: bool


class CurrentUserPatch(TypedDict):
    """Each member plain or as { "value": … }. Absent or null: unchanged. { "value": null } clears."""
    timeZone: NotRequired[Optional[Union[str, CurrentUserPatchTimeZone]]]
    theme: NotRequired[Optional[Union[Literal["light", "dark", "auto"], CurrentUserPatchTheme]]]


class CurrentUserPatchTimeZone(TypedDict):
    value: NotRequired[Optional[str]]


class CurrentUserPatchTheme(TypedDict):
    value: NotRequired[Optional[Literal["light", "dark", "auto"]]]


class OwnApp(TypedDict):
    appId: str
    licenseId: str
    friendlyName: str
    isSandbox: bool
    isActive: bool
    isSetupCompleted: bool
    isConnectFirstGateway: bool
    hasFirstCapturePayment: bool
    roleName: str
    # Whether the person has a second factor.
    is2faActivate: bool


class SecondFactorState(TypedDict):
    isActive: bool
    # Shown once. Each replaces a code once.
    recoveryCodes: NotRequired[List[str]]


class PublicSettings(TypedDict):
    brand: str
    signinImageUri: Optional[str]
    signinImageUri2: Optional[str]
    signinSlogan: Optional[str]
    # People join by invitation only.
    isSupportSignupProcess: bool
    isSupportPaymentProfileEdit: bool
    isSupportLicenseManagement: bool
    isSupportCustomizeCheckout: bool
    signinTermsAndConditionUrl: Optional[str]
    signinPrivacyUrl: Optional[str]
    signinTermsAndCondition: Optional[str]


class CustomerActivity(TypedDict):
    activityLogId: str
    activityLogType: Literal["Blocked", "Unblocked", "PolicyChanged", "PolicyReset", "DetailsChanged", "MethodAdded", "MethodRemoved", "Erased", "FraudDecision"]
    customerId: str
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    data: Optional[Dict[str, Any]]
    actor: Optional[CustomerActivityActor]


class CustomerActivityActor(TypedDict):
    kind: str
    id: str
    name: str


class CustomerInput(TypedDict):
    # The merchant's identifier. Unique within the app.
    customerId: str
    firstName: NotRequired[Optional[str]]
    lastName: NotRequired[Optional[str]]
    email: NotRequired[Optional[str]]
    mobileNumber: NotRequired[Optional[str]]
    mobile: NotRequired[Optional[str]]
    phoneNumber: NotRequired[Optional[str]]
    fraudPolicyId: NotRequired[Optional[Union[int, str]]]


class Customer(TypedDict):
    customerId: str
    firstName: Optional[str]
    lastName: Optional[str]
    email: Optional[str]
    mobileNumber: Optional[str]
    fraudPolicyId: Optional[int]
    isBlocked: bool
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    # When personal data was erased.
    erasedTime: Optional[str]
    app: CustomerApp


class CustomerApp(TypedDict):
    appId: str
    friendlyName: str
    isSandbox: bool
    isBlocked: bool
    # ISO 8601, UTC, with milliseconds.
    createdTime: str


class CustomerPatch(TypedDict):
    """Each member plain or as { "value": … }. Absent or null: unchanged. { "value": null } clears."""
    firstName: NotRequired[Optional[Union[str, CustomerPatchFirstName]]]
    lastName: NotRequired[Optional[Union[str, CustomerPatchLastName]]]
    email: NotRequired[Optional[Union[str, CustomerPatchEmail]]]
    mobileNumber: NotRequired[Optional[Union[str, CustomerPatchMobileNumber]]]
    mobile: NotRequired[Optional[Union[str, CustomerPatchMobile]]]
    phoneNumber: NotRequired[Optional[Union[str, CustomerPatchPhoneNumber]]]
    fraudPolicyId: NotRequired[Optional[Union[int, str, CustomerPatchFraudPolicyId]]]
    isBlocked: NotRequired[Optional[Union[bool, CustomerPatchIsBlocked]]]


class CustomerPatchFirstName(TypedDict):
    value: NotRequired[Optional[str]]


class CustomerPatchLastName(TypedDict):
    value: NotRequired[Optional[str]]


class CustomerPatchEmail(TypedDict):
    value: NotRequired[Optional[str]]


class CustomerPatchMobileNumber(TypedDict):
    value: NotRequired[Optional[str]]


class CustomerPatchMobile(TypedDict):
    value: NotRequired[Optional[str]]


class CustomerPatchPhoneNumber(TypedDict):
    value: NotRequired[Optional[str]]


class CustomerPatchFraudPolicyId(TypedDict):
    value: NotRequired[Optional[Union[int, str]]]


class CustomerPatchIsBlocked(TypedDict):
    value: NotRequired[Optional[bool]]


class StoredPaymentMethod(TypedDict):
    paymentMethodId: int
    paymentMethodType: Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal"]
    # Masked.
    paymentMethodNumber: str
    isDefault: bool
    cardBrand: NotRequired[str]
    cardType: NotRequired[str]
    cardExpiryMonth: NotRequired[int]
    cardExpiryYear: NotRequired[int]
    nickname: NotRequired[str]
    verificationState: str
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    # When its token was imported from elsewhere.
    importedTime: NotRequired[str]
    providerProfiles: List[StoredPaymentMethodProviderProfiles]


class StoredPaymentMethodProviderProfiles(TypedDict):
    paymentMethodProviderProfileId: int
    profileId: int
    profileName: str
    provider: str


class MethodImport(TypedDict):
    # An integer, also accepted as a numeric string.
    paymentProfileId: Union[int, str]
    # As the guide to moving in has it for each provider. Never a card number.
    token: str
    consentTime: str
    # What the customer agreed to, or a name of that text and its version.
    consentText: str


class Event(TypedDict):
    """The webhook, as it is sent."""
    type: str
    eventId: str
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    sequence: int
    # What it is about: `payment`, `refund` or `dispute`.
    kind: NotRequired[str]
    # The whole Payment as it was at that change.
    payment: NotRequired[Payment]


class WebhookAttempt(TypedDict):
    # Counts from 1.
    attempt: int
    # ISO 8601, UTC, with milliseconds.
    time: str
    # Null when no answer came.
    httpStatus: Optional[int]
    latencyMs: int
    # What went wrong, in words; null when the endpoint answered 2xx.
    error: Optional[str]
    # The first 4 KiB of the answer, secrets masked. Not in lists.
    response: NotRequired[Optional[str]]
    nextTryTime: Optional[str]


class WebhookDelivery(TypedDict):
    # Also the `webhook-id` of every try.
    eventId: str
    type: str
    # Null for a test.
    paymentId: Optional[int]
    paymentState: Optional[str]
    sequence: int
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    # ISO 8601, UTC, with milliseconds.
    queuedTime: str
    # Where it goes, without the query.
    url: Optional[str]
    # The further endpoint that it goes to. Absent: the first one.
    endpointId: NotRequired[str]
    status: Literal["pending", "delivered", "exhausted", "dropped"]
    nextTryTime: Optional[str]
    attempts: List[WebhookAttempt]


class Resent(TypedDict):
    resent: int


class WebhookEndpoint(TypedDict):
    endpointId: str
    # It is the webhook address of the app, also in its settings.
    isFirst: bool
    url: str
    authorizationHeaderScheme: Optional[str]
    # Masked: only whether one is set.
    authorizationHeaderParameter: Optional[str]
    # The states whose events it receives. Null: all.
    states: Optional[List[str]]
    # The kinds of events that it receives. Null: all.
    kinds: Optional[List[str]]
    # It collects its events, for 30 days at most.
    isPaused: bool
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    # Null: none. As in `webhookHealth` of the app.
    trouble: Optional[WebhookEndpointTrouble]


class WebhookEndpointTrouble(TypedDict):
    status: Literal["failing", "paused", "disabled"]
    # ISO 8601, UTC, with milliseconds.
    since: str
    # In a row.
    failures: int
    lastError: str
    nextTryTime: Optional[str]


class WebhookEndpointInput(TypedDict):
    url: str
    # Absent, null or empty: every state.
    states: NotRequired[Optional[List[Literal["Created", "Authorized", "Authorizing", "Approved", "Capturing", "Captured", "Failed", "Disputed", "SaleInProgress", "ProviderAuthorizedHold", "Cancelling", "CapturedHold", "Refunded", "Refunding"]]]]
    # Absent, null or empty: every kind. An event must be of a chosen kind and state. `payment`: it is made,
    # paid, held, captured, cancelled or failed; `refund`: a refund is asked for, done or refused, or the
    # payer's bank returned a debit; `dispute`: a dispute was opened, changed or decided.
    kinds: NotRequired[Optional[List[Literal["payment", "refund", "dispute"]]]]
    isPaused: NotRequired[Optional[bool]]
    authorizationHeaderScheme: NotRequired[Optional[Union[str, WebhookEndpointInputAuthorizationHeaderScheme]]]
    authorizationHeaderParameter: NotRequired[Optional[Union[str, WebhookEndpointInputAuthorizationHeaderParameter]]]


class WebhookEndpointInputAuthorizationHeaderScheme(TypedDict):
    value: NotRequired[Optional[str]]


class WebhookEndpointInputAuthorizationHeaderParameter(TypedDict):
    value: NotRequired[Optional[str]]


class NewWebhookEndpoint(TypedDict):
    endpointId: str
    # It is the webhook address of the app, also in its settings.
    isFirst: bool
    url: str
    authorizationHeaderScheme: Optional[str]
    # Masked: only whether one is set.
    authorizationHeaderParameter: Optional[str]
    # The states whose events it receives. Null: all.
    states: Optional[List[str]]
    # The kinds of events that it receives. Null: all.
    kinds: Optional[List[str]]
    # It collects its events, for 30 days at most.
    isPaused: bool
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    # Null: none. As in `webhookHealth` of the app.
    trouble: Optional[NewWebhookEndpointTrouble]
    # Signs what is sent to it. Shown once.
    secret: str


class NewWebhookEndpointTrouble(TypedDict):
    status: Literal["failing", "paused", "disabled"]
    # ISO 8601, UTC, with milliseconds.
    since: str
    # In a row.
    failures: int
    lastError: str
    nextTryTime: Optional[str]


class WebhookEndpointPatch(TypedDict):
    """Each member plain or as { "value": … }. Absent or null: unchanged. Empty `states` or `kinds`: all."""
    url: NotRequired[Optional[Union[str, WebhookEndpointPatchUrl]]]
    states: NotRequired[Optional[Union[List[Literal["Created", "Authorized", "Authorizing", "Approved", "Capturing", "Captured", "Failed", "Disputed", "SaleInProgress", "ProviderAuthorizedHold", "Cancelling", "CapturedHold", "Refunded", "Refunding"]], WebhookEndpointPatchStates]]]
    kinds: NotRequired[Optional[Union[List[Literal["payment", "refund", "dispute"]], WebhookEndpointPatchKinds]]]
    isPaused: NotRequired[Optional[Union[bool, WebhookEndpointPatchIsPaused]]]
    authorizationHeaderScheme: NotRequired[Optional[Union[str, WebhookEndpointPatchAuthorizationHeaderScheme]]]
    authorizationHeaderParameter: NotRequired[Optional[Union[str, WebhookEndpointPatchAuthorizationHeaderParameter]]]


class WebhookEndpointPatchUrl(TypedDict):
    value: NotRequired[Optional[str]]


class WebhookEndpointPatchStates(TypedDict):
    value: NotRequired[Optional[List[Literal["Created", "Authorized", "Authorizing", "Approved", "Capturing", "Captured", "Failed", "Disputed", "SaleInProgress", "ProviderAuthorizedHold", "Cancelling", "CapturedHold", "Refunded", "Refunding"]]]]


class WebhookEndpointPatchKinds(TypedDict):
    value: NotRequired[Optional[List[Literal["payment", "refund", "dispute"]]]]


class WebhookEndpointPatchIsPaused(TypedDict):
    value: NotRequired[Optional[bool]]


class WebhookEndpointPatchAuthorizationHeaderScheme(TypedDict):
    value: NotRequired[Optional[str]]


class WebhookEndpointPatchAuthorizationHeaderParameter(TypedDict):
    value: NotRequired[Optional[str]]


class WebhookEndpointSecret(TypedDict):
    # Shown once.
    secret: str
    # ISO 8601, UTC, with milliseconds.
    previousValidUntil: str


class FraudPolicy(TypedDict):
    fraudPolicyId: int
    isDefault: bool
    version: int
    name: str
    rules: List[FraudPolicyRules]
    firewall: FraudPolicyFirewall
    # ISO 8601, UTC, with milliseconds.
    createdTime: str


class FraudPolicyRules(TypedDict):
    action: Literal["HoldPayment", "RejectPayment", "BlockCustomer", "RequestExemption", "RequestChallenge", "RequireChallenge"]
    measure: Literal["PaymentCount", "ProviderRejectCount", "TotalAmount", "DistinctCard", "SingleAmount", "ProviderRiskScore"]
    period: Literal["Daily", "Weekly", "Monthly"]
    periodCount: int
    threshold: Decimal
    currency: Optional[str]
    paymentProfiles: Optional[List[int]]
    message: Optional[str]


class FraudPolicyFirewall(TypedDict):
    allowedCountries: List[str]
    blockedCountries: List[str]
    allowedAddresses: List[str]
    blockedAddresses: List[str]
    matchCardCountry: bool
    maxRiskScore: Optional[Decimal]
    whenUnavailable: Literal["Accept", "Reject"]
    message: Optional[str]


class PaymentMethodPolicyRuleMetadata(TypedDict):
    paymentMethodAddCategory: Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal"]
    paymentMethodRuleItems: List[PaymentMethodPolicyRuleMetadataPaymentMethodRuleItems]


class PaymentMethodPolicyRuleMetadataPaymentMethodRuleItems(TypedDict):
    # Added in the customer panel without a charge, or with a payment.
    paymentMethodAddMode: Literal["CustomerPanel", "Payment"]
    paymentMethodVerificationTypes: List[Literal["Provider", "MicroDeposit"]]
    paymentProfile: PaymentProfileSummary


class FraudPolicyVersion(TypedDict):
    version: int
    change: Literal["Created", "Changed", "Deleted"]
    # ISO 8601, UTC, with milliseconds.
    changedTime: str
    changedBy: Optional[FraudPolicyVersionChangedBy]
    name: str
    rules: List[FraudPolicyVersionRules]
    firewall: FraudPolicyVersionFirewall


class FraudPolicyVersionChangedBy(TypedDict):
    """An API key, or a person: then `keyId` is null."""
    keyId: Optional[str]
    name: Optional[str]


class FraudPolicyVersionRules(TypedDict):
    action: Literal["HoldPayment", "RejectPayment", "BlockCustomer", "RequestExemption", "RequestChallenge", "RequireChallenge"]
    measure: Literal["PaymentCount", "ProviderRejectCount", "TotalAmount", "DistinctCard", "SingleAmount", "ProviderRiskScore"]
    period: Literal["Daily", "Weekly", "Monthly"]
    periodCount: int
    threshold: Decimal
    currency: Optional[str]
    paymentProfiles: Optional[List[int]]
    message: Optional[str]


class FraudPolicyVersionFirewall(TypedDict):
    allowedCountries: List[str]
    blockedCountries: List[str]
    allowedAddresses: List[str]
    blockedAddresses: List[str]
    matchCardCountry: bool
    maxRiskScore: Optional[Decimal]
    whenUnavailable: Literal["Accept", "Reject"]
    message: Optional[str]


class FraudPolicyInput(TypedDict):
    name: str
    # Applies to every payment that names no other policy.
    isDefault: NotRequired[Optional[bool]]
    rules: NotRequired[Optional[List[FraudPolicyInputRules]]]
    firewall: NotRequired[Optional[FraudPolicyInputFirewall]]


class FraudPolicyInputRules(TypedDict):
    # The last three ask for 3-D Secure, for card payments with the payer present. `RequireChallenge` rejects
    # the payment if no profile can ask.
    action: Literal["HoldPayment", "RejectPayment", "BlockCustomer", "RequestExemption", "RequestChallenge", "RequireChallenge"]
    # PaymentCount: payments of the customer, this one included, that are being paid or were paid.
    # ProviderRejectCount: attempts of the customer that a provider declined. TotalAmount: amount of the
    # customer's payments, this one included, in the currency of this one. DistinctCard: different cards that
    # the customer tried. SingleAmount: amount of this payment. ProviderRiskScore: the provider's own risk
    # score of this payment.
    measure: Literal["PaymentCount", "ProviderRejectCount", "TotalAmount", "DistinctCard", "SingleAmount", "ProviderRiskScore"]
    # Rolling: 24 hours, 7 or 30 days. Daily when not given.
    period: NotRequired[Optional[Literal["Daily", "Weekly", "Monthly"]]]
    # How many periods; 1 when not given.
    periodCount: NotRequired[Optional[int]]
    # Decimal in major units, as a number or as a string.
    threshold: Union[int, Decimal, str]
    # Null: any.
    currency: NotRequired[Optional[str]]
    # Null or empty: all.
    paymentProfiles: NotRequired[Optional[List[Union[int, str]]]]
    # For the payer, when the rule stops the payment.
    message: NotRequired[Optional[str]]


class FraudPolicyInputFirewall(TypedDict):
    allowedCountries: NotRequired[Optional[List[str]]]
    blockedCountries: NotRequired[Optional[List[str]]]
    # IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24.
    allowedAddresses: NotRequired[Optional[List[str]]]
    # IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24.
    blockedAddresses: NotRequired[Optional[List[str]]]
    # The card must come from the country of the customer's address.
    matchCardCountry: NotRequired[Optional[bool]]
    maxRiskScore: NotRequired[Optional[Union[int, Decimal]]]
    # When something to be checked is not known.
    whenUnavailable: NotRequired[Optional[Literal["Accept", "Reject"]]]
    message: NotRequired[Optional[str]]


class FraudPolicyPatch(TypedDict):
    """What is absent or null stays; rules and firewall are replaced whole."""
    name: NotRequired[Optional[str]]
    # Applies to every payment that names no other policy.
    isDefault: NotRequired[Optional[bool]]
    rules: NotRequired[Optional[List[FraudPolicyPatchRules]]]
    firewall: NotRequired[Optional[FraudPolicyPatchFirewall]]


class FraudPolicyPatchRules(TypedDict):
    # The last three ask for 3-D Secure, for card payments with the payer present. `RequireChallenge` rejects
    # the payment if no profile can ask.
    action: Literal["HoldPayment", "RejectPayment", "BlockCustomer", "RequestExemption", "RequestChallenge", "RequireChallenge"]
    # PaymentCount: payments of the customer, this one included, that are being paid or were paid.
    # ProviderRejectCount: attempts of the customer that a provider declined. TotalAmount: amount of the
    # customer's payments, this one included, in the currency of this one. DistinctCard: different cards that
    # the customer tried. SingleAmount: amount of this payment. ProviderRiskScore: the provider's own risk
    # score of this payment.
    measure: Literal["PaymentCount", "ProviderRejectCount", "TotalAmount", "DistinctCard", "SingleAmount", "ProviderRiskScore"]
    # Rolling: 24 hours, 7 or 30 days. Daily when not given.
    period: NotRequired[Optional[Literal["Daily", "Weekly", "Monthly"]]]
    # How many periods; 1 when not given.
    periodCount: NotRequired[Optional[int]]
    # Decimal in major units, as a number or as a string.
    threshold: Union[int, Decimal, str]
    # Null: any.
    currency: NotRequired[Optional[str]]
    # Null or empty: all.
    paymentProfiles: NotRequired[Optional[List[Union[int, str]]]]
    # For the payer, when the rule stops the payment.
    message: NotRequired[Optional[str]]


class FraudPolicyPatchFirewall(TypedDict):
    allowedCountries: NotRequired[Optional[List[str]]]
    blockedCountries: NotRequired[Optional[List[str]]]
    # IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24.
    allowedAddresses: NotRequired[Optional[List[str]]]
    # IPv4 or IPv6 addresses, or ranges such as 203.0.113.0/24.
    blockedAddresses: NotRequired[Optional[List[str]]]
    # The card must come from the country of the customer's address.
    matchCardCountry: NotRequired[Optional[bool]]
    maxRiskScore: NotRequired[Optional[Union[int, Decimal]]]
    # When something to be checked is not known.
    whenUnavailable: NotRequired[Optional[Literal["Accept", "Reject"]]]
    message: NotRequired[Optional[str]]


FraudSimulation = TypedDict("FraudSimulation", {
    "fraudPolicyId": "int",
    # ISO 8601, UTC, with milliseconds.
    "from": "str",
    # ISO 8601, UTC, with milliseconds.
    "to": "str",
    # Payments with an attempt in that time.
    "payments": "int",
    # False: there were more payments than are looked at.
    "isComplete": "bool",
    "stopped": "FraudSimulationStopped",
    # Payments that are not stopped, by what is asked of 3-D Secure.
    "threeDSecure": "FraudSimulationThreeDSecure",
    "byRule": "List[FraudSimulationByRule]",
    "examples": "List[FraudSimulationExamples]",
})


class FraudSimulationStopped(TypedDict):
    count: int
    byDecision: FraudSimulationStoppedByDecision
    byCurrency: List[FraudSimulationStoppedByCurrency]
    # Stopped payments that were refunded later.
    laterRefunded: int
    # Stopped payments that were disputed later.
    laterDisputed: int


class FraudSimulationStoppedByDecision(TypedDict):
    Hold: int
    Reject: int
    Block: int


class FraudSimulationStoppedByCurrency(TypedDict):
    currency: str
    count: int
    amount: Decimal


class FraudSimulationThreeDSecure(TypedDict):
    """Payments that are not stopped, by what is asked of 3-D Secure."""
    RequestExemption: int
    RequestChallenge: int
    RequireChallenge: int


class FraudSimulationByRule(TypedDict):
    rule: Optional[int]
    name: str
    violated: int


class FraudSimulationExamples(TypedDict):
    paymentId: int
    decision: Literal["Accept", "Hold", "Reject", "Block"]
    # Those that were violated.
    checks: List[FraudSimulationExamplesChecks]
    explanation: str


class FraudSimulationExamplesChecks(TypedDict):
    # Before the provider was called, or after it approved.
    stage: Literal["Before", "After"]
    # The measure of a rule, or what the firewall looked at.
    name: str
    rule: Optional[int]
    action: str
    seen: Optional[str]
    limit: str
    allowed: Optional[List[str]]
    blocked: Optional[List[str]]
    currency: Optional[str]
    period: Optional[Literal["Daily", "Weekly", "Monthly"]]
    periodCount: Optional[int]
    result: Literal["Passed", "Violated", "NotKnown", "NotApplicable"]
    explanation: str


class BlockEntry(TypedDict):
    entryId: int
    kind: Literal["Card", "Email", "EmailDomain", "Address", "Customer", "Country"]
    # Null: erased with the data of its customer. The entry still applies.
    value: Optional[str]
    reason: Optional[str]
    # The payment that it was taken from.
    paymentId: Optional[int]
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    # The person or the API key.
    createdBy: Optional[str]
    endTime: Optional[str]
    # Payments that meet the entry are let through without the checks of a policy, instead of being stopped.
    isAllowed: bool


class BlockEntryInput(TypedDict):
    kind: Literal["Card", "Email", "EmailDomain", "Address", "Customer", "Country"]
    # A card as brand, last digits and expiry (`visa 4242 12/2030`), an e-mail address, a domain, an IP
    # address or range, the id of a customer, or a two-letter country code.
    value: str
    reason: NotRequired[Optional[str]]
    # In the future. Null: it has no end.
    endTime: NotRequired[Optional[str]]
    # Payments that meet the entry are let through without the checks of a policy, instead of being stopped.
    isAllowed: NotRequired[bool]


class Routing(TypedDict):
    defaultProfiles: List[RoutingDefaultProfiles]
    routes: List[RoutingRoutes]
    noFailoverAfter: List[str]
    health: List[RoutingHealth]


class RoutingDefaultProfiles(TypedDict):
    currency: str
    paymentProfileId: int


class RoutingRoutes(TypedDict):
    name: Optional[str]
    currency: Optional[str]
    method: Optional[str]
    minAmount: Optional[Decimal]
    maxAmount: Optional[Decimal]
    countries: Optional[List[str]]
    brands: Optional[List[str]]
    threeDSecure: NotRequired[Literal["RequestExemption", "RequestChallenge", "RequireChallenge"]]
    profiles: List[RoutingRoutesProfiles]


class RoutingRoutesProfiles(TypedDict):
    paymentProfileId: int
    weight: Optional[Decimal]


class RoutingHealth(TypedDict):
    paymentProfileId: int
    paymentProfileName: str
    trouble: Optional[RoutingHealthTrouble]


class RoutingHealthTrouble(TypedDict):
    explanation: str
    # ISO 8601, UTC, with milliseconds.
    probedTime: str


class RoutingInput(TypedDict):
    # The profile that comes first for a currency where no route says otherwise.
    defaultProfiles: NotRequired[Optional[List[RoutingInputDefaultProfiles]]]
    # The first whose conditions are met decides. What is absent or null is no condition.
    routes: NotRequired[Optional[List[RoutingInputRoutes]]]
    # Causes after which no other profile is tried. Absent or null: none.
    noFailoverAfter: NotRequired[Optional[List[Literal["not-sent", "rate-limited", "bad-credentials", "unsupported", "issuer-unavailable", "processing-error", "card-not-supported", "currency-not-supported"]]]]


class RoutingInputDefaultProfiles(TypedDict):
    currency: str
    # An integer, also accepted as a numeric string.
    paymentProfileId: Union[int, str]


class RoutingInputRoutes(TypedDict):
    name: NotRequired[Optional[str]]
    currency: NotRequired[Optional[str]]
    method: NotRequired[Optional[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]]
    minAmount: NotRequired[Optional[Union[int, Decimal, str]]]
    maxAmount: NotRequired[Optional[Union[int, Decimal, str]]]
    # Of the customer's address.
    countries: NotRequired[Optional[List[str]]]
    # Known for stored cards.
    brands: NotRequired[Optional[List[str]]]
    # Asked for card payments that meet the conditions, at any profile.
    threeDSecure: NotRequired[Optional[Literal["RequestExemption", "RequestChallenge", "RequireChallenge"]]]
    profiles: List[RoutingInputRoutesProfiles]


class RoutingInputRoutesProfiles(TypedDict):
    # An integer, also accepted as a numeric string.
    paymentProfileId: Union[int, str]
    weight: NotRequired[Optional[Union[int, Decimal]]]


class RoutingExplanation(TypedDict):
    profiles: List[RoutingExplanationProfiles]
    excluded: List[RoutingExplanationExcluded]


class RoutingExplanationProfiles(TypedDict):
    place: int
    paymentProfileId: int
    paymentProfileName: str
    method: str
    reasons: List[str]


class RoutingExplanationExcluded(TypedDict):
    paymentProfileId: int
    method: str
    reason: str


class RefundApproval(TypedDict):
    """A refund that needs the yes of a second person."""
    approvalId: str
    paymentId: int
    amount: Decimal
    currency: str
    reason: Optional[str]
    state: Literal["open", "approved", "refused"]
    askedBy: str
    askedTime: str
    decidedBy: Optional[str]
    decidedTime: Optional[str]


class Payment(TypedDict):
    appId: str
    paymentId: int
    paymentState: Literal["Created", "Authorized", "Authorizing", "Approved", "Capturing", "Captured", "Failed", "Disputed", "SaleInProgress", "ProviderAuthorizedHold", "Cancelling", "CapturedHold", "Refunded", "Refunding"]
    paymentStateId: int
    amount: Decimal
    capturedAmount: Decimal
    refundedAmount: Decimal
    referenceId: str
    currency: str
    autoCapture: bool
    paymentFlow: Literal["HostedPage", "Direct", "ProviderHostedPage", "AutoPayment"]
    autoPayment: Literal["None", "Register", "Use"]
    fraudStatus: Literal["Unknown", "Verified", "RuleViolated", "Suspicious", "Fraudulent", "Ignored"]
    # The secret part of the address of the checkout page.
    paymentKey: str
    # While the payment can still be paid on a page.
    redirectUrl: NotRequired[str]
    returnUrl: NotRequired[str]
    webhookUrl: NotRequired[str]
    customerId: str
    payerIp: Optional[str]
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    expirationTime: Optional[str]
    # Of a slow method while it is in progress: until when the result may take.
    expectedTime: NotRequired[str]
    customerOrder: Dict[str, Any]
    fraudPolicyId: Optional[int]
    fraudPolicyName: Optional[str]
    # The stored method that was charged, or the id of a method by name.
    paymentMethodId: Optional[Union[int, Literal["ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]]
    # In English. Only of a method by name and of a card in a wallet.
    paymentMethodName: NotRequired[str]
    paymentMethodProviderProfileId: Optional[int]
    # Only if it was asked for, or the provider reports it.
    threeDSecure: NotRequired[PaymentThreeDSecure]
    # Why it ended in Failed.
    failure: Optional[PaymentFailure]
    # The last problem, in words for the merchant.
    lastError: Optional[str]
    canCapture: bool
    canCaptured: bool
    canCancel: bool
    canRefund: bool
    canUnhold: bool
    canRecheck: bool
    canMarkAsRefund: bool
    canMarkAsDispute: bool
    feeBreakdown: Optional[PaymentFeeBreakdown]
    # The first of `disputes`.
    dispute: Optional[PaymentDispute]
    # Every dispute of the payment: open ones first, then lost ones.
    disputes: List[PaymentDisputes]
    payInfo: NotRequired[PaymentPayInfo]
    # What the provider has settled. Only when a payment is read, in apps with a source.
    settlement: NotRequired[Optional[PaymentSettlement]]


class PaymentThreeDSecure(TypedDict):
    """Only if it was asked for, or the provider reports it."""
    # What the provider was asked for; null: nothing.
    requested: Optional[Literal["challenge", "exemption"]]
    # `authenticated`: in one of the two ways, and the provider does not say which. `attempted`: the bank
    # takes no part, and the scheme confirms the attempt. `not-authenticated`: not completed. `not-supported`:
    # by the card, or by the provider. Null: not known.
    result: Optional[Literal["authenticated-by-challenge", "frictionless", "authenticated", "attempted", "exempted", "not-authenticated", "failed", "not-supported"]]
    # Of the protocol.
    version: Optional[str]
    # Whether the payer's bank is liable for fraud; null: the provider does not say.
    liabilityShift: Optional[bool]


class PaymentFailure(TypedDict):
    code: Literal["declined", "expired", "cancelled", "authorization_expired", "fraud_rejected", "provider_rejected", "retry_forbidden"]
    message: str
    declineCode: NotRequired[str]
    # `never`: the card networks forbid another charge of this card. `later`: it may succeed from `retryAfter`
    # on. `after-customer-acts`: the customer has to pay again or to enter other details. `unspecified`: the
    # provider does not say.
    retry: Literal["never", "later", "after-customer-acts", "unspecified"]
    # With `later`: not before then.
    retryAfter: Optional[str]


class PaymentFeeBreakdown(TypedDict):
    totalAmount: Decimal
    netAmount: Decimal
    appFee: Decimal
    providerFee: Decimal
    currency: str
    isProviderFeeActual: bool


class PaymentDispute(TypedDict):
    # The provider's id.
    disputeId: str
    state: Literal["open", "won", "lost"]
    # The disputed amount; null: all that was captured.
    amount: Optional[Decimal]
    # The provider's reason code.
    reason: Optional[str]
    # Until when evidence can be sent.
    evidenceDueTime: Optional[str]
    # The provider's page about the dispute.
    providerUrl: Optional[str]
    # The provider takes a refund while this dispute is open.
    canRefund: bool
    # True, or absent. The dispute was lost, and then it was not: the money is with the merchant again, while
    # the payment stays Refunded with the amount in `refundedAmount`.
    isWonLate: NotRequired[bool]


class PaymentDisputes(TypedDict):
    # The provider's id.
    disputeId: str
    state: Literal["open", "won", "lost"]
    # The disputed amount; null: all that was captured.
    amount: Optional[Decimal]
    # The provider's reason code.
    reason: Optional[str]
    # Until when evidence can be sent.
    evidenceDueTime: Optional[str]
    # The provider's page about the dispute.
    providerUrl: Optional[str]
    # The provider takes a refund while this dispute is open.
    canRefund: bool
    # True, or absent. The dispute was lost, and then it was not: the money is with the merchant again, while
    # the payment stays Refunded with the amount in `refundedAmount`.
    isWonLate: NotRequired[bool]


class PaymentPayInfo(TypedDict):
    providerReferenceId: Optional[str]
    authorizeId: Optional[str]
    captureId: Optional[str]
    providerFee: Optional[Decimal]
    paymentProfile: PaymentPayInfoPaymentProfile
    payer: PaymentPayInfoPayer
    card: Optional[PaymentPayInfoCard]
    checks: Optional[PaymentPayInfoChecks]
    # The card network's code of the last decline.
    networkDeclineCode: Optional[str]
    # Where the customer claims a refund that is on its way.
    refundClaimUrl: Optional[str]


class PaymentPayInfoPaymentProfile(TypedDict):
    paymentProfileId: int
    paymentProfileName: str
    paymentMethodTypeString: Optional[str]
    isActive: bool
    currency: str
    paymentProvider: PaymentPayInfoPaymentProfilePaymentProvider


class PaymentPayInfoPaymentProfilePaymentProvider(TypedDict):
    provider: str
    iconUri1: str
    iconUri2: str


class PaymentPayInfoPayer(TypedDict):
    fullName: Optional[str]
    email: Optional[str]
    country: Optional[str]
    card: Optional[PaymentPayInfoPayerCard]


class PaymentPayInfoPayerCard(TypedDict):
    cardBrand: Optional[str]
    cardType: Optional[str]
    cardExpiryMonth: Optional[int]
    cardExpiryYear: Optional[int]
    cardLast4: Optional[str]
    cardCountry: Optional[str]


class PaymentPayInfoCard(TypedDict):
    cardBrand: Optional[str]
    cardType: Optional[str]
    cardExpiryMonth: Optional[int]
    cardExpiryYear: Optional[int]
    cardLast4: Optional[str]
    cardCountry: Optional[str]


class PaymentPayInfoChecks(TypedDict):
    """Checks by the payer's bank. Absent: not checked."""
    address: NotRequired[Literal["pass", "fail"]]
    postalCode: NotRequired[Literal["pass", "fail"]]
    cvc: NotRequired[Literal["pass", "fail"]]
    threeDSecure: NotRequired[Literal["authenticated", "attempted", "failed"]]


class PaymentSettlement(TypedDict):
    state: Literal["unsettled", "settled", "paid-out", "difference"]
    payoutId: Optional[int]
    paidOutTime: Optional[str]
    # What was settled less what Tender expects; 0: they agree.
    difference: Decimal


class CustomerOrder(TypedDict):
    customer: CustomerOrderCustomer
    orderId: NotRequired[Optional[str]]
    description: NotRequired[Optional[str]]
    amount: NotRequired[Optional[CustomerOrderAmount]]
    items: NotRequired[Optional[List[CustomerOrderItems]]]


class CustomerOrderCustomer(TypedDict):
    customerId: str
    firstName: NotRequired[Optional[str]]
    lastName: NotRequired[Optional[str]]
    email: NotRequired[Optional[str]]
    phoneNumber: NotRequired[Optional[str]]
    mobileNumber: NotRequired[Optional[str]]
    address: NotRequired[Optional[CustomerOrderCustomerAddress]]
    accountCreatedTime: NotRequired[Optional[str]]
    customId: NotRequired[Optional[str]]


class CustomerOrderCustomerAddress(TypedDict):
    streetAddressLine1: NotRequired[Optional[str]]
    streetAddressLine2: NotRequired[Optional[str]]
    zipCode: NotRequired[Optional[str]]
    city: NotRequired[Optional[str]]
    state: NotRequired[Optional[str]]
    country: NotRequired[Optional[str]]
    countryCode: NotRequired[Optional[str]]


class CustomerOrderAmount(TypedDict):
    total: NotRequired[Optional[Union[int, Decimal, str]]]
    shipping: NotRequired[Optional[Union[int, Decimal, str]]]
    totalTax: NotRequired[Optional[Union[int, Decimal, str]]]
    discount: NotRequired[Optional[Union[int, Decimal, str]]]
    handling: NotRequired[Optional[Union[int, Decimal, str]]]
    insurance: NotRequired[Optional[Union[int, Decimal, str]]]
    items: NotRequired[Optional[List[CustomerOrderAmountItems]]]


class CustomerOrderAmountItems(TypedDict):
    name: str
    # Decimal in major units, as a number or as a string.
    amount: Union[int, Decimal, str]
    quantity: Union[int, Decimal, str]
    category: Literal["DigitalGoods", "PhysicalGoods"]
    sku: NotRequired[Optional[str]]
    tax: NotRequired[Optional[Union[int, Decimal, str]]]
    description: NotRequired[Optional[str]]


class CustomerOrderItems(TypedDict):
    name: NotRequired[Optional[str]]
    amount: NotRequired[Optional[Union[int, Decimal, str]]]
    quantity: NotRequired[Optional[Union[int, Decimal, str]]]
    category: NotRequired[Optional[Literal["DigitalGoods", "PhysicalGoods", "Service"]]]
    sku: NotRequired[Optional[str]]
    tax: NotRequired[Optional[Union[int, Decimal, str]]]
    description: NotRequired[Optional[str]]


class PaymentStateLog(TypedDict):
    # The place of the state, from 1.
    paymentStateLogId: int
    paymentState: str
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    lastError: Optional[str]


class PaymentProviderLogData(TypedDict):
    paymentId: str
    # What the request was for: a step of the payment, or `read`.
    method: str
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    paymentGateway: Optional[str]
    # The request and the reply, masked.
    message: Any
    # The reply or what went wrong; null after a success.
    error: Any


class PaymentProviderFullInfo(TypedDict):
    # JSON text: the newest reply about the payment, masked; null when there is none in the log.
    providerInfo: Optional[str]


class PaymentProviderPaymentLinkInfo(TypedDict):
    # The payment in the dashboard of the provider.
    orderUrl: Optional[str]
    # What the provider calls the id.
    orderField: Optional[str]
    orderValue: Optional[str]


class PaymentAttempt(TypedDict):
    attempt: int
    # ISO 8601, UTC, with milliseconds.
    time: str
    paymentProfileId: int
    paymentProfileName: Optional[str]
    paymentMethodType: Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ProviderHostedPage"]
    # Of a method by name: `ideal`.
    paymentMethodId: NotRequired[Literal["ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]
    status: Literal["Running", "Waiting", "Approved", "Declined", "NotDone", "GivenUp"]
    # The outcome in words.
    explanation: str
    declineCode: Optional[str]
    providerCode: Optional[str]
    retry: Optional[Literal["never", "later", "after-customer-acts", "unspecified"]]
    retryAfter: Optional[str]
    undone: Optional[PaymentAttemptUndone]


class PaymentAttemptUndone(TypedDict):
    status: Literal["Running", "Done", "Refused"]
    explanation: str
    # ISO 8601, UTC, with milliseconds.
    time: str


class FraudVerdicts(TypedDict):
    paymentId: int
    fraudStatus: str
    verdicts: List[FraudVerdictsVerdicts]


class FraudVerdictsVerdicts(TypedDict):
    attempt: int
    # ISO 8601, UTC, with milliseconds.
    time: str
    fraudPolicyId: Optional[int]
    fraudPolicyName: Optional[str]
    version: Optional[int]
    paymentProfileId: int
    decision: Literal["Accept", "Hold", "Reject", "Block"]
    checks: List[FraudVerdictsVerdictsChecks]


class FraudVerdictsVerdictsChecks(TypedDict):
    # Before the provider was called, or after it approved.
    stage: Literal["Before", "After"]
    # The measure of a rule, or what the firewall looked at.
    name: str
    rule: Optional[int]
    action: str
    seen: Optional[str]
    limit: str
    allowed: Optional[List[str]]
    blocked: Optional[List[str]]
    currency: Optional[str]
    period: Optional[Literal["Daily", "Weekly", "Monthly"]]
    periodCount: Optional[int]
    result: Literal["Passed", "Violated", "NotKnown", "NotApplicable"]
    explanation: str


class PaymentSummary(TypedDict):
    paymentId: int
    paymentProvider: Optional[PaymentSummaryPaymentProvider]
    currency: str
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    paymentStateId: int
    paymentState: Literal["Created", "Authorized", "Authorizing", "Approved", "Capturing", "Captured", "Failed", "Disputed", "SaleInProgress", "ProviderAuthorizedHold", "Cancelling", "CapturedHold", "Refunded", "Refunding"]
    amount: Decimal
    customerId: str
    redactedPayerPaymentMethodNumber: Optional[str]
    autoPayment: Literal["None", "Register", "Use"]


class PaymentSummaryPaymentProvider(TypedDict):
    provider: str
    iconUri1: str
    iconUri2: str


PaymentOverview = TypedDict("PaymentOverview", {
    # ISO 8601, UTC, with milliseconds.
    "from": "str",
    # ISO 8601, UTC, with milliseconds.
    "to": "str",
    "granularity": "Literal[\"hour\", \"day\", \"month\"]",
    "kpi": "PaymentOverviewKpi",
    "previousKpi": "PaymentOverviewPreviousKpi",
    "volumeSeries": "List[PaymentOverviewVolumeSeries]",
    "paymentStates": "List[PaymentOverviewPaymentStates]",
    "providerStats": "List[PaymentOverviewProviderStats]",
    "currencyStats": "List[PaymentOverviewCurrencyStats]",
    "declinedByCurrency": "List[PaymentOverviewDeclinedByCurrency]",
    "fraud": "PaymentOverviewFraud",
    "failedCharges": "PaymentOverviewFailedCharges",
})


class PaymentOverviewKpi(TypedDict):
    # In percent, 0 to 100.
    approvalRate: Decimal
    capturedCount: int
    totalAttempts: int
    declinedCount: int
    fraudBlockedCount: int


class PaymentOverviewPreviousKpi(TypedDict):
    # In percent, 0 to 100.
    approvalRate: Decimal
    capturedCount: int
    totalAttempts: int
    declinedCount: int
    fraudBlockedCount: int


class PaymentOverviewVolumeSeries(TypedDict):
    label: str
    # `2026-11-15T12`, `2026-11-15` or `2026-11`.
    dateKey: str
    capturedCount: int
    declinedCount: int


class PaymentOverviewPaymentStates(TypedDict):
    state: Literal["Created", "Authorized", "Authorizing", "Approved", "Capturing", "Captured", "Failed", "Disputed", "SaleInProgress", "ProviderAuthorizedHold", "Cancelling", "CapturedHold", "Refunded", "Refunding"]
    count: int


class PaymentOverviewProviderStats(TypedDict):
    providerName: str
    currency: str
    transactionCount: int
    # Captured.
    grossVolume: Decimal
    fees: Decimal
    # In percent, 0 to 100.
    approvalRate: Decimal
    # In percent, 0 to 100.
    shareOfVolume: Decimal


class PaymentOverviewCurrencyStats(TypedDict):
    currency: str
    # Captured.
    volume: Decimal
    paymentCount: int
    fees: Decimal
    # The sum of payments that a fraud policy rejected.
    fraudProtectedAmount: Decimal


class PaymentOverviewDeclinedByCurrency(TypedDict):
    currency: str
    count: int
    amount: Decimal


class PaymentOverviewFraud(TypedDict):
    paymentsBlocked: int
    customersBlocked: int


class PaymentOverviewFailedCharges(TypedDict):
    failed: int
    # Followed within 14 days by a captured payment of the same customer: for the same order, or for the same
    # amount where one of them has no order.
    recovered: int
    # Refused by network rules: `retry_forbidden`.
    forbidden: int
    # False: only the newest 2,000 are counted.
    isWhole: bool
    byRetry: List[PaymentOverviewFailedChargesByRetry]


class PaymentOverviewFailedChargesByRetry(TypedDict):
    # The `failure.retry` of these.
    retry: Literal["never", "later", "after-customer-acts", "unspecified"]
    failed: int
    # Followed within 14 days by a captured payment of the same customer: for the same order, or for the same
    # amount where one of them has no order.
    recovered: int
    # Refused by network rules: `retry_forbidden`.
    forbidden: int


class PaymentDashboard(TypedDict):
    providerIncomes: List[PaymentDashboardProviderIncomes]
    providerCurrencies: List[PaymentDashboardProviderCurrencies]
    paymentCurrencies: List[PaymentDashboardPaymentCurrencies]
    paymentState: List[PaymentDashboardPaymentState]
    paymentDaily: List[PaymentDashboardPaymentDaily]


class PaymentDashboardProviderIncomes(TypedDict):
    provider: str
    paymentProfileId: int
    currency: str
    recordCount: int
    # Captured less refunded.
    incomeAmount: Decimal


class PaymentDashboardProviderCurrencies(TypedDict):
    provider: str
    paymentProfileId: int
    currency: str
    recordCount: int
    totalAmount: Decimal


class PaymentDashboardPaymentCurrencies(TypedDict):
    currency: str
    totalAmount: Decimal
    recordCount: int


class PaymentDashboardPaymentState(TypedDict):
    paymentState: Literal["Created", "Authorized", "Authorizing", "Approved", "Capturing", "Captured", "Failed", "Disputed", "SaleInProgress", "ProviderAuthorizedHold", "Cancelling", "CapturedHold", "Refunded", "Refunding"]
    paymentStateId: int
    recordCount: int


class PaymentDashboardPaymentDaily(TypedDict):
    # `2026-11-15`
    dateKey: str
    # The day of the month.
    day: int
    recordCount: int


class RejectedDashboard(TypedDict):
    rejectedDaily: List[RejectedDashboardRejectedDaily]
    rejectedCurrencies: List[RejectedDashboardRejectedCurrencies]


class RejectedDashboardRejectedDaily(TypedDict):
    # `2026-11-15`
    dateKey: str
    # The day of the month.
    day: int
    recordCount: int


class RejectedDashboardRejectedCurrencies(TypedDict):
    currency: str
    totalAmount: Decimal
    recordCount: int


class LedgerBalances(TypedDict):
    # `2026-11-18`
    date: str
    # False while there is so much to book that it goes on after the answer.
    isComplete: bool
    balances: List[LedgerBalancesBalances]


class LedgerBalancesBalances(TypedDict):
    account: Literal["clearing", "reserves", "bank", "sales", "refunds", "fees", "disputes", "adjustments", "conversion", "differences"]
    # Null: the account is of the whole app.
    paymentProfileId: Optional[int]
    currency: str
    # Debits less credits: sales are negative.
    balance: Decimal
    # The account in the journal for hledger.
    name: str


LedgerFees = TypedDict("LedgerFees", {
    "from": "str",
    "to": "str",
    "by": "Literal[\"provider\", \"method\", \"country\", \"month\"]",
    # False while there is so much to book that it goes on after the answer.
    "isComplete": "bool",
    "fees": "List[LedgerFeesFees]",
})


class LedgerFeesFees(TypedDict):
    # The id of the provider profile, the method, the country or the month (`2026-10`). Null: the lines have
    # no payment, or its country is unknown.
    name: Optional[str]
    currency: str
    # Fees less those that were given back.
    fees: Decimal
    # Sales of the lines.
    gross: Decimal
    # Fees ÷ gross, in percent with two decimals. Null without sales.
    effectiveRate: Optional[Decimal]


class LedgerMonth(TypedDict):
    # `2026-10`
    month: str
    # ISO 8601, UTC, with milliseconds.
    closedTime: str


class GoingLive(TypedDict):
    isComplete: bool
    items: List[GoingLiveItems]


class GoingLiveItems(TypedDict):
    item: Literal["provider", "notification", "address", "webhook", "mail", "secondFactor", "fraud", "branding", "backup", "payment"]
    isDone: bool
    # Of an item with several parts: those that are open.
    missing: List[Literal["answer", "signature", "name", "logo", "terms", "support", "payment", "refund"]]
    # When it was last seen, where that is known.
    time: Optional[str]


class SettlementLine(TypedDict):
    lineId: int
    paymentProfileId: int
    providerLineId: str
    kind: Literal["sale", "refund", "fee", "dispute", "dispute-reversal", "return", "reserve", "adjustment", "conversion", "payout"]
    paymentId: Optional[int]
    # The reference of the payment.
    referenceId: Optional[str]
    # In `currency`, before fees. What is taken from the merchant is negative.
    gross: Decimal
    # In `settlementCurrency`. Null: the provider reports none.
    fee: Optional[Decimal]
    # In `settlementCurrency`. Null: the provider reports gross amounts only.
    net: Optional[Decimal]
    currency: str
    settlementCurrency: Optional[str]
    # ISO 8601, UTC, with milliseconds.
    time: str
    payoutId: Optional[int]
    # `suggested` is a payment of the same amount and days: it is shown and never counted.
    match: Literal["exact", "suggested", "none"]


class Payout(TypedDict):
    payoutId: int
    paymentProfileId: int
    providerPayoutId: str
    # Null until the provider has reported the payout itself.
    amount: Optional[Decimal]
    currency: Optional[str]
    state: Literal["pending", "paid", "failed"]
    # ISO 8601, UTC, with milliseconds.
    time: str
    # When it is or was on the bank account.
    arrivalTime: Optional[str]
    # What the bank statement says.
    bankReference: Optional[str]


class PayoutDetails(TypedDict):
    payoutId: int
    paymentProfileId: int
    providerPayoutId: str
    # Null until the provider has reported the payout itself.
    amount: Optional[Decimal]
    currency: Optional[str]
    state: Literal["pending", "paid", "failed"]
    # ISO 8601, UTC, with milliseconds.
    time: str
    # When it is or was on the bank account.
    arrivalTime: Optional[str]
    # What the bank statement says.
    bankReference: Optional[str]
    # Sums by kind and currency.
    lines: List[PayoutDetailsLines]
    # Whether the net amounts of its lines are the amount. Null: the provider does not report enough.
    addsUp: Optional[bool]
    # The sum of its lines less its amount.
    difference: Optional[Decimal]


class PayoutDetailsLines(TypedDict):
    kind: Literal["sale", "refund", "fee", "dispute", "dispute-reversal", "return", "reserve", "adjustment", "conversion", "payout"]
    count: int
    gross: Decimal
    fee: Optional[Decimal]
    net: Optional[Decimal]
    currency: str
    settlementCurrency: Optional[str]


class SettlementException(TypedDict):
    exceptionId: int
    paymentProfileId: int
    kind: Literal["missing", "unknown", "amount", "currency", "doubled", "unseen", "fee", "payout", "unpaid"]
    state: Literal["open", "closed"]
    paymentId: Optional[int]
    lineId: Optional[int]
    payoutId: Optional[int]
    about: Optional[Literal["sale", "refund", "dispute", "return"]]
    currency: Optional[str]
    # What Tender expects, signed as lines are.
    expectedAmount: Optional[Decimal]
    # What the provider reports.
    actualAmount: Optional[Decimal]
    # ISO 8601, UTC, with milliseconds.
    openedTime: str
    closedTime: Optional[str]
    # Null while it is open, and when it closed by itself.
    closedBy: Optional[str]
    reason: Optional[str]


class SettlementReport(TypedDict):
    reportId: int
    # Lines that were read, also those that were known.
    lines: int
    # Rows that could not be read. The other rows count.
    badRows: List[SettlementReportBadRows]
    # The same file was received before: nothing has changed.
    isRepeated: bool


class SettlementReportBadRows(TypedDict):
    row: str
    problem: str


class ListedSettlementReport(TypedDict):
    reportId: int
    paymentProfileId: int
    # `api` is a page that Tender read at the provider.
    source: Literal["api", "file"]
    fileName: Optional[str]
    # Of its first line.
    fromTime: Optional[str]
    # Of its last line.
    untilTime: Optional[str]
    # ISO 8601, UTC, with milliseconds.
    receivedTime: str
    # Lines that were read, also those that were known.
    lines: int
    # Rows that could not be read, at most 200.
    badRowCount: int


class SettlementReportDetails(TypedDict):
    reportId: int
    paymentProfileId: int
    # `api` is a page that Tender read at the provider.
    source: Literal["api", "file"]
    fileName: Optional[str]
    # Of its first line.
    fromTime: Optional[str]
    # Of its last line.
    untilTime: Optional[str]
    # ISO 8601, UTC, with milliseconds.
    receivedTime: str
    # Lines that were read, also those that were known.
    lines: int
    # Rows that could not be read, at most 200.
    badRowCount: int
    badRows: List[SettlementReportDetailsBadRows]


class SettlementReportDetailsBadRows(TypedDict):
    row: str
    problem: str


class SettlementSource(TypedDict):
    paymentProfileId: int
    isActive: bool
    # The provider's API can be read. Files can come for any profile.
    canRead: bool
    # What was captured before is not missed.
    beginTime: Optional[str]
    readUntil: Optional[str]
    lastReadTime: Optional[str]
    # Why the last read failed. It is tried again.
    problem: Optional[SettlementSourceProblem]


class SettlementSourceProblem(TypedDict):
    code: str
    message: NotRequired[str]


class Dispute(TypedDict):
    # The provider's id, as in `disputes` of the payment; `marked-…` for one that was recorded by hand.
    disputeId: str
    paymentId: int
    # The reference of the payment.
    referenceId: str
    customerId: str
    paymentProfileId: Optional[int]
    provider: Optional[str]
    state: Literal["open", "won", "lost"]
    amount: Decimal
    currency: str
    # The provider's code.
    reason: Optional[str]
    # Until when the provider takes evidence.
    evidenceDueTime: Optional[str]
    # The provider's page about the dispute.
    providerUrl: Optional[str]
    # ISO 8601, UTC, with milliseconds.
    openedTime: str
    decidedTime: Optional[str]
    # What the merchant answered. `submitting` and `accepting`: sent, and the result is not known yet.
    answer: Optional[Literal["draft", "submitting", "submitted", "accepting", "accepted"]]
    answeredBy: Optional[str]
    answeredTime: Optional[str]


class DisputeDetails(TypedDict):
    # The provider's id, as in `disputes` of the payment; `marked-…` for one that was recorded by hand.
    disputeId: str
    paymentId: int
    # The reference of the payment.
    referenceId: str
    customerId: str
    paymentProfileId: Optional[int]
    provider: Optional[str]
    state: Literal["open", "won", "lost"]
    amount: Decimal
    currency: str
    # The provider's code.
    reason: Optional[str]
    # Until when the provider takes evidence.
    evidenceDueTime: Optional[str]
    # The provider's page about the dispute.
    providerUrl: Optional[str]
    # ISO 8601, UTC, with milliseconds.
    openedTime: str
    decidedTime: Optional[str]
    # What the merchant answered. `submitting` and `accepting`: sent, and the result is not known yet.
    answer: Optional[Literal["draft", "submitting", "submitted", "accepting", "accepted"]]
    answeredBy: Optional[str]
    answeredTime: Optional[str]
    # The payment can be refunded now, in spite of its disputes.
    canRefund: bool
    # The draft. Removed here when the provider has it.
    texts: Dict[str, Any]
    files: List[DisputeDetailsFiles]
    # Null: the dispute can only be answered at `providerUrl`.
    limits: Optional[DisputeDetailsLimits]
    # Why the last answer was not taken: a code.
    problem: Optional[str]


class DisputeDetailsFiles(TypedDict):
    kind: Literal["receipt", "shippingProof", "customerCommunication", "serviceProof", "policy", "duplicateProof", "other"]
    mediaType: Literal["application/pdf", "image/jpeg", "image/png"]
    # In bytes.
    size: int
    # Hexadecimal. It shows later which file was sent.
    sha256: str
    savedBy: str
    # ISO 8601, UTC, with milliseconds.
    savedTime: str
    # The provider has the file; it was removed here.
    isSent: bool


class DisputeDetailsLimits(TypedDict):
    # The texts that the provider takes, with the most characters of each.
    texts: Dict[str, Any]
    # The most characters of all texts together.
    totalText: Optional[int]
    files: List[Literal["receipt", "shippingProof", "customerCommunication", "serviceProof", "policy", "duplicateProof", "other"]]
    fileBytes: int
    totalBytes: int


class PaymentLink(TypedDict):
    paymentLinkId: str
    # Opening it creates nothing; the button on its page makes a payment.
    url: str
    isReusable: bool
    # false when it was withdrawn, has expired or made all its payments.
    isActive: bool
    # Null: the payer chooses.
    amount: Optional[Decimal]
    minimumAmount: Optional[Decimal]
    maximumAmount: Optional[Decimal]
    currency: str
    description: str
    referenceId: Optional[str]
    autoCapture: bool
    returnUrl: Optional[str]
    # Null: any number.
    maximumPayments: Optional[int]
    # Payments of which something was captured.
    paidCount: int
    # What was captured, before refunds.
    paidAmount: Decimal
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    expirationTime: Optional[str]
    withdrawnTime: Optional[str]


Export = TypedDict("Export", {
    "exportId": "str",
    # What the file has rows of.
    "kind": "Literal[\"payments\", \"refunds\", \"disputes\", \"customers\", \"links\", \"events\", \"everything\"]",
    "state": "Literal[\"waiting\", \"running\", \"done\", \"failed\", \"cancelled\"]",
    # Why it failed: choose a shorter period, remove exports, or try again.
    "problem": "Optional[Literal[\"too-many-rows\", \"no-space\", \"internal\"]]",
    # Rows that are in the file so far.
    "rows": "int",
    # Of the file so far.
    "bytes": "int",
    "columns": "List[str]",
    # Of payments.
    "query": "Optional[str]",
    "separator": "Literal[\"comma\", \"semicolon\"]",
    "byteOrderMark": "bool",
    # The beginning of the period, ISO 8601. Null: the first of all.
    "from": "Optional[str]",
    # The end of the period, which is not part of it, ISO 8601.
    "to": "str",
    # The schedule that asked for it.
    "scheduleId": "Optional[str]",
    "requestedBy": "ExportRequestedBy",
    # ISO 8601, UTC, with milliseconds.
    "createdTime": "str",
    # When it ended, ISO 8601.
    "endedTime": "Optional[str]",
    # When the file is removed, ISO 8601.
    "removalTime": "Optional[str]",
})


class ExportRequestedBy(TypedDict):
    kind: Literal["person", "key", "operator", "service"]
    id: str
    name: str


class ExportSchedule(TypedDict):
    scheduleId: str
    # What the file has rows of.
    kind: Literal["payments", "refunds", "disputes", "customers", "links", "events", "everything"]
    every: Literal["day", "week", "month"]
    columns: List[str]
    # Of payments.
    query: Optional[str]
    separator: Literal["comma", "semicolon"]
    byteOrderMark: bool
    recipients: List[str]
    isPaused: bool
    # ISO 8601, UTC, with milliseconds.
    nextTime: str
    createdBy: ExportScheduleCreatedBy
    # ISO 8601, UTC, with milliseconds.
    createdTime: str


class ExportScheduleCreatedBy(TypedDict):
    kind: Literal["person", "key", "operator", "service"]
    id: str
    name: str


class Import(TypedDict):
    importId: str
    state: Literal["waiting", "running", "done", "cancelled"]
    # Everything was checked, and nothing is written.
    isDryRun: bool
    fileName: Optional[str]
    # Lines of the file, without its header.
    lines: int
    # Lines that are done so far.
    done: int
    # Lines that added something; in a dry run, that would.
    added: int
    # Lines that say what is known already.
    unchanged: int
    # Lines that were left out: `…/problems` names them.
    wrong: int
    # ISO 8601, UTC, with milliseconds.
    createdTime: str
    endedTime: Optional[str]


class ImportProblem(TypedDict):
    # The number of the line in the file. The header is line 1.
    line: int
    code: str
    field: Optional[str]
    # A sentence about it.
    message: str


class ErasedCustomer(TypedDict):
    customerId: str
    # ISO 8601, UTC, with milliseconds.
    erasedTime: str


class Note(TypedDict):
    noteId: int
    text: str
    author: NoteAuthor
    # ISO 8601, UTC, with milliseconds.
    createdTime: str


class NoteAuthor(TypedDict):
    kind: str
    id: str
    name: str


class NewNote(TypedDict):
    # What the team should know.
    text: str


class Assignment(TypedDict):
    """The member of the team who takes care of it; null for none."""
    personId: Optional[str]
    # The name, otherwise the e-mail address.
    name: Optional[str]


class NewAssignment(TypedDict):
    personId: Optional[str]


class ApiCall(TypedDict):
    # As the answer’s `x-request-id`.
    requestId: str
    # ISO 8601, UTC, with milliseconds.
    time: str
    method: str
    # Without the query.
    path: str
    # The path with parameters in braces.
    route: str
    status: int
    # From the headers of the request to the end of the answer.
    ms: int
    # The API key.
    keyId: Optional[str]
    # The person, for a request of the console.
    personId: Optional[str]
    # The address of the client.
    address: str
    idempotencyKey: Optional[str]
    # Answered with the answer of an earlier request.
    isReplayed: bool
    paymentId: Optional[int]
    # The code of a refusal.
    error: Optional[str]


ApiCounts = TypedDict("ApiCounts", {
    # ISO 8601, UTC, with milliseconds.
    "from": "str",
    # ISO 8601, UTC, with milliseconds.
    "to": "str",
    "bucket": "Literal[\"minute\", \"hour\"]",
    "buckets": "List[ApiCountsBuckets]",
})


class ApiCountsBuckets(TypedDict):
    # ISO 8601, UTC, with milliseconds.
    time: str
    succeeded: int
    # 4xx.
    refused: int
    # 5xx.
    failed: int
    # How many of these have no line in the log.
    leftOut: int
    averageMs: Optional[int]


class ApiCallDetails(TypedDict):
    # As the answer’s `x-request-id`.
    requestId: str
    # ISO 8601, UTC, with milliseconds.
    time: str
    method: str
    # Without the query.
    path: str
    # The path with parameters in braces.
    route: str
    status: int
    # From the headers of the request to the end of the answer.
    ms: int
    # The API key.
    keyId: Optional[str]
    # The person, for a request of the console.
    personId: Optional[str]
    # The address of the client.
    address: str
    idempotencyKey: Optional[str]
    # Answered with the answer of an earlier request.
    isReplayed: bool
    paymentId: Optional[int]
    # The code of a refusal.
    error: Optional[str]
    # Masked JSON of about 8 kB at most; null when it is not kept.
    query: Any
    # Masked JSON of about 8 kB at most; null when it is not kept.
    requestBody: Any
    # Masked JSON of about 8 kB at most; null when it is not kept.
    answerBody: Any


class LicenseInput(TypedDict):
    licenseName: str
    ownerEmail: NotRequired[str]


class License(TypedDict):
    licenseId: str
    licenseName: str
    # Shown once. Opens GET /api/licenses/{licenseId}.
    authorizationCode: str
    apps: List[LicenseApps]
    # Who is invited as the owner.
    ownerEmail: NotRequired[str]
    # Shown once, valid for seven days. Absent where e-mails are set up: the link then goes to the address
    # alone.
    invitationLink: NotRequired[str]


class LicenseApps(TypedDict):
    appId: str
    isSandbox: bool
    friendlyName: str
    # Shown once.
    apiKey: str
    # Shown once. Signs the webhooks of the app.
    webhookSecret: str


class OwnerInput(TypedDict):
    email: str


class OwnerInvitation(TypedDict):
    licenseId: str
    email: str
    # ISO 8601, UTC, with milliseconds.
    expiresTime: str
    # Shown once, valid for seven days. Absent where e-mails are set up: the link then goes to the address
    # alone.
    invitationLink: NotRequired[str]


class VisitInput(TypedDict):
    email: str
    reason: str


class LicenseVisit(TypedDict):
    licenseId: str
    email: str
    role: str
    reason: str
    # ISO 8601, UTC, with milliseconds.
    expiresTime: str
    # Sandbox first. The console shows them meanwhile.
    appIds: List[str]


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal["malformed_request", "invalid_request", "unauthorized", "invalid_signature", "forbidden", "key_scope", "app_blocked", "sandbox_only", "otp_required", "otp_invalid", "otp_not_enrolled", "not_found", "method_not_allowed", "request_timeout", "reference_id_reused", "payment_not_capturable", "payment_not_cancellable", "payment_not_refundable", "refund_too_late", "payment_not_held", "payment_not_payable", "payment_busy", "action_not_allowed", "too_many_api_keys", "too_many_webhook_endpoints", "member_exists", "last_owner", "customer_exists", "token_in_use", "customer_busy", "checkout_host_taken", "refund_limit_reached", "refund_needs_approval", "fraud_policy_in_use", "idempotency_key_in_use", "payload_too_large", "unsupported_media_type", "headers_too_large", "no_profile_for_currency", "profile_not_usable", "invalid_profile_settings", "other_account", "no_stored_method", "amount_out_of_bounds", "wrong_settlement_report", "token_not_known", "wrong_import_file", "customer_blocked", "unknown_fraud_policy", "card_number_not_allowed", "idempotency_key_reused", "not_possible", "too_many_requests", "internal_error", "unavailable"]
    # Every bad field.
    errors: NotRequired[List[ProblemErrors]]
    requestId: str
    # The code in another spelling, for older clients.
    TypeName: str
    # The same as `detail`, for older clients.
    Message: str


class ProblemErrors(TypedDict):
    field: str
    message: str


class ApiKeysListQuery(TypedDict):
    # Where a page begins; from the `Link` header of the one before.
    after: NotRequired[str]


class PaymentProfilesListQuery(TypedDict):
    onlyRoutedProfile: NotRequired[bool]


class PaymentProfilesCalculateFeeQuery(TypedDict):
    amount: Union[int, Decimal, str]
    # Absent: the ids in the body, else every active profile.
    ids: NotRequired[str]


class TeamCreateBotByNameQuery(TypedDict):
    botName: str


class CustomersAllActivityQuery(TypedDict):
    activityLogType: NotRequired[Literal["Blocked", "Unblocked", "PolicyChanged", "PolicyReset", "DetailsChanged", "MethodAdded", "MethodRemoved", "Erased", "FraudDecision"]]
    beginTime: NotRequired[str]
    endTime: NotRequired[str]
    pageNumber: NotRequired[Union[int, Decimal, str]]
    pageSize: NotRequired[Union[int, Decimal, str]]
    customerId: NotRequired[str]


class CustomersActivityQuery(TypedDict):
    activityLogType: NotRequired[Literal["Blocked", "Unblocked", "PolicyChanged", "PolicyReset", "DetailsChanged", "MethodAdded", "MethodRemoved", "Erased", "FraudDecision"]]
    beginTime: NotRequired[str]
    endTime: NotRequired[str]
    pageNumber: NotRequired[Union[int, Decimal, str]]
    pageSize: NotRequired[Union[int, Decimal, str]]


class CustomersListQuery(TypedDict):
    pageNumber: NotRequired[Union[int, Decimal, str]]
    pageSize: NotRequired[Union[int, Decimal, str]]
    # The beginning of an id, name, e-mail address or phone number.
    searchCriteria: NotRequired[str]
    isBlocked: NotRequired[bool]
    # An integer, also accepted as a numeric string.
    fraudPolicyId: NotRequired[Union[int, str]]


class CustomersPaymentMethodsQuery(TypedDict):
    onlyVerifiedPaymentMethods: NotRequired[bool]


class CustomersProviderInfoResult(TypedDict):
    accounts: List[Dict[str, Any]]
    item: None
    numbers: None


class CustomersPanelLinkQuery(TypedDict):
    returnUrl: NotRequired[str]
    unauthorizedRedirectUrl: NotRequired[str]
    customerPanelLinkAccessType: NotRequired[Literal["CreditCard", "ElectronicCheck", "All"]]
    # The link is for this one thing to do, and for nothing else.
    task: NotRequired[Literal["add-method", "verify-method", "pay"]]
    # An integer, also accepted as a numeric string.
    paymentMethodId: NotRequired[Union[int, str]]
    # An integer, also accepted as a numeric string.
    paymentId: NotRequired[Union[int, str]]


class CustomersResetFraudCountsResult(TypedDict):
    customerId: str


class EventsListQuery(TypedDict):
    # Only those of this payment.
    paymentId: NotRequired[Union[int, Decimal, str]]
    since: NotRequired[str]
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[str]


class WebhooksListQuery(TypedDict):
    # Only those of this payment.
    paymentId: NotRequired[Union[int, Decimal, str]]
    since: NotRequired[str]
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[str]
    status: NotRequired[Literal["pending", "delivered", "exhausted", "dropped"]]


class WebhooksGetQuery(TypedDict):
    # Of `GET /webhook-endpoints`. Absent: the first endpoint.
    endpointId: NotRequired[str]


class WebhooksResendQuery(TypedDict):
    # Of `GET /webhook-endpoints`. Absent: the first endpoint.
    endpointId: NotRequired[str]


class WebhooksResendFailedQuery(TypedDict):
    since: NotRequired[str]


class FraudPoliciesListQuery(TypedDict):
    # Where a page begins; from the `Link` header of the one before.
    after: NotRequired[Union[int, Decimal, str]]


class FraudPoliciesVersionsQuery(TypedDict):
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[Union[int, Decimal, str]]


class FraudPoliciesReplaceRulesInput(TypedDict):
    # The last three ask for 3-D Secure, for card payments with the payer present. `RequireChallenge` rejects
    # the payment if no profile can ask.
    action: Literal["HoldPayment", "RejectPayment", "BlockCustomer", "RequestExemption", "RequestChallenge", "RequireChallenge"]
    # PaymentCount: payments of the customer, this one included, that are being paid or were paid.
    # ProviderRejectCount: attempts of the customer that a provider declined. TotalAmount: amount of the
    # customer's payments, this one included, in the currency of this one. DistinctCard: different cards that
    # the customer tried. SingleAmount: amount of this payment. ProviderRiskScore: the provider's own risk
    # score of this payment.
    measure: Literal["PaymentCount", "ProviderRejectCount", "TotalAmount", "DistinctCard", "SingleAmount", "ProviderRiskScore"]
    # Rolling: 24 hours, 7 or 30 days. Daily when not given.
    period: NotRequired[Optional[Literal["Daily", "Weekly", "Monthly"]]]
    # How many periods; 1 when not given.
    periodCount: NotRequired[Optional[int]]
    # Decimal in major units, as a number or as a string.
    threshold: Union[int, Decimal, str]
    # Null: any.
    currency: NotRequired[Optional[str]]
    # Null or empty: all.
    paymentProfiles: NotRequired[Optional[List[Union[int, str]]]]
    # For the payer, when the rule stops the payment.
    message: NotRequired[Optional[str]]


class FraudPoliciesSimulateInput(TypedDict):
    # How far to look back.
    days: int


class FraudPoliciesRejectedPaymentsQuery(TypedDict):
    beginTime: NotRequired[str]
    endTime: NotRequired[str]
    timeZoneName: NotRequired[str]


class BlockListListQuery(TypedDict):
    kind: NotRequired[Literal["Card", "Email", "EmailDomain", "Address", "Customer", "Country"]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[Union[int, Decimal, str]]


class RoutingExplainInput(TypedDict):
    currency: str
    amount: NotRequired[Optional[Union[int, Decimal, str]]]
    method: NotRequired[Optional[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]]
    # true when not given.
    autoCapture: NotRequired[Optional[bool]]
    country: NotRequired[Optional[str]]
    brand: NotRequired[Optional[str]]
    # Weights draw by it: the same payment, the same order.
    paymentId: NotRequired[Optional[Union[int, str]]]


class RefundApprovalsListQuery(TypedDict):
    state: NotRequired[Literal["open", "approved", "refused"]]


class PaymentsCreateHostedPageInput(TypedDict):
    # Names the payment for ever. The same value again never makes a second payment.
    referenceId: str
    # Decimal in major units, as a number or as a string.
    amount: Union[int, Decimal, str]
    # true captures as soon as authorised, false authorises only.
    autoCapture: bool
    customerOrder: CustomerOrder
    # Webhooks of this payment go here instead of to the address of the app.
    webhookUrl: NotRequired[Optional[str]]
    # Applied instead of the policy of the app.
    fraudPolicyId: NotRequired[Optional[Union[int, str]]]
    # Shown on the payer’s bank statement, after the name of the shop, where the provider can.
    statementDescriptor: NotRequired[Optional[str]]
    # An ISO 4217 code that a provider profile of the app takes.
    currency: str
    # The language of the payer, such as `de` or `de-AT`, for the checkout and the pages of providers.
    locale: NotRequired[Optional[str]]
    # The country of the payer by ISO 3166-1, when the order has no address.
    country: NotRequired[Optional[str]]
    # Shown on the pages of providers instead of the name of the app, where they can.
    brandName: NotRequired[Optional[str]]
    # What to ask of 3-D Secure when the payer uses a card.
    threeDSecure: NotRequired[Optional[PaymentsCreateHostedPageInputThreeDSecure]]
    registerAutoPayment: NotRequired[Optional[bool]]
    # The checkout link stops working then.
    expirationTime: NotRequired[Optional[str]]
    returnUrl: str
    # Whether the checkout offers to save the method.
    showPayRecurringInCheckout: bool
    # Offer these provider profiles only.
    paymentProfiles: NotRequired[Optional[List[Union[int, str]]]]
    # The same for a single profile.
    paymentProfileId: NotRequired[Optional[Union[int, str]]]
    # Offer these methods only. `ProviderHostedPage` stands for every method without fields on the checkout,
    # such as PayPal and each method by name, `VerifiedPaymentMethod` for stored ones.
    checkoutMethods: NotRequired[Optional[List[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "VerifiedPaymentMethod", "ProviderHostedPage", "ideal", "bancontact", "sepa-debit", "eps", "klarna", "blik", "przelewy24", "twint", "mb-way", "multibanco", "swish", "vipps", "mobilepay", "pix", "alipay", "wechat-pay", "cash-app", "afterpay", "link", "bank-transfer", "apple-pay", "google-pay"]]]]


class PaymentsCreateHostedPageInputThreeDSecure(TypedDict):
    # `challenge` asks the bank to challenge the payer, `exemption` asks it not to.
    requested: Literal["challenge", "exemption"]
    # With `challenge`: only profiles that can ask for one offer cards. Otherwise they are preferred.
    isRequired: NotRequired[Optional[bool]]


class PaymentsCreateInput(TypedDict):
    # Names the payment for ever. The same value again never makes a second payment.
    referenceId: str
    # Decimal in major units, as a number or as a string.
    amount: Union[int, Decimal, str]
    # true captures as soon as authorised, false authorises only.
    autoCapture: bool
    customerOrder: CustomerOrder
    # Webhooks of this payment go here instead of to the address of the app.
    webhookUrl: NotRequired[Optional[str]]
    # Applied instead of the policy of the app.
    fraudPolicyId: NotRequired[Optional[Union[int, str]]]
    # Shown on the payer’s bank statement, after the name of the shop, where the provider can.
    statementDescriptor: NotRequired[Optional[str]]
    # An ISO 4217 code that a provider profile of the app takes.
    currency: str
    # The language of the payer, such as `de` or `de-AT`, for the checkout and the pages of providers.
    locale: NotRequired[Optional[str]]
    # The country of the payer by ISO 3166-1, when the order has no address.
    country: NotRequired[Optional[str]]
    # Shown on the pages of providers instead of the name of the app, where they can.
    brandName: NotRequired[Optional[str]]
    # What to ask of 3-D Secure when the payer uses a card.
    threeDSecure: NotRequired[Optional[PaymentsCreateInputThreeDSecure]]
    registerAutoPayment: NotRequired[Optional[bool]]
    # The checkout link stops working then.
    expirationTime: NotRequired[Optional[str]]
    returnUrl: NotRequired[Optional[str]]


class PaymentsCreateInputThreeDSecure(TypedDict):
    # `challenge` asks the bank to challenge the payer, `exemption` asks it not to.
    requested: Literal["challenge", "exemption"]
    # With `challenge`: only profiles that can ask for one offer cards. Otherwise they are preferred.
    isRequired: NotRequired[Optional[bool]]


PaymentsListQuery = TypedDict("PaymentsListQuery", {
    # Terms such as `state:failed provider:stripe amount:>100 ref:INV-* -state:refunded`, and free text: a
    # payment id, the last four digits of a card, the beginning of a reference, or a customer.
    "q": "NotRequired[str]",
    # States, or words for how a payment stands: `held`, `declined` (it may still be payable), `blocked` by a
    # fraud rule, `accepted` (authorised or paid), `paid`, `part-refunded`. Several are separated by commas.
    "state": "NotRequired[str]",
    # Providers, such as `stripe`. Several are separated by commas.
    "provider": "NotRequired[str]",
    # Ids of provider profiles. Several are separated by commas.
    "profile": "NotRequired[str]",
    # Currencies. Several are separated by commas.
    "currency": "NotRequired[str]",
    # The id of a customer.
    "customer": "NotRequired[str]",
    # Ids of fraud policies. Several are separated by commas.
    "policy": "NotRequired[str]",
    # Created since this day, month or instant.
    "from": "NotRequired[str]",
    # Created until the end of this day or month, or until this instant.
    "to": "NotRequired[str]",
    # The least amount.
    "min": "NotRequired[Union[int, Decimal, str]]",
    # The greatest amount.
    "max": "NotRequired[Union[int, Decimal, str]]",
    "timeZoneName": "NotRequired[str]",
    "pageSize": "NotRequired[Union[int, Decimal, str]]",
    # Where a page begins; from the `Link` header of the one before.
    "cursor": "NotRequired[str]",
})


class PaymentsCreateProviderHostedPageInput(TypedDict):
    # Names the payment for ever. The same value again never makes a second payment.
    referenceId: str
    # Decimal in major units, as a number or as a string.
    amount: Union[int, Decimal, str]
    # true captures as soon as authorised, false authorises only.
    autoCapture: bool
    customerOrder: CustomerOrder
    # Webhooks of this payment go here instead of to the address of the app.
    webhookUrl: NotRequired[Optional[str]]
    # Applied instead of the policy of the app.
    fraudPolicyId: NotRequired[Optional[Union[int, str]]]
    # Shown on the payer’s bank statement, after the name of the shop, where the provider can.
    statementDescriptor: NotRequired[Optional[str]]
    # An ISO 4217 code that a provider profile of the app takes.
    currency: str
    # The language of the payer, such as `de` or `de-AT`, for the checkout and the pages of providers.
    locale: NotRequired[Optional[str]]
    # The country of the payer by ISO 3166-1, when the order has no address.
    country: NotRequired[Optional[str]]
    # Shown on the pages of providers instead of the name of the app, where they can.
    brandName: NotRequired[Optional[str]]
    # What to ask of 3-D Secure when the payer uses a card.
    threeDSecure: NotRequired[Optional[PaymentsCreateProviderHostedPageInputThreeDSecure]]
    registerAutoPayment: NotRequired[Optional[bool]]
    # The checkout link stops working then.
    expirationTime: NotRequired[Optional[str]]
    returnUrl: NotRequired[Optional[str]]
    # An integer, also accepted as a numeric string.
    paymentProfileId: Union[int, str]


class PaymentsCreateProviderHostedPageInputThreeDSecure(TypedDict):
    # `challenge` asks the bank to challenge the payer, `exemption` asks it not to.
    requested: Literal["challenge", "exemption"]
    # With `challenge`: only profiles that can ask for one offer cards. Otherwise they are preferred.
    isRequired: NotRequired[Optional[bool]]


class PaymentsCreateAutoPaymentInput(TypedDict):
    # Names the payment for ever. The same value again never makes a second payment.
    referenceId: str
    # Decimal in major units, as a number or as a string.
    amount: Union[int, Decimal, str]
    # true captures as soon as authorised, false authorises only.
    autoCapture: bool
    customerOrder: CustomerOrder
    # Webhooks of this payment go here instead of to the address of the app.
    webhookUrl: NotRequired[Optional[str]]
    # Applied instead of the policy of the app.
    fraudPolicyId: NotRequired[Optional[Union[int, str]]]
    # Shown on the payer’s bank statement, after the name of the shop, where the provider can.
    statementDescriptor: NotRequired[Optional[str]]
    currency: NotRequired[Optional[str]]
    # Charge this stored method; else the default one, else the newest.
    paymentMethodId: NotRequired[Optional[Union[int, str]]]
    # Charge at this provider profile.
    paymentMethodProviderProfileId: NotRequired[Optional[Union[int, str]]]


class PaymentsLinkResult(TypedDict):
    url: str


class PaymentsCaptureQuery(TypedDict):
    # A part of it only, in major units. Where it is missing, `amount` of a JSON body is read.
    amount: NotRequired[Union[int, Decimal, str]]


class PaymentsCancelQuery(TypedDict):
    # The current one-time code, where the app demands a second factor.
    otpCode: NotRequired[str]


class PaymentsRefundQuery(TypedDict):
    # A part of it only, in major units. Where it is missing, `amount` of a JSON body is read.
    amount: NotRequired[Union[int, Decimal, str]]
    # Why the money is given back. Stripe gets it, and blocks the card and the e-mail address of a
    # `fraudulent` refund.
    reason: NotRequired[Literal["duplicate", "fraudulent", "requested-by-customer", "other"]]
    description: NotRequired[str]
    # The current one-time code, where the app demands a second factor.
    otpCode: NotRequired[str]


class PaymentsMarkAsRefundInput(TypedDict):
    reason: NotRequired[Optional[str]]


class PaymentsMarkAsRefundQuery(TypedDict):
    description: NotRequired[str]
    # The current one-time code, where the app demands a second factor.
    otpCode: NotRequired[str]


class PaymentsMarkAsDisputeInput(TypedDict):
    reason: NotRequired[Optional[str]]


class PaymentsMarkAsDisputeQuery(TypedDict):
    description: NotRequired[str]
    # The current one-time code, where the app demands a second factor.
    otpCode: NotRequired[str]


class PaymentsSummaryQuery(TypedDict):
    # Ids of payment states, separated by commas: `7,14`.
    paymentStates: NotRequired[str]
    # A payment id, reference, customer, or last four digits.
    searchCriteria: NotRequired[str]
    beginTime: NotRequired[str]
    endTime: NotRequired[str]
    # From 1.
    pageNumber: NotRequired[Union[int, Decimal, str]]
    pageSize: NotRequired[Union[int, Decimal, str]]
    customerId: NotRequired[str]
    # An integer, also accepted as a numeric string.
    paymentProfileId: NotRequired[Union[int, str]]
    # An integer, also accepted as a numeric string.
    fraudPolicyId: NotRequired[Union[int, str]]


class PaymentsOverviewQuery(TypedDict):
    beginTime: NotRequired[str]
    endTime: NotRequired[str]
    timeZoneName: NotRequired[str]


class PaymentsDashboardQuery(TypedDict):
    beginTime: NotRequired[str]
    endTime: NotRequired[str]
    timeZoneName: NotRequired[str]
    # An integer, also accepted as a numeric string.
    paymentProfileId: NotRequired[Union[int, str]]


class LedgerBalancesQuery(TypedDict):
    # The balances at the end of this day of the app's time zone. Default: today.
    date: NotRequired[Union[int, Decimal, str]]


LedgerFeesQuery = TypedDict("LedgerFeesQuery", {
    # Default: provider.
    "by": "NotRequired[Literal[\"provider\", \"method\", \"country\", \"month\"]]",
    # From this day of the app's time zone. Default: the first.
    "from": "NotRequired[Union[int, Decimal, str]]",
    # To the end of this day. Default: the last.
    "to": "NotRequired[Union[int, Decimal, str]]",
})


LedgerJournalQuery = TypedDict("LedgerJournalQuery", {
    # Default: csv.
    "format": "NotRequired[Literal[\"csv\", \"hledger\", \"beancount\"]]",
    # From this day of the app's time zone. Default: the first.
    "from": "NotRequired[Union[int, Decimal, str]]",
    # To the end of this day. Default: the last.
    "to": "NotRequired[Union[int, Decimal, str]]",
})


LedgerSettlementsQuery = TypedDict("LedgerSettlementsQuery", {
    # From this day of the app's time zone. Default: the first.
    "from": "NotRequired[Union[int, Decimal, str]]",
    # To the end of this day. Default: the last.
    "to": "NotRequired[Union[int, Decimal, str]]",
})


class SettlementsLinesQuery(TypedDict):
    kind: NotRequired[Literal["sale", "refund", "fee", "dispute", "dispute-reversal", "return", "reserve", "adjustment", "conversion", "payout"]]
    match: NotRequired[Literal["exact", "suggested", "none"]]
    # An integer, also accepted as a numeric string.
    paymentId: NotRequired[Union[int, str]]
    # An integer, also accepted as a numeric string.
    payoutId: NotRequired[Union[int, str]]
    # An integer, also accepted as a numeric string.
    paymentProfileId: NotRequired[Union[int, str]]
    since: NotRequired[str]
    until: NotRequired[str]
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[str]


class SettlementsPayoutsQuery(TypedDict):
    # An integer, also accepted as a numeric string.
    paymentProfileId: NotRequired[Union[int, str]]
    state: NotRequired[Literal["pending", "paid", "failed"]]
    since: NotRequired[str]
    until: NotRequired[str]
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[str]


class SettlementsExceptionsQuery(TypedDict):
    kind: NotRequired[Literal["missing", "unknown", "amount", "currency", "doubled", "unseen", "fee", "payout", "unpaid"]]
    state: NotRequired[Literal["open", "closed"]]
    # An integer, also accepted as a numeric string.
    paymentId: NotRequired[Union[int, str]]
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[str]


class SettlementsCloseExceptionInput(TypedDict):
    # Why nothing has to be done. Kept in the audit log.
    reason: str


class SettlementsImportReportQuery(TypedDict):
    # An integer, also accepted as a numeric string.
    paymentProfileId: Union[int, str]
    # Shown in the list of reports.
    fileName: NotRequired[str]


class SettlementsReportsQuery(TypedDict):
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[Union[int, Decimal, str]]


class SettlementsSetSourceInput(TypedDict):
    # Whether the provider's API is read.
    isActive: bool


class DisputesListQuery(TypedDict):
    state: NotRequired[Literal["open", "won", "lost"]]
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[str]


class DisputesSaveEvidenceInput(TypedDict):
    # All texts of the draft: those that are missing are removed.
    texts: DisputesSaveEvidenceInputTexts


class DisputesSaveEvidenceInputTexts(TypedDict):
    """All texts of the draft: those that are missing are removed."""
    explanation: NotRequired[Optional[str]]
    productDescription: NotRequired[Optional[str]]
    customerName: NotRequired[Optional[str]]
    customerEmail: NotRequired[Optional[str]]
    shippingCarrier: NotRequired[Optional[str]]
    trackingNumber: NotRequired[Optional[str]]
    shippingDate: NotRequired[Optional[str]]
    accessLog: NotRequired[Optional[str]]
    refundPolicy: NotRequired[Optional[str]]
    refundRefusal: NotRequired[Optional[str]]
    duplicateExplanation: NotRequired[Optional[str]]


class PaymentLinksCreateInput(TypedDict):
    # false: one payment at most.
    isReusable: bool
    # What each payer pays. Without it the payer chooses between the bounds.
    amount: NotRequired[Optional[Union[int, Decimal, str]]]
    # The least that the payer may choose.
    minimumAmount: NotRequired[Optional[Union[int, Decimal, str]]]
    # The most that the payer may choose.
    maximumAmount: NotRequired[Optional[Union[int, Decimal, str]]]
    # An ISO 4217 code that a provider profile of the app takes.
    currency: str
    # Shown to the payer; the name of the app where it is left out.
    description: NotRequired[Optional[str]]
    # The reference of each payment begins with it; else with the id of the link.
    referenceId: NotRequired[Optional[str]]
    # How many payments the link makes. Payments that fail or expire do not count.
    maximumPayments: NotRequired[Optional[int]]
    # The link makes no payment after it.
    expirationTime: NotRequired[Optional[str]]
    # true, which is the default, captures as soon as authorised; false authorises only.
    autoCapture: NotRequired[Optional[bool]]
    # Where payers go from the result of their payment.
    returnUrl: NotRequired[Optional[str]]


class PaymentLinksListQuery(TypedDict):
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[str]


class PaymentLinksPaymentsQuery(TypedDict):
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[Union[int, Decimal, str]]


ExportsCreateInput = TypedDict("ExportsCreateInput", {
    # What the file has rows of.
    "kind": "Literal[\"payments\", \"refunds\", \"disputes\", \"customers\", \"links\", \"events\", \"everything\"]",
    # Names of columns in their order. Default: the usual ones of the kind.
    "columns": "NotRequired[Optional[List[str]]]",
    "query": "NotRequired[Optional[str]]",
    # Between cells. With semicolons, amounts have a decimal comma. Default: comma.
    "separator": "NotRequired[Optional[Literal[\"comma\", \"semicolon\"]]]",
    # Whether the file begins with the mark by which spreadsheets recognise UTF-8. Default: true.
    "byteOrderMark": "NotRequired[Optional[bool]]",
    "sealingKey": "NotRequired[Optional[str]]",
    # A period of the app's time zone, instead of `from` and `to`.
    "period": "NotRequired[Optional[Literal[\"today\", \"yesterday\", \"last-7-days\", \"last-30-days\", \"this-month\", \"last-month\", \"all\"]]]",
    "from": "NotRequired[Optional[str]]",
    "to": "NotRequired[Optional[str]]",
})


class ExportSchedulesCreateInput(TypedDict):
    # What the file has rows of.
    kind: Literal["payments", "refunds", "disputes", "customers", "links", "events", "everything"]
    # Names of columns in their order. Default: the usual ones of the kind.
    columns: NotRequired[Optional[List[str]]]
    query: NotRequired[Optional[str]]
    # Between cells. With semicolons, amounts have a decimal comma. Default: comma.
    separator: NotRequired[Optional[Literal["comma", "semicolon"]]]
    # Whether the file begins with the mark by which spreadsheets recognise UTF-8. Default: true.
    byteOrderMark: NotRequired[Optional[bool]]
    # A day, week or month of the app's time zone is exported when it has ended.
    every: Literal["day", "week", "month"]
    # Ids of members who get an e-mail with a link to the exports.
    recipients: NotRequired[Optional[List[str]]]


class ExportSchedulesUpdateInput(TypedDict):
    # Periods that end during a pause are not exported.
    isPaused: NotRequired[bool]
    recipients: NotRequired[List[str]]


class ImportsCreateQuery(TypedDict):
    isDryRun: NotRequired[bool]
    # Shown in the list of imports.
    fileName: NotRequired[str]


class ImportsProblemsQuery(TypedDict):
    after: NotRequired[Union[int, Decimal, str]]


class ApiLogListQuery(TypedDict):
    since: NotRequired[str]
    until: NotRequired[str]
    # Only answers of this class.
    statusClass: NotRequired[Literal["2xx", "3xx", "4xx", "5xx"]]
    method: NotRequired[Literal["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"]]
    # How the path begins.
    pathPrefix: NotRequired[str]
    keyId: NotRequired[str]
    requestId: NotRequired[str]
    pageSize: NotRequired[Union[int, Decimal, str]]
    # Where a page begins; from the `Link` header of the one before.
    before: NotRequired[str]


class ApiLogCountsQuery(TypedDict):
    since: NotRequired[str]
    until: NotRequired[str]


class TestHelpersPayInput(TypedDict):
    method: NotRequired[Optional[Literal["CreditCard", "ElectronicCheck", "Crypto", "Paypal", "ideal", "bank-transfer", "sepa-debit", "apple-pay", "multibanco", "klarna"]]]
    outcome: NotRequired[Optional[str]]
    saveMethod: NotRequired[Optional[bool]]
    # Where the customer sits, for fraud policies.
    payerIp: NotRequired[Optional[str]]


class TestHelpersDisputeInput(TypedDict):
    outcome: NotRequired[Optional[Literal["open", "won", "lost"]]]
    amount: NotRequired[Optional[Union[int, Decimal, str]]]
    isFurther: NotRequired[Optional[bool]]
    isInquiry: NotRequired[Optional[bool]]
    # Days until evidence is due; 10 when the dispute opens.
    dueDays: NotRequired[Optional[int]]


class TestHelpersSetFaultInput(TypedDict):
    step: Literal["authorise", "capture", "cancel", "refund", "charge", "keep", "dispute", "any"]
    effect: Literal["decline", "request-lost", "reply-lost", "reply-late", "http-500-after-acting", "unreadable", "pending-then-approved", "capture-fails", "refund-pending", "refund-fails-later", "notification-duplicate", "notification-reordered", "notification-late", "notification-never", "notification-forged", "outage"]
    times: NotRequired[int]
    delayMs: NotRequired[int]


class TestHelpersSetFaultResult(TypedDict):
    step: Literal["authorise", "capture", "cancel", "refund", "charge", "keep", "dispute", "any"]
    effect: Literal["decline", "request-lost", "reply-lost", "reply-late", "http-500-after-acting", "unreadable", "pending-then-approved", "capture-fails", "refund-pending", "refund-fails-later", "notification-duplicate", "notification-reordered", "notification-late", "notification-never", "notification-forged", "outage"]
    times: NotRequired[int]
    delayMs: NotRequired[int]


class TestHelpersClearFaultsResult(TypedDict):
    cleared: Literal[True]


class TestHelpersLedgerQuery(TypedDict):
    paymentId: NotRequired[Union[int, Decimal, str]]


class TestHelpersLedgerResult(TypedDict):
    paymentId: Optional[int]
    kind: Literal["authorise", "sale", "capture", "void", "refund"]
    amount: Decimal
    currency: str
    status: Literal["done", "pending", "declined"]
    operationKey: str
    # ISO 8601, UTC, with milliseconds.
    time: str


class TestHelpersPayOutResult(TypedDict):
    payouts: List[TestHelpersPayOutResultPayouts]


class TestHelpersPayOutResultPayouts(TypedDict):
    paymentProfileId: Optional[int]
    providerPayoutId: str
    amount: Decimal
    currency: str
    # ISO 8601, UTC, with milliseconds.
    time: str


class TestHelpersSetSettlementFaultInput(TypedDict):
    kind: Literal["missing", "doubled", "altered", "currency", "cut", "order"]
    # The payment whose next line is wrong. Absent: the next sale or refund of any.
    paymentId: NotRequired[Optional[Union[int, str]]]


class TestHelpersSetSettlementFaultResult(TypedDict):
    kind: Literal["missing", "doubled", "altered", "currency", "cut", "order"]
    paymentId: Optional[int]


class TestHelpersClearSettlementFaultsResult(TypedDict):
    cleared: Literal[True]


class TestHelpersAdvanceClockInput(TypedDict):
    advance: str


class TestHelpersAdvanceClockResult(TypedDict):
    # ISO 8601, UTC, with milliseconds.
    now: str
