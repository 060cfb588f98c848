import { after } from '../../../base/clock.ts'
import type { ThreeDSecureFacts, ThreeDSecureRequest } from '../../../providers/methods/three-d-secure.ts'
import type { Stage } from '../../../providers/outcome.ts'
import type { Behaviour, Refusal, Risk, TestChecks } from '../../values/behaviour.ts'
import type { SandboxMethod } from '../../values/named.ts'

/**
 * A payment at the bank, stored as one JSON document. Amounts are safe integers in minor units. Times are ISO
 * 8601 on the account's clock.
 */
export interface LedgerPayment {
  readonly account: string
  readonly id: string
  readonly reference: string
  /** Key of the request that opened the payment. Actions of the customer on a page use it too. */
  readonly operationKey: string
  readonly method: SandboxMethod
  readonly amount: number
  readonly currency: string
  readonly createdTime: string
  /** The merchant asks for the money in one step. Absent in payments from before that was possible. */
  readonly sale?: boolean
  readonly store: boolean
  /** What the merchant asks of 3-D Secure. */
  readonly asks?: ThreeDSecureRequest
  readonly customer: { readonly id?: string; readonly name?: string; readonly email?: string }
  readonly description?: string
  readonly notify?: string
  readonly back?: string

  status: Stage
  behaviour: Behaviour
  instrument?: Instrument
  waitsFor?: 'provider' | 'review' | 'confirmations' | undefined
  page?: Page | undefined
  decline?: Refusal
  risk?: Risk
  checks?: TestChecks
  threeDSecure?: ThreeDSecureFacts
  authorised?: number
  authorisedUntil?: string
  captured: number
  refunded: number
  refunds: Refund[]
  fee?: number
  overpaid?: number
  disputes?: BookedDispute[]
  /** The only dispute of a payment from before there could be several. */
  readonly dispute?: BookedDispute['state']
  readonly disputeReason?: string
  /** The payer's bank returned the debit. */
  returned?: boolean
  /** Token of the stored method that this payment created or charged. */
  stored?: string
  /** Movements of the balance, only ever added to. Absent in payments from before the bank settled. */
  lines?: readonly BalanceLine[]
  due: ScheduledChange[]
  entries: number
  notified: number
}

/** Amounts have the merchant's sign. A fee is positive. */
export interface BalanceLine {
  readonly kind: 'sale' | 'refund' | 'dispute' | 'dispute-reversal' | 'return' | 'reserve'
  /** Id of the capture, refund or dispute. */
  readonly movement: string
  /** Key of the refund. Absent: the payment's reference. */
  readonly key?: string
  readonly amount: number
  readonly fee: number
  /** May be in the future: the day on which a reserve is released. */
  readonly time: string
}

export interface BookedDispute {
  readonly id: string
  readonly state: 'open' | 'won' | 'lost'
  readonly reason: string
  /** Absent: all that was captured. */
  readonly amount?: number
  /** No money was taken, and the payment can still be refunded. */
  readonly isInquiry?: boolean
  /** Until when evidence is taken. Absent in disputes from before there were deadlines. */
  readonly evidenceDue?: string
  /** How many times evidence was submitted. */
  readonly submissions?: number
}

/** Stored details of a card or account. Never the full number or the security code. */
export interface Instrument {
  readonly holder?: string
  readonly email?: string
  readonly brand?: string
  readonly type?: string
  readonly last4?: string
  readonly expiryMonth?: number
  readonly expiryYear?: number
  readonly country?: string
  readonly fingerprint?: string
  readonly wallet?: 'apple-pay'
}

interface Page {
  readonly kind: 'pay' | '3ds'
  readonly until: string
}

export interface Refund {
  readonly id: string
  readonly operationKey: string
  readonly amount: number
  readonly entry: LedgerEntry
  status: 'pending' | 'done' | 'failed'
  problem?: string
}

export interface BankMethod {
  readonly token: string
  readonly method: SandboxMethod
  readonly instrument: Instrument
  readonly behaviour: Behaviour
  /** Set if the method was stored without a payment. */
  readonly setup?: Setup
}

/** Progress of storing a method without a payment. */
export interface Setup {
  readonly status: 'ready' | 'needs-customer' | 'unconfirmed' | 'declined'
  readonly back?: string
  /** Expiry of its page. */
  readonly until?: string
  readonly decline?: Refusal
  readonly wrongTries?: number
}

export interface LedgerEntry {
  readonly entry: number
  readonly kind: 'authorise' | 'sale' | 'capture' | 'void' | 'refund'
  readonly amount: number
  readonly status: 'done' | 'pending' | 'declined'
  readonly operationKey: string
  readonly time: string
}

/** A change that happens at a given time without a request. */
export type ScheduledChange = { readonly at: string } & (
  | { readonly what: 'settle'; readonly entry: LedgerEntry; readonly refuse?: Refusal }
  | { readonly what: 'capture'; readonly entry: LedgerEntry }
  | { readonly what: 'refund'; readonly refundId: string; readonly problem?: string }
  | { readonly what: 'close' | 'dispute' | 'return' }
)

/** A payment being changed: a copy, with its new ledger entries and notification events. */
export interface Draft {
  readonly now: Date
  readonly payment: LedgerPayment
  readonly entries: Map<number, LedgerEntry>
  readonly events: string[]
  storing?: BankMethod
}

export const draftOf = (payment: LedgerPayment, now: Date): Draft => ({
  now,
  payment: { ...payment, refunds: payment.refunds.map((refund) => ({ ...refund })), due: [...payment.due] },
  entries: new Map(),
  events: [],
})

export const inFuture = (now: Date, ms: number): string => after(now, ms).toISOString()

/** The random part that all ids of one payment share: pay_x, aut_x, cap_x, met_x. */
export const idPart = (paymentId: string): string => paymentId.slice(paymentId.indexOf('_') + 1)

export interface BankMovement {
  readonly kind: LedgerEntry['kind']
  readonly amount: number
  readonly status: LedgerEntry['status']
  readonly operationKey: string
}

export function book(draft: Draft, movement: BankMovement): LedgerEntry {
  const entry = { entry: ++draft.payment.entries, time: draft.now.toISOString(), ...movement }
  draft.entries.set(entry.entry, entry)
  return entry
}

/** Updates the ledger entry of a pending movement that has ended. */
export function rebook(draft: Draft, entry: LedgerEntry, status: LedgerEntry['status']): void {
  draft.entries.set(entry.entry, { ...entry, status })
}

export function dropDue(draft: Draft, what: ScheduledChange['what']): void {
  draft.payment.due = draft.payment.due.filter((due) => due.what !== what)
}

/** Every dispute of a payment, the last one last. */
export function disputesOf(payment: LedgerPayment): readonly BookedDispute[] {
  const { id, dispute: state, disputeReason: reason = 'fraudulent' } = payment
  return payment.disputes ?? (state ? [{ id, state, reason }] : [])
}
