import { type Clock, SECOND, systemClock } from './base/clock.ts'
import { type Random, systemRandom } from './base/ids.ts'
import { type Log, silentLog } from './base/log.ts'
import { createVault } from './base/secret.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { panelJob } from './customers/panel-jobs.ts'
import { customerRoutes } from './customers/routes.ts'
import { sql } from './db/database.ts'
import { channelOf } from './db/notify.ts'
import { openDatabase } from './db/pool.ts'
import { analyseYoungTables } from './db/statistics.ts'
import { fraudRoutes } from './fraud/routes.ts'
import { createSharedLimits, type SharedLimits } from './http/limits/shared.ts'
import type { Route } from './http/route.ts'
import { createServer, type Server } from './http/server.ts'
import { idempotencyJob } from './idempotency/jobs.ts'
import { createRepeats } from './idempotency/repeats.ts'
import { createBackground } from './jobs/background.ts'
import { lookFirst } from './jobs/look-store.ts'
import { type Job, oneAtATime, startJobs } from './jobs/loop.ts'
import { createSignals } from './jobs/signals.ts'
import { createLog } from './log.ts'
import { listenForApps } from './merchants/directory.ts'
import { createGuards } from './merchants/guards.ts'
import { createLicense, hasLicense } from './merchants/licenses/commands.ts'
import { merchantRoutes } from './merchants/routes.ts'
import { freePort } from './net/free-port.ts'
import { createHttp } from './net/http.ts'
import { createPost } from './net/post.ts'
import { createResolver } from './net/resolver.ts'
import { notificationRemovalJob, notificationsJob } from './notifications/jobs.ts'
import { inboundRoutes } from './notifications/routes.ts'
import { docsRoutes } from './pages/docs/routes.ts'
import { addPages } from './pages/routes.ts'
import { historyRoutes } from './payments/history/routes.ts'
import { alarmsJob, operationsJob, secondLooksJob } from './payments/jobs.ts'
import { listenToNodes } from './payments/live/watch.ts'
import { paymentRoutes } from './payments/routes.ts'
import { undosJob } from './payments/undo/jobs.ts'
import { routingRoutes } from './routing/routes.ts'
import type { Bank } from './sandbox/bank/bank.ts'
import { testHelperRoutes } from './sandbox/helpers/routes.ts'
import { sandboxPageRoutes } from './sandbox/pages/routes.ts'
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts'
import { testValues } from './sandbox/values/sheets.ts'
import { VERSION } from './version.ts'
import { webhookHealth } from './webhooks/commands.ts'
import { senderOf } from './webhooks/delivery/sender.ts'
import { startWakeups } from './webhooks/delivery/wake.ts'
import { webhookJobs } from './webhooks/jobs.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** The application on one screen: every feature's routes… */
const routesOf = (ctx: Context, sandbox: Sandbox, jobs: readonly Job[]): Route[] => [
  ...merchantRoutes(ctx, { webhookHealth: (app) => webhookHealth(ctx, app) }),
  ...customerRoutes(ctx),
  ...webhookRoutes(ctx),
  ...fraudRoutes(ctx),
  ...routingRoutes(ctx),
  ...paymentRoutes(ctx),
  ...historyRoutes(ctx),
  ...inboundRoutes(ctx),
  ...testHelperRoutes(ctx, sandbox, jobs),
]

/** …and everything that runs in the background. */
export const jobsOf = (ctx: Context, sandbox: Sandbox): Job[] =>
  lookFirst(ctx, [
    operationsJob(ctx),
    alarmsJob(ctx),
    secondLooksJob(ctx),
    undosJob(ctx),
    notificationsJob(ctx),
    notificationRemovalJob(ctx),
    idempotencyJob(ctx),
    panelJob(ctx),
    ...webhookJobs(ctx),
    bankJob(ctx, sandbox.bank),
  ]).map(oneAtATime)

/** A run does not wait until the notifications are sent. What became due meanwhile is begun when they are. */
function bankJob(ctx: Context, bank: Bank): Job {
  const name = 'sandbox bank'
  async function start(account?: string): Promise<number> {
    const { count, sending } = await bank.begin(account)
    for (const one of sending)
      ctx.background.keep(
        name,
        one.done.finally(() => ctx.signals.wake(name)),
        one.account,
      )
    return count
  }
  return { name, everyMs: 250, due: bank.due, runOnce: () => start(), runFor: start }
}

/** Apart from the others: it changes nothing that anybody could see but the pace. */
const statisticsJob = (ctx: Context): Job => ({
  name: 'statistics',
  everyMs: 2 * SECOND,
  restMs: 2 * SECOND,
  runOnce: () => analyseYoungTables(ctx.db),
})

export interface ServiceOptions {
  readonly config: Config
  readonly databaseUrl: string
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  /** The system's when absent. */
  readonly dnsServers?: readonly string[]
}

export interface Service {
  readonly url: string
  readonly ctx: Context
  readonly firstRun?: { readonly appId: string; readonly apiKey: string }
  stop(): Promise<void>
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const config = await withPort(options.config)
  const { close, ...outside } = openOutside({ ...options, config })
  const { sandbox, sharedLimits } = outside
  const ctx = composeContext(config, outside)
  await sandbox.bank.start()
  const jobs = jobsOf(ctx, sandbox)
  const server = composeServer(ctx, sandbox, jobs)
  const loops = startJobs(ctx, config.role === 'web' ? [] : [...jobs, statisticsJob(ctx)])
  const stops = [startWakeups(ctx), listenToNodes(ctx), listenForApps(ctx)]
  if (config.role !== 'worker') stops.push(sharedLimits.listen())
  async function stop() {
    await server.close()
    await loops.stop()
    // Before the wake-ups end: other nodes are told of deliveries that this one releases.
    await senderOf(ctx).stop()
    for (const stopOne of stops) stopOne()
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

/** More connections than these only queue inside PostgreSQL: on two cores 32 are slower than 8. */
export const poolSize = ({ databasePool, workers = 1 }: Config): number =>
  databasePool ?? (workers > 1 ? 4 : 8)

/** What the world gives a node; a simulation gives another world. */
export interface Outside
  extends Pick<Context, 'db' | 'clock' | 'random' | 'vault' | 'log' | 'http' | 'post' | 'sharedLimits'> {
  readonly sandbox: Sandbox
}

function openOutside({
  config,
  databaseUrl,
  ...given
}: ServiceOptions): Outside & { readonly sharedLimits: SharedLimits; close(): Promise<void> } {
  const { clock = systemClock, random = systemRandom, log = createLog(config.logLevel), dnsServers } = given
  const onError = (error: Error) => log.warn('database.connection_lost', { error: error.message })
  const replicaUrl = config.databaseReplicaUrl?.reveal()
  const size = poolSize(config)
  const db = openDatabase({ url: databaseUrl, size, onError, ...(replicaUrl && { replicaUrl }) })
  const resolver = createResolver({ clock, ...(dnsServers && { servers: dnsServers }) })
  const http = createHttp(log, resolver)
  const post = createPost({ allowPrivate: config.allowPrivateWebhooks, resolver })
  const vault = createVault(
    config.secretKeys.map((key) => key.reveal()),
    random,
  )
  const sandbox = createSandbox({ db, clock, random, log, publicUrl: config.publicUrl, vault, http })
  const close = async () => {
    await http.close()
    await post.close()
    await db.close()
  }
  const sharedLimits = createSharedLimits({ channel: channelOf(db, 'tender_siblings'), clock, random, log })
  return { db, clock, random, vault, log, http, post, sandbox, sharedLimits, close }
}

export function composeContext(config: Config, { sandbox, ...outside }: Outside): Context {
  return {
    ...outside,
    config,
    providers: new Map([[sandbox.adapter.manifest.id, sandbox.adapter]]),
    signals: createSignals(),
    background: createBackground(outside.log),
  }
}

/** The same distance from src/ and from dist/. */
const ASSETS = new URL('../src/pages/assets/', import.meta.url)

const ALIVE = sql<{ alive: number }>('service.alive', 'select 1 as alive')

/** A worker serves its health only. */
export function composeServer(ctx: Context, sandbox: Sandbox, jobs: readonly Job[] = []): Server {
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
    trust: {
      proxies: config.trustedProxies ?? [],
      header: config.clientAddressHeader ?? 'x-forwarded-for',
    },
  })
  if (config.role === 'worker') return server
  server.add(routesOf(ctx, sandbox, jobs))
  const assets = addPages(server, ctx, ASSETS)
  server.add(sandboxPageRoutes(ctx, sandbox, assets))
  server.add(docsRoutes({ describe: server.describe, assets: ASSETS, testValues: testValues() }))
  return server
}

/** What the service offers, said without starting it: no database is opened, nothing is listened to. */
export async function describeService(config: Config) {
  const databaseUrl = 'postgres://nowhere'
  const outside = openOutside({ config, databaseUrl, log: silentLog })
  const ctx = composeContext(config, outside)
  const document = composeServer(ctx, outside.sandbox).describe()
  await outside.close()
  return { document, manifests: [...ctx.providers.values()].map(({ manifest }) => manifest) }
}

/** The very first start in development leaves a newcomer with everything a first payment needs. */
async function demoLicense(ctx: Context) {
  if (ctx.config.role === 'worker' || (await hasLicense(ctx))) return undefined
  const license = await createLicense(ctx, 'Demo')
  return license.apps.find((app) => app.isSandbox)
}

/** Links and notification addresses carry the port, so any free one is chosen before anything is composed. */
export async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host)
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}
