import type { Hint, InboundCall, Received } from '../port.ts'
import type { PaypalContext } from './api.ts'
import { type Certificates, isGenuine } from './signature.ts'
import { referenceOfCapture } from './steps.ts'
import { captureIdIn, linkIn, listOf, memberOf, textOf } from './wire.ts'

/** Verifies a notification and finds the payment that it is about. */
export async function receive(
  ctx: PaypalContext,
  call: InboundCall,
  certificates: Certificates,
): Promise<Received> {
  const event = eventIn(call.rawBody)
  if (event === undefined || !(await isGenuine(ctx, call, certificates))) return { kind: 'forged' }
  const type = textOf(memberOf(event, 'event_type')) ?? ''
  const reference = await referenceOf(ctx, type, memberOf(event, 'resource'))
  // The account may also serve payments that are not ours.
  if (reference === undefined || !/^[0-9A-Z]{20}$/.test(reference)) return { kind: 'ignored' }
  const says = isOurs(type, memberOf(event, 'resource')) ? SAYS[type] : undefined
  return { kind: 'events', hints: [{ reference, ...(says ? { says } : {}) }] }
}

const SAYS: Readonly<Record<string, Hint['says']>> = {
  'PAYMENT.AUTHORIZATION.CREATED': 'authorised',
  'PAYMENT.CAPTURE.COMPLETED': 'captured',
}

/**
 * Whether a capture is one of our own requests: of an order, or of an authorisation with an invoice number
 * that is not the order's. A capture in PayPal's dashboard may be one of several.
 */
function isOurs(type: string, resource: unknown): boolean {
  if (type !== 'PAYMENT.CAPTURE.COMPLETED') return true
  const invoice = textOf(memberOf(resource, 'invoice_id'))
  const isOfOrder = /\/checkout\/orders\/\w{1,64}$/.test(linkIn(resource, 'up') ?? '')
  return isOfOrder || (invoice !== undefined && invoice !== textOf(memberOf(resource, 'custom_id')))
}

/** The event, if the body is a JSON object in UTF-8. */
function eventIn(rawBody: Uint8Array): object | undefined {
  try {
    const event: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody),
    )
    return typeof event === 'object' && event !== null && !Array.isArray(event) ? event : undefined
  } catch {
    return undefined
  }
}

/** Orders, authorisations and captures carry our reference. Refunds and disputes name only the capture. */
async function referenceOf(ctx: PaypalContext, type: string, resource: unknown): Promise<string | undefined> {
  if (/^CHECKOUT\.ORDER\./.test(type)) {
    const [unit] = listOf(memberOf(resource, 'purchase_units')) ?? []
    return textOf(memberOf(unit, 'custom_id'))
  }
  const captureId = captureIdOf(type, resource)
  if (captureId !== undefined) return referenceOfCapture(ctx, captureId)
  return /^PAYMENT\.(AUTHORIZATION|CAPTURE)\./.test(type)
    ? textOf(memberOf(resource, 'custom_id'))
    : undefined
}

function captureIdOf(type: string, resource: unknown): string | undefined {
  if (/^PAYMENT\.(CAPTURE\.(REFUNDED|REVERSED)|REFUND\.\w+)$/.test(type)) return captureIdIn(resource)
  if (!/^CUSTOMER\.DISPUTE\./.test(type)) return undefined
  const [transaction] = listOf(memberOf(resource, 'disputed_transactions')) ?? []
  const id = textOf(memberOf(transaction, 'seller_transaction_id'))
  return id !== undefined && /^[0-9A-Za-z]{1,64}$/.test(id) ? id : undefined
}
