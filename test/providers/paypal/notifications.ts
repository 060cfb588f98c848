import { createPublicKey, sign, verify } from 'node:crypto'
import { identity } from './certificate.ts'
import {
  authorizationView,
  captureView,
  disputeView,
  instant,
  orderView,
  refundView,
  tokenView,
} from './views.ts'
import {
  type Authorization,
  type Capture,
  type Dispute,
  newId,
  type Order,
  type Refund,
  type VaultToken,
  type Webhook,
  type World,
} from './world.ts'

/** Events that PayPal tells by itself, signed for every registered webhook that asked for them. */

export const CERTIFICATE_PATH = '/v1/notifications/certs/CERT-360caa42-fca2a594-5edc0ebc'

/** CRC-32 of the bytes as an unsigned number (polynomial 0xedb88320). */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffff_ffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return (crc ^ 0xffff_ffff) >>> 0
}

export interface Transmission {
  readonly id: string
  readonly time: string
  readonly webhookId: string
  readonly body: string
}

const signedText = ({ id, time, webhookId, body }: Transmission): Buffer =>
  Buffer.from(`${id}|${time}|${webhookId}|${checksum(Buffer.from(body))}`)

export function isSigned(transmission: Transmission, signature: string): boolean {
  const key = createPublicKey(identity().certificate)
  return verify('RSA-SHA256', signedText(transmission), key, Buffer.from(signature, 'base64'))
}

interface Reported {
  readonly type: string
  readonly resourceType: string
  readonly resource: object
  readonly summary: string
}

function tell(world: World, reported: Reported): void {
  const asked = [...world.webhooks.values()].filter(({ eventTypes }) => wants(eventTypes, reported.type))
  if (asked.length === 0) return
  const id = `WH-${newId()}-${newId()}`
  const event = {
    id,
    event_version: '1.0',
    create_time: new Date(world.now()).toISOString(),
    resource_type: reported.resourceType,
    resource_version: '2.0',
    event_type: reported.type,
    summary: reported.summary,
    resource: reported.resource,
    links: [
      { href: `${world.origin}/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' },
      {
        href: `${world.origin}/v1/notifications/webhooks-events/${id}/resend`,
        rel: 'resend',
        method: 'POST',
      },
    ],
  }
  for (const webhook of asked) world.queue.push(signed(world, webhook, JSON.stringify(event)))
}

const wants = (eventTypes: readonly string[], type: string): boolean =>
  eventTypes.includes('*') || eventTypes.includes(type)

function signed(world: World, webhook: Webhook, body: string) {
  const transmission = {
    id: `${newId()}-${newId()}`.toLowerCase(),
    time: instant(world.now()),
    webhookId: webhook.id,
    body,
  }
  const signature = sign('RSA-SHA256', signedText(transmission), identity().privateKey)
  const headers = {
    'content-type': 'application/json',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': `${world.origin}${CERTIFICATE_PATH}`,
    'paypal-transmission-id': transmission.id,
    'paypal-transmission-sig': signature.toString('base64'),
    'paypal-transmission-time': transmission.time,
  }
  return { url: webhook.url, headers, body }
}

export const tellOrder = (world: World, order: Order, what: 'APPROVED' | 'COMPLETED'): void =>
  tell(world, {
    type: `CHECKOUT.ORDER.${what}`,
    resourceType: 'checkout-order',
    resource: orderView(world, order),
    summary: `An order has been ${what.toLowerCase()}`,
  })

export const tellAuthorization = (world: World, one: Authorization, what: 'CREATED' | 'VOIDED'): void =>
  tell(world, {
    type: `PAYMENT.AUTHORIZATION.${what}`,
    resourceType: 'authorization',
    resource: authorizationView(world, one),
    summary: `A payment authorization was ${what.toLowerCase()}`,
  })

type CaptureEvent = 'COMPLETED' | 'PENDING' | 'DECLINED' | 'DENIED' | 'REVERSED'

export const tellCapture = (world: World, one: Capture, what: CaptureEvent): void =>
  tell(world, {
    type: `PAYMENT.CAPTURE.${what}`,
    resourceType: 'capture',
    resource: captureView(world, one),
    summary: `Payment capture is ${what.toLowerCase()}`,
  })

const REFUND_EVENTS = {
  COMPLETED: 'PAYMENT.CAPTURE.REFUNDED',
  PENDING: 'PAYMENT.REFUND.PENDING',
  FAILED: 'PAYMENT.REFUND.FAILED',
  CANCELLED: 'PAYMENT.REFUND.FAILED',
} as const

export const tellRefund = (world: World, one: Refund): void =>
  tell(world, {
    type: REFUND_EVENTS[one.status],
    resourceType: 'refund',
    resource: refundView(world, one),
    summary: `A refund is ${one.status.toLowerCase()}`,
  })

export const tellDispute = (world: World, one: Dispute, what: 'CREATED' | 'UPDATED' | 'RESOLVED'): void =>
  tell(world, {
    type: `CUSTOMER.DISPUTE.${what}`,
    resourceType: 'dispute',
    resource: disputeView(world, one),
    summary: `Case ${one.id} was ${what.toLowerCase()}`,
  })

export const tellVault = (world: World, token: VaultToken, what: 'CREATED' | 'DELETED'): void =>
  tell(world, {
    type: `VAULT.PAYMENT-TOKEN.${what}`,
    resourceType: 'payment_token',
    resource: {
      ...tokenView(world, token),
      ...(token.orderId === undefined ? {} : { metadata: { order_id: token.orderId } }),
    },
    summary: `A payment token has been ${what.toLowerCase()}`,
  })
