/**
 * Requests as Authorize.Net declares them. Its JSON is XML in another form: elements have an order, and an
 * element that is unknown or comes too early or too late is refused.
 */

type Node =
  | { readonly kind: 'text'; readonly max: number; readonly pattern?: RegExp }
  | { readonly kind: 'one'; readonly values: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly from: number; readonly to: number }
  | { readonly kind: 'list'; readonly of: Node; readonly max: number }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }

interface Field {
  readonly name: string
  readonly node: Node
  readonly isRequired: boolean
}

/** In order. A name that ends with "?" is optional. */
const object = (fields: Readonly<Record<string, Node>>): Node => ({
  kind: 'object',
  fields: Object.entries(fields).map(([name, node]) => ({
    name: name.replace('?', ''),
    node,
    isRequired: !name.endsWith('?'),
  })),
})
const text = (max: number, pattern?: RegExp): Node => ({
  kind: 'text',
  max,
  ...(pattern ? { pattern } : {}),
})
const one = (...values: string[]): Node => ({ kind: 'one', values })
const list = (of: Node, max = 100): Node => ({ kind: 'list', of, max })
const flag: Node = { kind: 'boolean' }
const number = text(20, /^\d+$/)
const decimal = text(15, /^\d{1,12}(\.\d{1,2})?$/)

const AUTH = {
  merchantAuthentication: object({ name: text(25), transactionKey: text(16) }),
  'refId?': text(20),
}

const SETTINGS = object({ setting: list(object({ settingName: text(100), settingValue: text(10_000) })) })

const NAMES = {
  'firstName?': text(50),
  'lastName?': text(50),
  'company?': text(50),
  'address?': text(60),
  'city?': text(40),
  'state?': text(40),
  'zip?': text(20),
  'country?': text(60),
}

const PAYMENT = object({
  'creditCard?': object({
    cardNumber: text(16, /^(?:\d{4}|\d{13,16}|XXXX\d{4})$/),
    expirationDate: text(7, /^(?:\d{4}-\d{2}|XXXX)$/),
  }),
  'bankAccount?': object({
    'accountType?': one('checking', 'savings', 'businessChecking'),
    routingNumber: text(9),
    accountNumber: text(17),
    nameOnAccount: text(22),
    'echeckType?': one('PPD', 'WEB', 'CCD', 'TEL'),
  }),
})

const TRANSACTION = object({
  transactionType: one(
    'authOnlyTransaction',
    'authCaptureTransaction',
    'priorAuthCaptureTransaction',
    'refundTransaction',
    'voidTransaction',
  ),
  'amount?': decimal,
  'currencyCode?': text(3, /^[A-Z]{3}$/),
  'payment?': PAYMENT,
  'profile?': object({
    'createProfile?': flag,
    'customerProfileId?': number,
    'paymentProfile?': object({ paymentProfileId: number, 'cardCode?': text(4, /^\d{3,4}$/) }),
  }),
  'refTransId?': number,
  'order?': object({ 'invoiceNumber?': text(20), 'description?': text(255) }),
  'customer?': object({ 'type?': one('individual', 'business'), 'id?': text(20), 'email?': text(255) }),
  'billTo?': object({ ...NAMES, 'phoneNumber?': text(25), 'faxNumber?': text(25), 'email?': text(255) }),
  'shipTo?': object(NAMES),
  'customerIP?': text(15),
  'transactionSettings?': SETTINGS,
  'processingOptions?': object({
    'isFirstRecurringPayment?': flag,
    'isFirstSubsequentAuth?': flag,
    'isSubsequentAuth?': flag,
    'isStoredCredentials?': flag,
  }),
})

const PAGED = {
  'sorting?': object({ orderBy: one('id', 'submitTimeUTC'), orderDescending: flag }),
  'paging?': object({
    limit: { kind: 'integer', from: 1, to: 1_000 },
    offset: { kind: 'integer', from: 1, to: 100_000 },
  }),
}

export const REQUESTS: Readonly<Record<string, Node>> = {
  getHostedPaymentPageRequest: object({
    ...AUTH,
    transactionRequest: TRANSACTION,
    'hostedPaymentSettings?': SETTINGS,
  }),
  createTransactionRequest: object({ ...AUTH, transactionRequest: TRANSACTION }),
  updateHeldTransactionRequest: object({
    ...AUTH,
    heldTransactionRequest: object({ action: one('approve', 'decline'), refTransId: number }),
  }),
  getMerchantDetailsRequest: object(AUTH),
  getTransactionDetailsRequest: object({ ...AUTH, transId: number }),
  getUnsettledTransactionListRequest: object({ ...AUTH, 'status?': one('any', 'pendingApproval'), ...PAGED }),
  getTransactionListForCustomerRequest: object({
    ...AUTH,
    customerProfileId: number,
    'customerPaymentProfileId?': number,
    ...PAGED,
  }),
  getSettledBatchListRequest: object({
    ...AUTH,
    'includeStatistics?': flag,
    'firstSettlementDate?': text(30, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    'lastSettlementDate?': text(30, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  }),
  getTransactionListRequest: object({ ...AUTH, batchId: number, ...PAGED }),
  createCustomerProfileFromTransactionRequest: object({
    ...AUTH,
    transId: number,
    'customer?': object({
      'merchantCustomerId?': text(20),
      'description?': text(255),
      'email?': text(255),
    }),
    'customerProfileId?': number,
  }),
  getCustomerProfileRequest: object({
    ...AUTH,
    'customerProfileId?': number,
    'merchantCustomerId?': text(20),
  }),
  deleteCustomerPaymentProfileRequest: object({
    ...AUTH,
    customerProfileId: number,
    customerPaymentProfileId: number,
  }),
}

/** What is wrong with a request, in the words of the provider. Undefined: nothing. */
export function problemOf(name: string, node: Node, value: unknown): string | undefined {
  switch (node.kind) {
    case 'object':
      return objectProblem(name, node.fields, value)
    case 'list': {
      if (!Array.isArray(value) || value.length > node.max) return invalid(name, value)
      return value.map((item) => problemOf(name, node.of, item)).find(Boolean)
    }
    case 'boolean':
      return ['true', 'false'].includes(String(value)) ? undefined : invalid(name, value)
    case 'integer': {
      const isWhole = /^\d{1,9}$/.test(String(value))
      return isWhole && Number(value) >= node.from && Number(value) <= node.to
        ? undefined
        : invalid(name, value)
    }
    case 'one':
      return node.values.includes(String(value)) ? undefined : invalid(name, value)
    case 'text': {
      const said = typeof value === 'number' ? String(value) : value
      if (typeof said !== 'string' || said === '') return invalid(name, value)
      // XML has no control characters.
      if (said.length > node.max || /(?![\t\n\r])\p{Cc}/u.test(said)) return invalid(name, value)
      return node.pattern && !node.pattern.test(said) ? invalid(name, value) : undefined
    }
  }
}

function objectProblem(name: string, fields: readonly Field[], value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid(name, value)
  let place = 0
  for (const [member, content] of Object.entries(value)) {
    const found = fields.findIndex((field, index) => index >= place && field.name === member)
    const field = fields[found]
    if (!field || fields.slice(place, found).some(({ isRequired }) => isRequired))
      return `The element '${name}' in namespace '${SPACE}' has invalid child element '${member}'.`
    const problem = problemOf(member, field.node, content)
    if (problem) return problem
    place = found + 1
  }
  const missing = fields.slice(place).find(({ isRequired }) => isRequired)
  return missing && `The element '${name}' has incomplete content: '${missing.name}' is expected.`
}

const SPACE = 'AnetApi/xml/v1/schema/AnetApiSchema.xsd'

const invalid = (name: string, value: unknown): string =>
  `The '${SPACE}:${name}' element is invalid - The value ${JSON.stringify(value)?.slice(0, 60)} is invalid.`
