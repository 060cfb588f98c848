import { jsonReply, passGate } from '../kit/gate.ts'
import { createHost, ledgerOf, sendForm } from '../kit/host.ts'
import type { InMemory, InMemoryOptions, PayerAct, ProviderSimulator } from '../kit/simulator.ts'
import { servePage } from './pages.ts'
import { rulesOf } from './routes.ts'
import type { State } from './state.ts'

interface AcornPayOptions {
  readonly now?: () => number
  readonly inMemory?: InMemoryOptions
}

export interface AcornPaySimulator extends ProviderSimulator, InMemory {}

const API_KEY = 'simulated_key_of_the_tests'
const WRONG_KEY = 'simulated_key_of_no_account'
/** Everything below it is the API, everything else is a hosted page. */
const API = '/v1/'

export async function createAcornPaySimulator(options: AcornPayOptions = {}): Promise<AcornPaySimulator> {
  const host = createHost(options)
  const { now, origin } = host
  const state: State = { now, origin, ledger: [], queue: [], endpoints: [], delayed: [] }
  const rules = rulesOf(state, API_KEY)
  const handle: InMemory['handle'] = async (request) =>
    request.url.pathname.startsWith(API)
      ? jsonReply(passGate(host.gate, rules, request))
      : servePage(state, request)
  return {
    ...(await host.open(handle)),
    ...{ settings: { apiKey: API_KEY }, wrongSettings: { apiKey: WRONG_KEY } },
    ...{ webhookEndpoints: state.endpoints },
    get secrets() {
      return [API_KEY, ...state.endpoints.map(({ secret }) => secret)]
    },
    ...ledgerOf(() => state.ledger),
    // What happens at the provider without a request of the merchant: refunds, disputes, expiry.
    dashboard: () => false,
    takeNotifications: () => state.queue.splice(0),
    payer: (pageUrl, act) => payOnPage(handle, pageUrl, act),
    advance(ms) {
      host.pass(ms)
      for (const work of state.delayed.splice(0)) work()
    },
  }
}

/** Sends the same form as a browser. Returns where the page sends the payer. */
async function payOnPage(handle: InMemory['handle'], pageUrl: string, act: PayerAct) {
  const reply = await sendForm(handle, pageUrl, { act: act.kind })
  return reply.headers.location
}
