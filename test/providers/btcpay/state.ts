/** What the simulated server stores. Fiat amounts are minor units of the invoice's currency. */

type InvoiceStatus = 'New' | 'Processing' | 'Expired' | 'Invalid' | 'Settled'
type AdditionalStatus = 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'Invalid' | 'PaidOver'
export type PaymentStatus = 'Invalid' | 'Processing' | 'Settled'
export type PayoutState = 'AwaitingApproval' | 'AwaitingPayment' | 'InProgress' | 'Completed' | 'Cancelled'

export interface CoinPayment {
  readonly id: string
  readonly method: 'BTC-CHAIN' | 'BTC-LN'
  readonly minor: bigint
  readonly at: number
  status: PaymentStatus
  /** The transaction never gets confirmations. */
  readonly stuck: boolean
}

export interface Invoice {
  readonly id: string
  readonly amount: bigint
  readonly currency: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly checkout: Readonly<Record<string, unknown>>
  readonly redirectUrl?: string
  readonly redirectAutomatically: boolean
  readonly createdAt: number
  readonly expiresAt: number
  readonly monitoredUntil: number
  status: InvoiceStatus
  additional: AdditionalStatus
  archived: boolean
  voided: boolean
  readonly payments: CoinPayment[]
}

export interface Payout {
  readonly id: string
  readonly minor: bigint
  readonly at: number
  readonly destination: string
  state: PayoutState
}

export interface PullPayment {
  readonly id: string
  readonly invoiceId: string
  readonly name: string
  readonly description: string
  readonly minor: bigint
  readonly currency: string
  readonly createdAt: number
  /** The methods by which it can be claimed. */
  readonly payoutMethods: readonly string[]
  archived: boolean
  readonly payouts: Payout[]
}

/** An event of the server, before it is addressed to a webhook and signed. */
export interface ServerEvent {
  readonly type: string
  readonly members: Readonly<Record<string, unknown>>
}

export const orderIdOf = ({ metadata }: Invoice): string => String(metadata.orderId ?? '')

export const receivedOf = ({ payments }: Invoice, status?: PaymentStatus): bigint =>
  payments
    .filter((payment) => (status ? payment.status === status : payment.status !== 'Invalid'))
    .reduce((sum, { minor }) => sum + minor, 0n)

export const claimedOf = ({ payouts }: PullPayment, state?: PayoutState): bigint =>
  payouts
    .filter((payout) => (state ? payout.state === state : payout.state !== 'Cancelled'))
    .reduce((sum, { minor }) => sum + minor, 0n)

export const isCompleted = (pull: PullPayment): boolean => claimedOf(pull, 'Completed') >= pull.minor

/** Which manual marks the server accepts in a state. */
export const canMarkInvalid = ({ status, additional }: Invoice): boolean =>
  status === 'New' ||
  status === 'Processing' ||
  status === 'Expired' ||
  (status === 'Settled' && additional === 'Marked')

export const canMarkSettled = ({ status }: Invoice): boolean => status !== 'Settled'

export const canRefund = ({ status, additional }: Invoice): boolean =>
  status === 'Settled' ||
  status === 'Invalid' ||
  (status === 'Expired' && ['PaidLate', 'PaidOver', 'PaidPartial'].includes(additional))
