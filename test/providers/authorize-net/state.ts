import { randomBytes } from 'node:crypto'
import type { LedgerEntry } from '../kit/simulator.ts'

/** What the simulated account knows. */

type Status =
  | 'authorizedPendingCapture'
  | 'capturedPendingSettlement'
  | 'settledSuccessfully'
  | 'refundPendingSettlement'
  | 'refundSettledSuccessfully'
  | 'FDSPendingReview'
  | 'FDSAuthorizedPendingReview'
  | 'declined'
  | 'voided'
  | 'expired'
  | 'returnedItem'
  | 'chargeback'
  | 'chargebackReversal'
  | 'settlementError'
  | 'couldNotVoid'
  | 'underReview'
  | 'updatingSettlement'
  | 'authorizedPendingRelease'
  | 'newlyInvented'

/** A card or a bank account, with numbers as the provider shows them. */
export interface Account {
  readonly kind: 'card' | 'bank'
  readonly type: string
  readonly number: string
  readonly name?: string
}

export interface Transaction {
  readonly id: string
  readonly type: 'authOnlyTransaction' | 'authCaptureTransaction' | 'refundTransaction'
  readonly refTransId?: string
  readonly invoice: string
  readonly refId: string
  readonly description: string
  readonly customer?: Readonly<Record<string, string>>
  readonly billTo?: Readonly<Record<string, string>>
  readonly account: Account
  readonly profile?: { readonly customerProfileId: string; readonly customerPaymentProfileId: string }
  readonly currency: string
  readonly authMinor: bigint
  readonly submittedAt: number
  status: Status
  settleMinor: bigint
  responseCode: 1 | 2 | 3 | 4
  reasonCode: number
  filter?: FraudAction
  /** When it joined the batch that is settled next. */
  capturedAt?: number
  batchId?: string
  /** The return is a transaction of its own. */
  returned?: { readonly id: string; readonly code: string; readonly at: number }
}

/** What the fraud filters do with a transaction. */
export type FraudAction = 'authAndHold' | 'hold'

export interface Page {
  readonly token: string
  readonly request: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly refId: string
  readonly expiresAt: number
  isUsed: boolean
}

export interface Profile {
  readonly id: string
  readonly merchantCustomerId: string
  readonly methods: { readonly id: string; readonly account: Account }[]
}

export type MutableEntry = { -readonly [K in keyof LedgerEntry]: LedgerEntry[K] } & {
  readonly transId: string
}

export interface State {
  readonly transactions: Map<string, Transaction>
  readonly pages: Map<string, Page>
  readonly profiles: Map<string, Profile>
  readonly ledger: MutableEntry[]
  /** Settled at `at`. */
  readonly batches: { readonly id: string; readonly openedAt: number; at: number }[]
  now(): number
  /** Called after each change that the provider reports. */
  tell(event: string, transaction: Transaction): void
  /** Fraud filters apply this to new transactions. */
  filter: FraudAction | undefined
  /** New transactions are missing in lists. */
  isLagging: boolean
  readonly hidden: Set<string>
  /** Payers on pages have this card. Absent: each another one. */
  card: string | undefined
  readonly settlementMs: number
}

let draw: (count: number) => Uint8Array = randomBytes
let last = firstId()

/** Ids are drawn from here, so that a seed gives the same ones again. */
export function drawFrom(bytes: ((count: number) => Uint8Array) | undefined): void {
  draw = bytes ?? randomBytes
  if (bytes) last = firstId()
}

function firstId(): number {
  return 60_000_000_000 + Buffer.from(draw(3)).readUIntBE(0, 3)
}

export const newId = (): string => String(++last)

export const newSecret = (bytes: number): string => Buffer.from(draw(bytes)).toString('hex').toUpperCase()

/** 0b8f2c1d-… */
export const newUuid = (): string =>
  newSecret(16)
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

export const isHeld = ({ status }: Transaction): boolean =>
  status === 'FDSPendingReview' || status === 'FDSAuthorizedPendingReview'

export function enter(
  state: State,
  transaction: Transaction,
  entry: Omit<MutableEntry, 'reference' | 'transId' | 'currency'>,
) {
  const origin = state.transactions.get(transaction.refTransId ?? '') ?? transaction
  const { currency } = transaction
  state.ledger.push({ reference: origin.invoice, transId: transaction.id, currency, ...entry })
}

const DAY_MS = 24 * 3_600_000

/** Days after which an authorisation that was not captured ends. */
const WINDOW_MS = 30 * DAY_MS

/** Batches are settled, and authorisations end, by the clock. */
export function tick(state: State): void {
  const now = state.now()
  for (const one of state.transactions.values()) {
    if (one.status === 'authorizedPendingCapture' && now - one.submittedAt >= WINDOW_MS) expire(state, one)
    const isRefund = one.type === 'refundTransaction'
    const pauseMs = isRefund ? Math.max(state.settlementMs, DAY_MS) : state.settlementMs
    if (one.capturedAt !== undefined && now - one.capturedAt >= pauseMs) settle(state, one)
  }
}

export function expire(state: State, one: Transaction): void {
  one.status = 'expired'
  enter(state, one, { kind: 'void', amountMinor: one.authMinor, state: 'done' })
}

/** An account has few batches a day. */
const BATCH_MS = 6 * 3_600_000

export function settle(state: State, one: Transaction): void {
  if (one.status !== 'capturedPendingSettlement' && one.status !== 'refundPendingSettlement') return
  const at = state.now()
  const last = state.batches.at(-1)
  const batch = last && at - last.openedAt < BATCH_MS ? last : { id: newId(), openedAt: at, at }
  if (batch !== last) state.batches.push(batch)
  batch.at = at
  one.batchId = batch.id
  one.status =
    one.status === 'capturedPendingSettlement' ? 'settledSuccessfully' : 'refundSettledSuccessfully'
  delete one.capturedAt
  for (const entry of state.ledger)
    if (entry.transId === one.id && entry.state === 'pending') entry.state = 'done'
}
