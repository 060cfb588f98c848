import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InMemory, InMemoryOptions, ProviderSimulator } from '../kit/simulator.ts'
import { act, passTime } from './acts.ts'
import { storeWallet } from './orders.ts'
import { actOnPage } from './pages.ts'
import { removeToken } from './resources.ts'
import { answer, readRequest } from './server.ts'
import { findByReference, restartIds, type World } from './world.ts'

export interface PaypalOptions {
  /** The first time of the simulator's clock, in milliseconds. */
  readonly now?: () => number
  readonly inMemory?: InMemoryOptions
}

export interface PaypalSimulator extends ProviderSimulator, InMemory {
  /** Access tokens that were issued so far are refused from now on. */
  revokeTokens(): void
  /** Wallets are stored some time after the payment. `hidden`: the order never shows their ids. */
  storesLate: boolean | 'hidden'
  /** Stores the wallet of a payment now. */
  storeWallet(reference: string): void
  /** References of payments whose wallet is still to be stored. */
  unstoredWallets(): readonly string[]
  /** The payers remove their wallets at PayPal. */
  removeWallets(): void
  /** Names that webhooks may ask for. */
  eventTypes: readonly string[]
  /** Orders are too old to be shown. Their payments are not. */
  forgetOrders(): void
}

/** As PayPal publishes them for orders, payments, disputes and stored wallets. */
const EVENT_TYPES = [
  ...['CHECKOUT.ORDER.APPROVED', 'CHECKOUT.ORDER.COMPLETED', 'CHECKOUT.PAYMENT-APPROVAL.REVERSED'],
  ...['PAYMENT.AUTHORIZATION.CREATED', 'PAYMENT.AUTHORIZATION.VOIDED', 'PAYMENT.CAPTURE.COMPLETED'],
  ...['PAYMENT.CAPTURE.DECLINED', 'PAYMENT.CAPTURE.DENIED', 'PAYMENT.CAPTURE.PENDING'],
  ...['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.CAPTURE.REVERSED', 'PAYMENT.REFUND.PENDING'],
  ...['PAYMENT.REFUND.FAILED', 'CUSTOMER.DISPUTE.CREATED', 'CUSTOMER.DISPUTE.UPDATED'],
  ...['CUSTOMER.DISPUTE.RESOLVED', 'VAULT.PAYMENT-TOKEN.CREATED', 'VAULT.PAYMENT-TOKEN.DELETED'],
  'VAULT.PAYMENT-TOKEN.DELETION-INITIATED',
]

const ACCOUNT = {
  clientId: 'AUASNhD7YM7dc5Wmc5YE9pEsC0o4eVOyYWO9ezXWBu2XTc63d3Au',
  clientSecret: 'EIm3hPj7-simulated-secret-AmmeN7qfyNNf4LmkR',
}

/** PayPal: orders, payments, stored wallets, webhooks and disputes of one sandbox account. */
export async function createPaypalSimulator(options: PaypalOptions = {}): Promise<PaypalSimulator> {
  const world = createWorld(options.now ?? Date.now)
  if (options.inMemory) {
    world.origin = options.inMemory.origin
    restartIds(options.inMemory.bytes)
    return simulate(world, async () => {})
  }
  const server = createServer(async (request, response) => {
    try {
      const { status, headers, body } = await answer(world, await readRequest(world, request))
      response.writeHead(status, headers).end(body)
    } catch (error) {
      world.violations.push(`the simulator failed: ${String(error)}`)
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  world.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return simulate(world, async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
}

interface MovingWorld extends World {
  offsetMs: number
}

function createWorld(base: () => number): MovingWorld {
  const world: MovingWorld = {
    origin: '',
    offsetMs: 0,
    account: ACCOUNT,
    now: () => base() + world.offsetMs,
    orders: new Map(),
    accessTokens: new Map(),
    vault: new Map(),
    setups: new Map(),
    disputes: new Map(),
    webhooks: new Map(),
    keys: new Map(),
    entries: [],
    queue: [],
    armed: [],
    requests: [],
    violations: [],
    storesLate: false,
    eventTypes: EVENT_TYPES,
  }
  return world
}

function simulate(world: MovingWorld, close: () => Promise<void>): PaypalSimulator {
  const handle: InMemory['handle'] = (request) => answer(world, request)
  return {
    handle,
    origin: world.origin,
    get settings() {
      const webhookId = [...world.webhooks.keys()].at(-1)
      return { ...ACCOUNT, ...(webhookId === undefined ? {} : { webhookId }) }
    },
    wrongSettings: { ...ACCOUNT, clientSecret: 'EWrong-secret-that-PayPal-rejects-every-time' },
    get secrets() {
      return [ACCOUNT.clientSecret, ...world.accessTokens.keys(), ...world.vault.keys()]
    },
    requests: world.requests,
    violations: world.violations,
    payer: (pageUrl, wanted) => actOnPage(handle, pageUrl, wanted),
    ledger: (reference) => world.entries.filter((entry) => entry.reference === reference),
    allEntries: () => world.entries,
    dashboard(reference, wanted) {
      const order = findByReference(world, reference)
      return order !== undefined && act(world, order, wanted)
    },
    advance(ms) {
      world.offsetMs += ms
      passTime(world)
    },
    takeNotifications: () => world.queue.splice(0),
    get webhookEndpoints() {
      return [...world.webhooks.values()].map(({ url, id }) => ({ url, secret: id }))
    },
    arm(behaviour) {
      world.armed.push(behaviour)
    },
    get storesLate() {
      return world.storesLate
    },
    set storesLate(late) {
      world.storesLate = late
    },
    ...walletsOf(world),
    get eventTypes() {
      return world.eventTypes
    },
    set eventTypes(names) {
      world.eventTypes = names
    },
    forgetOrders() {
      for (const order of world.orders.values()) order.lapsesAt = 0
    },
    revokeTokens() {
      for (const token of world.accessTokens.keys()) world.accessTokens.set(token, 0)
    },
    close,
  }
}

type Wallets = 'storeWallet' | 'unstoredWallets' | 'removeWallets'

const walletsOf = (world: World): Pick<PaypalSimulator, Wallets> => ({
  unstoredWallets: () =>
    [...world.orders.values()]
      .filter(({ storesMethod, vaultToken, status }) => storesMethod && !vaultToken && status === 'COMPLETED')
      .map(({ reference }) => reference),
  storeWallet(reference) {
    const order = findByReference(world, reference)
    if (order) storeWallet(world, order)
  },
  removeWallets() {
    for (const token of world.vault.values()) removeToken(world, token)
  },
})
