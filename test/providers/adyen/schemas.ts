import { bool, integerFrom, list, object, text } from '../kit/checks.ts'

/** What each request may contain. Unknown members and wrong types are refused. */

const amount = object({ required: { currency: text({ pattern: /^[A-Z]{3}$/ }), value: integerFrom(0) } })
const account = text({ max: 80 })
const reference = text({ max: 80 })
const name = object({ required: { firstName: text({ max: 80 }), lastName: text({ max: 80 }) } })
const shopper = text({ min: 3, max: 256 })
const models = text({ of: ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'] })
const time = text({ pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/ })

const lineItems = list(
  object({
    optional: {
      description: text({ max: 10_000 }),
      quantity: integerFrom(1),
      amountIncludingTax: integerFrom(0),
    },
  }),
)

/** Types in Adyen's own description that a link can offer. */
export const METHOD_TYPES = [
  ...['scheme', 'ach', 'ideal', 'bcmc', 'sepadirectdebit', 'eps', 'klarna', 'blik', 'onlineBanking_PL'],
  ...['twint', 'mbway', 'multibanco', 'swish', 'vipps', 'mobilepay', 'pix', 'alipay', 'wechatpayWeb'],
  ...['cashapp', 'afterpaytouch', 'afterpaytouch_US', 'clearpay', 'bankTransfer_IBAN', 'applepay'],
  'googlepay',
]

export const LINK = object({
  required: { merchantAccount: account, reference, amount },
  optional: {
    allowedPaymentMethods: list(text({ of: METHOD_TYPES })),
    lineItems,
    captureDelayHours: integerFrom(0),
    countryCode: text({ pattern: /^[A-Z]{2}$/ }),
    manualCapture: bool,
    reusable: bool,
    returnUrl: text({ max: 8000, pattern: /^https?:\/\// }),
    description: text({ max: 280 }),
    expiresAt: time,
    shopperLocale: text({ max: 32, pattern: /^[a-z]{2}-[A-Z]{2}$/ }),
    shopperStatement: text({ max: 22, pattern: /^[A-Za-z0-9 .,'_?+*/-]+$/ }),
    billingAddress: object({
      required: {
        city: text({ max: 3000 }),
        country: text({ pattern: /^[A-Z]{2}$/ }),
        houseNumberOrName: text({ max: 3000 }),
        postalCode: text({ max: 10 }),
        street: text({ max: 3000 }),
      },
      optional: { stateOrProvince: text({ pattern: /^[A-Z]{2}$/ }) },
    }),
    shopperEmail: text({ max: 500, pattern: /^[^@\s]+@[^@\s]+\.[^@\s]+$/ }),
    shopperName: name,
    requiredShopperFields: list(
      text({ of: ['billingAddress', 'deliveryAddress', 'shopperEmail', 'shopperName', 'telephoneNumber'] }),
    ),
    threeDS2RequestData: object({
      optional: { threeDSRequestorChallengeInd: text({ of: ['01', '02', '03', '04', '05', '06'] }) },
    }),
    shopperReference: shopper,
    storePaymentMethodMode: text({ of: ['askForConsent', 'disabled', 'enabled'] }),
    recurringProcessingModel: models,
  },
})

export const CLOSE = object({ required: { status: text({ of: ['expired'] }) } })

export const PAYMENT = object({
  required: {
    merchantAccount: account,
    reference,
    amount,
    returnUrl: text({ max: 1024 }),
    paymentMethod: object({
      required: { type: text({ of: ['scheme', 'ach'] }), storedPaymentMethodId: text({ max: 64 }) },
    }),
  },
  optional: {
    shopperStatement: text({ max: 22, pattern: /^[A-Za-z0-9 .,'_?+*/-]+$/ }),
    shopperReference: shopper,
    shopperInteraction: text({ of: ['Ecommerce', 'ContAuth', 'Moto', 'POS'] }),
    recurringProcessingModel: models,
    additionalData: object({ optional: { manualCapture: text({ of: ['true', 'false'] }) } }),
  },
})

export const CAPTURE = object({
  required: { merchantAccount: account, amount },
  optional: { reference, lineItems },
})

export const REFUND = object({
  required: { merchantAccount: account, amount },
  optional: {
    reference,
    lineItems,
    merchantRefundReason: text({ of: ['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER'] }),
  },
})

export const CANCEL = object({ required: { merchantAccount: account }, optional: { reference } })

export const CANCEL_BY_REFERENCE = object({
  required: { merchantAccount: account, paymentReference: reference },
  optional: { reference },
})

export const METHODS = object({ required: { merchantAccount: account } })

const additionalSettings = object({
  optional: {
    includeEventCodes: list(text({ pattern: /^[A-Z_]+$/ })),
    properties: (value, path) =>
      Object.entries((value ?? {}) as object).flatMap(([name, each]) => bool(each, `${path}.${name}`)),
  },
})

export const WEBHOOK = object({
  required: {
    type: text({ of: ['standard'] }),
    url: text({ pattern: /^https?:\/\// }),
    active: bool,
    communicationFormat: text({ of: ['http', 'json', 'soap'] }),
  },
  optional: { additionalSettings },
})

export const WEBHOOK_CHANGE = object({ optional: { additionalSettings } })
