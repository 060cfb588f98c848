import { hmacSha256, sameBytes } from '../../base/secret.ts'
import { cut } from '../../base/text.ts'
import { isListed } from '../enumerations.ts'
import type { Hint } from '../hint.ts'
import { type Json, jsonIn, listAt, objectAt, textAt } from '../kit/json.ts'
import type { InboundCall, Received } from '../port.ts'
import { isId, isShopper } from './calls.ts'
import { ENUMERATIONS } from './codes.ts'
import { movementOf, referencesIn } from './events.ts'
import type { AdyenContext } from './exchange.ts'

/**
 * Verifies every item of a notification. Each has a signature over eight of its members; the others, such as
 * details of the card, are not signed.
 */
export function received(ctx: AdyenContext, { rawBody, headers }: InboundCall): Received {
  const body = jsonIn(rawBody)
  const signature = headers.hmacsignature
  if (signature !== undefined) return tokenEvent(ctx, objectAt(body), isBodySigned(ctx, rawBody, signature))
  const items = listAt(body, 'notificationItems').map((wrapper) =>
    objectAt(wrapper, 'NotificationRequestItem'),
  )
  if (items.length === 0 || !items.every((item) => isSigned(ctx.config.hmacKeys, item)))
    return { kind: 'forged' }
  const ours = items.filter((item) => item.merchantAccountCode === ctx.config.merchantAccount)
  const hints = ours.flatMap((item) => hintOf(item) ?? [])
  if (hints.length > 0) return { kind: 'events', hints }
  const events = ours.map((item) => textAt(item, 'eventCode') ?? '')
  const unlisted = events.find((event) => event !== '' && !isListed(ENUMERATIONS.event, event))
  return { kind: 'ignored', ...(unlisted ? { unlisted: cut(unlisted, 60) } : {}) }
}

/** Webhooks about tokens are signed as a whole, in a header. */
function isBodySigned({ config }: AdyenContext, rawBody: Uint8Array, signature: string): boolean {
  const given = Buffer.from(signature, 'base64')
  return config.hmacKeys.some((key) => sameBytes(hmacSha256(Buffer.from(key, 'hex'), rawBody), given))
}

/** Adyen or a card network renewed the details behind a token. */
function tokenEvent({ config }: AdyenContext, event: Json, isProven: boolean): Received {
  if (!isProven) return { kind: 'forged' }
  const data = objectAt(event, 'data')
  const [shopper, id] = [textAt(data, 'shopperReference'), textAt(data, 'storedPaymentMethodId')]
  const isOurs = textAt(data, 'merchantAccount') === config.merchantAccount && isShopper(shopper) && isId(id)
  if (textAt(event, 'type') !== 'recurring.token.updated' || !isOurs) return { kind: 'ignored' }
  return { kind: 'events', hints: [{ renewedToken: `${shopper}/${id}` }] }
}

function isSigned(keys: readonly string[], item: Json): boolean {
  const given = Buffer.from(textAt(item, 'additionalData', 'hmacSignature') ?? '', 'base64')
  const text = signedText(item)
  return keys.some((key) => sameBytes(hmacSha256(Buffer.from(key, 'hex'), text), given))
}

/** The eight members that Adyen signs. */
export function signedText(item: Json): string {
  const amount = objectAt(item, 'amount')
  return [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    amount.value,
    amount.currency,
    item.eventCode,
    item.success,
  ]
    .map((member) => String(member ?? ''))
    .join(':')
}

/** Other payments of the account have references that are not ours. */
function hintOf(item: Json): Hint | undefined {
  const movement = movementOf(item)
  const { reference } = referencesIn(item)
  // A modification made in the Customer Area may have a reference of its own.
  const lookup = textAt(item, 'originalReference')
  if (!movement || (reference === undefined && !isId(lookup))) return undefined
  return {
    ...(reference ? { reference } : {}),
    ...(isId(lookup) ? { lookup } : {}),
    movement,
  }
}
