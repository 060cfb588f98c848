import { after } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { AnyMethod } from '../providers/methods/method.ts'
import type { PayerMail, TeamMail } from './apps/mail-kinds.ts'
import type { Diagnosis } from './profiles/diagnosis.ts'
import type { RoutingConfig } from './routing-config.ts'

/** The sandbox or the live environment of a licence. */
export interface App {
  readonly appId: string
  readonly licenseId: string
  readonly isSandbox: boolean
  readonly isActive: boolean
  readonly friendlyName: string
  readonly createdTime: Date
  readonly paymentWebhookUrl: string | null
  readonly webhookAuthScheme: string | null
  /** Sealed; responses show only whether it is set. */
  readonly webhookAuthParameter: Uint8Array | null
  /** Sealed. */
  readonly webhookSecret: Uint8Array
  /** The previous secret, sealed, while it still signs too. */
  readonly webhookPreviousSecret: Uint8Array | null
  readonly webhookPreviousUntil: Date | null
  /** False: webhooks are sent without a signature. */
  readonly isSigningEnabled: boolean
  /** The states whose events the first webhook endpoint receives; null: all. */
  readonly webhookStates: readonly string[] | null
  /** The kinds of them; null: all. */
  readonly webhookKinds: readonly string[] | null
  /** The first webhook endpoint collects its events. */
  readonly isWebhookPaused: boolean
  readonly defaultFraudPolicyId: number | null
  /** False: payments skip the policy lookup. */
  readonly hasFraudPolicies: boolean
  readonly hasBlockedCustomers: boolean
  /** Kinds of which the block list has entries. */
  readonly blockKinds: readonly string[]
  /** Kinds of entries that let payments through. */
  readonly allowKinds: readonly string[]
  /** False: payments are read without their settlement. */
  readonly hasSettlements: boolean
  /** Null: payments are routed by the order of the profiles. */
  readonly routing: RoutingConfig | null
  readonly checkoutMethods: readonly string[]
  readonly hasFirstCapture: boolean
  /** When a webhook was first acknowledged; null: none was yet. */
  readonly firstWebhookTime: Date | null
  readonly clockOffsetMs: number
  /** A sandbox app holds back its webhooks until then, in its own time. */
  readonly webhooksHeldUntil: Date | null
  /** Refunds that may be requested in one day; null: any number. */
  readonly maxRefundsDaily: number | null
  /**
   * A person's refunds of a payment above this sum wait for a second person: minor units by currency. Other
   * currencies need no second person.
   */
  readonly refundApprovalAbove: Readonly<Record<string, string>>
  /** Charges of stored cards that the card networks forbid are refused. */
  readonly retryGuard: boolean
  /** Money that arrives after a link has ended is kept instead of given back. */
  readonly acceptLatePayments: boolean
  /** For the payers' bank statements; null: what the account at the provider has. */
  readonly statementDescriptor: string | null
  /** Recipients of refund e-mails. */
  readonly refundEmails: readonly string[]
  /** IANA name; decides when a day of the app begins. */
  readonly timeZone: string
  /** The day on which a month of its figures begins, 1 to 28. */
  readonly monthStartsOn: number
  /** Host name of the checkout, routed here by the operator's proxy; null: the installation's own. */
  readonly checkoutHost: string | null
  /** The app has proved that the name is its own. */
  readonly isCheckoutHostProven: boolean
  /** A host name that the app asks for and has not proved. */
  readonly hostClaim: { readonly host: string; readonly token: string } | null
  /** Refunds and marks need a one-time code of the person. */
  readonly twoFactorRequired: boolean
  /** So do they with an API key: a code of the person who made the key. */
  readonly requireOtpForApiKeys: boolean
  /** Days after the last payment until a customer is erased; null: never. */
  readonly personalDataDays: number | null
  readonly branding: Branding
  readonly mails: AppMails
  readonly profiles: readonly Profile[]
}

/** Which e-mails are sent, and from whom. */
export interface AppMails {
  /** Kinds of e-mails to payers that are on. */
  readonly payer: readonly PayerMail[]
  /** Kinds of e-mails to the team that are on. */
  readonly team: readonly TeamMail[]
  /** Null: the name of the app. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Where those to the team go; empty: to the owners of the licence. */
  readonly teamAddresses: readonly string[]
}

/** Branding of the payer pages. Null: absent, or the default. */
export interface Branding {
  /** Hash of the logo, part of its URL. */
  readonly logoHash: string | null
  /** `#rrggbb` */
  readonly color: string | null
  readonly slogan1: string | null
  readonly slogan2: string | null
  /** A web address or an e-mail address. */
  readonly support: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  readonly locale: string | null
  readonly theme: 'light' | 'dark' | null
  /** The pages name the software at their foot. */
  readonly showPoweredBy: boolean
}

/** A provider account of an app, with the methods it offers. */
export interface Profile {
  readonly profileId: number
  readonly name: string
  readonly provider: string
  readonly methods: readonly AnyMethod[]
  /** Default currency of a charge. */
  readonly currency: string
  /** Null: every currency that the provider supports. */
  readonly currencies: readonly string[] | null
  readonly isActive: boolean
  /** Sealed. */
  readonly settings: Uint8Array
  readonly webhookKey: string
  readonly createdTime: Date
  readonly fees: ProfileFees | null
  /** The provider's id of the account; null: not known. */
  readonly account: string | null
  /** The methods that the account at the provider has turned on; null: not known. */
  readonly accountMethods: readonly string[] | null
  /** When they were read. */
  readonly accountMethodsTime: Date | null
  /** When the provider last accepted the settings; null: not known. */
  readonly acceptedTime: Date | null
  /** The minute of the last verified notification; null: none yet. */
  readonly lastNotificationTime: Date | null
  /** Null: healthy. Otherwise the problem, the number of failed probes, and the time of the next probe. */
  readonly trouble: { readonly diagnosis: Diagnosis; readonly failures: number; readonly until: Date } | null
}

/** For previews: major units of the profile's currency, and percent. */
export interface ProfileFees {
  readonly providerInitialFee?: number | null
  readonly providerPercentageFee?: number | null
  readonly appInitialFee?: number | null
  readonly appPercentageFee?: number | null
}

/** The app's time: the clock of a sandbox app can be moved ahead by a test helper. */
export const appNow = (ctx: Pick<Context, 'clock'>, app: App): Date =>
  app.clockOffsetMs === 0 ? ctx.clock.now() : after(ctx.clock.now(), app.clockOffsetMs)

export const findProfile = (app: App, profileId: number): Profile | undefined =>
  app.profiles.find((profile) => profile.profileId === profileId)
