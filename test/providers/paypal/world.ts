import { decimalText, parseMinor } from '../../../src/base/money.ts'
import type { Gate, Keys } from '../kit/gate.ts'
import type { Part } from '../kit/multipart.ts'
import type { ArmedBehaviour, LedgerEntry, SignedNotification } from '../kit/simulator.ts'

/** The state of one simulated PayPal account. Amounts are ISO 4217 minor units, times are milliseconds. */
export interface World extends Gate {
  readonly origin: string
  readonly account: { readonly clientId: string; readonly clientSecret: string }
  now(): number
  readonly orders: Map<string, Order>
  readonly accessTokens: Map<string, number>
  readonly vault: Map<string, VaultToken>
  readonly setups: Map<string, SetupToken>
  readonly disputes: Map<string, Dispute>
  readonly webhooks: Map<string, Webhook>
  readonly keys: Keys<() => Reply>
  readonly entries: Entry[]
  readonly queue: SignedNotification[]
  /** Wallets are stored some time after the payment. `hidden`: the order never shows their ids. */
  storesLate: boolean | 'hidden'
  /** Names that webhooks may ask for. */
  eventTypes: readonly string[]
}

export interface Amount {
  readonly minor: bigint
  readonly currency: string
}

export interface Order {
  readonly id: string
  readonly reference: string
  readonly createdAt: number
  updatedAt: number
  readonly intent: 'AUTHORIZE' | 'CAPTURE'
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  /** The purchase unit as it was sent. */
  readonly unit: Readonly<Record<string, unknown>>
  readonly invoiceId: string | undefined
  readonly amount: Amount
  readonly storesMethod: boolean
  pages: { readonly returnUrl: string; readonly cancelUrl: string } | undefined
  hasPayer: boolean
  /** The issue with which the payer's funding source is declined. */
  declines: string | undefined
  /** Nothing is known of an order that was not completed by then. */
  lapsesAt: number
  readonly authorizations: Authorization[]
  readonly captures: Capture[]
  readonly refunds: Refund[]
  vaultToken: VaultToken | undefined
}

export interface Authorization {
  readonly kind: 'authorization'
  readonly id: string
  readonly order: Order
  readonly amount: Amount
  readonly createdAt: number
  updatedAt: number
  expiresAt: number
  status: 'CREATED' | 'CAPTURED' | 'DENIED' | 'PARTIALLY_CAPTURED' | 'VOIDED' | 'PENDING'
  readonly entry: Entry | undefined
}

export interface Capture {
  readonly kind: 'capture'
  readonly id: string
  readonly order: Order
  readonly authorization: Authorization | undefined
  readonly amount: Amount
  readonly createdAt: number
  updatedAt: number
  readonly isFinal: boolean
  readonly invoiceId: string | undefined
  status: 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED' | 'FAILED'
  reason: string | undefined
  readonly entry: Entry
}

export interface Refund {
  readonly kind: 'refund'
  readonly id: string
  readonly capture: Capture
  readonly amount: Amount
  readonly createdAt: number
  updatedAt: number
  readonly customId: string | undefined
  readonly invoiceId: string | undefined
  readonly note: string | undefined
  status: 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED'
  readonly entry: Entry
}

export interface VaultToken {
  readonly id: string
  readonly customerId: string
  /** The order that stored it. */
  readonly orderId?: string
  removed: boolean
}

export interface SetupToken {
  readonly id: string
  readonly customerId: string
  readonly pages: { readonly returnUrl: string; readonly cancelUrl: string }
  readonly lapsesAt: number
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED'
  /** The issue with which the payer's wallet is refused. */
  declines: string | undefined
  token: VaultToken | undefined
}

export interface Dispute {
  readonly id: string
  readonly capture: Capture
  readonly createdAt: number
  readonly amount: Amount
  updatedAt: number
  stage: 'INQUIRY' | 'CHARGEBACK'
  status: 'OPEN' | 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED'
  outcome: 'RESOLVED_SELLER_FAVOUR' | 'RESOLVED_BUYER_FAVOUR' | undefined
  /** What the payer got of a lost dispute. */
  returned: Amount | undefined
  /** What the merchant submitted. */
  readonly evidences: object[]
}

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly eventTypes: readonly string[]
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that passed authentication, headers and schema. */
export interface Call {
  readonly world: World
  /** The id in the path, or empty. */
  readonly id: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly rawBody: string
  /** Files beside the JSON. */
  readonly files: readonly Part[]
  readonly key: string | undefined
  readonly armed: ArmedBehaviour | undefined
  /** `Prefer: return=representation` */
  readonly wantsAll: boolean
}

export type Entry = { -readonly [member in keyof LedgerEntry]: LedgerEntry[member] }

/** PayPal takes these without decimals, whatever ISO 4217 says. */
const WHOLE = new Set(['HUF', 'JPY', 'TWD'])
const CURRENCIES = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
)

export const isTaken = (currency: string): boolean => CURRENCIES.has(currency)

export interface MoneyWire {
  readonly currency_code: string
  readonly value: string
}

/** Undefined if the value has more decimals than PayPal takes in this currency. */
export function amountOf({ currency_code: currency, value }: MoneyWire): Amount | undefined {
  const decimals = value.includes('.') ? value.length - value.indexOf('.') - 1 : 0
  const isExact = decimals === 0 || (decimals <= 2 && !WHOLE.has(currency))
  const minor = isExact ? parseMinor(value, currency) : undefined
  return minor === undefined ? undefined : { minor, currency }
}

export function moneyOf({ minor, currency }: Amount): MoneyWire {
  const text = decimalText(minor, currency)
  return { currency_code: currency, value: WHOLE.has(currency) ? text.replace(/\.\d+$/, '') : text }
}

const LETTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXY'
let made = 0

/** Ids that depend on these bytes only. */
export function restartIds(bytes: (count: number) => Uint8Array): void {
  made = Buffer.from(bytes(4)).readUInt32BE()
}

/** 17 characters, as PayPal's own ids. */
export function newId(): string {
  let rest = BigInt(++made) * 7_919_317_731_823n + 918_273_645_546_372n
  let id = ''
  for (; id.length < 17; rest = rest / 32n + BigInt(id.length)) id += LETTERS[Number(rest % 32n)]
  return id
}

export function enter(world: World, order: Order, entry: Omit<LedgerEntry, 'reference' | 'currency'>): Entry {
  const { reference, amount } = order
  const made: Entry = { reference, currency: amount.currency, ...entry }
  world.entries.push(made)
  return made
}

export const withKey = (key: string | undefined): { key?: string } => (key === undefined ? {} : { key })

const all = <T>(world: World, pick: (order: Order) => readonly T[]): T[] =>
  [...world.orders.values()].flatMap(pick)

export const findAuthorization = (world: World, id: string): Authorization | undefined =>
  all(world, ({ authorizations }) => authorizations).find((one) => one.id === id)
export const findCapture = (world: World, id: string): Capture | undefined =>
  all(world, ({ captures }) => captures).find((one) => one.id === id)
export const findRefund = (world: World, id: string): Refund | undefined =>
  all(world, ({ refunds }) => refunds).find((one) => one.id === id)

/** The newest order under a reference. */
export const findByReference = (world: World, reference: string): Order | undefined =>
  [...world.orders.values()].findLast((order) => order.reference === reference)

const TAKEN: readonly Capture['status'][] = ['COMPLETED', 'PENDING', 'PARTIALLY_REFUNDED', 'REFUNDED']

/** Captured from this authorisation, pending captures included. */
export const capturedFrom = (authorization: Authorization): bigint =>
  authorization.order.captures
    .filter((one) => one.authorization === authorization && TAKEN.includes(one.status))
    .reduce((sum, { amount }) => sum + amount.minor, 0n)

/** PayPal holds the money because of a dispute. */
export const isComplained = ({ status, reason }: Capture): boolean =>
  status === 'PENDING' && reason === 'BUYER_COMPLAINT'

/** Returned from this capture, pending refunds included. */
export const refundedFrom = (capture: Capture): bigint =>
  capture.order.refunds
    .filter((one) => one.capture === capture && (one.status === 'COMPLETED' || one.status === 'PENDING'))
    .reduce((sum, { amount }) => sum + amount.minor, 0n)
