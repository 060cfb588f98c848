import { isJson, recordRequest } from '../kit/gate.ts'
import { createHost } from '../kit/host.ts'
import type {
  DashboardAct,
  InMemory,
  InMemoryOptions,
  PayerAct,
  ProviderSimulator,
  SimulatedReply,
  SimulatedRequest,
} from '../kit/simulator.ts'
import { type Account, answerTo, type Reply } from './api.ts'
import type { Site } from './handlers.ts'
import { pageAnswer } from './pages.ts'
import { capture, refund, refundsOf, review, voidIt } from './processing.ts'
import {
  drawFrom,
  enter,
  expire,
  type FraudAction,
  newId,
  newSecret,
  type State,
  settle,
  type Transaction,
  tick,
} from './state.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export interface AuthorizeNetOptions {
  /** Start of the provider's clock. */
  readonly now?: () => number
  /** How long after a capture its batch is settled. A day, if absent. */
  readonly settlementMs?: number
  readonly currencies?: readonly string[]
  readonly signsWith?: 'text' | 'bytes'
  readonly inMemory?: InMemoryOptions
}

export interface AuthorizeNetSimulator extends ProviderSimulator, InMemory {
  /** Fraud filters hold every transaction from now on, reserved or not. Undefined: none. */
  filter(action: FraudAction | undefined): void
  /** While on, new transactions are missing in lists. */
  lagLists(on: boolean): void
  transactions(reference: string): readonly Readonly<Transaction>[]
  /** A person declines a held transaction at the provider. */
  decline(reference: string): boolean
  /** All open batches are settled now. */
  settleAll(): void
  /** Payers on pages have this card from now on. Undefined: each another one. */
  useCard(number: string | undefined): void
  /** The provider shows another status of a transaction. */
  show(transId: string, status: Transaction['status']): void
  /** Stored methods of all customers. */
  storedMethods(): number
}

const DAY_MS = 24 * 3_600_000

/** A simulated account at Authorize.Net, on real HTTP. */
export async function createAuthorizeNetSimulator(
  options: AuthorizeNetOptions = {},
): Promise<AuthorizeNetSimulator> {
  drawFrom(options.inMemory?.bytes)
  const host = createHost(options)
  const { gate, now } = host
  const credentials = { apiLoginId: newSecret(5), transactionKey: newSecret(8) }
  const signatureKey = newSecret(64)
  const violate = (what: string) => void gate.violations.push(what)
  const webhooks = createWebhooks({
    credentials,
    signatureKey,
    signsWith: options.signsWith ?? 'text',
    now,
    violate,
  })
  const state = newState(now, webhooks, options.settlementMs ?? DAY_MS)
  const site: Site = { state, currencies: options.currencies ?? ['USD', 'EUR', 'GBP', 'CAD', 'AUD'], violate }
  const account = { site, credentials, gate }

  const handle: Handle = async (request) => {
    tick(state)
    const { url, body } = request
    const path = url.pathname + url.search
    if (path.startsWith('/payment/')) return pageReply(site, { path, body })
    const reply = apiReply(request, { account, webhooks })
    recordRequest(gate, request, reply.status)
    return withMark(reply)
  }
  return {
    ...(await host.open(handle)),
    settings: { ...credentials, signatureKey },
    wrongSettings: { ...credentials, transactionKey: newSecret(8), signatureKey },
    secrets: [credentials.transactionKey, signatureKey],
    payer: (pageUrl, act) => actOnPage(handle, pageUrl, act),
    ...controlsOf(state, webhooks),
    advance(ms) {
      host.pass(ms)
      tick(state)
    },
    get webhookEndpoints() {
      return webhooks.endpoints.map(({ url }) => ({ url, secret: signatureKey }))
    },
  }
}

const newState = (now: () => number, webhooks: Webhooks, settlementMs: number): State => ({
  transactions: new Map(),
  pages: new Map(),
  profiles: new Map(),
  ledger: [],
  batches: [],
  now,
  tell: webhooks.tell,
  filter: undefined,
  card: undefined,
  isLagging: false,
  hidden: new Set(),
  settlementMs,
})

type Controls = Pick<
  AuthorizeNetSimulator,
  | 'ledger'
  | 'allEntries'
  | 'dashboard'
  | 'takeNotifications'
  | 'filter'
  | 'lagLists'
  | 'transactions'
  | 'storedMethods'
  | 'settleAll'
  | 'decline'
  | 'useCard'
  | 'show'
>

const controlsOf = (state: State, webhooks: Webhooks): Controls => ({
  ledger(reference) {
    tick(state)
    return state.ledger.filter((entry) => entry.reference === reference)
  },
  allEntries: () => state.ledger,
  dashboard(reference, act) {
    tick(state)
    return paymentsOf(state, reference)
      .reverse()
      .some((one) => actInDashboard(state, one, act))
  },
  takeNotifications: webhooks.take,
  filter(action) {
    state.filter = action
  },
  lagLists(on) {
    state.isLagging = on
    if (!on) state.hidden.clear()
  },
  transactions: (reference) => paymentsOf(state, reference),
  decline: (reference) =>
    paymentsOf(state, reference).some(({ id }) => 'transaction' in review(state, id, 'decline')),
  useCard(number) {
    state.card = number
  },
  show(transId, status) {
    const one = state.transactions.get(transId)
    if (one) one.status = status
  },
  settleAll() {
    for (const one of state.transactions.values()) settle(state, one)
  },
  storedMethods: () => [...state.profiles.values()].flatMap(({ methods }) => methods).length,
})

const paymentsOf = (state: State, reference: string): Transaction[] =>
  [...state.transactions.values()].filter(
    ({ invoice, type }) => invoice === reference && type !== 'refundTransaction',
  )

function actInDashboard(state: State, one: Transaction, act: DashboardAct): boolean {
  const { id } = one
  switch (act.kind) {
    case 'settle':
      for (const each of [one, ...refundsOf(state, one)]) settle(state, each)
      return true
    case 'void':
      return 'transaction' in voidIt(state, id)
    case 'capture':
      return 'transaction' in capture(state, id, amountOf(act.amountMinor ?? one.authMinor))
    case 'refund': {
      const amount = amountOf(act.amountMinor ?? one.settleMinor)
      const asked = { refTransId: id, amount, number: one.account.number, refId: '', description: '' }
      return 'transaction' in refund(state, { ...asked, invoice: one.invoice, duplicateSeconds: 0 })
    }
    case 'fail-refund': {
      const last = refundsOf(state, one).at(-1)
      return last !== undefined && 'transaction' in voidIt(state, last.id)
    }
    case 'release':
      return 'transaction' in review(state, id, 'approve')
    case 'expire-authorisation':
      if (one.status !== 'authorizedPendingCapture') return false
      expire(state, one)
      return true
    case 'return-debit':
      return returnDebit(state, one)
    case 'dispute':
      if (one.status !== 'settledSuccessfully' && one.status !== 'chargeback') return false
      one.status = act.state === 'won' ? 'chargebackReversal' : 'chargeback'
      return act.state !== 'lost'
    default:
      return false
  }
}

const amountOf = (minor: bigint): string => (Number(minor) / 100).toFixed(2)

function returnDebit(state: State, one: Transaction): boolean {
  if (one.account.kind !== 'bank' || one.status !== 'settledSuccessfully' || one.returned) return false
  // The debit keeps its status. The return has its own transaction, under the same invoice number.
  const item: Transaction = { ...one, id: newId(), refTransId: one.id, status: 'returnedItem' }
  state.transactions.set(item.id, item)
  one.returned = { id: item.id, code: 'R01', at: state.now() }
  enter(state, one, { kind: 'refund', amountMinor: one.settleMinor, state: 'done' })
  return true
}

interface Api {
  readonly account: Account
  readonly webhooks: Webhooks
}

function apiReply(request: SimulatedRequest, { account, webhooks }: Api): Reply {
  const { method, url, headers, body } = request
  const path = url.pathname + url.search
  const { violate } = account.site
  if (path === '/rest/v1/webhooks') return webhooks.answer(method, headers, body)
  if (path !== '/xml/v1/request.api' || method !== 'POST') {
    violate(`${method} ${path} does not exist`)
    return { status: 404, body: 'Not found' }
  }
  if (!isJson(request)) {
    violate(`content type ${headers['content-type']}`)
    return { status: 415, body: 'Unsupported media type' }
  }
  return answerTo(account, body)
}

type Handle = InMemory['handle']

/** JSON begins with a byte-order mark. */
function withMark({ status, body, headers }: Reply): SimulatedReply {
  const isJson = typeof body !== 'string'
  const type = isJson ? 'application/json; charset=utf-8' : 'text/html'
  return {
    status,
    headers: { 'content-type': type, ...headers },
    body: isJson ? `\ufeff${JSON.stringify(body)}` : body,
  }
}

function pageReply(site: Site, { path, body }: { path: string; body: string }): SimulatedReply {
  const form = Object.fromEntries(new URLSearchParams(body))
  const { status, html = '', location } = pageAnswer(site, path, form) ?? { status: 404, html: 'Not found' }
  const headers = { 'content-type': 'text/html; charset=utf-8', ...(location ? { location } : {}) }
  return { status, headers, body: html }
}

function buttonOf(act: PayerAct): string {
  if (act.kind === 'decline') return `decline:${act.code ?? '2'}`
  return act.kind === 'abandon' ? 'cancel' : 'pay'
}

/** The address of the page has the fields of the form in its query. */
async function actOnPage(handle: Handle, pageUrl: string, act: PayerAct): Promise<string | undefined> {
  const { origin, pathname, searchParams } = new URL(pageUrl)
  const token = searchParams.get('token') ?? ''
  const post = (path: string, form: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams(form).toString()
    return handle({ method: 'POST', url: new URL(path, origin), headers: {}, body })
  }
  if (act.kind === 'pay-again') {
    const paid = await post('/payment/submit', { token, act: 'pay', again: 'yes' })
    return paid.headers.location
  }
  const opened = await post(pathname, { token })
  if (!opened.body.includes('name="act"')) throw new Error('the page cannot be paid on')
  const reply = await post('/payment/submit', { token, act: buttonOf(act) })
  return reply.headers.location
}
