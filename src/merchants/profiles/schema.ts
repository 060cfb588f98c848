import Type from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import { Instant, maybe, name, patchOf } from '../../http/wire.ts'
import { METHOD_KINDS } from '../../providers/outcome.ts'

const MethodKinds = Type.Array(Type.Enum([...METHOD_KINDS]), {
  minItems: 1,
  maxItems: METHOD_KINDS.length,
  uniqueItems: true,
  says: `a list of different ones of ${METHOD_KINDS.join(', ')}`,
})
const Currency = Type.String({ pattern: '^[A-Z]{3}$', says: 'an ISO 4217 code' })
const Currencies = Type.Array(Currency, { minItems: 1, maxItems: 200, says: 'a list of ISO 4217 codes' })
const Settings = Type.Object({}, { description: 'What the provider asks for. Never shown again.' })
const Name = name(LIMITS.nameLength)

export const ProfileInput = Type.Object(
  {
    provider: name(LIMITS.nameLength),
    paymentProfileName: maybe(Name),
    name: maybe(Name),
    methods: maybe(MethodKinds),
    currency: Currency,
    currencies: maybe(Currencies),
    isActive: maybe(Type.Boolean()),
    settings: maybe(Settings),
  },
  { title: 'PaymentProfileInput' },
)

export const ProfilePatch = Type.Object(
  {
    paymentProfileName: patchOf(Name),
    name: patchOf(Name),
    methods: patchOf(MethodKinds),
    currency: patchOf(Currency),
    currencies: patchOf(Currencies),
    isActive: patchOf(Type.Boolean()),
    settings: maybe(Settings),
  },
  { title: 'PaymentProfilePatch', description: 'Each member plain or as { "value": … }.' },
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

export const ProfileSummary = Type.Object(summaryMembers, { title: 'PaymentProfileSummary' })

export const ProfileAnswer = Type.Object(
  {
    ...summaryMembers,
    provider: Type.String(),
    currencies: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Null: every currency the provider takes.',
    }),
    methods: Type.Array(Type.Enum([...METHOD_KINDS])),
    createdTime: Instant,
    webhookUrl: Type.String({ description: 'Where the provider sends its notifications.' }),
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
