import Type, { type Static, type TSchema } from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import {
  IdInput,
  Instant,
  InstantInput,
  MoneyInput,
  maybe,
  name,
  text,
  UrlInput,
  UrlOrNothing,
} from '../../http/wire.ts'
import { METHOD_IDS } from '../../providers/methods/method.ts'
import { REQUESTS, RESULTS } from '../../providers/methods/three-d-secure.ts'
import { METHOD_KINDS, RETRY_ADVICE } from '../../providers/outcome.ts'
import { REFUND_REASONS } from '../../providers/port.ts'
import { STATES } from '../machine.ts'
import { FAILURE_CODES } from '../payment.ts'
import { RETRY_DESCRIPTION } from '../retry/advice.ts'

// ---- requests ---------------------------------------------------------------------------------------------

const line = text(LIMITS.nameLength)

const Address = Type.Object({
  streetAddressLine1: maybe(line),
  streetAddressLine2: maybe(line),
  zipCode: maybe(line),
  city: maybe(line),
  state: maybe(line),
  country: maybe(line),
  countryCode: maybe(line),
})

const OrderCustomer = Type.Object({
  customerId: name(LIMITS.customerIdLength),
  firstName: maybe(line),
  lastName: maybe(line),
  email: maybe(text(LIMITS.emailLength)),
  phoneNumber: maybe(text(LIMITS.phoneLength)),
  mobileNumber: maybe(text(LIMITS.phoneLength)),
  address: maybe(Address),
  accountCreatedTime: maybe(text(40)),
  customId: maybe(line),
})

const Quantity = Type.Union(
  [
    Type.Number({ exclusiveMinimum: 0 }),
    Type.String({ pattern: '^(?=[\\d.]*[1-9])\\d{1,9}(\\.\\d{1,4})?$' }),
  ],
  {
    expected: 'a positive number',
  },
)

const Item = Type.Object({
  name: name(LIMITS.itemNameLength),
  amount: MoneyInput,
  quantity: Quantity,
  category: Type.Enum(['DigitalGoods', 'PhysicalGoods']),
  sku: maybe(line),
  tax: maybe(MoneyInput),
  description: maybe(text(LIMITS.descriptionLength)),
})

/** As older shop plugins send them, beside the breakdown: nothing is required. */
const LooseItem = Type.Object({
  name: maybe(text(LIMITS.itemNameLength)),
  amount: maybe(MoneyInput),
  quantity: maybe(Quantity),
  category: maybe(Type.Enum(['DigitalGoods', 'PhysicalGoods', 'Service'])),
  sku: maybe(line),
  tax: maybe(MoneyInput),
  description: maybe(text(LIMITS.descriptionLength)),
})

const CustomerOrder = Type.Object(
  {
    customer: OrderCustomer,
    orderId: maybe(line),
    description: maybe(text(LIMITS.descriptionLength)),
    amount: maybe(
      Type.Object({
        total: maybe(MoneyInput),
        shipping: maybe(MoneyInput),
        totalTax: maybe(MoneyInput),
        discount: maybe(MoneyInput),
        handling: maybe(MoneyInput),
        insurance: maybe(MoneyInput),
        items: maybe(Type.Array(Item, { maxItems: LIMITS.orderItems })),
      }),
    ),
    items: maybe(Type.Array(LooseItem, { maxItems: LIMITS.orderItems })),
  },
  { title: 'CustomerOrder' },
)
export type CustomerOrder = Static<typeof CustomerOrder>

const CHECKOUT_METHODS = [...METHOD_KINDS, ...['VerifiedPaymentMethod', 'ProviderHostedPage'], ...METHOD_IDS]

const common = {
  referenceId: name(LIMITS.referenceIdLength, {
    description: 'Names the payment for ever. The same value again never makes a second payment.',
  }),
  amount: MoneyInput,
  autoCapture: Type.Boolean({ description: 'true captures as soon as authorised, false authorises only.' }),
  customerOrder: CustomerOrder,
  webhookUrl: maybe(UrlOrNothing, 'Webhooks of this payment go here instead of to the address of the app.'),
  fraudPolicyId: maybe(IdInput, 'Applied instead of the policy of the app.'),
  statementDescriptor: maybe(
    text(LIMITS.statementLength),
    'Shown on the payer’s bank statement, after the name of the shop, where the provider can.',
  ),
}

const created = {
  ...common,
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    expected: 'currency',
    description: 'An ISO 4217 code that a provider profile of the app takes.',
  }),
  locale: maybe(
    Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$', expected: 'language' }),
    'The language of the payer, such as `de` or `de-AT`, for the checkout and the pages of providers.',
  ),
  country: maybe(
    Type.String({ pattern: '^[A-Z]{2}$', expected: 'country' }),
    'The country of the payer by ISO 3166-1, when the order has no address.',
  ),
  brandName: maybe(line, 'Shown on the pages of providers instead of the name of the app, where they can.'),
  threeDSecure: maybe(
    Type.Object({
      requested: Type.Enum([...REQUESTS], {
        description: '`challenge` asks the bank to challenge the payer, `exemption` asks it not to.',
      }),
      isRequired: maybe(
        Type.Boolean(),
        'With `challenge`: only profiles that can ask for one offer cards. Otherwise they are preferred.',
      ),
    }),
    'What to ask of 3-D Secure when the payer uses a card.',
  ),
  registerAutoPayment: maybe(Type.Boolean({ description: 'Stores the method for later charges.' })),
  expirationTime: maybe(InstantInput, 'The checkout link stops working then.'),
}

export const HostedPageBody = Type.Object({
  ...created,
  returnUrl: UrlInput,
  showPayRecurringInCheckout: Type.Boolean({
    description: 'Whether the checkout offers to save the method.',
  }),
  paymentProfiles: maybe(Type.Array(IdInput, { maxItems: 100 }), 'Offer these provider profiles only.'),
  paymentProfileId: maybe(IdInput, 'The same for a single profile.'),
  checkoutMethods: maybe(
    Type.Array(Type.Enum(CHECKOUT_METHODS), { maxItems: CHECKOUT_METHODS.length }),
    'Offer these methods only. `ProviderHostedPage` stands for every method without fields on the ' +
      'checkout, such as PayPal and each method by name, `VerifiedPaymentMethod` for stored ones.',
  ),
})
export type HostedPageBody = Static<typeof HostedPageBody>

export const DirectBody = Type.Object({ ...created, returnUrl: maybe(UrlOrNothing) })
export type DirectBody = Static<typeof DirectBody>

export const ProviderHostedPageBody = Type.Object({
  ...created,
  returnUrl: maybe(UrlOrNothing),
  paymentProfileId: IdInput,
})
export type ProviderHostedPageBody = Static<typeof ProviderHostedPageBody>

export const AutoPaymentBody = Type.Object({
  ...common,
  currency: maybe(created.currency),
  paymentMethodId: maybe(IdInput, 'Charge this stored method; else the default one, else the newest.'),
  paymentMethodProviderProfileId: maybe(IdInput, 'Charge at this provider profile.'),
})
export type AutoPaymentBody = Static<typeof AutoPaymentBody>

export const PaymentParams = Type.Object({ appId: Type.String(), paymentId: Type.String() })
export const AmountQuery = Type.Object({
  amount: Type.Optional(
    Type.String({
      maxLength: 20,
      description: 'A part of it only, in major units. Where it is missing, `amount` of a JSON body is read.',
    }),
  ),
})
export const AmountBody = Type.Object({ amount: MoneyInput })
const OtpCode = Type.Optional(
  text(64, { description: 'The current one-time code, where the app demands a second factor.' }),
)

export const CancelQuery = Type.Object({ otpCode: OtpCode })
export const RefundQuery = Type.Object({
  ...AmountQuery.properties,
  reason: Type.Optional(
    Type.Enum([...REFUND_REASONS], {
      description:
        'Why the money is given back. Stripe gets it, and blocks the card and the e-mail address of a ' +
        '`fraudulent` refund.',
    }),
  ),
  description: Type.Optional(text(LIMITS.descriptionLength)),
  otpCode: OtpCode,
})
export const MarkQuery = Type.Object({
  description: Type.Optional(text(LIMITS.descriptionLength)),
  otpCode: OtpCode,
})
export const MarkBody = Type.Object({ reason: maybe(text(LIMITS.descriptionLength)) })

// ---- answers ----------------------------------------------------------------------------------------------

const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
const word = nullable(Type.String())
const Card = Type.Object({
  cardBrand: word,
  cardType: word,
  cardExpiryMonth: nullable(Type.Integer()),
  cardExpiryYear: nullable(Type.Integer()),
  cardLast4: word,
  cardCountry: word,
})

const checked = Type.Optional(Type.Enum(['pass', 'fail']))
const PaymentChecks = Type.Object(
  {
    address: checked,
    postalCode: checked,
    cvc: checked,
    threeDSecure: Type.Optional(Type.Enum(['authenticated', 'attempted', 'failed'])),
  },
  { description: "Checks by the payer's bank. Absent: not checked." },
)

const ThreeDSecure = Type.Object(
  {
    requested: nullable(Type.Enum([...REQUESTS]), 'What the provider was asked for; null: nothing.'),
    result: nullable(
      Type.Enum([...RESULTS]),
      '`authenticated`: in one of the two ways, and the provider does not say which. `attempted`: the bank ' +
        'takes no part, and the scheme confirms the attempt. `not-authenticated`: not completed. ' +
        '`not-supported`: by the card, or by the provider. Null: not known.',
    ),
    version: nullable(Type.String(), 'Of the protocol.'),
    liabilityShift: nullable(
      Type.Boolean(),
      "Whether the payer's bank is liable for fraud; null: the provider does not say.",
    ),
  },
  { description: 'Only if it was asked for, or the provider reports it.' },
)

const PayInfo = Type.Object({
  providerReferenceId: word,
  authorizeId: word,
  captureId: word,
  providerFee: nullable(Type.Number()),
  paymentProfile: Type.Object({
    paymentProfileId: Type.Integer(),
    paymentProfileName: Type.String(),
    paymentMethodTypeString: word,
    isActive: Type.Boolean(),
    currency: Type.String(),
    paymentProvider: Type.Object({
      provider: Type.String(),
      iconUri1: Type.String(),
      iconUri2: Type.String(),
    }),
  }),
  payer: Type.Object({ fullName: word, email: word, country: word, card: nullable(Card) }),
  card: nullable(Card),
  checks: nullable(PaymentChecks),
  networkDeclineCode: nullable(Type.String(), "The card network's code of the last decline."),
  refundClaimUrl: nullable(Type.String(), 'Where the customer claims a refund that is on its way.'),
})

const DisputeView = Type.Object({
  disputeId: Type.String({ description: "The provider's id." }),
  state: Type.Enum(['open', 'won', 'lost']),
  amount: nullable(Type.Number(), 'The disputed amount; null: all that was captured.'),
  reason: nullable(Type.String(), "The provider's reason code."),
  evidenceDueTime: nullable(Instant, 'Until when evidence can be sent.'),
  providerUrl: nullable(Type.String(), "The provider's page about the dispute."),
  canRefund: Type.Boolean({ description: 'The provider takes a refund while this dispute is open.' }),
  isWonLate: Type.Optional(
    Type.Boolean({
      description:
        'True, or absent. The dispute was lost, and then it was not: the money is with the merchant again, ' +
        'while the payment stays Refunded with the amount in `refundedAmount`.',
    }),
  ),
})

const FeeBreakdown = Type.Object({
  totalAmount: Type.Number(),
  netAmount: Type.Number(),
  appFee: Type.Number(),
  providerFee: Type.Number(),
  currency: Type.String(),
  isProviderFeeActual: Type.Boolean(),
})

const Settlement = Type.Object({
  state: Type.Enum(['unsettled', 'settled', 'paid-out', 'difference']),
  payoutId: nullable(Type.Integer()),
  paidOutTime: nullable(Instant),
  difference: Type.Number({ description: 'What was settled less what Tender expects; 0: they agree.' }),
})
export type SettlementView = Static<typeof Settlement>

/** Documents the answer; view.ts builds it. */
export const PaymentSchema = Type.Object(
  {
    appId: Type.String(),
    paymentId: Type.Integer(),
    paymentState: Type.Enum(Object.keys(STATES)),
    paymentStateId: Type.Integer(),
    amount: Type.Number(),
    capturedAmount: Type.Number(),
    refundedAmount: Type.Number(),
    referenceId: Type.String(),
    currency: Type.String(),
    autoCapture: Type.Boolean(),
    paymentFlow: Type.Enum(['HostedPage', 'Direct', 'ProviderHostedPage', 'AutoPayment']),
    autoPayment: Type.Enum(['None', 'Register', 'Use']),
    fraudStatus: Type.Enum(['Unknown', 'Verified', 'RuleViolated', 'Suspicious', 'Fraudulent', 'Ignored']),
    paymentKey: Type.String({ description: 'The secret part of the address of the checkout page.' }),
    redirectUrl: Type.Optional(
      Type.String({ description: 'While the payment can still be paid on a page.' }),
    ),
    returnUrl: Type.Optional(Type.String()),
    webhookUrl: Type.Optional(Type.String()),
    customerId: Type.String(),
    payerIp: word,
    createdTime: Instant,
    expirationTime: nullable(Instant),
    expectedTime: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Of a slow method while it is in progress: until when the result may take.',
      }),
    ),
    customerOrder: Type.Object({}, { additionalProperties: true }),
    fraudPolicyId: nullable(Type.Integer()),
    fraudPolicyName: word,
    paymentMethodId: nullable(
      Type.Union([Type.Integer(), Type.Enum([...METHOD_IDS])]),
      'The stored method that was charged, or the id of a method by name.',
    ),
    paymentMethodName: Type.Optional(
      Type.String({ description: 'In English. Only of a method by name and of a card in a wallet.' }),
    ),
    paymentMethodProviderProfileId: nullable(Type.Integer()),
    threeDSecure: Type.Optional(ThreeDSecure),
    failure: nullable(
      Type.Object({
        code: Type.Enum([...FAILURE_CODES]),
        message: Type.String(),
        declineCode: Type.Optional(Type.String()),
        retry: Type.Enum([...RETRY_ADVICE], { description: RETRY_DESCRIPTION }),
        retryAfter: nullable(Instant, 'With `later`: not before then.'),
      }),
      'Why it ended in Failed.',
    ),
    lastError: nullable(Type.String(), 'The last problem, in words for the merchant.'),
    canCapture: Type.Boolean(),
    canCaptured: Type.Boolean(),
    canCancel: Type.Boolean(),
    canRefund: Type.Boolean(),
    canUnhold: Type.Boolean(),
    canRecheck: Type.Boolean(),
    canMarkAsRefund: Type.Boolean(),
    canMarkAsDispute: Type.Boolean(),
    feeBreakdown: nullable(FeeBreakdown),
    dispute: nullable(DisputeView, 'The first of `disputes`.'),
    disputes: Type.Array(DisputeView, {
      description: 'Every dispute of the payment: open ones first, then lost ones.',
    }),
    payInfo: Type.Optional(PayInfo),
    settlement: Type.Optional(
      nullable(
        Settlement,
        'What the provider has settled. Only when a payment is read, in apps with a source.',
      ),
    ),
  },
  { title: 'Payment' },
)
