import { either, flag, hash, integer, list, type Members, metadata, oneOf, required, text } from './params.ts'

/** Parameters of each operation at the pinned version. What is not listed does not exist. */

const CURRENCY = text(3, /^[A-Za-z]{3}$/)
const URL_TEXT = text(5_000, /^https?:\/\/[^\s]+$/, 'url_invalid')
const EMAIL = text(512, /^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'email_invalid')
const METHOD_TYPE = oneOf(
  ...(['card', 'us_bank_account', 'link', 'paypal', 'sepa_debit', 'klarna', 'ideal', 'bancontact'] as const),
  ...(['eps', 'blik', 'p24', 'twint', 'mb_way', 'multibanco', 'swish', 'mobilepay', 'pix'] as const),
  ...(['alipay', 'wechat_pay', 'cashapp', 'afterpay_clearpay'] as const),
)
const CAPTURE_METHOD = oneOf('automatic', 'automatic_async', 'manual')
const FUTURE_USAGE = oneOf('off_session', 'on_session')
const EXPAND = list(text(5_000), 20)
const AMOUNT = integer(1)
const RANGE = either(integer(), hash({ gt: integer(), gte: integer(), lt: integer(), lte: integer() }))
const PAGE: Members = {
  limit: integer(1, 100),
  starting_after: text(),
  ending_before: text(),
  expand: EXPAND,
}

const LOCALES = (
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl ' +
  'pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'
).split(' ')

/** A file of more bytes is refused before it is read. */
const TOTAL_FILE = 5 * 1024 * 1024
const LONG_EVIDENCE = (
  'access_activity_log cancellation_policy_disclosure cancellation_rebuttal duplicate_charge_explanation ' +
  'product_description refund_policy_disclosure refund_refusal_explanation uncategorized_text'
).split(' ')
const SHORT_EVIDENCE = (
  'billing_address cancellation_policy customer_communication customer_email_address customer_name ' +
  'customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_id receipt ' +
  'refund_policy service_date service_documentation shipping_address shipping_carrier shipping_date ' +
  'shipping_documentation shipping_tracking_number uncategorized_file'
).split(' ')

const LINE_ITEM = hash({
  quantity: required(integer(1, 999_999)),
  price_data: required(
    hash({
      currency: required(CURRENCY),
      unit_amount: required(integer(0)),
      tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
      product_data: required(
        hash({ name: required(text(250)), description: text(), images: list(URL_TEXT, 8), metadata }),
      ),
    }),
  ),
})

const PAYMENT_METHOD_OPTIONS = hash({
  wechat_pay: hash({ client: oneOf('android', 'ios', 'web') }),
  card: hash({
    capture_method: oneOf('manual'),
    request_three_d_secure: oneOf('any', 'automatic', 'challenge'),
    setup_future_usage: FUTURE_USAGE,
  }),
  us_bank_account: hash({
    verification_method: oneOf('automatic', 'instant'),
    setup_future_usage: oneOf('none', 'off_session', 'on_session'),
    financial_connections: hash({
      permissions: list(oneOf('balances', 'ownership', 'payment_method', 'transactions')),
    }),
  }),
})

const SESSION_CREATE: Members = {
  mode: oneOf('payment', 'setup', 'subscription'),
  ui_mode: oneOf('elements', 'embedded_page', 'form', 'hosted_page'),
  success_url: URL_TEXT,
  cancel_url: URL_TEXT,
  client_reference_id: text(200),
  currency: CURRENCY,
  customer: text(),
  customer_email: text(800, /^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'email_invalid'),
  customer_creation: oneOf('always', 'if_required'),
  expires_at: integer(0),
  line_items: list(LINE_ITEM),
  locale: oneOf(...LOCALES),
  metadata,
  submit_type: oneOf('auto', 'book', 'donate', 'pay', 'subscribe'),
  allowed_payment_method_types: list(METHOD_TYPE),
  excluded_payment_method_types: list(METHOD_TYPE),
  adaptive_pricing: hash({ enabled: flag }),
  payment_method_options: PAYMENT_METHOD_OPTIONS,
  saved_payment_method_options: hash({ payment_method_save: oneOf('disabled', 'enabled') }),
  payment_intent_data: hash({
    capture_method: CAPTURE_METHOD,
    description: text(1_000),
    metadata,
    receipt_email: EMAIL,
    setup_future_usage: FUTURE_USAGE,
    shipping: hash({
      name: required(text(5_000)),
      address: required(
        hash({
          ...{ line1: required(text(5_000)), line2: text(5_000), city: text(5_000), state: text(5_000) },
          ...{ postal_code: text(5_000), country: text(2) },
        }),
      ),
    }),
    statement_descriptor: text(22),
    statement_descriptor_suffix: text(22),
  }),
  setup_intent_data: hash({ description: text(1_000), metadata }),
  expand: EXPAND,
}

const INTENT_CREATE: Members = {
  amount: required(AMOUNT),
  currency: required(CURRENCY),
  allowed_payment_method_types: list(METHOD_TYPE),
  automatic_payment_methods: hash({ enabled: required(flag), allow_redirects: oneOf('always', 'never') }),
  capture_method: CAPTURE_METHOD,
  confirm: flag,
  confirmation_method: oneOf('automatic', 'manual'),
  customer: text(),
  description: text(1_000),
  error_on_requires_action: flag,
  mandate: text(),
  metadata,
  off_session: either(flag, oneOf('one_off', 'recurring')),
  payment_method: text(),
  payment_method_options: PAYMENT_METHOD_OPTIONS,
  receipt_email: EMAIL,
  return_url: URL_TEXT,
  setup_future_usage: FUTURE_USAGE,
  statement_descriptor: text(22),
  statement_descriptor_suffix: text(22),
  expand: EXPAND,
}

const ONLY_EXPAND: Members = { expand: EXPAND }

export const SCHEMAS = {
  sessionCreate: SESSION_CREATE,
  sessionList: { ...PAGE, customer: text(), payment_intent: text() },
  intentCreate: INTENT_CREATE,
  intentList: { ...PAGE, customer: text(), created: RANGE },
  intentCapture: {
    amount_to_capture: AMOUNT,
    final_capture: flag,
    metadata,
    statement_descriptor: text(22),
    statement_descriptor_suffix: text(22),
    expand: EXPAND,
  },
  intentCancel: {
    cancellation_reason: oneOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'),
    expand: EXPAND,
  },
  refundCreate: {
    amount: AMOUNT,
    charge: text(),
    payment_intent: text(),
    metadata,
    reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
    expand: EXPAND,
  },
  refundList: { ...PAGE, charge: text(), payment_intent: text(), created: RANGE },
  customerCreate: {
    email: EMAIL,
    name: text(256),
    phone: text(20),
    description: text(350),
    metadata,
    expand: EXPAND,
  },
  customerList: { ...PAGE, email: text(512), created: RANGE },
  methodList: { ...PAGE, type: METHOD_TYPE },
  eventList: {
    ...PAGE,
    created: RANGE,
    type: text(),
    types: list(text(), 20),
    delivery_success: flag,
  },
  endpointCreate: {
    url: required(URL_TEXT),
    enabled_events: required(list(text(), 500)),
    description: text(5_000),
    metadata,
    api_version: oneOf('2026-10-28.endive'),
    connect: flag,
    expand: EXPAND,
  },
  endpointUpdate: {
    url: URL_TEXT,
    enabled_events: list(text(), 500),
    description: text(5_000),
    disabled: flag,
    metadata,
    expand: EXPAND,
  },
  endpointList: PAGE,
  fileCreate: {
    purpose: required(text()),
    file: required(hash({ name: text(), content: text(TOTAL_FILE) })),
  },
  disputeUpdate: {
    submit: flag,
    metadata,
    evidence: hash({
      ...Object.fromEntries(LONG_EVIDENCE.map((name) => [name, text(20_000)])),
      ...Object.fromEntries(SHORT_EVIDENCE.map((name) => [name, text(5_000)])),
    }),
  },
  disputeList: { ...PAGE, charge: text(), payment_intent: text(), created: RANGE },
  balanceList: { ...PAGE, source: text(), type: text(), payout: text(), created: RANGE },
  payoutList: { ...PAGE, status: text(), created: RANGE },
  setupList: { ...PAGE, customer: text(), payment_method: text(), created: RANGE },
  onlyExpand: ONLY_EXPAND,
} as const satisfies Record<string, Members>
