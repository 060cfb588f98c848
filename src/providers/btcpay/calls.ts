import { MINUTE } from '../../base/clock.ts'
import { isPlainMailbox } from '../../base/mailbox.ts'
import { decimalText, type Money } from '../../base/money.ts'
import type { HttpCall } from '../../net/http.ts'
import { fitPurchase, fitText } from '../fit.ts'
import type { Operation, Purchase } from '../port.ts'
import type { SettlementWindow } from '../settlement.ts'
import { SUBSCRIBED } from './enumerations.ts'
import { manifest } from './manifest.ts'

/** Pure: requests to the Greenfield API, without address and credentials. */

export interface Request extends Pick<HttpCall, 'method' | 'json' | 'maxBytes'> {
  /** Below `/api/v1/`. */
  readonly path: string
}

const part = encodeURIComponent

/** Below the store: these paths exist in every version, those without the store only since 2.4.0. */
const inStore = (storeId: string, path: string): string => `stores/${part(storeId)}/${path}`

/** Its version. Any key may read it. */
export const readServerInfo: Request = { method: 'GET', path: 'server/info' }

export const createInvoice = (storeId: string, op: Operation, purchase: Purchase): Request => ({
  method: 'POST',
  path: inStore(storeId, 'invoices'),
  json: {
    amount: decimalText(purchase.amount.minor, purchase.amount.currency),
    currency: purchase.amount.currency,
    metadata: metadataOf(op, purchase),
    checkout: {
      redirectURL: purchase.backUrl,
      redirectAutomatically: true,
      // The server takes the best language that it has.
      ...(purchase.locale ? { defaultLanguage: purchase.locale } : {}),
      ...expiryOf(op, purchase),
    },
  },
})

function metadataOf({ reference }: Operation, purchase: Purchase): Record<string, unknown> {
  const { customer, description, orderId } = fitPurchase(purchase, manifest.texts)
  const buyerName = [customer.firstName, customer.lastName].filter(Boolean).join(' ')
  const order = fitText(orderId, manifest.texts.description)
  return {
    orderId: reference,
    ...(description ? { itemDesc: description } : {}),
    ...(buyerName ? { buyerName } : {}),
    // The server refuses the whole invoice because of an address that is not one.
    ...(customer.email && isPlainMailbox(customer.email) ? { buyerEmail: customer.email } : {}),
    ...(order ? { posData: { order } } : {}),
  }
}

/**
 * The store decides how long its exchange rate holds. Only a payment that ends sooner shortens it, so that
 * the invoice is not open for longer than the payment.
 */
function expiryOf({ createdAt }: Operation, { expiresAt }: Purchase): { expirationMinutes?: number } {
  const minutes = expiresAt ? Math.floor((expiresAt.getTime() - createdAt.getTime()) / MINUTE) : LONG_MINUTES
  return minutes < LONG_MINUTES ? { expirationMinutes: Math.max(1, minutes) } : {}
}
const LONG_MINUTES = 60

/** Several may have one reference: the server has no keys. */
export const findInvoices = (storeId: string, reference: string): Request => ({
  method: 'GET',
  path: inStore(storeId, `invoices?orderId=${part(reference)}`),
})

export const SETTLED_PAGE = 50

/** Invoices that were made in a window of time. */
export const listInvoices = (storeId: string, { from, until }: SettlementWindow, skip: number): Request => {
  const [startDate, endDate] = [from, until].map((time) => String(Math.floor(time.getTime() / 1_000)))
  const query = `startDate=${startDate}&endDate=${endDate}&skip=${skip}&take=${SETTLED_PAGE}`
  return { method: 'GET', path: inStore(storeId, `invoices?${query}`) }
}

export const anyInvoice = (storeId: string): Request => ({
  method: 'GET',
  path: inStore(storeId, 'invoices?take=1'),
})

export const readInvoice = (storeId: string, id: string): Request => ({
  method: 'GET',
  path: inStore(storeId, `invoices/${part(id)}`),
})

export const readPaymentMethods = (storeId: string, id: string): Request => ({
  method: 'GET',
  path: inStore(storeId, `invoices/${part(id)}/payment-methods`),
})

export const invalidate = (storeId: string, id: string): Request => ({
  method: 'POST',
  path: inStore(storeId, `invoices/${part(id)}/status`),
  json: { status: 'Invalid' },
})

/** The methods by which the customer can claim a refund. Absent: the store's default. */
export type ClaimMethods = { readonly payoutMethods: readonly string[] } | { readonly payoutMethodId: string }

export interface NewRefund {
  readonly invoiceId: string
  readonly amount: Money
  readonly methods?: ClaimMethods | undefined
}

export const createRefund = (storeId: string, op: Operation, refund: NewRefund): Request => ({
  method: 'POST',
  path: inStore(storeId, `invoices/${part(refund.invoiceId)}/refund`),
  json: {
    name: refundName(refund.invoiceId),
    description: refundDescription(op),
    ...refund.methods,
    // The other variants compute an amount of their own from what was paid.
    refundVariant: 'Custom',
    customAmount: decimalText(refund.amount.minor, refund.amount.currency),
    customCurrency: refund.amount.currency,
  },
})

/** The name that the server itself gives to refunds, also to those made on its pages. */
export const refundName = (invoiceId: string): string => `Refund ${invoiceId}`

/** The invoice that a pull payment refunds. Undefined: it is no refund. */
export const refundedInvoice = (name: string): string | undefined =>
  /^Refund ([0-9A-Za-z_-]{1,100})$/.exec(name)?.[1]

/** The key is the last word: a refund whose reply was lost is found by it. */
function refundDescription({ key, description }: Operation): string {
  const text = fitText(description, manifest.texts.description)
  return text ? `${text} (reference ${key})` : `Reference ${key}`
}

export const refundKeyIn = (description: string): string | undefined =>
  /\b[Rr]eference ([0-9A-Z]{20})\)?$/.exec(description)?.[1]

/**
 * All refunds of the store, newest first: the server cannot list those of one invoice, and the list has no
 * pages. One refund takes about 500 bytes.
 */
export const findPullPayments = (storeId: string): Request => ({
  method: 'GET',
  path: inStore(storeId, 'pull-payments?includeArchived=true'),
  maxBytes: 8 * 1024 * 1024,
})

export const readPullPayment = (id: string): Request => ({ method: 'GET', path: `pull-payments/${part(id)}` })

export const readPayouts = (id: string): Request => ({
  method: 'GET',
  path: `pull-payments/${part(id)}/payouts`,
})

export const archivePullPayment = (storeId: string, id: string): Request => ({
  method: 'DELETE',
  path: inStore(storeId, `pull-payments/${part(id)}`),
})

export const findWebhooks = (storeId: string): Request => ({
  method: 'GET',
  path: inStore(storeId, 'webhooks'),
})

/** Without a secret of ours: the server makes one and returns it once. */
export const createWebhook = (storeId: string, url: string): Request => ({
  method: 'POST',
  path: inStore(storeId, 'webhooks'),
  json: {
    url,
    enabled: true,
    automaticRedelivery: true,
    authorizedEvents: { everything: false, specificEvents: SUBSCRIBED },
  },
})

export const deleteWebhook = (storeId: string, id: string): Request => ({
  method: 'DELETE',
  path: inStore(storeId, `webhooks/${part(id)}`),
})
