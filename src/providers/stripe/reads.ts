import type { MultipartForm } from '../kit/multipart.ts'
import { idsAt } from '../methods/catalogue.ts'
import type { AnyMethod } from '../methods/method.ts'
import type { SettlementWindow } from '../settlement.ts'

/** Pure: requests that read from Stripe. */

export type Form = Readonly<Record<string, string>>

export interface StripeRequest {
  readonly method: 'GET' | 'POST'
  /** With the query. */
  readonly path: string
  /** Instead of a path with the token of a stored method. */
  readonly loggedPath?: string
  readonly form?: Form
  /** A body that is not logged, instead of a form. */
  readonly body?: MultipartForm
  /** Of another API than the usual one. */
  readonly origin?: string
  readonly key?: string
  /** Stripe's name of the object in the reply. */
  readonly answers: string
}

/** Members of our metadata at Stripe. */
export const REFERENCE = 'reference'
export const OPERATION = 'operation'

export const METHOD_TYPES = { CreditCard: 'card', ElectronicCheck: 'us_bank_account' } as const
export type StripeMethod = keyof typeof METHOD_TYPES
export const isStripeMethod = (method: string): method is StripeMethod => Object.hasOwn(METHOD_TYPES, method)

/** The type of every method that a page can be opened for. */
export const PAGE_TYPES: Readonly<Partial<Record<AnyMethod, string>>> = {
  ...METHOD_TYPES,
  ...idsAt('stripe'),
}

export const methodKindOf = (type: string | undefined): StripeMethod | undefined =>
  type === 'card' ? 'CreditCard' : type === 'us_bank_account' ? 'ElectronicCheck' : undefined

const EXPAND_INTENT = ['latest_charge.balance_transaction', 'payment_method']
export const EXPAND_INTENT_FORM: Form = Object.fromEntries(
  EXPAND_INTENT.map((path, index) => [`expand[${index}]`, path]),
)

/** Brackets are legal in a query as they are. */
const query = (path: string, params: readonly (readonly [string, string])[]): string =>
  `${path}?${params.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`

const expanding = (path: string, members: readonly string[]): string =>
  query(
    path,
    members.map((member) => ['expand[]', member] as const),
  )

const get = (path: string, answers: string): StripeRequest => ({ method: 'GET', path, answers })

export const readSession = (session: string): StripeRequest =>
  get(
    expanding(
      `/v1/checkout/sessions/${session}`,
      EXPAND_INTENT.map((path) => `payment_intent.${path}`),
    ),
    'checkout.session',
  )

export const readKeepSession = (session: string): StripeRequest =>
  get(expanding(`/v1/checkout/sessions/${session}`, ['setup_intent.payment_method']), 'checkout.session')

export const readIntent = (intent: string): StripeRequest =>
  get(expanding(`/v1/payment_intents/${intent}`, EXPAND_INTENT), 'payment_intent')

export const readCharge = (charge: string): StripeRequest =>
  get(expanding(`/v1/charges/${charge}`, ['balance_transaction']), 'charge')

export const readMethod = (method: string): StripeRequest => ({
  ...get(`/v1/payment_methods/${method}`, 'payment_method'),
  loggedPath: '/v1/payment_methods/***',
})

/** Everything that a customer paid, newest first. Each stored method has its own customer. */
export const listIntents = (customer: string, after?: string): StripeRequest =>
  get(
    query('/v1/payment_intents', [
      ['customer', customer],
      ['limit', '100'],
      ...startingAfter(after),
      ...EXPAND_INTENT.map((path) => ['expand[]', `data.${path}`] as const),
    ]),
    'list',
  )

export const listRefunds = (intent: string, after?: string): StripeRequest =>
  get(query('/v1/refunds', [['payment_intent', intent], ['limit', '100'], ...startingAfter(after)]), 'list')

/** Disputes and inquiries with their present status, however old they are. */
export const listDisputes = (intent: string, after?: string): StripeRequest =>
  get(query('/v1/disputes', [['payment_intent', intent], ['limit', '100'], ...startingAfter(after)]), 'list')

export const listEvents = (types: readonly string[], since: number, after?: string): StripeRequest =>
  get(
    query('/v1/events', [
      ...types.map((type) => ['types[]', type] as const),
      ['created[gte]', String(since)],
      ['limit', '100'],
      ...startingAfter(after),
    ]),
    'list',
  )

const startingAfter = (id: string | undefined): readonly (readonly [string, string])[] =>
  id === undefined ? [] : [['starting_after', id]]

/** What the account has turned on in the Dashboard. */
export const listConfigurations: StripeRequest = get(
  query('/v1/payment_method_configurations', [['limit', '100']]),
  'list',
)

export const readAccount: StripeRequest = get('/v1/account', 'account')

export const listOne = (path: string): StripeRequest => get(query(path, [['limit', '1']]), 'list')

export const listEndpoints = (after?: string): StripeRequest =>
  get(query('/v1/webhook_endpoints', [['limit', '100'], ...startingAfter(after)]), 'list')

const seconds = (time: Date): string => String(Math.floor(time.getTime() / 1_000))

const created = ({ from, until }: SettlementWindow): readonly (readonly [string, string])[] => [
  ['created[gte]', seconds(from)],
  ['created[lt]', seconds(until)],
]

interface BalanceList {
  readonly window: SettlementWindow
  readonly after: string | undefined
  /** Only those of this payout, whatever their time is. */
  readonly payout?: string
}

/** Balance transactions with what they are about, newest first. */
export const listBalance = ({ window, after, payout }: BalanceList): StripeRequest =>
  get(
    query('/v1/balance_transactions', [
      ...(payout === undefined ? created(window) : [['payout', payout] as const]),
      ['limit', '100'],
      ...startingAfter(after),
      ['expand[]', 'data.source'],
    ]),
    'list',
  )

/** The next payout. */
export const listPayouts = (window: SettlementWindow, after: string | undefined): StripeRequest =>
  get(query('/v1/payouts', [...created(window), ['limit', '1'], ...startingAfter(after)]), 'list')
