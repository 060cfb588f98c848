import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { createTender, verifyWebhook } from 'tender-sdk'
import { html, page, price } from './page.js'

const { TENDER_URL = 'http://localhost:8080', APP_ID, API_KEY, PORT = '3000' } = process.env
const SHOP_URL = process.env.SHOP_URL ?? `http://localhost:${PORT}`

const tender = createTender({ url: TENDER_URL, appId: APP_ID, apiKey: API_KEY })
// A real shop keeps its secret with its other secrets. This one asks for a new one when it starts.
const webhookSecret = process.env.WEBHOOK_SECRET ?? (await tender.webhooks.rotateSecret())

const PRODUCTS = [
  { id: 'beans', name: 'Coffee beans, 1 kg', cents: 1890 },
  { id: 'mug', name: 'Enamel mug', cents: 1250 },
  { id: 'filter', name: 'Paper filters, 100', cents: 490 },
]

/** A real shop has a database. */
const orders = new Map()

const shop = Fastify()
const text = { parseAs: 'string' }
shop.addContentTypeParser('application/x-www-form-urlencoded', text, async (_request, body) =>
  Object.fromEntries(new URLSearchParams(body)),
)
// Webhooks are verified byte for byte, so their JSON is not parsed here.
shop.addContentTypeParser('application/json', text, async (_request, body) => body)

// 1. The cart.
shop.get('/', async (_request, reply) => {
  const rows = PRODUCTS.map(
    ({ id, name, cents }) => html`<tr>
      <td><label for="${id}">${name}</label></td>
      <td>${price(cents)}</td>
      <td><input type="number" id="${id}" name="${id}" value="0" min="0" max="99"></td>
    </tr>`,
  )
  return page(
    reply,
    'Your cart',
    html`<form method="post" action="/checkout"><table>${rows}</table>
    <button>Check out</button></form>`,
  )
})

// 2. The payment: create it, and send the customer to its page.
shop.post('/checkout', async ({ body = {} }, reply) => {
  const lines = PRODUCTS.map((product) => ({ ...product, count: countIn(body[product.id]) }))
  const items = lines.filter(({ count }) => count > 0)
  if (items.length === 0) return reply.redirect('/', 303)
  const order = {
    id: randomUUID(),
    items,
    cents: items.reduce((sum, { cents, count }) => sum + cents * count, 0),
  }
  orders.set(order.id, order)
  order.payment = await tender.payments.createHostedPage({
    referenceId: order.id,
    amount: order.cents / 100,
    currency: 'EUR',
    autoCapture: true,
    showPayRecurringInCheckout: false,
    returnUrl: `${SHOP_URL}/orders/${order.id}`,
    webhookUrl: `${SHOP_URL}/hooks`,
    customerOrder: {
      customer: { customerId: order.id },
      items: items.map(({ name, cents, count }) => ({ name, amount: cents / 100, quantity: count })),
    },
  })
  return reply.redirect(order.payment.redirectUrl, 303)
})

const countIn = (value) => (/^\d{1,2}$/.test(value) ? Number(value) : 0)

// 3. The webhook: something changed, so read the payment.
shop.post('/hooks', async (request, reply) => {
  const event = await verifyWebhook(request.body, request.headers, webhookSecret).catch(() => undefined)
  if (!event) return reply.code(400).send()
  const order = orders.get(event.payment?.referenceId)
  if (order) await refresh(order)
  return reply.code(204).send()
})

/** What the API says is true. Webhooks may come twice, and browsers may come back without having paid. */
async function refresh(order) {
  const payment = await tender.payments.getByReference(order.id)
  if (payment.paymentState === 'Captured' && !order.isShipped) {
    order.isShipped = true
    console.log(`Ship order ${order.id}`)
  }
  order.payment = payment
}

// 4. The order page, to which the customer comes back.
const STATES = {
  Captured: 'Paid',
  Refunded: 'Refunded',
  Failed: 'Not paid',
  Created: 'Waiting for your payment',
}

shop.get('/orders/:id', async ({ params }, reply) => {
  const order = orders.get(params.id)
  if (!order) return reply.callNotFound()
  await refresh(order)
  const { paymentState, redirectUrl, canRefund } = order.payment
  const refund = html`<form method="post" action="/orders/${order.id}/refund"><button>Refund</button></form>`
  const rows = order.items.map(
    ({ name, count, cents }) => html`<tr><td>${name}</td><td>${count} ×</td><td>${price(cents)}</td></tr>`,
  )
  return page(
    reply,
    `Order ${order.id.slice(0, 8)}`,
    html`<p class="state">${STATES[paymentState] ?? 'In progress'}</p>
    <table>${rows}<tr><th>Total</th><td></td><th>${price(order.cents)}</th></tr></table>
    ${redirectUrl ? html`<p><a href="${redirectUrl}">Pay now</a></p>` : ''}
    ${canRefund ? refund : ''}`,
  )
})

// 5. The refund. A real shop offers it to its staff only.
shop.post('/orders/:id/refund', async ({ params }, reply) => {
  const order = orders.get(params.id)
  if (!order) return reply.callNotFound()
  // The same key on every click: the money goes back once.
  await tender.payments.refund(order.payment.paymentId, {}, { idempotencyKey: `refund-${order.id}` })
  return reply.redirect(`/orders/${order.id}`, 303)
})

await shop.listen({ port: Number(PORT) })
console.log(`The shop is open: ${SHOP_URL}`)
