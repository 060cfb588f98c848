import type { App } from '../../../merchants/app.ts'

/** What the snippets of a shop are filled with. The key stays a variable: no page shows it again. */
interface ShopFacts {
  /** The address of this service. */
  readonly url: string
  readonly app: App
}

interface PluginConnection {
  readonly kind: 'plugin'
  readonly name: string
}

interface CodeConnection {
  readonly kind: 'code'
  readonly name: string
  /** Its folder in `packages`; absent: nothing has to be installed. */
  readonly folder?: string
  readonly install?: string
  /** A plugin of a shop system: the example is its settings. Default: the example creates a payment. */
  readonly isPlugin?: true
  /** What its key must be allowed, where that is more than payments and refunds. */
  readonly scopes?: string
  readonly example: (facts: ShopFacts) => string
}

/** What a shop needs and no more. */
export const SHOP_SCOPES = 'payments,refunds'

export type ShopConnection = PluginConnection | CodeConnection

const currencyOf = ({ profiles }: App): string => profiles[0]?.currency ?? 'USD'

const curl = ({ url, app }: ShopFacts): string =>
  `curl ${url}/api/apps/${app.appId}/payments/hosted-page \\
  -H "Authorization: Bearer $TENDER_KEY" -H 'Content-Type: application/json' \\
  -d '{"referenceId":"order-1","amount":"25.00","currency":"${currencyOf(app)}","autoCapture":true,
    "showPayRecurringInCheckout":false,"returnUrl":"https://shop.example/thanks",
    "customerOrder":{"customer":{"customerId":"customer-1"}}}'`

const typescript = ({ url, app }: ShopFacts): string =>
  `import { createTender } from 'tender-sdk'

const tender = createTender({
  url: '${url}', appId: '${app.appId}', apiKey: process.env.TENDER_KEY,
})
const payment = await tender.payments.createHostedPage({
  referenceId: 'order-1', amount: '25.00', currency: '${currencyOf(app)}',
  autoCapture: true, showPayRecurringInCheckout: false,
  returnUrl: 'https://shop.example/thanks',
  customerOrder: { customer: { customerId: 'customer-1' } },
})
// Send the customer to payment.redirectUrl.`

const php = ({ url, app }: ShopFacts): string =>
  `$tender = new TenderPay\\Tender(
    url: '${url}', appId: '${app.appId}', apiKey: getenv('TENDER_KEY'),
    http: $client, requests: $factory, streams: $factory, // PSR-18 and PSR-17
);
$payment = $tender->payments->createHostedPage([
    'referenceId' => 'order-1', 'amount' => '25.00', 'currency' => '${currencyOf(app)}',
    'autoCapture' => true, 'showPayRecurringInCheckout' => false,
    'returnUrl' => 'https://shop.example/thanks',
    'customerOrder' => ['customer' => ['customerId' => 'customer-1']],
]);
// Send the customer to $payment['redirectUrl'].`

const python = ({ url, app }: ShopFacts): string =>
  `import os
from tender_pay import Tender

tender = Tender("${url}", app_id="${app.appId}", api_key=os.environ["TENDER_KEY"])
payment = tender.payments.create_hosted_page({
    "referenceId": "order-1", "amount": "25.00", "currency": "${currencyOf(app)}",
    "autoCapture": True, "showPayRecurringInCheckout": False,
    "returnUrl": "https://shop.example/thanks",
    "customerOrder": {"customer": {"customerId": "customer-1"}},
})
# Send the customer to payment["redirectUrl"].`

const vendure = ({ url, app }: ShopFacts): string =>
  `import { TenderPlugin } from '@tender-pay/vendure'

// In the list of plugins in src/vendure-config.ts. Webhooks need no address in this console.
TenderPlugin.init({
  url: '${url}', appId: '${app.appId}', apiKey: process.env.TENDER_KEY ?? '',
  webhookSecret: process.env.TENDER_WEBHOOK_SECRET ?? '',
  serverUrl: 'https://api.shop.example',
  returnUrl: 'https://shop.example/thanks/{code}',
}),`

const medusa = ({ url, app }: ShopFacts): string =>
  `// medusa-config.ts
const options = {
  url: '${url}', appId: '${app.appId}', apiKey: process.env.TENDER_KEY,
  webhookSecret: process.env.TENDER_WEBHOOK_SECRET,
  webhookUrl: 'https://api.shop.example/hooks/tender',
  returnUrl: 'https://shop.example/paid',
}
module.exports = defineConfig({
  // …
  plugins: ['@tender-pay/medusa'],
  modules: [{
    resolve: '@medusajs/medusa/payment',
    options: { providers: [{ resolve: '@tender-pay/medusa', id: 'tender', options }] },
  }],
})`

/** By the name in the address of the page. Each package that a shop installs is one entry. */
export const CONNECTIONS: Readonly<Record<string, ShopConnection>> = {
  woocommerce: { kind: 'plugin', name: 'WooCommerce' },
  whmcs: { kind: 'plugin', name: 'WHMCS' },
  vendure: {
    kind: 'code',
    name: 'Vendure',
    folder: 'vendure',
    install: 'npm install @tender-pay/vendure',
    isPlugin: true,
    example: vendure,
  },
  medusa: {
    kind: 'code',
    name: 'Medusa',
    folder: 'medusa',
    install: 'npm install @tender-pay/medusa',
    scopes: 'payments,refunds,customers',
    isPlugin: true,
    example: medusa,
  },
  typescript: {
    kind: 'code',
    name: 'TypeScript',
    folder: 'sdk',
    install: 'npm install tender-sdk',
    example: typescript,
  },
  php: {
    kind: 'code',
    name: 'PHP',
    folder: 'php',
    install: 'composer require tender-pay/client',
    example: php,
  },
  python: {
    kind: 'code',
    name: 'Python',
    folder: 'python',
    install: 'pip install tender-pay',
    example: python,
  },
  curl: { kind: 'code', name: 'curl', example: curl },
}
