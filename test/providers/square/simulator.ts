import { jsonReply, passGate } from '../kit/gate.ts'
import { createHost, ledgerOf, sendForm } from '../kit/host.ts'
import type { InMemory, InMemoryOptions, PayerAct, ProviderSimulator } from '../kit/simulator.ts'
import { actInDashboard } from './dashboard.ts'
import { rulesOf } from './gate.ts'
import { passTime } from './money.ts'
import { takeNotifications } from './notifications.ts'
import { servePage } from './pages.ts'
import { drawFrom, newId, type State } from './state.ts'

export interface SquareOptions {
  readonly now?: () => number
  /** A subscription that exists from the start, with every event. */
  readonly webhookUrl?: string
  /** A refund is pending for this long. A minute, if absent. */
  readonly refundMs?: number
  readonly inMemory?: InMemoryOptions
}

export interface SquareSimulator extends ProviderSimulator, InMemory {
  /** An access token without permissions. */
  readonly powerlessToken: string
  /** Orders show their payments late. */
  lagTenders(isLagging: boolean): void
  /** How many stored cards can be charged. */
  storedCards(): number
  /** The customer pays while the page of this reference is being closed. */
  payOnClose(reference: string): void
  /** What the location shows of itself. */
  describeLocation(about: object): void
  /** Subscriptions have only their first two events. */
  dropEvents(): void
  subscribedEvents(): readonly string[]
  /** How many customers the merchant's directory has. */
  directory(): number
}

const TOKEN = 'EAAAlSimulatedAccessTokenOfTheTenderTestAccount0123456789'
const POWERLESS_TOKEN = 'EAAAlSimulatedAccessTokenWithoutAnyPermission0123456789'
const WRONG_TOKEN = 'EAAAlSimulatedAccessTokenOfNoAccountAtAll00000123456789'
const LOCATION = 'LSIMULATED0001'

export async function createSquareSimulator(options: SquareOptions = {}): Promise<SquareSimulator> {
  const { refundMs = 60_000, webhookUrl } = options
  drawFrom(options.inMemory?.bytes)
  const host = createHost(options)
  const { now, origin } = host
  const state = createState({ now, origin, refundMs })
  const rules = rulesOf(state, { token: TOKEN, powerlessToken: POWERLESS_TOKEN })
  const handle: Handle = async (request) => {
    passTime(state)
    const { pathname } = request.url
    if (!pathname.startsWith('/v2/')) return servePage(state, request.method, pathname, request.body)
    return jsonReply(passGate(host.gate, rules, request))
  }
  const opened = await host.open(handle)
  if (webhookUrl) subscribe(state, webhookUrl)
  return {
    ...{ ...opened, powerlessToken: POWERLESS_TOKEN },
    ...controlsOf(state, handle),
    get settings() {
      return settingsOf(state)
    },
    wrongSettings: { accessToken: WRONG_TOKEN, locationId: LOCATION, webhookSignatureKey: newId(22) },
    get secrets() {
      const keys = [...state.subscriptions.values()].map(({ key }) => key)
      return [TOKEN, ...keys, ...state.cards.keys(), ...state.customers.keys()]
    },
    advance(ms) {
      host.pass(ms)
      passTime(state)
    },
    get webhookEndpoints() {
      return [...state.subscriptions.values()].map(({ url, key }) => ({ url, secret: key }))
    },
  }
}

type Handle = InMemory['handle']
type Control =
  | 'ledger'
  | 'allEntries'
  | 'dashboard'
  | 'takeNotifications'
  | 'payer'
  | 'storedCards'
  | 'lagTenders'
  | 'payOnClose'
  | 'describeLocation'
  | 'dropEvents'
  | 'subscribedEvents'
  | 'directory'

/** What tests do to the account. */
const controlsOf = (state: State, handle: Handle): Pick<SquareSimulator, Control> => ({
  ...ledgerOf(() => state.ledger),
  dashboard: (reference, act) => actInDashboard(state, reference, act),
  takeNotifications() {
    passTime(state)
    return takeNotifications(state)
  },
  payer: (pageUrl, act) => payOnPage(handle, pageUrl, act),
  lagTenders(isLagging) {
    state.isLagging = isLagging
  },
  describeLocation(about) {
    state.about = about
  },
  dropEvents() {
    for (const one of state.subscriptions.values()) one.events = one.events.slice(0, 2)
  },
  subscribedEvents: () => [...state.subscriptions.values()].flatMap(({ events }) => events),
  directory: () => state.customers.size,
  storedCards: () => [...state.cards.values()].filter(({ isEnabled }) => isEnabled).length,
  payOnClose: (reference) => void state.paidOnClose.add(reference),
})

const createState = (own: Pick<State, 'now' | 'origin' | 'refundMs'>): State => ({
  ...{ location: LOCATION, links: new Map(), orders: new Map(), payments: new Map(), refunds: new Map() },
  ...{ cards: new Map(), customers: new Map(), disputes: [], payouts: [], subscriptions: new Map() },
  ...{ ledger: [], queue: [], paidOnClose: new Set(), isLagging: false, about: {} },
  ...own,
})

const ALL = ['payment.created', 'payment.updated', 'refund.created', 'refund.updated', 'dispute.created']

function subscribe(state: State, url: string): void {
  const id = newId(32, 'wbhk_')
  const events = [...ALL, 'dispute.state.updated', 'card.automatically_updated']
  state.subscriptions.set(id, { id, name: 'Tender', url, events, key: newId(22) })
}

function settingsOf(state: State): Readonly<Record<string, string>> {
  const key = [...state.subscriptions.values()].at(-1)?.key
  return { accessToken: TOKEN, locationId: LOCATION, ...(key ? { webhookSignatureKey: key } : {}) }
}

/** Sends the same form as a browser. Returns where the customer is sent. */
async function payOnPage(handle: Handle, pageUrl: string, act: PayerAct): Promise<string | undefined> {
  if (act.kind === 'abandon') return undefined
  const code = act.kind === 'decline' && act.code !== undefined ? { code: act.code } : {}
  const percent = act.kind === 'pay-part' ? { percent: String(act.percent) } : {}
  const form = act.kind === 'decline' ? { act: 'decline', ...code } : { act: 'pay', ...percent }
  const reply = await sendForm(handle, pageUrl, form)
  return reply.headers.location
}
