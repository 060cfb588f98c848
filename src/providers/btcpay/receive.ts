import { hmacSha256, sameBytes } from '../../base/secret.ts'
import { isListed } from '../enumerations.ts'
import { isOurs, jsonIn, textAt } from '../kit/json.ts'
import type { InboundCall, Received } from '../port.ts'
import { readInvoice, readPullPayment, refundedInvoice } from './calls.ts'
import { ENUMERATIONS } from './enumerations.ts'
import { type BtcpayContext, read } from './server.ts'
import { invoiceIn, pullPaymentIn } from './wire.ts'

/** `sha256=` and the HMAC of the exact body, with the secret of the webhook. */
const SIGNATURE_HEADER = 'btcpay-sig'

export async function received(ctx: BtcpayContext, { headers, rawBody }: InboundCall): Promise<Received> {
  if (!isSigned(ctx.config.webhookSecret, headers[SIGNATURE_HEADER], rawBody)) return { kind: 'forged' }
  const event = jsonIn(rawBody)
  if (textAt(event, 'storeId') !== ctx.config.storeId) return { kind: 'ignored' }
  const type = textAt(event, 'type')
  const unlisted = type && !isListed(ENUMERATIONS.event, type) ? { unlisted: type } : {}
  const pullPaymentId = textAt(event, 'pullPaymentId')
  const reference =
    textAt(event, 'metadata', 'orderId') ??
    (pullPaymentId ? await referenceOfRefund(ctx, pullPaymentId) : undefined)
  // The store may have other invoices than ours.
  if (!isOurs(reference)) return { kind: 'ignored', ...unlisted }
  return { kind: 'events', hints: [{ reference }] }
}

function isSigned(secret: string | undefined, header: string | undefined, body: Uint8Array): boolean {
  const match = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')
  if (!secret || !match) return false
  return sameBytes(hmacSha256(secret, body), Buffer.from(match[1] ?? '', 'hex'))
}

/**
 * Events about claims name only the pull payment, so its invoice is read. Throws if the server does not
 * answer: the caller then stores the notification.
 */
async function referenceOfRefund(ctx: BtcpayContext, pullPaymentId: string): Promise<string | undefined> {
  const pull = await known(read(ctx, readPullPayment(pullPaymentId), pullPaymentIn))
  const invoiceId = pull && refundedInvoice(pull.name)
  if (invoiceId === undefined) return undefined
  return (await known(read(ctx, readInvoice(ctx.config.storeId, invoiceId), invoiceIn)))?.orderId
}

/** Undefined if the server has no such thing. */
async function known<T>(reading: ReturnType<typeof read<T>>): Promise<T | undefined> {
  const found = await reading
  if (found.kind === 'read') return found.value
  if (found.kind === 'not-done' && found.why === 'not-found') return undefined
  throw new Error(`the server did not tell what a claim belongs to: ${found.why}`)
}
