import { randomBytes } from 'node:crypto'
import type { LedgerEntry } from '../kit/simulator.ts'
import type { Payout } from './payouts.ts'

/** What the simulated account knows. */
export interface Amount {
  readonly amount: number
  readonly currency: string
}

export interface Order {
  readonly id: string
  readonly reference: string | undefined
  readonly name: string
  readonly total: Amount
  readonly createdAt: number
  state: 'DRAFT' | 'OPEN' | 'CANCELED'
  /** Payments, also failed ones. */
  readonly tenders: Payment[]
  /** What the payer of the page chooses. */
  readonly source: 'CARD' | 'WALLET' | 'BUY_NOW_PAY_LATER'
}

export interface Link {
  readonly id: string
  readonly order: Order
  readonly note: string | undefined
  readonly returnUrl: string | undefined
  readonly request: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

export interface Payment {
  readonly id: string
  readonly key: string | undefined
  readonly reference: string | undefined
  readonly note: string | undefined
  readonly order: Order | undefined
  readonly customer: string | undefined
  readonly approved: Amount
  readonly card: string | undefined
  readonly createdAt: number
  amount: Amount
  status: 'APPROVED' | 'PENDING' | 'COMPLETED' | 'CANCELED' | 'FAILED'
  delayedUntil: number
  updatedAt: number
  completedAt?: number
  voidedAt?: number
  failure?: string
  fee?: number
  version: string
  readonly refunds: Refund[]
}

export interface Refund {
  readonly id: string
  readonly payment: Payment
  readonly amount: Amount
  readonly reason: string | undefined
  readonly createdAt: number
  /** Its place in the ledger. */
  readonly entry: number
  status: 'PENDING' | 'COMPLETED' | 'FAILED'
}

export interface Card {
  readonly id: string
  readonly customer: string
  readonly reference: string | undefined
  isEnabled: boolean
}

export interface Dispute {
  readonly id: string
  readonly payment: Payment
  readonly createdAt: number
  readonly amount: Amount
  state: 'INQUIRY_EVIDENCE_REQUIRED' | 'INQUIRY_CLOSED' | 'EVIDENCE_REQUIRED' | 'WON' | 'LOST'
  updatedAt: number
}

export interface Subscription {
  readonly id: string
  readonly name: string
  readonly url: string
  events: readonly string[]
  readonly key: string
}

export interface Event {
  readonly type: string
  readonly id: string
  readonly object: object
  readonly at: number
}

export interface State {
  readonly location: string
  readonly now: () => number
  readonly origin: () => string
  readonly links: Map<string, Link>
  readonly orders: Map<string, Order>
  readonly payments: Map<string, Payment>
  readonly refunds: Map<string, Refund>
  readonly cards: Map<string, Card>
  readonly customers: Map<string, Readonly<Record<string, unknown>>>
  readonly disputes: Dispute[]
  readonly payouts: Payout[]
  readonly subscriptions: Map<string, Subscription>
  readonly ledger: LedgerEntry[]
  readonly queue: Event[]
  /** References whose page is paid while it is being closed. */
  readonly paidOnClose: Set<string>
  /** Orders do not show yet how they were paid. */
  isLagging: boolean
  /** What the location shows of itself, over the usual. */
  about: object
  /** A refund is pending for this long. */
  readonly refundMs: number
}

let draw: (count: number) => Uint8Array = randomBytes
/** Ids are drawn from here, so that a seed gives the same ones again. */
export const drawFrom = (bytes: ((count: number) => Uint8Array) | undefined): void => {
  draw = bytes ?? randomBytes
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
export const newId = (length = 24, prefix = ''): string =>
  prefix + [...draw(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')

export const iso = (ms: number): string => new Date(ms).toISOString()

/** Books a movement of money. Returns its place, for a change of its state. */
export function book(
  state: State,
  kind: LedgerEntry['kind'],
  { reference, note }: Payment,
  { amount, entryState = 'done', key }: Booking,
): number {
  const { amount: minor, currency } = amount
  return (
    state.ledger.push({
      ...{ reference: reference ?? note ?? '', kind, amountMinor: BigInt(minor), currency },
      state: entryState,
      ...(key === undefined ? {} : { key }),
    }) - 1
  )
}

interface Booking {
  readonly amount: Amount
  readonly entryState?: LedgerEntry['state']
  readonly key?: string | undefined
}

export function mark(state: State, place: number, entryState: LedgerEntry['state']): void {
  const entry = state.ledger[place]
  if (entry) state.ledger[place] = { ...entry, state: entryState }
}
