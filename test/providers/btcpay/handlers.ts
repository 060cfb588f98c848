import { parseMinor } from '../../../src/base/money.ts'
import type { Answer } from '../kit/gate.ts'
import { type BodyProblem, type InvoiceBody, isKnownCurrency, type RefundBody } from './schemas.ts'
import {
  canMarkInvalid,
  canMarkSettled,
  canRefund,
  type Invoice,
  orderIdOf,
  type PullPayment,
} from './state.ts'
import { refundAmount, type Store } from './store.ts'
import { invoiceView, pullPaymentView } from './views.ts'
import type { Webhook, Webhooks } from './webhooks.ts'

/** What the simulated server does for each request of the Greenfield API. */

export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

export interface Site {
  readonly store: Store
  readonly webhooks: Webhooks
  readonly version: string
  /** The methods by which the store pays out. */
  readonly payoutMethods: readonly string[]
  origin(): string
  /** Records a request that a correct client never sends. */
  violate(what: string): void
}

export const problem = (status: number, code: string, message: string): Answer => ({
  status,
  body: { code, message },
})
export const invalid = (problems: readonly BodyProblem[]): Answer => ({ status: 422, body: problems })
const missing = (what: string): Answer => problem(404, `${what}-not-found`, `The ${what} was not found`)

export const view = (site: Site, invoice: Invoice) =>
  invoiceView(invoice, { origin: site.origin(), storeId: site.store.id })

export function withInvoice(site: Site, id: string, run: (invoice: Invoice) => Answer): Answer {
  const invoice = site.store.invoices.get(id)
  return invoice ? run(invoice) : missing('invoice')
}

export function withPull(site: Site, id: string, run: (pull: PullPayment) => Answer): Answer {
  const pull = site.store.pulls.get(id)
  return pull ? run(pull) : missing('pullpayment')
}

export function withWebhook(site: Site, id: string, run: (webhook: Webhook) => Answer): Answer {
  const webhook = site.webhooks.all.find((candidate) => candidate.id === id)
  return webhook ? run(webhook) : missing('webhook')
}

export function createInvoice(site: Site, { body }: Call): Answer {
  const request = body as InvoiceBody
  if (!isKnownCurrency(request.currency)) return invalid([{ path: 'currency', message: 'Invalid currency' }])
  const minor = parseMinor(request.amount, request.currency)
  if (minor === undefined || minor === 0n) {
    site.violate(`amount ${request.amount} ${request.currency}`)
    return invalid([{ path: 'amount', message: 'Invalid amount' }])
  }
  return { status: 200, body: view(site, site.store.createInvoice(request)) }
}

export function listInvoices(site: Site, { query }: Call): Answer {
  const orderIds = query.getAll('orderId')
  const found = [...site.store.invoices.values()]
    .filter(({ id, archived }) => !archived && site.store.isListed(id))
    .filter((invoice) => orderIds.length === 0 || orderIds.includes(orderIdOf(invoice)))
    .reverse()
  const skip = Number(query.get('skip') ?? 0)
  const take = Number(query.get('take') ?? found.length)
  return { status: 200, body: found.slice(skip, skip + take).map((invoice) => view(site, invoice)) }
}

export function markInvoice(site: Site, { body }: Call, id: string): Answer {
  const { status } = body as { status: 'Invalid' | 'Settled' }
  return withInvoice(site, id, (invoice) => {
    const allowed = status === 'Invalid' ? canMarkInvalid(invoice) : canMarkSettled(invoice)
    if (!allowed)
      return invalid([
        {
          path: 'status',
          message: 'Status can only be marked to invalid or settled within certain conditions.',
        },
      ])
    site.store.chain.mark(invoice, status)
    return { status: 200, body: view(site, invoice) }
  })
}

export function refundInvoice(site: Site, { body }: Call, id: string): Answer {
  const request = body as RefundBody
  return withInvoice(site, id, (invoice) => {
    if (!canRefund(invoice)) return problem(400, 'non-refundable', 'Cannot refund this invoice')
    const amount = refundAmount(invoice, request)
    if ('path' in amount) return invalid([amount])
    const { name, description } = request
    const payoutMethods = request.payoutMethods ?? [request.payoutMethodId ?? DEFAULT_METHOD]
    if (!payoutMethods.every((method) => site.payoutMethods.includes(method)))
      return invalid([{ path: methodMember(request), message: `Invalid or unsupported payout method` }])
    const pull = site.store.createRefund(invoice, { ...amount, name, description, payoutMethods })
    return { status: 200, body: pullPaymentView(pull, site.origin()) }
  })
}

const DEFAULT_METHOD = 'BTC-CHAIN'

const methodMember = ({ payoutMethods }: RefundBody): string =>
  payoutMethods ? 'PayoutMethods' : 'PayoutMethodId'

export const listPulls = (site: Site, { query }: Call): Answer => ({
  status: 200,
  body: [...site.store.pulls.values()]
    .filter(
      ({ id, archived }) => site.store.isListed(id) && (query.get('includeArchived') === 'true' || !archived),
    )
    .reverse()
    .map((pull) => pullPaymentView(pull, site.origin())),
})
