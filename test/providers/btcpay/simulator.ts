import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  ArmedBehaviour,
  DashboardAct,
  LedgerEntry,
  PayerAct,
  ProviderSimulator,
  SeenRequest,
} from '../kit/simulator.ts'
import { answerTo, type Reply } from './gate.ts'
import type { Site } from './handlers.ts'
import { base58 } from './ids.ts'
import { pageAnswer } from './pages.ts'
import { canMarkInvalid, claimedOf, type Invoice, isCompleted, receivedOf } from './state.ts'
import { createStore, referenced, type Store } from './store.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export interface BtcpayOptions {
  /** Start of the server's clock. */
  readonly now?: () => number
  /** Permissions of the API key. All, if absent. */
  readonly permissions?: readonly string[]
  /** Registers a webhook at once: `settings` then has its secret. */
  readonly webhookSecret?: string
}

export interface BtcpaySimulator extends ProviderSimulator {
  /** Invoices of a reference, paid or not, oldest first. */
  invoices(reference: string): readonly Readonly<Invoice>[]
  /** Address of the claim page of each refund, oldest first. */
  claimPages(reference: string): readonly string[]
  /** While on, new invoices and pull payments are missing in lists. Off: lists are complete again. */
  lagLists(on: boolean): void
  /** The merchant pays out what was claimed. */
  completeClaims(reference: string): void
  /** Queues a signed event of the store with these members. */
  notify(event: { readonly type: string } & Readonly<Record<string, unknown>>): void
}

/** A simulated BTCPay Server with one store, on real HTTP. */
export async function createBtcpaySimulator(options: BtcpayOptions = {}): Promise<BtcpaySimulator> {
  const apiKey = base58(40)
  const requests: SeenRequest[] = []
  const violations: string[] = []
  const armed: ArmedBehaviour[] = []
  const webhooks = createWebhooks(() => store.now())
  const store = createStore(options.now ?? Date.now, (event) => webhooks.emit(event))
  if (options.webhookSecret) webhooks.create({ url: 'http://shop.test/', secret: options.webhookSecret })
  const site: Site = { store, webhooks, origin: () => origin, violate: (what) => violations.push(what) }
  const gate = { site, apiKey, permissions: options.permissions, armed }

  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const path = request.url ?? '/'
      if (!path.startsWith('/api/'))
        return sendPage(response, store, { path, method: request.method ?? '', body })
      const seen = { method: request.method ?? '', path, headers: flat(request), body }
      const reply = answerTo(gate, seen)
      requests.push({ ...seen, status: reply.status })
      send(response, reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const account = { serverUrl: origin, storeId: store.id }

  return {
    origin,
    settings: {
      ...account,
      apiKey,
      ...(options.webhookSecret ? { webhookSecret: options.webhookSecret } : {}),
    },
    wrongSettings: { ...account, apiKey: base58(40), webhookSecret: 'wrong' },
    get secrets() {
      return [apiKey, ...webhooks.all.map(({ secret }) => secret)]
    },
    requests,
    violations,
    payer: actOnPage,
    ...controlsOf(store, webhooks),
    get webhookEndpoints() {
      return webhooks.all.map(({ url, secret }) => ({ url, secret }))
    },
    arm: (behaviour) => void armed.push(behaviour),
    claimPages: (reference) => pullsOf(store, reference).map(({ id }) => `${origin}/pull-payments/${id}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
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
  | 'completeClaims'
  | 'notify'

/** What tests do to the store without a request. */
const controlsOf = (store: Store, webhooks: Webhooks): Pick<BtcpaySimulator, Control> => ({
  ledger: (reference) => ledger(store).filter((entry) => entry.reference === reference),
  allEntries: () => ledger(store),
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

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type: Record<string, string> =
    text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }
  response.writeHead(status, { ...type, ...headers }).end(text)
}

function sendPage(
  response: ServerResponse,
  store: Store,
  { path, method, body }: { path: string; method: string; body: string },
): void {
  const form = method === 'POST' ? Object.fromEntries(new URLSearchParams(body)) : undefined
  const answer = pageAnswer(store, path, form) ?? { status: 404, html: 'Not found' }
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    ...(answer.location ? { location: answer.location } : {}),
  }
  response.writeHead(answer.status, headers).end(answer.html ?? '')
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

async function actOnPage(pageUrl: string, act: PayerAct): Promise<string | undefined> {
  const button = buttonOf(act, pageUrl.includes('/pull-payments/'))
  const reply = await fetch(pageUrl, {
    redirect: 'manual',
    ...(button ? { method: 'POST', body: new URLSearchParams({ act: button }) } : {}),
  })
  if (reply.status >= 400) throw new Error(`the page answered ${reply.status}`)
  return reply.headers.get('location') ?? undefined
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
      const invoice = invoices.find((candidate) => receivedOf(candidate) > 0n)
      if (!invoice) return false
      const refunded = pulls.reduce((sum, { minor }) => sum + minor, 0n)
      const minor = act.amountMinor ?? receivedOf(invoice) - refunded
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
