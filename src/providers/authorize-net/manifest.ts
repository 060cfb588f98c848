import { DAY } from '../../base/clock.ts'
import type { NotReady } from '../check.ts'
import { textSettings } from '../kit/settings.ts'
import type { Abilities, Manifest } from '../port.ts'
import { STATUSES } from './snapshot.ts'

export interface AuthorizeNetSettings {
  readonly apiLoginId: string
  readonly transactionKey: string
  /** Absent: notifications cannot be verified, and payments are found by reading only. */
  readonly signatureKey?: string
  /** Set for a live app without a Signature Key. */
  readonly lacksKey?: true
}

const settings = textSettings(
  {
    apiLoginId: {
      ...{ label: 'API Login ID', secret: false, required: true },
      help: 'Of a sandbox account in a sandbox app, of a live account in a live app.',
      ...{ pattern: /^[\x21-\x7e]{1,25}$/, expected: 'must be the API Login ID' },
    },
    transactionKey: {
      ...{ label: 'Transaction Key', secret: true, required: true },
      ...{ pattern: /^[\x21-\x7e]{1,16}$/, expected: 'must be the Transaction Key' },
    },
    signatureKey: {
      ...{ label: 'Signature Key', secret: true, required: false },
      help: 'Verifies notifications. Required in live apps. Created beside the Transaction Key.',
      pattern: /^[\x21-\x7e]{1,256}$/,
      expected: 'must be the Signature Key: 128 hexadecimal digits',
    },
  },
  ({ signatureKey, ...keys }, { isSandbox }): AuthorizeNetSettings => ({
    ...keys,
    ...(signatureKey ? { signatureKey } : {}),
    ...(isSandbox || signatureKey ? {} : { lacksKey: true }),
  }),
)

const CARD: Abilities = {
  authoriseOnly: true,
  sale: true,
  approvesFirst: false,
  partialCapture: true,
  refund: true,
  partialRefund: true,
  storeMethod: true,
  chargeStored: true,
  fields: false,
}

const EVENTS = 'authorization authcapture capture priorAuthCapture void refund'
  .split(' ')
  .map((name) => `net.authorize.payment.${name}.created`)
const HOLDS = ['held', 'approved', 'declined'].map((name) => `net.authorize.payment.fraud.${name}`)
const OF_CUSTOMERS = ['customer', 'customer.paymentProfile', 'customer.subscription'].flatMap((entity) =>
  ['created', 'updated', 'deleted'].map((name) => `net.authorize.${entity}.${name}`),
)
const OF_SUBSCRIPTIONS = ['suspended', 'terminated', 'cancelled', 'expiring', 'expired', 'failed'].map(
  (name) => `net.authorize.customer.subscription.${name}`,
)

/** Events of notifications. `connect` subscribes to those that are handled. */
export const EVENT_TYPES = {
  handled: [...EVENTS, ...HOLDS],
  ignored: [...OF_CUSTOMERS, ...OF_SUBSCRIPTIONS],
} as const

const SANDBOX = 'https://apitest.authorize.net'
const LIVE = 'https://api.authorize.net'

/** The hosts of the API have pages at other hosts. Any other origin has both. */
const PAGES: Readonly<Record<string, string>> = {
  [SANDBOX]: 'https://test.authorize.net',
  [LIVE]: 'https://accept.authorize.net',
}

export const pageOrigin = (origin: string): string => PAGES[origin] ?? origin

/** Behind its sign-in the path of the menu is the same for every account. */
const MERCHANT_INTERFACE = {
  sandbox: 'https://sandbox.authorize.net/',
  live: 'https://account.authorize.net/',
}

export const manifest: Manifest<AuthorizeNetSettings> = {
  id: 'authorize-net',
  name: 'Authorize.Net',
  docs: 'https://developer.authorize.net/api/reference/',
  mark: { letters: 'AN', hue: 185, shape: 'card' },
  setup: {
    rights: ['Transaction Details API'],
    optionalRights: ['eCheck.Net', 'Customer Information Manager'],
    keyPages: {
      apiLoginId: MERCHANT_INTERFACE,
      transactionKey: MERCHANT_INTERFACE,
      signatureKey: MERCHANT_INTERFACE,
    },
    events: EVENT_TYPES.handled,
  },
  testDocs: 'https://developer.authorize.net/hello_world/testing_guide.html',
  sandboxOnly: false,
  methods: {
    CreditCard: CARD,
    // A debit is always taken at once and confirmed by its settlement. The provider shows the account only in
    // part, and a refund would need it whole.
    ElectronicCheck: {
      ...CARD,
      ...{ authoriseOnly: false, partialCapture: false, refund: false, partialRefund: false },
    },
  },
  // Each account has one of these; the provider refuses the others.
  currencies: ['AUD', 'CAD', 'CHF', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'SEK', 'USD', 'ZAR'],
  amountLimits: (_currency, method) => ({
    smallest: 1n,
    largest: method === 'ElectronicCheck' ? 9_999_999n : 9_999_999_999n,
  }),
  origin: (_settings, isSandbox) => (isSandbox ? SANDBOX : LIVE),
  pageOrigins: (_settings, origin) => [pageOrigin(origin)],
  texts: { description: 255, name: 50, email: 255, phone: 25, customerId: 20 },
  settings,
  // There are no keys. Every step looks for its own result before it is sent again.
  keyRetentionMs: () => 30 * DAY,
  retrieve: 'by-reference',
  decidesHolds: true,
  notReady,
  enumerations: { transactionStatus: STATUSES, event: EVENT_TYPES },
  authorisationWindowMs: 30 * DAY,
  hides: {
    names: [
      'transactionkey',
      'customerprofileid',
      'paymentprofileid',
      'customerpaymentprofileid',
      'customerpaymentprofileidlist',
      // Opens the page of a payment.
      'token',
    ],
  },
  dashboardLink: ({ payment }, _settings, isSandbox) =>
    payment === undefined
      ? undefined
      : {
          url: isSandbox ? MERCHANT_INTERFACE.sandbox : MERCHANT_INTERFACE.live,
          field: 'Transaction ID',
          value: payment,
        },
}

/** A page counts as over after 30 minutes: only a notification shows what is paid there later. */
export function notReady({ lacksKey }: AuthorizeNetSettings): NotReady | undefined {
  const problem = 'A live app needs the Signature Key of the account: without it late payments are not seen.'
  return lacksKey ? { code: 'signature-key-missing', problem } : undefined
}
