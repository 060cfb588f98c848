import { DAY } from '../../base/clock.ts'
import { partsOf, textSettings } from '../kit/settings.ts'
import { namedAbilities } from '../methods/catalogue.ts'
import type { Abilities, Manifest } from '../port.ts'
import { amountLimits, STRIPE_CURRENCIES } from './amounts.ts'
import { ENUMERATIONS } from './enumerations.ts'
import { SUBSCRIBED } from './events/names.ts'

export interface StripeSettings {
  readonly secretKey: string
  /** All signing secrets that are valid now: two while one is rolled. */
  readonly webhookSecrets: readonly string[]
}

const DASHBOARD = 'https://dashboard.stripe.com'

const settings = textSettings(
  {
    secretKey: {
      ...{ label: 'Secret key', secret: true, required: true },
      help: 'sk_test_… or rk_test_… in a sandbox app, sk_live_… or rk_live_… in a live app.',
      pattern: /^(?:sk|rk)_(?:test|live)_[0-9A-Za-z]{10,247}$/,
      expected: 'must be a secret key (sk_…) or a restricted key (rk_…)',
      problem: (key, { isSandbox }) =>
        key.includes('_test_') === isSandbox ? undefined : wrongMode(isSandbox),
    },
    webhookSecret: {
      ...{ label: 'Signing secret', secret: true, required: false, several: 4 },
      help: 'Set by connecting the profile. While it is rolled: both secrets with a space between them.',
      pattern: /^whsec_[\x21-\x7e]{16,200}$/,
      expected: 'must be a signing secret (whsec_…), or several with a space between them',
    },
  },
  ({ secretKey, webhookSecret }) => ({ secretKey, webhookSecrets: partsOf(webhookSecret) }),
)

const wrongMode = (isSandbox: boolean) =>
  isSandbox
    ? 'is a live key; a sandbox app needs a test key (sk_test_… or rk_test_…)'
    : 'is a test key; a live app needs a live key (sk_live_… or rk_live_…)'

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
  setUpMethod: true,
}

export const manifest: Manifest<StripeSettings> = {
  id: 'stripe',
  name: 'Stripe',
  docs: 'https://docs.stripe.com/api',
  mark: { letters: 'St', hue: 245, shape: 'wave' },
  setup: {
    rights: [
      'Checkout Sessions: write',
      'PaymentIntents: write',
      'Charges and Refunds: write',
      'Customers, PaymentMethods: write',
      'Balance, Balance transaction sources: read',
      'Disputes: read',
    ],
    optionalRights: [
      ...[
        'SetupIntents: read',
        'Events: read',
        'Payouts: read',
        'Payment Method Configurations: read',
        'Webhook Endpoints: write',
        'Account: read',
      ],
    ],
    keyPages: {
      secretKey: { sandbox: `${DASHBOARD}/test/apikeys`, live: `${DASHBOARD}/apikeys` },
      webhookSecret: { sandbox: `${DASHBOARD}/test/webhooks`, live: `${DASHBOARD}/webhooks` },
    },
    events: SUBSCRIBED,
  },
  testDocs: 'https://docs.stripe.com/testing',
  sandboxOnly: false,
  methods: {
    CreditCard: { ...CARD, threeDSecure: ['challenge'] },
    // A debit is always taken at once and confirmed days later.
    ElectronicCheck: { ...CARD, authoriseOnly: false, partialCapture: false, countries: ['US'] },
    ...namedAbilities('stripe', CARD),
  },
  currencies: STRIPE_CURRENCIES,
  amountLimits,
  origin: () => 'https://api.stripe.com',
  texts: { description: 250, name: 100, email: 254, phone: 20, customerId: 200 },
  settings,
  // Stripe removes keys when they are at least 24 hours old. An hour is left for clocks that differ.
  keyRetentionMs: () => DAY - DAY / 24,
  retrieve: 'by-id',
  authorisationWindowMs: 7 * DAY,
  pageOrigins: (_config, origin) => [origin, 'https://checkout.stripe.com', 'https://hooks.stripe.com'],
  enumerations: ENUMERATIONS,
  // A stored method is a customer and a payment method. Evidence tells about the payer.
  hides: { names: ['evidence'], texts: /\b(?:cus|pm|card|src|ba)_[0-9A-Za-z_]{6,255}/g },
  dashboardLink: ({ payment }, _config, isSandbox) =>
    payment === undefined
      ? undefined
      : { url: `${DASHBOARD}${isSandbox ? '/test' : ''}/payments/${payment}`, field: 'ID', value: payment },
}
