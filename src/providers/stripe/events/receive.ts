import { hmacSha256, sameBytes } from '../../../base/secret.ts'
import { isListed } from '../../enumerations.ts'
import type { Hint } from '../../hint.ts'
import { isOurs, type Json, jsonIn, objectAt, textAt } from '../../kit/json.ts'
import type { InboundCall, Received } from '../../port.ts'
import type { StripeContext } from '../exchange.ts'
import { storedMethodOf } from '../facts.ts'
import { REFERENCE } from '../reads.ts'
import { idAt, isId } from '../wire.ts'
import { CARD_UPDATED, EVENT_TYPES } from './names.ts'

/** Notifications: their proof and what they are about. */

export function receive({ config, sandbox }: StripeContext, { headers, rawBody }: InboundCall): Received {
  const body = Buffer.from(rawBody).toString('utf8')
  if (!isSigned(config.webhookSecrets, headers['stripe-signature'] ?? '', body)) return { kind: 'forged' }
  const event = objectAt(jsonIn(rawBody))
  if (textAt(event, 'object') !== 'event' || event.livemode !== !sandbox) return { kind: 'ignored' }
  const type = textAt(event, 'type')
  const object = objectAt(event, 'data', 'object')
  const hint = type === CARD_UPDATED ? renewedIn(object) : hintOf(object)
  if (hint) return { kind: 'events', hints: [hint] }
  return { kind: 'ignored', ...(type && !isListed(EVENT_TYPES, type) ? { unlisted: type } : {}) }
}

/** Any secret may have made any of the signatures: while a secret is rolled, Stripe signs with both. */
function isSigned(secrets: readonly string[], header: string, body: string): boolean {
  const parts = header.length <= 2_000 ? header.split(',').map((part) => part.trim()) : []
  const [, time] = parts.map((part) => /^t=(\d{1,12})$/.exec(part)).find(Boolean) ?? []
  if (time === undefined) return false
  const given = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? [])
  const expected = secrets.map((secret) => hmacSha256(secret, `${time}.${body}`))
  return given.some((hex) => expected.some((bytes) => sameBytes(bytes, Buffer.from(hex, 'hex'))))
}

/** Stripe renewed a stored card. */
function renewedIn(method: Json): Hint | undefined {
  const stored = storedMethodOf(method)
  return stored && { renewedToken: stored.token }
}

/**
 * Other payments of the account have no reference of ours. Refunds, disputes and reviews made at Stripe name
 * only the payment intent.
 */
function hintOf(object: Json): Hint | undefined {
  const reported = textAt(object, 'client_reference_id') ?? textAt(object, 'metadata', REFERENCE)
  const reference = isOurs(reported) ? reported : undefined
  const isIntent = textAt(object, 'object') === 'payment_intent'
  const lookup = isIntent ? textAt(object, 'id') : idAt(object, 'payment_intent')
  if (reference === undefined && !isId(lookup)) return undefined
  return {
    ...(reference ? { reference } : {}),
    ...(isId(lookup) ? { lookup } : {}),
    ...(reference === undefined && !isIntent ? { isKept: true } : {}),
    ...handlesIn(object),
  }
}

/** The ids that the read needs: of a dispute, or of a page on which a method was stored without a charge. */
function handlesIn(object: Json): Pick<Hint, 'handles'> {
  const id = textAt(object, 'id')
  if (!isId(id)) return {}
  if (textAt(object, 'object') === 'dispute') return { handles: { dispute: id } }
  const isKeepPage = textAt(object, 'object') === 'checkout.session' && textAt(object, 'mode') === 'setup'
  return isKeepPage ? { handles: { session: id } } : {}
}
