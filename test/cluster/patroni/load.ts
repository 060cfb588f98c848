import { Agent } from 'undici'
import type { Acknowledged } from '../../support/invariants.ts'
import { pause } from '../../support/service-process.ts'
import type { Shop } from '../../support/shoppers.ts'

/** Payments that are started per second. */
const RATE = 12
/** Payments under way at once; while the database is away no more are started. */
const MAX_OPEN = 40
const RETRY_MS = 400
const ANSWER_MS = 30_000
/** A payment that has not reached its state after this long is left to the recheck. */
const GIVE_UP_MS = 45_000

export interface Figures {
  created: number
  captured: number
  /** The longest time without a successful creation. */
  longestCreateGapMs: number
  /** The longest time from the first request of a payment until it was captured. */
  longestToCaptureMs: number
  refused: number
  slowestRefusalMs: number
  /** Requests without an answer. */
  cut: number
  readonly problems: Set<string>
}

export interface Load {
  readonly figures: Figures
  /** Completes the payments under way. */
  stop(): Promise<Figures>
}

interface LoadOptions {
  /** Of the nodes. A request without an answer, or with 503, is repeated at the next one. */
  readonly urls: readonly string[]
  readonly shops: readonly Shop[]
  readonly known: Map<string, Acknowledged>
}

let references = 0

/** Starts payments at a fixed rate. Each is created, paid, and then captured, refunded or cancelled. */
export function startLoad({ urls, shops, known }: LoadOptions): Load {
  const figures: Figures = {
    created: 0,
    captured: 0,
    longestCreateGapMs: 0,
    longestToCaptureMs: 0,
    refused: 0,
    slowestRefusalMs: 0,
    cut: 0,
    problems: new Set(),
  }
  const dispatcher = new Agent({ connections: 64, bodyTimeout: ANSWER_MS, headersTimeout: ANSWER_MS })
  const open = new Set<Promise<void>>()
  let lastCreatedMs = performance.now()
  const onCreated = () => {
    const nowMs = performance.now()
    figures.created++
    figures.longestCreateGapMs = Math.max(figures.longestCreateGapMs, nowMs - lastCreatedMs)
    lastCreatedMs = nowMs
  }
  const timer = setInterval(() => {
    if (open.size >= MAX_OPEN) return
    const place = ++references
    const shop = shops[place % shops.length] as Shop
    const send = senderOf({ urls, shop, dispatcher, figures, place })
    const work = livePayment({ send, shop, known, figures, place, onCreated }).finally(() =>
      open.delete(work),
    )
    open.add(work)
  }, 1_000 / RATE)
  return {
    figures,
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      await dispatcher.destroy()
      return figures
    },
  }
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Undefined when there was no answer, or 503. */
type Send = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer | undefined>

interface SenderOptions {
  readonly urls: readonly string[]
  readonly shop: Shop
  readonly dispatcher: Agent
  readonly figures: Figures
  readonly place: number
}

function senderOf({ urls, shop, dispatcher, figures, place }: SenderOptions): Send {
  let node = place
  return async (method, path, body) => {
    const startMs = performance.now()
    try {
      const reply = await dispatcher.request({
        origin: urls[node % urls.length] ?? '',
        path: `/api/apps/${shop.appId}/${path}`,
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${shop.apiKey}` },
        body: body ? JSON.stringify(body) : null,
      })
      const text = await reply.body.text()
      const status = reply.statusCode
      if (status < 500) return { status, body: text ? JSON.parse(text) : {} }
      if (status !== 503) figures.problems.add(`answered ${status}: ${text.slice(0, 300)}`)
      else if (reply.headers['retry-after'] === undefined) figures.problems.add('503 without Retry-After')
      figures.refused++
      figures.slowestRefusalMs = Math.max(figures.slowestRefusalMs, performance.now() - startMs)
    } catch {
      figures.cut++
    }
    node++
    return undefined
  }
}

interface LifeOptions {
  readonly send: Send
  readonly shop: Shop
  readonly known: Map<string, Acknowledged>
  readonly figures: Figures
  readonly place: number
  readonly onCreated: () => void
}

/** A quarter is authorised first and then captured or cancelled, a quarter is refunded. */
async function livePayment(options: LifeOptions): Promise<void> {
  const { send, figures, place } = options
  const startMs = performance.now()
  const payment = await create(options)
  if (!payment) return
  const at = `payments/${payment.paymentId}`
  const pay = () => send('POST', `test-helpers/${at}/pay`, {})
  const act = (action: string) => () => send('POST', `${at}/${action}`)
  const reach = (state: string, action: () => Promise<Answer | undefined>) =>
    reachState({ send, at, state, action, endMs: startMs + GIVE_UP_MS })
  if (place % 4 === 1 && !(await reach('Authorized', pay))) return
  if (place % 8 === 5) {
    await reach('Failed', act('cancel'))
    return
  }
  if (!(await reach('Captured', place % 4 === 1 ? act('capture') : pay))) return
  payment.captured = true
  figures.captured++
  figures.longestToCaptureMs = Math.max(figures.longestToCaptureMs, performance.now() - startMs)
  if (place % 4 === 0 && (await reach('Refunded', act('refund')))) payment.refunded = true
}

/** With the same reference until there is an answer. */
async function create({ send, shop, known, figures, place, onCreated }: LifeOptions) {
  const referenceId = `patroni-${place}`
  const body = {
    referenceId,
    amount: 25.5,
    currency: 'EUR',
    returnUrl: 'https://shop.example/back',
    autoCapture: place % 4 !== 1,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: `customer-${place % 500}` } },
  }
  for (;;) {
    const made = await send('POST', 'payments/hosted-page', body)
    if (made?.status === 201) {
      onCreated()
      const paymentId = Number(made.body.paymentId)
      const reported = { appId: shop.appId, referenceId, paymentId, captured: false, refunded: false }
      known.set(referenceId, reported)
      return reported
    }
    if (made) {
      figures.problems.add(`a creation was refused with ${made.status}`)
      return undefined
    }
    await pause(RETRY_MS)
  }
}

interface ReachOptions {
  readonly send: Send
  readonly at: string
  readonly state: string
  readonly action: () => Promise<Answer | undefined>
  readonly endMs: number
}

/** Repeats an action until the payment has the state; false when the time is over. */
async function reachState({ send, at, state, action, endMs }: ReachOptions): Promise<boolean> {
  while (performance.now() < endMs) {
    const acted = await action()
    if (acted?.body.paymentState === state) return true
    const now = await send('GET', at)
    if (now?.body.paymentState === state) return true
    await pause(RETRY_MS)
  }
  return false
}
