import { parseMinor } from '../../../src/base/money.ts'
import type { LedgerEntry } from '../kit/simulator.ts'
import { type Chain, createChain, invoicesOf } from './chain.ts'
import { base58 } from './ids.ts'
import type { InvoiceBody, RefundBody } from './schemas.ts'
import {
  type Invoice,
  isCompleted,
  orderIdOf,
  type PullPayment,
  receivedOf,
  type ServerEvent,
} from './state.ts'

const MINUTE = 60_000

/** One store of the simulated server: invoices, pull payments and its clock. */
export interface Store {
  readonly id: string
  readonly invoices: Map<string, Invoice>
  readonly pulls: Map<string, PullPayment>
  readonly chain: Chain
  now(): number
  advance(ms: number): void
  /** Applies the passage of time to everything. */
  tick(): void
  createInvoice(body: InvoiceBody): Invoice
  createRefund(invoice: Invoice, refund: NewRefund): PullPayment
  /** Invoices and pull payments created while lists lag are missing in lists until they catch up. */
  lag(on: boolean): void
  isListed(id: string): boolean
  ledger(): LedgerEntry[]
}

interface NewRefund {
  readonly minor: bigint
  readonly currency: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly payoutMethods?: readonly string[]
}

export function createStore(realNow: () => number, emit: (event: ServerEvent, now: number) => void): Store {
  let offset = 0
  let lagging = false
  const unlisted = new Set<string>()
  const now = (): number => realNow() + offset
  const id = base58(44)
  const invoices = new Map<string, Invoice>()
  const pulls = new Map<string, PullPayment>()
  const chain = createChain({ now, storeId: id, emit: (event) => emit(event, now()) })
  const created = (made: { id: string }): void => void (lagging && unlisted.add(made.id))
  return {
    id,
    invoices,
    pulls,
    chain,
    now,
    advance(ms) {
      offset += ms
    },
    tick() {
      for (const invoice of invoices.values()) chain.tick(invoice)
    },
    createInvoice(body) {
      const invoice = newInvoice(body, now())
      invoices.set(invoice.id, invoice)
      created(invoice)
      const { metadata } = invoice
      emit({ type: 'InvoiceCreated', members: { storeId: id, invoiceId: invoice.id, metadata } }, now())
      return invoice
    },
    createRefund(invoice, { minor, currency, name, description, payoutMethods = ['BTC-CHAIN'] }) {
      const pull: PullPayment = {
        id: base58(28),
        invoiceId: invoice.id,
        name: name ?? `Refund ${invoice.id}`,
        description: description ?? '',
        minor,
        currency,
        createdAt: now(),
        payoutMethods,
        archived: false,
        payouts: [],
      }
      pulls.set(pull.id, pull)
      created(pull)
      return pull
    },
    lag(on) {
      lagging = on
      if (!on) unlisted.clear()
    },
    isListed: (made) => !unlisted.has(made),
    ledger: () => ledgerOf([...invoices.values()], [...pulls.values()]),
  }
}

function newInvoice(body: InvoiceBody, now: number): Invoice {
  const { expirationMinutes = 15, monitoringMinutes = 1440, redirectURL } = body.checkout ?? {}
  const expiresAt = now + expirationMinutes * MINUTE
  return {
    id: base58(22),
    amount: parseMinor(body.amount, body.currency) ?? 0n,
    currency: body.currency,
    metadata: body.metadata ?? {},
    checkout: { ...body.checkout, expirationMinutes, monitoringMinutes },
    ...(redirectURL ? { redirectUrl: redirectURL } : {}),
    redirectAutomatically: body.checkout?.redirectAutomatically ?? false,
    createdAt: now,
    expiresAt,
    monitoredUntil: expiresAt + monitoringMinutes * MINUTE,
    status: 'New',
    additional: 'None',
    archived: false,
    voided: false,
    payments: [],
  }
}

function ledgerOf(invoices: readonly Invoice[], pulls: readonly PullPayment[]): LedgerEntry[] {
  const sales = invoices.flatMap((invoice): LedgerEntry[] => {
    const { currency, status, payments } = invoice
    const reference = orderIdOf(invoice)
    const received = receivedOf(invoice)
    const settled = status === 'Settled' || receivedOf(invoice, 'Settled') === received
    const state = received === 0n ? 'failed' : settled ? 'done' : 'pending'
    return [
      ...(payments.length > 0
        ? [{ reference, kind: 'sale', amountMinor: received, currency, state } as const]
        : []),
      ...(invoice.voided
        ? [{ reference, kind: 'void', amountMinor: invoice.amount, currency, state: 'done' } as const]
        : []),
    ]
  })
  const refunds = pulls.map((pull): LedgerEntry => {
    const invoice = invoices.find(({ id }) => id === pull.invoiceId)
    return {
      reference: invoice ? orderIdOf(invoice) : '',
      kind: 'refund',
      amountMinor: pull.minor,
      currency: pull.currency,
      state: isCompleted(pull) ? 'done' : pull.archived ? 'failed' : 'pending',
    }
  })
  return [...sales, ...refunds]
}

export const referenced = (store: Store, reference: string): Invoice[] =>
  invoicesOf(store.invoices.values(), reference)

/** The amount of a refund, or what is wrong with the request. */
export function refundAmount(
  invoice: Invoice,
  body: RefundBody,
): { minor: bigint; currency: string } | { path: string; message: string } {
  const paid = receivedOf(invoice)
  const { refundVariant, customAmount, customCurrency } = body
  if (refundVariant !== 'Custom') {
    if (customAmount !== undefined)
      return {
        path: 'customAmount',
        message: 'CustomAmount should only be set if the refundVariant is Custom',
      }
    if (refundVariant === 'OverpaidAmount' && invoice.additional !== 'PaidOver')
      return { path: 'refundVariant', message: 'Invoice is not overpaid' }
    const minor = refundVariant === 'OverpaidAmount' ? paid - invoice.amount : paid
    return { minor, currency: invoice.currency }
  }
  if (customCurrency === undefined) return { path: 'customCurrency', message: 'Invalid currency' }
  const minor = parseMinor(customAmount ?? '', customCurrency)
  if (minor === undefined || minor <= 0n)
    return { path: 'customAmount', message: 'Amount must be greater than 0' }
  return { minor, currency: customCurrency }
}
