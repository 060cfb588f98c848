import type { ApiOperation } from '../kit/simulator.ts'
import { capture, type Processed, purchase, refund, review, voidIt } from './processing.ts'
import {
  type Account,
  newId,
  newSecret,
  type Page,
  type Profile,
  type State,
  type Transaction,
  tick,
} from './state.ts'
import { detailsView, refusedView, summaryView, transactionView } from './views.ts'

/** What the simulated account does for each request. */

export interface Site {
  readonly state: State
  /** Currencies of the account. */
  readonly currencies: readonly string[]
  /** Records a request that a correct client never sends. */
  violate(what: string): void
}

export type Answer = Readonly<Record<string, unknown>>
type Content = Readonly<Record<string, unknown>>
type Handler = (site: Site, content: Content, declines: number | undefined) => Answer

const PAGE_MS = 15 * 60_000

export const GATEWAY_ID = '565697'
const METHODS = ['AmericanExpress', 'Discover', 'Echeck', 'MasterCard', 'Visa']

const OK = { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] }

export const error = (code: string, text: string): Answer => ({
  messages: { resultCode: 'Error', message: [{ code, text }] },
})
const found = (members: Answer): Answer => ({ ...members, messages: OK })

const part = (value: unknown, name: string): Record<string, unknown> => {
  const member = (value as Record<string, unknown> | undefined)?.[name]
  return typeof member === 'object' && member !== null ? (member as Record<string, unknown>) : {}
}
export const said = (value: unknown, name: string): string => {
  const member = (value as Record<string, unknown> | undefined)?.[name]
  return member === undefined ? '' : String(member)
}

function settingsIn(value: unknown): Record<string, string> {
  const list = (value as { setting?: { settingName: string; settingValue: string }[] } | undefined)?.setting
  return Object.fromEntries((list ?? []).map(({ settingName, settingValue }) => [settingName, settingValue]))
}

export function duplicateSeconds(site: Site, request: Content): number | undefined {
  const { duplicateWindow } = settingsIn(request.transactionSettings)
  if (duplicateWindow === undefined) site.violate('a transaction without an explicit duplicateWindow')
  else if (!(Number(duplicateWindow) >= 0 && Number(duplicateWindow) <= 28_800))
    site.violate(`duplicateWindow ${duplicateWindow}`)
  return duplicateWindow === undefined ? undefined : Number(duplicateWindow)
}

/** Texts of a request, for the transaction that it makes. */
export const orderOf = (request: Content) => ({
  invoice: said(part(request, 'order'), 'invoiceNumber'),
  description: said(part(request, 'order'), 'description'),
  ...(request.customer ? { customer: part(request, 'customer') as Record<string, string> } : {}),
  ...(request.billTo ? { billTo: part(request, 'billTo') as Record<string, string> } : {}),
})

function openPage(site: Site, content: Content, declines: number | undefined): Answer {
  const { state, currencies } = site
  if (declines !== undefined) return error('E00027', `Reason ${declines}`)
  const request = part(content, 'transactionRequest')
  if (!currencies.includes(said(request, 'currencyCode'))) return error('E00013', 'Currency code is invalid.')
  duplicateSeconds(site, request)
  if (!['authOnlyTransaction', 'authCaptureTransaction'].includes(said(request, 'transactionType')))
    return error('E00013', 'Transaction type is invalid.')
  const settings = Object.fromEntries(
    Object.entries(settingsIn(content.hostedPaymentSettings)).map(([name, value]) => [
      name,
      JSON.parse(value),
    ]),
  ) as Page['settings']
  const token = newSecret(40)
  const page = {
    token,
    request,
    settings,
    refId: said(content, 'refId'),
    expiresAt: state.now() + PAGE_MS,
    isUsed: false,
  }
  state.pages.set(token, page)
  return found({ token })
}

function createTransaction(site: Site, content: Content, declines: number | undefined): Answer {
  const request = part(content, 'transactionRequest')
  const refId = said(content, 'refId')
  const answer = processed(site, request, { refId, declines })
  if ('refused' in answer && answer.refused === 0) return error('E00040', 'The record cannot be found.')
  const isDone = 'transaction' in answer && answer.transaction.responseCode !== 2
  const view =
    'transaction' in answer
      ? transactionView(answer.transaction, answer.code)
      : refusedView(answer.refused, answer.account, answer.original)
  const unsuccessful = { code: 'E00027', text: 'The transaction was unsuccessful.' }
  const messages = isDone ? OK : { resultCode: 'Error', message: [unsuccessful] }
  return { transactionResponse: view, messages }
}

function processed(
  site: Site,
  request: Content,
  { refId, declines }: { refId: string; declines: number | undefined },
): Processed {
  const { state } = site
  const id = said(request, 'refTransId')
  const amount = request.amount === undefined ? undefined : said(request, 'amount')
  const type = said(request, 'transactionType')
  if (declines !== undefined && type !== 'authOnlyTransaction' && type !== 'authCaptureTransaction')
    return { refused: declines }
  switch (type) {
    case 'voidTransaction':
      return voidIt(state, id)
    case 'priorAuthCaptureTransaction':
      return capture(state, id, amount)
    case 'refundTransaction': {
      const payment = part(request, 'payment')
      const number =
        said(part(payment, 'creditCard'), 'cardNumber') || said(part(payment, 'bankAccount'), 'accountNumber')
      const seconds = duplicateSeconds(site, request)
      const { invoice, description } = orderOf(request)
      const asked = { refTransId: id, amount: amount ?? '0', number, refId, invoice, description }
      return refund(state, { ...asked, duplicateSeconds: seconds })
    }
    default:
      return charge(site, request, { refId, declines })
  }
}

/** Charges a stored method. Nothing else is charged by this account's software. */
function charge(
  site: Site,
  request: Content,
  { refId, declines }: { refId: string; declines: number | undefined },
): Processed {
  const { state, currencies } = site
  const customerProfileId = said(part(request, 'profile'), 'customerProfileId')
  const customerPaymentProfileId = said(part(part(request, 'profile'), 'paymentProfile'), 'paymentProfileId')
  const method = state.profiles
    .get(customerProfileId)
    ?.methods.find(({ id }) => id === customerPaymentProfileId)
  if (request.payment) site.violate('card data in a request')
  if (!method) return { refused: 0 }
  const currency = said(request, 'currencyCode')
  if (!currencies.includes(currency)) return { refused: 39, account: method.account }
  return purchase(state, {
    type: said(request, 'transactionType') as 'authOnlyTransaction',
    amount: said(request, 'amount'),
    ...orderOf(request),
    ...{ currency, refId, account: method.account, duplicateSeconds: duplicateSeconds(site, request) },
    profile: { customerProfileId, customerPaymentProfileId },
    ...(declines === undefined ? {} : { declines }),
  })
}

function decide(site: Site, content: Content, declines: number | undefined): Answer {
  const asked = part(content, 'heldTransactionRequest')
  const answer = review(site.state, said(asked, 'refTransId'), said(asked, 'action'), declines)
  if (!('transaction' in answer)) return error('E00027', 'The transaction is not held.')
  const view = transactionView(answer.transaction, answer.code)
  if (said(asked, 'action') === 'decline')
    return found({ transactionResponse: { ...view, responseCode: '1' } })
  return found({ transactionResponse: view })
}

const isListed = ({ hidden, isLagging }: State, { id }: Transaction): boolean => !isLagging || !hidden.has(id)

const UNSETTLED = (one: Transaction): boolean => one.batchId === undefined

function listed(content: Content, all: readonly Transaction[]): Answer {
  const { limit = 1_000, offset = 1 } = part(content, 'paging') as { limit?: number; offset?: number }
  const sorted = said(part(content, 'sorting'), 'orderDescending') === 'true' ? [...all].reverse() : all
  const from = (Number(offset) - 1) * Number(limit)
  const page = sorted.slice(from, from + Number(limit))
  if (page.length === 0)
    return { messages: { resultCode: 'Ok', message: [{ code: 'I00004', text: 'No records found.' }] } }
  return found({ transactions: page.map(summaryView), totalNumInResultSet: page.length })
}

const transactions = ({ state }: Site, filter: (one: Transaction) => boolean): Transaction[] =>
  [...state.transactions.values()].filter((one) => isListed(state, one) && filter(one))

function batches({ state }: Site, content: Content): Answer {
  const from = Date.parse(said(content, 'firstSettlementDate')) || 0
  const to = Date.parse(said(content, 'lastSettlementDate')) || state.now()
  if (to - from > 31 * 24 * 3_600_000) return error('E00094', 'The date range is too large.')
  const list = state.batches.filter(({ at }) => at >= from - 1_000 && at <= to + 1_000)
  const view = list.map(({ id, at }) => ({
    batchId: id,
    settlementTimeUTC: new Date(at).toISOString(),
    settlementState: 'settledSuccessfully',
  }))
  return found({ batchList: view })
}

/** A profile with the method of a transaction. The same merchant customer id makes a duplicate. */
function createProfile({ state }: Site, content: Content): Answer {
  const one = state.transactions.get(said(content, 'transId'))
  if (!one || one.responseCode === 2) return error('E00040', 'The record cannot be found.')
  const merchantCustomerId = said(part(content, 'customer'), 'merchantCustomerId')
  const twin = [...state.profiles.values()].find((known) => known.merchantCustomerId === merchantCustomerId)
  if (twin) return error('E00039', `A duplicate record with ID ${twin.id} already exists.`)
  const method = { id: newId(), account: one.account as Account }
  const profile: Profile = { id: newId(), merchantCustomerId, methods: [method] }
  state.profiles.set(profile.id, profile)
  return found({
    customerProfileId: profile.id,
    customerPaymentProfileIdList: [method.id],
    customerShippingAddressIdList: [],
    validationDirectResponseList: [],
  })
}

function readProfile({ state }: Site, content: Content): Answer {
  const profile =
    state.profiles.get(said(content, 'customerProfileId')) ??
    [...state.profiles.values()].find((one) => one.merchantCustomerId === said(content, 'merchantCustomerId'))
  if (!profile) return error('E00040', 'The record cannot be found.')
  const { id, merchantCustomerId, methods } = profile
  const paymentProfiles = methods.map((method) => ({
    customerType: 'individual',
    customerPaymentProfileId: method.id,
  }))
  return found({
    profile: { paymentProfiles, profileType: 'regular', customerProfileId: id, merchantCustomerId },
  })
}

function deleteMethod({ state }: Site, content: Content): Answer {
  const methods = state.profiles.get(said(content, 'customerProfileId'))?.methods ?? []
  const index = methods.findIndex(({ id }) => id === said(content, 'customerPaymentProfileId'))
  if (index < 0) return error('E00040', 'The record cannot be found.')
  methods.splice(index, 1)
  return found({})
}

export const HANDLERS: Readonly<Record<string, Handler>> = {
  getHostedPaymentPageRequest: openPage,
  createTransactionRequest: createTransaction,
  updateHeldTransactionRequest: decide,
  getMerchantDetailsRequest: ({ currencies }) =>
    found({
      ...{ isTestMode: false, merchantName: 'Test merchant', gatewayId: GATEWAY_ID },
      ...{ marketTypes: ['0'], productCodes: ['CNP'], paymentMethods: METHODS, currencies },
    }),
  getTransactionDetailsRequest({ state }, content) {
    tick(state)
    const one = state.transactions.get(said(content, 'transId'))
    return one ? found({ transaction: detailsView(one) }) : error('E00040', 'The record cannot be found.')
  },
  getUnsettledTransactionListRequest: (site, content) => listed(content, transactions(site, UNSETTLED)),
  getTransactionListRequest: (site, content) =>
    listed(
      content,
      transactions(site, ({ batchId }) => batchId === said(content, 'batchId')),
    ),
  getTransactionListForCustomerRequest: (site, content) =>
    listed(
      content,
      transactions(site, ({ profile }) => profile?.customerProfileId === said(content, 'customerProfileId')),
    ),
  getSettledBatchListRequest: batches,
  createCustomerProfileFromTransactionRequest: createProfile,
  getCustomerProfileRequest: readProfile,
  deleteCustomerPaymentProfileRequest: deleteMethod,
}

const OF_TYPE: Readonly<Record<string, ApiOperation>> = {
  authOnlyTransaction: 'charge',
  authCaptureTransaction: 'charge',
  priorAuthCaptureTransaction: 'capture',
  refundTransaction: 'refund',
  voidTransaction: 'cancel',
}

export function operationOf(name: string, content: Content): ApiOperation | undefined {
  if (name === 'getHostedPaymentPageRequest') return 'start'
  if (name === 'createTransactionRequest')
    return OF_TYPE[said(part(content, 'transactionRequest'), 'transactionType')]
  if (name === 'updateHeldTransactionRequest') return 'resume'
  return name.startsWith('get') ? 'read' : undefined
}
