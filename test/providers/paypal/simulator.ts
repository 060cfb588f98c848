import { createKeys } from '../kit/gate.ts'
import { createHost, type Host, ledgerOf } from '../kit/host.ts'
import type { InMemory, InMemoryOptions, ProviderSimulator } from '../kit/simulator.ts'
import { act, passTime } from './acts.ts'
import { storeWallet } from './orders.ts'
import { actOnPage } from './pages.ts'
import { removeToken } from './resources.ts'
import { answer } from './server.ts'
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
  if (options.inMemory) restartIds(options.inMemory.bytes)
  const host = createHost(options)
  const world = createWorld(host)
  const opened = await host.open((request) => answer(world, request))
  return {
    ...{ ...opened, ...controlsOf(world), ...walletsOf(world) },
    payer: (pageUrl, wanted) => actOnPage(opened.handle, pageUrl, wanted),
    get settings() {
      const webhookId = [...world.webhooks.keys()].at(-1)
      return { ...ACCOUNT, ...(webhookId === undefined ? {} : { webhookId }) }
    },
    wrongSettings: { ...ACCOUNT, clientSecret: 'EWrong-secret-that-PayPal-rejects-every-time' },
    get secrets() {
      return [ACCOUNT.clientSecret, ...world.accessTokens.keys(), ...world.vault.keys()]
    },
    advance(ms) {
      host.pass(ms)
      passTime(world)
    },
    get webhookEndpoints() {
      return [...world.webhooks.values()].map(({ url, id }) => ({ url, secret: id }))
    },
    get storesLate() {
      return world.storesLate
    },
    set storesLate(late) {
      world.storesLate = late
    },
    get eventTypes() {
      return world.eventTypes
    },
    set eventTypes(names) {
      world.eventTypes = names
    },
  }
}

const createWorld = ({ gate, now, origin }: Host): World => ({
  ...gate,
  get origin() {
    return origin()
  },
  account: ACCOUNT,
  now,
  orders: new Map(),
  accessTokens: new Map(),
  vault: new Map(),
  setups: new Map(),
  disputes: new Map(),
  webhooks: new Map(),
  keys: createKeys(now),
  entries: [],
  queue: [],
  storesLate: false,
  eventTypes: EVENT_TYPES,
})

type Control = 'ledger' | 'allEntries' | 'dashboard' | 'takeNotifications' | 'forgetOrders' | 'revokeTokens'

const controlsOf = (world: World): Pick<PaypalSimulator, Control> => ({
  ...ledgerOf(() => world.entries),
  dashboard(reference, wanted) {
    const order = findByReference(world, reference)
    return order !== undefined && act(world, order, wanted)
  },
  takeNotifications: () => world.queue.splice(0),
  forgetOrders() {
    for (const order of world.orders.values()) order.lapsesAt = 0
  },
  revokeTokens() {
    for (const token of world.accessTokens.keys()) world.accessTokens.set(token, 0)
  },
})

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
