import Type from 'typebox'
import { LIMITS } from '../base/limits.ts'
import {
  BooleanText,
  countText,
  IdInput,
  Instant,
  InstantInput,
  maybe,
  name,
  patchOf,
  text,
  UrlInput,
} from '../http/wire.ts'
import { METHOD_KINDS } from '../providers/outcome.ts'
import { PANEL_SCOPES, PANEL_TASKS } from './panel.ts'

const Name = text(LIMITS.nameLength)
const Email = text(LIMITS.emailLength)
const Phone = text(LIMITS.phoneLength)

export const CustomerInput = Type.Object(
  {
    customerId: name(LIMITS.customerIdLength, {
      description: "The merchant's identifier. Unique within the app.",
    }),
    firstName: maybe(Name),
    lastName: maybe(Name),
    email: maybe(Email),
    mobileNumber: maybe(Phone),
    mobile: maybe(Phone),
    phoneNumber: maybe(Phone),
    fraudPolicyId: maybe(IdInput),
  },
  { title: 'CustomerInput' },
)

export const CustomerPatch = Type.Object(
  {
    firstName: patchOf(Name),
    lastName: patchOf(Name),
    email: patchOf(Email),
    mobileNumber: patchOf(Phone),
    mobile: patchOf(Phone),
    phoneNumber: patchOf(Phone),
    fraudPolicyId: patchOf(IdInput),
    isBlocked: patchOf(Type.Boolean()),
  },
  {
    title: 'CustomerPatch',
    description:
      'Each member plain or as { "value": … }. Absent or null: unchanged. { "value": null } clears.',
  },
)

const Nullable = Type.Union([Type.String(), Type.Null()])

export const CustomerAnswer = Type.Object(
  {
    customerId: Type.String(),
    firstName: Nullable,
    lastName: Nullable,
    email: Nullable,
    mobileNumber: Nullable,
    fraudPolicyId: Type.Union([Type.Integer(), Type.Null()]),
    isBlocked: Type.Boolean(),
    createdTime: Instant,
    erasedTime: Type.Union([Instant, Type.Null()], { description: 'When personal data was erased.' }),
    app: Type.Object({
      appId: Type.String(),
      friendlyName: Type.String(),
      isSandbox: Type.Boolean(),
      isBlocked: Type.Boolean(),
      createdTime: Instant,
    }),
  },
  { title: 'Customer' },
)

export const CustomerQuery = Type.Object({
  pageNumber: Type.Optional(countText('an integer from 1')),
  pageSize: Type.Optional(
    Type.Refine(
      Type.String({ pattern: '^[1-9]\\d{0,2}$', expected: `an integer from 1 to ${LIMITS.pageSize}` }),
      (value) => Number(value) <= LIMITS.pageSize,
    ),
  ),
  searchCriteria: Type.Optional(
    text(LIMITS.nameLength, { description: 'The beginning of an id, name, e-mail address or phone number.' }),
  ),
  isBlocked: Type.Optional(BooleanText),
  fraudPolicyId: Type.Optional(IdInput),
})

export const CustomerParams = Type.Object({ appId: Type.String(), customerId: Type.String() })

export const MethodParams = Type.Object({ ...CustomerParams.properties, paymentMethodId: Type.String() })

export const AutoPaymentParams = Type.Object({
  ...CustomerParams.properties,
  customerAutomaticProfileId: Type.String({ description: 'The paymentMethodProviderProfileId.' }),
})

export const MethodQuery = Type.Object({ onlyVerifiedPaymentMethods: Type.Optional(BooleanText) })

export const MethodImport = Type.Object(
  {
    paymentProfileId: IdInput,
    token: name(LIMITS.providerTokenLength, {
      description: 'As the guide to moving in has it for each provider. Never a card number.',
    }),
    consentTime: InstantInput,
    consentText: name(LIMITS.messageLength, {
      description: 'What the customer agreed to, or a name of that text and its version.',
    }),
  },
  { title: 'MethodImport' },
)

export const PanelQuery = Type.Object({
  returnUrl: Type.Optional(UrlInput),
  unauthorizedRedirectUrl: Type.Optional(UrlInput),
  customerPanelLinkAccessType: Type.Optional(Type.Enum([...PANEL_SCOPES])),
  task: Type.Optional(
    Type.Enum([...PANEL_TASKS], {
      description: 'The link is for this one thing to do, and for nothing else.',
    }),
  ),
  paymentMethodId: Type.Optional(IdInput),
  paymentId: Type.Optional(IdInput),
})

export const MethodAnswer = Type.Object(
  {
    paymentMethodId: Type.Integer(),
    paymentMethodType: Type.Enum([...METHOD_KINDS]),
    paymentMethodNumber: Type.String({ description: 'Masked.' }),
    isDefault: Type.Boolean(),
    cardBrand: Type.Optional(Type.String()),
    cardType: Type.Optional(Type.String()),
    cardExpiryMonth: Type.Optional(Type.Integer()),
    cardExpiryYear: Type.Optional(Type.Integer()),
    nickname: Type.Optional(Type.String()),
    verificationState: Type.String(),
    createdTime: Instant,
    importedTime: Type.Optional(
      Type.String({ format: 'date-time', description: 'When its token was imported from elsewhere.' }),
    ),
    providerProfiles: Type.Array(
      Type.Object({
        paymentMethodProviderProfileId: Type.Integer(),
        profileId: Type.Integer(),
        profileName: Type.String(),
        provider: Type.String(),
      }),
    ),
  },
  { title: 'StoredPaymentMethod' },
)
