import type { Money } from '../base/money.ts'
import type { Http } from '../net/http.ts'
import type { Confirmation, Handles, Keep, MethodKind, NotDone, Outcome, Sight, Unknown } from './outcome.ts'

/**
 * The contract between the payment core and one provider. An adapter holds no state, knows money and HTTP and
 * nothing of payments, database or pages, and never throws for a business result: every call ends in one of
 * six outcomes. `docs/guides/add-a-provider.md` walks through writing one.
 */

export type Step = 'start' | 'resume' | 'charge' | 'capture' | 'cancel' | 'refund'

/** One attempt to move money. Written to the database, with its key, before anything is sent. */
export interface Operation {
  /** Idempotency key: stable for ever, 20 characters [0-9A-Z], unique per installation. */
  readonly key: string
  readonly step: Step
  /**
   * What we put in the provider's own "merchant reference" field; the key of the attempt's first operation.
   */
  readonly reference: string
  /** 1 at first, 2… when the very same operation is sent again. */
  readonly sending: number
  readonly createdAt: Date
}

// ---- inputs -----------------------------------------------------------------------------------------------

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

/** A method that is kept for later without being charged now. */
export interface Keeping {
  /** As an operation's: the same key again never keeps the method twice. */
  readonly key: string
  readonly method: MethodKind
  /** One-time token from the provider's own fields; absent: the customer goes to the provider's page. */
  readonly instrument?: string
  readonly customer: Purchase['customer']
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

// ---- the adapter ------------------------------------------------------------------------------------------

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
  /** Keeps a method without a charge: `keep` and `kept` are there. */
  readonly keepMethod?: boolean
}

export interface Manifest<Config = unknown> {
  readonly id: string
  readonly name: string
  readonly docs: string
  /** Can never be used in a live app. */
  readonly sandboxOnly: boolean
  readonly methods: Readonly<Partial<Record<MethodKind, Abilities>>>
  readonly currencies: 'any' | readonly string[]
  /** The longest texts that it takes; `fitPurchase` fits those of a purchase to them. */
  readonly texts: TextLimits
  readonly settings: SettingsSchema<Config>
  /** For how long the same key gives the same answer. */
  readonly idempotencyMs: number
  readonly retrieve: 'by-reference' | 'by-id' | 'notification-only'
  readonly authorisationWindowMs: number
  /** Origins of its pages, where a form of our checkout may lead: browsers are told about no others. */
  readonly pageOrigins?: readonly string[]
  /** In a sandbox: the two small amounts, in minor units, that confirm any bank account. */
  readonly testAmounts?: readonly [number, number]
}

/** In UTF-16 units, the strictest way in which providers count. */
export interface TextLimits {
  readonly description: number
  /** Of the first and of the last name each. */
  readonly name: number
  readonly email: number
  readonly phone: number
  readonly customerId: number
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
  /** Only where the provider lives in this installation: the settings of an account for this app. */
  openAccount?(appId: string): object
  /** Whether a one-time token made with one profile's settings is good with another's; absent: never. */
  sharesTokens?(one: Config, other: Config): boolean
  /** One harmless read that shows whether the settings work. */
  check(ctx: ProviderContext<Config>): Promise<{ ok: true } | { ok: false; problem: string }>
  /**
   * With an instrument: authorise (or take) the money. Without: open a page, answer redirect. Either way the
   * browser comes back to `backUrl`, whatever happened.
   */
  start(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase, backUrl: string): Promise<Outcome>
  /** The customer approved: finish what only the server may finish. */
  resume(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase, handles: Handles): Promise<Outcome>
  /**
   * Charge a stored method. The customer is away, or has chosen it on the checkout; then `instrument` may
   * hold the security code that was typed again, as a one-time token.
   */
  charge(ctx: ProviderContext<Config>, op: Operation, purchase: Purchase, token: string): Promise<Outcome>
  capture(ctx: ProviderContext<Config>, op: Operation, handles: Handles, amount: Money): Promise<Outcome>
  /** Void an authorisation, or close a page that nobody has paid on. */
  cancel(ctx: ProviderContext<Config>, op: Operation, handles: Handles): Promise<Outcome>
  refund(ctx: ProviderContext<Config>, op: Operation, handles: Handles, amount: Money): Promise<Outcome>
  /** Reads only: by id when there is one, else by our reference. */
  retrieve(ctx: ProviderContext<Config>, reference: string, handles: Handles): Promise<Sight>
  /**
   * For methods with fields of the provider's own on our checkout. The browser posts them straight to the
   * provider, which sends it back with a one-time token: what is typed never passes through the core.
   */
  fields?(ctx: ProviderContext<Config>, method: MethodKind): FieldsForm
  /** Whether a stored card is paid with only after its security code was typed again: the form for it. */
  codeForm?(ctx: ProviderContext<Config>): FieldsForm | undefined
  /**
   * Keep a method without charging it. Where the customer has to agree on a page, or their bank asks, the
   * answer is redirect and the browser comes back to `backUrl`.
   */
  keep?(ctx: ProviderContext<Config>, keeping: Keeping, backUrl: string): Promise<Keep>
  /** Reads only: what became of it once the customer is back. */
  kept?(ctx: ProviderContext<Config>, keeping: Keeping, handles: Handles): Promise<Keep>
  /** The customer read two small amounts, in minor units, on the account's statement. */
  confirm?(
    ctx: ProviderContext<Config>,
    token: string,
    amounts: readonly [number, number],
  ): Promise<Confirmation>
  /** Forget a stored method. */
  forget(ctx: ProviderContext<Config>, token: string): Promise<NotDone | Unknown | { kind: 'done' }>
  /**
   * Verify and read an inbound call. Events are hints: the provider is read before one is believed. So age is
   * no reason to refuse one; a clock that is wrong, ours or theirs, must not lose it. It throws when it
   * cannot tell now: the call is stored until it is verified later.
   */
  receive(ctx: ProviderContext<Config>, call: InboundCall): Promise<Received>
}

/**
 * A form that posts to the provider. With what the payer types it sends `back`, an address of ours, and
 * members that begin with `_`: the provider hands them back unchanged, with `token`, or with `problems` to
 * be corrected.
 */
export interface FieldsForm {
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  /** Of cards: the brands it takes. */
  readonly brands?: readonly string[]
  /** In a sandbox: what can be typed, and what then happens. */
  readonly testValues?: readonly TestValue[]
}

export interface TestValue {
  /** By the names of the form's fields. */
  readonly fields: Readonly<Record<string, string>>
  readonly label: string
  readonly says: string
}

export interface InboundCall {
  readonly headers: Readonly<Record<string, string>>
  readonly rawBody: Uint8Array
  readonly url: string
}
export type Received =
  | { readonly kind: 'forged' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'events'; readonly hints: readonly Hint[] }

/** What a notification is about. */
export interface Hint {
  /** Ours: of the attempt that the provider tells about. */
  readonly reference: string
  /**
   * What it says has happened. Only where the answer to our own call told all that reading would: whoever
   * has had that answer then need not read.
   */
  readonly says?: 'authorised' | 'captured'
}

/** Providers by their id, as composed in app.ts. */
export type Providers = ReadonlyMap<string, ProviderAdapter>
