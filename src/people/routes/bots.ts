import Type from 'typebox'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { mistaken } from '../../base/mistakes.ts'
import { acting, type Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { readPatch } from '../../http/wire.ts'
import type { App } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { createKey, hasKey, renameKey, rotateKey } from '../../merchants/keys/commands.ts'
import { DEFAULT_SCOPES, type KeyScope } from '../../merchants/keys/scopes.ts'
import { appIdsOfLicense } from '../../merchants/licenses/commands.ts'
import { isRole, permissionsOf } from '../access/roles.ts'
import { grantsIn, grantsOf } from '../access/scopes.ts'
import { may, type SignedIn } from '../signed-in.ts'
import { BotInput, BotKey, BotPatch, BotQuery, TeamUser } from './schema.ts'
import { BOT_ROLE, botKeyView, botView } from './view.ts'

const BASE = '/api/team/resources/{appId}'
const COMMON = { tag: 'Team', status: 200, response: BotKey, secret: true } as const

const RoleParams = Type.Object({ appId: Type.String(), roleId: Type.String() })

/** Bots of the team are API keys. */
export const botRoutes = (ctx: Context): Route[] => [...newBotRoutes(ctx), ...knownBotRoutes(ctx)]

const newBotRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: `${BASE}/roles/{roleId}/bots`,
    summary: 'Create an API key as a bot',
    description:
      'With the role `Bot` or `Admin` the key has full access, with `Viewer` the scope `read`, and with ' +
      'another role the scopes whose permissions the role has. A bot cannot be an owner, and may not do ' +
      'more than the person who makes it.',
    auth: 'app',
    params: RoleParams,
    body: BotInput,
    errors: ['forbidden', 'too_many_api_keys', 'not_found', 'not_possible'],
    examples: { body: { name: 'Shop server' } },
    handler: async (app: App, { params, body, actor }) => {
      const scopes = scopesOf(params.roleId)
      return botKeyView(await createKey(acting(ctx, actor), app, { name: body.name, scopes }))
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: `${BASE}/bots`,
    summary: 'Create an API key as a bot, by its name',
    description: 'A key of the role `Bot`, with full access: only for those who have it.',
    auth: 'app',
    query: BotQuery,
    errors: ['forbidden', 'too_many_api_keys'],
    handler: async (app: App, { query, actor }) =>
      botKeyView(
        await createKey(acting(ctx, actor), app, { name: query.botName, scopes: scopesOf(BOT_ROLE) }),
      ),
  }),
]

/** An id does not tell its app, so these are for people, who have their apps. */
const knownBotRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: '/api/team/users/{userId}/bot/reset-api-key',
    summary: 'Replace an API key; the old one ends at once',
    auth: 'person',
    params: Type.Object({ userId: Type.String() }),
    errors: ['forbidden', 'not_found', 'not_possible', 'too_many_api_keys'],
    handler: async (person: SignedIn, { params, actor }) =>
      botKeyView(
        await inOwnApps(ctx, person, params.userId, (app) => {
          const by = actor && { ...actor, grants: grantsIn(person, app.licenseId) }
          return rotateKey(acting(ctx, by), app, params.userId, 0)
        }),
      ),
  }),
  route({
    method: 'PATCH',
    path: '/api/team/users/{userId}/bot',
    summary: 'Rename an API key',
    tag: 'Team',
    status: 200,
    auth: 'person',
    params: Type.Object({ userId: Type.String() }),
    body: BotPatch,
    response: TeamUser,
    errors: ['forbidden', 'not_found', 'invalid_request'],
    examples: { body: { name: { value: 'Shop server' } } },
    handler: async (person: SignedIn, { params, body, actor }) => {
      const { userId } = params
      const name = readPatch(body.name)
      if (!name) throw invalid([mistaken('name', 'required')])
      return inOwnApps(ctx, person, userId, async (app) => {
        const row = await renameKey(acting(ctx, actor), app, userId, name)
        return botView(app.appId, row).user
      })
    },
  }),
]

/** Null: full access. The role `Bot` has it: existing clients use such a key for everything. */
function scopesOf(roleId: string): readonly KeyScope[] | null {
  if (roleId === 'Owner') throw new ApiError('not_possible', 'A bot cannot be an owner.')
  if (roleId === BOT_ROLE) return null
  if (!isRole(roleId)) throw notFound('The role')
  return roleId === 'Viewer' ? DEFAULT_SCOPES : grantsOf(permissionsOf(roleId))
}

/** Acts in the app that has the key, where the person may change keys: an id does not tell its app. */
async function inOwnApps<Result>(
  ctx: Context,
  person: SignedIn,
  keyId: string,
  act: (app: App) => Promise<Result>,
): Promise<Result> {
  for (const { licenseId } of person.memberships) {
    if (!may(person, licenseId, 'DeveloperWrite')) continue
    for (const appId of await appIdsOfLicense(ctx, licenseId)) {
      const app = await loadApp(ctx, appId)
      if (app && (await hasKey(ctx, app, keyId))) return act(app)
    }
  }
  throw notFound('The bot')
}
