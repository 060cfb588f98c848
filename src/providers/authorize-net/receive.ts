import { createHmac, timingSafeEqual } from 'node:crypto'
import { isListed } from '../enumerations.ts'
import type { Hint } from '../hint.ts'
import { isOurs, valueAt, wordAt } from '../kit/json.ts'
import type { InboundCall, Received } from '../port.ts'
import type { AuthorizeNetContext } from './exchange.ts'
import { detailsOf } from './find.ts'
import { EVENT_TYPES } from './manifest.ts'
import { refundHandle, refundKey } from './snapshot.ts'
import { idOf, type TransactionDetails } from './wire.ts'

/** Notifications: their proof and what they are about. */

export async function receive(
  ctx: AuthorizeNetContext,
  { headers, rawBody }: InboundCall,
): Promise<Received> {
  const body = Buffer.from(rawBody)
  if (!isSigned(ctx.config.signatureKey, headers['x-anet-signature'] ?? '', body)) return { kind: 'forged' }
  const event = parsed(body.toString('utf8'))
  const payload = valueAt(event, 'payload')
  const id = idOf(payload, 'id')
  const type = wordAt(event, 'eventType') ?? ''
  if (wordAt(payload, 'entityName') !== 'transaction' || id === undefined) return ignored(type)
  const invoice = wordAt(payload, 'invoiceNumber')
  // It may be a second payment on the same page, which a read looks at by its id.
  // The invoice number of a refund is its own key. Only the transaction itself tells what it belongs to.
  const isPlain = isOurs(invoice) && !/\.(?:refund|void)\./.test(type)
  const hint: Hint | undefined = isPlain
    ? { reference: invoice, lookup: id, handles: { extra: id } }
    : await readHint(ctx, id)
  return hint ? { kind: 'events', hints: [hint] } : ignored(type)
}

const ignored = (type: string): Received => ({
  kind: 'ignored',
  ...(type === '' || isListed(EVENT_TYPES, type) ? {} : { unlisted: type.slice(0, 100) }),
})

async function readHint(ctx: AuthorizeNetContext, id: string): Promise<Hint | undefined> {
  const one = await transactionOf(ctx, id)
  if (!one || one.refTransId === undefined || one.type !== 'refundTransaction') return one && hintOf(one)
  const paid = await transactionOf(ctx, one.refTransId)
  return paid && { ...hintOf(paid), handles: { [refundHandle(refundKey(one, paid))]: id } }
}

async function transactionOf(ctx: AuthorizeNetContext, id: string): Promise<TransactionDetails | undefined> {
  const found = await detailsOf(ctx, id, 'USD')
  if (found.kind === 'not-done' && found.why === 'not-found') return undefined
  if (found.kind !== 'read') throw new Error(`the transaction could not be read: ${found.why}`)
  return found.value
}

const hintOf = ({ id, invoice }: TransactionDetails): Hint =>
  isOurs(invoice) ? { reference: invoice, lookup: id } : { lookup: id }

/** Public samples disagree about the key: its text, or the bytes that it writes in hexadecimal. */
function isSigned(key: string | undefined, header: string, body: Buffer): boolean {
  const [, hex] = /^sha512=([0-9A-Fa-f]{128})$/.exec(header.trim()) ?? []
  if (key === undefined || hex === undefined) return false
  const given = Buffer.from(hex, 'hex')
  const keys = [key, ...(/^(?:[0-9A-Fa-f]{2})+$/.test(key) ? [Buffer.from(key, 'hex')] : [])]
  return keys.some((one) => timingSafeEqual(createHmac('sha512', one).update(body).digest(), given))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
