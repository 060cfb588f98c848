import { DAY, HOUR } from '../../base/clock.ts'
import { textSettings } from '../kit/settings.ts'
import type { Abilities, Manifest, Step } from '../port.ts'
import { ENUMERATIONS, EVENTS } from './enumerations.ts'
import { unitOf } from './money.ts'

export interface PaypalSettings {
  readonly clientId: string
  readonly clientSecret: string
  /** Known after the profile is connected. Without it, notifications cannot be verified. */
  readonly webhookId?: string
}

const SANDBOX = 'https://api-m.sandbox.paypal.com'
const LIVE = 'https://api-m.paypal.com'

const settings = textSettings(
  {
    clientId: {
      ...{ label: 'Client ID', secret: false, required: true },
      // A colon separates id and secret in the header.
      pattern: /^[\x21-\x39\x3b-\x7e]{1,255}$/,
      expected: 'must be the client id of a REST app at PayPal',
    },
    clientSecret: {
      ...{ label: 'Secret', secret: true, required: true },
      ...{ pattern: /^[\x21-\x7e]{1,255}$/, expected: 'must be the secret of the REST app' },
    },
    webhookId: {
      ...{ label: 'Webhook ID', secret: false, required: false },
      help: 'Filled in when the profile is connected.',
      ...{ pattern: /^[0-9A-Za-z]{1,50}$/, expected: 'must be the id of a webhook of the REST app' },
    },
  },
  ({ webhookId, ...texts }) => ({ ...texts, ...(webhookId ? { webhookId } : {}) }),
)

const WALLET: Abilities = {
  authoriseOnly: true,
  sale: true,
  approvesFirst: true,
  partialCapture: true,
  refund: true,
  partialRefund: true,
  storeMethod: true,
  chargeStored: true,
  fields: false,
  setUpMethod: true,
  // The wallet was approved when it was stored.
  stored: { approvesFirst: false },
}

const CURRENCIES = [
  ...['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS'],
  ...['JPY', 'MXN', 'MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'SEK', 'SGD', 'THB', 'TWD', 'USD'],
]

/**
 * PayPal keeps request ids of orders for 6 hours and of payments for 45 days. The margin covers the time that
 * a request is on its way. A void has no request id, but a second one changes nothing.
 */
const RETENTION_MS: Readonly<Record<Step, number>> = {
  start: 5.5 * HOUR,
  resume: 5.5 * HOUR,
  charge: 5.5 * HOUR,
  capture: 44 * DAY,
  cancel: 44 * DAY,
  refund: 44 * DAY,
}

/** The list of apps, each with its keys and webhooks. */
const APPLICATIONS = {
  sandbox: 'https://developer.paypal.com/dashboard/applications/sandbox',
  live: 'https://developer.paypal.com/dashboard/applications/live',
}

export const manifest: Manifest<PaypalSettings> = {
  id: 'paypal',
  name: 'PayPal',
  docs: 'https://developer.paypal.com/docs/api/orders/v2/',
  mark: { letters: 'PP', hue: 210, shape: 'pill' },
  setup: {
    rights: ['Accept payments'],
    optionalRights: ['Save payment methods (Vault)', 'Customer disputes', 'Transaction search'],
    keyPages: { clientId: APPLICATIONS, clientSecret: APPLICATIONS, webhookId: APPLICATIONS },
    events: EVENTS,
  },
  testDocs: 'https://developer.paypal.com/sandbox-testing/accounts',
  sandboxOnly: false,
  methods: { Paypal: WALLET },
  currencies: CURRENCIES,
  amountLimits: (currency) => ({ smallest: unitOf(currency), multipleOf: unitOf(currency) }),
  origin: (_config, isSandbox) => (isSandbox ? SANDBOX : LIVE),
  texts: { description: 127, name: 140, email: 254, phone: 14, customerId: 22 },
  settings,
  keyRetentionMs: (step) => RETENTION_MS[step],
  retrieve: 'by-id',
  authorisationWindowMs: 29 * DAY,
  pageOrigins: (_config, origin) => [
    ...(origin === SANDBOX || origin === LIVE ? [] : [origin]),
    origin === LIVE ? 'https://www.paypal.com' : 'https://www.sandbox.paypal.com',
  ],
  enumerations: ENUMERATIONS,
  // The token of a stored wallet, also in the links of replies.
  hides: {
    names: ['webhook_event', 'vault_id', 'vault.id', 'payment_tokens.id', 'evidences', 'messages'],
    texts: /\bpayment-tokens\/[\w.~%-]{1,255}/g,
  },
  dashboardLink: ({ capture, authorisation }, _config, isSandbox) => {
    const id = capture ?? authorisation
    const host = isSandbox ? 'www.sandbox.paypal.com' : 'www.paypal.com'
    return id === undefined
      ? undefined
      : {
          url: `https://${host}/activity/payment/${encodeURIComponent(id)}`,
          field: 'Transaction ID',
          value: id,
        }
  },
}
