import Type, { type TSchema } from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import { BooleanText, Instant, maybe, name, patchOf } from '../../http/wire.ts'
import { CHECK_PARTS, CHECK_PROBLEMS } from '../../providers/check.ts'
import { METHOD_IDS } from '../../providers/methods/method.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'

const METHODS = [...METHOD_KINDS, ...METHOD_IDS]
const Method = Type.Enum(METHODS)

const Methods = Type.Array(Method, {
  minItems: 1,
  maxItems: METHODS.length,
  uniqueItems: true,
  expected: `a list of different ones of ${METHODS.join(', ')}`,
  description: 'In the order of the checkout: the four kinds, and methods by their own name.',
})
const Currency = Type.String({ pattern: '^[A-Z]{3}$', expected: 'currency' })
const Currencies = Type.Array(Currency, { minItems: 1, maxItems: 200, expected: 'currencies' })
const Settings = Type.Object({}, { description: 'What the provider asks for. Never shown again.' })
const Name = name(LIMITS.nameLength)

const Fee = Type.Number({ minimum: 0, maximum: 1_000_000 })
const Percentage = Type.Number({ minimum: 0, maximum: 100 })

export const ProfileInput = Type.Object(
  {
    provider: name(LIMITS.nameLength),
    paymentProfileName: maybe(Name),
    name: maybe(Name),
    methods: maybe(Methods),
    currency: Currency,
    currencies: maybe(Currencies),
    isActive: maybe(Type.Boolean()),
    settings: maybe(Settings),
    providerInitialFee: maybe(Fee),
    providerPercentageFee: maybe(Percentage),
    appInitialFee: maybe(Fee),
    appPercentageFee: maybe(Percentage),
  },
  { title: 'PaymentProfileInput' },
)

export const ProfilePatch = Type.Object(
  {
    paymentProfileName: patchOf(Name),
    name: patchOf(Name),
    methods: patchOf(Methods),
    currency: patchOf(Currency),
    currencies: patchOf(Currencies),
    isActive: patchOf(Type.Boolean()),
    settings: maybe(Settings),
    providerInitialFee: patchOf(Fee),
    providerPercentageFee: patchOf(Percentage),
    appInitialFee: patchOf(Fee),
    appPercentageFee: patchOf(Percentage),
  },
  { title: 'PaymentProfilePatch', description: 'Each member plain or as { "value": … }.' },
)

const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** In major units of the profile's currency, and in percent. */
const feeMembers = {
  providerInitialFee: nullable(Type.Number()),
  providerPercentageFee: nullable(Type.Number(), 'In percent.'),
  appInitialFee: nullable(Type.Number()),
  appPercentageFee: nullable(Type.Number(), 'In percent.'),
}

export const ProfileFeeAnswer = Type.Object(feeMembers, { title: 'PaymentProfileFee' })

export const FeePreview = Type.Object(
  {
    paymentProfileId: Type.Integer(),
    processingFee: Type.Number({ description: 'The sum of the others.' }),
    appFee: Type.Number(),
    secretFee: Type.Number({ description: 'Always 0.' }),
    providerFee: Type.Number(),
  },
  { title: 'PaymentProfileFeePreview' },
)

export const FeeQuery = Type.Object({
  amount: Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,2})?$', expected: 'amount' }),
  ids: Type.Optional(
    Type.String({
      pattern: '^\\d{1,16}(,\\d{1,16}){0,199}$',
      expected: 'ids of profiles, separated by commas',
      description: 'Absent: the ids in the body, else every active profile.',
    }),
  ),
})

export const ProfilesQuery = Type.Object({
  onlyRoutedProfile: Type.Optional(BooleanText),
})

export const ProviderAnswer = Type.Object(
  {
    provider: Type.String(),
    iconUri1: Type.String(),
    iconUri2: Type.String(),
    name: Type.String(),
    docs: Type.String({ description: "The provider's own documentation." }),
    methods: Type.Array(Method),
    currencies: nullable(Type.Array(Type.String()), 'Null: any.'),
    isSupportSubscription: Type.Boolean({ description: 'Stored methods can be charged later.' }),
    configuredCount: Type.Integer({ description: 'Profiles of the app at this provider.' }),
    settings: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        secret: Type.Boolean(),
        required: Type.Boolean(),
        help: nullable(Type.String()),
      }),
      { description: 'What a new profile needs.' },
    ),
    connectHelp: nullable(Type.String(), 'Where the notification address is pasted at the provider.'),
  },
  { title: 'PaymentProviderSetup' },
)

export const ProfileParams = Type.Object({ appId: Type.String(), paymentProfileId: Type.String() })

export const Provider = Type.Object(
  { provider: Type.String(), iconUri1: Type.String(), iconUri2: Type.String() },
  { title: 'PaymentProvider' },
)

const summaryMembers = {
  paymentProfileId: Type.Integer(),
  paymentProfileName: Type.String(),
  paymentMethodTypeString: Type.String(),
  isActive: Type.Boolean(),
  currency: Type.String(),
  paymentProvider: Provider,
}

export const MethodAnswer = Type.Object(
  {
    id: Method,
    name: Type.String({ description: 'In English.' }),
    isEnabledAtProvider: nullable(
      Type.Boolean(),
      'Whether the account at the provider has it turned on. Null: the provider does not tell.',
    ),
    isOffered: Type.Boolean({ description: 'The profile offers it, and the account does not lack it.' }),
    currencies: Type.Array(Type.String(), { description: 'Empty: any.' }),
    countries: Type.Array(Type.String(), { description: 'Where its payers live. Empty: anywhere.' }),
  },
  { title: 'PaymentProfileMethod' },
)

export const ProfileSummary = Type.Object(summaryMembers, { title: 'PaymentProfileSummary' })

export const ProfileAnswer = Type.Object(
  {
    ...summaryMembers,
    provider: Type.String(),
    currencies: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Null: every currency the provider takes.',
    }),
    methods: Type.Array(Method),
    createdTime: Instant,
    ...feeMembers,
    webhookUrl: Type.String({ description: 'Where the provider sends its notifications.' }),
    acceptedTime: Type.Union([Instant, Type.Null()], {
      description: 'When the provider last accepted the settings. Null: not known, or they changed since.',
    }),
    lastNotificationTime: Type.Union([Instant, Type.Null()], {
      description: 'When a genuine notification arrived last, to the minute. Null: none yet.',
    }),
    settings: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        secret: Type.Boolean(),
        required: Type.Boolean(),
        isSet: Type.Boolean(),
      }),
      { description: 'Which settings are set. Their values are never shown.' },
    ),
  },
  { title: 'PaymentProfile' },
)

export const CheckoutMethodGroup = Type.Object(
  {
    checkoutMethod: Type.Enum([
      'CreditCard',
      'ElectronicCheck',
      'VerifiedPaymentMethod',
      'ProviderHostedPage',
    ]),
    paymentCheckoutMethodItems: Type.Array(
      Type.Object({
        paymentProfile: ProfileSummary,
        isSupportSubscription: Type.Boolean(),
        isSupportSinglePayment: Type.Boolean(),
        iconUri1: Type.String(),
        iconUri2: Type.String(),
      }),
    ),
  },
  { title: 'CheckoutMethodGroup' },
)

export const ProfileCheckAnswer = Type.Object(
  {
    ok: Type.Boolean(),
    problem: Type.Optional(Type.String({ description: 'What is wrong, in one sentence.' })),
    code: Type.Optional(Type.Enum([...CHECK_PROBLEMS], { description: 'The kind of the problem.' })),
    tested: Type.Optional(
      Type.Array(Type.Enum([...CHECK_PARTS]), {
        description: 'What was found to be right. Providers tell different parts.',
      }),
    ),
    account: Type.Optional(Type.String({ description: 'The id of the account at the provider.' })),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'What works less well than it could, each in one sentence.',
      }),
    ),
  },
  { title: 'PaymentProfileCheck' },
)

export const ConnectionAnswer = Type.Object(
  {
    isConnected: Type.Boolean(),
    webhookUrl: Type.String(),
    instructions: Type.Optional(Type.String({ description: 'What is left to do at the provider.' })),
  },
  { title: 'PaymentProfileConnection' },
)
