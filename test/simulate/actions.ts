import { METHOD_KINDS } from '../../src/providers/outcome.ts'
import { outcomesOf } from '../../src/providers/sandbox/choices.ts'
import type { Acknowledged, Merchant } from './merchant.ts'
import type { World } from './world.ts'

type Act = (world: World, merchant: Merchant) => Promise<unknown>

/** What merchants and customers do, and how often. */
const ACTIONS: readonly (readonly [weight: number, act: Act])[] = [
  [20, create],
  [24, pay],
  [10, capture],
  [6, cancel],
  [12, refund],
  [10, autoPayment],
  [5, recheck],
  [4, unhold],
  [5, repeatReference],
  [2, deleteMethod],
  [2, dispute],
  [1, mark],
  [2, read],
]
const TOTAL = ACTIONS.reduce((sum, [weight]) => sum + weight, 0)

export function randomAction(world: World, merchant: Merchant): Promise<unknown> {
  let ticket = world.dice.below(TOTAL)
  for (const [weight, act] of ACTIONS) {
    if (ticket < weight) return act(world, merchant)
    ticket -= weight
  }
  return Promise.resolve()
}

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })

function anyCustomer({ dice }: World, merchant: Merchant): string {
  const id = `${merchant.mark}-customer-${dice.below(4)}`
  merchant.customers.add(id)
  return id
}

function anyPayment({ dice }: World, merchant: Merchant): Acknowledged | undefined {
  const all = [...merchant.acknowledged.values()]
  // Mostly something recent: that is where things still move.
  const recent = dice.chance(0.8) ? all.slice(-12) : all
  return recent.length === 0 ? undefined : dice.pick(recent)
}

const amounts = [1, 9.99, 25, 100.01, 250]
let references = 0

function newBody(world: World, merchant: Merchant) {
  const { dice } = world
  return {
    referenceId: `${merchant.mark}-ref-${++references}`,
    amount: dice.pick(amounts),
    currency: dice.pick(['EUR', 'USD', 'JPY', 'KWD']),
    returnUrl: 'https://shop.example.com/back',
    autoCapture: dice.chance(0.6),
    showPayRecurringInCheckout: false,
    registerAutoPayment: dice.chance(0.3),
    ...order(anyCustomer(world, merchant)),
  }
}

/** Yen have no cents. */
const fitting = (body: ReturnType<typeof newBody>) =>
  body.currency === 'JPY' ? { ...body, amount: Math.ceil(body.amount) } : body

async function create(world: World, merchant: Merchant): Promise<void> {
  const { dice, clock } = world
  const expiring = dice.chance(0.1)
  const expirationTime = new Date(clock.now().getTime() + 3_600_000 * (1 + dice.below(48))).toISOString()
  const body = { ...fitting(newBody(world, merchant)), ...(expiring ? { expirationTime } : {}) }
  const twice = dice.chance(0.2)
  const send = () => merchant.call('POST', 'payments/hosted-page', body)
  // An impatient shop: the same request again while the first is on its way, or after it was lost.
  const [reply] = twice ? await Promise.all([send(), send()]) : [await send()]
  if (!reply) await send()
}

async function pay(world: World, merchant: Merchant): Promise<void> {
  const { dice } = world
  const payment = anyPayment(world, merchant)
  if (!payment) return
  const method = dice.chance(0.6) ? 'CreditCard' : dice.pick(METHOD_KINDS)
  const outcome = dice.chance(0.6) ? 'approved' : dice.pick([...outcomesOf(method), 'abandon'])
  const path = `test-helpers/payments/${payment.paymentId}/pay`
  const tab = () => merchant.call('POST', path, { method, outcome, saveMethod: dice.chance(0.2) })
  await Promise.all(dice.chance(0.15) ? [tab(), tab()] : [tab()])
}

const on = (verb: (world: World) => string) =>
  async function act(world: World, merchant: Merchant): Promise<void> {
    const payment = anyPayment(world, merchant)
    if (payment) await merchant.call('POST', `payments/${payment.paymentId}/${verb(world)}`)
  }

function capture(world: World, merchant: Merchant): Promise<void> {
  return on(({ dice }) => (dice.chance(0.3) ? 'capture?amount=1' : 'capture'))(world, merchant)
}
function cancel(world: World, merchant: Merchant): Promise<void> {
  return on(() => 'cancel')(world, merchant)
}
function recheck(world: World, merchant: Merchant): Promise<void> {
  return on(() => 'recheck')(world, merchant)
}
function unhold(world: World, merchant: Merchant): Promise<void> {
  return on(() => 'unhold')(world, merchant)
}
function mark(world: World, merchant: Merchant): Promise<void> {
  return on(() => 'mark-as-dispute')(world, merchant)
}

async function refund(world: World, merchant: Merchant): Promise<void> {
  const { dice } = world
  const payment = anyPayment(world, merchant)
  if (!payment) return
  const amount = dice.chance(0.6) ? `?amount=${dice.pick([1, 5, 9])}` : ''
  const headers = dice.chance(0.5) ? { 'idempotency-key': `refund-${dice.below(1e9)}` } : {}
  const send = () =>
    merchant.call('POST', `payments/${payment.paymentId}/refund${amount}`, undefined, headers)
  const reply = await send()
  // With a key, a lost answer is asked for again.
  if (!reply && 'idempotency-key' in headers) await send()
}

async function autoPayment(world: World, merchant: Merchant): Promise<void> {
  const { dice } = world
  const body = {
    referenceId: `${merchant.mark}-ref-${++references}`,
    amount: dice.pick(amounts),
    autoCapture: dice.chance(0.7),
    ...order(anyCustomer(world, merchant)),
  }
  const send = () => merchant.call('POST', 'payments/auto-payment', body)
  const reply = await send()
  if (!reply) await send()
}

async function repeatReference(world: World, merchant: Merchant): Promise<void> {
  const known = anyPayment(world, merchant)
  if (!known) return
  const body = { ...fitting(newBody(world, merchant)), referenceId: known.referenceId }
  await merchant.call('POST', 'payments/hosted-page', body)
}

async function deleteMethod(world: World, merchant: Merchant): Promise<void> {
  const customer = anyCustomer(world, merchant)
  const reply = await merchant.call('GET', `customers/${customer}/payment-methods`)
  const [method] = reply?.status === 200 ? reply.body : []
  if (method) await merchant.call('DELETE', `customers/${customer}/payment-methods/${method.paymentMethodId}`)
}

async function dispute(world: World, merchant: Merchant): Promise<void> {
  const payment = anyPayment(world, merchant)
  const outcome = world.dice.pick(['open', 'won', 'lost'])
  if (payment) await merchant.call('POST', `test-helpers/payments/${payment.paymentId}/dispute`, { outcome })
}

async function read(world: World, merchant: Merchant): Promise<void> {
  const payment = anyPayment(world, merchant)
  if (payment) await merchant.call('GET', `payments/referenceId:${encodeURIComponent(payment.referenceId)}`)
}
