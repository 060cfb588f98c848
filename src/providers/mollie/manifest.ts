import { DAY, MINUTE } from '../../base/clock.ts'
import type { Abilities, Manifest, SettingsSchema } from '../port.ts'
import { amountLimits, CURRENCIES } from './amounts.ts'
import { ENUMERATIONS } from './payment.ts'

export interface MollieSettings {
  readonly apiKey: string
}

export const ORIGIN = 'https://api.mollie.com'

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

export const manifest: Manifest<MollieSettings> = {
  id: 'mollie',
  name: 'Mollie',
  docs: 'https://docs.mollie.com/reference/payments-api',
  testDocs: 'https://docs.mollie.com/reference/testing',
  sandboxOnly: false,
  methods: { CreditCard: CARD, Paypal: WALLET },
  currencies: CURRENCIES,
  amountLimits,
  // The key tells test from live.
  origin: () => ORIGIN,
  texts: { description: 255, name: 100, email: 254, phone: 32, customerId: 64 },
  settings: settingsSchema(),
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

const KEY = /^(test|live)_[A-Za-z0-9_-]{8,128}$/

function settingsSchema(): SettingsSchema<MollieSettings> {
  return {
    parse(value, { isSandbox }) {
      const { apiKey } = (value ?? {}) as Readonly<Record<string, unknown>>
      const mode = typeof apiKey === 'string' ? KEY.exec(apiKey)?.[1] : undefined
      const wanted = isSandbox ? 'test' : 'live'
      if (typeof apiKey !== 'string' || mode === undefined)
        return problem('must be an API key (test_… or live_…)')
      if (mode !== wanted)
        return problem(`a ${isSandbox ? 'sandbox' : 'live'} app needs a ${wanted} key (${wanted}_…)`)
      return { ok: true, config: { apiKey } }
    },
    fields: [
      {
        name: 'apiKey',
        label: 'API key',
        secret: true,
        required: true,
        help: 'In the Mollie dashboard under Developers, API keys.',
      },
    ],
  }
}

const problem = (message: string) => ({ ok: false as const, problems: [{ field: 'apiKey', message }] })
