export const PROVIDERS = [
  'sandbox',
  'stripe',
  'paypal',
  'btcpay',
  'adyen',
  'authorize-net',
  'mollie',
  'square',
] as const
export type ProviderId = (typeof PROVIDERS)[number]

/** Sent by a provider process when it has started. The sandbox bank has neither. */
export interface Started {
  readonly origin?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** Input of a provider process: payments of one profile. */
export interface PayPlan {
  readonly url: string
  readonly appId: string
  readonly apiKey: string
  readonly profileId: number
  readonly webhookUrl: string
  /** The first number of the references, which must be unique. */
  readonly from: number
  /** 0: only the notifications that are due are delivered. */
  readonly count: number
  /** No payment begins after this time. */
  readonly seconds: number
}

/** The result. An unexpected response ends the run with an error instead. */
export interface Paid {
  readonly count: number
  /** Requests to the API of the simulator so far. Undefined for the sandbox bank. */
  readonly requests?: number
}
