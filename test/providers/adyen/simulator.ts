import { jsonReply, passGate } from '../kit/gate.ts'
import { createHost, ledgerOf, sendForm } from '../kit/host.ts'
import type {
  InMemory,
  InMemoryOptions,
  PayerAct,
  ProviderSimulator,
  SignedNotification,
} from '../kit/simulator.ts'
import { actInDashboard, passTime, tellDispute } from './dashboard.ts'
import { rulesOf } from './gate.ts'
import { bodyOf, takeNotifications } from './notifications.ts'
import { servePage } from './pages.ts'
import { byReference } from './routes.ts'
import { drawFrom, type Item, newHmacKey, newId, type State } from './state.ts'

export interface AdyenOptions {
  readonly now?: () => number
  /** A webhook that exists from the start. */
  readonly webhookUrl?: string
  /** What that webhook asks for, besides the events that are always told. Absent: all. */
  readonly webhookEvents?: readonly string[]
  /** What notifications about a modification call `merchantReference`. The payment's, if absent. */
  readonly names?: State['names']
  readonly inMemory?: InMemoryOptions
}

export interface AdyenSimulator extends ProviderSimulator, InMemory {
  /** An API key without roles. */
  readonly powerlessKey: string
  /** Tells an event of the last dispute of a payment. */
  tellDispute(reference: string, event: string, details?: Readonly<Record<string, string>>): void
  /** Events that the account cannot have. */
  readonly unknownEvents: Set<string>
  /** Events that wait to be sent. Tests may take, drop or repeat them. */
  readonly waiting: Item[]
  /** Signs a call with these events, for the first webhook. */
  sign(items: readonly Item[]): SignedNotification
  /** The payer confirms at the bank while the merchant closes the page of this reference. */
  payOnClose(reference: string): void
  /** The address of the page of a link that was opened under a reference. */
  pageOf(reference: string): string | undefined
}

const API_KEY = 'AQEyhmfxKIrIaBdEw0m/n3Q5qf3VaY9UCJ14XWZE03G-simulated-key'
const POWERLESS_KEY = 'AQEyhmfxKIrIaBdEw0m/n3Q5qf3VaY9UCJ14XWZE03G-without-roles'
const WRONG_KEY = 'AQEyhmfxKIrIaBdEw0m/n3Q5qf3VaY9UCJ14XWZE03G-of-no-account'
const ACCOUNT = 'TenderSimulatorECOM'
const ALL_EVENTS = [
  ...['EXPIRE', 'TECHNICAL_CANCEL', 'RECURRING_CONTRACT', 'MANUAL_REVIEW_ACCEPT', 'REQUEST_FOR_INFORMATION'],
  ...['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK'],
  ...['DISPUTE_DEFENSE_PERIOD_ENDED', 'INFORMATION_SUPPLIED', 'PREARBITRATION_OPEN'],
]

export async function createAdyenSimulator(options: AdyenOptions = {}): Promise<AdyenSimulator> {
  drawFrom(options.inMemory?.bytes)
  const host = createHost(options)
  const { now, origin } = host
  const state = createState({ now, origin, names: options.names ?? 'payment' })
  const rules = rulesOf(state, { apiKey: API_KEY, powerlessKey: POWERLESS_KEY })
  const handle: Handle = async (request) => {
    passTime(state)
    const { pathname } = request.url
    if (!/^\/v(?:72|3)\//.test(pathname)) return servePage(state, request.method, pathname, request.body)
    return jsonReply(passGate(host.gate, rules, request))
  }
  const opened = await host.open(handle)
  if (options.webhookUrl) {
    const events = options.webhookEvents ?? ALL_EVENTS
    const more = { events, properties: {} }
    const endpoint = { id: newId('S2-'), url: options.webhookUrl, keys: [newHmacKey()], ...more }
    state.endpoints.set(endpoint.id, endpoint)
  }
  return {
    ...{ ...opened, powerlessKey: POWERLESS_KEY },
    ...controlsOf(state, handle),
    get settings() {
      return settingsOf(state)
    },
    wrongSettings: { apiKey: WRONG_KEY, merchantAccount: ACCOUNT, hmacKey: newHmacKey() },
    get secrets() {
      return [API_KEY, ...[...state.endpoints.values()].flatMap(({ keys }) => keys), ...state.stored.keys()]
    },
    advance(ms) {
      host.pass(ms)
      for (const work of state.delayed.splice(0)) work()
      passTime(state)
    },
    get webhookEndpoints() {
      return [...state.endpoints.values()].map(({ url, keys }) => ({ url, secret: keys[0] ?? '' }))
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
  | 'tellDispute'
  | 'unknownEvents'
  | 'waiting'
  | 'sign'
  | 'pageOf'
  | 'payOnClose'

/** What tests do to the account. */
const controlsOf = (state: State, handle: Handle): Pick<AdyenSimulator, Control> => ({
  ...ledgerOf(() => state.ledger),
  dashboard: (reference, act) => actInDashboard(state, reference, act),
  takeNotifications: () => takeNotifications(state),
  payer: (pageUrl, act) => payOnPage(handle, pageUrl, act),
  tellDispute(reference, event, details) {
    const payment = byReference(state, reference).at(-1)
    const dispute = payment?.disputes.at(-1)
    if (payment && dispute) tellDispute(state, payment, dispute, [event, details])
  },
  unknownEvents: state.unknownEvents,
  waiting: state.queue,
  sign(items) {
    const [endpoint] = state.endpoints.values()
    const headers = { 'content-type': 'application/json' }
    return { url: endpoint?.url ?? '', headers, body: bodyOf(state, items, endpoint?.keys[0] ?? '') }
  },
  payOnClose: (reference) => void state.paidOnClose.add(reference),
  pageOf(reference) {
    const link = [...state.links.values()].findLast(({ body }) => body.reference === reference)
    return link && `${state.origin()}/pay/${link.id}`
  },
})

const createState = (own: Pick<State, 'now' | 'origin' | 'names'>): State => ({
  ...{ account: ACCOUNT, links: new Map(), payments: new Map(), stored: new Map(), endpoints: new Map() },
  ...{ ledger: [], queue: [], delayed: [], paidOnClose: new Set(), unknownEvents: new Set() },
  ...own,
})

function settingsOf(state: State): Readonly<Record<string, string>> {
  const hmacKey = [...state.endpoints.values()].at(-1)?.keys[0]
  return { apiKey: API_KEY, merchantAccount: ACCOUNT, ...(hmacKey ? { hmacKey } : {}) }
}

const FORMS: Readonly<Record<PayerAct['kind'], Readonly<Record<string, string>> | undefined>> = {
  pay: { act: 'pay' },
  save: { act: 'pay' },
  challenge: { act: 'pay' },
  decline: { act: 'decline' },
  abandon: undefined,
  'pay-part': undefined,
  'pay-again': undefined,
}

/** Sends the same form as a browser. Returns where the button of the page leads. */
async function payOnPage(handle: Handle, pageUrl: string, act: PayerAct): Promise<string | undefined> {
  const form = FORMS[act.kind]
  if (act.kind === 'pay-part') throw new Error('a link is not paid in parts')
  if (!form) return undefined
  const code = act.kind === 'decline' && act.code !== undefined ? { code: act.code } : {}
  const reply = await sendForm(handle, pageUrl, { ...form, ...code })
  return /<a href="([^"]+)">Continue/.exec(reply.body)?.[1]
}
