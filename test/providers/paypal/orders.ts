import { tellOrder, tellVault } from './notifications.ts'
import { addAuthorization, addCapture } from './payments.ts'
import type { OrderRequest, ProcessRequest } from './schemas.ts'
import { approvalUrl, notFound, orderLinks, orderView, problem, unprocessable } from './views.ts'
import {
  type Amount,
  amountOf,
  type Call,
  isTaken,
  type MoneyWire,
  newId,
  type Order,
  type Reply,
  type World,
  withKey,
} from './world.ts'

/** Orders v2. */

const HOUR = 3_600_000
/** An order that is not approved, or approved and not used, is forgotten after this time. */
const OPEN_MS = 3 * HOUR

type Unit = OrderRequest['purchase_units'][number]
type Wallet = NonNullable<ProcessRequest['payment_source']>['paypal']

export function createOrder(call: Call): Reply | (() => Reply) {
  const { world } = call
  const body = call.body as OrderRequest
  const [unit] = body.purchase_units
  if (!unit || body.purchase_units.length > 1) return unprocessable('UNSUPPORTED_INTENT', '/purchase_units')
  const amount = totalOf(unit)
  if ('status' in amount) {
    if (amount.status === 422) world.violations.push(`order: ${JSON.stringify(amount.body)}`)
    return amount
  }
  if (!isTaken(amount.currency)) return unprocessable('INVALID_CURRENCY_CODE')
  const wallet = body.payment_source?.paypal
  if (call.armed?.kind === 'decline') return unprocessable(call.armed.code)
  const context = wallet?.experience_context
  if (wallet && !(context?.return_url && context.cancel_url)) {
    world.violations.push('order: return_url and cancel_url are required')
    return unprocessable('INCOMPATIBLE_PARAMETER_VALUE', '/payment_source/paypal/experience_context')
  }
  if (wallet && isAddressed(unit) !== (context?.shipping_preference === 'SET_PROVIDED_ADDRESS'))
    world.violations.push('order: SET_PROVIDED_ADDRESS goes with an address')
  if (/^bad/i.test(unit.shipping?.address?.postal_code ?? ''))
    return unprocessable('SHIPPING_ADDRESS_INVALID')
  const order = newOrder(world, body, amount)
  order.status = wallet ? 'PAYER_ACTION_REQUIRED' : 'CREATED'
  return shown(call, order)
}

const isAddressed = ({ shipping }: Unit): boolean => shipping?.address !== undefined

function newOrder(world: World, body: OrderRequest, amount: Amount): Order {
  const now = world.now()
  const [unit] = body.purchase_units
  const wallet = body.payment_source?.paypal
  const context = wallet?.experience_context
  const order: Order = {
    id: newId(),
    reference: unit?.custom_id ?? '',
    createdAt: now,
    updatedAt: now,
    intent: body.intent as Order['intent'],
    status: 'CREATED',
    unit: { ...unit },
    invoiceId: unit?.invoice_id,
    amount,
    storesMethod: wallet?.attributes?.vault?.store_in_vault === 'ON_SUCCESS',
    pages:
      context?.return_url && context.cancel_url
        ? { returnUrl: context.return_url, cancelUrl: context.cancel_url }
        : undefined,
    hasPayer: false,
    declines: undefined,
    lapsesAt: now + OPEN_MS,
    authorizations: [],
    captures: [],
    refunds: [],
    vaultToken: undefined,
  }
  world.orders.set(order.id, order)
  return order
}

/** The first answer is 201, a repeated request gets 200 with the latest state. */
function shown({ world, wantsAll }: Call, order: Order): () => Reply {
  let status = 201
  return () => {
    const body = wantsAll
      ? orderView(world, order)
      : { id: order.id, status: order.status, links: orderLinks(world, order) }
    const reply = { status, body }
    status = 200
    return reply
  }
}

/** The amount of a unit, or the refusal of a sum that does not add up. */
function totalOf(unit: Unit): Amount | Reply {
  const total = amountOf(unit.amount)
  if (!total) return unprocessable('DECIMAL_PRECISION', '/purchase_units/@reference_id==default/amount/value')
  if (total.minor <= 0n) return unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE')
  const { breakdown } = unit.amount
  const sums = { items: itemSum(unit), taxes: taxSum(unit) }
  if (sums.items === undefined || sums.taxes === undefined) return unprocessable('DECIMAL_PRECISION')
  if (!breakdown) return unit.items ? unprocessable('ITEM_TOTAL_REQUIRED') : total
  const part = (wire: MoneyWire | undefined): bigint => (wire ? (amountOf(wire)?.minor ?? -1n) : 0n)
  const parts = Object.values(breakdown)
  if (parts.some((wire) => wire.currency_code !== total.currency))
    return unprocessable('MULTI_CURRENCY_ORDER')
  if (parts.some((wire) => part(wire) < 0n)) return unprocessable('DECIMAL_PRECISION')
  if (unit.items && sums.items !== part(breakdown.item_total)) return unprocessable('ITEM_TOTAL_MISMATCH')
  if (sums.taxes > 0n && sums.taxes !== part(breakdown.tax_total)) return unprocessable('TAX_TOTAL_MISMATCH')
  const { item_total, shipping, handling, tax_total, insurance, shipping_discount, discount } = breakdown
  const added = [item_total, shipping, handling, tax_total, insurance].reduce(
    (sum, one) => sum + part(one),
    0n,
  )
  const sum = added - part(shipping_discount) - part(discount)
  return sum === total.minor ? total : unprocessable('AMOUNT_MISMATCH')
}

const times = (wire: MoneyWire | undefined, quantity: string): bigint | undefined => {
  const amount = wire ? amountOf(wire) : { minor: 0n }
  return amount && amount.minor * BigInt(quantity)
}

const sumOf = (parts: readonly (bigint | undefined)[]): bigint | undefined =>
  parts.reduce<bigint | undefined>(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0n,
  )

const itemSum = ({ items = [] }: Unit) => sumOf(items.map((item) => times(item.unit_amount, item.quantity)))
const taxSum = ({ items = [] }: Unit) => sumOf(items.map((item) => times(item.tax, item.quantity)))

function complete(world: World, order: Order, by: { key?: string; isPending: boolean }): void {
  order.status = 'COMPLETED'
  order.updatedAt = world.now()
  order.lapsesAt = Number.POSITIVE_INFINITY
  if (!world.storesLate) storeWallet(world, order)
  if (order.intent === 'AUTHORIZE') addAuthorization(world, order, by)
  else addCapture(world, { order, amount: order.amount, isFinal: true, key: by.key, isPending: by.isPending })
  if (order.intent === 'CAPTURE' && !by.isPending) tellOrder(world, order, 'COMPLETED')
}

export function storeWallet(world: World, order: Order): void {
  if (!order.storesMethod || order.vaultToken) return
  const ids = { id: newId().toLowerCase(), customerId: newId().slice(0, 10), orderId: order.id }
  order.vaultToken = { ...ids, removed: false }
  world.vault.set(order.vaultToken.id, order.vaultToken)
  tellVault(world, order.vaultToken, 'CREATED')
}

export const findOrder = (world: World, id: string): Order | undefined => {
  const order = world.orders.get(id)
  return order && order.lapsesAt > world.now() ? order : undefined
}

export function readOrder({ world, id }: Call): Reply {
  const order = findOrder(world, id)
  return order ? { status: 200, body: orderView(world, order) } : notFound()
}

export const authorizeOrder = (call: Call): Reply | (() => Reply) => process(call, 'AUTHORIZE')
export const captureOrder = (call: Call): Reply | (() => Reply) => process(call, 'CAPTURE')

function process(call: Call, intent: Order['intent']): Reply | (() => Reply) {
  const { world, key, armed } = call
  const order = findOrder(world, call.id)
  if (!order) return notFound()
  if (order.intent !== intent) return unprocessable('ACTION_DOES_NOT_MATCH_INTENT')
  if (order.status === 'COMPLETED')
    return unprocessable(intent === 'CAPTURE' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED')
  const wallet = (call.body as ProcessRequest | undefined)?.payment_source?.paypal
  if (wallet) return chargeVaulted(call, order, wallet)
  if (order.status !== 'APPROVED') return unprocessable('ORDER_NOT_APPROVED')
  const declines = armed?.kind === 'decline' ? armed.code : order.declines
  if (declines !== undefined) {
    // The payer has to choose another funding source: the order waits for a new approval.
    order.status = 'PAYER_ACTION_REQUIRED'
    order.declines = undefined
    const rel = declines === 'PAYER_ACTION_REQUIRED' ? 'payer-action' : 'redirect'
    const link = { href: approvalUrl(world, order), rel, method: 'GET' }
    return problem(422, [{ issue: declines }], [link])
  }
  complete(world, order, { ...withKey(key), isPending: armed?.kind === 'pending' })
  return shown(call, order)
}

/** Pays an order with a stored wallet: there is nothing for the payer to approve. */
function chargeVaulted(
  call: Call,
  order: Order,
  { vault_id: vaultId, experience_context: context }: Wallet,
): Reply | (() => Reply) {
  const { world, key, armed } = call
  if (order.pages) {
    world.violations.push(`order ${order.id}: a stored wallet for an order with a page`)
    return unprocessable('INCOMPATIBLE_PARAMETER_VALUE', '/payment_source/paypal/vault_id')
  }
  const token = world.vault.get(vaultId)
  if (!token) return unprocessable('BILLING_AGREEMENT_NOT_FOUND')
  if (token.removed) return unprocessable('AGREEMENT_ALREADY_CANCELLED')
  if (armed?.kind === 'decline') {
    order.status = 'PAYER_ACTION_REQUIRED'
    const { return_url: returnUrl, cancel_url: cancelUrl } = context ?? {}
    if (returnUrl && cancelUrl) order.pages = { returnUrl, cancelUrl }
  }
  if (armed?.kind === 'decline' && armed.code !== 'PAYER_ACTION_REQUIRED') return unprocessable(armed.code)
  if (armed?.kind !== 'decline') {
    order.hasPayer = true
    complete(world, order, { ...withKey(key), isPending: armed?.kind === 'pending' })
  }
  return shown(call, order)
}

/** The payer agrees on the page. `declines`: with a funding source that will be declined. */
export function approve(world: World, order: Order, declines?: string): void {
  order.status = 'APPROVED'
  order.hasPayer = true
  order.declines = declines
  order.updatedAt = world.now()
  order.lapsesAt = world.now() + OPEN_MS
  tellOrder(world, order, 'APPROVED')
}
