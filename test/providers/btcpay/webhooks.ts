import { createHmac } from 'node:crypto'
import type { SignedNotification } from '../kit/simulator.ts'
import { base58 } from './ids.ts'
import type { WebhookBody } from './schemas.ts'
import type { ServerEvent } from './state.ts'

export interface Webhook {
  readonly id: string
  url: string
  secret: string
  enabled: boolean
  automaticRedelivery: boolean
  everything: boolean
  specificEvents: readonly string[]
}

/** Registered endpoints and the notifications that wait for them. */
export interface Webhooks {
  readonly all: Webhook[]
  create(body: WebhookBody): Webhook
  update(webhook: Webhook, body: WebhookBody): void
  remove(webhook: Webhook): void
  emit(event: ServerEvent): void
  take(): SignedNotification[]
}

const SIGNATURE_HEADER = 'btcpay-sig'

export function createWebhooks(now: () => number): Webhooks {
  const all: Webhook[] = []
  const queue: SignedNotification[] = []
  return {
    all,
    create(body) {
      const webhook: Webhook = {
        id: base58(22),
        url: body.url,
        secret: body.secret ?? base58(28),
        enabled: body.enabled ?? true,
        automaticRedelivery: body.automaticRedelivery ?? true,
        everything: body.authorizedEvents?.everything ?? true,
        specificEvents: body.authorizedEvents?.specificEvents ?? [],
      }
      all.push(webhook)
      return webhook
    },
    update(webhook, body) {
      webhook.url = body.url
      webhook.enabled = body.enabled ?? true
      webhook.automaticRedelivery = body.automaticRedelivery ?? true
      webhook.everything = body.authorizedEvents?.everything ?? true
      webhook.specificEvents = body.authorizedEvents?.specificEvents ?? []
      if (body.secret) webhook.secret = body.secret
    },
    remove: (webhook) => void all.splice(all.indexOf(webhook), 1),
    emit(event) {
      for (const webhook of all) {
        const wanted = webhook.everything || webhook.specificEvents.includes(event.type)
        if (webhook.enabled && wanted) queue.push(signed(webhook, event, now()))
      }
    },
    take: () => queue.splice(0),
  }
}

/** The server signs the exact bytes of an indented body. */
function signed({ id, url, secret }: Webhook, event: ServerEvent, now: number): SignedNotification {
  const deliveryId = base58(22)
  const body = JSON.stringify(
    {
      deliveryId,
      webhookId: id,
      originalDeliveryId: deliveryId,
      isRedelivery: false,
      type: event.type,
      timestamp: Math.floor(now / 1000),
      ...event.members,
    },
    null,
    2,
  )
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: `sha256=${digest}` }
  return { url, headers, body }
}

export const webhookView = ({ id, secret, ...webhook }: Webhook, withSecret: boolean) => ({
  id,
  enabled: webhook.enabled,
  automaticRedelivery: webhook.automaticRedelivery,
  url: webhook.url,
  authorizedEvents: { everything: webhook.everything, specificEvents: webhook.specificEvents },
  ...(withSecret ? { secret } : {}),
})
