import { base58 } from './ids.ts'
import {
  type CoinPayment,
  type Invoice,
  orderIdOf,
  type Payout,
  type PullPayment,
  receivedOf,
  type ServerEvent,
} from './state.ts'
import { coinPaymentView } from './views.ts'

/** How payments, confirmations and time change an invoice. Mirrors the server's invoice watcher. */

/** One confirmation, with the medium speed policy. */
const CONFIRMATION_MS = 10 * 60_000

export interface Chain {
  /** Records a payment of the payer. */
  receive(invoice: Invoice, payment: Pick<CoinPayment, 'minor' | 'method' | 'stuck'>): void
  /** Confirms all payments that can be confirmed. */
  confirm(invoice: Invoice): void
  /** The transactions of the payer are double spent: the payments no longer count. */
  fail(invoice: Invoice): void
  mark(invoice: Invoice, status: 'Invalid' | 'Settled'): void
  /** Applies the passage of time. */
  tick(invoice: Invoice): void
  claim(pull: PullPayment, minor: bigint): void
  complete(pull: PullPayment): void
  /** Ends a pull payment: claims that are not paid are cancelled. */
  archive(pull: PullPayment): void
}

export interface ChainWorld {
  now(): number
  storeId: string
  emit(event: ServerEvent): void
}

export function createChain(world: ChainWorld): Chain {
  const tellers = createTellers(world)
  return { ...invoiceChanges(world, tellers), ...claimChanges(world, tellers) }
}

interface Tellers {
  tell(invoice: Invoice, type: string, more?: object): void
  tellPayment(invoice: Invoice, type: string, payment: CoinPayment): void
  tellPayout(type: string, pull: PullPayment, payout: Payout): void
}

function createTellers({ storeId, emit }: ChainWorld): Tellers {
  const tell: Tellers['tell'] = (invoice, type, more = {}) =>
    emit({ type, members: { storeId, invoiceId: invoice.id, metadata: invoice.metadata, ...more } })
  return {
    tell,
    tellPayment: (invoice, type, payment) =>
      tell(invoice, type, {
        afterExpiration: invoice.status === 'Expired' || invoice.status === 'Invalid',
        paymentMethodId: payment.method,
        payment: coinPaymentView(payment, invoice.currency),
      }),
    tellPayout: (type, pull, { id, state }) =>
      emit({ type, members: { storeId, payoutId: id, pullPaymentId: pull.id, payoutState: state } }),
  }
}

/** Moves the status to what the payments say. */
function watch(invoice: Invoice, tell: Tellers['tell']): void {
  const paid = receivedOf(invoice)
  const overPaid = paid > invoice.amount
  if (invoice.status === 'New' && paid >= invoice.amount) {
    invoice.status = 'Processing'
    invoice.additional = overPaid ? 'PaidOver' : 'None'
    tell(invoice, 'InvoiceProcessing', { overPaid })
  } else if (invoice.status === 'Expired' && paid >= invoice.amount && invoice.additional !== 'PaidLate') {
    invoice.additional = 'PaidLate'
    tell(invoice, 'InvoicePaidAfterExpiration', { afterExpiration: true })
  } else if (['New', 'Expired'].includes(invoice.status) && paid > 0n && paid < invoice.amount)
    invoice.additional = 'PaidPartial'
  if (invoice.status === 'Processing' && receivedOf(invoice, 'Settled') >= invoice.amount) {
    invoice.status = 'Settled'
    tell(invoice, 'InvoiceSettled', { manuallyMarked: false, overPaid })
  }
}

type InvoiceChanges = Pick<Chain, 'receive' | 'confirm' | 'fail' | 'mark' | 'tick'>

function invoiceChanges(world: ChainWorld, { tell, tellPayment }: Tellers): InvoiceChanges {
  const settle = (invoice: Invoice, due: (payment: CoinPayment) => boolean): void => {
    for (const payment of invoice.payments)
      if (payment.status === 'Processing' && !payment.stuck && due(payment)) {
        payment.status = 'Settled'
        tellPayment(invoice, 'InvoicePaymentSettled', payment)
      }
    watch(invoice, tell)
  }
  return {
    receive(invoice, { minor, method, stuck }) {
      // The server does not look for coins any more.
      if (world.now() > invoice.monitoredUntil) return
      const status = method === 'BTC-LN' ? 'Settled' : 'Processing'
      const payment: CoinPayment = { id: base58(44), minor, method, stuck, status, at: world.now() }
      invoice.payments.push(payment)
      tellPayment(invoice, 'InvoiceReceivedPayment', payment)
      if (status === 'Settled') tellPayment(invoice, 'InvoicePaymentSettled', payment)
      watch(invoice, tell)
    },
    confirm: (invoice) => settle(invoice, () => true),
    fail(invoice) {
      for (const payment of invoice.payments) if (payment.status === 'Processing') payment.status = 'Invalid'
      if (invoice.status !== 'Processing') return
      invoice.status = 'Invalid'
      tell(invoice, 'InvoiceInvalid', { manuallyMarked: false })
    },
    mark(invoice, status) {
      invoice.status = status
      invoice.additional = 'Marked'
      invoice.voided ||= status === 'Invalid'
      const manuallyMarked = true
      if (status === 'Invalid') tell(invoice, 'InvoiceInvalid', { manuallyMarked })
      else tell(invoice, 'InvoiceSettled', { manuallyMarked, overPaid: false })
    },
    tick(invoice) {
      const now = world.now()
      settle(invoice, ({ at }) => at + CONFIRMATION_MS <= now)
      if (invoice.status === 'New' && invoice.expiresAt <= now) expire(invoice, tell)
      if (invoice.status === 'Processing' && invoice.monitoredUntil <= now) {
        invoice.status = 'Invalid'
        tell(invoice, 'InvoiceInvalid', { manuallyMarked: false })
      }
    },
  }
}

function expire(invoice: Invoice, tell: Tellers['tell']): void {
  invoice.status = 'Expired'
  const partiallyPaid = invoice.additional === 'PaidPartial'
  tell(invoice, 'InvoiceExpired', { partiallyPaid })
  if (partiallyPaid) tell(invoice, 'InvoiceExpiredPaidPartial', { afterExpiration: true })
}

type ClaimChanges = Pick<Chain, 'claim' | 'complete' | 'archive'>

function claimChanges(world: ChainWorld, { tellPayout }: Tellers): ClaimChanges {
  const unpaid = ({ payouts }: PullPayment): Payout[] =>
    payouts.filter(({ state }) => state !== 'Completed' && state !== 'Cancelled')
  return {
    claim(pull, minor) {
      const destination = `bcrt1q${base58(38).toLowerCase()}`
      const payout: Payout = {
        ...{ id: base58(28), minor, at: world.now(), destination },
        state: 'AwaitingApproval',
      }
      pull.payouts.push(payout)
      tellPayout('PayoutCreated', pull, payout)
    },
    complete(pull) {
      for (const payout of unpaid(pull)) {
        payout.state = 'AwaitingPayment'
        tellPayout('PayoutApproved', pull, payout)
        payout.state = 'Completed'
        tellPayout('PayoutUpdated', pull, payout)
      }
    },
    archive(pull) {
      pull.archived = true
      for (const payout of unpaid(pull)) {
        payout.state = 'Cancelled'
        tellPayout('PayoutUpdated', pull, payout)
      }
    },
  }
}

/** Invoices of one merchant reference, oldest first. */
export const invoicesOf = (invoices: Iterable<Invoice>, reference: string): Invoice[] =>
  [...invoices].filter((invoice) => orderIdOf(invoice) === reference)
