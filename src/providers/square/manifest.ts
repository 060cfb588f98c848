import { DAY, HOUR } from '../../base/clock.ts'
import { textSettings } from '../kit/settings.ts'
import { namedAbilities } from '../methods/catalogue.ts'
import type { Abilities, Manifest } from '../port.ts'
import { ENUMERATIONS, EVENTS } from './enumerations.ts'

export interface SquareSettings {
  readonly accessToken: string
  readonly locationId: string
  /** Undefined until the profile is connected. */
  readonly webhookSignatureKey: string | undefined
}

const SANDBOX_ORIGIN = 'https://connect.squareupsandbox.com'
const LIVE_ORIGIN = 'https://connect.squareup.com'

/** Currencies of Square’s countries. A location has one of them, and Square refuses the others. */
const CURRENCIES = ['AUD', 'CAD', 'EUR', 'GBP', 'JPY', 'USD']

const settings = textSettings(
  {
    accessToken: {
      ...{ label: 'Access token', secret: true, required: true, trims: true },
      help: 'In the Developer Console under Credentials: of the sandbox for a sandbox app.',
      ...{ pattern: /^[\x21-\x7e]{20,1024}$/, expected: 'must be an access token' },
    },
    locationId: {
      ...{ label: 'Location ID', secret: false, required: true, trims: true },
      ...{ pattern: /^[A-Za-z0-9_-]{1,50}$/, expected: 'must be the id of a location' },
    },
    webhookSignatureKey: {
      ...{ label: 'Webhook signature key', secret: true, required: false, trims: true },
      help: 'Set by connecting the profile.',
      pattern: /^[\x21-\x7e]{8,256}$/,
      expected: 'must be the signature key of a webhook subscription',
    },
  },
  ({ webhookSignatureKey: key, ...texts }) => ({ ...texts, webhookSignatureKey: key || undefined }),
)

const CARD: Abilities = {
  // A page takes the money at once. A stored card is reserved first, so that it can be cancelled by key.
  ...{ authoriseOnly: false, sale: true, approvesFirst: false, partialCapture: false },
  stored: { authoriseOnly: true, sale: false, partialCapture: true },
  ...{ refund: true, partialRefund: true, storeMethod: true, chargeStored: true, fields: false },
}

/** One page for both: the application chooses Sandbox or Production. */
const CONSOLE = {
  sandbox: 'https://developer.squareup.com/apps',
  live: 'https://developer.squareup.com/apps',
}

export const manifest: Manifest<SquareSettings> = {
  id: 'square',
  name: 'Square',
  docs: 'https://developer.squareup.com/reference/square',
  mark: { letters: 'Sq', hue: 25, shape: 'square' },
  setup: {
    rights: [
      ...['PAYMENTS_READ', 'PAYMENTS_WRITE', 'ORDERS_READ', 'ORDERS_WRITE'],
      ...['CUSTOMERS_READ', 'CUSTOMERS_WRITE'],
    ],
    optionalRights: ['MERCHANT_PROFILE_READ', 'DISPUTES_READ', 'PAYOUTS_READ'],
    keyPages: { accessToken: CONSOLE, locationId: CONSOLE, webhookSignatureKey: CONSOLE },
    events: EVENTS,
  },
  testDocs: 'https://developer.squareup.com/docs/devtools/sandbox/payments',
  sandboxOnly: false,
  methods: { CreditCard: CARD, ...namedAbilities('square', CARD) },
  currencies: CURRENCIES,
  origin: (_settings, isSandbox) => (isSandbox ? SANDBOX_ORIGIN : LIVE_ORIGIN),
  texts: { description: 255, name: 300, email: 254, phone: 17, customerId: 100 },
  settings,
  // Square does not say how long it keeps keys. A day is assumed, with some hours for clocks that differ.
  // Captures and cancellations need no key: the state of the payment shows whether they were carried out.
  keyRetentionMs: (step) => (step === 'capture' || step === 'cancel' ? 30 * DAY : DAY - 2 * HOUR),
  retrieve: 'by-id',
  cancelsUnknown: true,
  // Square tells it with the payment (`delayed_until`).
  authorisationWindowMs: 7 * DAY,
  pageOrigins: (_config, origin) => [
    new URL(origin).origin,
    'https://square.link',
    'https://sandbox.square.link',
    'https://checkout.square.site',
  ],
  enumerations: ENUMERATIONS,
  // A stored card is a customer and a card.
  hides: {
    names: ['signature_key', 'source_id', 'customer_id', 'customer.id', 'customers.id', 'card.id'],
    texts: /\bccof:[\w-]{1,64}/g,
  },
  dashboardLink: ({ payment }, _config, isSandbox) =>
    payment === undefined
      ? undefined
      : { url: `${dashboardOf(isSandbox)}/${payment}`, field: 'Payment ID', value: payment },
}

/** Where the Dashboard shows a payment. */
const dashboardOf = (isSandbox: boolean): string =>
  `https://app.${isSandbox ? 'squareupsandbox' : 'squareup'}.com/dashboard/sales/transactions`
