import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import team from '../locales/en/console/team.json'
import { composeServer, jobsOf } from './app.ts'
import { silentLog } from './base/log.ts'
import { Secret } from './base/secret.ts'
import { composeContext, openOutside } from './compose.ts'
import { configReference, envExample } from './config/docs.ts'
import type { Config } from './config.ts'
import { allStatements, type Queryable } from './db/database.ts'
import { startEmbedded } from './db/embedded/embedded.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/pool.ts'
import { declaredSlots } from './node/slot.ts'
import { withNodeState } from './reference/node-state.ts'
import {
  errorsMarkdown,
  providersPage,
  rolesMarkdown,
  statesMarkdown,
  testValuesMarkdown,
} from './reference/pages.ts'
import { schemaReference } from './reference/schema.ts'
import { sdkSources } from './reference/sdk/client.ts'
import { statementsReference } from './reference/statements.ts'
import { testValues } from './sandbox/values/sheets.ts'

/** As a newcomer starts it; nothing is opened or listened to. */
const CONFIG: Config = {
  port: 8080,
  host: 'localhost',
  publicUrl: 'http://localhost:8080',
  dataDir: 'data',
  secretKeys: [new Secret('nothing is sealed while the references are made')],
  rateLimit: 200,
  role: 'all',
  logLevel: 'error',
  allowPrivateWebhooks: false,
  production: false,
}

/**
 * Every generated file by its path from the root of the project, with the text that it must have. The schema
 * is read from a migrated database.
 */
export async function generateDocs(db: Queryable, root = '.'): Promise<Readonly<Record<string, string>>> {
  const { document, manifests, routes } = await describeService(CONFIG)
  return {
    'ARCHITECTURE.md': withNodeState(await readFile(join(root, 'ARCHITECTURE.md'), 'utf8'), declaredSlots()),
    '.env.example': envExample(),
    'docs/reference/config.md': configReference(),
    'docs/reference/errors.md': errorsMarkdown(),
    'docs/reference/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'docs/reference/payment-states.md': statesMarkdown(),
    'docs/reference/providers.md': providersPage(manifests),
    'docs/reference/roles.md': rolesMarkdown(team.permissions, routes),
    'docs/reference/schema.sql': await schemaReference(db),
    'docs/reference/test-values.md': testValuesMarkdown(testValues()),
    ...sdkSources(document),
  }
}

/** Every SQL statement as it is sent, for `npm run docs -- statements`. */
export const printStatements = (): string => statementsReference(allStatements())

/** Migrates a new embedded PostgreSQL in a temporary folder and generates the docs from it. */
export async function generateDocsFrom(migrations: string): Promise<Readonly<Record<string, string>>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tender-docs-'))
  const server = await startEmbedded({ dataDir, durable: false })
  try {
    await migrate(server.url, migrations)
    const db = openDatabase({ url: server.url, size: 1, onError: () => {} })
    try {
      return await generateDocs(db, dirname(migrations))
    } finally {
      await db.close()
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The OpenAPI document, the routes and the manifests. The service does not start or connect. */
async function describeService(config: Config) {
  const outside = openOutside({ config, databaseUrl: 'postgres://nowhere', log: silentLog })
  const ctx = composeContext(config, outside)
  // Composed for its statement, which the reference of statements shows.
  jobsOf(ctx, outside.sandbox)
  const server = composeServer(ctx, outside.sandbox)
  const document = server.describe()
  await outside.close()
  const manifests = [...ctx.providers.values()].map(({ manifest }) => manifest)
  return { document, manifests, routes: server.routes() }
}
