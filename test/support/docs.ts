import { request } from 'undici'
import { systemRandom } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { customerRoutes } from '../../src/customers/routes.ts'
import { type Guard, unauthorized } from '../../src/http/guard.ts'
import { createServer } from '../../src/http/server.ts'
import { paymentRoutes } from '../../src/payments/routes.ts'
import { testValues } from '../../src/sandbox/values/sheets.ts'
import { docsRoutes } from '../../src/web/docs/routes.ts'
import { createFakeClock } from './clock.ts'

const rejectAll: Guard = async () => {
  throw unauthorized()
}
/** Routes are only described here, never called. */
const ctx = {} as Parameters<typeof paymentRoutes>[0]

/** The documentation of some routes, without a database. */
export async function startDocs() {
  const server = createServer({
    clock: createFakeClock(),
    random: systemRandom,
    log: silentLog,
    guards: { app: rejectAll, person: rejectAll, operator: rejectAll, license: rejectAll },
    ready: async () => undefined,
    version: '1.2.3',
    publicUrl: 'http://localhost:8080',
    limitAnonymous: () => {},
  })
  server.add([...paymentRoutes(ctx, { settlementOf: async () => null }), ...customerRoutes(ctx)])
  const root = new URL('../../', import.meta.url)
  server.add(docsRoutes({ describe: server.describe, root, testValues: testValues() }))
  const origin = `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`
  async function get(path: string) {
    const { statusCode, headers, body } = await request(origin + path)
    return { status: statusCode, headers, text: await body.text() }
  }
  return { server, get, origin }
}
