import { decimalText } from '../../../src/base/money.ts'
import type { Account, Transaction } from './state.ts'

/** The provider's answers, in the shape of its JSON. */

const amount = (minor: bigint, currency: string): number => Number(decimalText(minor, currency))
const time = (ms: number): string => new Date(ms).toISOString()

const TEXTS: Readonly<Record<number, string>> = {
  1: 'This transaction has been approved.',
  2: 'This transaction has been declined.',
  8: 'The credit card has expired.',
  11: 'A duplicate transaction has been submitted.',
  16: 'The transaction cannot be found.',
  33: 'A valid referenced transaction ID is required.',
  39: 'The supplied currency code is either invalid, not supported or not allowed for this merchant.',
  47: 'The amount requested for settlement cannot be greater than the original amount authorized.',
  54: 'The referenced transaction does not meet the criteria for issuing a credit.',
  55: 'The sum of credits against the referenced transaction would exceed the original debit amount.',
  252: 'Your order has been received. Thank you for your business!',
  253: 'Your order has been received. Thank you for your business!',
  310: 'This transaction has already been voided.',
  311: 'This transaction has already been captured.',
}

export const textOf = (code: number): string => TEXTS[code] ?? `Reason ${code}.`

export const summaryView = (one: Transaction) => ({
  transId: one.id,
  submitTimeUTC: time(one.submittedAt),
  submitTimeLocal: time(one.submittedAt).slice(0, 19),
  transactionStatus: one.status,
  ...(one.invoice ? { invoiceNumber: one.invoice } : {}),
  ...(one.billTo?.firstName ? { firstName: one.billTo.firstName } : {}),
  ...(one.billTo?.lastName ? { lastName: one.billTo.lastName } : {}),
  accountType: one.account.type,
  accountNumber: one.account.number,
  settleAmount: amount(one.settleMinor, one.currency),
  marketType: 'eCommerce',
  product: 'Card Not Present',
  ...(one.returned ? { hasReturnedItems: true } : {}),
  ...(one.profile ? { profile: one.profile } : {}),
})

const paymentView = (account: Account) =>
  account.kind === 'card'
    ? { creditCard: { cardNumber: account.number, expirationDate: 'XXXX', cardType: account.type } }
    : {
        bankAccount: {
          accountType: 'checking',
          routingNumber: 'XXXX0204',
          accountNumber: account.number,
          nameOnAccount: account.name ?? 'Dana Moreno',
          echeckType: 'WEB',
        },
      }

export const detailsView = (one: Transaction) => ({
  transId: one.id,
  ...(one.refTransId ? { refTransId: one.refTransId } : {}),
  submitTimeUTC: time(one.submittedAt),
  submitTimeLocal: time(one.submittedAt).slice(0, 19),
  transactionType: one.type,
  transactionStatus: one.status,
  responseCode: one.responseCode,
  responseReasonCode: one.reasonCode,
  responseReasonDescription: textOf(one.reasonCode),
  ...(one.responseCode === 2 ? {} : { authCode: 'A1B2C3' }),
  AVSResponse: 'Y',
  cardCodeResponse: 'M',
  ...(one.filter
    ? { FDSFilterAction: one.filter, FDSFilters: [{ name: 'Amount Filter', action: one.filter }] }
    : {}),
  ...(one.batchId ? { batch: { batchId: one.batchId, settlementState: 'settledSuccessfully' } } : {}),
  order: {
    ...(one.invoice ? { invoiceNumber: one.invoice } : {}),
    ...(one.description ? { description: one.description } : {}),
    discountAmount: 0,
    taxIsAfterDiscount: false,
  },
  requestedAmount: amount(one.authMinor, one.currency),
  authAmount: amount(one.responseCode === 2 ? 0n : one.authMinor, one.currency),
  settleAmount: amount(one.settleMinor, one.currency),
  taxExempt: false,
  payment: paymentView(one.account),
  ...(one.customer ? { customer: { type: 'individual', ...one.customer } } : {}),
  ...(one.billTo ? { billTo: one.billTo } : {}),
  recurringBilling: false,
  product: 'Card Not Present',
  marketType: 'eCommerce',
  ...(one.profile ? { profile: one.profile } : {}),
  ...(one.returned
    ? {
        returnedItems: [
          {
            id: one.returned.id,
            dateUTC: time(one.returned.at),
            dateLocal: time(one.returned.at).slice(0, 19),
            code: one.returned.code,
            description: 'Insufficient funds',
          },
        ],
      }
    : {}),
})

/** The result of a transaction that was processed, well or badly. */
export const transactionView = (one: Transaction, code: number) => ({
  responseCode: String(one.responseCode),
  authCode: one.responseCode === 2 ? '' : 'A1B2C3',
  avsResultCode: 'Y',
  cvvResultCode: 'M',
  cavvResultCode: '2',
  transId: one.id,
  refTransID: one.refTransId ?? '',
  transHash: '',
  testRequest: '0',
  accountNumber: one.account.number,
  accountType: one.account.type,
  ...(one.responseCode === 1 || one.responseCode === 4
    ? { messages: [{ code: String(code), description: textOf(code) }] }
    : { errors: [{ errorCode: String(code), errorText: textOf(code) }] }),
  userFields: [],
  transHashSha2: '',
})

/** A transaction that was refused before it was processed. */
export const refusedView = (code: number, account?: Account, refTransID = '') => ({
  responseCode: '3',
  authCode: '',
  avsResultCode: 'P',
  cvvResultCode: '',
  cavvResultCode: '',
  transId: '0',
  refTransID,
  transHash: '',
  testRequest: '0',
  accountNumber: account?.number ?? '',
  accountType: account?.type ?? '',
  errors: [{ errorCode: String(code), errorText: textOf(code) }],
  userFields: [],
  transHashSha2: '',
})
