import { decimalText } from '../../../src/base/money.ts'
import {
  type CoinPayment,
  canMarkInvalid,
  canMarkSettled,
  type Invoice,
  type Payout,
  type PullPayment,
  receivedOf,
} from './state.ts'

/** JSON of the Greenfield API: amounts are decimal strings, times are Unix seconds. */

/** Units of any fiat currency for one BTC. */
const RATE = 50_000n

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** Minor units of a fiat currency as a decimal of BTC. */
function btc(minor: bigint, currency: string): string {
  const digits = decimalText(0n, currency).length > 1 ? decimalText(0n, currency).length - 2 : 0
  const satoshi = (minor * 100_000_000n) / (RATE * 10n ** BigInt(digits))
  const text = satoshi.toString().padStart(9, '0')
  return `${text.slice(0, -8)}.${text.slice(-8)}`
}

export function invoiceView(invoice: Invoice, site: { origin: string; storeId: string }) {
  const marks = [
    ...(canMarkSettled(invoice) ? ['Settled'] : []),
    ...(canMarkInvalid(invoice) ? ['Invalid'] : []),
  ]
  return {
    id: invoice.id,
    storeId: site.storeId,
    amount: decimalText(invoice.amount, invoice.currency),
    paidAmount: decimalText(receivedOf(invoice), invoice.currency),
    currency: invoice.currency,
    type: 'Standard',
    checkoutLink: `${site.origin}/i/${invoice.id}`,
    createdTime: seconds(invoice.createdAt),
    expirationTime: seconds(invoice.expiresAt),
    monitoringExpiration: seconds(invoice.monitoredUntil),
    status: invoice.status,
    additionalStatus: invoice.additional,
    availableStatusesForManualMarking: marks,
    archived: invoice.archived,
    metadata: invoice.metadata,
    checkout: invoice.checkout,
    receipt: { enabled: null, showQR: null, showPayments: null },
  }
}

export const coinPaymentView = ({ id, at, minor, status }: CoinPayment, currency: string) => ({
  id,
  receivedDate: seconds(at),
  value: btc(minor, currency),
  fee: '0.0',
  status,
  destination: `bcrt1q${id.slice(0, 38).toLowerCase()}`,
})

export function paymentMethodViews(invoice: Invoice, onlyAccounted: boolean) {
  const { amount, currency } = invoice
  return (['BTC-CHAIN', 'BTC-LN'] as const).map((method) => {
    const payments = invoice.payments.filter(
      (payment) => payment.method === method && !(onlyAccounted && payment.status === 'Invalid'),
    )
    const paid = payments.reduce((sum, { minor }) => sum + minor, 0n)
    const due = amount - receivedOf(invoice)
    return {
      paymentMethodId: method,
      currency: 'BTC',
      destination: `bcrt1q${invoice.id.toLowerCase()}`,
      paymentLink: `bitcoin:bcrt1q${invoice.id.toLowerCase()}`,
      rate: RATE.toString(),
      paymentMethodPaid: btc(paid, currency),
      totalPaid: btc(receivedOf(invoice), currency),
      due: due < 0n ? `-${btc(-due, currency)}` : btc(due, currency),
      amount: btc(amount, currency),
      paymentMethodFee: '0.0',
      payments: payments.map((payment) => coinPaymentView(payment, currency)),
      activated: true,
      additionalData: {},
    }
  })
}

export const pullPaymentView = (pull: PullPayment, origin: string) => ({
  id: pull.id,
  name: pull.name,
  description: pull.description,
  currency: pull.currency,
  amount: decimalText(pull.minor, pull.currency),
  BOLT11Expiration: '30',
  autoApproveClaims: false,
  archived: pull.archived,
  viewLink: `${origin}/pull-payments/${pull.id}`,
})

export const payoutView = (payout: Payout, pull: PullPayment) => ({
  id: payout.id,
  revision: 0,
  pullPaymentId: pull.id,
  date: seconds(payout.at),
  destination: payout.destination,
  originalCurrency: pull.currency,
  originalAmount: decimalText(payout.minor, pull.currency),
  payoutCurrency: 'BTC',
  payoutAmount: payout.state === 'AwaitingApproval' ? null : btc(payout.minor, pull.currency),
  payoutMethodId: pull.payoutMethods[0],
  state: payout.state,
  paymentProof: null,
  metadata: {},
})
