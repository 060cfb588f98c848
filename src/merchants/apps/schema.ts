import Type, { type Static } from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import { IdInput, Instant, maybe, name, patchOf, text, UrlOrNothing } from '../../http/wire.ts'
import { ProfileSummary } from '../profiles/schema.ts'
import { BrandingAnswer, BrandingPatch, Logo, Slogan } from './branding.ts'
import { Email, MailsAnswer, MailsPatch } from './mails.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(
  schema: T,
  options: { readonly description?: string } = {},
) => Type.Union([schema, Type.Null()], { ...options })
const Nullable = nullable(Type.String())

const WebhookHealth = Type.Object(
  {
    exhaustedCount: Type.Integer({ description: 'Webhooks that were given up, counted up to 1000.' }),
    endpoints: Type.Array(
      Type.Object({
        url: Type.String(),
        status: Type.Enum(['failing', 'paused', 'disabled'], {
          description: 'Disabled: it answered 410. A resend or a test that is received turns it on again.',
        }),
        since: Instant,
        failures: Type.Integer({ description: 'In a row.' }),
        lastError: Type.String(),
        nextTryTime: nullable(Instant),
      }),
      { description: 'Webhook addresses in trouble.' },
    ),
  },
  { title: 'WebhookHealth' },
)
export type WebhookHealth = Static<typeof WebhookHealth>

/** Members that other clients of this API read, with the answer of an installation that sells no licences. */
const licenseMembers = {
  licenseExpirationTime: nullable(Instant, { description: 'Null: a licence does not expire.' }),
  licenseAmount: nullable(Type.Number()),
  licenseRenewCalculatedTime: nullable(Instant),
  hasAppliance: Type.Boolean(),
  showFraudPolicyInDashboard: Type.Boolean(),
}

const HostProof = Type.Object(
  {
    host: Type.String({ description: 'The name that the app asked for.' }),
    recordType: Type.Literal('TXT'),
    recordName: Type.String({ description: 'The name of a DNS entry of this type…' }),
    recordValue: Type.String({ description: '…and its value.' }),
    fileUrl: Type.String({ description: 'Or: an address on the host name…' }),
    fileContent: Type.String({ description: '…that answers 200 with this text.' }),
  },
  {
    title: 'HostProof',
    description:
      'How to prove that a host name is yours: one of both. It takes effect when the proof is found.',
  },
)

export const CheckedHost = Type.Object(
  {
    isProven: Type.Boolean({ description: 'The host name is in effect.' }),
    problem: nullable(Type.Enum(['not-found', 'taken']), {
      description: 'Neither the DNS entry nor the file was found, or another app proved the name before.',
    }),
    hostedPageBaseUrl: Type.String({ description: 'Payment links begin with it.' }),
  },
  { title: 'CheckedHost' },
)

const checkoutMembers = {
  logo: nullable(Type.String(), { description: 'The address of the logo.' }),
  hostedPageBaseUrl: Type.String({ description: 'Payment links begin with it.' }),
  canRemoveHostedPageDomain: Type.Boolean({ description: 'The checkout has a host name of its own.' }),
  hostProof: nullable(HostProof, { description: 'How to prove a host name that is not proved yet.' }),
  targetCName: Type.String({ description: 'Where the DNS entry of such a host name leads to.' }),
  checkoutSlogan1: Nullable,
  checkoutSlogan2: Nullable,
}

const CurrencyAmount = Type.Object({ currency: Type.String(), amount: Type.Number({ minimum: 0 }) })

const refundMembers = {
  maxThresholdRefundCountDaily: nullable(Type.Integer(), { description: 'Null: any number of refunds.' }),
  refundApprovalAbove: Type.Array(CurrencyAmount, {
    description: 'A person’s refunds of a payment above this sum wait for a second person. None: never.',
  }),
  refundProcessReceiverEmails: Type.Array(Type.Object({ emailAddress: Type.String() })),
  isTwoFactorAuthenticationEnabled: Type.Boolean({
    description: 'Refund, mark-as-refund and mark-as-dispute need `otpCode`.',
  }),
  requireOtpForApiKeys: Type.Boolean({ description: 'They need it with an API key too.' }),
}

const RETRY_GUARD =
  'Charges of stored cards that the card networks forbid are refused before the provider is called.'

const LATE =
  'Money that arrives after a payment link has ended is kept: the failed payment becomes Captured. False: ' +
  'it is given back.'
const MONTH =
  'The day on which a month of the figures begins, in presets such as `this-month`, the overview and exports.'
const STATEMENT =
  'Shown on the payer’s bank statement where the provider can, unless the payment has its own.'

export const AppAnswer = Type.Object(
  {
    appId: Type.String(),
    friendlyName: Type.String(),
    isSandbox: Type.Boolean(),
    isActive: Type.Boolean(),
    createdTime: Instant,
    isSetupCompleted: Type.Boolean({ description: 'A provider profile is active.' }),
    isConnectFirstGateway: Type.Boolean({ description: 'A provider profile exists.' }),
    hasFirstCapturePayment: Type.Boolean(),
    defaultFraudPolicyId: nullable(Type.Integer()),
    checkoutMethods: Type.Array(Type.String()),
    webhookSettings: Type.Object({
      paymentWebhookUrl: Nullable,
      webhookAuthorizationHeaderScheme: Nullable,
      webhookAuthorizationHeaderParameter: nullable(Type.String(), {
        description: 'Masked: only whether one is set.',
      }),
      isSigningEnabled: Type.Boolean(),
    }),
    webhookHealth: Type.Optional(WebhookHealth),
    lastWebhookProcessTime: nullable(Instant, { description: 'The last try to send a webhook.' }),
    lastWebhookError: nullable(Type.String(), { description: 'Null: it was received.' }),
    defaultRoutedProfiles: Type.Array(
      Type.Object({ currency: Type.String(), paymentProfile: ProfileSummary }),
    ),
    ...refundMembers,
    ...checkoutMembers,
    ...licenseMembers,
    timeZone: Type.String({ description: 'IANA name. Decides when a day of the app begins.' }),
    monthStartsOn: Type.Integer({ description: MONTH }),
    personalDataDays: nullable(Type.Integer(), {
      description: 'Days after their last payment until customers are erased. Null: they are kept.',
    }),
    retryGuard: Type.Boolean({ description: RETRY_GUARD }),
    acceptLatePayments: Type.Boolean({ description: LATE }),
    statementDescriptor: nullable(Type.String(), { description: STATEMENT }),
    branding: BrandingAnswer,
    emails: MailsAnswer,
  },
  { title: 'App' },
)

/** Shown instead of a secret. A client that sends back what it read sends it too: not a new secret. */
export const MASK = '***'

const HEADER_TOKEN = "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$"

const TimeZone = Type.Refine(Type.String({ maxLength: 64, expected: 'timeZone' }), isTimeZone)

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    // Offsets such as +01:00 have no name and no summer time.
    return /^[A-Za-z]/.test(zone)
  } catch {
    return false
  }
}

const PATCHED = 'Each member plain or as { "value": … }. Absent or null: unchanged.'

export const AppPatch = Type.Object(
  {
    friendlyName: patchOf(name(LIMITS.nameLength)),
    paymentWebhookUrl: patchOf(UrlOrNothing),
    webhookAuthorizationHeaderScheme: patchOf(text(50, { pattern: HEADER_TOKEN, expected: 'authScheme' })),
    webhookAuthorizationHeaderParameter: patchOf(
      text(2_048, { pattern: '^[\\x20-\\x7e]*$', expected: { code: 'ascii', values: { most: 2_048 } } }),
    ),
    defaultFraudPolicyId: patchOf(IdInput),
    maxThresholdRefundCountDaily: patchOf(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: '0: no refunds at all.' }),
    ),
    refundApprovalAbove: patchOf(Type.Array(CurrencyAmount, { maxItems: 50 })),
    refundProcessReceiverEmails: patchOf(
      Type.Array(Type.Union([Email, Type.Object({ emailAddress: Email })]), {
        maxItems: LIMITS.refundEmails,
        expected: { code: 'emails', values: { most: LIMITS.refundEmails } },
      }),
    ),
    logo: patchOf(Logo),
    isTwoFactorAuthenticationEnabled: patchOf(Type.Boolean()),
    requireOtpForApiKeys: patchOf(Type.Boolean()),
    timeZone: patchOf(TimeZone),
    monthStartsOn: patchOf(Type.Integer({ minimum: 1, maximum: 28, description: MONTH })),
    personalDataDays: patchOf(Type.Integer({ minimum: 30, maximum: 3_650 })),
    retryGuard: patchOf(Type.Boolean({ description: RETRY_GUARD })),
    acceptLatePayments: patchOf(Type.Boolean({ description: LATE })),
    statementDescriptor: patchOf(text(LIMITS.statementLength, { description: STATEMENT })),
    defaultRoutedProfile: maybe(
      Type.Object({
        currency: Type.String({ pattern: '^[A-Z]{3}$', expected: 'currency' }),
        paymentProfileId: maybe(IdInput, 'Null: the currency has no default any more.'),
      }),
      'The profile that comes first for a currency. Never wrapped.',
    ),
    branding: maybe(BrandingPatch),
    emails: MailsPatch,
  },
  { title: 'AppPatch', description: PATCHED },
)
export type AppPatch = Static<typeof AppPatch>

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** RFC 1123, of at least two labels. The last one is not a number, so it is never an IP address. */
function isHostName(host: string): boolean {
  const labels = host.split('.')
  return (
    labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

const HostName = Type.Refine(
  Type.String({
    maxLength: 253,
    expected: 'host',
    description: 'Your proxy must serve it and pass the Host header on. Certificates stay with the proxy.',
  }),
  (host) => host === '' || isHostName(host),
)

export const CheckoutPagePatch = Type.Object(
  {
    domain: patchOf(HostName),
    checkoutSlogan1: patchOf(Slogan),
    checkoutSlogan2: patchOf(Slogan),
  },
  { title: 'CheckoutPagePatch', description: PATCHED },
)
export type CheckoutPagePatch = Static<typeof CheckoutPagePatch>

export const ClearedAnswer = Type.Object(
  { removedCount: Type.Integer({ description: 'Rows.' }), isCompleted: Type.Boolean() },
  { title: 'ClearedApp' },
)
