import { createHost, ledgerOf, sendForm } from '../kit/host.ts'
import type {
  ApiOperation,
  InMemory,
  InMemoryOptions,
  PayerAct,
  ProviderSimulator,
} from '../kit/simulator.ts'
import { actInDashboard, passTime } from './dashboard.ts'
import { servePage } from './pages.ts'
import type { Route } from './route.ts'
import { createApi } from './server.ts'
import { drain, emit, newSecret } from './world/events.ts'
import { createState, drawFrom, type Endpoint, newId, type State, seconds } from './world/state.ts'
import { viewMethod } from './world/view.ts'

export interface StripeSimulatorOptions {
  readonly now?: () => number
  /** An endpoint for all events that exists from the start. */
  readonly webhookUrl?: string
  /** Whether the account may take ACH debits. Active, if absent. */
  readonly ach?: State['achCapability']
  /** How a returned debit shows. */
  readonly returns?: 'dispute' | 'failure'
  readonly inMemory?: InMemoryOptions
}

export interface StripeSimulator extends ProviderSimulator, InMemory {
  /** A restricted key of the account with all permissions that the adapter needs. */
  readonly restrictedKey: string
  /** A restricted key without permissions. */
  readonly powerlessKey: string
  /** A restricted key that may not read or write these paths, such as `/v1/disputes`. */
  keyWithout(...paths: readonly string[]): string
  /** The card networks have told Stripe of new cards: all stored cards now last until this year. */
  updateCards(expYear: number): void
  /** Rolls the secret of every endpoint: both secrets sign from now on. Returns the new ones. */
  rollSecrets(): readonly string[]
  /** Holds the next request of this operation after its idempotency key was taken. */
  holdNext(operation: ApiOperation): { readonly arrived: Promise<void>; release(): void }
}

const SECRET_KEY = 'sk_test_51SimulatorSecretKeyOfTheAccount0001'
const RESTRICTED_KEY = 'rk_test_51SimulatorRestrictedKeyOfAccount01'
const WRONG_KEY = 'sk_test_51WrongKeyThatNoAccountHas0000000001'
const POWERLESS_KEY = 'rk_test_51SimulatorKeyWithoutPermissions001'

export async function createStripeSimulator(options: StripeSimulatorOptions = {}): Promise<StripeSimulator> {
  drawFrom(options.inMemory?.bytes)
  const host = createHost(options)
  const { gate } = host
  const state = createState(host.origin, host.now)
  const denied = new Map<string, readonly string[]>([[POWERLESS_KEY, ['/v1/']]])
  state.achCapability = options.ach ?? 'active'
  const holds = createHolds()
  const hold = (route: Route) => holds.pass(route.operation)
  const api = createApi({ state, gate, hold, keys: [SECRET_KEY, RESTRICTED_KEY], denied })
  const handle: Handle = async (request) => {
    passTime(state)
    const { pathname } = request.url
    if (pathname.startsWith('/v1/')) return api(request)
    return servePage(state, request.method, pathname, request.body)
  }
  const opened = await host.open(handle)
  if (options.webhookUrl) addEndpoint(state, options.webhookUrl)
  return {
    ...opened,
    get settings() {
      return settingsOf(state)
    },
    wrongSettings: { secretKey: WRONG_KEY, webhookSecret: newSecret() },
    get secrets() {
      return secretsOf(state)
    },
    payer: (pageUrl, act) => payOnPage(handle, pageUrl, act),
    ...ledgerOf(() => state.ledger),
    dashboard: (reference, act) => actInDashboard(state, reference, act, options.returns ?? 'dispute'),
    advance(ms) {
      host.pass(ms)
      passTime(state)
    },
    takeNotifications: () => drain(state),
    get webhookEndpoints() {
      return endpointsOf(state)
    },
    ...{ restrictedKey: RESTRICTED_KEY, powerlessKey: POWERLESS_KEY },
    keyWithout: (...paths) => newKey(denied, paths),
    updateCards: (expYear) => updateCards(state, expYear),
    rollSecrets: () => [...state.endpoints.values()].map(rolled),
    holdNext: holds.hold,
  }
}

type Handle = InMemory['handle']

const endpointsOf = (state: State) =>
  [...state.endpoints.values()].map(({ url, secrets }) => ({ url, secret: secrets.at(-1) ?? '' }))

function secretsOf(state: State): readonly string[] {
  const signing = [...state.endpoints.values()].flatMap(({ secrets }) => secrets)
  return [SECRET_KEY, RESTRICTED_KEY, ...signing, '4242424242424242', '000123456789']
}

function rolled({ secrets }: Endpoint): string {
  const secret = newSecret()
  secrets.push(secret)
  return secret
}

function settingsOf(state: State): Readonly<Record<string, string>> {
  const secret = [...state.endpoints.values()].at(-1)?.secrets.at(-1)
  return { secretKey: SECRET_KEY, ...(secret ? { webhookSecret: secret } : {}) }
}

function addEndpoint(state: State, url: string): void {
  const id = newId('we')
  state.endpoints.set(id, {
    ...{ id, url, events: ['*'], created: seconds(state), description: null, metadata: {} },
    secrets: [newSecret()],
  })
}

function newKey(denied: Map<string, readonly string[]>, paths: readonly string[]): string {
  const key = `rk_test_51SimulatorKeyWithout${String(denied.size).padStart(10, '0')}`
  denied.set(key, paths)
  return key
}

function updateCards(state: State, expYear: number): void {
  for (const method of state.methods.values()) {
    if (method.type !== 'card' || method.customer === null) continue
    method.expYear = expYear
    emit(state, 'payment_method.automatically_updated', viewMethod(state, method))
  }
}

function createHolds() {
  const held = new Map<ApiOperation, { arrive(): void; readonly released: Promise<void> }>()
  return {
    async pass(operation: ApiOperation | undefined): Promise<void> {
      const hold = operation && held.get(operation)
      if (!hold) return
      held.delete(operation)
      hold.arrive()
      await hold.released
    },
    hold(operation: ApiOperation) {
      let arrive = () => {}
      let release = () => {}
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve
      })
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      held.set(operation, { arrive, released })
      return { arrived, release }
    },
  }
}

/** Sends the same form as a browser. */
async function payOnPage(handle: Handle, pageUrl: string, act: PayerAct): Promise<string | undefined> {
  const url = new URL(pageUrl)
  const opened = await handle({ method: 'GET', url, headers: {}, body: '' })
  // The page was paid before and sends the payer on.
  if (opened.status === 303) return opened.headers.location
  if (opened.status !== 200) throw new Error(`the page answered ${opened.status}`)
  const isChallenge = url.pathname.startsWith('/3ds/')
  const post = async (form: Record<string, string>) => (await sendForm(handle, url, form)).headers.location
  if (isChallenge) return post({ act: act.kind === 'decline' ? 'fail-authentication' : 'authenticate' })
  switch (act.kind) {
    case 'abandon':
      return undefined
    case 'pay':
      return post({ act: 'pay' })
    case 'save':
      return post({ act: 'pay', save: 'yes' })
    case 'decline':
      return post({ act: 'decline', code: act.code ?? 'generic_decline' })
    case 'challenge':
      await post({ act: 'challenge' })
      return post({ act: 'authenticate' })
    case 'pay-again':
      throw new Error('a page that was paid sends the payer on')
    case 'pay-part':
      throw new Error('a card payment is not paid in parts')
  }
}
