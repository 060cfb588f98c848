/** What each request may contain. Unknown members and wrong types are refused. */

type Check = (value: unknown, path: string) => string[]

const wrong = (path: string, what: string): string[] => [`${path} ${what}`]

const text =
  (options: { min?: number; max?: number; pattern?: RegExp; of?: readonly string[] } = {}): Check =>
  (value, path) => {
    if (typeof value !== 'string') return wrong(path, 'is not a text')
    const { min = 1, max = 10_000, pattern, of } = options
    if (value.length < min || value.length > max) return wrong(path, `has ${value.length} characters`)
    if (pattern && !pattern.test(value)) return wrong(path, 'has another form')
    return of && !of.includes(value) ? wrong(path, 'has an unknown value') : []
  }

const bool: Check = (value, path) => (typeof value === 'boolean' ? [] : wrong(path, 'is not a boolean'))

const integer: Check = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? [] : wrong(path, 'is not an amount')

const list =
  (of: Check): Check =>
  (value, path) =>
    Array.isArray(value) && value.length > 0
      ? value.flatMap((item, index) => of(item, `${path}[${index}]`))
      : wrong(path, 'is not a list')

interface Members {
  readonly required?: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
}

const object =
  ({ required = {}, optional = {} }: Members): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return wrong(path, 'is no object')
    const known = { ...required, ...optional }
    const given = value as Readonly<Record<string, unknown>>
    return [
      ...Object.keys(required).flatMap((name) =>
        name in given ? [] : wrong(`${path}.${name}`, 'is missing'),
      ),
      ...Object.entries(given).flatMap(([name, member]) => {
        const check = known[name]
        return check ? check(member, `${path}.${name}`) : wrong(`${path}.${name}`, 'is unknown')
      }),
    ]
  }

const amount = object({ required: { currency: text({ pattern: /^[A-Z]{3}$/ }), value: integer } })
const account = text({ max: 80 })
const reference = text({ max: 80 })
const name = object({ required: { firstName: text({ max: 80 }), lastName: text({ max: 80 }) } })
const shopper = text({ min: 3, max: 256 })
const models = text({ of: ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'] })
const time = text({ pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/ })

export const LINK = object({
  required: { merchantAccount: account, reference, amount },
  optional: {
    allowedPaymentMethods: list(text({ of: ['scheme', 'ach'] })),
    manualCapture: bool,
    reusable: bool,
    returnUrl: text({ max: 8000, pattern: /^https?:\/\// }),
    description: text({ max: 280 }),
    expiresAt: time,
    shopperEmail: text({ max: 500, pattern: /^[^@\s]+@[^@\s]+\.[^@\s]+$/ }),
    shopperName: name,
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
    shopperReference: shopper,
    shopperInteraction: text({ of: ['Ecommerce', 'ContAuth', 'Moto', 'POS'] }),
    recurringProcessingModel: models,
    additionalData: object({ optional: { manualCapture: text({ of: ['true', 'false'] }) } }),
  },
})

export const CAPTURE = object({
  required: { merchantAccount: account, amount },
  optional: { reference },
})

export const REFUND = object({
  required: { merchantAccount: account, amount },
  optional: {
    reference,
    merchantRefundReason: text({ of: ['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER'] }),
  },
})

export const CANCEL = object({ required: { merchantAccount: account }, optional: { reference } })

export const CANCEL_BY_REFERENCE = object({
  required: { merchantAccount: account, paymentReference: reference },
  optional: { reference },
})

export const METHODS = object({ required: { merchantAccount: account } })

export const WEBHOOK = object({
  required: {
    type: text({ of: ['standard'] }),
    url: text({ pattern: /^https?:\/\// }),
    active: bool,
    communicationFormat: text({ of: ['http', 'json', 'soap'] }),
  },
})
