import { LIMITS } from '../../src/base/limits.ts'
import { isMethodId } from '../../src/providers/methods/method.ts'
import { SANDBOX_METHODS } from '../../src/sandbox/values/named.ts'
import type { Answer } from '../support/tender.ts'
import { OPERATOR_TOKEN, type Reply } from './node.ts'
import { type Promised, promiseOf } from './promises.ts'
import type { Provider } from './provider.ts'
import type { World } from './world.ts'

/** What a merchant was told of a payment, and may therefore rely on. */
export interface Known {
  readonly paymentId: number
  readonly referenceId: string
  readonly currency: string
  /** As it was told last. */
  state: string
  /** The provider's page, in a world with one. */
  pageUrl: string | undefined
  readonly statesSent: Set<string>
  captured: number
  refunded: number
}

export interface Merchant {
  readonly appId: string
  readonly apiKey: string
  readonly webhookSecret: string
  /** Begins every reference and customer of this merchant, so that a stranger's byte is recognised. */
  readonly mark: string
  readonly known: Map<string, Known>
  /** What it sent to create each payment, by reference. */
  readonly orders: Map<string, object>
  readonly promised: Promised[]
  /** Of the world's provider, by currency. */
  readonly profiles: Map<string, number>
  newReference(): string
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply | undefined>
}

export async function openMerchant(world: World, mark: string): Promise<Merchant> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const license = await insist(201, () =>
    world.anyNode().request('POST', '/api/licenses', { body: { licenseName: mark }, headers }),
  )
  const merchant = asMerchant(world, license.apps[0], mark)
  await insist(200, () => merchant.call('PATCH', '', { paymentWebhookUrl: hookOf(mark) }))
  if (world.dice.chance(0.5)) await insist(201, () => merchant.call('POST', 'fraud-policies', POLICY))
  if (world.dice.chance(0.5))
    await insist(200, () => merchant.call('PATCH', '', { acceptLatePayments: true }))
  if (world.provider) await addProfiles(world, merchant, world.provider)
  else await insist(200, () => merchant.call('POST', 'payment-profiles', BY_NAME))
  return merchant
}

/** Methods of the sandbox by their names: fast ones, slow ones, and a debit that can return. */
const BY_NAME = {
  ...{ provider: 'sandbox', name: 'By name', currency: 'EUR' },
  methods: SANDBOX_METHODS.filter((method) => isMethodId(method)),
}

/** Settings that each profile gets when it is connected. */
const FROM_CONNECTING = ['webhookSecret', 'webhookId', 'hmacKey', 'webhookSignatureKey']

/** One for each currency, with an endpoint of its own at the provider. All share one account there. */
async function addProfiles(world: World, merchant: Merchant, provider: Provider): Promise<void> {
  const { id, currencies, methods, simulator } = provider
  const settings = Object.fromEntries(
    Object.entries(simulator.settings).filter(([name]) => !FROM_CONNECTING.includes(name)),
  )
  for (const currency of currencies) {
    const wanted = { provider: id, name: `${id} ${currency}`, currency, methods, settings }
    const { paymentProfileId } = await insist(200, () => merchant.call('POST', 'payment-profiles', wanted))
    // Nodes do not hear of each other's changes here: what they have cached expires.
    await world.clock.sleep(LIMITS.directoryMs)
    await insist(200, () => merchant.call('POST', `payment-profiles/${paymentProfileId}/connect`))
    merchant.profiles.set(currency, paymentProfileId)
  }
  await world.clock.sleep(LIMITS.directoryMs)
}

export const hookOf = (mark: string): string => `https://${mark}.example.com/hook`

/** Large sums are held until somebody has looked; who was declined too often is turned away. */
const POLICY = {
  name: 'Careful',
  isDefault: true,
  rules: [
    { action: 'HoldPayment', measure: 'SingleAmount', threshold: 99 },
    { action: 'RejectPayment', measure: 'ProviderRejectCount', threshold: 4 },
  ],
}

/** A node may die over it: then again. */
async function insist(status: number, send: () => Promise<Reply | undefined>): Promise<Answer> {
  for (;;) {
    const reply = await send()
    if (reply?.status === status) return reply.body
    if (reply) throw new Error(`a merchant cannot open: ${reply.status} ${reply.text}`)
  }
}

function asMerchant(world: World, app: Answer, mark: string): Merchant {
  const { appId, apiKey, webhookSecret } = app
  let references = 0
  const merchant: Merchant = {
    appId,
    apiKey,
    webhookSecret,
    mark,
    known: new Map(),
    orders: new Map(),
    promised: [],
    profiles: new Map(),
    newReference: () => `${mark}-ref-${++references}`,
    async call(method, path, body, headers = {}) {
      const reply = await world.anyNode().request(method, `/api/apps/${appId}${path && `/${path}`}`, {
        body,
        headers: { authorization: `Bearer ${apiKey}`, ...headers },
      })
      if (!reply) return undefined
      world.heard.push({ appId, status: reply.status, text: reply.text, what: `${method} ${path}` })
      if (reply.status < 300) note(merchant, reply.body)
      const promise = reply.status === 200 ? promiseOf(path, headers['idempotency-key']) : undefined
      if (promise) merchant.promised.push(promise)
      return reply
    },
  }
  return merchant
}

function note({ known }: Merchant, payment: Answer): void {
  const { paymentId, referenceId, currency, paymentState: state } = payment ?? {}
  if (typeof paymentId !== 'number' || typeof referenceId !== 'string') return
  const earlier = known.get(referenceId)
  if (earlier && earlier.paymentId !== paymentId)
    throw new Error(`reference ${referenceId} is payment ${earlier.paymentId} and ${paymentId}`)
  const now = earlier ?? {
    paymentId,
    referenceId,
    currency,
    state,
    pageUrl: undefined,
    statesSent: new Set(),
    captured: 0,
    refunded: 0,
  }
  now.state = state
  now.pageUrl = payment.redirectUrl ?? now.pageUrl
  now.statesSent.add(state)
  now.captured = Math.max(now.captured, payment.capturedAmount)
  now.refunded = Math.max(now.refunded, payment.refundedAmount)
  known.set(referenceId, now)
}
