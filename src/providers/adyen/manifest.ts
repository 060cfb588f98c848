import { DAY, HOUR } from '../../base/clock.ts'
import type { NotReady } from '../check.ts'
import { partsOf, textSettings } from '../kit/settings.ts'
import { namedAbilities } from '../methods/catalogue.ts'
import type { Abilities, Manifest } from '../port.ts'
import { amountLimits } from './amounts.ts'
import { ENUMERATIONS, EVENTS } from './codes.ts'

export interface AdyenSettings {
  readonly apiKey: string
  readonly merchantAccount: string
  /** All keys that sign notifications now: two while one is replaced. */
  readonly hmacKeys: readonly string[]
  /** The merchant's own part of the live address. */
  readonly livePrefix: string
}

export const TEST_ORIGIN = 'https://checkout-test.adyen.com'

const PREFIX = 'must be the prefix of the live address'

const settings = textSettings(
  {
    apiKey: {
      ...{ label: 'API key', secret: true, required: true },
      ...{ pattern: /^[\x21-\x7e]{20,1024}$/, expected: 'must be the API key of an API credential' },
    },
    merchantAccount: {
      ...{ label: 'Merchant account', secret: false, required: true },
      ...{ pattern: /^[A-Za-z0-9_.-]{1,80}$/, expected: 'must be the name of a merchant account' },
    },
    hmacKey: {
      ...{ label: 'HMAC key', secret: true, required: false, several: 4 },
      help: 'Set by connecting the profile. While it is replaced: both keys with a space between them.',
      pattern: /^(?:[0-9A-Fa-f]{2}){16,64}$/,
      expected: 'must be a hexadecimal key, or several with a space between them',
    },
    livePrefix: {
      ...{ label: 'Live address prefix', secret: false, required: false },
      help: 'Live apps only. In the Customer Area under Developers, API URLs.',
      ...{ pattern: /^[A-Za-z0-9-]{3,100}$/, expected: PREFIX },
      problem: (text, { isSandbox }) => (text === '' && !isSandbox ? PREFIX : undefined),
    },
  },
  ({ hmacKey, ...texts }) => ({ ...texts, hmacKeys: partsOf(hmacKey) }),
)

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

const customerArea = (page: string) => ({
  sandbox: `https://ca-test.adyen.com/ca/ca/${page}`,
  live: `https://ca-live.adyen.com/ca/ca/${page}`,
})

export const manifest: Manifest<AdyenSettings> = {
  id: 'adyen',
  name: 'Adyen',
  docs: 'https://docs.adyen.com/api-explorer/Checkout/72/overview',
  mark: { letters: 'Ad', hue: 150, shape: 'hexagon' },
  setup: {
    rights: ['Checkout webservice role', 'Pay by Link'],
    optionalRights: [
      ...['Merchant Recurring role', 'Merchant allow bank-refund'],
      'Management API: Webhooks read and write',
    ],
    keyPages: {
      apiKey: customerArea('config/api_credentials_new.shtml'),
      merchantAccount: customerArea(''),
      hmacKey: customerArea('config/showthirdparty.shtml'),
      livePrefix: customerArea(''),
    },
    events: EVENTS,
  },
  testDocs: 'https://docs.adyen.com/development-resources/testing/test-card-numbers',
  sandboxOnly: false,
  // A bank debit is captured as a whole.
  methods: {
    CreditCard: { ...ABILITIES, threeDSecure: ['challenge', 'exemption'] },
    ElectronicCheck: { ...ABILITIES, partialCapture: false, countries: ['US'] },
    ...namedAbilities('adyen', ABILITIES, { storesWallets: true }),
  },
  currencies: 'any',
  amountLimits,
  origin: ({ livePrefix }, isSandbox) =>
    isSandbox ? TEST_ORIGIN : `https://${livePrefix}-checkout-live.adyenpayments.com/checkout`,
  texts: { description: 280, name: 80, email: 254, phone: 32, customerId: 256 },
  settings,
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
export function notReady({ hmacKeys }: AdyenSettings): NotReady | undefined {
  const problem = 'Notifications of Adyen cannot be verified without an HMAC key: connect the profile first.'
  return hmacKeys.length > 0 ? undefined : { code: 'hmac-key-missing', problem }
}

/** Where the Customer Area shows a payment. */
const areaOf = (isSandbox: boolean): string =>
  `https://ca-${isSandbox ? 'test' : 'live'}.adyen.com/ca/ca/accounts/showTx.shtml`
