import { randomBytes } from 'node:crypto'
import type { LedgerEntry } from '../kit/simulator.ts'

/** What the simulated account knows. Amounts are as on the wire. */
export interface Link {
  readonly id: string
  readonly body: LinkBody
  readonly expiresAt: number
  status: 'active' | 'completed' | 'expired' | 'paymentPending'
}

export interface LinkBody {
  readonly reference: string
  readonly amount: Amount
  readonly returnUrl?: string
  readonly allowedPaymentMethods?: readonly string[]
  readonly manualCapture?: boolean
  readonly captureDelayHours?: number
  readonly shopperReference?: string
  readonly storePaymentMethodMode?: string
  readonly threeDS2RequestData?: { readonly threeDSRequestorChallengeInd?: string }
  readonly [other: string]: unknown
}

export interface Amount {
  readonly currency: string
  readonly value: number
}

export interface Payment {
  /** Adyen's id, the PSP reference. */
  readonly id: string
  readonly reference: string
  readonly amount: Amount
  readonly method: string
  readonly authorisedAt: number
  state: 'authorised' | 'cancelled' | 'expired'
  captured: number
  refunded: number
  /** Of the last capture and refund that were done, for failures afterwards. */
  lastCapture?: Modification
  lastRefund?: Modification
  readonly disputes: Dispute[]
}

export interface Dispute {
  readonly id: string
  readonly amount: Amount
  state: 'new' | 'inquiry' | 'open' | 'won' | 'lost'
}

export interface Modification {
  readonly id: string
  readonly reference: string
  readonly amount: Amount
  readonly entry?: LedgerEntry
}

export interface StoredCard {
  readonly id: string
  readonly shopper: string
  readonly type: 'scheme' | 'ach'
  readonly paymentId: string
}

export interface Item {
  readonly eventCode: string
  readonly pspReference: string
  readonly merchantReference: string
  readonly originalReference?: string
  readonly originalPsp?: string
  readonly amount: Amount
  readonly success: 'true' | 'false'
  readonly eventDate: string
  readonly paymentMethod?: string
  readonly reason?: string
  readonly additionalData?: Readonly<Record<string, string>>
}

export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly keys: string[]
  /** Events besides those that are always told. */
  events: readonly string[]
  properties: Readonly<Record<string, boolean>>
}

export interface State {
  readonly account: string
  readonly now: () => number
  readonly origin: () => string
  readonly links: Map<string, Link>
  readonly payments: Map<string, Payment>
  readonly stored: Map<string, StoredCard>
  readonly endpoints: Map<string, Endpoint>
  readonly ledger: LedgerEntry[]
  readonly queue: Item[]
  /** Modifications that are decided later. */
  readonly delayed: (() => void)[]
  /** References whose page is paid at the moment when it is closed. */
  readonly paidOnClose: Set<string>
  /** Event codes that this account cannot subscribe to. */
  readonly unknownEvents: Set<string>
  /** What a notification about a modification calls `merchantReference`. */
  readonly names: 'payment' | 'modification'
}

let draw: (count: number) => Uint8Array = randomBytes
export const drawFrom = (bytes: ((count: number) => Uint8Array) | undefined): void => {
  draw = bytes ?? randomBytes
}

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ23456789'
/** Sixteen characters, as Adyen's ids have. */
export const newId = (prefix = ''): string =>
  prefix + [...draw(16 - prefix.length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
export const newHmacKey = (): string => Buffer.from(draw(32)).toString('hex').toUpperCase()

/** Adyen's own decimals, compared with ISO 4217. */
const MORE_DECIMALS: Readonly<Record<string, number>> = { CLP: 2, ISK: 2, CVE: -2, IDR: -2 }
function isoMinor({ currency, value }: Amount): bigint {
  const shift = MORE_DECIMALS[currency] ?? 0
  return shift >= 0 ? BigInt(value) / 10n ** BigInt(shift) : BigInt(value) * 10n ** BigInt(-shift)
}

/** Books a movement of money. Returns a function that changes its state. */
export function book(
  state: State,
  entry: Pick<LedgerEntry, 'reference' | 'kind'> & {
    readonly amount: Amount
    readonly key?: string | undefined
  },
): void {
  const { reference, kind, amount, key } = entry
  state.ledger.push({
    ...{ reference, kind, amountMinor: isoMinor(amount), currency: amount.currency, state: 'done' },
    ...(key === undefined ? {} : { key }),
  })
}

/** The last movement of a kind fails after it was done. */
export function failLast(state: State, reference: string, kind: LedgerEntry['kind']): boolean {
  const at = state.ledger.findLastIndex((entry) => entry.reference === reference && entry.kind === kind)
  const entry = state.ledger[at]
  if (entry?.state !== 'done') return false
  state.ledger[at] = { ...entry, state: 'failed' }
  return true
}

/** The last movement of a kind, which failed, is done again. */
export function repeatLast(state: State, reference: string, kind: LedgerEntry['kind']): boolean {
  const at = state.ledger.findLastIndex((entry) => entry.reference === reference && entry.kind === kind)
  const entry = state.ledger[at]
  if (entry?.state !== 'failed') return false
  state.ledger[at] = { ...entry, state: 'done' }
  return true
}
