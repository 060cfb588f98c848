import { serve } from '../kit/serve.ts'
import type {
  ArmedBehaviour,
  InMemory,
  InMemoryOptions,
  PayerAct,
  ProviderSimulator,
  SeenRequest,
} from '../kit/simulator.ts'
import { answerTo, type Gate } from './gate.ts'
import { servePage } from './pages.ts'
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
  const { now: clock = Date.now, inMemory } = options
  let offset = 0
  let origin = inMemory?.origin ?? ''
  const state: State = {
    ...{ now: () => clock() + offset, origin: () => origin },
    ...{ ledger: [], queue: [], endpoints: [], delayed: [] },
  }
  const gate: Gate = {
    ...{ state, apiKey: API_KEY },
    ...{ requests: [] as SeenRequest[], violations: [] as string[], armed: [] as ArmedBehaviour[] },
  }
  const handle: InMemory['handle'] = async (request) => {
    if (!request.url.pathname.startsWith(API)) return servePage(state, request)
    const { status, body, headers } = answerTo(gate, request)
    const type = body ? { 'content-type': 'application/json' } : {}
    return { status, headers: { ...type, ...headers }, body: body ? JSON.stringify(body) : '' }
  }
  const served = inMemory ? undefined : await serve(handle, gate.violations)
  if (served) origin = served.origin
  return {
    ...{ origin, handle, requests: gate.requests, violations: gate.violations },
    ...{ settings: { apiKey: API_KEY }, wrongSettings: { apiKey: WRONG_KEY } },
    ...{ webhookEndpoints: state.endpoints },
    get secrets() {
      return [API_KEY, ...state.endpoints.map(({ secret }) => secret)]
    },
    ledger: (reference) => state.ledger.filter((entry) => entry.reference === reference),
    allEntries: () => state.ledger,
    // What happens at the provider without a request of the merchant: refunds, disputes, expiry.
    dashboard: () => false,
    takeNotifications: () => state.queue.splice(0),
    arm: (behaviour) => void gate.armed.push(behaviour),
    payer: (pageUrl, act) => payOnPage(handle, pageUrl, act),
    advance(ms) {
      offset += ms
      for (const work of state.delayed.splice(0)) work()
    },
    close: async () => served?.close(),
  }
}

/** Sends the same form as a browser. Returns where the page sends the payer. */
async function payOnPage(handle: InMemory['handle'], pageUrl: string, act: PayerAct) {
  const body = new URLSearchParams({ act: act.kind }).toString()
  const reply = await handle({ method: 'POST', url: new URL(pageUrl), headers: {}, body })
  if (reply.status >= 400) throw new Error(reply.body)
  return reply.headers.location
}
