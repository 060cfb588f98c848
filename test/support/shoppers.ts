import { Agent } from 'undici'
import { type Acknowledged, type Ask, stillMoving } from './invariants.ts'
import { PROCESS_TOKEN, pause } from './service-process.ts'

/** A merchant's sandbox app. */
export interface Shop {
  readonly appId: string
  readonly apiKey: string
}

/** What a crowd of shoppers met. */
export interface Tally {
  readonly statuses: Map<number, number>
  /** No answer came: the connection was refused or cut. */
  cut: number
  /** In which ways. */
  readonly cuts: Set<string>
  slowest503Ms: number
  without503Header: number
  readonly unexpected: string[]
  /** When the last request that did what it was asked ended. */
  lastGoodMs: number
  /** The longest time in which no request did. */
  longestGapMs: number
}

export interface Crowd {
  readonly tally: Tally
  readonly known: Map<string, Acknowledged>
  /** Lets what has begun end, then gives the whole tally. */
  leave(): Promise<Tally>
}

/** Without both, every shopper begins the next payment at once. */
export interface Pacing {
  /** Payments that all of them begin in a second. */
  readonly perSecond?: number
  /** Called for each answer with its time. */
  readonly onAnswer?: (tookMs: number) => void
}

interface CrowdOptions extends Pacing {
  /** Of the nodes; each shopper goes to the next when one fails. */
  readonly urls: readonly string[]
  readonly shops: readonly Shop[]
  readonly shoppers: number
  /** Acknowledged payments of earlier crowds are kept with those of this one. */
  readonly known: Map<string, Acknowledged>
}

/** Long: on a busy machine five hundred at once take their time. */
const ANSWER_MS = 60_000
let references = 0

export async function newShop(url: string, webhookUrl: string): Promise<Shop> {
  const send = (path: string, method: string, key: string, body: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    }).then((reply) => reply.json())
  const license = await send('/api/licenses', 'POST', PROCESS_TOKEN, { licenseName: 'Chaos' })
  const [{ appId, apiKey }] = (license as { apps: [Shop] }).apps
  await send(`/api/apps/${appId}`, 'PATCH', apiKey, { paymentWebhookUrl: webhookUrl })
  return { appId, apiKey }
}

/** The bank will do this wrong, at each of the shops. */
export async function armFault(url: string, shops: readonly Shop[], fault: object): Promise<void> {
  await Promise.all(shops.map((shop) => helper(url, shop, 'faults', fault)))
}

/** The bank does everything right again. */
export async function clearFaults(url: string, shops: readonly Shop[]): Promise<void> {
  await Promise.all(shops.map((shop) => helper(url, shop, 'faults')))
}

/** Without a body: takes back what the helper has set. */
async function helper(url: string, { appId, apiKey }: Shop, name: string, body?: object): Promise<void> {
  const reply = await fetch(`${url}/api/apps/${appId}/test-helpers/${name}`, {
    method: body ? 'POST' : 'DELETE',
    headers: { ...(body && { 'content-type': 'application/json' }), authorization: `Bearer ${apiKey}` },
    body: body ? JSON.stringify(body) : null,
  })
  await reply.text()
}

/** Moves the shops' clocks ahead, so that whatever is still unknown is asked about now and not in minutes. */
export async function settle(url: string, shops: readonly Shop[], ask: Ask): Promise<void> {
  for (let round = 0; round < 8; round++) {
    for (const shop of shops) await helper(url, shop, 'clock', { advance: '2m' })
    if (round > 0 && (await stillMoving(ask)).length === 0) return
  }
}

/** Shoppers who create, pay, refund, capture and cancel until they are asked to leave. */
export function gather({ urls, shops, shoppers, known, perSecond, onAnswer }: CrowdOptions): Crowd {
  const dispatcher = new Agent({ connections: shoppers, bodyTimeout: ANSWER_MS, headersTimeout: ANSWER_MS })
  const tally: Tally = {
    statuses: new Map(),
    cut: 0,
    cuts: new Set(),
    slowest503Ms: 0,
    without503Header: 0,
    unexpected: [],
    lastGoodMs: performance.now(),
    longestGapMs: 0,
  }
  let leaving = false
  const isOpen = () => !leaving
  const turn = turns(perSecond)
  const all = Array.from({ length: shoppers }, (_, place) => {
    const shop = shops[place % shops.length] as Shop
    const ask = asker({ urls, shop, dispatcher, tally, place, onAnswer })
    return shopper({ ask, shop, known, isOpen, turn })
  })
  return {
    tally,
    known,
    async leave() {
      leaving = true
      await Promise.all(all)
      await dispatcher.destroy()
      return tally
    },
  }
}

interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Undefined when no answer came. */
type AskNode = (path: string, body?: object) => Promise<Reply | undefined>

interface AskerOptions {
  readonly urls: readonly string[]
  readonly shop: Shop
  readonly dispatcher: Agent
  readonly tally: Tally
  readonly place: number
  readonly onAnswer: Pacing['onAnswer']
}

function asker({ urls, shop, dispatcher, tally, place, onAnswer }: AskerOptions): AskNode {
  let node = place
  return async (path, body) => {
    const startMs = performance.now()
    try {
      const reply = await dispatcher.request({
        origin: urls[node % urls.length] ?? '',
        path: `/api/apps/${shop.appId}/${path}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${shop.apiKey}` },
        body: body ? JSON.stringify(body) : null,
      })
      const text = await reply.body.text()
      const { statusCode: status, headers } = reply
      const tookMs = performance.now() - startMs
      onAnswer?.(tookMs)
      note(tally, { status, tookMs, retryAfter: headers['retry-after'], text })
      if (status >= 500) node++
      return { status, body: text ? JSON.parse(text) : {} }
    } catch (error) {
      tally.cut++
      tally.cuts.add((error as { code?: string }).code ?? String(error))
      node++
      return undefined
    }
  }
}

interface Noted {
  readonly status: number
  readonly tookMs: number
  readonly retryAfter: unknown
  readonly text: string
}

function note(tally: Tally, { status, tookMs, retryAfter, text }: Noted): void {
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
  if (status < 300) {
    const nowMs = performance.now()
    tally.longestGapMs = Math.max(tally.longestGapMs, nowMs - tally.lastGoodMs)
    tally.lastGoodMs = nowMs
  }
  if (status === 503) {
    tally.slowest503Ms = Math.max(tally.slowest503Ms, tookMs)
    if (retryAfter === undefined) tally.without503Header++
  } else if (status >= 500) tally.unexpected.push(`${status}: ${text.slice(0, 300)}`)
}

/** Resolves when the next payment may begin. Turns that nobody took are not made up for. */
function turns(perSecond: number | undefined): () => Promise<void> {
  if (perSecond === undefined) return async () => {}
  let nextMs = performance.now()
  return async () => {
    const nowMs = performance.now()
    nextMs = Math.max(nextMs + 1_000 / perSecond, nowMs - 1_000)
    await pause(nextMs - nowMs)
  }
}

interface ShopperOptions {
  readonly ask: AskNode
  readonly shop: Shop
  readonly known: Map<string, Acknowledged>
  readonly isOpen: () => boolean
}

async function shopper(options: ShopperOptions & { turn: () => Promise<void> }): Promise<void> {
  const { ask, isOpen, turn } = options
  while (isOpen()) {
    await turn()
    const place = ++references
    const payment = await create(options, place)
    if (!payment) continue
    const at = `payments/${payment.paymentId}`
    const paid = await ask(`test-helpers/${at}/pay`, {})
    if (paid?.body.paymentState === 'Captured') payment.captured = true
    if (place % 4 === 0 && payment.captured) await refund(ask, at, payment)
    if (place % 4 === 1 && paid?.body.paymentState === 'Authorized') {
      const acted = await ask(`${at}/${place % 8 === 1 ? 'capture' : 'cancel'}`)
      if (acted?.body.paymentState === 'Captured') payment.captured = true
    }
    // Whoever got no answer tries again a little later, as a shop's own client does.
    if (paid === undefined || paid.status >= 429) await pause(200)
  }
}

async function refund(ask: AskNode, at: string, payment: Acknowledged): Promise<void> {
  const acted = await ask(`${at}/refund`)
  if (acted?.body.paymentState === 'Refunded') payment.refunded = true
}

/** With the same reference until an answer comes: that is what references are for. */
async function create(
  { ask, shop, known, isOpen }: ShopperOptions,
  place: number,
): Promise<Acknowledged | undefined> {
  const referenceId = `chaos-${process.pid}-${place}`
  const body = {
    referenceId,
    amount: 25.5,
    currency: 'EUR',
    returnUrl: 'https://shop.example/back',
    autoCapture: place % 4 !== 1,
    showPayRecurringInCheckout: false,
    customerOrder: { customer: { customerId: `customer-${place % 500}` } },
  }
  while (isOpen()) {
    const made = await ask('payments/hosted-page', body)
    if (made?.status === 201) {
      const paymentId = Number(made.body.paymentId)
      const reported = { appId: shop.appId, referenceId, paymentId, captured: false, refunded: false }
      known.set(referenceId, reported)
      return reported
    }
    await pause(200)
  }
  return undefined
}
