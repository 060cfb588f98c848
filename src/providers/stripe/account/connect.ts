import { type Json, textAt, textsAt } from '../../kit/json.ts'
import type { Connected } from '../../port.ts'
import { createEndpoint, updateEndpoint } from '../calls.ts'
import { SUBSCRIBED } from '../events/names.ts'
import { call, type StripeContext } from '../exchange.ts'
import { listEndpoints } from '../reads.ts'
import { readAll } from '../retrieve.ts'
import { isId } from '../wire.ts'
import { problemOf } from './check.ts'

const PERMISSION = 'Webhook endpoints'

/**
 * Creates the endpoint, or gives an existing one the events of this version. Stripe shows a secret once, so
 * an existing endpoint is of use only with its secret.
 */
export async function connect(ctx: StripeContext): Promise<Connected> {
  const endpoints = await readAll(ctx, listEndpoints)
  if ('kind' in endpoints) return { ok: false, problem: problemOf(endpoints, PERMISSION) }
  const { webhookSecrets } = ctx.config
  const existing = endpoints.find((one) => one.url === ctx.notifyUrl && one.status === 'enabled')
  if (existing && webhookSecrets.length === 0) return { ok: false, problem: DELETE_FIRST }
  if (existing) return renew(ctx, existing)
  const made = await call(ctx, createEndpoint(ctx.notifyUrl, SUBSCRIBED))
  if (made.kind !== 'object') return { ok: false, problem: problemOf(made, PERMISSION) }
  const secret = textAt(made.object, 'secret')
  return secret ? { ok: true, settings: { webhookSecret: secret } } : { ok: false, problem: DELETE_FIRST }
}

/** Events that the merchant added stay. */
async function renew(ctx: StripeContext, endpoint: Json): Promise<Connected> {
  const settings = { webhookSecret: ctx.config.webhookSecrets.join(' ') }
  const id = textAt(endpoint, 'id')
  const events = textsAt(endpoint, 'enabled_events')
  const all = [...new Set([...events, ...SUBSCRIBED])]
  if (events.includes('*') || all.length === events.length || !isId(id)) return { ok: true, settings }
  const updated = await call(ctx, updateEndpoint(id, all))
  return updated.kind === 'object'
    ? { ok: true, settings }
    : { ok: false, problem: problemOf(updated, PERMISSION) }
}

const DELETE_FIRST =
  'an endpoint with this address exists, and Stripe does not show its secret again. Delete it at Stripe ' +
  'under Developers, Webhooks and connect again, or enter its signing secret in the profile.'
