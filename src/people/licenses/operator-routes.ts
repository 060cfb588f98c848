import Type from 'typebox'
import { notFound } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { acting, type Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { Instant, name, text } from '../../http/wire.ts'
import { appIdsOfLicense } from '../../merchants/licenses/commands.ts'
import { readEmail } from '../accounts/email.ts'
import type { ShownLink } from '../links/links.ts'
import { urlToPassOn } from '../members/invitations.ts'
import { selectPersonByEmail } from '../store/people.ts'
import { createMerchant, inviteOwner } from './commands.ts'
import { enterLicense, REASON, VISIT_ROLE } from './visits.ts'

const Email = text(LIMITS.emailLength, { expected: 'email' })

const LicenseInput = Type.Object(
  {
    licenseName: name(LIMITS.nameLength),
    ownerEmail: Type.Optional(Email),
  },
  { title: 'LicenseInput' },
)

const InvitationLink = Type.Optional(
  Type.String({
    description:
      'Shown once, valid for seven days. Absent where e-mails are set up: the link then goes to the ' +
      'address alone.',
  }),
)

const License = Type.Object(
  {
    licenseId: Type.String(),
    licenseName: Type.String(),
    authorizationCode: Type.String({ description: 'Shown once. Opens GET /api/licenses/{licenseId}.' }),
    apps: Type.Array(
      Type.Object({
        appId: Type.String(),
        isSandbox: Type.Boolean(),
        friendlyName: Type.String(),
        apiKey: Type.String({ description: 'Shown once.' }),
        webhookSecret: Type.String({ description: 'Shown once. Signs the webhooks of the app.' }),
      }),
    ),
    ownerEmail: Type.Optional(Type.String({ description: 'Who is invited as the owner.' })),
    invitationLink: InvitationLink,
  },
  { title: 'License' },
)

const OwnerInput = Type.Object({ email: Email }, { title: 'OwnerInput' })
const OwnerInvitation = Type.Object(
  { licenseId: Type.String(), email: Type.String(), expiresTime: Instant, invitationLink: InvitationLink },
  { title: 'OwnerInvitation' },
)

const VisitInput = Type.Object(
  {
    email: text(LIMITS.emailLength, { expected: 'the e-mail address of an operator' }),
    reason: text(REASON.most, { expected: 'why, for the owner to read' }),
  },
  { title: 'VisitInput' },
)
const Visit = Type.Object(
  {
    licenseId: Type.String(),
    email: Type.String(),
    role: Type.String(),
    reason: Type.String(),
    expiresTime: Instant,
    appIds: Type.Array(Type.String(), { description: 'Sandbox first. The console shows them meanwhile.' }),
  },
  { title: 'LicenseVisit' },
)

const COMMON = { method: 'POST', tag: 'Licences', auth: 'operator', status: 201 } as const
const LicenseParams = Type.Object({ licenseId: Type.String() })

/** What the operator does with licences: creates them, invites an owner, enters for a limited time. */
export const operatorRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    path: '/api/licenses',
    summary: 'Create a licence: one merchant with a sandbox app and a live app',
    description: 'With `ownerEmail` a person is invited to be its owner.',
    body: LicenseInput,
    response: License,
    errors: ['not_found', 'invalid_request'],
    examples: { body: { licenseName: 'Corner Bookshop', ownerEmail: 'owner@example.com' } },
    secret: true,
    handler: async (_operator, { body, actor }) => {
      const { license, invitation } = await createMerchant(acting(ctx, actor), body)
      return { ...license, ...(invitation && { ownerEmail: invitation.link.email, ...linkOf(invitation) }) }
    },
  }),
  route({
    ...COMMON,
    path: '/api/licenses/{licenseId}/owner-invitation',
    summary: 'Invite an owner to a licence that has none',
    params: LicenseParams,
    body: OwnerInput,
    response: OwnerInvitation,
    errors: ['not_found', 'invalid_request', 'not_possible'],
    examples: { body: { email: 'owner@example.com' } },
    secret: true,
    handler: async (_operator, { params, body, actor }) => {
      const shown = await inviteOwner(acting(ctx, actor), params.licenseId, body.email)
      const { email, expiresTime } = shown.link
      return { ...params, email, expiresTime: expiresTime.toISOString(), ...linkOf(shown) }
    },
  }),
  visitRoute(ctx),
]

const visitRoute = (ctx: Context): Route =>
  route({
    ...COMMON,
    path: '/api/licenses/{licenseId}/visits',
    summary: 'Enter a licence: an operator reads it for an hour',
    description:
      'The person with this address, an operator, has the role `Viewer` in the licence for an hour. The ' +
      'owners see the reason in the audit log.',
    params: LicenseParams,
    body: VisitInput,
    response: Visit,
    errors: ['not_found', 'invalid_request', 'member_exists'],
    examples: { body: { email: 'operator@example.com', reason: 'Ticket 4711: webhooks do not arrive' } },
    handler: async (_operator, { params: { licenseId }, body, actor }) => {
      const person = await selectPersonByEmail(ctx.db, readEmail(body.email) ?? '')
      if (!person?.isOperator) throw notFound('The operator')
      const { personId, email } = person
      const visit = await enterLicense(acting(ctx, actor), { licenseId, personId, reason: body.reason })
      const { reason, expiresTime } = visit
      const appIds = await appIdsOfLicense(ctx, licenseId)
      return { licenseId, email, role: VISIT_ROLE, reason, expiresTime: expiresTime.toISOString(), appIds }
    },
  })

function linkOf(shown: ShownLink): { readonly invitationLink?: string } {
  const url = urlToPassOn(shown)
  return url === undefined ? {} : { invitationLink: url }
}
