import type { Direction } from './openapi.ts'

/** The APIs of the providers and the official descriptions that judge them. */

export interface Description {
  readonly file: string
  /** Both, if absent. */
  readonly judges?: Direction
  /** Members that a later version of the API added to its replies are not refused. */
  readonly isOld?: boolean
  /** Schemas that it names and does not have. They take anything. */
  readonly lacks?: readonly string[]
}

interface Api {
  readonly descriptions: readonly Description[]
  /** Operations that the descriptions leave out although the provider has them. */
  readonly undescribed?: RegExp
  /** Another form of the same address. */
  readonly alias?: readonly [RegExp, string]
}

/** The first description that has an operation judges it. */
export const APIS: Readonly<Record<string, Api>> = {
  stripe: {
    descriptions: [
      { file: 'stripe-requests-2026-10-28.endive.json', judges: 'request' },
      { file: 'stripe-payments-2023-08-16.json', isOld: true },
    ],
    undescribed: /^\/v1\/(?:account$|balance$|balance_transactions$|payouts$|webhook_endpoints\/|disputes)/,
  },
  paypal: {
    descriptions: [
      { file: 'paypal-checkout-orders-v2.13.json' },
      { file: 'paypal-payments-v2.5.json' },
      { file: 'paypal-vault-v3.1.json' },
      { file: 'paypal-webhooks-v1.11.json' },
    ],
    // The description of payment tokens leaves out the type `SETUP_TOKEN`, which PayPal's guides name.
    undescribed: new RegExp(
      '^/(?:v1/(?:oauth2/token$|reporting/transactions$|identity/|customer/|notifications/certs/)|' +
        'v3/vault/payment-tokens$)',
    ),
  },
  btcpay: {
    descriptions: [{ file: 'btcpay-greenfield.json' }],
    undescribed: /^\/api\/v1\/(?:server\/info$|stores\/[^/]+\/pull-payments$|pull-payments\/[^/]+\/payouts$)/,
    alias: [/^(\/api\/v1)\/stores\/[^/]+(\/(?:invoices|webhooks|pull-payments)\/[^/]+)/, '$1$2'],
  },
  adyen: {
    descriptions: [{ file: 'adyen-checkout-v72.json' }, { file: 'adyen-webhooks-v1.json' }],
    // The Management API, which sets up webhooks.
    undescribed: /^\/v3\/merchants\//,
    alias: [/^\/v72\//, '/'],
  },
  square: {
    // The schema is of the catalogue, which is not used.
    descriptions: [{ file: 'square-payments-2025-08-20.json', lacks: ['CatalogModifierToggleOverrideType'] }],
    undescribed: /^\/v2\/(?:disputes$|payouts|webhooks\/subscriptions\/|locations\/|customers\/search$)/,
  },
}
