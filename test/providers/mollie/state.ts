import { randomBytes } from 'node:crypto'
import type { LedgerEntry } from '../kit/simulator.ts'

/** What the simulated account knows. Amounts are in minor units. */

export interface Amount {
  readonly currency: string
  readonly value: string
}

export interface PaymentBody {
  readonly amount: Amount
  readonly description: string
  readonly redirectUrl?: string
  readonly cancelUrl?: string
  readonly webhookUrl?: string
  /** A list: the page offers these. */
  readonly method?: string | readonly string[]
  readonly captureMode?: string
  readonly sequenceType?: string
  readonly customerId?: string
  readonly mandateId?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

type Status = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'

export interface Payment {
  readonly id: string
  readonly body: PaymentBody
  readonly amountMinor: bigint
  readonly createdAt: number
  readonly expiresAt: number
  status: Status
  /** The payer has opened the page: Mollie does not cancel it any more. */
  isOpened: boolean
  authorizedAt?: number
  paidAt?: number
  mandateId?: string
  failure?: string
  readonly captures: Movement[]
  readonly refunds: Movement[]
  readonly chargebacks: Chargeback[]
}

export interface Movement {
  readonly id: string
  readonly amount: Amount
  readonly minor: bigint
  readonly metadata: unknown
  readonly description?: string
  readonly createdAt: number
  readonly entry: number
  status: string
}

interface Chargeback {
  readonly id: string
  readonly amountMinor: bigint
  readonly createdAt: number
  reversedAt?: number
}

export interface Mandate {
  readonly id: string
  readonly customerId: string
  readonly method: string
  status: 'valid' | 'invalid'
}

export interface State {
  readonly now: () => number
  readonly origin: () => string
  readonly payments: Map<string, Payment>
  readonly customers: Map<string, { readonly id: string; readonly metadata: unknown }>
  readonly mandates: Map<string, Mandate>
  readonly ledger: LedgerEntry[]
  /** Payments that a notification is due about, with its address. */
  readonly queue: { readonly url: string; readonly id: string }[]
  /** Movements that are decided later. */
  readonly delayed: (() => void)[]
  /** How long a refund is on its way. */
  readonly refundMs: number
  readonly pageMs: number
  /** Turned on in the account. */
  methods: readonly string[]
}

let draw: (count: number) => Uint8Array = randomBytes
export const drawFrom = (bytes: ((count: number) => Uint8Array) | undefined): void => {
  draw = bytes ?? randomBytes
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
export const newId = (prefix: string): string =>
  `${prefix}_${[...draw(22)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`

const digitsOf = (currency: string): number => (['ISK', 'JPY'].includes(currency) ? 0 : 2)

export const minorOf = ({ value, currency }: Amount): bigint =>
  BigInt(value.replace('.', '') || '0') * (value.includes('.') || digitsOf(currency) === 0 ? 1n : 100n)

export function amountOf(minor: bigint, currency: string): Amount {
  const digits = digitsOf(currency)
  const text = minor.toString().padStart(digits + 1, '0')
  return { currency, value: digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}` }
}

export const referenceOf = ({ body }: Payment): string => String(body.metadata?.reference ?? '')

/** Books a movement of money. Returns its place in the ledger. */
export function book(
  state: State,
  payment: Payment,
  entry: Pick<LedgerEntry, 'kind' | 'amountMinor'> & {
    readonly key?: string | undefined
    readonly state?: LedgerEntry['state']
  },
): number {
  const { kind, amountMinor, key, state: reached = 'done' } = entry
  return (
    state.ledger.push({
      ...{ reference: referenceOf(payment), kind, amountMinor, currency: payment.body.amount.currency },
      ...{ state: reached },
      ...(key === undefined ? {} : { key }),
    }) - 1
  )
}

export function mark(state: State, place: number, reached: LedgerEntry['state']): void {
  const entry = state.ledger[place]
  if (entry) state.ledger[place] = { ...entry, state: reached }
}

/** Mollie calls the address of the payment whenever it changes, always with the same bytes. */
export function notify(state: State, { id, body: { webhookUrl } }: Payment): void {
  if (webhookUrl !== undefined) state.queue.push({ url: webhookUrl, id })
}
