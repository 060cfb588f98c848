import type { ApiKey, ApiKeyInput, NewApiKey } from '../../../sdk/src/tender.ts'
import { type Command, count, given, type Shown, table } from '../command.ts'

const row = ({ keyId, name, hint, revokedTime, expiresTime, lastUsedTime }: ApiKey): unknown[] => [
  keyId,
  `…${hint}`,
  name,
  revokedTime ? 'revoked' : expiresTime ? `expires ${expiresTime}` : 'active',
  lastUsedTime ? `used ${lastUsedTime}` : 'never used',
]

const newKey = (key: NewApiKey): Shown => ({
  data: key,
  lines: [key.apiKey, 'Store it now: it is not shown again.'],
})

type Scopes = NonNullable<ApiKeyInput['scopes']>

/** The service says which scopes there are. */
function accessOf(access: string | undefined): Pick<ApiKeyInput, 'scopes' | 'fullAccess'> {
  if (access === undefined) return {}
  return access === 'full' ? { fullAccess: true } : { scopes: access.split(',') as Scopes }
}

export const KEYS: readonly Command[] = [
  {
    name: 'keys list',
    description: 'List the API keys of the app, without the keys themselves.',
    async run({ tender }) {
      const data: ApiKey[] = []
      for await (const key of tender.apiKeys.list()) data.push(key)
      return { data, lines: table(data.map(row)) }
    },
  },
  {
    name: 'keys create',
    description: 'Create an API key beside the existing ones.',
    options: {
      name: { value: 'name', description: 'What it is for.' },
      expires: { value: 'time', description: 'When it ends, ISO 8601.' },
      access: {
        value: 'scopes',
        description: 'Scopes with commas between, or full. Without it the key reads only.',
      },
    },
    run: async ({ tender, values: { name, expires, access } }) =>
      newKey(await tender.apiKeys.create({ ...given({ name, expiresTime: expires }), ...accessOf(access) })),
  },
  {
    name: 'keys rotate',
    description: 'Replace an API key; the old one works on for a while.',
    args: ['keyId'],
    options: { overlap: { value: 'seconds', description: 'For how long, a day by default.' } },
    run: async ({ tender, args: [keyId = ''], values: { overlap } }) =>
      newKey(await tender.apiKeys.rotate(keyId, overlap ? { overlapSeconds: count(overlap, 1) } : {})),
  },
  {
    name: 'keys revoke',
    description: 'Revoke an API key, at once.',
    args: ['keyId'],
    async run({ tender, args: [keyId = ''] }) {
      const data = await tender.apiKeys.revoke(keyId)
      return { data, lines: table([row(data)]) }
    },
  },
]
