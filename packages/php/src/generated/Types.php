<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

/**
 * The types of the API.
 *
 * @phpstan-type Health array{
 *   status: 'ok',
 * }
 * @phpstan-type LicensedApp array{
 *   isSandbox: bool,
 *   appId: string,
 *   authorizationCode: string,
 * }
 * @phpstan-type WebhookHealth array{
 *   exhaustedCount: int,
 *   endpoints: list<array{
 *     url: string,
 *     status: 'failing'|'paused'|'disabled',
 *     since: string,
 *     failures: int,
 *     lastError: string,
 *     nextTryTime: string|null,
 *   }>,
 * }
 * @phpstan-type PaymentProvider array{
 *   provider: string,
 *   iconUri1: string,
 *   iconUri2: string,
 * }
 * @phpstan-type PaymentProfileSummary array{
 *   paymentProfileId: int,
 *   paymentProfileName: string,
 *   paymentMethodTypeString: string,
 *   isActive: bool,
 *   currency: string,
 *   paymentProvider: PaymentProvider,
 * }
 * @phpstan-type HostProof array{
 *   host: string,
 *   recordType: 'TXT',
 *   recordName: string,
 *   recordValue: string,
 *   fileUrl: string,
 *   fileContent: string,
 * }
 * @phpstan-type Branding array{
 *   logoUrl: string|null,
 *   color: string|null,
 *   slogan1: string|null,
 *   slogan2: string|null,
 *   support: string|null,
 *   termsUrl: string|null,
 *   privacyUrl: string|null,
 *   locale: string|null,
 *   theme: string|null,
 *   showPoweredBy: bool,
 * }
 * @phpstan-type Emails array{
 *   payer: list<'receipt'|'refund'|'payment-pending'|'payment-failed'|'method-added'|'method-removed'|'card-expiring'>,
 *   team: list<'endpoint-failing'|'provider-degraded'|'authorisations-ending'|'settlements'|'dispute'>,
 *   fromName: string|null,
 *   replyTo: string|null,
 *   teamAddresses: list<string>,
 * }
 * @phpstan-type App array{
 *   appId: string,
 *   friendlyName: string,
 *   isSandbox: bool,
 *   isActive: bool,
 *   createdTime: string,
 *   isSetupCompleted: bool,
 *   isConnectFirstGateway: bool,
 *   hasFirstCapturePayment: bool,
 *   defaultFraudPolicyId: int|null,
 *   checkoutMethods: list<string>,
 *   webhookSettings: array{
 *     paymentWebhookUrl: string|null,
 *     webhookAuthorizationHeaderScheme: string|null,
 *     webhookAuthorizationHeaderParameter: string|null,
 *     isSigningEnabled: bool,
 *   },
 *   webhookHealth?: WebhookHealth,
 *   lastWebhookProcessTime: string|null,
 *   lastWebhookError: string|null,
 *   defaultRoutedProfiles: list<array{
 *     currency: string,
 *     paymentProfile: PaymentProfileSummary,
 *   }>,
 *   maxThresholdRefundCountDaily: int|null,
 *   refundApprovalAbove: list<array{
 *     currency: string,
 *     amount: numeric-string,
 *   }>,
 *   refundProcessReceiverEmails: list<array{
 *     emailAddress: string,
 *   }>,
 *   isTwoFactorAuthenticationEnabled: bool,
 *   requireOtpForApiKeys: bool,
 *   logo: string|null,
 *   hostedPageBaseUrl: string,
 *   canRemoveHostedPageDomain: bool,
 *   hostProof: HostProof|null,
 *   targetCName: string,
 *   checkoutSlogan1: string|null,
 *   checkoutSlogan2: string|null,
 *   licenseExpirationTime: string|null,
 *   licenseAmount: numeric-string|null,
 *   licenseRenewCalculatedTime: string|null,
 *   hasAppliance: bool,
 *   showFraudPolicyInDashboard: bool,
 *   timeZone: string,
 *   monthStartsOn: int,
 *   personalDataDays: int|null,
 *   retryGuard: bool,
 *   acceptLatePayments: bool,
 *   statementDescriptor: string|null,
 *   branding: Branding,
 *   emails: Emails,
 * }
 * @phpstan-type AppPatch array{
 *   friendlyName?: string|null|array{
 *     value?: string|null,
 *   },
 *   paymentWebhookUrl?: ''|string|null|array{
 *     value?: ''|string|null,
 *   },
 *   webhookAuthorizationHeaderScheme?: string|null|array{
 *     value?: string|null,
 *   },
 *   webhookAuthorizationHeaderParameter?: string|null|array{
 *     value?: string|null,
 *   },
 *   defaultFraudPolicyId?: int|string|null|array{
 *     value?: int|string|null,
 *   },
 *   maxThresholdRefundCountDaily?: int|null|array{
 *     value?: int|null,
 *   },
 *   refundApprovalAbove?: list<array{
 *     currency: string,
 *     amount: int|\TenderPay\Decimal,
 *   }>|null|array{
 *     value?: list<array{
 *       currency: string,
 *       amount: int|\TenderPay\Decimal,
 *     }>|null,
 *   },
 *   refundProcessReceiverEmails?: list<string|array{
 *     emailAddress: string,
 *   }>|null|array{
 *     value?: list<string|array{
 *       emailAddress: string,
 *     }>|null,
 *   },
 *   logo?: string|null|array{
 *     value?: string|null,
 *   },
 *   isTwoFactorAuthenticationEnabled?: bool|null|array{
 *     value?: bool|null,
 *   },
 *   requireOtpForApiKeys?: bool|null|array{
 *     value?: bool|null,
 *   },
 *   timeZone?: string|null|array{
 *     value?: string|null,
 *   },
 *   monthStartsOn?: int|null|array{
 *     value?: int|null,
 *   },
 *   personalDataDays?: int|null|array{
 *     value?: int|null,
 *   },
 *   retryGuard?: bool|null|array{
 *     value?: bool|null,
 *   },
 *   acceptLatePayments?: bool|null|array{
 *     value?: bool|null,
 *   },
 *   statementDescriptor?: string|null|array{
 *     value?: string|null,
 *   },
 *   defaultRoutedProfile?: array{
 *     currency: string,
 *     paymentProfileId?: int|string|null,
 *   }|null,
 *   branding?: array{
 *     logo?: string|null|array{
 *       value?: string|null,
 *     },
 *     color?: string|null|array{
 *       value?: string|null,
 *     },
 *     slogan1?: string|null|array{
 *       value?: string|null,
 *     },
 *     slogan2?: string|null|array{
 *       value?: string|null,
 *     },
 *     support?: string|null|array{
 *       value?: string|null,
 *     },
 *     termsUrl?: ''|string|null|array{
 *       value?: ''|string|null,
 *     },
 *     privacyUrl?: ''|string|null|array{
 *       value?: ''|string|null,
 *     },
 *     locale?: string|null|array{
 *       value?: string|null,
 *     },
 *     theme?: string|null|array{
 *       value?: string|null,
 *     },
 *     showPoweredBy?: bool|null|array{
 *       value?: bool|null,
 *     },
 *   }|null,
 *   emails?: array{
 *     payer?: list<'receipt'|'refund'|'payment-pending'|'payment-failed'|'method-added'|'method-removed'|'card-expiring'>|null|array{
 *       value?: list<'receipt'|'refund'|'payment-pending'|'payment-failed'|'method-added'|'method-removed'|'card-expiring'>|null,
 *     },
 *     team?: list<'endpoint-failing'|'provider-degraded'|'authorisations-ending'|'settlements'|'dispute'>|null|array{
 *       value?: list<'endpoint-failing'|'provider-degraded'|'authorisations-ending'|'settlements'|'dispute'>|null,
 *     },
 *     fromName?: string|null|array{
 *       value?: string|null,
 *     },
 *     replyTo?: string|null|array{
 *       value?: string|null,
 *     },
 *     teamAddresses?: list<string>|null|array{
 *       value?: list<string>|null,
 *     },
 *   }|null,
 * }
 * @phpstan-type CheckoutPagePatch array{
 *   domain?: string|null|array{
 *     value?: string|null,
 *   },
 *   checkoutSlogan1?: string|null|array{
 *     value?: string|null,
 *   },
 *   checkoutSlogan2?: string|null|array{
 *     value?: string|null,
 *   },
 * }
 * @phpstan-type CheckedHost array{
 *   isProven: bool,
 *   problem: 'not-found'|'taken'|null,
 *   hostedPageBaseUrl: string,
 * }
 * @phpstan-type ClearedApp array{
 *   removedCount: int,
 *   isCompleted: bool,
 * }
 * @phpstan-type ApiKey array{
 *   keyId: string,
 *   name: string,
 *   hint: string,
 *   createdTime: string,
 *   expiresTime: string|null,
 *   revokedTime: string|null,
 *   lastUsedTime: string|null,
 *   lastUsedAddress: string|null,
 *   scopes: list<string>|null,
 *   createdBy: string|null,
 * }
 * @phpstan-type ApiKeyInput array{
 *   name?: string|null,
 *   expiresTime?: string|null,
 *   scopes?: list<'read'|'payments'|'refunds'|'reviews'|'customers'|'settings'>|null,
 *   fullAccess?: bool|null,
 * }
 * @phpstan-type NewApiKey array{
 *   keyId: string,
 *   name: string,
 *   hint: string,
 *   createdTime: string,
 *   expiresTime: string|null,
 *   revokedTime: string|null,
 *   lastUsedTime: string|null,
 *   lastUsedAddress: string|null,
 *   scopes: list<string>|null,
 *   createdBy: string|null,
 *   apiKey: string,
 * }
 * @phpstan-type RotateApiKeyInput array{
 *   overlapSeconds?: int|null,
 * }
 * @phpstan-type PaymentProfile array{
 *   paymentProfileId: int,
 *   paymentProfileName: string,
 *   paymentMethodTypeString: string,
 *   isActive: bool,
 *   currency: string,
 *   paymentProvider: PaymentProvider,
 *   provider: string,
 *   currencies: list<string>|null,
 *   methods: list<'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'>,
 *   createdTime: string,
 *   providerInitialFee: numeric-string|null,
 *   providerPercentageFee: numeric-string|null,
 *   appInitialFee: numeric-string|null,
 *   appPercentageFee: numeric-string|null,
 *   webhookUrl: string,
 *   acceptedTime: string|null,
 *   lastNotificationTime: string|null,
 *   settings: list<array{
 *     name: string,
 *     label: string,
 *     secret: bool,
 *     required: bool,
 *     isSet: bool,
 *   }>,
 * }
 * @phpstan-type CheckoutMethodGroup array{
 *   checkoutMethod: 'CreditCard'|'ElectronicCheck'|'VerifiedPaymentMethod'|'ProviderHostedPage',
 *   paymentCheckoutMethodItems: list<array{
 *     paymentProfile: PaymentProfileSummary,
 *     isSupportSubscription: bool,
 *     isSupportSinglePayment: bool,
 *     iconUri1: string,
 *     iconUri2: string,
 *   }>,
 * }
 * @phpstan-type PaymentProviderSetup array{
 *   provider: string,
 *   iconUri1: string,
 *   iconUri2: string,
 *   name: string,
 *   docs: string,
 *   methods: list<'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'>,
 *   currencies: list<string>|null,
 *   isSupportSubscription: bool,
 *   configuredCount: int,
 *   settings: list<array{
 *     name: string,
 *     label: string,
 *     secret: bool,
 *     required: bool,
 *     help: string|null,
 *   }>,
 *   connectHelp: string|null,
 * }
 * @phpstan-type PaymentProfileFeePreview array{
 *   paymentProfileId: int,
 *   processingFee: numeric-string,
 *   appFee: numeric-string,
 *   secretFee: numeric-string,
 *   providerFee: numeric-string,
 * }
 * @phpstan-type PaymentProfileFee array{
 *   providerInitialFee: numeric-string|null,
 *   providerPercentageFee: numeric-string|null,
 *   appInitialFee: numeric-string|null,
 *   appPercentageFee: numeric-string|null,
 * }
 * @phpstan-type PaymentProfileMethod array{
 *   id: 'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay',
 *   name: string,
 *   isEnabledAtProvider: bool|null,
 *   isOffered: bool,
 *   currencies: list<string>,
 *   countries: list<string>,
 * }
 * @phpstan-type PaymentProfileInput array{
 *   provider: string,
 *   paymentProfileName?: string|null,
 *   name?: string|null,
 *   methods?: list<'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'>|null,
 *   currency: string,
 *   currencies?: list<string>|null,
 *   isActive?: bool|null,
 *   settings?: array<string, mixed>|null,
 *   providerInitialFee?: int|\TenderPay\Decimal|null,
 *   providerPercentageFee?: int|\TenderPay\Decimal|null,
 *   appInitialFee?: int|\TenderPay\Decimal|null,
 *   appPercentageFee?: int|\TenderPay\Decimal|null,
 * }
 * @phpstan-type PaymentProfilePatch array{
 *   paymentProfileName?: string|null|array{
 *     value?: string|null,
 *   },
 *   name?: string|null|array{
 *     value?: string|null,
 *   },
 *   methods?: list<'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'>|null|array{
 *     value?: list<'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'>|null,
 *   },
 *   currency?: string|null|array{
 *     value?: string|null,
 *   },
 *   currencies?: list<string>|null|array{
 *     value?: list<string>|null,
 *   },
 *   isActive?: bool|null|array{
 *     value?: bool|null,
 *   },
 *   settings?: array<string, mixed>|null,
 *   providerInitialFee?: int|\TenderPay\Decimal|null|array{
 *     value?: int|\TenderPay\Decimal|null,
 *   },
 *   providerPercentageFee?: int|\TenderPay\Decimal|null|array{
 *     value?: int|\TenderPay\Decimal|null,
 *   },
 *   appInitialFee?: int|\TenderPay\Decimal|null|array{
 *     value?: int|\TenderPay\Decimal|null,
 *   },
 *   appPercentageFee?: int|\TenderPay\Decimal|null|array{
 *     value?: int|\TenderPay\Decimal|null,
 *   },
 * }
 * @phpstan-type PaymentProfileCheck array{
 *   ok: bool,
 *   problem?: string,
 *   code?: 'credentials'|'permission'|'unreachable'|'busy'|'no-answer'|'not-found'|'refused'|'other-account'|'not-ready',
 *   tested?: list<'credentials'|'permissions'|'account'|'methods'|'currency'>,
 *   account?: string,
 *   warnings?: list<string>,
 * }
 * @phpstan-type PaymentProfileConnection array{
 *   isConnected: bool,
 *   webhookUrl: string,
 *   instructions?: string,
 * }
 * @phpstan-type TeamRole array{
 *   roleId: string,
 *   roleName: string,
 *   description: string|null,
 * }
 * @phpstan-type TeamUser array{
 *   userId: string,
 *   email: string|null,
 *   name: string|null,
 *   createdTime: string,
 *   accessedTime: string|null,
 *   isDisabled: bool,
 *   isEmailVerified: bool,
 *   isPhoneVerified: bool,
 *   isBot: bool,
 *   description: string|null,
 * }
 * @phpstan-type TeamUserRole array{
 *   resourceId: string,
 *   userId: string,
 *   role: TeamRole,
 *   user: TeamUser,
 *   invitationLink?: string,
 * }
 * @phpstan-type OwnRoleBody array{
 *   roleName: string,
 *   permissions: list<'DashboardRead'|'PaymentRead'|'PaymentWrite'|'PaymentRefund'|'PaymentReview'|'CustomerRead'|'CustomerWrite'|'CustomerErase'|'GatewayListRead'|'PaymentProfileWrite'|'RoutingWrite'|'FraudPolicyRead'|'FraudPolicyWrite'|'DeveloperRead'|'DeveloperWrite'|'RoleRead'|'AuditRead'|'SettlementRead'|'SettlementWrite'|'AppSettingRead'|'AppSettingWrite'>,
 * }
 * @phpstan-type OwnRole array{
 *   roleId: string,
 *   roleName: string,
 *   permissions: list<string>,
 * }
 * @phpstan-type RemovedRole array{
 *   roleId: string,
 * }
 * @phpstan-type RemovedUser array{
 *   userId: string,
 * }
 * @phpstan-type BotInput array{
 *   name: string,
 * }
 * @phpstan-type BotKey array{
 *   accessToken: array{
 *     value: string,
 *     expirationTime: string|null,
 *     scheme: string,
 *     issuedTime: string,
 *   },
 *   refreshToken: null,
 *   userId: string,
 * }
 * @phpstan-type BotPatch array{
 *   name?: string|null|array{
 *     value?: string|null,
 *   },
 * }
 * @phpstan-type CurrentUser array{
 *   userId: string,
 *   email: string|null,
 *   name: string|null,
 *   createdTime: string,
 *   accessedTime: string|null,
 *   isDisabled: bool,
 *   isEmailVerified: bool,
 *   isPhoneVerified: bool,
 *   isBot: bool,
 *   description: string|null,
 *   timeZone: string|null,
 *   theme: string|null,
 *   is2faActivate: bool,
 * }
 * @phpstan-type CurrentUserPatch array{
 *   timeZone?: string|null|array{
 *     value?: string|null,
 *   },
 *   theme?: 'light'|'dark'|'auto'|null|array{
 *     value?: 'light'|'dark'|'auto'|null,
 *   },
 * }
 * @phpstan-type OwnApp array{
 *   appId: string,
 *   licenseId: string,
 *   friendlyName: string,
 *   isSandbox: bool,
 *   isActive: bool,
 *   isSetupCompleted: bool,
 *   isConnectFirstGateway: bool,
 *   hasFirstCapturePayment: bool,
 *   roleName: string,
 *   is2faActivate: bool,
 * }
 * @phpstan-type SecondFactorState array{
 *   isActive: bool,
 *   recoveryCodes?: list<string>,
 * }
 * @phpstan-type PublicSettings array{
 *   brand: string,
 *   signinImageUri: string|null,
 *   signinImageUri2: string|null,
 *   signinSlogan: string|null,
 *   isSupportSignupProcess: bool,
 *   isSupportPaymentProfileEdit: bool,
 *   isSupportLicenseManagement: bool,
 *   isSupportCustomizeCheckout: bool,
 *   signinTermsAndConditionUrl: string|null,
 *   signinPrivacyUrl: string|null,
 *   signinTermsAndCondition: string|null,
 * }
 * @phpstan-type CustomerActivity array{
 *   activityLogId: string,
 *   activityLogType: 'Blocked'|'Unblocked'|'PolicyChanged'|'PolicyReset'|'DetailsChanged'|'MethodAdded'|'MethodRemoved'|'Erased'|'FraudDecision',
 *   customerId: string,
 *   createdTime: string,
 *   data: array<string, mixed>|null,
 *   actor: array{
 *     kind: string,
 *     id: string,
 *     name: string,
 *   }|null,
 * }
 * @phpstan-type CustomerInput array{
 *   customerId: string,
 *   firstName?: string|null,
 *   lastName?: string|null,
 *   email?: string|null,
 *   mobileNumber?: string|null,
 *   mobile?: string|null,
 *   phoneNumber?: string|null,
 *   fraudPolicyId?: int|string|null,
 * }
 * @phpstan-type Customer array{
 *   customerId: string,
 *   firstName: string|null,
 *   lastName: string|null,
 *   email: string|null,
 *   mobileNumber: string|null,
 *   fraudPolicyId: int|null,
 *   isBlocked: bool,
 *   createdTime: string,
 *   erasedTime: string|null,
 *   app: array{
 *     appId: string,
 *     friendlyName: string,
 *     isSandbox: bool,
 *     isBlocked: bool,
 *     createdTime: string,
 *   },
 * }
 * @phpstan-type CustomerPatch array{
 *   firstName?: string|null|array{
 *     value?: string|null,
 *   },
 *   lastName?: string|null|array{
 *     value?: string|null,
 *   },
 *   email?: string|null|array{
 *     value?: string|null,
 *   },
 *   mobileNumber?: string|null|array{
 *     value?: string|null,
 *   },
 *   mobile?: string|null|array{
 *     value?: string|null,
 *   },
 *   phoneNumber?: string|null|array{
 *     value?: string|null,
 *   },
 *   fraudPolicyId?: int|string|null|array{
 *     value?: int|string|null,
 *   },
 *   isBlocked?: bool|null|array{
 *     value?: bool|null,
 *   },
 * }
 * @phpstan-type StoredPaymentMethod array{
 *   paymentMethodId: int,
 *   paymentMethodType: 'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal',
 *   paymentMethodNumber: string,
 *   isDefault: bool,
 *   cardBrand?: string,
 *   cardType?: string,
 *   cardExpiryMonth?: int,
 *   cardExpiryYear?: int,
 *   nickname?: string,
 *   verificationState: string,
 *   createdTime: string,
 *   importedTime?: string,
 *   providerProfiles: list<array{
 *     paymentMethodProviderProfileId: int,
 *     profileId: int,
 *     profileName: string,
 *     provider: string,
 *   }>,
 * }
 * @phpstan-type MethodImport array{
 *   paymentProfileId: int|string,
 *   token: string,
 *   consentTime: string,
 *   consentText: string,
 * }
 * @phpstan-type Event array{
 *   type: string,
 *   eventId: string,
 *   createdTime: string,
 *   sequence: int,
 *   kind?: string,
 *   payment?: Payment,
 * }
 * @phpstan-type WebhookAttempt array{
 *   attempt: int,
 *   time: string,
 *   httpStatus: int|null,
 *   latencyMs: int,
 *   error: string|null,
 *   response?: string|null,
 *   nextTryTime: string|null,
 * }
 * @phpstan-type WebhookDelivery array{
 *   eventId: string,
 *   type: string,
 *   paymentId: int|null,
 *   paymentState: string|null,
 *   sequence: int,
 *   createdTime: string,
 *   queuedTime: string,
 *   url: string|null,
 *   endpointId?: string,
 *   status: 'pending'|'delivered'|'exhausted'|'dropped',
 *   nextTryTime: string|null,
 *   attempts: list<WebhookAttempt>,
 * }
 * @phpstan-type Resent array{
 *   resent: int,
 * }
 * @phpstan-type WebhookEndpoint array{
 *   endpointId: string,
 *   isFirst: bool,
 *   url: string,
 *   authorizationHeaderScheme: string|null,
 *   authorizationHeaderParameter: string|null,
 *   states: list<string>|null,
 *   kinds: list<string>|null,
 *   isPaused: bool,
 *   createdTime: string,
 *   trouble: array{
 *     status: 'failing'|'paused'|'disabled',
 *     since: string,
 *     failures: int,
 *     lastError: string,
 *     nextTryTime: string|null,
 *   }|null,
 * }
 * @phpstan-type WebhookEndpointInput array{
 *   url: string,
 *   states?: list<'Created'|'Authorized'|'Authorizing'|'Approved'|'Capturing'|'Captured'|'Failed'|'Disputed'|'SaleInProgress'|'ProviderAuthorizedHold'|'Cancelling'|'CapturedHold'|'Refunded'|'Refunding'>|null,
 *   kinds?: list<'payment'|'refund'|'dispute'>|null,
 *   isPaused?: bool|null,
 *   authorizationHeaderScheme?: string|null|array{
 *     value?: string|null,
 *   },
 *   authorizationHeaderParameter?: string|null|array{
 *     value?: string|null,
 *   },
 * }
 * @phpstan-type NewWebhookEndpoint array{
 *   endpointId: string,
 *   isFirst: bool,
 *   url: string,
 *   authorizationHeaderScheme: string|null,
 *   authorizationHeaderParameter: string|null,
 *   states: list<string>|null,
 *   kinds: list<string>|null,
 *   isPaused: bool,
 *   createdTime: string,
 *   trouble: array{
 *     status: 'failing'|'paused'|'disabled',
 *     since: string,
 *     failures: int,
 *     lastError: string,
 *     nextTryTime: string|null,
 *   }|null,
 *   secret: string,
 * }
 * @phpstan-type WebhookEndpointPatch array{
 *   url?: string|null|array{
 *     value?: string|null,
 *   },
 *   states?: list<'Created'|'Authorized'|'Authorizing'|'Approved'|'Capturing'|'Captured'|'Failed'|'Disputed'|'SaleInProgress'|'ProviderAuthorizedHold'|'Cancelling'|'CapturedHold'|'Refunded'|'Refunding'>|null|array{
 *     value?: list<'Created'|'Authorized'|'Authorizing'|'Approved'|'Capturing'|'Captured'|'Failed'|'Disputed'|'SaleInProgress'|'ProviderAuthorizedHold'|'Cancelling'|'CapturedHold'|'Refunded'|'Refunding'>|null,
 *   },
 *   kinds?: list<'payment'|'refund'|'dispute'>|null|array{
 *     value?: list<'payment'|'refund'|'dispute'>|null,
 *   },
 *   isPaused?: bool|null|array{
 *     value?: bool|null,
 *   },
 *   authorizationHeaderScheme?: string|null|array{
 *     value?: string|null,
 *   },
 *   authorizationHeaderParameter?: string|null|array{
 *     value?: string|null,
 *   },
 * }
 * @phpstan-type WebhookEndpointSecret array{
 *   secret: string,
 *   previousValidUntil: string,
 * }
 * @phpstan-type FraudPolicy array{
 *   fraudPolicyId: int,
 *   isDefault: bool,
 *   version: int,
 *   name: string,
 *   rules: list<array{
 *     action: 'HoldPayment'|'RejectPayment'|'BlockCustomer'|'RequestExemption'|'RequestChallenge'|'RequireChallenge',
 *     measure: 'PaymentCount'|'ProviderRejectCount'|'TotalAmount'|'DistinctCard'|'SingleAmount'|'ProviderRiskScore',
 *     period: 'Daily'|'Weekly'|'Monthly',
 *     periodCount: int,
 *     threshold: numeric-string,
 *     currency: string|null,
 *     paymentProfiles: list<int>|null,
 *     message: string|null,
 *   }>,
 *   firewall: array{
 *     allowedCountries: list<string>,
 *     blockedCountries: list<string>,
 *     allowedAddresses: list<string>,
 *     blockedAddresses: list<string>,
 *     matchCardCountry: bool,
 *     maxRiskScore: numeric-string|null,
 *     whenUnavailable: 'Accept'|'Reject',
 *     message: string|null,
 *   },
 *   createdTime: string,
 * }
 * @phpstan-type PaymentMethodPolicyRuleMetadata array{
 *   paymentMethodAddCategory: 'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal',
 *   paymentMethodRuleItems: list<array{
 *     paymentMethodAddMode: 'CustomerPanel'|'Payment',
 *     paymentMethodVerificationTypes: list<'Provider'|'MicroDeposit'>,
 *     paymentProfile: PaymentProfileSummary,
 *   }>,
 * }
 * @phpstan-type FraudPolicyVersion array{
 *   version: int,
 *   change: 'Created'|'Changed'|'Deleted',
 *   changedTime: string,
 *   changedBy: array{
 *     keyId: string|null,
 *     name: string|null,
 *   }|null,
 *   name: string,
 *   rules: list<array{
 *     action: 'HoldPayment'|'RejectPayment'|'BlockCustomer'|'RequestExemption'|'RequestChallenge'|'RequireChallenge',
 *     measure: 'PaymentCount'|'ProviderRejectCount'|'TotalAmount'|'DistinctCard'|'SingleAmount'|'ProviderRiskScore',
 *     period: 'Daily'|'Weekly'|'Monthly',
 *     periodCount: int,
 *     threshold: numeric-string,
 *     currency: string|null,
 *     paymentProfiles: list<int>|null,
 *     message: string|null,
 *   }>,
 *   firewall: array{
 *     allowedCountries: list<string>,
 *     blockedCountries: list<string>,
 *     allowedAddresses: list<string>,
 *     blockedAddresses: list<string>,
 *     matchCardCountry: bool,
 *     maxRiskScore: numeric-string|null,
 *     whenUnavailable: 'Accept'|'Reject',
 *     message: string|null,
 *   },
 * }
 * @phpstan-type FraudPolicyInput array{
 *   name: string,
 *   isDefault?: bool|null,
 *   rules?: list<array{
 *     action: 'HoldPayment'|'RejectPayment'|'BlockCustomer'|'RequestExemption'|'RequestChallenge'|'RequireChallenge',
 *     measure: 'PaymentCount'|'ProviderRejectCount'|'TotalAmount'|'DistinctCard'|'SingleAmount'|'ProviderRiskScore',
 *     period?: 'Daily'|'Weekly'|'Monthly'|null,
 *     periodCount?: int|null,
 *     threshold: int|\TenderPay\Decimal|string,
 *     currency?: string|null,
 *     paymentProfiles?: list<int|string>|null,
 *     message?: string|null,
 *   }>|null,
 *   firewall?: array{
 *     allowedCountries?: list<string>|null,
 *     blockedCountries?: list<string>|null,
 *     allowedAddresses?: list<string>|null,
 *     blockedAddresses?: list<string>|null,
 *     matchCardCountry?: bool|null,
 *     maxRiskScore?: int|\TenderPay\Decimal|null,
 *     whenUnavailable?: 'Accept'|'Reject'|null,
 *     message?: string|null,
 *   }|null,
 * }
 * @phpstan-type FraudPolicyPatch array{
 *   name?: string|null,
 *   isDefault?: bool|null,
 *   rules?: list<array{
 *     action: 'HoldPayment'|'RejectPayment'|'BlockCustomer'|'RequestExemption'|'RequestChallenge'|'RequireChallenge',
 *     measure: 'PaymentCount'|'ProviderRejectCount'|'TotalAmount'|'DistinctCard'|'SingleAmount'|'ProviderRiskScore',
 *     period?: 'Daily'|'Weekly'|'Monthly'|null,
 *     periodCount?: int|null,
 *     threshold: int|\TenderPay\Decimal|string,
 *     currency?: string|null,
 *     paymentProfiles?: list<int|string>|null,
 *     message?: string|null,
 *   }>|null,
 *   firewall?: array{
 *     allowedCountries?: list<string>|null,
 *     blockedCountries?: list<string>|null,
 *     allowedAddresses?: list<string>|null,
 *     blockedAddresses?: list<string>|null,
 *     matchCardCountry?: bool|null,
 *     maxRiskScore?: int|\TenderPay\Decimal|null,
 *     whenUnavailable?: 'Accept'|'Reject'|null,
 *     message?: string|null,
 *   }|null,
 * }
 * @phpstan-type FraudSimulation array{
 *   fraudPolicyId: int,
 *   from: string,
 *   to: string,
 *   payments: int,
 *   isComplete: bool,
 *   stopped: array{
 *     count: int,
 *     byDecision: array{
 *       Hold: int,
 *       Reject: int,
 *       Block: int,
 *     },
 *     byCurrency: list<array{
 *       currency: string,
 *       count: int,
 *       amount: numeric-string,
 *     }>,
 *     laterRefunded: int,
 *     laterDisputed: int,
 *   },
 *   threeDSecure: array{
 *     RequestExemption: int,
 *     RequestChallenge: int,
 *     RequireChallenge: int,
 *   },
 *   byRule: list<array{
 *     rule: int|null,
 *     name: string,
 *     violated: int,
 *   }>,
 *   examples: list<array{
 *     paymentId: int,
 *     decision: 'Accept'|'Hold'|'Reject'|'Block',
 *     checks: list<array{
 *       stage: 'Before'|'After',
 *       name: string,
 *       rule: int|null,
 *       action: string,
 *       seen: string|null,
 *       limit: string,
 *       allowed: list<string>|null,
 *       blocked: list<string>|null,
 *       currency: string|null,
 *       period: 'Daily'|'Weekly'|'Monthly'|null,
 *       periodCount: int|null,
 *       result: 'Passed'|'Violated'|'NotKnown'|'NotApplicable',
 *       explanation: string,
 *     }>,
 *     explanation: string,
 *   }>,
 * }
 * @phpstan-type BlockEntry array{
 *   entryId: int,
 *   kind: 'Card'|'Email'|'EmailDomain'|'Address'|'Customer'|'Country',
 *   value: string|null,
 *   reason: string|null,
 *   paymentId: int|null,
 *   createdTime: string,
 *   createdBy: string|null,
 *   endTime: string|null,
 *   isAllowed: bool,
 * }
 * @phpstan-type BlockEntryInput array{
 *   kind: 'Card'|'Email'|'EmailDomain'|'Address'|'Customer'|'Country',
 *   value: string,
 *   reason?: string|null,
 *   endTime?: string|null,
 *   isAllowed?: bool,
 * }
 * @phpstan-type Routing array{
 *   defaultProfiles: list<array{
 *     currency: string,
 *     paymentProfileId: int,
 *   }>,
 *   routes: list<array{
 *     name: string|null,
 *     currency: string|null,
 *     method: string|null,
 *     minAmount: numeric-string|null,
 *     maxAmount: numeric-string|null,
 *     countries: list<string>|null,
 *     brands: list<string>|null,
 *     threeDSecure?: 'RequestExemption'|'RequestChallenge'|'RequireChallenge',
 *     profiles: list<array{
 *       paymentProfileId: int,
 *       weight: numeric-string|null,
 *     }>,
 *   }>,
 *   noFailoverAfter: list<string>,
 *   health: list<array{
 *     paymentProfileId: int,
 *     paymentProfileName: string,
 *     trouble: array{
 *       explanation: string,
 *       probedTime: string,
 *     }|null,
 *   }>,
 * }
 * @phpstan-type RoutingInput array{
 *   defaultProfiles?: list<array{
 *     currency: string,
 *     paymentProfileId: int|string,
 *   }>|null,
 *   routes?: list<array{
 *     name?: string|null,
 *     currency?: string|null,
 *     method?: 'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'|null,
 *     minAmount?: int|\TenderPay\Decimal|string|null,
 *     maxAmount?: int|\TenderPay\Decimal|string|null,
 *     countries?: list<string>|null,
 *     brands?: list<string>|null,
 *     threeDSecure?: 'RequestExemption'|'RequestChallenge'|'RequireChallenge'|null,
 *     profiles: list<array{
 *       paymentProfileId: int|string,
 *       weight?: int|\TenderPay\Decimal|null,
 *     }>,
 *   }>|null,
 *   noFailoverAfter?: list<'not-sent'|'rate-limited'|'bad-credentials'|'unsupported'|'issuer-unavailable'|'processing-error'|'card-not-supported'|'currency-not-supported'>|null,
 * }
 * @phpstan-type RoutingExplanation array{
 *   profiles: list<array{
 *     place: int,
 *     paymentProfileId: int,
 *     paymentProfileName: string,
 *     method: string,
 *     reasons: list<string>,
 *   }>,
 *   excluded: list<array{
 *     paymentProfileId: int,
 *     method: string,
 *     reason: string,
 *   }>,
 * }
 * @phpstan-type RefundApproval array{
 *   approvalId: string,
 *   paymentId: int,
 *   amount: numeric-string,
 *   currency: string,
 *   reason: string|null,
 *   state: 'open'|'approved'|'refused',
 *   askedBy: string,
 *   askedTime: string,
 *   decidedBy: string|null,
 *   decidedTime: string|null,
 * }
 * @phpstan-type Payment array{
 *   appId: string,
 *   paymentId: int,
 *   paymentState: 'Created'|'Authorized'|'Authorizing'|'Approved'|'Capturing'|'Captured'|'Failed'|'Disputed'|'SaleInProgress'|'ProviderAuthorizedHold'|'Cancelling'|'CapturedHold'|'Refunded'|'Refunding',
 *   paymentStateId: int,
 *   amount: numeric-string,
 *   capturedAmount: numeric-string,
 *   refundedAmount: numeric-string,
 *   referenceId: string,
 *   currency: string,
 *   autoCapture: bool,
 *   paymentFlow: 'HostedPage'|'Direct'|'ProviderHostedPage'|'AutoPayment',
 *   autoPayment: 'None'|'Register'|'Use',
 *   fraudStatus: 'Unknown'|'Verified'|'RuleViolated'|'Suspicious'|'Fraudulent'|'Ignored',
 *   paymentKey: string,
 *   redirectUrl?: string,
 *   returnUrl?: string,
 *   webhookUrl?: string,
 *   customerId: string,
 *   payerIp: string|null,
 *   createdTime: string,
 *   expirationTime: string|null,
 *   expectedTime?: string,
 *   customerOrder: array<string, mixed>,
 *   fraudPolicyId: int|null,
 *   fraudPolicyName: string|null,
 *   paymentMethodId: int|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'|null,
 *   paymentMethodName?: string,
 *   paymentMethodProviderProfileId: int|null,
 *   threeDSecure?: array{
 *     requested: 'challenge'|'exemption'|null,
 *     result: 'authenticated-by-challenge'|'frictionless'|'authenticated'|'attempted'|'exempted'|'not-authenticated'|'failed'|'not-supported'|null,
 *     version: string|null,
 *     liabilityShift: bool|null,
 *   },
 *   failure: array{
 *     code: 'declined'|'expired'|'cancelled'|'authorization_expired'|'fraud_rejected'|'provider_rejected'|'retry_forbidden',
 *     message: string,
 *     declineCode?: string,
 *     retry: 'never'|'later'|'after-customer-acts'|'unspecified',
 *     retryAfter: string|null,
 *   }|null,
 *   lastError: string|null,
 *   canCapture: bool,
 *   canCaptured: bool,
 *   canCancel: bool,
 *   canRefund: bool,
 *   canUnhold: bool,
 *   canRecheck: bool,
 *   canMarkAsRefund: bool,
 *   canMarkAsDispute: bool,
 *   feeBreakdown: array{
 *     totalAmount: numeric-string,
 *     netAmount: numeric-string,
 *     appFee: numeric-string,
 *     providerFee: numeric-string,
 *     currency: string,
 *     isProviderFeeActual: bool,
 *   }|null,
 *   dispute: array{
 *     disputeId: string,
 *     state: 'open'|'won'|'lost',
 *     amount: numeric-string|null,
 *     reason: string|null,
 *     evidenceDueTime: string|null,
 *     providerUrl: string|null,
 *     canRefund: bool,
 *     isWonLate?: bool,
 *   }|null,
 *   disputes: list<array{
 *     disputeId: string,
 *     state: 'open'|'won'|'lost',
 *     amount: numeric-string|null,
 *     reason: string|null,
 *     evidenceDueTime: string|null,
 *     providerUrl: string|null,
 *     canRefund: bool,
 *     isWonLate?: bool,
 *   }>,
 *   payInfo?: array{
 *     providerReferenceId: string|null,
 *     authorizeId: string|null,
 *     captureId: string|null,
 *     providerFee: numeric-string|null,
 *     paymentProfile: array{
 *       paymentProfileId: int,
 *       paymentProfileName: string,
 *       paymentMethodTypeString: string|null,
 *       isActive: bool,
 *       currency: string,
 *       paymentProvider: array{
 *         provider: string,
 *         iconUri1: string,
 *         iconUri2: string,
 *       },
 *     },
 *     payer: array{
 *       fullName: string|null,
 *       email: string|null,
 *       country: string|null,
 *       card: array{
 *         cardBrand: string|null,
 *         cardType: string|null,
 *         cardExpiryMonth: int|null,
 *         cardExpiryYear: int|null,
 *         cardLast4: string|null,
 *         cardCountry: string|null,
 *       }|null,
 *     },
 *     card: array{
 *       cardBrand: string|null,
 *       cardType: string|null,
 *       cardExpiryMonth: int|null,
 *       cardExpiryYear: int|null,
 *       cardLast4: string|null,
 *       cardCountry: string|null,
 *     }|null,
 *     checks: array{
 *       address?: 'pass'|'fail',
 *       postalCode?: 'pass'|'fail',
 *       cvc?: 'pass'|'fail',
 *       threeDSecure?: 'authenticated'|'attempted'|'failed',
 *     }|null,
 *     networkDeclineCode: string|null,
 *     refundClaimUrl: string|null,
 *   },
 *   settlement?: array{
 *     state: 'unsettled'|'settled'|'paid-out'|'difference',
 *     payoutId: int|null,
 *     paidOutTime: string|null,
 *     difference: numeric-string,
 *   }|null,
 * }
 * @phpstan-type CustomerOrder array{
 *   customer: array{
 *     customerId: string,
 *     firstName?: string|null,
 *     lastName?: string|null,
 *     email?: string|null,
 *     phoneNumber?: string|null,
 *     mobileNumber?: string|null,
 *     address?: array{
 *       streetAddressLine1?: string|null,
 *       streetAddressLine2?: string|null,
 *       zipCode?: string|null,
 *       city?: string|null,
 *       state?: string|null,
 *       country?: string|null,
 *       countryCode?: string|null,
 *     }|null,
 *     accountCreatedTime?: string|null,
 *     customId?: string|null,
 *   },
 *   orderId?: string|null,
 *   description?: string|null,
 *   amount?: array{
 *     total?: int|\TenderPay\Decimal|string|null,
 *     shipping?: int|\TenderPay\Decimal|string|null,
 *     totalTax?: int|\TenderPay\Decimal|string|null,
 *     discount?: int|\TenderPay\Decimal|string|null,
 *     handling?: int|\TenderPay\Decimal|string|null,
 *     insurance?: int|\TenderPay\Decimal|string|null,
 *     items?: list<array{
 *       name: string,
 *       amount: int|\TenderPay\Decimal|string,
 *       quantity: int|\TenderPay\Decimal|string,
 *       category: 'DigitalGoods'|'PhysicalGoods',
 *       sku?: string|null,
 *       tax?: int|\TenderPay\Decimal|string|null,
 *       description?: string|null,
 *     }>|null,
 *   }|null,
 *   items?: list<array{
 *     name?: string|null,
 *     amount?: int|\TenderPay\Decimal|string|null,
 *     quantity?: int|\TenderPay\Decimal|string|null,
 *     category?: 'DigitalGoods'|'PhysicalGoods'|'Service'|null,
 *     sku?: string|null,
 *     tax?: int|\TenderPay\Decimal|string|null,
 *     description?: string|null,
 *   }>|null,
 * }
 * @phpstan-type PaymentStateLog array{
 *   paymentStateLogId: int,
 *   paymentState: string,
 *   createdTime: string,
 *   lastError: string|null,
 * }
 * @phpstan-type PaymentProviderLogData array{
 *   paymentId: string,
 *   method: string,
 *   createdTime: string,
 *   paymentGateway: string|null,
 *   message: mixed,
 *   error: mixed,
 * }
 * @phpstan-type PaymentProviderFullInfo array{
 *   providerInfo: string|null,
 * }
 * @phpstan-type PaymentProviderPaymentLinkInfo array{
 *   orderUrl: string|null,
 *   orderField: string|null,
 *   orderValue: string|null,
 * }
 * @phpstan-type PaymentAttempt array{
 *   attempt: int,
 *   time: string,
 *   paymentProfileId: int,
 *   paymentProfileName: string|null,
 *   paymentMethodType: 'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ProviderHostedPage',
 *   paymentMethodId?: 'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay',
 *   status: 'Running'|'Waiting'|'Approved'|'Declined'|'NotDone'|'GivenUp',
 *   explanation: string,
 *   declineCode: string|null,
 *   providerCode: string|null,
 *   retry: 'never'|'later'|'after-customer-acts'|'unspecified'|null,
 *   retryAfter: string|null,
 *   undone: array{
 *     status: 'Running'|'Done'|'Refused',
 *     explanation: string,
 *     time: string,
 *   }|null,
 * }
 * @phpstan-type FraudVerdicts array{
 *   paymentId: int,
 *   fraudStatus: string,
 *   verdicts: list<array{
 *     attempt: int,
 *     time: string,
 *     fraudPolicyId: int|null,
 *     fraudPolicyName: string|null,
 *     version: int|null,
 *     paymentProfileId: int,
 *     decision: 'Accept'|'Hold'|'Reject'|'Block',
 *     checks: list<array{
 *       stage: 'Before'|'After',
 *       name: string,
 *       rule: int|null,
 *       action: string,
 *       seen: string|null,
 *       limit: string,
 *       allowed: list<string>|null,
 *       blocked: list<string>|null,
 *       currency: string|null,
 *       period: 'Daily'|'Weekly'|'Monthly'|null,
 *       periodCount: int|null,
 *       result: 'Passed'|'Violated'|'NotKnown'|'NotApplicable',
 *       explanation: string,
 *     }>,
 *   }>,
 * }
 * @phpstan-type PaymentSummary array{
 *   paymentId: int,
 *   paymentProvider: array{
 *     provider: string,
 *     iconUri1: string,
 *     iconUri2: string,
 *   }|null,
 *   currency: string,
 *   createdTime: string,
 *   paymentStateId: int,
 *   paymentState: 'Created'|'Authorized'|'Authorizing'|'Approved'|'Capturing'|'Captured'|'Failed'|'Disputed'|'SaleInProgress'|'ProviderAuthorizedHold'|'Cancelling'|'CapturedHold'|'Refunded'|'Refunding',
 *   amount: numeric-string,
 *   customerId: string,
 *   redactedPayerPaymentMethodNumber: string|null,
 *   autoPayment: 'None'|'Register'|'Use',
 * }
 * @phpstan-type PaymentOverview array{
 *   from: string,
 *   to: string,
 *   granularity: 'hour'|'day'|'month',
 *   kpi: array{
 *     approvalRate: numeric-string,
 *     capturedCount: int,
 *     totalAttempts: int,
 *     declinedCount: int,
 *     fraudBlockedCount: int,
 *   },
 *   previousKpi: array{
 *     approvalRate: numeric-string,
 *     capturedCount: int,
 *     totalAttempts: int,
 *     declinedCount: int,
 *     fraudBlockedCount: int,
 *   },
 *   volumeSeries: list<array{
 *     label: string,
 *     dateKey: string,
 *     capturedCount: int,
 *     declinedCount: int,
 *   }>,
 *   paymentStates: list<array{
 *     state: 'Created'|'Authorized'|'Authorizing'|'Approved'|'Capturing'|'Captured'|'Failed'|'Disputed'|'SaleInProgress'|'ProviderAuthorizedHold'|'Cancelling'|'CapturedHold'|'Refunded'|'Refunding',
 *     count: int,
 *   }>,
 *   providerStats: list<array{
 *     providerName: string,
 *     currency: string,
 *     transactionCount: int,
 *     grossVolume: numeric-string,
 *     fees: numeric-string,
 *     approvalRate: numeric-string,
 *     shareOfVolume: numeric-string,
 *   }>,
 *   currencyStats: list<array{
 *     currency: string,
 *     volume: numeric-string,
 *     paymentCount: int,
 *     fees: numeric-string,
 *     fraudProtectedAmount: numeric-string,
 *   }>,
 *   declinedByCurrency: list<array{
 *     currency: string,
 *     count: int,
 *     amount: numeric-string,
 *   }>,
 *   fraud: array{
 *     paymentsBlocked: int,
 *     customersBlocked: int,
 *   },
 *   failedCharges: array{
 *     failed: int,
 *     recovered: int,
 *     forbidden: int,
 *     isWhole: bool,
 *     byRetry: list<array{
 *       retry: 'never'|'later'|'after-customer-acts'|'unspecified',
 *       failed: int,
 *       recovered: int,
 *       forbidden: int,
 *     }>,
 *   },
 * }
 * @phpstan-type PaymentDashboard array{
 *   providerIncomes: list<array{
 *     provider: string,
 *     paymentProfileId: int,
 *     currency: string,
 *     recordCount: int,
 *     incomeAmount: numeric-string,
 *   }>,
 *   providerCurrencies: list<array{
 *     provider: string,
 *     paymentProfileId: int,
 *     currency: string,
 *     recordCount: int,
 *     totalAmount: numeric-string,
 *   }>,
 *   paymentCurrencies: list<array{
 *     currency: string,
 *     totalAmount: numeric-string,
 *     recordCount: int,
 *   }>,
 *   paymentState: list<array{
 *     paymentState: 'Created'|'Authorized'|'Authorizing'|'Approved'|'Capturing'|'Captured'|'Failed'|'Disputed'|'SaleInProgress'|'ProviderAuthorizedHold'|'Cancelling'|'CapturedHold'|'Refunded'|'Refunding',
 *     paymentStateId: int,
 *     recordCount: int,
 *   }>,
 *   paymentDaily: list<array{
 *     dateKey: string,
 *     day: int,
 *     recordCount: int,
 *   }>,
 * }
 * @phpstan-type RejectedDashboard array{
 *   rejectedDaily: list<array{
 *     dateKey: string,
 *     day: int,
 *     recordCount: int,
 *   }>,
 *   rejectedCurrencies: list<array{
 *     currency: string,
 *     totalAmount: numeric-string,
 *     recordCount: int,
 *   }>,
 * }
 * @phpstan-type LedgerBalances array{
 *   date: string,
 *   isComplete: bool,
 *   balances: list<array{
 *     account: 'clearing'|'reserves'|'bank'|'sales'|'refunds'|'fees'|'disputes'|'adjustments'|'conversion'|'differences',
 *     paymentProfileId: int|null,
 *     currency: string,
 *     balance: numeric-string,
 *     name: string,
 *   }>,
 * }
 * @phpstan-type LedgerFees array{
 *   from: string,
 *   to: string,
 *   by: 'provider'|'method'|'country'|'month',
 *   isComplete: bool,
 *   fees: list<array{
 *     name: string|null,
 *     currency: string,
 *     fees: numeric-string,
 *     gross: numeric-string,
 *     effectiveRate: numeric-string|null,
 *   }>,
 * }
 * @phpstan-type LedgerMonth array{
 *   month: string,
 *   closedTime: string,
 * }
 * @phpstan-type GoingLive array{
 *   isComplete: bool,
 *   items: list<array{
 *     item: 'provider'|'notification'|'address'|'webhook'|'mail'|'secondFactor'|'fraud'|'branding'|'backup'|'payment',
 *     isDone: bool,
 *     missing: list<'answer'|'signature'|'name'|'logo'|'terms'|'support'|'payment'|'refund'>,
 *     time: string|null,
 *   }>,
 * }
 * @phpstan-type SettlementLine array{
 *   lineId: int,
 *   paymentProfileId: int,
 *   providerLineId: string,
 *   kind: 'sale'|'refund'|'fee'|'dispute'|'dispute-reversal'|'return'|'reserve'|'adjustment'|'conversion'|'payout',
 *   paymentId: int|null,
 *   referenceId: string|null,
 *   gross: numeric-string,
 *   fee: numeric-string|null,
 *   net: numeric-string|null,
 *   currency: string,
 *   settlementCurrency: string|null,
 *   time: string,
 *   payoutId: int|null,
 *   match: 'exact'|'suggested'|'none',
 * }
 * @phpstan-type Payout array{
 *   payoutId: int,
 *   paymentProfileId: int,
 *   providerPayoutId: string,
 *   amount: numeric-string|null,
 *   currency: string|null,
 *   state: 'pending'|'paid'|'failed',
 *   time: string,
 *   arrivalTime: string|null,
 *   bankReference: string|null,
 * }
 * @phpstan-type PayoutDetails array{
 *   payoutId: int,
 *   paymentProfileId: int,
 *   providerPayoutId: string,
 *   amount: numeric-string|null,
 *   currency: string|null,
 *   state: 'pending'|'paid'|'failed',
 *   time: string,
 *   arrivalTime: string|null,
 *   bankReference: string|null,
 *   lines: list<array{
 *     kind: 'sale'|'refund'|'fee'|'dispute'|'dispute-reversal'|'return'|'reserve'|'adjustment'|'conversion'|'payout',
 *     count: int,
 *     gross: numeric-string,
 *     fee: numeric-string|null,
 *     net: numeric-string|null,
 *     currency: string,
 *     settlementCurrency: string|null,
 *   }>,
 *   addsUp: bool|null,
 *   difference: numeric-string|null,
 * }
 * @phpstan-type SettlementException array{
 *   exceptionId: int,
 *   paymentProfileId: int,
 *   kind: 'missing'|'unknown'|'amount'|'currency'|'doubled'|'unseen'|'fee'|'payout'|'unpaid',
 *   state: 'open'|'closed',
 *   paymentId: int|null,
 *   lineId: int|null,
 *   payoutId: int|null,
 *   about: 'sale'|'refund'|'dispute'|'return'|null,
 *   currency: string|null,
 *   expectedAmount: numeric-string|null,
 *   actualAmount: numeric-string|null,
 *   openedTime: string,
 *   closedTime: string|null,
 *   closedBy: string|null,
 *   reason: string|null,
 * }
 * @phpstan-type SettlementReport array{
 *   reportId: int,
 *   lines: int,
 *   badRows: list<array{
 *     row: string,
 *     problem: string,
 *   }>,
 *   isRepeated: bool,
 * }
 * @phpstan-type ListedSettlementReport array{
 *   reportId: int,
 *   paymentProfileId: int,
 *   source: 'api'|'file',
 *   fileName: string|null,
 *   fromTime: string|null,
 *   untilTime: string|null,
 *   receivedTime: string,
 *   lines: int,
 *   badRowCount: int,
 * }
 * @phpstan-type SettlementReportDetails array{
 *   reportId: int,
 *   paymentProfileId: int,
 *   source: 'api'|'file',
 *   fileName: string|null,
 *   fromTime: string|null,
 *   untilTime: string|null,
 *   receivedTime: string,
 *   lines: int,
 *   badRowCount: int,
 *   badRows: list<array{
 *     row: string,
 *     problem: string,
 *   }>,
 * }
 * @phpstan-type SettlementSource array{
 *   paymentProfileId: int,
 *   isActive: bool,
 *   canRead: bool,
 *   beginTime: string|null,
 *   readUntil: string|null,
 *   lastReadTime: string|null,
 *   problem: array{
 *     code: string,
 *     message?: string,
 *   }|null,
 * }
 * @phpstan-type Dispute array{
 *   disputeId: string,
 *   paymentId: int,
 *   referenceId: string,
 *   customerId: string,
 *   paymentProfileId: int|null,
 *   provider: string|null,
 *   state: 'open'|'won'|'lost',
 *   amount: numeric-string,
 *   currency: string,
 *   reason: string|null,
 *   evidenceDueTime: string|null,
 *   providerUrl: string|null,
 *   openedTime: string,
 *   decidedTime: string|null,
 *   answer: 'draft'|'submitting'|'submitted'|'accepting'|'accepted'|null,
 *   answeredBy: string|null,
 *   answeredTime: string|null,
 * }
 * @phpstan-type DisputeDetails array{
 *   disputeId: string,
 *   paymentId: int,
 *   referenceId: string,
 *   customerId: string,
 *   paymentProfileId: int|null,
 *   provider: string|null,
 *   state: 'open'|'won'|'lost',
 *   amount: numeric-string,
 *   currency: string,
 *   reason: string|null,
 *   evidenceDueTime: string|null,
 *   providerUrl: string|null,
 *   openedTime: string,
 *   decidedTime: string|null,
 *   answer: 'draft'|'submitting'|'submitted'|'accepting'|'accepted'|null,
 *   answeredBy: string|null,
 *   answeredTime: string|null,
 *   canRefund: bool,
 *   texts: array<string, mixed>,
 *   files: list<array{
 *     kind: 'receipt'|'shippingProof'|'customerCommunication'|'serviceProof'|'policy'|'duplicateProof'|'other',
 *     mediaType: 'application/pdf'|'image/jpeg'|'image/png',
 *     size: int,
 *     sha256: string,
 *     savedBy: string,
 *     savedTime: string,
 *     isSent: bool,
 *   }>,
 *   limits: array{
 *     texts: array<string, mixed>,
 *     totalText: int|null,
 *     files: list<'receipt'|'shippingProof'|'customerCommunication'|'serviceProof'|'policy'|'duplicateProof'|'other'>,
 *     fileBytes: int,
 *     totalBytes: int,
 *   }|null,
 *   problem: string|null,
 * }
 * @phpstan-type PaymentLink array{
 *   paymentLinkId: string,
 *   url: string,
 *   isReusable: bool,
 *   isActive: bool,
 *   amount: numeric-string|null,
 *   minimumAmount: numeric-string|null,
 *   maximumAmount: numeric-string|null,
 *   currency: string,
 *   description: string,
 *   referenceId: string|null,
 *   autoCapture: bool,
 *   returnUrl: string|null,
 *   maximumPayments: int|null,
 *   paidCount: int,
 *   paidAmount: numeric-string,
 *   createdTime: string,
 *   expirationTime: string|null,
 *   withdrawnTime: string|null,
 * }
 * @phpstan-type Export array{
 *   exportId: string,
 *   kind: 'payments'|'refunds'|'disputes'|'customers'|'links'|'events'|'everything',
 *   state: 'waiting'|'running'|'done'|'failed'|'cancelled',
 *   problem: 'too-many-rows'|'no-space'|'internal'|null,
 *   rows: int,
 *   bytes: int,
 *   columns: list<string>,
 *   query: string|null,
 *   separator: 'comma'|'semicolon',
 *   byteOrderMark: bool,
 *   from: string|null,
 *   to: string,
 *   scheduleId: string|null,
 *   requestedBy: array{
 *     kind: 'person'|'key'|'operator'|'service',
 *     id: string,
 *     name: string,
 *   },
 *   createdTime: string,
 *   endedTime: string|null,
 *   removalTime: string|null,
 * }
 * @phpstan-type ExportSchedule array{
 *   scheduleId: string,
 *   kind: 'payments'|'refunds'|'disputes'|'customers'|'links'|'events'|'everything',
 *   every: 'day'|'week'|'month',
 *   columns: list<string>,
 *   query: string|null,
 *   separator: 'comma'|'semicolon',
 *   byteOrderMark: bool,
 *   recipients: list<string>,
 *   isPaused: bool,
 *   nextTime: string,
 *   createdBy: array{
 *     kind: 'person'|'key'|'operator'|'service',
 *     id: string,
 *     name: string,
 *   },
 *   createdTime: string,
 * }
 * @phpstan-type Import array{
 *   importId: string,
 *   state: 'waiting'|'running'|'done'|'cancelled',
 *   isDryRun: bool,
 *   fileName: string|null,
 *   lines: int,
 *   done: int,
 *   added: int,
 *   unchanged: int,
 *   wrong: int,
 *   createdTime: string,
 *   endedTime: string|null,
 * }
 * @phpstan-type ImportProblem array{
 *   line: int,
 *   code: string,
 *   field: string|null,
 *   message: string,
 * }
 * @phpstan-type ErasedCustomer array{
 *   customerId: string,
 *   erasedTime: string,
 * }
 * @phpstan-type Note array{
 *   noteId: int,
 *   text: string,
 *   author: array{
 *     kind: string,
 *     id: string,
 *     name: string,
 *   },
 *   createdTime: string,
 * }
 * @phpstan-type NewNote array{
 *   text: string,
 * }
 * @phpstan-type Assignment array{
 *   personId: string|null,
 *   name: string|null,
 * }
 * @phpstan-type NewAssignment array{
 *   personId: string|null,
 * }
 * @phpstan-type ApiCall array{
 *   requestId: string,
 *   time: string,
 *   method: string,
 *   path: string,
 *   route: string,
 *   status: int,
 *   ms: int,
 *   keyId: string|null,
 *   personId: string|null,
 *   address: string,
 *   idempotencyKey: string|null,
 *   isReplayed: bool,
 *   paymentId: int|null,
 *   error: string|null,
 * }
 * @phpstan-type ApiCounts array{
 *   from: string,
 *   to: string,
 *   bucket: 'minute'|'hour',
 *   buckets: list<array{
 *     time: string,
 *     succeeded: int,
 *     refused: int,
 *     failed: int,
 *     leftOut: int,
 *     averageMs: int|null,
 *   }>,
 * }
 * @phpstan-type ApiCallDetails array{
 *   requestId: string,
 *   time: string,
 *   method: string,
 *   path: string,
 *   route: string,
 *   status: int,
 *   ms: int,
 *   keyId: string|null,
 *   personId: string|null,
 *   address: string,
 *   idempotencyKey: string|null,
 *   isReplayed: bool,
 *   paymentId: int|null,
 *   error: string|null,
 *   query: mixed,
 *   requestBody: mixed,
 *   answerBody: mixed,
 * }
 * @phpstan-type LicenseInput array{
 *   licenseName: string,
 *   ownerEmail?: string,
 * }
 * @phpstan-type License array{
 *   licenseId: string,
 *   licenseName: string,
 *   authorizationCode: string,
 *   apps: list<array{
 *     appId: string,
 *     isSandbox: bool,
 *     friendlyName: string,
 *     apiKey: string,
 *     webhookSecret: string,
 *   }>,
 *   ownerEmail?: string,
 *   invitationLink?: string,
 * }
 * @phpstan-type OwnerInput array{
 *   email: string,
 * }
 * @phpstan-type OwnerInvitation array{
 *   licenseId: string,
 *   email: string,
 *   expiresTime: string,
 *   invitationLink?: string,
 * }
 * @phpstan-type VisitInput array{
 *   email: string,
 *   reason: string,
 * }
 * @phpstan-type LicenseVisit array{
 *   licenseId: string,
 *   email: string,
 *   role: string,
 *   reason: string,
 *   expiresTime: string,
 *   appIds: list<string>,
 * }
 * @phpstan-type Problem array{
 *   type: string,
 *   title: string,
 *   status: int,
 *   detail: string,
 *   code: 'malformed_request'|'invalid_request'|'unauthorized'|'invalid_signature'|'forbidden'|'key_scope'|'app_blocked'|'sandbox_only'|'otp_required'|'otp_invalid'|'otp_not_enrolled'|'not_found'|'method_not_allowed'|'request_timeout'|'reference_id_reused'|'payment_not_capturable'|'payment_not_cancellable'|'payment_not_refundable'|'refund_too_late'|'payment_not_held'|'payment_not_payable'|'payment_busy'|'action_not_allowed'|'too_many_api_keys'|'too_many_webhook_endpoints'|'member_exists'|'last_owner'|'customer_exists'|'token_in_use'|'customer_busy'|'checkout_host_taken'|'refund_limit_reached'|'refund_needs_approval'|'fraud_policy_in_use'|'idempotency_key_in_use'|'payload_too_large'|'unsupported_media_type'|'headers_too_large'|'no_profile_for_currency'|'profile_not_usable'|'invalid_profile_settings'|'other_account'|'no_stored_method'|'amount_out_of_bounds'|'wrong_settlement_report'|'token_not_known'|'wrong_import_file'|'customer_blocked'|'unknown_fraud_policy'|'card_number_not_allowed'|'idempotency_key_reused'|'not_possible'|'too_many_requests'|'internal_error'|'unavailable',
 *   errors?: list<array{
 *     field: string,
 *     message: string,
 *   }>,
 *   requestId: string,
 *   TypeName: string,
 *   Message: string,
 * }
 * @phpstan-type ApiKeysListQuery array{
 *   after?: string,
 * }
 * @phpstan-type PaymentProfilesListQuery array{
 *   onlyRoutedProfile?: bool,
 * }
 * @phpstan-type PaymentProfilesCalculateFeeQuery array{
 *   amount: int|\TenderPay\Decimal|string,
 *   ids?: string,
 * }
 * @phpstan-type TeamCreateBotByNameQuery array{
 *   botName: string,
 * }
 * @phpstan-type CustomersAllActivityQuery array{
 *   activityLogType?: 'Blocked'|'Unblocked'|'PolicyChanged'|'PolicyReset'|'DetailsChanged'|'MethodAdded'|'MethodRemoved'|'Erased'|'FraudDecision',
 *   beginTime?: string,
 *   endTime?: string,
 *   pageNumber?: int|\TenderPay\Decimal|string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   customerId?: string,
 * }
 * @phpstan-type CustomersActivityQuery array{
 *   activityLogType?: 'Blocked'|'Unblocked'|'PolicyChanged'|'PolicyReset'|'DetailsChanged'|'MethodAdded'|'MethodRemoved'|'Erased'|'FraudDecision',
 *   beginTime?: string,
 *   endTime?: string,
 *   pageNumber?: int|\TenderPay\Decimal|string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type CustomersListQuery array{
 *   pageNumber?: int|\TenderPay\Decimal|string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   searchCriteria?: string,
 *   isBlocked?: bool,
 *   fraudPolicyId?: int|string,
 * }
 * @phpstan-type CustomersPaymentMethodsQuery array{
 *   onlyVerifiedPaymentMethods?: bool,
 * }
 * @phpstan-type CustomersProviderInfoResult array{
 *   accounts: list<array<string, mixed>>,
 *   item: null,
 *   numbers: null,
 * }
 * @phpstan-type CustomersPanelLinkQuery array{
 *   returnUrl?: string,
 *   unauthorizedRedirectUrl?: string,
 *   customerPanelLinkAccessType?: 'CreditCard'|'ElectronicCheck'|'All',
 *   task?: 'add-method'|'verify-method'|'pay',
 *   paymentMethodId?: int|string,
 *   paymentId?: int|string,
 * }
 * @phpstan-type CustomersResetFraudCountsResult array{
 *   customerId: string,
 * }
 * @phpstan-type EventsListQuery array{
 *   paymentId?: int|\TenderPay\Decimal|string,
 *   since?: string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: string,
 * }
 * @phpstan-type WebhooksListQuery array{
 *   paymentId?: int|\TenderPay\Decimal|string,
 *   since?: string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: string,
 *   status?: 'pending'|'delivered'|'exhausted'|'dropped',
 * }
 * @phpstan-type WebhooksGetQuery array{
 *   endpointId?: string,
 * }
 * @phpstan-type WebhooksResendQuery array{
 *   endpointId?: string,
 * }
 * @phpstan-type WebhooksResendFailedQuery array{
 *   since?: string,
 * }
 * @phpstan-type FraudPoliciesListQuery array{
 *   after?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type FraudPoliciesVersionsQuery array{
 *   before?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type FraudPoliciesReplaceRulesInput array{
 *   action: 'HoldPayment'|'RejectPayment'|'BlockCustomer'|'RequestExemption'|'RequestChallenge'|'RequireChallenge',
 *   measure: 'PaymentCount'|'ProviderRejectCount'|'TotalAmount'|'DistinctCard'|'SingleAmount'|'ProviderRiskScore',
 *   period?: 'Daily'|'Weekly'|'Monthly'|null,
 *   periodCount?: int|null,
 *   threshold: int|\TenderPay\Decimal|string,
 *   currency?: string|null,
 *   paymentProfiles?: list<int|string>|null,
 *   message?: string|null,
 * }
 * @phpstan-type FraudPoliciesSimulateInput array{
 *   days: int,
 * }
 * @phpstan-type FraudPoliciesRejectedPaymentsQuery array{
 *   beginTime?: string,
 *   endTime?: string,
 *   timeZoneName?: string,
 * }
 * @phpstan-type BlockListListQuery array{
 *   kind?: 'Card'|'Email'|'EmailDomain'|'Address'|'Customer'|'Country',
 *   before?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type RoutingExplainInput array{
 *   currency: string,
 *   amount?: int|\TenderPay\Decimal|string|null,
 *   method?: 'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'|null,
 *   autoCapture?: bool|null,
 *   country?: string|null,
 *   brand?: string|null,
 *   paymentId?: int|string|null,
 * }
 * @phpstan-type RefundApprovalsListQuery array{
 *   state?: 'open'|'approved'|'refused',
 * }
 * @phpstan-type PaymentsCreateHostedPageInput array{
 *   referenceId: string,
 *   amount: int|\TenderPay\Decimal|string,
 *   autoCapture: bool,
 *   customerOrder: CustomerOrder,
 *   webhookUrl?: ''|string|null,
 *   fraudPolicyId?: int|string|null,
 *   statementDescriptor?: string|null,
 *   currency: string,
 *   locale?: string|null,
 *   country?: string|null,
 *   brandName?: string|null,
 *   threeDSecure?: array{
 *     requested: 'challenge'|'exemption',
 *     isRequired?: bool|null,
 *   }|null,
 *   registerAutoPayment?: bool|null,
 *   expirationTime?: string|null,
 *   returnUrl: string,
 *   showPayRecurringInCheckout: bool,
 *   paymentProfiles?: list<int|string>|null,
 *   paymentProfileId?: int|string|null,
 *   checkoutMethods?: list<'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'VerifiedPaymentMethod'|'ProviderHostedPage'|'ideal'|'bancontact'|'sepa-debit'|'eps'|'klarna'|'blik'|'przelewy24'|'twint'|'mb-way'|'multibanco'|'swish'|'vipps'|'mobilepay'|'pix'|'alipay'|'wechat-pay'|'cash-app'|'afterpay'|'link'|'bank-transfer'|'apple-pay'|'google-pay'>|null,
 * }
 * @phpstan-type PaymentsCreateInput array{
 *   referenceId: string,
 *   amount: int|\TenderPay\Decimal|string,
 *   autoCapture: bool,
 *   customerOrder: CustomerOrder,
 *   webhookUrl?: ''|string|null,
 *   fraudPolicyId?: int|string|null,
 *   statementDescriptor?: string|null,
 *   currency: string,
 *   locale?: string|null,
 *   country?: string|null,
 *   brandName?: string|null,
 *   threeDSecure?: array{
 *     requested: 'challenge'|'exemption',
 *     isRequired?: bool|null,
 *   }|null,
 *   registerAutoPayment?: bool|null,
 *   expirationTime?: string|null,
 *   returnUrl?: ''|string|null,
 * }
 * @phpstan-type PaymentsListQuery array{
 *   q?: string,
 *   state?: string,
 *   provider?: string,
 *   profile?: string,
 *   currency?: string,
 *   customer?: string,
 *   policy?: string,
 *   from?: string,
 *   to?: string,
 *   min?: int|\TenderPay\Decimal|string,
 *   max?: int|\TenderPay\Decimal|string,
 *   timeZoneName?: string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   cursor?: string,
 * }
 * @phpstan-type PaymentsCreateProviderHostedPageInput array{
 *   referenceId: string,
 *   amount: int|\TenderPay\Decimal|string,
 *   autoCapture: bool,
 *   customerOrder: CustomerOrder,
 *   webhookUrl?: ''|string|null,
 *   fraudPolicyId?: int|string|null,
 *   statementDescriptor?: string|null,
 *   currency: string,
 *   locale?: string|null,
 *   country?: string|null,
 *   brandName?: string|null,
 *   threeDSecure?: array{
 *     requested: 'challenge'|'exemption',
 *     isRequired?: bool|null,
 *   }|null,
 *   registerAutoPayment?: bool|null,
 *   expirationTime?: string|null,
 *   returnUrl?: ''|string|null,
 *   paymentProfileId: int|string,
 * }
 * @phpstan-type PaymentsCreateAutoPaymentInput array{
 *   referenceId: string,
 *   amount: int|\TenderPay\Decimal|string,
 *   autoCapture: bool,
 *   customerOrder: CustomerOrder,
 *   webhookUrl?: ''|string|null,
 *   fraudPolicyId?: int|string|null,
 *   statementDescriptor?: string|null,
 *   currency?: string|null,
 *   paymentMethodId?: int|string|null,
 *   paymentMethodProviderProfileId?: int|string|null,
 * }
 * @phpstan-type PaymentsLinkResult array{
 *   url: string,
 * }
 * @phpstan-type PaymentsCaptureQuery array{
 *   amount?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type PaymentsCancelQuery array{
 *   otpCode?: string,
 * }
 * @phpstan-type PaymentsRefundQuery array{
 *   amount?: int|\TenderPay\Decimal|string,
 *   reason?: 'duplicate'|'fraudulent'|'requested-by-customer'|'other',
 *   description?: string,
 *   otpCode?: string,
 * }
 * @phpstan-type PaymentsMarkAsRefundInput array{
 *   reason?: string|null,
 * }
 * @phpstan-type PaymentsMarkAsRefundQuery array{
 *   description?: string,
 *   otpCode?: string,
 * }
 * @phpstan-type PaymentsMarkAsDisputeInput array{
 *   reason?: string|null,
 * }
 * @phpstan-type PaymentsMarkAsDisputeQuery array{
 *   description?: string,
 *   otpCode?: string,
 * }
 * @phpstan-type PaymentsSummaryQuery array{
 *   paymentStates?: string,
 *   searchCriteria?: string,
 *   beginTime?: string,
 *   endTime?: string,
 *   pageNumber?: int|\TenderPay\Decimal|string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   customerId?: string,
 *   paymentProfileId?: int|string,
 *   fraudPolicyId?: int|string,
 * }
 * @phpstan-type PaymentsOverviewQuery array{
 *   beginTime?: string,
 *   endTime?: string,
 *   timeZoneName?: string,
 * }
 * @phpstan-type PaymentsDashboardQuery array{
 *   beginTime?: string,
 *   endTime?: string,
 *   timeZoneName?: string,
 *   paymentProfileId?: int|string,
 * }
 * @phpstan-type LedgerBalancesQuery array{
 *   date?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type LedgerFeesQuery array{
 *   by?: 'provider'|'method'|'country'|'month',
 *   from?: int|\TenderPay\Decimal|string,
 *   to?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type LedgerJournalQuery array{
 *   format?: 'csv'|'hledger'|'beancount',
 *   from?: int|\TenderPay\Decimal|string,
 *   to?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type LedgerSettlementsQuery array{
 *   from?: int|\TenderPay\Decimal|string,
 *   to?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type SettlementsLinesQuery array{
 *   kind?: 'sale'|'refund'|'fee'|'dispute'|'dispute-reversal'|'return'|'reserve'|'adjustment'|'conversion'|'payout',
 *   match?: 'exact'|'suggested'|'none',
 *   paymentId?: int|string,
 *   payoutId?: int|string,
 *   paymentProfileId?: int|string,
 *   since?: string,
 *   until?: string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: string,
 * }
 * @phpstan-type SettlementsPayoutsQuery array{
 *   paymentProfileId?: int|string,
 *   state?: 'pending'|'paid'|'failed',
 *   since?: string,
 *   until?: string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: string,
 * }
 * @phpstan-type SettlementsExceptionsQuery array{
 *   kind?: 'missing'|'unknown'|'amount'|'currency'|'doubled'|'unseen'|'fee'|'payout'|'unpaid',
 *   state?: 'open'|'closed',
 *   paymentId?: int|string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: string,
 * }
 * @phpstan-type SettlementsCloseExceptionInput array{
 *   reason: string,
 * }
 * @phpstan-type SettlementsImportReportQuery array{
 *   paymentProfileId: int|string,
 *   fileName?: string,
 * }
 * @phpstan-type SettlementsReportsQuery array{
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type SettlementsSetSourceInput array{
 *   isActive: bool,
 * }
 * @phpstan-type DisputesListQuery array{
 *   state?: 'open'|'won'|'lost',
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: string,
 * }
 * @phpstan-type DisputesSaveEvidenceInput array{
 *   texts: array{
 *     explanation?: string|null,
 *     productDescription?: string|null,
 *     customerName?: string|null,
 *     customerEmail?: string|null,
 *     shippingCarrier?: string|null,
 *     trackingNumber?: string|null,
 *     shippingDate?: string|null,
 *     accessLog?: string|null,
 *     refundPolicy?: string|null,
 *     refundRefusal?: string|null,
 *     duplicateExplanation?: string|null,
 *   },
 * }
 * @phpstan-type PaymentLinksCreateInput array{
 *   isReusable: bool,
 *   amount?: int|\TenderPay\Decimal|string|null,
 *   minimumAmount?: int|\TenderPay\Decimal|string|null,
 *   maximumAmount?: int|\TenderPay\Decimal|string|null,
 *   currency: string,
 *   description?: string|null,
 *   referenceId?: string|null,
 *   maximumPayments?: int|null,
 *   expirationTime?: string|null,
 *   autoCapture?: bool|null,
 *   returnUrl?: ''|string|null,
 * }
 * @phpstan-type PaymentLinksListQuery array{
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: string,
 * }
 * @phpstan-type PaymentLinksPaymentsQuery array{
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type ExportsCreateInput array{
 *   kind: 'payments'|'refunds'|'disputes'|'customers'|'links'|'events'|'everything',
 *   columns?: list<string>|null,
 *   query?: string|null,
 *   separator?: 'comma'|'semicolon'|null,
 *   byteOrderMark?: bool|null,
 *   sealingKey?: string|null,
 *   period?: 'today'|'yesterday'|'last-7-days'|'last-30-days'|'this-month'|'last-month'|'all'|null,
 *   from?: string|null,
 *   to?: string|null,
 * }
 * @phpstan-type ExportSchedulesCreateInput array{
 *   kind: 'payments'|'refunds'|'disputes'|'customers'|'links'|'events'|'everything',
 *   columns?: list<string>|null,
 *   query?: string|null,
 *   separator?: 'comma'|'semicolon'|null,
 *   byteOrderMark?: bool|null,
 *   every: 'day'|'week'|'month',
 *   recipients?: list<string>|null,
 * }
 * @phpstan-type ExportSchedulesUpdateInput array{
 *   isPaused?: bool,
 *   recipients?: list<string>,
 * }
 * @phpstan-type ImportsCreateQuery array{
 *   isDryRun?: bool,
 *   fileName?: string,
 * }
 * @phpstan-type ImportsProblemsQuery array{
 *   after?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type ApiLogListQuery array{
 *   since?: string,
 *   until?: string,
 *   statusClass?: '2xx'|'3xx'|'4xx'|'5xx',
 *   method?: 'GET'|'HEAD'|'POST'|'PATCH'|'PUT'|'DELETE',
 *   pathPrefix?: string,
 *   keyId?: string,
 *   requestId?: string,
 *   pageSize?: int|\TenderPay\Decimal|string,
 *   before?: string,
 * }
 * @phpstan-type ApiLogCountsQuery array{
 *   since?: string,
 *   until?: string,
 * }
 * @phpstan-type TestHelpersPayInput array{
 *   method?: 'CreditCard'|'ElectronicCheck'|'Crypto'|'Paypal'|'ideal'|'bank-transfer'|'sepa-debit'|'apple-pay'|'multibanco'|'klarna'|null,
 *   outcome?: string|null,
 *   saveMethod?: bool|null,
 *   payerIp?: string|null,
 * }
 * @phpstan-type TestHelpersDisputeInput array{
 *   outcome?: 'open'|'won'|'lost'|null,
 *   amount?: int|\TenderPay\Decimal|string|null,
 *   isFurther?: bool|null,
 *   isInquiry?: bool|null,
 *   dueDays?: int|null,
 * }
 * @phpstan-type TestHelpersSetFaultInput array{
 *   step: 'authorise'|'capture'|'cancel'|'refund'|'charge'|'keep'|'dispute'|'any',
 *   effect: 'decline'|'request-lost'|'reply-lost'|'reply-late'|'http-500-after-acting'|'unreadable'|'pending-then-approved'|'capture-fails'|'refund-pending'|'refund-fails-later'|'notification-duplicate'|'notification-reordered'|'notification-late'|'notification-never'|'notification-forged'|'outage',
 *   times?: int,
 *   delayMs?: int,
 * }
 * @phpstan-type TestHelpersSetFaultResult array{
 *   step: 'authorise'|'capture'|'cancel'|'refund'|'charge'|'keep'|'dispute'|'any',
 *   effect: 'decline'|'request-lost'|'reply-lost'|'reply-late'|'http-500-after-acting'|'unreadable'|'pending-then-approved'|'capture-fails'|'refund-pending'|'refund-fails-later'|'notification-duplicate'|'notification-reordered'|'notification-late'|'notification-never'|'notification-forged'|'outage',
 *   times?: int,
 *   delayMs?: int,
 * }
 * @phpstan-type TestHelpersClearFaultsResult array{
 *   cleared: true,
 * }
 * @phpstan-type TestHelpersLedgerQuery array{
 *   paymentId?: int|\TenderPay\Decimal|string,
 * }
 * @phpstan-type TestHelpersLedgerResult array{
 *   paymentId: int|null,
 *   kind: 'authorise'|'sale'|'capture'|'void'|'refund',
 *   amount: numeric-string,
 *   currency: string,
 *   status: 'done'|'pending'|'declined',
 *   operationKey: string,
 *   time: string,
 * }
 * @phpstan-type TestHelpersPayOutResult array{
 *   payouts: list<array{
 *     paymentProfileId: int|null,
 *     providerPayoutId: string,
 *     amount: numeric-string,
 *     currency: string,
 *     time: string,
 *   }>,
 * }
 * @phpstan-type TestHelpersSetSettlementFaultInput array{
 *   kind: 'missing'|'doubled'|'altered'|'currency'|'cut'|'order',
 *   paymentId?: int|string|null,
 * }
 * @phpstan-type TestHelpersSetSettlementFaultResult array{
 *   kind: 'missing'|'doubled'|'altered'|'currency'|'cut'|'order',
 *   paymentId: int|null,
 * }
 * @phpstan-type TestHelpersClearSettlementFaultsResult array{
 *   cleared: true,
 * }
 * @phpstan-type TestHelpersAdvanceClockInput array{
 *   advance: string,
 * }
 * @phpstan-type TestHelpersAdvanceClockResult array{
 *   now: string,
 * }
 */
final class Types
{
}
