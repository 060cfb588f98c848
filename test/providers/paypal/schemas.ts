import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Detail } from './views.ts'

/** What PayPal accepts, closed at every level: members that it would ignore are mistakes of the client. */

const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const maybe = Type.Optional
const text = (minLength: number, maxLength: number, pattern?: string) =>
  Type.String({ minLength, maxLength, ...(pattern === undefined ? {} : { pattern }) })
const oneOf = (...values: string[]) => Type.Enum(values)

const Money = closed({
  currency_code: text(3, 3, '^[A-Z]{3}$'),
  value: text(1, 32, '^[0-9]+(\\.[0-9]+)?$'),
})

const Breakdown = closed({
  item_total: maybe(Money),
  shipping: maybe(Money),
  handling: maybe(Money),
  tax_total: maybe(Money),
  insurance: maybe(Money),
  shipping_discount: maybe(Money),
  discount: maybe(Money),
})

const Item = closed({
  name: text(1, 127),
  unit_amount: Money,
  tax: maybe(Money),
  quantity: text(1, 10, '^[1-9][0-9]{0,9}$'),
  description: maybe(text(0, 127)),
  sku: maybe(text(0, 127)),
  category: maybe(oneOf('DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION')),
})

const Address = closed({
  address_line_1: maybe(text(0, 300)),
  address_line_2: maybe(text(0, 300)),
  admin_area_1: maybe(text(0, 300)),
  admin_area_2: maybe(text(0, 120)),
  postal_code: maybe(text(0, 60)),
  country_code: text(2, 2, '^([A-Z]{2}|C2)$'),
})

const Shipping = closed({
  name: maybe(closed({ full_name: maybe(text(0, 300)) })),
  type: maybe(oneOf('SHIPPING', 'PICKUP_IN_PERSON', 'PICKUP_IN_STORE', 'PICKUP_FROM_PERSON')),
  address: maybe(Address),
})

const PurchaseUnit = closed({
  reference_id: maybe(text(1, 256)),
  amount: closed({ ...Money.properties, breakdown: maybe(Breakdown) }),
  description: maybe(text(1, 127)),
  custom_id: maybe(text(1, 127)),
  invoice_id: maybe(text(1, 127)),
  soft_descriptor: maybe(text(1, 22)),
  items: maybe(Type.Array(Item)),
  shipping: maybe(Shipping),
})

const url = Type.String({ maxLength: 4000, pattern: '^https?://[^\\s]+$' })

const ExperienceContext = closed({
  brand_name: maybe(text(1, 127)),
  locale: maybe(text(2, 10, '^[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$')),
  shipping_preference: maybe(oneOf('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS')),
  return_url: maybe(url),
  cancel_url: maybe(url),
  landing_page: maybe(oneOf('LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE')),
  user_action: maybe(oneOf('CONTINUE', 'PAY_NOW')),
  payment_method_preference: maybe(oneOf('UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED')),
})

const EMAIL =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z0-9-]+$"

const Vault = closed({
  store_in_vault: maybe(oneOf('ON_SUCCESS')),
  description: maybe(text(1, 128)),
  usage_pattern: maybe(text(1, 30)),
  usage_type: oneOf('MERCHANT', 'PLATFORM'),
  customer_type: maybe(oneOf('CONSUMER', 'BUSINESS')),
  permit_multiple_payment_tokens: maybe(Type.Boolean()),
})

/** Without `vault_id`: PayPal takes one here, and charges the wallet before the client knows the order. */
const Wallet = closed({
  email_address: maybe(text(3, 254, EMAIL)),
  name: maybe(closed({ given_name: maybe(text(0, 140)), surname: maybe(text(0, 140)) })),
  address: maybe(Address),
  attributes: maybe(closed({ vault: maybe(Vault) })),
  experience_context: maybe(ExperienceContext),
})

const SetupContext = closed({
  brand_name: maybe(text(1, 300)),
  locale: maybe(text(2, 10)),
  return_url: url,
  cancel_url: url,
  shipping_preference: maybe(oneOf('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS')),
  vault_instruction: maybe(oneOf('ON_CREATE_PAYMENT_TOKENS', 'ON_PAYER_APPROVAL')),
})

export const SetupRequest = closed({
  customer: maybe(closed({ id: text(1, 22, '^[0-9a-zA-Z_-]+$') })),
  payment_source: closed({
    paypal: closed({
      description: maybe(text(1, 128)),
      usage_type: oneOf('MERCHANT', 'PLATFORM'),
      customer_type: maybe(oneOf('CONSUMER', 'BUSINESS')),
      permit_multiple_payment_tokens: maybe(Type.Boolean()),
      experience_context: SetupContext,
    }),
  }),
})
export type SetupRequest = Type.Static<typeof SetupRequest>

export const TokenRequest = closed({
  payment_source: closed({ token: closed({ id: text(1, 255), type: oneOf('SETUP_TOKEN') }) }),
})
export type TokenRequest = Type.Static<typeof TokenRequest>

export const OrderRequest = closed({
  intent: oneOf('CAPTURE', 'AUTHORIZE'),
  purchase_units: Type.Array(PurchaseUnit, { minItems: 1, maxItems: 10 }),
  payment_source: maybe(closed({ paypal: Wallet })),
})
export type OrderRequest = Type.Static<typeof OrderRequest>

/** Orders are authorised and captured with the source that the payer approved, or with a stored wallet. */
export const ProcessRequest = closed({
  payment_source: maybe(
    closed({
      paypal: closed({
        vault_id: text(1, 255, '^[0-9a-zA-Z_-]+$'),
        experience_context: maybe(ExperienceContext),
      }),
    }),
  ),
})
export type ProcessRequest = Type.Static<typeof ProcessRequest>

export const NoMembers = closed({})

export const CaptureRequest = closed({
  amount: maybe(Money),
  invoice_id: maybe(text(1, 127)),
  final_capture: maybe(Type.Boolean()),
  note_to_payer: maybe(text(1, 255)),
  soft_descriptor: maybe(text(0, 22)),
})
export type CaptureRequest = Type.Static<typeof CaptureRequest>

export const ReauthorizeRequest = closed({ amount: maybe(Money) })
export type ReauthorizeRequest = Type.Static<typeof ReauthorizeRequest>

export const RefundRequest = closed({
  amount: maybe(Money),
  custom_id: maybe(text(1, 127, '^[A-Za-z0-9-_.,]*$')),
  invoice_id: maybe(text(1, 127)),
  note_to_payer: maybe(text(1, 255)),
})
export type RefundRequest = Type.Static<typeof RefundRequest>

export const WebhookRequest = closed({
  url: Type.String({ maxLength: 2048, pattern: '^https?://[^\\s]+$' }),
  event_types: Type.Array(closed({ name: text(1, 100) }), { minItems: 1, maxItems: 500 }),
})
export type WebhookRequest = Type.Static<typeof WebhookRequest>

export const WebhookPatch = Type.Tuple([
  closed({
    op: oneOf('replace'),
    path: oneOf('/event_types'),
    value: WebhookRequest.properties.event_types,
  }),
])
export type WebhookPatch = Type.Static<typeof WebhookPatch>

export const VerifyRequest = closed({
  auth_algo: text(1, 100, '^[a-zA-Z0-9]+$'),
  cert_url: text(1, 500),
  transmission_id: text(1, 50),
  transmission_sig: text(1, 500),
  transmission_time: text(1, 100),
  webhook_id: text(1, 50, '^[a-zA-Z0-9]+$'),
  webhook_event: Type.Object({}),
})
export type VerifyRequest = Type.Static<typeof VerifyRequest>

const compiled = new Map<TSchema, ReturnType<typeof Compile>>()

/** The problems of a body, as PayPal lists them. */
export function check(schema: TSchema, value: unknown): Detail[] {
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  if (validator.Check(value)) return []
  return validator.Errors(value).map(({ instancePath, keyword, params }) => {
    const missing = (params as { requiredProperties?: readonly string[] }).requiredProperties?.[0]
    if (missing !== undefined)
      return { issue: 'MISSING_REQUIRED_PARAMETER', field: `${instancePath}/${missing}`, location: 'body' }
    const issue = /Length$/.test(keyword) ? 'INVALID_STRING_LENGTH' : 'INVALID_PARAMETER_SYNTAX'
    return {
      issue: keyword === 'enum' ? 'INVALID_PARAMETER_VALUE' : issue,
      field: instancePath,
      location: 'body',
    }
  })
}
