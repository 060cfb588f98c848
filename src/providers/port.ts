import type { Money } from '../base/money.ts'
import type { Http } from '../net/http.ts'

/**
 * The contract between the payment core and one provider. An adapter holds no state, knows money and HTTP and
 * nothing of payments, database or pages, and never throws for a business result: every call ends in one of six
 * outcomes. `docs/guides/add-a-provider.md` walks through writing one.
 */

export const METHOD_KINDS = ['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal'] as const
export type MethodKind = (typeof METHOD_KINDS)[number]

export type Step = 'start' | 'resume' | 'charge' | 'capture' | 'cancel' | 'refund'

/** One attempt to move money. Written to the database, with its key, before anything is sent. */
export interface Operation {
  /** Idempotency key: stable for ever, 20 characters [0-9A-Z], unique per installation. */
  readonly key: string
  readonly step: Step
  /** What we put in the provider's own "merchant reference" field; the key of the attempt's first operation. */
  readonly reference: string
  /** 1 at first, 2… when the very same operation is sent again. */
  readonly sending: number
  readonly createdAt: Date
}

/** What the provider calls things. Stored by the core, opaque to it except for the three it shows. */
export interface Handles {
  readonly payment?: string
  readonly authorisation?: string
  readonly capture?: string
  readonly [other: string]: string | undefined
}

// ---- outcomes -------------------------------------------------------------------------------------------------

/** Certain: it is done. A start, resume or charge is authorised, or captured where the method has one step. */
export interface Approved {
  readonly kind: 'approved'
  readonly handles: Handles
  readonly facts: Facts
}
/** Certain: the provider or the bank looked at it and said no. */
export interface Declined {
  readonly kind: 'declined'
  readonly handles?: Handles
  readonly reason: DeclineReason
  readonly retry: RetryAdvice
  readonly raw: ProviderMessage
  readonly facts?: Facts
}
/** Certain that it was accepted, not known how it ends. A notification or a recheck will tell. */
export interface Pending {
  readonly kind: 'pending'
  readonly handles: Handles
  readonly waitsFor: 'provider' | 'customer' | 'review' | 'confirmations'
  readonly recheckAt?: Date
  readonly facts?: Facts
}
/** The customer has to go somewhere. */
export interface Redirect {
  readonly kind: 'redirect'
  readonly handles: Handles
  readonly url: string
  readonly expiresAt?: Date
}
/** Certain that nothing happened: never sent, refused at the door, not supported, our mistake. */
export interface NotDone {
  readonly kind: 'not-done'
  readonly why:
    | 'not-sent'
    | 'bad-request'
    | 'bad-credentials'
    | 'rate-limited'
    | 'unsupported'
    | 'not-found'
    | 'wrong-state'
  readonly retryAfter?: Date
  readonly raw?: ProviderMessage
}
/** Nobody knows. The only legal next moves are `retrieve`, or the same operation again with the same key. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly why: 'timeout' | 'connection-lost' | 'server-error' | 'unreadable-reply'
  readonly handles?: Handles
  readonly raw?: ProviderMessage
}
export type Outcome = Approved | Declined | Pending | Redirect | NotDone | Unknown

/** The provider's view of one payment at one moment: what recheck, notifications and returns all reduce to. */
export interface Snapshot {
  readonly kind: 'snapshot'
  readonly handles: Handles
  readonly stage: Stage
  readonly authorised?: Money
  readonly captured: Money
  readonly refunded: Money
  readonly refunds: readonly RefundSeen[]
  readonly decline?: {
    readonly reason: DeclineReason
    readonly retry: RetryAdvice
    readonly raw: ProviderMessage
  }
  readonly dispute?: 'open' | 'won' | 'lost'
  /** Where the customer goes while the stage is needs-customer. */
  readonly customerUrl?: string
  readonly facts: Facts
}

/** `approved`: the customer agreed, the server has to `resume` before money is reserved. */
export type Stage =
  | 'needs-customer'
  | 'approved'
  | 'in-review'
  | 'processing'
  | 'authorised'
  | 'captured'
  | 'declined'
  | 'cancelled'
  | 'expired'

export interface RefundSeen {
  readonly id: string
  readonly operationKey?: string
  readonly amount: Money
  readonly state: 'pending' | 'done' | 'failed'
  readonly problem?: string
}
/** `conclusive`: the provider promises that it would be listed by now. */
export interface Absent {
  readonly kind: 'absent'
  readonly conclusive: boolean
}
export type Sight = Snapshot | Absent | Unknown | NotDone

/** What a provider tells beside the outcome. Never a card number. */
export interface Facts {
  readonly fee?: Money
  readonly authorisedUntil?: Date
  readonly payer?: { readonly fullName?: string; readonly email?: string; readonly country?: string }
  readonly card?: CardFacts
  readonly method?: MethodKind
  readonly stored?: StoredMethod
  readonly risk?: { readonly score?: number; readonly level: 'low' | 'elevated' | 'high' | 'unknown' }
  /** What the payer's bank compared and found different; absent: not compared, or the same. */
  readonly checks?: { readonly postalCode?: 'pass' | 'fail'; readonly cvc?: 'pass' | 'fail' }
}
export interface CardFacts {
  readonly brand?: string
  readonly type?: string
  readonly expiryMonth?: number
  readonly expiryYear?: number
  readonly last4?: string
  readonly country?: string
}
export interface StoredMethod {
  readonly token: string
  /** Masked, for people: "Visa •••• 4242". */
  readonly label: string
  readonly method: MethodKind
  /** The same card or account always has the same fingerprint at one provider. */
  readonly fingerprint?: string
  readonly card?: CardFacts
}
export interface ProviderMessage {
  readonly code?: string
  readonly message?: string
  readonly status?: number
}
export type RetryAdvice = 'never' | 'later' | 'after-customer-acts' | 'unspecified'

export const DECLINE_REASONS = [
  'generic',
  'insufficient-funds',
  'lost-card',
  'stolen-card',
  'expired-card',
  'incorrect-number',
  'incorrect-cvc',
  'incorrect-address',
  'limit-exceeded',
  'card-not-supported',
  'currency-not-supported',
  'authentication-required',
  'authentication-failed',
  'suspected-fraud',
  'blocked',
  'do-not-honour',
  'issuer-unavailable',
  'processing-error',
  'account-closed',
  'no-account',
  'debit-not-authorised',
  'mandate-revoked',
  'method-removed',
  'duplicate',
  'customer-cancelled',
  'expired',
  'underpaid',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

// ---- inputs ---------------------------------------------------------------------------------------------------

export interface Purchase {
  readonly amount: Money
  readonly autoCapture: boolean
  readonly storeMethod: boolean
  /** The one method this attempt is about. */
  readonly method: MethodKind
  /** One-time token from the provider's own card or account fields; absent: open the provider's page. */
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
}

export interface ReturnUrls {
  /** The browser comes back here, whatever happened. */
  readonly back: string
  /** Where the provider sends its notifications. */
  readonly notify: string
}

export interface ProviderContext<Config> {
  readonly config: Config
  readonly sandbox: boolean
  readonly http: Http
  readonly now: () => Date
  readonly signal: AbortSignal
  /** Where the provider sends its notifications about this profile. */
  readonly notifyUrl: string
}

// ---- the adapter ----------------------------------------------------------------------------------------------

export interface Abilities {
  /** Reserve now, take later. False: one step, the money is taken at once. */
  readonly authoriseOnly: boolean
  /** The customer approves on the provider's page; `resume` then reserves the money. */
  readonly approvesFirst: boolean
  readonly partialCapture: boolean
  readonly refund: boolean
  readonly partialRefund: boolean
  readonly storeMethod: boolean
  readonly chargeStored: boolean
  /** Takes a one-time token from its own fields on our checkout; otherwise the customer goes to its page. */
  readonly fields: boolean
}

export interface Manifest<Config = unknown> {
  readonly id: string
  readonly name: string
  readonly docs: string
  /** Can never be used in a live app. */
  readonly sandboxOnly: boolean
  readonly methods: Readonly<Partial<Record<MethodKind, Abilities>>>
  readonly currencies: 'any' | readonly string[]
  readonly settings: SettingsSchema<Config>
  /** For how long the same key gives the same answer. */
  readonly idempotencyMs: number
  readonly retrieve: 'by-reference' | 'by-id' | 'notification-only'
  readonly authorisationWindowMs: number
}

export interface SettingsSchema<Config> {
  /** The settings, or what is wrong with each field. */
  parse(value: unknown):
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
  /** One harmless read that shows whether the settings work. */
  check(ctx: ProviderContext<Config>): Promise<{ ok: true } | { ok: false; problem: string }>
  /** With an instrument: authorise (or take) the money. Without: open a page, answer redirect. */
  start(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase, urls: ReturnUrls): Promise<Outcome>
  /** The customer approved: finish what only the server may finish. */
  resume(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase, handles: Handles): Promise<Outcome>
  /** Charge a stored method without the customer. */
  charge(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase, token: string): Promise<Outcome>
  capture(ctx: ProviderContext<Config>, op: Operation, handles: Handles, amount: Money): Promise<Outcome>
  /** Void an authorisation, or close a page that nobody has paid on. */
  cancel(ctx: ProviderContext<Config>, op: Operation, handles: Handles): Promise<Outcome>
  refund(ctx: ProviderContext<Config>, op: Operation, handles: Handles, amount: Money): Promise<Outcome>
  /** Reads only: by id when there is one, else by our reference. */
  retrieve(ctx: ProviderContext<Config>, reference: string, handles: Handles): Promise<Sight>
  /** Forget a stored method. */
  forget(ctx: ProviderContext<Config>, token: string): Promise<NotDone | Unknown | { kind: 'done' }>
  /** Verify and read an inbound call. Events are hints; the core answers each by reading the provider. */
  receive(ctx: ProviderContext<Config>, call: InboundCall): Promise<Received>
}

export interface InboundCall {
  readonly headers: Readonly<Record<string, string>>
  readonly rawBody: Uint8Array
  readonly url: string
}
export type Received =
  | { readonly kind: 'forged' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'events'; readonly references: readonly string[] }

/** Providers by their id, as composed in app.ts. */
export type Providers = ReadonlyMap<string, ProviderAdapter>
