/**
 * A stateful simulator of one provider on real HTTP. It validates every request with its own schemas, keeps
 * a ledger, honours idempotency keys as the provider does, signs notifications and serves hosted pages that
 * work in a browser. Adapters know only its origin.
 */
export interface ProviderSimulator {
  /** `http://127.0.0.1:port`, the value for PROVIDER_ORIGINS. */
  readonly origin: string
  /** Valid profile settings of a sandbox account. Webhook secrets are missing until one is registered. */
  readonly settings: Readonly<Record<string, string>>
  /** Settings that the provider rejects. */
  readonly wrongSettings: Readonly<Record<string, string>>
  /** Texts that must never be logged or stored in clear: keys, tokens, account numbers. */
  readonly secrets: readonly string[]
  /** All requests to the API, in order of arrival. Hosted pages are not included. */
  readonly requests: readonly SeenRequest[]
  /** Requests that broke a schema or a rule of the provider. Empty at the end of every test. */
  readonly violations: readonly string[]
  /**
   * Acts as the payer on a hosted page, without a browser. Returns the address to which the page sends the
   * payer, if it does.
   */
  payer(pageUrl: string, act: PayerAct): Promise<string | undefined>
  /** All movements of money under the merchant's reference, in order. */
  ledger(reference: string): readonly LedgerEntry[]
  /** All movements of this account. */
  allEntries(): readonly LedgerEntry[]
  /** Events at the provider without a request of the merchant. False: this provider has no such event. */
  dashboard(reference: string, act: DashboardAct): boolean
  /** Moves the provider's clock: authorisations and pages expire, pending movements settle. */
  advance(ms: number): void
  /**
   * Notifications that are due, signed, as they would be posted to `notifyUrl`. They are taken off the queue.
   * Each has the headers and the exact body.
   */
  takeNotifications(): readonly SignedNotification[]
  /** Endpoints that the merchant registered through the API (connect). */
  readonly webhookEndpoints: readonly { readonly url: string; readonly secret: string }[]
  /** Behaviour of the next matching request, for cases that a plain fault proxy cannot cause. */
  arm(behaviour: ArmedBehaviour): void
  close(): Promise<void>
}

/** A simulator without a socket: it answers requests in memory, at its origin. */
export interface InMemory {
  handle(request: SimulatedRequest): Promise<SimulatedReply>
}

/** Where it would be, and its source of random bytes. A simulator with these options has no socket. */
export interface InMemoryOptions {
  readonly origin: string
  readonly bytes: (count: number) => Uint8Array
}

export interface SimulatedRequest {
  readonly method: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface SimulatedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
}

export type PayerAct =
  | { readonly kind: 'pay' }
  /** `code` is the provider's own decline code. */
  | { readonly kind: 'decline'; readonly code?: string }
  /** Passes an authentication challenge, then pays. */
  | { readonly kind: 'challenge' }
  /** Leaves by the page's cancel link. */
  | { readonly kind: 'abandon' }
  /** Pays and agrees to store the method. */
  | { readonly kind: 'save' }
  /** Goes back to a page that was paid and pays there once more. */
  | { readonly kind: 'pay-again' }
  /** Crypto: pays a share of the amount, or more than it. */
  | { readonly kind: 'pay-part'; readonly percent: number }

export interface LedgerEntry {
  readonly reference: string
  readonly kind: 'authorise' | 'sale' | 'capture' | 'void' | 'refund'
  readonly amountMinor: bigint
  readonly currency: string
  readonly state: 'pending' | 'done' | 'failed'
  /** The idempotency key of the request that caused it, if one did. */
  readonly key?: string
}

export type DashboardAct =
  | { readonly kind: 'refund'; readonly amountMinor?: bigint }
  | { readonly kind: 'capture'; readonly amountMinor?: bigint }
  | { readonly kind: 'void' }
  | DisputeAct
  | { readonly kind: 'expire-authorisation' }
  /** A bank debit that was paid is returned by the payer's bank. */
  | { readonly kind: 'return-debit' }
  /** The last refund, already reported as done, fails. */
  | { readonly kind: 'fail-refund' }
  /** The provider repeats the failed refund by itself, and it is done. */
  | { readonly kind: 'repeat-refund' }
  /** A capture, already reported as done, fails, and the provider captures again later. */
  | { readonly kind: 'fail-capture' }
  | { readonly kind: 'recapture' }
  /** A capture that was accepted as pending is denied. */
  | { readonly kind: 'deny-capture' }
  | { readonly kind: 'hold' }
  | { readonly kind: 'release' }
  /** Pending movements settle now: debits and crypto are confirmed, refunds are claimed. */
  | { readonly kind: 'settle' }

/**
 * A dispute opens, or changes its state. Open after won is an escalation of the same dispute, lost after won
 * a later stage of it.
 */
export interface DisputeAct {
  readonly kind: 'dispute'
  readonly state: 'open' | 'won' | 'lost'
  /** Absent: all that was captured. */
  readonly amountMinor?: bigint
  /** Which dispute of the payment, from 1. Absent: the first. */
  readonly which?: number
  /** It is an inquiry: no money is taken, and the payment can still be refunded. */
  readonly isInquiry?: true
}

export interface SignedNotification {
  /** The endpoint that it is signed for. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type ArmedBehaviour =
  /** The next request of this operation is declined with the provider's code. */
  | { readonly kind: 'decline'; readonly operation: ApiOperation; readonly code: string }
  /** Accepted and decided later (see `advance` and `settle`). */
  | { readonly kind: 'pending'; readonly operation: ApiOperation }
  /** Answered with this error although nothing was done. */
  | {
      readonly kind: 'error'
      readonly operation: ApiOperation
      readonly status: number
      readonly code?: string
      readonly retryAfterSeconds?: number
    }

export type ApiOperation = 'start' | 'resume' | 'charge' | 'capture' | 'cancel' | 'refund' | 'read'
