import { decimalText, type Money } from '../../base/money.ts'
import { fitPurchase, fitText } from '../fit.ts'
import { type Json, present } from '../kit/json.ts'
import type { PostalAddress } from '../payer/payer.ts'
import type { MethodToStore, Operation, Purchase } from '../port.ts'
import { manifest } from './manifest.ts'
import type { TransactionDetails } from './wire.ts'

/** Pure: requests, without credentials. The order of elements matters: the provider refuses any other. */

export interface AnetRequest {
  readonly name: string
  /** Echoed by the provider. */
  readonly refId?: string
  readonly content: Json
}

/** The provider remembers a transaction for this long, and refuses the same one again with its id. */
const DUPLICATE_WINDOW_SECONDS = 28_800
export const DUPLICATE_WINDOW_MS = DUPLICATE_WINDOW_SECONDS * 1_000

const setting = (settingName: string, value: string | object) => ({
  settingName,
  settingValue: typeof value === 'string' ? value : JSON.stringify(value),
})

/**
 * On the page the window must end soon: it also refuses a second try after a decline, for example with the
 * right security code. It is enough against a double click.
 */
const PAGE_WINDOW_SECONDS = 120

const onceOnly = (seconds = DUPLICATE_WINDOW_SECONDS) => ({
  setting: [setting('duplicateWindow', String(seconds))],
})

const amountOf = ({ minor, currency }: Money) => ({
  amount: decimalText(minor, currency),
  currencyCode: currency,
})

const typeOf = ({ sale }: Purchase): string => (sale ? 'authCaptureTransaction' : 'authOnlyTransaction')

const orderOf = (invoiceNumber: string, description: string | undefined) => ({
  order: { invoiceNumber, ...(description ? { description } : {}) },
})

/** The longest texts that the form takes. A longer address would be another one. */
const ADDRESS = { address: 60, city: 40, state: 40, zip: 20 } as const

function addressOf({ line1, city, state, postalCode, country }: PostalAddress): object {
  const texts = { address: line1, city, state, zip: postalCode }
  const isTooLong = Object.entries(ADDRESS).some(
    ([member, most]) => (texts[member as keyof typeof ADDRESS] ?? '').length > most,
  )
  return isTooLong ? {} : present({ ...texts, country })
}

export function openPage(op: Operation, purchase: Purchase): AnetRequest {
  const { customer, description, billing } = fitPurchase(purchase, manifest.texts)
  const { id, firstName, lastName, email, phone } = customer
  const billTo = {
    ...(firstName ? { firstName } : {}),
    ...(lastName ? { lastName } : {}),
    ...(billing ? addressOf(billing) : {}),
    ...(phone ? { phoneNumber: phone } : {}),
  }
  const transactionRequest = {
    transactionType: typeOf(purchase),
    ...amountOf(purchase.amount),
    ...orderOf(op.reference, description),
    customer: { id, ...(email ? { email } : {}) },
    ...(Object.keys(billTo).length > 0 ? { billTo } : {}),
    transactionSettings: onceOnly(PAGE_WINDOW_SECONDS),
  }
  const hostedPaymentSettings = { setting: pageSettings(purchase) }
  const content = { transactionRequest, hostedPaymentSettings }
  return { name: 'getHostedPaymentPageRequest', refId: op.key, content }
}

function pageSettings({ backUrl, method }: Purchase) {
  const isBank = method === 'ElectronicCheck'
  const returns = { showReceipt: false, url: backUrl, urlText: 'Continue' }
  return [
    setting('hostedPaymentReturnOptions', { ...returns, cancelUrl: backUrl, cancelUrlText: 'Cancel' }),
    setting('hostedPaymentButtonOptions', { text: 'Pay' }),
    setting('hostedPaymentPaymentOptions', {
      cardCodeRequired: !isBank,
      showCreditCard: !isBank,
      showBankAccount: isBank,
    }),
    setting('hostedPaymentCustomerOptions', {
      showEmail: false,
      requiredEmail: false,
      addPaymentProfile: false,
    }),
  ]
}

/** A stored method: a payment profile of a customer profile. */
export interface Stored {
  readonly customer: string
  readonly method: string
}

export function chargeStored(op: Operation, purchase: Purchase, { customer, method }: Stored): AnetRequest {
  const { description } = fitPurchase(purchase, manifest.texts)
  const transactionRequest = {
    transactionType: typeOf(purchase),
    ...amountOf(purchase.amount),
    profile: { customerProfileId: customer, paymentProfile: { paymentProfileId: method } },
    ...orderOf(op.reference, description),
    transactionSettings: onceOnly(),
    processingOptions: purchase.customerPresent ? { isStoredCredentials: true } : { isSubsequentAuth: true },
  }
  return transaction(op, transactionRequest)
}

const transaction = ({ key }: Operation, transactionRequest: Json): AnetRequest => ({
  name: 'createTransactionRequest',
  refId: key,
  content: { transactionRequest },
})

export const captureReserved = (op: Operation, refTransId: string, amount: Money): AnetRequest =>
  transaction(op, {
    transactionType: 'priorAuthCaptureTransaction',
    ...amountOf(amount),
    refTransId,
  })

export const voidTransaction = (op: Operation, refTransId: string): AnetRequest =>
  transaction(op, { transactionType: 'voidTransaction', refTransId })

/** The key of a refund is its invoice number: it is found by that, and differs from other refunds. */
export const refundSettled = (op: Operation, paid: TransactionDetails, amount: Money): AnetRequest =>
  transaction(op, {
    transactionType: 'refundTransaction',
    ...amountOf(amount),
    payment: payeeOf(paid),
    refTransId: paid.id,
    ...orderOf(op.key, fitText(op.description, manifest.texts.description)),
    transactionSettings: onceOnly(),
  })

/** The card that was paid with, as far as the provider shows it. */
const payeeOf = ({ payment: { number } }: TransactionDetails): Json => ({
  creditCard: { cardNumber: number.slice(-4), expirationDate: 'XXXX' },
})

export const decideHold = (
  op: Operation,
  action: 'approve' | 'decline',
  refTransId: string,
): AnetRequest => ({
  name: 'updateHeldTransactionRequest',
  refId: op.key,
  content: { heldTransactionRequest: { action, refTransId } },
})

export const readTransaction = (transId: string): AnetRequest => ({
  name: 'getTransactionDetailsRequest',
  content: { transId },
})

export const PAGE_SIZE = 500

const paged = (offset: number, limit = PAGE_SIZE) => ({
  sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
  paging: { limit, offset },
})

/** The account: its id, its methods and its currencies. */
export const readMerchant: AnetRequest = { name: 'getMerchantDetailsRequest', content: {} }

export const listUnsettled = (offset: number, limit?: number): AnetRequest => ({
  name: 'getUnsettledTransactionListRequest',
  content: paged(offset, limit),
})

export const listOfCustomer = ({ customer, method }: Stored, offset: number): AnetRequest => ({
  name: 'getTransactionListForCustomerRequest',
  content: { customerProfileId: customer, customerPaymentProfileId: method, ...paged(offset) },
})

const seconds = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

export const listBatches = (from: Date, to: Date): AnetRequest => ({
  name: 'getSettledBatchListRequest',
  content: { firstSettlementDate: seconds(from), lastSettlementDate: seconds(to) },
})

export const listOfBatch = (batchId: string, offset: number): AnetRequest => ({
  name: 'getTransactionListRequest',
  content: { batchId, ...paged(offset) },
})

/** Each stored method has a customer profile named by the key: a repeated request is a duplicate. */
export function storeMethod({ key, customer: who }: MethodToStore, transId: string): AnetRequest {
  const { texts } = manifest
  const email =
    who.email !== undefined && who.email.length <= texts.email ? fitText(who.email, texts.email) : undefined
  const customer = { merchantCustomerId: key, ...(email ? { email } : {}) }
  return { name: 'createCustomerProfileFromTransactionRequest', refId: key, content: { transId, customer } }
}

export const readProfile = (customerProfileId: string): AnetRequest => ({
  name: 'getCustomerProfileRequest',
  content: { customerProfileId },
})

/** The expiry is shown, which is masked otherwise. */
export const readStoredMethod = ({ customer, method }: Stored): AnetRequest => ({
  name: 'getCustomerPaymentProfileRequest',
  content: {
    customerProfileId: customer,
    customerPaymentProfileId: method,
    unmaskExpirationDate: 'true',
  },
})

export const deleteStored = ({ customer, method }: Stored): AnetRequest => ({
  name: 'deleteCustomerPaymentProfileRequest',
  content: { customerProfileId: customer, customerPaymentProfileId: method },
})
