import { type Clock, systemClock } from './base/clock.ts'
import { type Random, systemRandom } from './base/ids.ts'
import { type Log, silentLog } from './base/log.ts'
import { createVault } from './base/secret.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { customerRoutes } from './customers/routes.ts'
import { sql } from './db/database.ts'
import { openDatabase } from './db/pool.ts'
import type { Route } from './http/route.ts'
import { createServer, type Server } from './http/server.ts'
import { idempotencyJob } from './idempotency/jobs.ts'
import { createRepeats } from './idempotency/repeats.ts'
import { notificationsJob } from './inbound/notifications.ts'
import { inboundRoutes } from './inbound/routes.ts'
import { createBackground } from './jobs/background.ts'
import { type Job, startJobs } from './jobs/loop.ts'
import { createSignals } from './jobs/signals.ts'
import { createLog } from './log.ts'
import { createGuards } from './merchants/guards.ts'
import { createLicense, hasLicense } from './merchants/licenses/commands.ts'
import { merchantRoutes } from './merchants/routes.ts'
import { freePort } from './net/free-port.ts'
import { createHttp } from './net/http.ts'
import { docsRoutes } from './pages/docs/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { alarmsJob, operationsJob } from './payments/operations/jobs.ts'
import { paymentRoutes } from './payments/routes.ts'
import { createSandbox, type Sandbox } from './providers/sandbox/sandbox.ts'
import { testHelperRoutes } from './test-helpers/routes.ts'
import { VERSION } from './version.ts'

/** The application on one screen: every feature's routes… */
const routesOf = (ctx: Context, sandbox: Sandbox): Route[] => [
  ...merchantRoutes(ctx),
  ...customerRoutes(ctx),
  ...paymentRoutes(ctx),
  ...inboundRoutes(ctx),
  ...testHelperRoutes(ctx, sandbox, jobsOf(ctx, sandbox)),
  ...pageRoutes(ctx),
]

/** …and everything that runs in the background. */
const jobsOf = (ctx: Context, sandbox: Sandbox): Job[] => [
  operationsJob(ctx),
  alarmsJob(ctx),
  notificationsJob(ctx),
  idempotencyJob(ctx),
  { name: 'sandbox bank', topic: 'sandbox', everyMs: 250, runOnce: sandbox.bank.runOnce },
]

export interface ServiceOptions {
  readonly config: Config
  readonly databaseUrl: string
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
}

export interface Service {
  readonly url: string
  readonly ctx: Context
  readonly firstRun?: { readonly appId: string; readonly apiKey: string }
  stop(): Promise<void>
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const config = await withPort(options.config)
  const { ctx, sandbox, close } = composeContext({ ...options, config })
  await sandbox.bank.start()
  const server = composeServer(ctx, sandbox)
  const jobs = startJobs(ctx, config.role === 'web' ? [] : jobsOf(ctx, sandbox))
  async function stop() {
    await server.close()
    await jobs.stop()
    await ctx.background.settled()
    await sandbox.bank.stop()
    await close()
  }
  try {
    await server.listen({ host: config.host, port: config.port })
    const firstRun = config.production ? undefined : await demoLicense(ctx)
    return { url: config.publicUrl, ctx, stop, ...(firstRun ? { firstRun } : {}) }
  } catch (error) {
    await stop()
    throw error
  }
}

function composeContext({ config, databaseUrl, ...outside }: ServiceOptions) {
  const { clock = systemClock, random = systemRandom, log = createLog(config.logLevel) } = outside
  const onError = (error: Error) => log.warn('database.connection_lost', { error: error.message })
  const db = openDatabase({ url: databaseUrl, onError })
  const http = createHttp(log)
  const vault = createVault(
    config.secretKeys.map((key) => key.reveal()),
    random,
  )
  const sandbox = createSandbox({ db, clock, random, log, publicUrl: config.publicUrl, vault, http })
  const ctx: Context = {
    db,
    clock,
    random,
    vault,
    log,
    http,
    config,
    providers: new Map([[sandbox.adapter.manifest.id, sandbox.adapter]]),
    signals: createSignals(),
    background: createBackground(log),
  }
  const close = async () => {
    await http.close()
    await db.close()
  }
  return { ctx, sandbox, close }
}

/** The same distance from src/ and from dist/. */
const ASSETS = new URL('../src/pages/assets/', import.meta.url)

const ALIVE = sql<{ alive: number }>('service.alive', 'select 1 as alive')

/** A worker serves its health only. */
function composeServer(ctx: Context, sandbox: Sandbox): Server {
  const { clock, random, log, config } = ctx
  const server = createServer({
    clock,
    random,
    log,
    guards: createGuards(ctx),
    repeats: createRepeats(ctx),
    ready: () => ctx.db.query(ALIVE),
    version: VERSION,
    publicUrl: config.publicUrl,
  })
  if (config.role === 'worker') return server
  server.add(routesOf(ctx, sandbox))
  server.add(docsRoutes({ describe: server.describe, assets: ASSETS }))
  return server
}

/** What the service offers, said without starting it: no database is opened, nothing is listened to. */
export async function describeService(config: Config) {
  const databaseUrl = 'postgres://nowhere'
  const { ctx, sandbox, close } = composeContext({ config, databaseUrl, log: silentLog })
  const document = composeServer(ctx, sandbox).describe()
  await close()
  return { document, manifests: [...ctx.providers.values()].map(({ manifest }) => manifest) }
}

/** The very first start in development leaves a newcomer with everything a first payment needs. */
async function demoLicense(ctx: Context) {
  if (ctx.config.role === 'worker' || (await hasLicense(ctx))) return undefined
  const license = await createLicense(ctx, 'Demo')
  return license.apps.find((app) => app.isSandbox)
}

/** Links and notification addresses carry the port, so any free one is chosen before anything is composed. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host)
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}
