import { hmacSha256, sameBytes } from '../../base/secret.ts'
import type { Connected, Hint, InboundCall, Received } from '../port.ts'
import { createEndpoint } from './calls.ts'
import { ask, type StripeContext, type StripeFailure } from './exchange.ts'
import { listEndpoints, REFERENCE } from './reads.ts'
import { readAll } from './retrieve.ts'
import { idAt, isId, type Json, objectAt, textAt } from './wire.ts'

/** Notifications: the endpoint that gets them, their proof and what they are about. */

const EVENTS: readonly string[] = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.failed',
  'charge.refund.updated',
  'charge.refunded',
  // The fee is known some time after the payment.
  'charge.updated',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.succeeded',
  'refund.updated',
  'review.closed',
  'review.opened',
]

export function receive({ config, sandbox }: StripeContext, { headers, rawBody }: InboundCall): Received {
  const body = Buffer.from(rawBody).toString('utf8')
  if (!isSigned(config.webhookSecrets, headers['stripe-signature'] ?? '', body)) return { kind: 'forged' }
  const event = parsed(body)
  if (textAt(event, 'object') !== 'event' || event.livemode !== !sandbox) return { kind: 'ignored' }
  const hint = hintOf(objectAt(event, 'data', 'object'))
  return hint ? { kind: 'events', hints: [hint] } : { kind: 'ignored' }
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

function parsed(body: string): Json {
  try {
    return objectAt(JSON.parse(body))
  } catch {
    return {}
  }
}

/** Our references. Other payments of the same account have none. */
const OURS = /^[0-9A-Z]{20}$/

/** Refunds, disputes and reviews made at Stripe name only the payment intent. */
function hintOf(object: Json): Hint | undefined {
  const told = textAt(object, 'client_reference_id') ?? textAt(object, 'metadata', REFERENCE)
  const reference = told !== undefined && OURS.test(told) ? told : undefined
  const isIntent = textAt(object, 'object') === 'payment_intent'
  const lookup = isIntent ? textAt(object, 'id') : idAt(object, 'payment_intent')
  if (reference === undefined && !isId(lookup)) return undefined
  return { ...(reference ? { reference } : {}), ...(isId(lookup) ? { lookup } : {}) }
}

// ---- connect ----------------------------------------------------------------------------------------------

/** Creates the endpoint. Stripe shows its secret once, so an existing one is of use only with its secret. */
export async function connect(ctx: StripeContext): Promise<Connected> {
  const endpoints = await readAll(ctx, listEndpoints)
  if ('kind' in endpoints) return { ok: false, problem: problemOf(endpoints, 'Webhook endpoints') }
  const { webhookSecrets } = ctx.config
  const exists = endpoints.some((one) => one.url === ctx.notifyUrl && one.status === 'enabled')
  if (exists && webhookSecrets.length > 0)
    return { ok: true, settings: { webhookSecret: webhookSecrets.join(' ') } }
  if (exists) return { ok: false, problem: DELETE_FIRST }
  const made = await ask(ctx, createEndpoint(ctx.notifyUrl, EVENTS))
  if (made.kind !== 'object') return { ok: false, problem: problemOf(made, 'Webhook endpoints') }
  const secret = textAt(made.object, 'secret')
  return secret ? { ok: true, settings: { webhookSecret: secret } } : { ok: false, problem: DELETE_FIRST }
}

const DELETE_FIRST =
  'an endpoint with this address exists, and Stripe does not show its secret again. Delete it at Stripe ' +
  'under Developers, Webhooks and connect again, or enter its signing secret in the profile.'

/** What is wrong, in a sentence for the merchant. `what` is the permission of a restricted key. */
export function problemOf(failed: StripeFailure, what: string): string {
  if (failed.kind === 'not-done' && failed.why === 'bad-credentials')
    return failed.raw?.status === 403
      ? `The key has no permission for "${what}".`
      : `Stripe does not accept the key${failed.raw?.message ? `: ${failed.raw.message}` : '.'}`
  if (failed.kind === 'not-done' && failed.why === 'not-sent') return 'Stripe could not be reached.'
  if (failed.kind === 'not-done' && failed.why === 'rate-limited')
    return 'Stripe was asked too often; try again.'
  return `Stripe answered with an error${failed.raw?.message ? `: ${failed.raw.message}` : '.'}`
}
