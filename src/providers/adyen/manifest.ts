import { DAY, HOUR } from '../../base/clock.ts'
import type { Abilities, Manifest, SettingsSchema } from '../port.ts'
import { amountLimits } from './amounts.ts'
import { ENUMERATIONS } from './codes.ts'

export interface AdyenSettings {
  readonly apiKey: string
  readonly merchantAccount: string
  /** All keys that sign notifications now: two while one is replaced. */
  readonly hmacKeys: readonly string[]
  /** Of the live address. */
  readonly livePrefix: string
}

export const TEST_ORIGIN = 'https://checkout-test.adyen.com'

/** Every payment is reserved first and captured by a request of its own. */
const ABILITIES: Abilities = {
  authoriseOnly: true,
  sale: false,
  approvesFirst: false,
  partialCapture: true,
  refund: true,
  partialRefund: true,
  storeMethod: true,
  chargeStored: true,
  fields: false,
}

export const manifest: Manifest<AdyenSettings> = {
  id: 'adyen',
  name: 'Adyen',
  docs: 'https://docs.adyen.com/api-explorer/Checkout/72/overview',
  testDocs: 'https://docs.adyen.com/development-resources/testing/test-card-numbers',
  sandboxOnly: false,
  // A bank debit is captured as a whole.
  methods: { CreditCard: ABILITIES, ElectronicCheck: { ...ABILITIES, partialCapture: false } },
  currencies: 'any',
  amountLimits,
  origin: ({ livePrefix }, isSandbox) =>
    isSandbox ? TEST_ORIGIN : `https://${livePrefix}-checkout-live.adyenpayments.com/checkout`,
  texts: { description: 280, name: 80, email: 254, phone: 32, customerId: 256 },
  settings: settingsSchema(),
  // Adyen keeps keys for at least seven days. Some hours are left for clocks that differ.
  keyRetentionMs: () => 7 * DAY - 6 * HOUR,
  retrieve: 'notification-only',
  cancelsUnknown: true,
  // Adyen does not tell; it expires authorisations after 28 days.
  authorisationWindowMs: 28 * DAY,
  pageOrigins: (_config, origin) => [
    new URL(origin).origin,
    'https://test.adyen.link',
    'https://eu.adyen.link',
  ],
  notReady,
  enumerations: ENUMERATIONS,
  // A stored method is a shopper and an id.
  hides: {
    names: [
      'x-api-key',
      'hmackey',
      'storedpaymentmethodid',
      'recurringdetailreference',
      'storedpaymentmethods.id',
    ],
    texts: /\bshopper_[0-9A-Z]{20}/g,
  },
  dashboardLink: ({ payment }, { merchantAccount }, isSandbox) =>
    payment === undefined
      ? undefined
      : {
          url: `${areaOf(isSandbox)}?txType=Payment&accountKey=MerchantAccount.${encodeURIComponent(
            merchantAccount,
          )}&pspReference=${payment}`,
          field: 'PSP reference',
          value: payment,
        },
}

/** Adyen tells everything by notifications, and one that cannot be verified is refused. */
export function notReady({ hmacKeys }: AdyenSettings): string | undefined {
  return hmacKeys.length > 0
    ? undefined
    : 'Notifications of Adyen cannot be verified without an HMAC key: connect the profile first.'
}

/** Where the Customer Area shows a payment. */
const areaOf = (isSandbox: boolean): string =>
  `https://ca-${isSandbox ? 'test' : 'live'}.adyen.com/ca/ca/accounts/showTx.shtml`

const API_KEY = /^[\x21-\x7e]{20,1024}$/
const ACCOUNT = /^[A-Za-z0-9_.-]{1,80}$/
const HMAC_KEY = /^(?:[0-9A-Fa-f]{2}){16,64}$/
const PREFIX = /^[A-Za-z0-9-]{3,100}$/

const problem = (field: string, message: string) => ({ field, message })

function settingsSchema(): SettingsSchema<AdyenSettings> {
  return {
    parse(value, { isSandbox }) {
      const given = (value ?? {}) as Readonly<Record<string, unknown>>
      const text = (name: string): string => {
        const member = given[name]
        return typeof member === 'string' ? member : ''
      }
      const [apiKey, merchantAccount, livePrefix] = [
        text('apiKey'),
        text('merchantAccount'),
        text('livePrefix'),
      ]
      const hmacKeys = text('hmacKey')
        .split(/[\s,]+/)
        .filter(Boolean)
      const isPrefixGood = livePrefix === '' ? isSandbox : PREFIX.test(livePrefix)
      const problems = [
        ...(API_KEY.test(apiKey) ? [] : [problem('apiKey', 'must be the API key of an API credential')]),
        ...(ACCOUNT.test(merchantAccount)
          ? []
          : [problem('merchantAccount', 'must be the name of a merchant account')]),
        ...(hmacKeys.length <= 4 && hmacKeys.every((key) => HMAC_KEY.test(key))
          ? []
          : [problem('hmacKey', 'must be a hexadecimal key, or several with a space between them')]),
        ...(isPrefixGood ? [] : [problem('livePrefix', 'must be the prefix of the live address')]),
      ]
      if (problems.length > 0) return { ok: false, problems }
      return { ok: true, config: { apiKey, merchantAccount, hmacKeys, livePrefix } }
    },
    fields: [
      { name: 'apiKey', label: 'API key', secret: true, required: true },
      { name: 'merchantAccount', label: 'Merchant account', secret: false, required: true },
      {
        name: 'hmacKey',
        label: 'HMAC key',
        secret: true,
        required: false,
        help: 'Set by connecting the profile. While it is replaced: both keys with a space between them.',
      },
      {
        name: 'livePrefix',
        label: 'Live address prefix',
        secret: false,
        required: false,
        help: 'Live apps only. In the Customer Area under Developers, API URLs.',
      },
    ],
  }
}
