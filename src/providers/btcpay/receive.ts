import { hmacSha256, sameBytes } from '../../base/secret.ts'
import { isListed } from '../enumerations.ts'
import type { InboundCall, Received } from '../port.ts'
import { readInvoice, readPullPayment, refundedInvoice } from './calls.ts'
import { ENUMERATIONS } from './enumerations.ts'
import { type BtcpayContext, read } from './server.ts'
import { invoiceIn, memberOf, pullPaymentIn, textOf } from './wire.ts'

/** `sha256=` and the HMAC of the exact body, with the secret of the webhook. */
const SIGNATURE_HEADER = 'btcpay-sig'

export async function received(ctx: BtcpayContext, { headers, rawBody }: InboundCall): Promise<Received> {
  if (!isSigned(ctx.config.webhookSecret, headers[SIGNATURE_HEADER], rawBody)) return { kind: 'forged' }
  const event = parsed(rawBody)
  if (textOf(event, 'storeId') !== ctx.config.storeId) return { kind: 'ignored' }
  const type = textOf(event, 'type')
  const unlisted = type && !isListed(ENUMERATIONS.event, type) ? { unlisted: type } : {}
  const pullPaymentId = textOf(event, 'pullPaymentId')
  const reference =
    textOf(memberOf(event, 'metadata'), 'orderId') ??
    (pullPaymentId ? await referenceOfRefund(ctx, pullPaymentId) : undefined)
  // The store may have other invoices than ours.
  if (reference === undefined || !REFERENCE.test(reference)) return { kind: 'ignored', ...unlisted }
  return { kind: 'events', hints: [{ reference }] }
}

const REFERENCE = /^[0-9A-Z]{20}$/

function isSigned(secret: string | undefined, header: string | undefined, body: Uint8Array): boolean {
  const match = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')
  if (!secret || !match) return false
  return sameBytes(hmacSha256(secret, body), Buffer.from(match[1] ?? '', 'hex'))
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
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
