import type { HttpCall, HttpReply } from '../../src/net/http.ts'
import { createAdyenSimulator } from '../providers/adyen/simulator.ts'
import { createAuthorizeNetSimulator } from '../providers/authorize-net/simulator.ts'
import { createBtcpaySimulator } from '../providers/btcpay/simulator.ts'
import type {
  DisputeAct,
  InMemory,
  InMemoryOptions,
  ProviderSimulator,
  SignedNotification,
} from '../providers/kit/simulator.ts'
import { createMollieSimulator } from '../providers/mollie/simulator.ts'
import { createPaypalSimulator } from '../providers/paypal/simulator.ts'
import { createSquareSimulator } from '../providers/square/simulator.ts'
import { createStripeSimulator } from '../providers/stripe/simulator.ts'
import { type Happened, newHappened } from './happened.ts'
import type { World } from './world.ts'

/** A real provider in place of the sandbox: its adapter is called as always, its API is a simulator. */
export interface Provider {
  readonly id: ProviderId
  readonly origin: string
  /** Of the merchants' profiles. */
  readonly methods: readonly string[]
  readonly currencies: readonly string[]
  readonly simulator: ProviderSimulator & InMemory
  /** It takes the money in one step only. */
  readonly isSaleOnly: boolean
  /** It cannot be read: all is known from its notifications, which it repeats until one is accepted. */
  readonly isNotificationOnly?: boolean
  /** Its pages do not end by themselves. */
  readonly pagesStayOpen?: boolean
  /** Others confirm its payments and claim its refunds; at the end of a world they have done so. */
  readonly isConfirmedByOthers?: boolean
  /** It cannot tell a repeated request from a new one, so none may be doubled on the way. */
  readonly isKeyless?: boolean
  /** Notifications that were not accepted yet. */
  waiting: Waiting[]
  /** Bodies of notifications that are not lost on the way. */
  readonly mustArrive: Set<string>
  /** Every dispute at the provider, by reference and number. */
  readonly disputes: Map<string, DisputeAct & { readonly reference: string }>
  /** The code with which a charge is answered when the payer has to confirm it. */
  readonly challenge?: string
  /** A paid page that is still shown in a browser can be paid again. */
  readonly paysTwice?: boolean
  /** A page can be paid in parts. */
  readonly takesParts?: boolean
  /** The simulator's own options. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Wallets are stored some time after the payment. `hidden`: an order never shows them. */
  readonly storesLate?: boolean | 'hidden'
  /** What the ledger does not tell. */
  readonly happened: Happened
}

interface Waiting extends SignedNotification {
  readonly tries: number
}

type Create = (options: {
  readonly now: () => number
  readonly inMemory: InMemoryOptions
}) => Promise<ProviderSimulator & InMemory>

const SIMULATORS = {
  adyen: createAdyenSimulator,
  'authorize-net': createAuthorizeNetSimulator,
  btcpay: createBtcpaySimulator,
  mollie: createMollieSimulator,
  paypal: createPaypalSimulator,
  square: createSquareSimulator,
  stripe: createStripeSimulator,
} as const satisfies Record<string, Create>
type ProviderId = keyof typeof SIMULATORS

const originOf = (id: string): string => `https://${id}.sim`
export const ORIGINS = Object.fromEntries(Object.keys(SIMULATORS).map((id) => [id, originOf(id)]))

type Kind = Omit<Provider, 'origin' | 'simulator' | 'waiting' | 'mustArrive' | 'disputes' | 'happened'>

const PLAIN: Kind = { id: 'stripe', methods: ['CreditCard'], currencies: ['USD', 'JPY'], isSaleOnly: false }
const CARDS: Kind = { ...PLAIN, challenge: 'authentication_required' }
const DEBITS: Kind = { id: 'stripe', methods: ['ElectronicCheck'], currencies: ['USD'], isSaleOnly: true }
const WALLETS: Kind = {
  ...{ id: 'paypal', methods: ['Paypal'], currencies: ['USD', 'JPY'], isSaleOnly: false },
  challenge: 'PAYER_ACTION_REQUIRED',
}
const TOLD: Kind = { ...PLAIN, id: 'adyen', isNotificationOnly: true, challenge: 'RedirectShopper' }
const LINKS: Kind = { ...PLAIN, id: 'square', isSaleOnly: true, pagesStayOpen: true, takesParts: true }
const COINS: Kind = {
  ...{ id: 'btcpay', methods: ['Crypto'], currencies: ['USD', 'EUR'], isSaleOnly: true },
  ...{ isConfirmedByOthers: true, isKeyless: true, takesParts: true },
}
const KEYLESS: Kind = { ...PLAIN, id: 'authorize-net', currencies: ['USD'], paysTwice: true }
const UNSIGNED: Kind = { ...PLAIN, id: 'mollie', currencies: ['EUR', 'USD'] }

const SEPA: Kind = { ...DEBITS, methods: ['sepa-debit'], currencies: ['EUR'] }
const CASH_APP: Kind = { ...LINKS, methods: ['cash-app'], currencies: ['USD'] }
const TRANSFERS: Kind = { ...UNSIGNED, methods: ['bank-transfer'], currencies: ['EUR'], isSaleOnly: true }

/** By the last digit of the seed. The others use the sandbox. */
const KINDS: Readonly<Record<number, Kind>> = {
  ...{ 2: TOLD, 3: CARDS, 4: WALLETS, 5: LINKS },
  ...{ 6: COINS, 7: KEYLESS, 8: DEBITS, 9: UNSIGNED },
}

/** In place of these, if the digit before the last one is odd. */
const OTHERS: Readonly<Record<number, Kind>> = {
  ...{ 2: { ...TOLD, options: { names: 'modification' } }, 4: { ...WALLETS, storesLate: true } },
  ...{ 3: SEPA, 5: CASH_APP, 9: TRANSFERS },
  6: { ...COINS, options: { version: '2.3.9' } },
  7: { ...KEYLESS, methods: ['ElectronicCheck'], isSaleOnly: true },
  8: { ...DEBITS, options: { returns: 'failure' } },
}

export function providerOf(seed: number): Kind | undefined {
  const tens = Math.floor(seed / 10)
  const kind = (tens % 2 === 1 ? OTHERS[seed % 10] : undefined) ?? KINDS[seed % 10]
  return kind?.storesLate && tens % 4 === 3 ? { ...kind, storesLate: 'hidden' } : kind
}

type Needs = Pick<World, 'clock' | 'random'>

export async function createProvider({ clock, random }: Needs, kind: Kind): Promise<Provider> {
  const origin = originOf(kind.id)
  const now = () => clock.now().getTime()
  const inMemory = { origin, bytes: (count: number) => random.bytes(count) }
  const simulator = await SIMULATORS[kind.id]({ now, inMemory, ...kind.options })
  if (kind.storesLate && 'storesLate' in simulator) simulator.storesLate = kind.storesLate
  const lists = { waiting: [], mustArrive: new Set<string>(), disputes: new Map(), happened: newHappened() }
  return { ...kind, origin, simulator, ...lists }
}

/** What is under dispute is given back when the bank has decided. */
export const waitsForBank = (
  { attempts, is_undoing }: { readonly attempts: readonly string[] | null; readonly is_undoing: boolean },
  { disputes }: Pick<Provider, 'disputes'>,
): boolean =>
  is_undoing &&
  [...disputes.values()].some(({ reference, state }) => state === 'open' && attempts?.includes(reference))

/** The request as the transport of the service sends it. */
export async function atTheProvider({ simulator }: Provider, call: HttpCall): Promise<HttpReply> {
  const { type, body } = encoded(call)
  const sent = { accept: 'application/json', ...(type ? { 'content-type': type } : {}), ...call.headers }
  const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]))
  const reply = await simulator.handle({ method: call.method, url: new URL(call.url), headers, body })
  const isJson = /json/.test(reply.headers['content-type'] ?? '')
  const read = isJson ? JSON.parse(reply.body.replace(/^\ufeff/, '')) : reply.body
  return {
    kind: 'reply',
    status: reply.status,
    headers: reply.headers,
    body: reply.body === '' ? undefined : read,
  }
}

function encoded({ json, form, text = '' }: HttpCall): { readonly type?: string; readonly body: string } {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) }
  if (!form) return { body: text }
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() }
}

const MAX_TRIES = 20

/** Sends what is due, and again what was not accepted. Returns how many were accepted. */
export async function notify(
  { simulator, ...provider }: Provider,
  send: (call: HttpCall) => Promise<HttpReply>,
): Promise<{ readonly accepted: number; readonly waiting: Waiting[] }> {
  // Things that are due by now are done first.
  simulator.advance(0)
  const due = [...provider.waiting, ...simulator.takeNotifications().map((one) => ({ ...one, tries: 0 }))]
  const waiting: Waiting[] = []
  let accepted = 0
  await Promise.all(
    due.map(async (one) => {
      const { url, headers, body, tries } = one
      const reply = await send({ method: 'POST', url, headers, text: body })
      if (reply.kind === 'reply' && reply.status < 300) accepted++
      else if (tries < MAX_TRIES) waiting.push({ ...one, tries: tries + 1 })
    }),
  )
  return { accepted, waiting }
}
