import { jsonReply, recordRequest } from '../kit/gate.ts'
import { createHost, ledgerOf } from '../kit/host.ts'
import type {
  DashboardAct,
  InMemory,
  InMemoryOptions,
  LedgerEntry,
  PayerAct,
  ProviderSimulator,
  SimulatedReply,
  SimulatedRequest,
} from '../kit/simulator.ts'
import { answerTo } from './gate.ts'
import type { Site } from './handlers.ts'
import { base58, drawFrom } from './ids.ts'
import { pageAnswer } from './pages.ts'
import { canMarkInvalid, claimedOf, type Invoice, isCompleted, receivedOf } from './state.ts'
import { createStore, referenced, type Store } from './store.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export interface BtcpayOptions {
  /** Start of the server's clock. */
  readonly now?: () => number
  /** 2.4.1, if absent. Servers before 2.4.0 have only the paths below the store. */
  readonly version?: string
  /** Permissions of the API key. All, if absent. */
  readonly permissions?: readonly string[]
  /** The methods by which the store pays out. */
  readonly payoutMethods?: readonly string[]
  /** Registers a webhook at once: `settings` then has its secret. */
  readonly webhookSecret?: string
  readonly inMemory?: InMemoryOptions
}

export interface BtcpaySimulator extends ProviderSimulator, InMemory {
  /** Invoices of a reference, paid or not, oldest first. */
  invoices(reference: string): readonly Readonly<Invoice>[]
  /** Address of the claim page of each refund, oldest first. */
  claimPages(reference: string): readonly string[]
  /** While on, new invoices and pull payments are missing in lists. Off: lists are complete again. */
  lagLists(on: boolean): void
  /** Refunds of other invoices, made on the pages of the server. */
  addRefunds(count: number): void
  /** The methods by which the refunds of a reference can be claimed, oldest first. */
  claimMethods(reference: string): readonly (readonly string[])[]
  /** The merchant pays out what was claimed. */
  completeClaims(reference: string): void
  /** Queues a signed event of the store with these members. */
  notify(event: { readonly type: string } & Readonly<Record<string, unknown>>): void
}

/** A simulated BTCPay Server with one store, on real HTTP. */
export async function createBtcpaySimulator(options: BtcpayOptions = {}): Promise<BtcpaySimulator> {
  drawFrom(options.inMemory?.bytes)
  const host = createHost(options)
  const { gate } = host
  const apiKey = base58(40)
  const webhooks = createWebhooks(() => store.now())
  const store = createStore(options.now ?? Date.now, (event) => webhooks.emit(event))
  if (options.webhookSecret) webhooks.create({ url: 'http://shop.test/', secret: options.webhookSecret })
  const { version = '2.4.1', payoutMethods = ['BTC-CHAIN', 'BTC-LN'] } = options
  const violate = (what: string) => void gate.violations.push(what)
  const site: Site = { store, webhooks, version, payoutMethods, origin: host.origin, violate }
  const server = { site, apiKey, permissions: options.permissions, gate }

  const handle: Handle = async (request) => {
    if (!request.url.pathname.startsWith('/api/')) return pageReply(store, request)
    const answer = answerTo(server, request)
    recordRequest(gate, request, answer.status)
    return jsonReply(answer, 'application/json; charset=utf-8')
  }
  const opened = await host.open(handle)
  const account = { serverUrl: opened.origin, storeId: store.id }

  return {
    ...opened,
    settings: {
      ...account,
      apiKey,
      ...(options.webhookSecret ? { webhookSecret: options.webhookSecret } : {}),
    },
    wrongSettings: { ...account, apiKey: base58(40), webhookSecret: 'wrong' },
    get secrets() {
      return [apiKey, ...webhooks.all.map(({ secret }) => secret)]
    },
    payer: (pageUrl, act) => actOnPage(handle, pageUrl, act),
    ...controlsOf(store, webhooks),
    get webhookEndpoints() {
      return webhooks.all.map(({ url, secret }) => ({ url, secret }))
    },
    claimPages: (reference) =>
      pullsOf(store, reference).map(({ id }) => `${opened.origin}/pull-payments/${id}`),
  }
}

type Control =
  | 'ledger'
  | 'allEntries'
  | 'dashboard'
  | 'advance'
  | 'takeNotifications'
  | 'invoices'
  | 'lagLists'
  | 'addRefunds'
  | 'claimMethods'
  | 'completeClaims'
  | 'notify'

/** What tests do to the store without a request. */
const controlsOf = (store: Store, webhooks: Webhooks): Pick<BtcpaySimulator, Control> => ({
  ...ledgerOf(() => ledger(store)),
  dashboard: (reference, act) => actInDashboard(store, reference, act),
  advance(ms) {
    store.advance(ms)
    store.tick()
  },
  takeNotifications() {
    store.tick()
    return webhooks.take()
  },
  invoices: (reference) => referenced(store, reference),
  lagLists: (on) => store.lag(on),
  addRefunds(count) {
    const other = store.createInvoice({ amount: '1.00', currency: 'EUR' })
    const description = 'Returned goods, refunded on the pages of the server. '.repeat(4)
    for (let made = 0; made < count; made++)
      store.createRefund(other, { minor: 100n, currency: 'EUR', description })
  },
  claimMethods: (reference) => pullsOf(store, reference).map(({ payoutMethods }) => payoutMethods),
  completeClaims(reference) {
    for (const pull of pullsOf(store, reference)) store.chain.complete(pull)
  },
  notify: ({ type, ...members }) => webhooks.emit({ type, members: { storeId: store.id, ...members } }),
})

function ledger(store: Store): LedgerEntry[] {
  store.tick()
  return store.ledger()
}

const pullsOf = (store: Store, reference: string) => {
  const ids = referenced(store, reference).map(({ id }) => id)
  return [...store.pulls.values()].filter(({ invoiceId }) => ids.includes(invoiceId))
}

type Handle = InMemory['handle']

function pageReply(store: Store, { url, method, body }: SimulatedRequest): SimulatedReply {
  const form = method === 'POST' ? Object.fromEntries(new URLSearchParams(body)) : undefined
  const answer = pageAnswer(store, url.pathname + url.search, form) ?? { status: 404, html: 'Not found' }
  const { status, html = '', location } = answer
  const headers = { 'content-type': 'text/html; charset=utf-8', ...(location ? { location } : {}) }
  return { status, headers, body: html }
}

/** The button of each act on the checkout page and on the claim page. */
function buttonOf(act: PayerAct, isClaim: boolean): string | undefined {
  switch (act.kind) {
    case 'abandon':
      return undefined
    case 'decline':
      return act.code === 'stuck' ? 'stuck' : 'decline'
    case 'pay-part':
      return `${isClaim ? 'claim' : 'part'}:${act.percent}`
    default:
      return isClaim ? 'claim' : 'pay'
  }
}

async function actOnPage(handle: Handle, pageUrl: string, act: PayerAct): Promise<string | undefined> {
  const button = buttonOf(act, pageUrl.includes('/pull-payments/'))
  const form = button ? new URLSearchParams({ act: button }).toString() : ''
  const method = button ? 'POST' : 'GET'
  const reply = await handle({ method, url: new URL(pageUrl), headers: {}, body: form })
  if (reply.status >= 400) throw new Error(`the page answered ${reply.status}`)
  return reply.headers.location
}

function actInDashboard(store: Store, reference: string, act: DashboardAct): boolean {
  store.tick()
  const invoices = referenced(store, reference)
  const pulls = pullsOf(store, reference)
  switch (act.kind) {
    case 'settle':
      for (const invoice of invoices) store.chain.confirm(invoice)
      for (const pull of pulls.filter(({ archived }) => !archived)) {
        const left = pull.minor - claimedOf(pull)
        if (left > 0n) store.chain.claim(pull, left)
        store.chain.complete(pull)
      }
      return true
    case 'refund': {
      const invoice = invoices.find((candidate) => receivedOf(candidate, 'Settled') > 0n)
      if (!invoice) return false
      // A merchant gives back no more than what is left.
      const refunded = pulls.filter(({ archived }) => !archived).reduce((sum, { minor }) => sum + minor, 0n)
      const left = receivedOf(invoice, 'Settled') - refunded
      const minor = act.amountMinor === undefined || act.amountMinor > left ? left : act.amountMinor
      if (minor <= 0n) return false
      store.createRefund(invoice, { minor, currency: invoice.currency })
      return true
    }
    case 'void': {
      const open = invoices.filter(canMarkInvalid)
      for (const invoice of open) store.chain.mark(invoice, 'Invalid')
      return open.length > 0
    }
    case 'fail-refund': {
      const pull = pulls.at(-1)
      if (!pull || isCompleted(pull)) return false
      store.chain.archive(pull)
      return true
    }
    default:
      return false
  }
}
