import Type, { type Static } from 'typebox'
import { DAY, SECOND } from '../../base/clock.ts'
import { invalid, wrongField } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { acting, type Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { Instant, InstantInput, maybe, name, readInstant } from '../../http/wire.ts'
import { appRoute, LINK_HEADER, nextPageLink } from '../app-route.ts'
import { createKey, keyPage, revokeKey, rotateKey, type ShownKey } from './commands.ts'
import { DEFAULT_SCOPES, KEY_SCOPES, type KeyScope } from './scopes.ts'
import type { StoredKey } from './store.ts'

const MAX_OVERLAP_SECONDS = (7 * DAY) / SECOND
const DEFAULT_OVERLAP_SECONDS = DAY / SECOND

const keyMembers = {
  keyId: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the key.' }),
  createdTime: Instant,
  expiresTime: Type.Union([Instant, Type.Null()]),
  revokedTime: Type.Union([Instant, Type.Null()]),
  lastUsedTime: Type.Union([Instant, Type.Null()], { description: 'To the minute.' }),
  lastUsedAddress: Type.Union([Type.String(), Type.Null()], { description: 'Where it was used from then.' }),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'What the key may do. Null: full access.',
  }),
  createdBy: Type.Union([Type.String(), Type.Null()], {
    description: 'The person who made it in the console. Their one-time codes count for it.',
  }),
}

const ApiKey = Type.Object(keyMembers, { title: 'ApiKey' })
const NewApiKey = Type.Object(
  { ...keyMembers, apiKey: Type.String({ description: 'Shown once.' }) },
  { title: 'NewApiKey' },
)

const KeyInput = Type.Object(
  {
    name: maybe(name(LIMITS.nameLength)),
    expiresTime: maybe(InstantInput),
    scopes: maybe(
      Type.Array(Type.Enum([...KEY_SCOPES]), { minItems: 1, maxItems: KEY_SCOPES.length }),
      'What the key may do; other requests are refused with 403 `key_scope`. Absent or null: `read` alone. ' +
        'A person can name only scopes whose permissions the own role has.',
    ),
    fullAccess: maybe(
      Type.Boolean(),
      'True: everything that a key can do, instead of scopes. For owners, admins and keys with full access.',
    ),
  },
  { title: 'ApiKeyInput' },
)

const RotateInput = Type.Object(
  { overlapSeconds: maybe(Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_SECONDS })) },
  { title: 'RotateApiKeyInput' },
)

const KeyQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Where a page begins; from the `Link` header of the one before.',
    }),
  ),
})

const KeyParams = Type.Object({ appId: Type.String(), keyId: Type.String() })

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

const keyView = (row: StoredKey) => ({
  keyId: row.keyId,
  name: row.name,
  hint: row.hint,
  createdTime: row.createdTime.toISOString(),
  expiresTime: iso(row.expiresTime),
  revokedTime: iso(row.revokedTime),
  lastUsedTime: iso(row.lastUsedTime),
  lastUsedAddress: row.lastUsedAddress,
  scopes: row.scopes,
  createdBy: row.createdBy,
})

const shownKeyView = ({ row, apiKey }: ShownKey) => ({ ...keyView(row), apiKey })

type Access = Pick<Static<typeof KeyInput>, 'scopes' | 'fullAccess'>

/** Null: full access, which is given only when it is asked for. */
function scopesOf({ scopes, fullAccess }: Access): readonly KeyScope[] | null {
  if (!fullAccess) return scopes ? KEY_SCOPES.filter((scope) => scopes.includes(scope)) : DEFAULT_SCOPES
  if (scopes) throw invalid([wrongField('fullAccess', 'cannot be combined with scopes')])
  return null
}

export function keyRoutes(ctx: Context): Route[] {
  const tag = 'API keys'
  return [
    listRoute(ctx, tag),
    appRoute({
      method: 'POST',
      path: '/api-keys',
      summary: 'Create an API key beside the existing ones',
      description: `An app has at most ${LIMITS.apiKeys} keys that are neither revoked nor expired.`,
      tag,
      status: 201,
      body: KeyInput,
      response: NewApiKey,
      errors: ['forbidden', 'not_possible', 'too_many_api_keys'],
      examples: { body: { name: 'Shop server', expiresTime: '2030-01-31T12:00:00Z', scopes: ['payments'] } },
      secret: true,
      handler: async (app, { body, actor }) => {
        const expiresTime = body.expiresTime ? (readInstant(body.expiresTime) ?? null) : null
        const options = { name: body.name ?? 'API key', expiresTime, scopes: scopesOf(body) }
        return shownKeyView(await createKey(acting(ctx, actor), app, options))
      },
    }),
    appRoute({
      method: 'POST',
      path: '/api-keys/{keyId}/rotate',
      summary: 'Replace an API key; the old one works on for a while',
      tag,
      status: 201,
      params: KeyParams,
      body: RotateInput,
      response: NewApiKey,
      errors: ['forbidden', 'not_found', 'not_possible', 'too_many_api_keys'],
      examples: { body: { overlapSeconds: DEFAULT_OVERLAP_SECONDS } },
      secret: true,
      handler: async (app, { params, body, actor }) => {
        const overlap = body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS
        return shownKeyView(await rotateKey(acting(ctx, actor), app, params.keyId, overlap))
      },
    }),
    appRoute({
      method: 'DELETE',
      path: '/api-keys/{keyId}',
      summary: 'Revoke an API key',
      description: 'It stops working within a second, everywhere. The last key of an app can be revoked too.',
      tag,
      status: 200,
      params: KeyParams,
      response: ApiKey,
      errors: ['not_found'],
      handler: async (app, { params, actor }) =>
        keyView(await revokeKey(acting(ctx, actor), app, params.keyId)),
    }),
  ]
}

function listRoute(ctx: Context, tag: string): Route {
  return appRoute({
    method: 'GET',
    path: '/api-keys',
    summary: 'List the API keys of the app, without the keys themselves',
    tag,
    status: 200,
    response: Type.Array(ApiKey),
    query: KeyQuery,
    responseHeaders: LINK_HEADER,
    handler: async (app, { query, reply }) => {
      const { items, hasNext } = await keyPage(ctx, app, query.after)
      const after = items.at(-1)?.keyId
      if (hasNext) reply.header('link', nextPageLink(ctx, app, 'api-keys', { after }))
      return items.map(keyView)
    },
  })
}
