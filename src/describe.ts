import { composeServer, jobsOf } from './app.ts'
import { silentLog } from './base/log.ts'
import { composeContext, openOutside } from './compose.ts'
import type { Config } from './config.ts'

/** The OpenAPI document, the routes and the manifests, without starting the service or a connection. */
export async function describeService(config: Config) {
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
