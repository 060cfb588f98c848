import Type from 'typebox'
import { ApiError, notFound } from '../../base/errors.ts'
import { acting, type Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import type { App } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import { createKey, rotateKey, type ShownKey } from '../../merchants/keys/commands.ts'
import { appIdsOfLicense } from '../../merchants/licenses/commands.ts'
import { may, type SignedIn } from '../signed-in.ts'
import { BotInput, BotKey, BotQuery } from './schema.ts'
import { botKeyView } from './view.ts'

const BASE = '/api/team/resources/{appId}'
const COMMON = { tag: 'Team', status: 200, response: BotKey, secret: true } as const

const RoleParams = Type.Object({ appId: Type.String(), roleId: Type.String() })

/** Bots of the team are API keys. */
export const botRoutes = (ctx: Context): Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: `${BASE}/roles/{roleId}/bots`,
    summary: 'Create an API key as a bot',
    description: 'The role is ignored: an API key may call everything of its app.',
    auth: 'app',
    params: RoleParams,
    body: BotInput,
    errors: ['too_many_api_keys'],
    examples: { body: { name: 'Shop server' } },
    handler: async (app: App, { body, actor }) =>
      botKeyView(await createKey(acting(ctx, actor), app, { name: body.name })),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: `${BASE}/bots`,
    summary: 'Create an API key as a bot, by its name',
    auth: 'app',
    query: BotQuery,
    errors: ['too_many_api_keys'],
    handler: async (app: App, { query, actor }) =>
      botKeyView(await createKey(acting(ctx, actor), app, { name: query.botName })),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/api/team/users/{userId}/bot/reset-api-key',
    summary: 'Replace an API key; the old one ends at once',
    auth: 'person',
    params: Type.Object({ userId: Type.String() }),
    errors: ['forbidden', 'not_found', 'not_possible', 'too_many_api_keys'],
    handler: async (person: SignedIn, { params, actor }) =>
      botKeyView(await resetKey(acting(ctx, actor), person, params.userId)),
  }),
]

/** Searches the apps in which the person may change keys: an id does not tell its app. */
async function resetKey(ctx: Context, person: SignedIn, keyId: string): Promise<ShownKey> {
  for (const { licenseId } of person.memberships) {
    if (!may(person, licenseId, 'DeveloperWrite')) continue
    for (const appId of await appIdsOfLicense(ctx, licenseId)) {
      const app = await loadApp(ctx, appId)
      const shown = app && (await rotated(ctx, app, keyId))
      if (shown) return shown
    }
  }
  throw notFound('The bot')
}

async function rotated(ctx: Context, app: App, keyId: string): Promise<ShownKey | undefined> {
  try {
    return await rotateKey(ctx, app, keyId, 0)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}
