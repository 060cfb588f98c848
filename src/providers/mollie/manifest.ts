import { DAY, MINUTE } from '../../base/clock.ts'
import { textSettings } from '../kit/settings.ts'
import { namedAbilities } from '../methods/catalogue.ts'
import type { Abilities, Manifest } from '../port.ts'
import { amountLimits, CURRENCIES } from './amounts.ts'
import { ENUMERATIONS } from './payment.ts'

export interface MollieSettings {
  readonly apiKey: string
  /** Reads settled money. Absent: settlements of the profile come by a file only. */
  readonly organizationToken?: string
}

export const ORIGIN = 'https://api.mollie.com'

const settings = textSettings(
  {
    apiKey: {
      ...{ label: 'API key', secret: true, required: true },
      help: 'In the Mollie dashboard under Developers, API keys.',
      pattern: /^(?:test|live)_[A-Za-z0-9_-]{8,128}$/,
      expected: 'must be an API key (test_… or live_…)',
      problem: (key, { isSandbox }) => (key.startsWith('test_') === isSandbox ? undefined : needs(isSandbox)),
    },
    organizationToken: {
      ...{ label: 'Organisation access token', secret: true, required: false, trims: true },
      help:
        'Only to read settlements: in the Mollie dashboard under Developers, Organization access tokens, ' +
        'with the permission balances.read.',
      pattern: /^access_[A-Za-z0-9]{8,128}$/,
      expected: 'must be an organisation access token (access_…)',
    },
  },
  ({ apiKey, organizationToken }) => ({ apiKey, ...(organizationToken ? { organizationToken } : {}) }),
)

function needs(isSandbox: boolean): string {
  const wanted = isSandbox ? 'test' : 'live'
  return `a ${isSandbox ? 'sandbox' : 'live'} app needs a ${wanted} key (${wanted}_…)`
}

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

/** Mollie reserves money on cards only. */
const WALLET: Abilities = { ...CARD, authoriseOnly: false, partialCapture: false }

/** One page for both: it lists test keys and live keys. */
const TOKENS = {
  sandbox: 'https://my.mollie.com/dashboard/developers/api-keys',
  live: 'https://my.mollie.com/dashboard/developers/api-keys',
}

export const manifest: Manifest<MollieSettings> = {
  id: 'mollie',
  name: 'Mollie',
  docs: 'https://docs.mollie.com/reference/payments-api',
  mark: { letters: 'Mo', hue: 320, shape: 'circle' },
  setup: {
    rights: [],
    optionalRights: ['balances.read'],
    keyPages: { apiKey: TOKENS, organizationToken: TOKENS },
    events: [],
  },
  testDocs: 'https://docs.mollie.com/reference/testing',
  sandboxOnly: false,
  methods: { CreditCard: CARD, Paypal: WALLET, ...namedAbilities('mollie', WALLET) },
  currencies: CURRENCIES,
  amountLimits,
  // The key tells test from live.
  origin: () => ORIGIN,
  texts: { description: 255, name: 100, email: 254, phone: 32, customerId: 64 },
  settings,
  // Mollie keeps keys for about an hour. The rest is for clocks that differ.
  keyRetentionMs: () => 45 * MINUTE,
  retrieve: 'by-id',
  unsignedNotifications: true,
  // Replies say until when (`captureBefore`).
  authorisationWindowMs: 7 * DAY,
  pageOrigins: (_config, origin) => [
    ...(origin === ORIGIN ? [] : [origin]),
    'https://www.mollie.com',
    'https://pay.mollie.com',
  ],
  forwardedMethods: ['Paypal'],
  enumerations: ENUMERATIONS,
  // A stored method is a customer and a mandate.
  hides: {
    names: ['mandateid', 'cardholder', 'consumername', 'consumeraccount'],
    texts: /\b(?:cst|mdt)_\w{1,64}/g,
  },
  dashboardLink: ({ payment }) =>
    payment === undefined
      ? undefined
      : {
          url: `https://my.mollie.com/dashboard/payments/${encodeURIComponent(payment)}`,
          field: 'Payment ID',
          value: payment,
        },
}
