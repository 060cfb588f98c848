import { DAY } from '../../base/clock.ts'
import { namedAbilities } from '../../providers/methods/catalogue.ts'
import type { Abilities, Manifest, SettingsSchema } from '../../providers/port.ts'
import { SMALL_AMOUNTS } from '../values/amounts.ts'

export interface SandboxSettings {
  /** The account at the bank. Each sandbox app has one, shared by its profiles. */
  readonly account: string
  readonly apiKey: string
  /** The amount of a stored-method charge selects its outcome. */
  readonly magicAmounts: boolean
  /** Paying with a stored card on the checkout requires its security code. */
  readonly asksCode?: boolean
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
  fields: true,
  setUpMethod: true,
}

const ONE_STEP = { authoriseOnly: false, sale: true, approvesFirst: false, partialCapture: false } as const

export const manifest: Manifest<SandboxSettings> = {
  id: 'sandbox',
  name: 'Sandbox',
  docs: '/docs/sandbox',
  sandboxOnly: true,
  // The adapter learns the bank's address when the bank starts.
  origin: () => '',
  methods: {
    CreditCard: { ...CARD, threeDSecure: ['challenge', 'exemption'] },
    ElectronicCheck: { ...CARD, ...ONE_STEP },
    Crypto: {
      ...ONE_STEP,
      refund: false,
      partialRefund: false,
      storeMethod: false,
      chargeStored: false,
      fields: false,
    },
    Paypal: { ...CARD, approvesFirst: true, fields: false },
    ...namedAbilities('sandbox', CARD),
  },
  currencies: 'any',
  texts: { description: 1_000, name: 200, email: 254, phone: 50, customerId: 200 },
  settings: settingsSchema(),
  // The bank keeps keys without limit; a month is longer than any retry.
  keyRetentionMs: () => 30 * DAY,
  retrieve: 'by-reference',
  authorisationWindowMs: 7 * DAY,
  testAmounts: SMALL_AMOUNTS,
  // Tokens of stored methods.
  hides: { texts: /\bmet_[0-9a-z]{6,100}/g },
}

function settingsSchema(): SettingsSchema<SandboxSettings> {
  return {
    parse(value) {
      const {
        account,
        apiKey,
        magicAmounts = false,
        asksCode = false,
      } = (value ?? {}) as Readonly<Record<string, unknown>>
      const problems: { field: string; message: string }[] = []
      if (typeof account !== 'string' || !/^[0-9A-Za-z_-]{1,64}$/.test(account))
        problems.push({ field: 'account', message: 'must be the account of this app at the sandbox bank' })
      if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(apiKey))
        problems.push({ field: 'apiKey', message: 'must be the key of the account' })
      if (typeof magicAmounts !== 'boolean')
        problems.push({ field: 'magicAmounts', message: 'must be true or false' })
      if (typeof asksCode !== 'boolean')
        problems.push({ field: 'asksCode', message: 'must be true or false' })
      if (problems.length > 0) return { ok: false, problems }
      return { ok: true, config: { account, apiKey, magicAmounts, asksCode } as SandboxSettings }
    },
    fields: [
      { name: 'account', label: 'Account', secret: false, required: false, help: 'Given by the service.' },
      { name: 'apiKey', label: 'API key', secret: true, required: false, help: 'Given by the service.' },
      {
        name: 'magicAmounts',
        label: 'Amounts choose outcomes',
        secret: false,
        required: false,
        help: 'Charges of stored methods end as the table of test amounts says: 2001.00 is declined.',
      },
      {
        name: 'asksCode',
        label: 'Saved cards ask for the security code',
        secret: false,
        required: false,
        help: 'On the checkout a saved card is paid with only after its code was typed again; 000 is wrong.',
      },
    ],
  }
}
