import { jsonReply, passGate } from '../kit/gate.ts'
import { createHost, ledgerOf, sendForm } from '../kit/host.ts'
import type { InMemory, InMemoryOptions, PayerAct, ProviderSimulator } from '../kit/simulator.ts'
import { actInDashboard, passTime } from './dashboard.ts'
import { rulesOf } from './gate.ts'
import { servePage } from './pages.ts'
import { METHOD_IDS } from './schemas.ts'
import { drawFrom, type State } from './state.ts'

interface MollieOptions {
  readonly now?: () => number
  /** How long a refund is on its way. */
  readonly refundMs?: number
  /** How long a page is open. */
  readonly pageMs?: number
  readonly inMemory?: InMemoryOptions
}

export interface MollieSimulator extends ProviderSimulator, InMemory {
  /** Turns methods on in the account, and the others off. */
  turnOn(...methods: readonly string[]): void
  /** A key without permissions. */
  readonly powerlessKey: string
  /** A page is opened by a payer, who does nothing on it. */
  open(pageUrl: string): Promise<void>
  /**
   * Resolves when the next read of a payment is answered and the answer is not sent. The result sends it.
   */
  holdNextRead(): Promise<() => void>
  /** Ids of all payments under a reference. */
  idsOf(reference: string): readonly string[]
}

const API_KEY = 'test_SimulatedKeyOfTheTenderTests00'
const POWERLESS_KEY = 'test_SimulatedKeyWithoutPermission0'
const ORGANISATION_TOKEN = 'access_SimulatedTokenOfTheOrganisation0'
const WRONG_KEY = 'test_SimulatedKeyOfNoAccount0000000'

export async function createMollieSimulator(options: MollieOptions = {}): Promise<MollieSimulator> {
  const { refundMs = 60_000, pageMs = 3 * 3_600_000 } = options
  drawFrom(options.inMemory?.bytes)
  const host = createHost(options)
  const { now, origin } = host
  const state: State = {
    ...{ now, origin, refundMs, pageMs, methods: METHOD_IDS },
    ...{ payments: new Map(), customers: new Map(), mandates: new Map(), ledger: [], queue: [], delayed: [] },
  }
  const rules = rulesOf(state, {
    ...{ apiKey: API_KEY, powerlessKey: POWERLESS_KEY, organizationToken: ORGANISATION_TOKEN },
  })
  const holds: Hold[] = []
  const handle: InMemory['handle'] = async (request) => {
    passTime(state)
    const { pathname } = request.url
    if (!pathname.startsWith('/v2/')) return servePage(state, request.method, pathname, request.body)
    const answer = passGate(host.gate, rules, request)
    if (request.method === 'GET' && pathname.startsWith('/v2/payments/'))
      await new Promise<void>((send) => (holds.length > 0 ? holds.shift()?.(send) : send()))
    return jsonReply(answer, 'application/hal+json')
  }
  return {
    ...{ ...(await host.open(handle)), webhookEndpoints: [] },
    ...{
      settings: { apiKey: API_KEY, organizationToken: ORGANISATION_TOKEN },
      wrongSettings: { apiKey: WRONG_KEY },
      powerlessKey: POWERLESS_KEY,
    },
    get secrets() {
      return [API_KEY, ORGANISATION_TOKEN, ...state.mandates.keys()]
    },
    ...controlsOf(state, handle),
    holdNextRead: () => new Promise((answered) => void holds.push(answered)),
    turnOn(...methods) {
      state.methods = methods
    },
    advance(ms) {
      host.pass(ms)
      for (const work of state.delayed.splice(0)) work()
      passTime(state)
    },
  }
}

type Hold = (send: () => void) => void

type Control = 'ledger' | 'allEntries' | 'dashboard' | 'takeNotifications' | 'payer' | 'open' | 'idsOf'

/** What tests do to the account. */
const controlsOf = (state: State, handle: InMemory['handle']): Pick<MollieSimulator, Control> => ({
  ...ledgerOf(() => state.ledger),
  dashboard: (reference, act) => actInDashboard(state, reference, act),
  takeNotifications: () => {
    passTime(state)
    return state.queue.splice(0).map(({ url, id }) => ({
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `id=${id}`,
    }))
  },
  payer: (pageUrl, act) => payOnPage(handle, pageUrl, act),
  async open(pageUrl) {
    await handle({ method: 'GET', url: new URL(pageUrl), headers: {}, body: '' })
  },
  idsOf: (reference) =>
    [...state.payments.values()]
      .filter(({ body }) => body.metadata?.reference === reference)
      .map(({ id }) => id),
})

const ACTS: Readonly<Record<PayerAct['kind'], string | undefined>> = {
  pay: 'pay',
  save: 'pay',
  challenge: 'pay',
  decline: 'decline',
  abandon: 'cancel',
  'pay-part': undefined,
  'pay-again': undefined,
}

/** Sends the same form as a browser. Returns where the page sends the payer. */
async function payOnPage(
  handle: InMemory['handle'],
  pageUrl: string,
  act: PayerAct,
): Promise<string | undefined> {
  const form = ACTS[act.kind]
  if (form === undefined) throw new Error('a page is not paid in parts')
  const code = act.kind === 'decline' && act.code !== undefined ? { code: act.code } : {}
  const reply = await sendForm(handle, pageUrl, { act: form, ...code })
  return reply.headers.location
}
