import type { Money } from '../base/money.ts'
import type { Http } from '../net/http.ts'
import type { AmountLimits, Breakdown } from './amounts.ts'
import type { AccountMethods, Checked, NotReady } from './check.ts'
import type { Disputes } from './disputes.ts'
import type { Enumerations } from './enumerations.ts'
import type { FieldsForm } from './fields.ts'
import type { Hint } from './hint.ts'
import type { AnyMethod } from './methods/method.ts'
import type { ThreeDSecureRequest } from './methods/three-d-secure.ts'
import type { Movement, Notified } from './movements.ts'
import type {
  Confirmation,
  Handles,
  MethodKind,
  NotDone,
  Outcome,
  ReadOutcome,
  SetupOutcome,
  StoredRead,
  Unknown,
} from './outcome.ts'
import type { KnownPayer } from './payer/payer.ts'
import type { ProviderMark, SetupFacts } from './presentation.ts'
import type { SettledPage, SettlementWindow, WrongReport } from './settlement.ts'
import type { TextLimits } from './text-limits.ts'
import type { AccessTokens } from './tokens.ts'

/**
 * The interface between the payment core and a provider. An adapter is stateless. It uses money and HTTP but
 * not payments, the database or pages. It never throws for a business result: every call returns one of six
 * outcomes. `docs/guides/add-a-provider.md` explains how to write one. Decision 0109.
 */

export type Step = 'start' | 'resume' | 'charge' | 'capture' | 'cancel' | 'refund'

/** Why money is given back, as a choice of the merchant. */
export const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested-by-customer', 'other'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** One attempt to move money. It is committed to the database, with its key, before the request is sent. */
export interface Operation {
  /** Idempotency key: never changes, 20 characters [0-9A-Z], unique per installation. */
  readonly key: string
  readonly step: Step
  /** Sent in the provider's "merchant reference" field: the key of the attempt's first operation. */
  readonly reference: string
  /** 1 for the first request, incremented each time the same operation is sent again. */
  readonly sending: number
  /** By the app's clock. The same in every request of the operation, unlike `now`. */
  readonly createdAt: Date
  /** The merchant's text about a refund. */
  readonly description?: string
  /** Of a refund. Sent to providers that document such a field. */
  readonly reason?: RefundReason
  /** The ids that an earlier request of this operation saved. */
  readonly saved?: Handles
  /**
   * Saves ids between two requests of one step, so that the payment can be read if the answer to the second
   * one is lost. False: another worker holds the operation now, and nothing more may be sent.
   */
  save?(handles: Handles): Promise<boolean>
}

/** The same for every request of an operation; `instrument` is missing when another worker sends it. */
export interface Purchase extends KnownPayer {
  readonly amount: Money
  /** True: take the money in one step. False: reserve it, a capture follows. */
  readonly sale: boolean
  readonly storeMethod: boolean
  /** The method of this attempt. */
  readonly method: AnyMethod
  /** The customer is on our checkout and can be redirected. False: the merchant charges a stored method. */
  readonly customerPresent: boolean
  /** The URL to which the provider returns the browser, whatever the result. */
  readonly backUrl: string
  /** One-time token from the provider's card or account fields. Absent: open the provider's page. */
  readonly instrument?: string
  readonly customer: {
    readonly id: string
    readonly firstName?: string
    readonly lastName?: string
    readonly email?: string
    readonly phone?: string
  }
  readonly orderId?: string
  readonly description?: string
  readonly payerIp?: string
  readonly expiresAt?: Date
  /** Only what the abilities of the method name. */
  readonly threeDSecure?: ThreeDSecureRequest
  /** Present only if it adds up to `amount` exactly. */
  readonly breakdown?: Breakdown
}

/** The method of a paid attempt, stored by a request after the payment. */
export interface MethodToStore extends Pick<Purchase, 'method' | 'customer'> {
  /** Idempotency key, not that of the payment: a repeated request never stores the method twice. */
  readonly key: string
  /** Our reference of the paid attempt. */
  readonly reference: string
}

/** A method to store without a charge. */
export interface MethodSetup {
  /** Idempotency key: a repeated request never stores the method twice. */
  readonly key: string
  readonly method: MethodKind
  /** One-time token from the provider's fields. Absent: the customer goes to the provider's page. */
  readonly instrument?: string
  readonly customer: Purchase['customer']
}

export interface ProviderContext<Config> {
  readonly config: Config
  readonly sandbox: boolean
  /** Where the provider's API is for this profile, without a slash at the end. */
  readonly origin: string
  readonly http: Http
  /** OAuth tokens of this profile, shared by all operations. */
  readonly tokens: AccessTokens
  readonly now: () => Date
  readonly signal: AbortSignal
  /** URL for the provider's notifications about this profile. */
  readonly notifyUrl: string
  /** What the profile is used for, so that `check` finds what would fail at the first customer. */
  readonly profile?: { readonly methods: readonly AnyMethod[]; readonly currency: string }
}

export interface Abilities {
  /** Supports authorisation and later capture. False: the money is captured in one step. */
  readonly authoriseOnly: boolean
  /** Can take the money in one step. */
  readonly sale: boolean
  /** The customer approves on the provider's page; `resume` then reserves the money. */
  readonly approvesFirst: boolean
  readonly partialCapture: boolean
  readonly refund: boolean
  readonly partialRefund: boolean
  readonly storeMethod: boolean
  readonly chargeStored: boolean
  /** Accepts a one-time token from its fields on our checkout. False: the customer goes to its page. */
  readonly fields: boolean
  /** Stores a method without a charge: the adapter has `keep` and `kept`. */
  readonly setUpMethod?: boolean
  /** Countries of the payers to whom the provider offers this kind. Absent: all. */
  readonly countries?: readonly string[]
  /** What may be asked of 3-D Secure. Absent: nothing. */
  readonly threeDSecure?: readonly ThreeDSecureRequest[]
  /** What differs when a stored method is charged instead of paying on the provider's page. */
  readonly stored?: Partial<Pick<Abilities, 'authoriseOnly' | 'sale' | 'approvesFirst' | 'partialCapture'>>
}

/** Where an operator finds a payment at the provider. */
interface DashboardLink {
  readonly url: string
  /** The id to search for, and what the provider calls it. */
  readonly field: string
  readonly value: string
}

/** How requests to the provider are logged and shown. */
interface Traces<Config> {
  /**
   * What its log must not show beside the usual secrets, such as tokens of stored methods: names of members,
   * in lower case, or `parent.name` for one place; and texts that match, with the flag `g`.
   */
  readonly hides?: { readonly names?: readonly string[]; readonly texts?: RegExp }
  /** The payment in the provider's dashboard. Undefined while its id is not known. */
  dashboardLink?(handles: Handles, config: Config, isSandbox: boolean): DashboardLink | undefined
}

export interface Manifest<Config = unknown> extends Traces<Config>, Notified {
  readonly id: string
  readonly name: string
  readonly docs: string
  /** Absent: the initials in a colour made from the id. */
  readonly mark?: ProviderMark
  /** Absent for a provider of this installation. */
  readonly setup?: SetupFacts
  /** Its page with test cards or test accounts, linked on the pages of sandbox apps. Absent: `docs`. */
  readonly testDocs?: string
  /** Not allowed in live apps. */
  readonly sandboxOnly: boolean
  readonly methods: Readonly<Partial<Record<AnyMethod, Abilities>>>
  readonly currencies: 'any' | readonly string[]
  /** Absent: any amount. */
  amountLimits?(currency: string, method: AnyMethod): AmountLimits
  /** The address of the API. `PROVIDER_ORIGINS` replaces it for sandbox apps. */
  origin(config: Config, isSandbox: boolean): string
  /** The merchant chooses the address, so private ones are refused unless a setting allows them. */
  readonly ownServer?: boolean
  /** Maximum text lengths. `fitPurchase` shortens the texts of a purchase to them. */
  readonly texts: TextLimits
  readonly settings: SettingsSchema<Config>
  /** How long the provider remembers an idempotency key. 0: it has none, so nothing is sent twice. */
  keyRetentionMs(step: Step): number
  readonly retrieve: 'by-reference' | 'by-id' | 'notification-only'
  /** `cancel` works without an id: it cancels what a charge whose answer was lost may have started. */
  readonly cancelsUnknown?: boolean
  /** A payment that the provider holds for review is released by `resume` and declined by `cancel`. */
  readonly decidesHolds?: boolean
  /** Used when the provider's reply has no `authorisedUntil`. */
  readonly authorisationWindowMs: number
  /**
   * Origins of its pages. The form-action policy of our checkout allows no other origins; the customer goes
   * to any other address by a link.
   */
  pageOrigins?(config: Config, origin: string): readonly string[]
  /**
   * Methods whose page may forward at once to the site of another company. A redirect there could be blocked
   * by our form-action policy, so the customer goes to the page by a link.
   */
  readonly forwardedMethods?: readonly AnyMethod[]
  /** Why a profile with these settings cannot take payments yet. Absent: it can. */
  notReady?(config: Config): NotReady | undefined
  /** Values of the provider's enumerations, compared with its description by a test. */
  readonly enumerations?: Enumerations
  /** Sandbox only: the two small amounts, in minor units, that confirm any bank account. */
  readonly testAmounts?: readonly [number, number]
}

export interface SettingsSchema<Config> {
  /**
   * Returns the settings, or the problem with each invalid field. Keys of the other environment are a
   * problem, where a key tells its environment.
   */
  parse(
    value: unknown,
    app: { readonly isSandbox: boolean },
  ):
    | { readonly ok: true; readonly config: Config }
    | {
        readonly ok: false
        readonly problems: readonly { readonly field: string; readonly message: string }[]
      }
  readonly fields: readonly {
    readonly name: string
    readonly label: string
    readonly secret: boolean
    readonly required: boolean
    readonly help?: string
  }[]
}

export interface ProviderAdapter<Config = unknown> {
  readonly manifest: Manifest<Config>
  /** Creates account settings for this app. Only for a provider that runs inside this installation. */
  openAccount?(appId: string): object
  /** Whether two profiles accept each other's one-time tokens. Absent: never. */
  sharesTokens?(one: Config, other: Config): boolean
  /** Verifies the settings with one read that has no side effects. */
  check(ctx: ProviderContext<Config>): Promise<Checked>
  /** The methods that the account has turned on, as far as this adapter knows them. No side effects. */
  accountMethods?(ctx: ProviderContext<Config>): Promise<AccountMethods>
  /**
   * Registers `notifyUrl` at the provider and returns the settings that result from it, such as the signing
   * secret. Registering the same URL again does not create a second endpoint. Absent: the merchant registers
   * it by hand.
   */
  connect?(ctx: ProviderContext<Config>): Promise<Connected>
  /** Where the merchant pastes `notifyUrl` at the provider, in one sentence. */
  readonly connectHelp?: string
  /** With an instrument: authorises or captures the money. Without: opens a page and returns a redirect. */
  start(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase): Promise<Outcome>
  /**
   * Authorises a payment that the customer has approved on the provider's page. With `decidesHolds`: releases
   * a payment that the provider holds for review.
   */
  resume(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase, handles: Handles): Promise<Outcome>
  /**
   * Charges a stored method, with or without the customer present. If the customer chose the method on the
   * checkout, `instrument` may be a one-time token for the security code.
   */
  charge(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase, token: string): Promise<Outcome>
  capture(ctx: ProviderContext<Config>, op: Operation, handles: Handles, amount: Money): Promise<Outcome>
  /**
   * Voids an authorisation, or closes an unpaid page. With `decidesHolds`: declines a payment that the
   * provider holds for review.
   */
  cancel(ctx: ProviderContext<Config>, op: Operation, handles: Handles): Promise<Outcome>
  refund(ctx: ProviderContext<Config>, op: Operation, handles: Handles, amount: Money): Promise<Outcome>
  /**
   * Reads a payment by its id if known, else by our reference. No side effects. `about` has the currency, for
   * providers that report amounts without one, and the movements that notifications of a provider with
   * `retrieve: 'notification-only'` reported.
   */
  retrieve(
    ctx: ProviderContext<Config>,
    reference: string,
    handles: Handles,
    about?: { readonly currency: string; readonly reported?: readonly Movement[] },
  ): Promise<ReadOutcome>
  /**
   * The form for methods with provider fields on our checkout. The browser posts it directly to the
   * provider, which redirects back with a one-time token. The typed values never reach the core.
   */
  fields?(ctx: ProviderContext<Config>, method: AnyMethod): FieldsForm
  /** The security code form, if a stored card requires the code for each payment on the checkout. */
  codeForm?(ctx: ProviderContext<Config>): FieldsForm | undefined
  /**
   * Stores a method without a charge. If the customer must agree on a page or pass a challenge, returns a
   * redirect; the browser then comes back to `backUrl`.
   */
  setUp?(ctx: ProviderContext<Config>, keeping: MethodSetup, backUrl: string): Promise<SetupOutcome>
  /** Continues after the customer has returned: reads the result, and stores what was approved. */
  finishSetup?(ctx: ProviderContext<Config>, keeping: MethodSetup, handles: Handles): Promise<SetupOutcome>
  /**
   * Stores the method of an attempt that was paid with `storeMethod`. Only for a provider that cannot store
   * it with the payment itself: the core calls it after the payment, never because of a read.
   */
  storeAfterPayment?(
    ctx: ProviderContext<Config>,
    storing: MethodToStore,
    handles: Handles,
  ): Promise<SetupOutcome>
  /** Confirms a bank account with the two small amounts, in minor units, from its statement. */
  confirm?(
    ctx: ProviderContext<Config>,
    token: string,
    amounts: readonly [number, number],
  ): Promise<Confirmation>
  forget(ctx: ProviderContext<Config>, token: string): Promise<NotDone | Unknown | { kind: 'done' }>
  /**
   * Reads a stored method: the provider renews expired and replaced cards by itself, and an imported token
   * may be wrong. One request without side effects.
   */
  readStored?(ctx: ProviderContext<Config>, token: string): Promise<StoredRead>
  /**
   * Verifies and parses a notification. Events are hints: the core reads the provider before it acts on one,
   * unless it cannot be read and the hint reports a movement. Old notifications are therefore accepted: clock
   * skew cannot lose one. Throws if it cannot verify now; the caller stores the call and verifies it later.
   */
  receive(ctx: ProviderContext<Config>, call: InboundCall): Promise<Received>
  /** Reads settled money. Absent: settlements of its profiles come by the general file only. */
  readonly settlements?: Settlements<Config>
  /** Answers disputes. Absent: its dashboard is the only way. */
  readonly disputes?: Disputes<ProviderContext<Config>>
  /** The text that the provider expects as the answer to a notification. Absent: any answer will do. */
  readonly notificationAnswer?: string
}

/** The optional ability to report settled money. It has `read`, `parse` or both. */
export interface Settlements<Config = unknown> {
  /** A sale usually has its line after this many days. Later it is missing. */
  readonly usualDelayDays: number
  /** Every read begins this many days before the end of the last one: lines may come late. */
  readonly overlapDays: number
  /** The longest window of one read. */
  readonly maxWindowDays: number
  /** The provider reports fees and net amounts. False: only gross amounts can be compared. */
  readonly hasFees: boolean
  /**
   * The provider reports payouts and the lines of each. False: an acquirer pays out, the merchant transfers
   * any sum from its balance, or the money is at once the merchant's.
   */
  readonly hasPayouts: boolean
  /** One page of the lines and payouts of a window. No side effects. */
  read?(
    ctx: ProviderContext<Config>,
    window: SettlementWindow,
    cursor: string | undefined,
  ): Promise<SettledPage | NotDone | Unknown>
  /** The lines of a file. Pure. `next` is never set. */
  parse?(file: Uint8Array, about: { readonly config: Config }): Promise<SettledPage | WrongReport>
}

export interface InboundCall {
  readonly headers: Readonly<Record<string, string>>
  readonly rawBody: Uint8Array
  readonly url: string
}
export type Received =
  | { readonly kind: 'forged' }
  /** `unlisted`: an event name that the adapter's enumerations do not list. It is counted. */
  | { readonly kind: 'ignored'; readonly unlisted?: string }
  | { readonly kind: 'events'; readonly hints: readonly Hint[] }

export type Connected =
  | { readonly ok: true; readonly settings: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string }

/** Providers by id. */
export type Providers = ReadonlyMap<string, ProviderAdapter>
