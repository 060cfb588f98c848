const PAYMENTS = 'payment_collections.payments'

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
  const lineOf = ({ unit_price, detail }) => ({ unit_price, quantity: detail.quantity })
  response.json({ orders: orders.map((order) => ({ ...order, items: order.items.map(lineOf) })) })
}
