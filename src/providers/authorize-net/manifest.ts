import { DAY } from '../../base/clock.ts'
import type { Abilities, Manifest, SettingsSchema } from '../port.ts'

export interface AuthorizeNetSettings {
  readonly apiLoginId: string
  readonly transactionKey: string
  /** Absent: notifications cannot be verified, and payments are found by reading only. */
  readonly signatureKey?: string
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

const SANDBOX = 'https://apitest.authorize.net'
const LIVE = 'https://api.authorize.net'

/** The hosts of the API have pages at other hosts. Any other origin has both. */
const PAGES: Readonly<Record<string, string>> = {
  [SANDBOX]: 'https://test.authorize.net',
  [LIVE]: 'https://accept.authorize.net',
}

export const pageOrigin = (origin: string): string => PAGES[origin] ?? origin

export const manifest: Manifest<AuthorizeNetSettings> = {
  id: 'authorize-net',
  name: 'Authorize.Net',
  docs: 'https://developer.authorize.net/api/reference/',
  testDocs: 'https://developer.authorize.net/hello_world/testing_guide.html',
  sandboxOnly: false,
  methods: {
    CreditCard: CARD,
    // A debit is always taken at once and confirmed by its settlement.
    ElectronicCheck: { ...CARD, authoriseOnly: false, partialCapture: false },
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
  settings: settingsSchema(),
  // There are no keys. Every step looks for its own result before it is sent again.
  keyRetentionMs: () => 30 * DAY,
  retrieve: 'by-reference',
  decidesHolds: true,
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
          url: isSandbox ? 'https://sandbox.authorize.net/' : 'https://account.authorize.net/',
          field: 'Transaction ID',
          value: payment,
        },
}

function settingsSchema(): SettingsSchema<AuthorizeNetSettings> {
  return {
    parse(value) {
      const { apiLoginId, transactionKey, signatureKey = '' } = (value ?? {}) as Record<string, unknown>
      const problems = [
        ...(isText(apiLoginId, 25) ? [] : [problem('apiLoginId', 'must be the API Login ID')]),
        ...(isText(transactionKey, 16) ? [] : [problem('transactionKey', 'must be the Transaction Key')]),
        ...(signatureKey === '' || isText(signatureKey, 256)
          ? []
          : [problem('signatureKey', 'must be the Signature Key: 128 hexadecimal digits')]),
      ]
      if (problems.length > 0) return { ok: false, problems }
      const keys = { apiLoginId: String(apiLoginId), transactionKey: String(transactionKey) }
      return {
        ok: true,
        config: { ...keys, ...(signatureKey ? { signatureKey: String(signatureKey) } : {}) },
      }
    },
    fields: [
      {
        name: 'apiLoginId',
        label: 'API Login ID',
        secret: false,
        required: true,
        help: 'Of a sandbox account in a sandbox app, of a live account in a live app.',
      },
      { name: 'transactionKey', label: 'Transaction Key', secret: true, required: true },
      {
        name: 'signatureKey',
        label: 'Signature Key',
        secret: true,
        required: false,
        help: 'Verifies notifications. Created beside the Transaction Key.',
      },
    ],
  }
}

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length <= max && /^[\x21-\x7e]+$/.test(value)

const problem = (field: string, message: string) => ({ field, message })
