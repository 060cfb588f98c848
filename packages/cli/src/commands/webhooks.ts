import type { Event, WebhookDelivery } from '../../../sdk/src/tender.ts'
import { type Command, count, given, type Shown, table } from '../command.ts'

const LIMIT = { value: 'count', description: 'How many, 20 by default.' }
const PAYMENT = { value: 'paymentId', description: 'Of this payment.' }
const SINCE = { value: 'time', description: 'Since this time, ISO 8601.' }

export const eventRow = ({ eventId, createdTime, payment, type }: Event): unknown[] => [
  createdTime,
  eventId,
  payment?.paymentState ?? type,
  payment?.referenceId,
]

const deliveryRow = ({ eventId, paymentState, type, status, attempts, url }: WebhookDelivery): unknown[] => [
  eventId,
  paymentState ?? type,
  status,
  attempts.length === 1 ? '1 try' : `${attempts.length} tries`,
  url,
]

const oneDelivery = (delivery: WebhookDelivery): Shown => ({
  data: delivery,
  lines: table([deliveryRow(delivery)]),
})

export const WEBHOOKS: readonly Command[] = [
  {
    name: 'events list',
    description: 'List events, the newest first: every state that payments entered.',
    options: { payment: PAYMENT, since: SINCE, limit: LIMIT },
    async run({ tender, values: { payment, since, limit } }) {
      const most = count(limit, 20)
      const filter = { ...given({ paymentId: payment, since }), pageSize: Math.min(most, 500) }
      const data = await tender.events.list(filter).take(most)
      return { data, lines: table(data.map(eventRow)) }
    },
  },
  {
    name: 'webhooks list',
    description: 'List webhooks with their tries, the newest first.',
    options: {
      payment: PAYMENT,
      since: SINCE,
      status: { value: 'status', description: 'pending, delivered, exhausted or dropped.' },
      limit: LIMIT,
    },
    async run({ tender, values: { payment, since, status, limit } }) {
      const most = count(limit, 20)
      const filter = { ...given({ paymentId: payment, since, status }), pageSize: Math.min(most, 500) }
      const data = await tender.webhooks.list(filter).take(most)
      return { data, lines: table(data.map(deliveryRow)) }
    },
  },
  {
    name: 'webhooks resend',
    description: 'Send a webhook again, or now instead of later.',
    args: ['eventId'],
    run: async ({ tender, args: [eventId = ''] }) => oneDelivery(await tender.webhooks.resend(eventId)),
  },
  {
    name: 'webhooks resend-failed',
    description: 'Send all webhooks again that were given up.',
    options: { since: SINCE },
    async run({ tender, values: { since } }) {
      const data = await tender.webhooks.resendFailed(given({ since }))
      return { data, lines: [`${data.resent} sent again.`] }
    },
  },
  {
    name: 'webhooks test',
    description: 'Send a test event to the webhook address of the app.',
    run: async ({ tender }) => oneDelivery(await tender.webhooks.sendTest()),
  },
]
