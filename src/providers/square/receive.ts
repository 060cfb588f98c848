import { hmacSha256, sameBytes } from '../../base/secret.ts'
import { isOurs, type Json, jsonIn, objectAt, textAt } from '../kit/json.ts'
import type { Hint, InboundCall, Received } from '../port.ts'
import { unlistedOf } from './enumerations.ts'
import type { SquareContext } from './exchange.ts'
import { referenceIn } from './facts.ts'
import { isId } from './wire.ts'

/** Square signs the address that was registered, followed by the body. */
export function receive({ config, notifyUrl }: SquareContext, { headers, rawBody }: InboundCall): Received {
  const { webhookSignatureKey: key } = config
  const given = Buffer.from(headers['x-square-hmacsha256-signature'] ?? '', 'base64')
  const signed = Buffer.concat([Buffer.from(notifyUrl, 'utf8'), rawBody])
  if (key === undefined || !sameBytes(hmacSha256(key, signed), given)) return { kind: 'forged' }
  const event = jsonIn(rawBody)
  const hints = hintsIn(objectAt(event, 'data', 'object'))
  if (hints.length > 0) return { kind: 'events', hints }
  const [unlisted] = unlistedOf([['event', textAt(event, 'type')]])
  return unlisted === undefined ? { kind: 'ignored' } : { kind: 'ignored', unlisted }
}

/** Other payments of the account have references that are not ours. */
function hintsIn({ payment, refund, dispute }: Json): Hint[] {
  const reference = referenceIn(objectAt(payment))
  if (isOurs(reference)) return [{ reference }]
  // Known by its own id once it was read, before that by the order of its page.
  return [
    textAt(payment, 'id'),
    textAt(payment, 'order_id'),
    textAt(refund, 'payment_id'),
    textAt(dispute, 'disputed_payment', 'payment_id'),
  ].flatMap((lookup) => (isId(lookup) ? [{ lookup }] : []))
}
