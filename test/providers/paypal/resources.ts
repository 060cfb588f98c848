import { CERTIFICATE_PATH, isSigned, tellVault } from './notifications.ts'
import type { VerifyRequest, WebhookPatch, WebhookRequest } from './schemas.ts'
import { disputeView, notFound, problem, tokenView } from './views.ts'
import { type Call, newId, type Reply, type VaultToken, type Webhook, type World } from './world.ts'

/** Stored wallets, webhooks and disputes. */

export function readToken({ world, id }: Call): Reply {
  const token = world.vault.get(id)
  return token && !token.removed ? { status: 200, body: tokenView(world, token) } : notFound()
}

/** Deleting a token that is gone is no error. */
export function deleteToken({ world, id }: Call): Reply {
  const token = world.vault.get(id)
  if (token) removeToken(world, token)
  return { status: 204 }
}

export function removeToken(world: World, token: VaultToken): void {
  if (token.removed) return
  token.removed = true
  tellVault(world, token, 'DELETED')
}

export function listTokens({ world, query }: Call): Reply {
  const id = query.get('customer_id') ?? ''
  const tokens = [...world.vault.values()].filter((one) => one.customerId === id && !one.removed)
  if (tokens.length === 0) return notFound()
  const body = { customer: { id }, payment_tokens: tokens.map((one) => tokenView(world, one)) }
  return { status: 200, body }
}

/** The account of the merchant. */
export const readAccount = ({ query }: Call): Reply =>
  query.get('schema') === 'paypalv1.1'
    ? {
        status: 200,
        body: { user_id: 'https://www.paypal.com/webapps/auth/identity/user/x', payer_id: MERCHANT },
      }
    : problem(400)

const MERCHANT = 'RD465XN5VS364'

export const listEventTypes = ({ world }: Call): Reply => ({
  status: 200,
  body: {
    event_types: world.eventTypes.map((name) => ({ name, description: name, status: 'ENABLED' })),
  },
})

const webhookView = (world: World, { id, url, eventTypes }: Webhook) => ({
  id,
  url,
  event_types: eventTypes.map((name) => ({ name, description: name, status: 'ENABLED' })),
  links: [
    { href: `${world.origin}/v1/notifications/webhooks/${id}`, rel: 'self', method: 'GET' },
    { href: `${world.origin}/v1/notifications/webhooks/${id}`, rel: 'delete', method: 'DELETE' },
  ],
})

const MAX_WEBHOOKS = 10

const named = (name: string, message: string): Reply => ({
  status: 400,
  body: { name, message, debug_id: newId().toLowerCase(), links: [] },
})

export function createWebhook({ world, body }: Call): Reply {
  const { url, event_types: types } = body as WebhookRequest
  if (types.some(({ name }) => !isTaken(world, name)))
    return named('VALIDATION_ERROR', 'Invalid data provided')
  const all = [...world.webhooks.values()]
  if (all.some((one) => one.url === url))
    return named('WEBHOOK_URL_ALREADY_EXISTS', 'Webhook URL already exists')
  if (all.length >= MAX_WEBHOOKS)
    return named('WEBHOOK_NUMBER_LIMIT_EXCEEDED', 'Webhook number limit exceeded')
  const webhook = { id: newId(), url, eventTypes: types.map(({ name }) => name) }
  world.webhooks.set(webhook.id, webhook)
  return { status: 201, body: webhookView(world, webhook) }
}

export const listWebhooks = ({ world }: Call): Reply => ({
  status: 200,
  body: { webhooks: [...world.webhooks.values()].map((webhook) => webhookView(world, webhook)) },
})

export function readWebhook({ world, id }: Call): Reply {
  const webhook = world.webhooks.get(id)
  return webhook
    ? { status: 200, body: webhookView(world, webhook) }
    : problem(404, [{ issue: 'INVALID_RESOURCE_ID' }])
}

export function changeWebhook({ world, id, body }: Call): Reply {
  const webhook = world.webhooks.get(id)
  if (!webhook) return problem(404, [{ issue: 'INVALID_RESOURCE_ID' }])
  const [{ value }] = body as WebhookPatch
  if (value.some(({ name }) => !isTaken(world, name)))
    return named('VALIDATION_ERROR', 'Invalid data provided')
  const changed = { ...webhook, eventTypes: value.map(({ name }) => name) }
  world.webhooks.set(id, changed)
  return { status: 200, body: webhookView(world, changed) }
}

export function deleteWebhook({ world, id }: Call): Reply {
  return world.webhooks.delete(id) ? { status: 204 } : problem(404, [{ issue: 'INVALID_RESOURCE_ID' }])
}

/** The event is taken from the request as it was sent: written again it would have another checksum. */
export function verifySignature({ world, body, rawBody }: Call): Reply {
  const claim = body as VerifyRequest
  const isOurs =
    claim.auth_algo === 'SHA256withRSA' &&
    claim.cert_url === `${world.origin}${CERTIFICATE_PATH}` &&
    world.webhooks.has(claim.webhook_id)
  const transmission = {
    id: claim.transmission_id,
    time: claim.transmission_time,
    webhookId: claim.webhook_id,
    body: memberText(rawBody, 'webhook_event'),
  }
  const isGenuine = isOurs && isSigned(transmission, claim.transmission_sig)
  return { status: 200, body: { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' } }
}

/** The text of a member whose value is an object. */
function memberText(json: string, name: string): string {
  const start = json.indexOf('{', json.indexOf(`"${name}"`))
  let depth = 0
  let isText = false
  for (let place = start; place < json.length; place++) {
    const letter = json[place]
    if (isText && letter === '\\') place++
    else if (letter === '"') isText = !isText
    else if (!isText && letter === '{') depth++
    else if (!isText && letter === '}' && --depth === 0) return json.slice(start, place + 1)
  }
  return ''
}

/** A page has two at most, so that a client has to follow the links. */
const PAGE = 2

export function listDisputes({ world, query }: Call): Reply {
  const captureId = query.get('disputed_transaction_id')
  const all = [...world.disputes.values()].filter(
    ({ capture }) => captureId === null || capture.id === captureId,
  )
  const from = Number(query.get('next_page_token') ?? 0)
  const found = all.slice(from, from + PAGE)
  const rest = new URLSearchParams({
    disputed_transaction_id: captureId ?? '',
    next_page_token: String(from + PAGE),
  })
  const next = `${world.origin}/v1/customer/disputes?${rest}`
  // A list shows less than a single dispute: neither outcome nor deadline nor transactions.
  const items = found.map((dispute) => {
    const { disputed_transactions: _all, dispute_outcome: _result, ...shown } = disputeView(world, dispute)
    const { seller_response_due_date: _due, dispute_channel: _channel, ...item } = shown
    return item
  })
  const links = from + PAGE < all.length ? [{ href: next, rel: 'next', method: 'GET' }] : []
  return { status: 200, body: { items, links } }
}

export function readDispute({ world, id }: Call): Reply {
  const dispute = world.disputes.get(id)
  return dispute ? { status: 200, body: disputeView(world, dispute) } : notFound()
}

const isTaken = ({ eventTypes }: World, name: string): boolean => name === '*' || eventTypes.includes(name)
