import { DAY } from '../../../../src/base/clock.ts'
import { textSettings } from '../../../../src/providers/kit/settings.ts'
import type { Abilities, Manifest } from '../../../../src/providers/port.ts'

export interface AcornPaySettings {
  readonly apiKey: string
  /** Signs notifications. `connect` returns it. */
  readonly webhookSecret?: string
}

/** Each text has a pattern with a bound: settings come from outside. */
const settings = textSettings(
  {
    apiKey: {
      ...{ label: 'API key', secret: true, required: true },
      ...{ pattern: /^[\w-]{8,128}$/, expected: 'must be an API key' },
    },
    webhookSecret: {
      ...{ label: 'Signing secret of webhooks', secret: true, required: false },
      ...{ pattern: /^[\w-]{8,128}$/, expected: 'must be a signing secret' },
    },
  },
  ({ apiKey, webhookSecret }) => ({ apiKey, ...(webhookSecret ? { webhookSecret } : {}) }),
)

/** Declare only what works: the core offers every ability that is true, and the contract suite proves it. */
const CARD: Abilities = {
  authoriseOnly: true,
  sale: true,
  approvesFirst: false,
  partialCapture: true,
  refund: true,
  partialRefund: true,
  storeMethod: false,
  chargeStored: false,
  fields: false,
}

export const manifest: Manifest<AcornPaySettings> = {
  id: 'acorn-pay',
  name: 'Acorn Pay',
  docs: 'https://docs.acorn-pay.example',
  // False when the fault matrix passes. Until then no live app can have a profile.
  sandboxOnly: true,
  methods: { CreditCard: CARD },
  currencies: ['EUR', 'USD'],
  origin: (_config, isSandbox) =>
    isSandbox ? 'https://sandbox.acorn-pay.example' : 'https://api.acorn-pay.example',
  texts: { description: 255, name: 50, email: 254, phone: 20, customerId: 64 },
  settings,
  // How long the provider promises to remember a key. With 0 nothing is sent twice.
  keyRetentionMs: () => 0,
  retrieve: 'by-reference',
  authorisationWindowMs: 7 * DAY,
  pageOrigins: (_config, origin) => [origin],
  // Every value that the provider publishes, from its documentation. Any other one is counted.
  enumerations: {
    'payment status': { handled: [], ignored: [] },
    event: { handled: [], ignored: [] },
  },
}
