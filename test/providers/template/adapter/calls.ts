import type { Money } from '../../../../src/base/money.ts'
import type { HttpCall } from '../../../../src/net/http.ts'
import type { Handles } from '../../../../src/providers/outcome.ts'
import type { Operation, Purchase } from '../../../../src/providers/port.ts'
import { unfinished } from './unfinished.ts'

/**
 * Pure: requests to the API, without address and credentials. Texts of a purchase go through `fitPurchase`.
 * `op.key` is the idempotency key, `op.reference` is the merchant's reference.
 */

export interface AcornPayRequest extends Pick<HttpCall, 'method' | 'json' | 'loggedPath'> {
  readonly path: string
  /** Sent as the idempotency key. */
  readonly key?: string
}

/** A read without side effects that needs the same permissions as payments. */
export const readAccount = (): AcornPayRequest => unfinished('calls.ts: readAccount')

/** Registers the address, or finds the registration that exists. */
export const registerWebhook = (_url: string): AcornPayRequest => unfinished('calls.ts: registerWebhook')

export const openPage = (_op: Operation, _purchase: Purchase): AcornPayRequest =>
  unfinished('calls.ts: openPage')

export const capturePayment = (_op: Operation, _handles: Handles, _amount: Money): AcornPayRequest =>
  unfinished('calls.ts: capturePayment')

/** Voids a reservation, or closes a page. */
export const cancelPayment = (_op: Operation, _handles: Handles): AcornPayRequest =>
  unfinished('calls.ts: cancelPayment')

export const refundPayment = (_op: Operation, _handles: Handles, _amount: Money): AcornPayRequest =>
  unfinished('calls.ts: refundPayment')

/** By the provider's id if there is one, else by our reference. */
export const readPayment = (_reference: string, _handles: Handles): AcornPayRequest =>
  unfinished('calls.ts: readPayment')
