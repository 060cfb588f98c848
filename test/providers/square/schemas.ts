import { bool, type Check, integerFrom, list, text, object as withMembers } from '../kit/checks.ts'

/** What each request may contain. Unknown members and wrong types are refused. */

type Members = Readonly<Record<string, Check>>
const object = (required: Members, optional: Members = {}): Check => withMembers({ required, optional })

const amount = integerFrom(1)
const money = object({ amount, currency: text({ pattern: /^[A-Z]{3}$/ }) })
const key = text({ max: 45 })
const reference = text({ max: 40 })
const email = text({ max: 254, pattern: /^[^@\s]+@[^@\s]+\.[^@\s]+$/ })
const id = text({ max: 192 })

const line = text({ max: 500 })
const postal = object(
  {},
  {
    ...{ address_line_1: line, address_line_2: line, locality: line, administrative_district_level_1: line },
    ...{ postal_code: text({ max: 12 }), country: text({ pattern: /^[A-Z]{2}$/ }) },
  },
)

const item = object({ name: text({ max: 512 }), quantity: text({ of: ['1'] }), base_price_money: money })

export const LINK = object(
  {
    idempotency_key: text({ max: 192 }),
    order: object({ location_id: id, line_items: list(item) }, { reference_id: reference }),
  },
  {
    checkout_options: object(
      {},
      {
        redirect_url: text({ max: 2048, pattern: /^https?:\/\// }),
        ...{ allow_tipping: bool, ask_for_shipping_address: bool, enable_coupon: bool, enable_loyalty: bool },
        accepted_payment_methods: object(
          {},
          { apple_pay: bool, google_pay: bool, cash_app_pay: bool, afterpay_clearpay: bool },
        ),
      },
    ),
    pre_populated_data: object({}, { buyer_email: email, buyer_address: postal }),
    payment_note: text({ max: 500 }),
  },
)

export const PAYMENT = object(
  { source_id: id, idempotency_key: key, amount_money: money },
  {
    autocomplete: bool,
    delay_action: text({ of: ['CANCEL', 'COMPLETE'] }),
    ...{ customer_id: id, location_id: id, reference_id: reference, note: text({ max: 500 }) },
    statement_description_identifier: text({ max: 20 }),
    customer_details: object({}, { customer_initiated: bool, seller_keyed_in: bool }),
  },
)

export const UPDATE = object({ idempotency_key: key, payment: object({}, { amount_money: money }) })
export const COMPLETE = object({}, { version_token: text() })
export const CANCEL_BY_KEY = object({ idempotency_key: key })

export const REFUND = object(
  { idempotency_key: key, amount_money: money, payment_id: id },
  { reason: text({ max: 192 }) },
)

export const CUSTOMER = object(
  { idempotency_key: key },
  {
    ...{ given_name: text({ max: 300 }), family_name: text({ max: 300 }), email_address: email },
    reference_id: text({ max: 100 }),
  },
)

export const SEARCH = object({
  limit: integerFrom(1),
  query: object({ filter: object({ reference_id: object({ exact: text({ max: 100 }) }) }) }),
})

export const CHANGED = object({ subscription: object({ enabled: bool, event_types: list(text()) }) })

export const CARD = object({
  ...{ idempotency_key: key, source_id: id },
  card: object({ customer_id: id }, { reference_id: text({ max: 128 }) }),
})

export const SUBSCRIPTION = object({
  idempotency_key: key,
  subscription: object({
    ...{ name: text({ max: 64 }), enabled: bool, event_types: list(text()) },
    notification_url: text({ pattern: /^https?:\/\// }),
  }),
})
