import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { CURRENCIES } from '../../../src/base/currencies.ts'

/** Request bodies as the Greenfield API declares them, closed: a correct client sends no other members. */

const decimal = Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,8})?$' })
const closed = { additionalProperties: false }

const checkout = Type.Object(
  {
    speedPolicy: Type.Optional(Type.Enum(['HighSpeed', 'MediumSpeed', 'LowSpeed', 'LowMediumSpeed'])),
    paymentMethods: Type.Optional(Type.Array(Type.String())),
    defaultPaymentMethod: Type.Optional(Type.String()),
    lazyPaymentMethods: Type.Optional(Type.Boolean()),
    expirationMinutes: Type.Optional(Type.Number({ minimum: 0.5 })),
    monitoringMinutes: Type.Optional(Type.Number({ minimum: 0 })),
    paymentTolerance: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    redirectURL: Type.Optional(Type.String({ pattern: '^https?://' })),
    redirectAutomatically: Type.Optional(Type.Boolean()),
    defaultLanguage: Type.Optional(Type.String()),
  },
  closed,
)

const text = Type.Optional(Type.String())

const metadata = Type.Object(
  {
    orderId: text,
    orderUrl: text,
    itemDesc: text,
    itemCode: text,
    buyerName: text,
    buyerEmail: text,
    buyerCountry: text,
    buyerZip: text,
    buyerState: text,
    buyerCity: text,
    buyerAddress1: text,
    buyerAddress2: text,
    buyerPhone: text,
    posData: Type.Optional(Type.Object({})),
  },
  closed,
)

const INVOICE = Type.Object(
  {
    amount: decimal,
    currency: Type.String({ pattern: '^[A-Z]{3,5}$' }),
    metadata: Type.Optional(metadata),
    checkout: Type.Optional(checkout),
    receipt: Type.Optional(Type.Object({ enabled: Type.Optional(Type.Boolean()) }, closed)),
    additionalSearchTerms: Type.Optional(Type.Array(Type.String())),
  },
  closed,
)

const MARK = Type.Object({ status: Type.Enum(['Invalid', 'Settled']) }, closed)

const refundOf = (methods: Readonly<Record<string, TSchema>>) =>
  Type.Object(
    {
      name: Type.Optional(Type.String({ maxLength: 50 })),
      description: text,
      ...methods,
      refundVariant: Type.Enum(['RateThen', 'CurrentRate', 'OverpaidAmount', 'Fiat', 'Custom']),
      subtractPercentage: Type.Optional(decimal),
      customAmount: Type.Optional(decimal),
      customCurrency: Type.Optional(Type.String({ pattern: '^[A-Z]{3,5}$' })),
    },
    closed,
  )

const REFUND = refundOf({ payoutMethods: Type.Optional(Type.Array(Type.String())) })
/** Before 2.4.1. Later versions still take this member, and no longer describe it. */
const OLD_REFUND = refundOf({ payoutMethodId: text })

const WEBHOOK = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    automaticRedelivery: Type.Optional(Type.Boolean()),
    url: Type.String({ pattern: '^https?://' }),
    authorizedEvents: Type.Optional(
      Type.Object(
        {
          everything: Type.Optional(Type.Boolean()),
          specificEvents: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z][A-Za-z]+$' }))),
        },
        closed,
      ),
    ),
    secret: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
)

export interface InvoiceBody {
  readonly amount: string
  readonly currency: string
  readonly metadata?: Readonly<Record<string, unknown>> & { readonly orderId?: string }
  readonly checkout?: {
    readonly expirationMinutes?: number
    readonly monitoringMinutes?: number
    readonly redirectURL?: string
    readonly redirectAutomatically?: boolean
  }
}

export interface RefundBody {
  readonly payoutMethods?: readonly string[]
  readonly payoutMethodId?: string
  readonly name?: string
  readonly description?: string
  readonly refundVariant: 'RateThen' | 'CurrentRate' | 'OverpaidAmount' | 'Fiat' | 'Custom'
  readonly customAmount?: string
  readonly customCurrency?: string
}

export interface WebhookBody {
  readonly enabled?: boolean
  readonly automaticRedelivery?: boolean
  readonly url: string
  readonly authorizedEvents?: { readonly everything?: boolean; readonly specificEvents?: readonly string[] }
  readonly secret?: string
}

/** One problem of a body, in the shape of the API's validation errors. */
export interface BodyProblem {
  readonly path: string
  readonly message: string
}

type Check = (value: unknown) => readonly BodyProblem[]

function checkOf(schema: TSchema): Check {
  const compiled = Compile(schema)
  return (value) =>
    compiled.Check(value)
      ? []
      : compiled.Errors(value).map(({ instancePath, message, params }) => ({
          path: instancePath.slice(1).replaceAll('/', '.'),
          message: `${message} ${JSON.stringify(params)}`,
        }))
}

export const CHECKS = {
  invoice: checkOf(INVOICE),
  mark: checkOf(MARK),
  refund: checkOf(REFUND),
  oldRefund: checkOf(OLD_REFUND),
  webhook: checkOf(WEBHOOK),
} as const

export const isKnownCurrency = (code: string): boolean => CURRENCIES.has(code)
