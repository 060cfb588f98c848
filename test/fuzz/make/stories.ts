import { parsed } from '../checks.ts'
import type { FuzzAnswer } from '../wire/exchange.ts'
import type { FuzzRequest, Header } from '../wire/request.ts'
import type { Send, World } from '../world.ts'
import { broken, OUTCOMES } from './generate.ts'
import { browse } from './pages.ts'
import { AMOUNTS, ODD_DATES, ODD_TEXTS, ODD_URLS, renderJson } from './values.ts'

/** Members of a payment that stories use. */
export interface SeenPayment {
  readonly paymentId: number
  readonly referenceId: string
  readonly paymentState: string
  readonly capturedAmount: number
  readonly refundedAmount: number
  readonly redirectUrl?: string
}

/** API calls of one app. */
export interface Calls {
  call(method: string, path: string, options?: CallOptions): Promise<FuzzAnswer>
  /** Reports a response that contradicts earlier ones. */
  fail(problem: string): void
}

interface CallOptions {
  readonly body?: unknown
  readonly query?: readonly string[]
  readonly headers?: readonly Header[]
}

export function callsOf(world: World, send: Send, fail: (problem: string) => void): Calls {
  const { sandbox } = world.merchant
  const operationAt = (method: string, path: string): string | undefined =>
    world.document.operations.find((one) => one.method === method && patternOf(one.path).test(path))?.id
  return {
    fail,
    call(method, path, { body, query = [], headers = [] } = {}) {
      const whole = `/api/apps/${sandbox.appId}${path}`
      const request: FuzzRequest = {
        method,
        path: whole,
        query,
        headers: [
          ['Authorization', `Bearer ${sandbox.apiKey}`],
          ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
          ...headers,
        ],
        ...(body === undefined ? {} : { body: Buffer.from(renderJson(body)) }),
      }
      const operationId = operationAt(method, whole)
      return send({ request, ...(operationId ? { operationId } : {}), what: `story ${operationId}` })
    },
  }
}

/** Literal paths take precedence over paths with parameters. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`)

export const paymentOf = (answer: FuzzAnswer): SeenPayment | undefined => {
  if (answer.status < 200 || answer.status >= 300) return undefined
  return parsed(answer.text) as SeenPayment | undefined
}

/** A typical order, sometimes with an unusual value. */
function orderOf(world: World, more: object = {}): unknown {
  const { dice } = world
  const order = {
    referenceId: `${world.mark}-${world.next()}`,
    amount: dice.pick([25.5, '25.50', 10, 0.01, 1_000]),
    currency: 'EUR',
    returnUrl: 'https://shop.example/back?order=1',
    autoCapture: dice.chance(0.5),
    showPayRecurringInCheckout: dice.chance(0.5),
    customerOrder: {
      customer: { customerId: `customer-${dice.below(60)}`, firstName: 'Dana', email: 'dana@shop.example' },
      orderId: `order-${dice.below(1_000)}`,
      description: dice.chance(0.9) ? 'Two books and a pencil' : dice.pick(ODD_TEXTS),
    },
    ...(dice.chance(0.15) ? { expirationTime: dice.pick(ODD_DATES) } : {}),
    ...(dice.chance(0.1) ? { returnUrl: dice.pick(ODD_URLS) } : {}),
    ...more,
  }
  return dice.chance(0.1) ? broken(world, order) : order
}

export async function created(
  world: World,
  { call }: Calls,
  more: object = {},
): Promise<SeenPayment | undefined> {
  return paymentOf(await call('POST', '/payments/hosted-page', { body: orderOf(world, more) }))
}

const ACTIONS = ['capture', 'capture', 'refund', 'refund', 'refund', 'cancel', 'unhold', 'recheck'] as const

/** Creates and pays a payment, then runs actions with unusual amounts and compares each result. */
export async function lifeStory(world: World, calls: Calls): Promise<void> {
  const { dice } = world
  const payment = await created(world, calls)
  if (!payment) return
  const at = `/payments/${payment.paymentId}`
  const body = { outcome: dice.pick(OUTCOMES), ...(dice.chance(0.2) ? { method: dice.pick(METHODS) } : {}) }
  let before = paymentOf(await calls.call('POST', `/test-helpers${at}/pay`, { body })) ?? payment
  for (let left = dice.below(5); left > 0; left--) {
    const action = dice.pick(ACTIONS)
    const amount = dice.chance(0.6) ? dice.pick(AMOUNTS) : undefined
    const answer = await calls.call('POST', `${at}/${action}`, {
      query: amount === undefined ? [] : [`amount=${encodeURIComponent(amount)}`],
      headers: dice.chance(0.5) ? [['Idempotency-Key', `${world.mark}-act-${world.next()}`]] : [],
    })
    const after = paymentOf(answer)
    if (after) compareMoney(calls, { before, after, action, amount })
    before = after ?? before
  }
  await compareReads(world, calls, before)
}

const METHODS = ['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal']

interface Step {
  readonly before: SeenPayment
  readonly after: SeenPayment
  readonly action: string
  readonly amount: string | undefined
}

/** Checks that a successful refund changed the refunded amount by the requested amount. */
function compareMoney({ fail }: Calls, { before, after, action, amount }: Step): void {
  const cents = (major: number) => Math.round(major * 100)
  if (cents(after.capturedAmount) < cents(before.capturedAmount)) fail('a captured amount shrinks')
  if (cents(after.refundedAmount) < cents(before.refundedAmount)) fail('a refunded amount shrinks')
  const isRefund = action === 'refund' && before.paymentState === 'Captured' && amount !== undefined
  const isDone = after.paymentState === 'Captured' || after.paymentState === 'Refunded'
  const moved = cents(after.refundedAmount) - cents(before.refundedAmount)
  if (isRefund && isDone && moved !== 0 && moved !== cents(Number(amount)))
    fail(`a refund of ${amount} refunds ${moved / 100}`)
}

/** Reads the payment by id and by reference and compares the results. */
async function compareReads(world: World, { call, fail }: Calls, known: SeenPayment): Promise<void> {
  const byId = paymentOf(await call('GET', `/payments/${known.paymentId}`))
  const reference = encodeURIComponent(known.referenceId)
  const byReference = paymentOf(await call('GET', `/payments/referenceId:${reference}`))
  if (byId?.paymentId !== byReference?.paymentId) fail('a payment is not found by its reference')
  if (world.dice.chance(0.3)) await call('GET', `/payments/${known.paymentId}/attempts`)
  if (world.dice.chance(0.3)) await call('GET', `/payments/${known.paymentId}/fraud`)
}

/** A method that is stored by a first payment, charged by later ones and removed. */
export async function recurringStory(world: World, calls: Calls): Promise<void> {
  const { dice } = world
  const customerId = `customer-${dice.below(60)}`
  const customerOrder = { customer: { customerId } }
  const payment = await created(world, calls, { customerOrder, registerAutoPayment: true })
  if (!payment) return
  const paid = { outcome: 'approved', saveMethod: true, method: dice.pick(['CreditCard', 'ElectronicCheck']) }
  await calls.call('POST', `/test-helpers/payments/${payment.paymentId}/pay`, { body: paid })
  await calls.call('GET', `/customers/${customerId}/payment-methods`)
  const { returnUrl: _unused, ...order } = orderOf(world, { customerOrder }) as Record<string, unknown>
  const charged = paymentOf(await calls.call('POST', '/payments/auto-payment', { body: order }))
  const repeated = paymentOf(await calls.call('POST', '/payments/auto-payment', { body: order }))
  if (charged && repeated && charged.paymentId !== repeated.paymentId) calls.fail('a repeated charge is new')
  const method = world.known.any('paymentMethodId', dice)
  if (method && dice.chance(0.3))
    await calls.call('DELETE', `/customers/${customerId}/payment-methods/${method}`)
}

/** Checks that the same request with the same key gets the same response. */
export async function repeatStory(world: World, calls: Calls): Promise<void> {
  const headers: readonly Header[] = [['Idempotency-Key', `${world.mark}-again-${world.next()}`]]
  const body = orderOf(world)
  const first = await calls.call('POST', '/payments', { body, headers })
  const second = await calls.call('POST', '/payments', { body, headers })
  const isKept = first.status < 500 && first.status !== 429
  if (isKept && (first.status !== second.status || withoutId(first) !== withoutId(second)))
    calls.fail(`a repeat with the same key is answered ${second.status} after ${first.status}`)
}

const withoutId = ({ text }: FuzzAnswer): string => text.replace(/"requestId":"[^"]*"/, '')

/** A payer at the checkout, at the provider's page or in the panel. */
export async function payerStory(world: World, calls: Calls, send: Send): Promise<void> {
  const { dice } = world
  if (dice.chance(0.35)) return panelStory(world, calls, send)
  const profile = Number(world.known.any('paymentProfileId', dice) ?? 1)
  const isProviders = dice.chance(0.3)
  const body = orderOf(world, isProviders ? { paymentProfileId: profile } : {})
  const path = isProviders ? '/payments/provider-hosted-page' : '/payments/hosted-page'
  const payment = paymentOf(await calls.call('POST', path, { body }))
  if (payment?.redirectUrl?.startsWith(world.url))
    await browse(world, send, payment.redirectUrl.slice(world.url.length))
}

async function panelStory(world: World, { call }: Calls, send: Send): Promise<void> {
  const { dice, known } = world
  const customerId = known.any('customerId', dice) ?? 'customer-1'
  const answer = await call('GET', `/customers/${encodeURIComponent(customerId)}/panel-link`, {
    query: ['returnUrl', 'unauthorizedRedirectUrl']
      .filter(() => dice.chance(0.6))
      .map((name) => `${name}=${encodeURIComponent(dice.pick(ODD_URLS))}`),
  })
  const link = parsed(answer.text)
  if (typeof link !== 'string' || !link.startsWith(world.url)) return
  const path = link.slice(world.url.length)
  await browse(world, send, path)
  // A link starts one session; the second use redirects elsewhere.
  await browse(world, send, path)
}
