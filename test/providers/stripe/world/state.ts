import { randomBytes } from 'node:crypto'
import type { LedgerEntry } from '../../kit/simulator.ts'
import type { ErrorBody } from '../wire/errors.ts'
import { isoMinor } from './currencies.ts'
import type { Payout } from './payouts.ts'

export type Metadata = Readonly<Record<string, string>>

export interface Method {
  readonly id: string
  readonly type: string
  readonly brand: string
  readonly last4: string
  readonly created: number
  readonly fingerprint: string
  readonly authenticated: boolean
  customer: string | null
  /** The card networks tell Stripe of a new card. */
  expYear: number
  /** The decline code of every payment with it. */
  declines?: string
}

export interface Intent {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly captureMethod: string
  readonly types: readonly string[]
  readonly created: number
  readonly customer: string | null
  readonly description: string | null
  readonly metadata: Metadata
  readonly reference: string
  readonly session?: string
  readonly setupFutureUsage: string | null
  /** The customer is present and can be sent to a page of the bank. */
  readonly returnUrl?: string
  status: string
  method: string | null
  charge: string | null
  received: number
  lastError: ErrorBody | null
  canceledAt: number | null
  cancellationReason: string | null
  review: string | null
  /** What a debit in processing will become. */
  settlesAt?: number
  settlesAs?: string
}

export interface Charge {
  readonly id: string
  readonly intent: string
  readonly amount: number
  readonly currency: string
  readonly method: string
  readonly created: number
  readonly captureBefore: number | null
  readonly key: string | undefined
  status: 'succeeded' | 'pending' | 'failed'
  captured: boolean
  amountCaptured: number
  amountRefunded: number
  disputed: boolean
  failureCode: string | null
  failureBalance: string | null
  outcome: string
  balance: string | null
  /** When the balance transaction appears. */
  balanceAt?: number
}

export interface Refund {
  readonly id: string
  readonly intent: string
  readonly charge: string
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly reason: string | null
  readonly metadata: Metadata
  readonly key: string | undefined
  status: 'pending' | 'succeeded' | 'failed'
  failureReason?: string
  settlesAt?: number
}

export interface Session {
  readonly id: string
  readonly mode: 'payment' | 'setup'
  readonly amount: number | null
  readonly currency: string | null
  readonly captureMethod: string
  /** The merchant asks for a challenge. */
  readonly challenges: boolean
  readonly types: readonly string[]
  readonly created: number
  readonly expiresAt: number
  readonly customer: string | null
  readonly customerEmail: string | null
  readonly reference: string | null
  readonly successUrl: string
  readonly cancelUrl: string | null
  readonly metadata: Metadata
  readonly intentMetadata: Metadata
  readonly description: string | null
  readonly setupFutureUsage: string | null
  readonly offersSaving: boolean
  readonly itemName: string
  readonly key: string | undefined
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required'
  intent: string | null
  setup: string | null
}

export interface Setup {
  readonly id: string
  readonly created: number
  readonly customer: string | null
  readonly types: readonly string[]
  readonly metadata: Metadata
  status: string
  method: string | null
  lastError: ErrorBody | null
}

export interface Customer {
  readonly id: string
  readonly created: number
  readonly email: string | null
  readonly name: string | null
  readonly phone: string | null
  readonly description: string | null
  readonly metadata: Metadata
}

export interface Dispute {
  readonly id: string
  readonly charge: string
  readonly intent: string
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly reason: string
  readonly dueBy: number | null
  status: string
  /** Money that was withdrawn and reinstated. */
  readonly movements: string[]
  readonly evidence: Record<string, string>
  submissions: number
}

export interface Balance {
  readonly id: string
  readonly amount: number
  readonly fee: number
  readonly currency: string
  readonly created: number
  readonly source: string
  readonly type: string
  /** Absent: that of its type. */
  readonly category?: string
}

export interface Endpoint {
  readonly id: string
  readonly url: string
  events: readonly string[]
  readonly created: number
  readonly description: string | null
  readonly metadata: Metadata
  /** The newest last; all of them sign while a secret is rolled. */
  readonly secrets: string[]
}

export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly created: number
  readonly object: unknown
  readonly key: string | undefined
}

/** Everything that the provider knows about the account. */
export interface State {
  readonly origin: () => string
  readonly now: () => number
  readonly intents: Map<string, Intent>
  readonly charges: Map<string, Charge>
  readonly refunds: Map<string, Refund>
  readonly sessions: Map<string, Session>
  readonly setups: Map<string, Setup>
  readonly customers: Map<string, Customer>
  readonly methods: Map<string, Method>
  readonly disputes: Map<string, Dispute>
  /** Sizes of uploaded files. */
  readonly files: Map<string, number>
  readonly balances: Map<string, Balance>
  readonly payouts: Map<string, Payout>
  /** The payout of each balance transaction that was paid out. */
  readonly paidOut: Map<string, string>
  readonly endpoints: Map<string, Endpoint>
  readonly events: StoredEvent[]
  /** Events that no endpoint has been told yet. */
  readonly outbox: StoredEvent[]
  readonly ledger: LedgerEntry[]
  /** Whether the account may take ACH debits. */
  achCapability: 'active' | 'inactive' | 'absent'
  /** Decline code of the next confirmation on a page. */
  nextPageDecline?: string
  /** Decline code of the next charge of a stored method. */
  nextChargeDecline?: string
  /** The next confirmation, capture or refund is decided later. */
  readonly pendingNext: Set<string>
}

export function createState(origin: () => string, now: () => number): State {
  return {
    origin,
    now,
    intents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    sessions: new Map(),
    setups: new Map(),
    customers: new Map(),
    methods: new Map(),
    disputes: new Map(),
    files: new Map(),
    balances: new Map(),
    payouts: new Map(),
    paidOut: new Map(),
    endpoints: new Map(),
    events: [],
    outbox: [],
    ledger: [],
    achCapability: 'active',
    pendingNext: new Set(),
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

let bytes: (count: number) => Uint8Array = randomBytes

/** Where the ids and secrets of this process come from. */
export function drawFrom(source: (count: number) => Uint8Array = randomBytes): void {
  bytes = source
}

export const randomText = (length: number): string =>
  [...bytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')

export const newId = (prefix: string, length = 24): string => `${prefix}_${randomText(length)}`

/** Unix seconds, as in every object of the API. */
export const seconds = (state: State): number => Math.floor(state.now() / 1_000)

interface Movement {
  readonly reference: string
  readonly kind: LedgerEntry['kind']
  readonly amount: number
  readonly currency: string
  readonly state?: LedgerEntry['state']
  readonly key?: string | undefined
}

/** Adds a movement, or changes the state of the pending one with the same kind and amount. */
export function move(state: State, { key, amount, state: how = 'done', ...movement }: Movement): void {
  const entry: LedgerEntry = {
    ...movement,
    currency: movement.currency.toUpperCase(),
    amountMinor: isoMinor(amount, movement.currency),
    state: how,
    ...(key ? { key } : {}),
  }
  state.ledger.push(entry)
}

/** Ends a pending movement, or reverses a done one. */
export function settleMovement(
  state: State,
  { reference, kind, amount, currency }: Movement,
  how: LedgerEntry['state'],
): void {
  const minor = isoMinor(amount, currency)
  const index = state.ledger.findLastIndex(
    (entry) => entry.reference === reference && entry.kind === kind && entry.amountMinor === minor,
  )
  const entry = state.ledger[index]
  if (entry) state.ledger[index] = { ...entry, state: how }
}
