import Type from 'typebox'
import { LIMITS } from '../../base/limits.ts'
import { Instant, name, patchOf, text } from '../../http/wire.ts'
import { OWN_ROLE_PERMISSIONS } from '../access/roles.ts'

const Nullable = Type.Union([Type.String(), Type.Null()])
const MaybeInstant = Type.Union([Instant, Type.Null()])

export const TeamRole = Type.Object(
  { roleId: Type.String(), roleName: Type.String(), description: Nullable },
  { title: 'TeamRole' },
)

/** A role that the merchant makes. */
export const OwnRoleBody = Type.Object(
  {
    roleName: Type.String({ minLength: 1, maxLength: 40 }),
    permissions: Type.Array(Type.Enum([...OWN_ROLE_PERMISSIONS]), {
      maxItems: OWN_ROLE_PERMISSIONS.length,
      description:
        'The overview is always among them. People and licences stay with owners and administrators.',
    }),
  },
  { title: 'OwnRoleBody' },
)
export const OwnRoleAnswer = Type.Object(
  { roleId: Type.String(), roleName: Type.String(), permissions: Type.Array(Type.String()) },
  { title: 'OwnRole' },
)

export const TeamUser = Type.Object(
  {
    userId: Type.String(),
    email: Nullable,
    name: Nullable,
    createdTime: Instant,
    accessedTime: MaybeInstant,
    isDisabled: Type.Boolean(),
    isEmailVerified: Type.Boolean({
      description: 'The person opened a link that was sent by e-mail, or came from the OpenID provider.',
    }),
    isPhoneVerified: Type.Boolean(),
    isBot: Type.Boolean({ description: 'A bot is an API key.' }),
    description: Nullable,
  },
  { title: 'TeamUser' },
)

export const TeamUserRole = Type.Object(
  {
    resourceId: Type.String({
      description: 'The app. Members belong to the licence, so both apps show the same.',
    }),
    userId: Type.String(),
    role: TeamRole,
    user: TeamUser,
    invitationLink: Type.Optional(
      Type.String({
        description:
          'Shown once, for a person without membership. Valid for seven days. Absent where e-mails are set ' +
          'up: the link then goes to the address alone.',
      }),
    ),
  },
  { title: 'TeamUserRole' },
)

export const BotInput = Type.Object({ name: name(LIMITS.nameLength) }, { title: 'BotInput' })

export const BotPatch = Type.Object(
  { name: patchOf(name(LIMITS.nameLength)) },
  { title: 'BotPatch', description: 'The name plain or as { "value": … }.' },
)

export const BotQuery = Type.Object({ botName: name(LIMITS.nameLength) })

export const BotKey = Type.Object(
  {
    accessToken: Type.Object({
      value: Type.String({ description: 'The API key. Shown once.' }),
      expirationTime: MaybeInstant,
      scheme: Type.String(),
      issuedTime: Instant,
    }),
    refreshToken: Type.Null(),
    userId: Type.String(),
  },
  { title: 'BotKey' },
)

export const CurrentUser = Type.Object(
  { ...TeamUser.properties, timeZone: Nullable, theme: Nullable, is2faActivate: Type.Boolean() },
  { title: 'CurrentUser' },
)

export const CurrentUserPatch = Type.Object(
  {
    timeZone: patchOf(text(64, { expected: 'timeZone' })),
    theme: patchOf(Type.Enum(['light', 'dark', 'auto'])),
  },
  {
    title: 'CurrentUserPatch',
    description:
      'Each member plain or as { "value": … }. Absent or null: unchanged. { "value": null } clears.',
  },
)

export const OwnApp = Type.Object(
  {
    appId: Type.String(),
    licenseId: Type.String(),
    friendlyName: Type.String(),
    isSandbox: Type.Boolean(),
    isActive: Type.Boolean(),
    isSetupCompleted: Type.Boolean(),
    isConnectFirstGateway: Type.Boolean(),
    hasFirstCapturePayment: Type.Boolean(),
    roleName: Type.String(),
    is2faActivate: Type.Boolean({ description: 'Whether the person has a second factor.' }),
  },
  { title: 'OwnApp' },
)

export const PublicSettings = Type.Object(
  {
    brand: Type.String(),
    signinImageUri: Nullable,
    signinImageUri2: Nullable,
    signinSlogan: Nullable,
    isSupportSignupProcess: Type.Boolean({ description: 'People join by invitation only.' }),
    isSupportPaymentProfileEdit: Type.Boolean(),
    isSupportLicenseManagement: Type.Boolean(),
    isSupportCustomizeCheckout: Type.Boolean(),
    signinTermsAndConditionUrl: Nullable,
    signinPrivacyUrl: Nullable,
    signinTermsAndCondition: Nullable,
  },
  { title: 'PublicSettings' },
)

export const OtpQuery = Type.Object({ otpCode: name(40) })
export const MaybeOtpQuery = Type.Object({ otpCode: Type.Optional(name(40)) })

export const SecondFactorState = Type.Object(
  {
    isActive: Type.Boolean(),
    recoveryCodes: Type.Optional(
      Type.Array(Type.String(), { description: 'Shown once. Each replaces a code once.' }),
    ),
  },
  { title: 'SecondFactorState' },
)
