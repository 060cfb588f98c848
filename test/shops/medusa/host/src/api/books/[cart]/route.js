const PAYMENTS = 'payment_collections.payments'

/** Medusa reads a line twice after two refunds at once: each of them made the next version of the order. */
const linesOf = ({ items }) =>
  [...new Map(items.map((line) => [line.id, line])).values()].map(({ unit_price, detail }) => ({
    unit_price,
    quantity: detail.quantity,
  }))

/** The orders of a cart with their payments, as the database has them. */
exports.GET = async ({ scope, params }, response) => {
  const query = scope.resolve('query')
  const filters = { cart_id: params.cart }
  const { data: links } = await query.graph({ entity: 'order_cart', fields: ['order_id'], filters })
  const fields = [
    'id',
    'items.*',
    'items.detail.*',
    `${PAYMENTS}.*`,
    `${PAYMENTS}.captures.*`,
    `${PAYMENTS}.refunds.*`,
  ]
  const ids = links.map(({ order_id }) => order_id)
  const { data: orders } =
    ids.length === 0 ? { data: [] } : await query.graph({ entity: 'order', fields, filters: { id: ids } })
  response.json({ orders: orders.map((order) => ({ ...order, items: linesOf(order) })) })
}
