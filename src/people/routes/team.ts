import Type, { type Static } from 'typebox'
import type { Actor } from '../../base/actor.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { acting, type Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import type { App } from '../../merchants/app.ts'
import { keyPage, revokeKey } from '../../merchants/keys/commands.ts'
import { isOwnRole, isRole, permissionsOf, ROLES, type RoleId } from '../access/roles.ts'
import { readEmail } from '../accounts/email.ts'
import { inviteMember, listInvitations, urlToPassOn, withdrawInvitation } from '../members/invitations.ts'
import { changeRole, listMembers, type Manager, notAllowed, removeMember } from '../members/members.ts'
import { changeOwnRole, createOwnRole, listOwnRoles, removeOwnRole } from '../members/own-roles.ts'
import type { OwnRole } from '../signed-in.ts'
import { selectMembership } from '../store/memberships.ts'
import { selectPerson, selectPersonByEmail } from '../store/people.ts'
import { OwnRoleAnswer, OwnRoleBody, TeamRole, TeamUserRole } from './schema.ts'
import { botView, invitationView, memberView, roleView } from './view.ts'

const BASE = '/api/team/resources/{appId}'
const COMMON = { tag: 'Team', auth: 'app', status: 200 } as const

const UserParams = Type.Object({ appId: Type.String(), roleId: Type.String(), userId: Type.String() })
const EmailParams = Type.Object({ appId: Type.String(), roleId: Type.String(), email: Type.String() })

/** Members of the app's licence, invitations and API keys. */
export const teamRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    method: 'GET',
    path: `${BASE}/user-roles`,
    summary: 'List members, invited people and API keys with their roles',
    response: Type.Array(TeamUserRole),
    handler: (app: App) => userRoles(ctx, app),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: `${BASE}/roles`,
    summary: 'List the roles',
    response: Type.Array(TeamRole),
    handler: async ({ licenseId }: App) => [
      ...ROLES.map((role) => roleView(role)),
      ...(await listOwnRoles(ctx, licenseId)).map(({ roleId, name }) => roleView(roleId, name)),
      roleView('Bot'),
    ],
  }),
  ...ownRoleRoutes(ctx),
  ...memberRoutes(ctx),
]

const memberRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: `${BASE}/roles/{roleId}/users/email:{email}`,
    summary: 'Invite a person by e-mail address, or change the role of a member',
    description:
      'An API key cannot do this. The link of an invitation goes to the address by e-mail; without a mail ' +
      'server it is shown once, in the answer.',
    params: EmailParams,
    response: TeamUserRole,
    errors: ['not_found', 'member_exists', 'last_owner', 'not_possible', 'invalid_request'],
    secret: true,
    handler: (app: App, { params, actor }) => giveByEmail(ctx, app, actor, params),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: `${BASE}/roles/{roleId}/users/{userId}`,
    summary: 'Give a member another role',
    description: 'A member has one role. An API key cannot do this.',
    params: UserParams,
    response: TeamUserRole,
    errors: ['not_found', 'member_exists', 'last_owner'],
    handler: (app: App, { params, actor }) => giveRole(ctx, app, actor, params),
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: `${BASE}/roles/{roleId}/users/{userId}`,
    summary: 'Remove a member, leave the team, withdraw an invitation, or revoke an API key',
    description:
      'Every member may leave, except the last owner. A person without any membership left is deleted. ' +
      'An API key cannot do this.',
    params: UserParams,
    response: Type.Object({ userId: Type.String() }, { title: 'RemovedUser' }),
    errors: ['not_found', 'last_owner'],
    handler: async (app: App, { params, actor }) => {
      await remove(ctx, app, actor, params)
      return { userId: params.userId }
    },
  }),
]

const RoleParams = Type.Object({ appId: Type.String(), roleId: Type.String() })
const OWN_ROLE = { roleName: 'Bookkeeper', permissions: ['PaymentRead', 'SettlementRead'] as const }

const ownRoleRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: `${BASE}/roles`,
    summary: 'Make a role of your own',
    description: 'For all apps of the licence. An API key cannot do this.',
    body: OwnRoleBody,
    response: OwnRoleAnswer,
    errors: ['invalid_request', 'not_possible'],
    examples: { body: { ...OWN_ROLE, permissions: [...OWN_ROLE.permissions] } },
    handler: async (app: App, { body, actor }) => {
      await managerOf(ctx, app, actor)
      return ownRoleView(await createOwnRole(acting(ctx, actor), app.licenseId, readOwnRole(body)))
    },
  }),
  route({
    ...COMMON,
    method: 'PUT',
    path: `${BASE}/roles/{roleId}`,
    summary: 'Change a role of your own',
    description: 'Counts at once for every member who has it. An API key cannot do this.',
    params: RoleParams,
    body: OwnRoleBody,
    response: OwnRoleAnswer,
    errors: ['not_found', 'invalid_request'],
    examples: { body: { ...OWN_ROLE, permissions: [...OWN_ROLE.permissions] } },
    handler: async (app: App, { params, body, actor }) => {
      await managerOf(ctx, app, actor)
      const role = { ...readOwnRole(body), roleId: params.roleId as `role_${string}` }
      return ownRoleView(await changeOwnRole(acting(ctx, actor), app.licenseId, role))
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: `${BASE}/roles/{roleId}`,
    summary: 'Remove a role of your own',
    description: 'Refused while a member or an open invitation has it. An API key cannot do this.',
    params: RoleParams,
    response: Type.Object({ roleId: Type.String() }, { title: 'RemovedRole' }),
    errors: ['not_found', 'not_possible'],
    handler: async (app: App, { params, actor }) => {
      await managerOf(ctx, app, actor)
      await removeOwnRole(acting(ctx, actor), app.licenseId, params.roleId)
      return { roleId: params.roleId }
    },
  }),
]

const readOwnRole = ({ roleName, permissions }: Static<typeof OwnRoleBody>): OwnRole => ({
  name: roleName,
  permissions,
})

const ownRoleView = ({ roleId, name, permissions }: OwnRole & { readonly roleId: string }) => ({
  roleId,
  roleName: name,
  permissions: [...permissions],
})

async function userRoles(ctx: Context, app: App) {
  const { appId, licenseId } = app
  const [members, invitations, keys] = await Promise.all([
    listMembers(ctx, licenseId),
    listInvitations(ctx, licenseId),
    keyPage(ctx, app, undefined),
  ])
  const now = ctx.clock.now()
  const live = keys.items.filter(
    (key) => key.revokedTime === null && (key.expiresTime === null || key.expiresTime > now),
  )
  return [
    ...members.map((member) => memberView(appId, member)),
    ...invitations.map((link) => invitationView(appId, link)),
    ...live.map((key) => botView(appId, key)),
  ]
}

/** A leaked API key must not become a member, so only people change people. */
async function managerOf(ctx: Context, { licenseId }: App, actor: Actor | undefined): Promise<Manager> {
  const personId = actor?.kind === 'person' ? actor.id : ''
  const membership = await selectMembership(ctx.db, licenseId, personId)
  if (!membership)
    throw new ApiError('forbidden', 'This is for people with a console session, not for API keys.')
  return { personId, role: membership.role }
}

/** The commands look for an own role. */
function readRole(roleId: string): RoleId {
  if (!isRole(roleId) && !isOwnRole(roleId)) throw notFound('The role')
  return roleId
}

async function giveByEmail(
  ctx: Context,
  app: App,
  actor: Actor | undefined,
  params: { readonly roleId: string; readonly email: string },
) {
  const { licenseId, appId } = app
  const role = readRole(params.roleId)
  const by = await managerOf(ctx, app, actor)
  const person = await selectPersonByEmail(ctx.db, readEmail(params.email) ?? '')
  if (person && (await selectMembership(ctx.db, licenseId, person.personId)))
    return giveRole(ctx, app, actor, { roleId: role, userId: person.personId })
  const shown = await inviteMember(acting(ctx, actor), by, { licenseId, email: params.email, role })
  const invitationLink = urlToPassOn(shown)
  return { ...invitationView(appId, shown.link), ...(invitationLink && { invitationLink }) }
}

async function giveRole(
  ctx: Context,
  app: App,
  actor: Actor | undefined,
  { roleId, userId }: { readonly roleId: string; readonly userId: string },
) {
  const role = readRole(roleId)
  const by = await managerOf(ctx, app, actor)
  const change = { licenseId: app.licenseId, personId: userId, role }
  const { ownRole } = await changeRole(acting(ctx, actor), by, change)
  const person = await selectPerson(ctx.db, userId)
  if (!person) throw notFound('The member')
  return memberView(app.appId, { person, role, ownRole })
}

async function remove(
  ctx: Context,
  app: App,
  actor: Actor | undefined,
  { roleId, userId }: { readonly roleId: string; readonly userId: string },
): Promise<void> {
  const by = await managerOf(ctx, app, actor)
  const asActor = acting(ctx, actor)
  const { licenseId } = app
  const isKey = userId.startsWith('key_')
  if (isKey && !permissionsOf(by.role).has('RoleWrite')) throw notAllowed()
  if (isKey) return void (await revokeKey(asActor, app, userId))
  if (userId.startsWith('lnk_')) return withdrawInvitation(asActor, by, licenseId, userId)
  const membership = await selectMembership(ctx.db, licenseId, userId)
  if (membership?.role !== roleId) throw notFound('The member')
  return removeMember(asActor, by, licenseId, userId)
}
