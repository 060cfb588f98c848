/**
 * The payment machine: every state, every transition, and nothing else. Pure.
 * The API's enum, the check in the migration, the 409 answers,
 * docs/reference/payment-states.md and the property tests are derived from it. Decision 0015.
 */

export const STATES = {
  Created: { id: 1, kind: 'open', description: 'Waiting for the customer.' },
  Authorized: { id: 3, kind: 'open', description: 'Funds reserved, not captured.' },
  Authorizing: {
    id: 4,
    kind: 'moving',
    description: 'Authorisation at the provider is running, or its outcome is unknown.',
  },
  Approved: {
    id: 5,
    kind: 'moving',
    description: 'The customer approved at the provider; funds are not yet reserved.',
  },
  Capturing: { id: 6, kind: 'moving', description: 'Capture was sent and is not confirmed.' },
  Captured: { id: 7, kind: 'settled', description: 'Funds taken.' },
  Failed: {
    id: 8,
    kind: 'final',
    description: 'Ended without money: declined, rejected, cancelled, expired or released.',
  },
  Disputed: { id: 9, kind: 'settled', description: "The payer's bank disputes it." },
  SaleInProgress: {
    id: 10,
    kind: 'moving',
    description: 'A one-step sale is running, or its outcome is unknown.',
  },
  ProviderAuthorizedHold: {
    id: 11,
    kind: 'held',
    description: 'Held by a fraud rule: funds reserved, capture withheld.',
  },
  Cancelling: { id: 12, kind: 'moving', description: 'Cancellation was sent and is not confirmed.' },
  CapturedHold: {
    id: 13,
    kind: 'held',
    description: 'Held by a fraud rule after the provider already took the funds.',
  },
  Refunded: { id: 14, kind: 'final', description: 'All captured money was returned.' },
  Refunding: { id: 15, kind: 'moving', description: 'Refund was sent and is not confirmed.' },
} as const satisfies Record<string, StateInfo>

interface StateInfo {
  readonly id: number
  readonly kind: 'open' | 'moving' | 'settled' | 'held' | 'final'
  readonly description: string
}

export type State = keyof typeof STATES

/** The inputs of the guards. They are derived only from the payment and the event. */
export interface MachineFacts {
  readonly autoCapture: boolean
  /** The method takes the money in one step: there is no authorisation to capture later. */
  readonly oneStep: boolean
  /** A fraud rule requires a manual review. */
  readonly holds: boolean
  /** The customer can still pay: a page of ours, and its link has not expired. */
  readonly canTryAgain: boolean
  /** A provider was called for the payment, so a cancellation must be sent to it. */
  readonly providerSaw: boolean
  /** Funds are reserved at the provider and not taken. */
  readonly authorised: boolean
  readonly captured: boolean
  /** The payment was held before this event. */
  readonly held: boolean
  /** After this event nothing captured is left to refund. */
  readonly refundedAll: boolean
  /** The provider itself holds the payment, and has to be asked to release it. */
  readonly atProvider: boolean
  /** A dispute of the payment is open after this event. */
  readonly disputed: boolean
  /** A capture failed after it was done, and the provider captures again. */
  readonly recaptures: boolean
}

/** Guards by name, so that the table can be read, printed and drawn. */
export const GUARDS = {
  oneStep: (f) => f.oneStep,
  holds: (f) => f.holds,
  held: (f) => f.held,
  capturesNow: (f) => f.autoCapture,
  canTryAgain: (f) => f.canTryAgain,
  providerSaw: (f) => f.providerSaw,
  authorised: (f) => f.authorised,
  authorisedAndHeld: (f) => f.authorised && f.held,
  captured: (f) => f.captured,
  refundedAll: (f) => f.refundedAll,
  atProvider: (f) => f.atProvider,
  disputed: (f) => f.disputed,
  recaptures: (f) => f.recaptures,
} as const satisfies Record<string, (facts: MachineFacts) => boolean>

export type TransitionGuard = keyof typeof GUARDS

/**
 * The effect of a transition, written by the same statement: an operation at the provider; `watch`, when the
 * provider already processes the payment and is only read; `finish`, when no provider is involved and
 * `cancelled` follows at once.
 */
export type Effect =
  | 'provider.authorise'
  | 'provider.resume'
  | 'provider.capture'
  | 'provider.cancel'
  | 'provider.refund'
  | 'watch'
  | 'finish'

export const EVENTS = {
  pay: 'the customer, or the merchant for a stored method, starts paying',
  began: 'the provider says that it works on a payment started on its page',
  approved: 'the customer approved on the page of a provider that needs a second step',
  authorized: 'the provider reserved the funds',
  captured: 'the provider took the funds',
  declined: 'the attempt ended without money',
  rejected: 'a fraud rule forbids the payment',
  capture: 'the merchant captures',
  captureRefused: 'the provider refuses the capture for good',
  captureFailed: 'a capture that was done failed, and the provider captures again',
  cancel: 'the merchant or the customer cancels',
  cancelled: 'nothing is reserved or taken any more',
  cancelRefused: 'the provider refuses to cancel for good',
  expired: 'the link expires',
  arrivedLate: 'the provider took the funds after the link had expired, and the app keeps them',
  released: 'the authorisation ended at the provider',
  unhold: 'a person releases a held payment',
  refund: 'the merchant refunds, or the provider tells of a refund made elsewhere',
  refunded: 'the provider returned the money',
  refundRefused: 'the provider refuses the refund',
  returned: "the payer's bank returned a debit",
  disputed: "the payer's bank disputes it, once more or another part of it",
  disputeWon: 'the dispute was decided for the merchant',
  disputeLost: 'the dispute was decided for the payer',
  markRefunded: 'the merchant records a refund made elsewhere',
  markDisputed: 'the merchant records a dispute',
} as const

export type EventName = keyof typeof EVENTS

export interface Transition {
  readonly from: State
  readonly on: EventName
  readonly when?: TransitionGuard
  readonly to: State
  readonly effect?: Effect
}

/** The first row of (from, on) whose guard holds is taken. */
export const TRANSITIONS = [
  { from: 'Created', on: 'pay', when: 'oneStep', to: 'SaleInProgress', effect: 'provider.authorise' },
  { from: 'Created', on: 'pay', to: 'Authorizing', effect: 'provider.authorise' },
  { from: 'Created', on: 'began', when: 'oneStep', to: 'SaleInProgress', effect: 'watch' },
  { from: 'Created', on: 'began', to: 'Authorizing', effect: 'watch' },
  { from: 'Created', on: 'approved', to: 'Approved', effect: 'provider.resume' },
  { from: 'Created', on: 'cancel', when: 'providerSaw', to: 'Cancelling', effect: 'provider.cancel' },
  { from: 'Created', on: 'cancel', to: 'Cancelling', effect: 'finish' },
  { from: 'Created', on: 'declined', to: 'Failed' },
  { from: 'Created', on: 'expired', to: 'Failed' },
  { from: 'Created', on: 'rejected', to: 'Failed' },

  { from: 'Authorizing', on: 'authorized', when: 'holds', to: 'ProviderAuthorizedHold' },
  { from: 'Authorizing', on: 'authorized', when: 'capturesNow', to: 'Capturing', effect: 'provider.capture' },
  { from: 'Authorizing', on: 'authorized', to: 'Authorized' },
  { from: 'Authorizing', on: 'captured', when: 'holds', to: 'CapturedHold' },
  { from: 'Authorizing', on: 'captured', to: 'Captured' },
  { from: 'Authorizing', on: 'declined', when: 'canTryAgain', to: 'Created' },
  { from: 'Authorizing', on: 'declined', to: 'Failed' },
  { from: 'Authorizing', on: 'cancel', to: 'Cancelling', effect: 'provider.cancel' },

  { from: 'Approved', on: 'authorized', when: 'holds', to: 'ProviderAuthorizedHold' },
  { from: 'Approved', on: 'authorized', when: 'capturesNow', to: 'Capturing', effect: 'provider.capture' },
  { from: 'Approved', on: 'authorized', to: 'Authorized' },
  { from: 'Approved', on: 'captured', when: 'holds', to: 'CapturedHold' },
  { from: 'Approved', on: 'captured', to: 'Captured' },
  { from: 'Approved', on: 'declined', when: 'canTryAgain', to: 'Created' },
  { from: 'Approved', on: 'declined', to: 'Failed' },

  { from: 'SaleInProgress', on: 'authorized', when: 'holds', to: 'ProviderAuthorizedHold' },
  { from: 'SaleInProgress', on: 'authorized', to: 'Capturing', effect: 'provider.capture' },
  { from: 'SaleInProgress', on: 'captured', when: 'holds', to: 'CapturedHold' },
  { from: 'SaleInProgress', on: 'captured', to: 'Captured' },
  { from: 'SaleInProgress', on: 'declined', when: 'canTryAgain', to: 'Created' },
  { from: 'SaleInProgress', on: 'declined', to: 'Failed' },
  { from: 'SaleInProgress', on: 'cancel', to: 'Cancelling', effect: 'provider.cancel' },

  { from: 'Authorized', on: 'capture', to: 'Capturing', effect: 'provider.capture' },
  { from: 'Authorized', on: 'captured', to: 'Captured' },
  { from: 'Authorized', on: 'cancel', to: 'Cancelling', effect: 'provider.cancel' },
  { from: 'Authorized', on: 'released', to: 'Failed' },

  { from: 'Capturing', on: 'captured', to: 'Captured' },
  { from: 'Capturing', on: 'captureRefused', when: 'authorised', to: 'Authorized' },
  { from: 'Capturing', on: 'captureRefused', to: 'Failed' },
  { from: 'Capturing', on: 'cancel', to: 'Cancelling', effect: 'provider.cancel' },

  {
    from: 'ProviderAuthorizedHold',
    on: 'unhold',
    when: 'atProvider',
    to: 'Authorizing',
    effect: 'provider.resume',
  },
  {
    from: 'ProviderAuthorizedHold',
    on: 'unhold',
    when: 'capturesNow',
    to: 'Capturing',
    effect: 'provider.capture',
  },
  { from: 'ProviderAuthorizedHold', on: 'unhold', to: 'Authorized' },
  { from: 'ProviderAuthorizedHold', on: 'captured', to: 'CapturedHold' },
  { from: 'ProviderAuthorizedHold', on: 'cancel', to: 'Cancelling', effect: 'provider.cancel' },
  { from: 'ProviderAuthorizedHold', on: 'rejected', to: 'Cancelling', effect: 'provider.cancel' },
  { from: 'ProviderAuthorizedHold', on: 'released', to: 'Failed' },

  { from: 'CapturedHold', on: 'unhold', to: 'Captured' },
  { from: 'CapturedHold', on: 'captured', to: 'CapturedHold' },
  { from: 'CapturedHold', on: 'captureFailed', to: 'ProviderAuthorizedHold' },
  { from: 'CapturedHold', on: 'returned', to: 'Refunded' },
  { from: 'CapturedHold', on: 'refunded', when: 'refundedAll', to: 'Refunded' },
  { from: 'CapturedHold', on: 'refunded', to: 'CapturedHold' },
  { from: 'CapturedHold', on: 'disputed', to: 'Disputed' },
  { from: 'CapturedHold', on: 'cancel', to: 'Cancelling', effect: 'provider.refund' },
  { from: 'CapturedHold', on: 'rejected', to: 'Cancelling', effect: 'provider.refund' },

  { from: 'Cancelling', on: 'cancelled', to: 'Failed' },
  { from: 'Cancelling', on: 'captured', when: 'held', to: 'CapturedHold' },
  { from: 'Cancelling', on: 'captured', to: 'Captured' },
  { from: 'Cancelling', on: 'cancelRefused', when: 'captured', to: 'CapturedHold' },
  { from: 'Cancelling', on: 'cancelRefused', when: 'recaptures', to: 'Capturing', effect: 'watch' },
  { from: 'Cancelling', on: 'cancelRefused', when: 'authorisedAndHeld', to: 'ProviderAuthorizedHold' },
  { from: 'Cancelling', on: 'cancelRefused', when: 'authorised', to: 'Authorized' },
  { from: 'Cancelling', on: 'cancelRefused', to: 'Created' },

  { from: 'Captured', on: 'captured', to: 'Captured' },
  { from: 'Captured', on: 'captureFailed', to: 'Capturing', effect: 'watch' },
  { from: 'Captured', on: 'refund', to: 'Refunding', effect: 'provider.refund' },
  { from: 'Captured', on: 'disputed', to: 'Disputed' },
  { from: 'Captured', on: 'markDisputed', to: 'Disputed' },
  { from: 'Captured', on: 'returned', to: 'Refunded' },
  { from: 'Captured', on: 'markRefunded', to: 'Refunded' },

  { from: 'Refunding', on: 'captured', to: 'Refunding' },
  { from: 'Refunding', on: 'refunded', when: 'refundedAll', to: 'Refunded' },
  { from: 'Refunding', on: 'refunded', when: 'disputed', to: 'Disputed' },
  { from: 'Refunding', on: 'refunded', to: 'Captured' },
  { from: 'Refunding', on: 'refundRefused', when: 'disputed', to: 'Disputed' },
  { from: 'Refunding', on: 'refundRefused', to: 'Captured' },
  { from: 'Refunding', on: 'returned', to: 'Refunded' },

  { from: 'Disputed', on: 'captured', to: 'Disputed' },
  { from: 'Disputed', on: 'returned', to: 'Refunded' },
  { from: 'Disputed', on: 'disputeWon', when: 'disputed', to: 'Disputed' },
  { from: 'Disputed', on: 'disputeWon', when: 'held', to: 'CapturedHold' },
  { from: 'Disputed', on: 'disputeWon', to: 'Captured' },
  { from: 'Disputed', on: 'disputeLost', when: 'refundedAll', to: 'Refunded' },
  { from: 'Disputed', on: 'disputeLost', when: 'disputed', to: 'Disputed' },
  { from: 'Disputed', on: 'disputeLost', when: 'held', to: 'CapturedHold' },
  { from: 'Disputed', on: 'disputeLost', to: 'Captured' },
  { from: 'Disputed', on: 'disputed', to: 'Disputed' },
  { from: 'Disputed', on: 'refund', to: 'Refunding', effect: 'provider.refund' },
  { from: 'Disputed', on: 'refunded', when: 'refundedAll', to: 'Refunded' },
  { from: 'Disputed', on: 'refunded', to: 'Disputed' },
  { from: 'Disputed', on: 'markRefunded', to: 'Refunded' },

  { from: 'Failed', on: 'arrivedLate', when: 'holds', to: 'CapturedHold' },
  { from: 'Failed', on: 'arrivedLate', to: 'Captured' },

  { from: 'Refunded', on: 'disputed', to: 'Refunded' },
  { from: 'Refunded', on: 'disputeWon', to: 'Refunded' },
  { from: 'Refunded', on: 'disputeLost', to: 'Refunded' },
] as const satisfies readonly Transition[]

const ROWS: readonly Transition[] = TRANSITIONS

/** The transition of this state on the event. Undefined when the state does not accept the event. */
export function step(state: State, on: EventName, facts: MachineFacts): Transition | undefined {
  return ROWS.find(
    (row) => row.from === state && row.on === on && (row.when === undefined || GUARDS[row.when](facts)),
  )
}

export const accepts = (state: State, on: EventName): boolean =>
  ROWS.some((row) => row.from === state && row.on === on)

/** The actions of a merchant and the machine event of each. */
export const ACTIONS = {
  capture: 'capture',
  cancel: 'cancel',
  refund: 'refund',
  unhold: 'unhold',
  'mark-as-refund': 'markRefunded',
  'mark-as-dispute': 'markDisputed',
} as const satisfies Record<string, EventName>

export type Action = keyof typeof ACTIONS
