import { createHmac } from 'node:crypto'
import { decimalText } from '../../../src/base/money.ts'
import { parsed } from '../kit/gate.ts'
import type { SignedNotification } from '../kit/simulator.ts'
import type { Credentials, Reply } from './api.ts'
import { newId, newUuid, type Transaction } from './state.ts'

/** Webhooks: the REST interface that registers them, and signed notifications. */

interface Endpoint {
  readonly webhookId: string
  readonly url: string
  readonly eventTypes: readonly string[]
}

export interface Webhooks {
  readonly endpoints: readonly Endpoint[]
  tell(event: string, transaction: Transaction): void
  take(): readonly SignedNotification[]
  answer(method: string, headers: Readonly<Record<string, string>>, body: string): Reply
}

export interface WebhookOptions {
  readonly credentials: Credentials
  readonly signatureKey: string
  /** Public samples disagree: the key's text, or the bytes that it is the hexadecimal form of. */
  readonly signsWith: 'text' | 'bytes'
  now(): number
  violate(what: string): void
}

const EVENT = /^net\.authorize\.(?:payment|customer)\.[A-Za-z.]+$/

export function createWebhooks(options: WebhookOptions): Webhooks {
  const { credentials, signatureKey, signsWith } = options
  const endpoints: Endpoint[] = []
  const queue: SignedNotification[] = []
  const key = signsWith === 'text' ? signatureKey : Buffer.from(signatureKey, 'hex')
  const basic = Buffer.from(`${credentials.apiLoginId}:${credentials.transactionKey}`).toString('base64')

  function tell(event: string, one: Transaction): void {
    const eventType = `net.authorize.${event}`
    // An endpoint that the merchant registered by hand, until there is another one.
    const byHand = { webhookId: newUuid(), url: 'http://shop.test/', eventTypes: [eventType] }
    for (const { url, webhookId, eventTypes } of endpoints.length > 0 ? endpoints : [byHand]) {
      if (!eventTypes.includes(eventType)) continue
      const body = JSON.stringify(bodyOf(one, { eventType, webhookId, at: options.now() }))
      const signature = createHmac('sha512', key).update(body).digest('hex').toUpperCase()
      queue.push({
        url,
        body,
        headers: { 'content-type': 'application/json', 'x-anet-signature': `sha512=${signature}` },
      })
    }
  }

  return {
    endpoints,
    tell,
    take: () => queue.splice(0),
    answer(method, headers, body) {
      if (headers.authorization !== `Basic ${basic}`)
        return {
          status: 401,
          body: { status: 401, reason: 'INCORRECT_CREDENTIALS', message: 'Authentication failed.' },
        }
      if (method === 'GET') return { status: 200, body: endpoints.map(endpointView) as never }
      const wanted = parsed(body) as Record<string, unknown> | undefined
      const types = wanted?.eventTypes
      const isRight =
        Array.isArray(types) &&
        types.length > 0 &&
        types.every((type) => EVENT.test(String(type))) &&
        /^https?:/.test(String(wanted?.url)) &&
        Object.keys(wanted ?? {}).every((name) => ['name', 'url', 'eventTypes', 'status'].includes(name))
      if (method !== 'POST' || !isRight) {
        options.violate(`${method} webhooks: ${body}`)
        return { status: 400, body: { status: 400, reason: 'MISSING_DATA', message: 'Invalid request.' } }
      }
      const endpoint = { webhookId: newUuid(), url: String(wanted?.url), eventTypes: types as string[] }
      endpoints.push(endpoint)
      return { status: 200, body: endpointView(endpoint) }
    },
  }
}

const endpointView = ({ webhookId, url, eventTypes }: Endpoint) => ({
  _links: { self: { href: `/rest/v1/webhooks/${webhookId}` } },
  ...{ webhookId, name: 'webhook', status: 'active', url, eventTypes },
})

const bodyOf = (
  one: Transaction,
  { eventType, webhookId, at }: { eventType: string; webhookId: string; at: number },
) => ({
  notificationId: newUuid(),
  eventType,
  eventDate: new Date(at).toISOString(),
  webhookId,
  payload: {
    responseCode: one.responseCode,
    authCode: 'A1B2C3',
    avsResponse: 'Y',
    authAmount: Number(decimalText(one.authMinor, one.currency)),
    ...(one.refId ? { merchantReferenceId: one.refId } : {}),
    ...(one.invoice ? { invoiceNumber: one.invoice } : {}),
    entityName: 'transaction',
    id: one.id || newId(),
  },
})
