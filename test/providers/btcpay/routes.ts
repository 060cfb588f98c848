import type { Answer } from '../kit/gate.ts'
import type { ApiOperation } from '../kit/simulator.ts'
import {
  type Call,
  createInvoice,
  listInvoices,
  listPulls,
  markInvoice,
  refundInvoice,
  type Site,
  view,
  withInvoice,
  withPull,
  withWebhook,
} from './handlers.ts'
import { type BodyProblem, CHECKS, type WebhookBody } from './schemas.ts'
import { paymentMethodViews, payoutView, pullPaymentView } from './views.ts'
import { webhookView } from './webhooks.ts'

/** The routes of the Greenfield API that payments need. */

export interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly permission?: string
  readonly operation?: ApiOperation
  readonly query?: readonly string[]
  readonly check?: (body: unknown, site: Site) => readonly BodyProblem[]
  run(site: Site, call: Call, id: string): Answer
}

const PULLS = '/api/v1/pull-payments/([^/]+)'
const PULL = '/api/v1/(?:stores/[^/]+/)?pull-payments/([^/]+)'
const INVOICE = '/api/v1/(?:stores/[^/]+/)?invoices/([^/]+)'
const STORE = '/api/v1/stores/([^/]+)'
const WEBHOOK = '/api/v1/(?:stores/[^/]+/)?webhooks/([^/]+)'
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`)

/** Whether a version is older than another. */
const isBefore = (version: string, other: string): boolean =>
  version.localeCompare(other, 'en', { numeric: true }) < 0

/** Paths without the store exist since 2.4.0, except those that anyone may read. */
const UNSCOPED = /^\/api\/v1\/(?:invoices|webhooks|pull-payments)\//

export const existsIn = (version: string, method: string, path: string): boolean => {
  if (!isBefore(version, '2.4.0') || !UNSCOPED.test(path)) return true
  return method === 'GET' && path.startsWith('/api/v1/pull-payments/')
}

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: whole('/api/v1/server/info'),
    // Any key will do.
    permission: '',
    operation: 'read',
    run: ({ version, payoutMethods }) => ({
      status: 200,
      body: { version, supportedPaymentMethods: payoutMethods, fullySynched: true, syncStatus: [] },
    }),
  },
  {
    method: 'POST',
    pattern: whole(`${STORE}/invoices`),
    permission: 'btcpay.store.cancreateinvoice',
    operation: 'start',
    check: CHECKS.invoice,
    run: createInvoice,
  },
  {
    method: 'GET',
    pattern: whole(`${STORE}/invoices`),
    permission: 'btcpay.store.canviewinvoices',
    operation: 'read',
    query: [
      'orderId',
      'status',
      'textSearch',
      'startDate',
      'endDate',
      'skip',
      'take',
      'includePaymentMethods',
    ],
    run: listInvoices,
  },
  {
    method: 'GET',
    pattern: whole(INVOICE),
    permission: 'btcpay.store.canviewinvoices',
    operation: 'read',
    query: ['includePaymentMethods'],
    run: (site, _call, id) =>
      withInvoice(site, id, (invoice) => ({ status: 200, body: view(site, invoice) })),
  },
  {
    method: 'GET',
    pattern: whole(`${INVOICE}/payment-methods`),
    permission: 'btcpay.store.canviewinvoices',
    operation: 'read',
    query: ['onlyAccountedPayments', 'includeSensitive'],
    run: (site, { query }, id) =>
      withInvoice(site, id, (invoice) => ({
        status: 200,
        body: paymentMethodViews(invoice, query.get('onlyAccountedPayments') !== 'false'),
      })),
  },
  {
    method: 'DELETE',
    pattern: whole(INVOICE),
    permission: 'btcpay.store.canmodifyinvoices',
    operation: 'cancel',
    run: (site, _call, id) =>
      withInvoice(site, id, (invoice) => {
        invoice.archived = true
        return { status: 200 }
      }),
  },
  {
    method: 'POST',
    pattern: whole(`${INVOICE}/status`),
    permission: 'btcpay.store.canmodifyinvoices',
    operation: 'cancel',
    check: CHECKS.mark,
    run: markInvoice,
  },
  {
    method: 'POST',
    pattern: whole(`${INVOICE}/refund`),
    permission: 'btcpay.store.cancreatepullpayments',
    operation: 'refund',
    check: (body, { version }) => (isBefore(version, '2.4.1') ? CHECKS.oldRefund : CHECKS.refund)(body),
    run: refundInvoice,
  },
  {
    method: 'GET',
    pattern: whole(STORE),
    permission: 'btcpay.store.canviewstoresettings',
    run: (_site, _call, id) => ({
      status: 200,
      body: { id, name: 'Simulated store', defaultCurrency: 'EUR' },
    }),
  },
  {
    method: 'GET',
    pattern: whole(`${STORE}/pull-payments`),
    permission: 'btcpay.store.canviewpullpayments',
    operation: 'read',
    query: ['includeArchived'],
    run: listPulls,
  },
  {
    method: 'GET',
    pattern: whole(PULLS),
    operation: 'read',
    run: (site, _call, id) =>
      withPull(site, id, (pull) => ({ status: 200, body: pullPaymentView(pull, site.origin()) })),
  },
  {
    method: 'DELETE',
    pattern: whole(PULL),
    permission: 'btcpay.store.canarchivepullpayments',
    run: (site, _call, id) =>
      withPull(site, id, (pull) => {
        site.store.chain.archive(pull)
        return { status: 200 }
      }),
  },
  {
    method: 'GET',
    pattern: whole(`${PULLS}/payouts`),
    operation: 'read',
    query: ['includeCancelled'],
    run: (site, { query }, id) =>
      withPull(site, id, (pull) => ({
        status: 200,
        body: pull.payouts
          .filter(({ state }) => query.get('includeCancelled') === 'true' || state !== 'Cancelled')
          .map((payout) => payoutView(payout, pull)),
      })),
  },
  {
    method: 'GET',
    pattern: whole(`${STORE}/webhooks`),
    permission: 'btcpay.store.webhooks.canmodifywebhooks',
    run: ({ webhooks }) => ({
      status: 200,
      body: webhooks.all.map((webhook) => webhookView(webhook, false)),
    }),
  },
  {
    method: 'POST',
    pattern: whole(`${STORE}/webhooks`),
    permission: 'btcpay.store.webhooks.canmodifywebhooks',
    check: CHECKS.webhook,
    run: ({ webhooks }, { body }) => ({
      status: 200,
      body: webhookView(webhooks.create(body as WebhookBody), true),
    }),
  },
  {
    method: 'PUT',
    pattern: whole(WEBHOOK),
    permission: 'btcpay.store.webhooks.canmodifywebhooks',
    check: CHECKS.webhook,
    run: (site, { body }, id) =>
      withWebhook(site, id, (webhook) => {
        site.webhooks.update(webhook, body as WebhookBody)
        return { status: 200, body: webhookView(webhook, false) }
      }),
  },
  {
    method: 'DELETE',
    pattern: whole(WEBHOOK),
    permission: 'btcpay.store.webhooks.canmodifywebhooks',
    run: (site, _call, id) =>
      withWebhook(site, id, (webhook) => {
        site.webhooks.remove(webhook)
        return { status: 200 }
      }),
  },
]
