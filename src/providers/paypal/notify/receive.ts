import { unlistedOf } from '../../enumerations.ts'
import type { Hint } from '../../hint.ts'
import { isObject, isOurs as isReference, itemsAt, textAt, valueAt } from '../../kit/json.ts'
import type { InboundCall, Received } from '../../port.ts'
import type { PaypalContext } from '../api.ts'
import { ENUMERATIONS } from '../enumerations.ts'
import { referenceOfCapture } from '../steps.ts'
import { captureIdIn, idAt, linkIn } from '../wire.ts'
import { type Certificates, isGenuine } from './signature.ts'

/** Verifies a notification and finds the payment that it is about. */
export async function receive(
  ctx: PaypalContext,
  call: InboundCall,
  certificates: Certificates,
): Promise<Received> {
  const event = eventIn(call.rawBody)
  if (event === undefined || !(await isGenuine(ctx, call, certificates))) return { kind: 'forged' }
  const type = textAt(event, 'event_type') ?? ''
  const resource = valueAt(event, 'resource')
  if (type === 'VAULT.PAYMENT-TOKEN.DELETED') return removed(resource)
  const hints =
    type === 'VAULT.PAYMENT-TOKEN.CREATED' ? storedHints(resource) : await paidHints(ctx, type, resource)
  if (hints.length > 0) return { kind: 'events', hints }
  const [unlisted] = unlistedOf(ENUMERATIONS, [['event', type]])
  return unlisted === undefined ? { kind: 'ignored' } : { kind: 'ignored', unlisted }
}

/** Hints of the payments that are ours: the account may also serve others. */
async function paidHints(ctx: PaypalContext, type: string, resource: unknown): Promise<Hint[]> {
  const references = await referencesOf(ctx, type, resource)
  const reportedStage = isOwnRequest(type, resource) ? REPORTED_STAGES[type] : undefined
  return [...new Set(references)]
    .filter(isReference)
    .map((reference) => ({ reference, ...(reportedStage ? { reportedStage } : {}) }) as Hint)
}

/** A wallet that PayPal stored after the payment. It names the order, and PayPal's record of the customer. */
function storedHints(resource: unknown): Hint[] {
  const lookup = idAt(resource, 'metadata', 'order_id')
  const customer = idAt(resource, 'customer', 'id')
  if (lookup === undefined) return []
  return [{ lookup, ...(customer === undefined ? {} : { handles: { vaultCustomer: customer } }) }]
}

/** The customer removed the wallet at PayPal, or we did. */
function removed(resource: unknown): Received {
  const token = idAt(resource, 'id')
  return token === undefined ? { kind: 'ignored' } : { kind: 'events', hints: [{ removedToken: token }] }
}

const REPORTED_STAGES: Readonly<Record<string, Hint['reportedStage']>> = {
  'PAYMENT.AUTHORIZATION.CREATED': 'authorised',
  'PAYMENT.CAPTURE.COMPLETED': 'captured',
}

/**
 * Whether a capture is one of our own requests: of an order, or of an authorisation with an invoice number
 * that is not the order's. A capture in PayPal's dashboard may be one of several.
 */
function isOwnRequest(type: string, resource: unknown): boolean {
  if (type !== 'PAYMENT.CAPTURE.COMPLETED') return true
  const invoice = textAt(resource, 'invoice_id')
  const isOfOrder = /\/checkout\/orders\/\w{1,64}$/.test(linkIn(resource, 'up') ?? '')
  return isOfOrder || (invoice !== undefined && invoice !== textAt(resource, 'custom_id'))
}

/** The event, if the body is a JSON object in UTF-8. */
function eventIn(rawBody: Uint8Array): object | undefined {
  try {
    const event: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody),
    )
    return isObject(event) ? event : undefined
  } catch {
    return undefined
  }
}

/** Orders, authorisations and captures carry our reference. Refunds and disputes name only captures. */
async function referencesOf(
  ctx: PaypalContext,
  type: string,
  resource: unknown,
): Promise<(string | undefined)[]> {
  if (/^CHECKOUT\.ORDER\./.test(type)) {
    const [unit] = itemsAt(resource, 'purchase_units') ?? []
    return [textAt(unit, 'custom_id')]
  }
  const captureIds = captureIdsOf(type, resource)
  if (captureIds) return Promise.all(captureIds.map((id) => referenceOfCapture(ctx, id)))
  const isPayment = /^PAYMENT\.(AUTHORIZATION|CAPTURE)\./.test(type)
  return isPayment ? [textAt(resource, 'custom_id')] : []
}

const MAX_TRANSACTIONS = 20

/** Undefined for events that are not about captures. */
function captureIdsOf(type: string, resource: unknown): readonly string[] | undefined {
  if (/^PAYMENT\.(CAPTURE\.(REFUNDED|REVERSED)|REFUND\.\w+)$/.test(type)) {
    const id = captureIdIn(resource)
    return id === undefined ? undefined : [id]
  }
  if (!/^CUSTOMER\.DISPUTE\./.test(type)) return undefined
  const transactions = itemsAt(resource, 'disputed_transactions') ?? []
  return transactions.slice(0, MAX_TRANSACTIONS).flatMap((one) => {
    const id = textAt(one, 'seller_transaction_id')
    return id !== undefined && /^[0-9A-Za-z]{1,64}$/.test(id) ? [id] : []
  })
}
