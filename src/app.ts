import { systemClock } from './base/clock.ts'
import { CONSOLE_PAGES } from './base/console-pages.ts'
import { systemRandom } from './base/ids.ts'
import { composeContext, openOutside, type ServiceOptions, withPort } from './compose.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { activityJob } from './customers/activity/activity.ts'
import { clearCustomers } from './customers/erasure/erase.ts'
import { removalsJob } from './customers/erasure/jobs.ts'
import { panelJob } from './customers/panel-jobs.ts'
import { customerRoutes } from './customers/routes.ts'
import { sql } from './db/database.ts'
import { untilAnswered } from './db/until-answered.ts'
import { clearDisputes, disputeAnswersJob, eraseDisputes } from './disputes/jobs.ts'
import { disputeRoutes } from './disputes/routes.ts'
import { clearExports, exportJobs } from './exports/jobs.ts'
import { exportRoutes } from './exports/routes.ts'
import { fraudRoutes } from './fraud/routes.ts'
import { clearVerdicts, eraseVerdicts } from './fraud/verdicts/erasure.ts'
import { goingLiveRoutes } from './going-live/routes.ts'
import type { Call, Route } from './http/route.ts'
import { createServer, type Server } from './http/server.ts'
import { clearRepeats, idempotencyJob } from './idempotency/jobs.ts'
import { createRepeats } from './idempotency/repeats.ts'
import { clearNotifications, notificationRemovalJob, notificationsJob } from './inbound/jobs.ts'
import { inboundRoutes } from './inbound/routes.ts'
import { clearInsights, rollupsJob } from './insights/jobs.ts'
import { insightRoutes } from './insights/routes.ts'
import { withDueChecks } from './jobs/due-work-store.ts'
import { type Job, oneAtATime, startJobs } from './jobs/loop.ts'
import { statisticsJob } from './jobs/statistics.ts'
import { clearLedger, ledgerJob } from './ledger/jobs.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { clearLinks, linkRoutes } from './links/routes.ts'
import { createLog } from './log.ts'
import { recordApiCall } from './logs/api/record.ts'
import { apiLogRoutes } from './logs/api/routes.ts'
import { clearLogs, eraseLogs } from './logs/erasure.ts'
import { logRemovalJobs, logWritingJob, writeLogs } from './logs/jobs.ts'
import { clearMails, eraseMails } from './mail/erasure.ts'
import { storeMailKeys } from './mail/hash-keys.ts'
import { mailJobs } from './mail/jobs.ts'
import { mailTransport } from './mail/sending/transport.ts'
import type { Clear } from './merchants/app-rows.ts'
import { listenForApps } from './merchants/directory.ts'
import { createGuards } from './merchants/guards.ts'
import { hostClaimsJob } from './merchants/hosts/jobs.ts'
import { createLicense, hasLicense } from './merchants/licenses/commands.ts'
import { merchantRoutes } from './merchants/routes.ts'
import { meteredLog } from './metrics/log.ts'
import { createMetrics } from './metrics/registry.ts'
import { scraperOf } from './metrics/scrape.ts'
import { serveMetrics } from './metrics/server.ts'
import { clearMoving, importJobs } from './moving/jobs.ts'
import { movingRoutes } from './moving/routes.ts'
import { clearNotices, noticesJob } from './notices/notices.ts'
import { occasionJobs } from './occasions/jobs.ts'
import { approvalRoutes } from './payments/approvals/routes.ts'
import { clearPayments, type Eraser } from './payments/erasure/erase.ts'
import { erasuresJob, retentionJob } from './payments/erasure/jobs.ts'
import { erasureRoutes } from './payments/erasure/routes.ts'
import { historyRoutes } from './payments/history/routes.ts'
import { lateRechecksJob, operationsJob, timersJob } from './payments/jobs.ts'
import { KINDS } from './payments/kinds.ts'
import { listenToNodes } from './payments/live/watch.ts'
import { STATES } from './payments/machine.ts'
import { eraseNotes } from './payments/notes/notes.ts'
import { noteRoutes } from './payments/notes/routes.ts'
import { paidMethodsJob } from './payments/provider/store-method/jobs.ts'
import { undosJob } from './payments/provider/undo/jobs.ts'
import { triesRemovalJob } from './payments/retry/removal.ts'
import { paymentRoutes } from './payments/routes.ts'
import { searchRoutes } from './payments/search/routes.ts'
import { searchCatchUpJob } from './payments/search/writing/catch-up.ts'
import { flushAll, searchWriterJob } from './payments/search/writing/writer.ts'
import { isSetupOpen, setupToken } from './people/accounts/setup.ts'
import { withSessions } from './people/guard.ts'
import { peopleJob } from './people/jobs.ts'
import { operatorRoutes } from './people/licenses/operator-routes.ts'
import { licenseRoutesOfPeople } from './people/licenses/routes.ts'
import { peopleRoutes } from './people/routes/routes.ts'
import { findSession } from './people/sessions/sessions.ts'
import { checkSecretKey } from './reseal/secret-key.ts'
import { setDefaultProfile } from './routing/commands.ts'
import { routingRoutes } from './routing/routes.ts'
import { testHelperRoutes } from './sandbox/helpers/routes.ts'
import { bankJob, bankRemovalJob, clearBank } from './sandbox/jobs.ts'
import { sandboxPageRoutes } from './sandbox/pages/routes.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { testValues } from './sandbox/values/sheets.ts'
import { settlementOf } from './settlements/commands.ts'
import { clearSettlements, settlementJobs } from './settlements/jobs.ts'
import { settlementRoutes } from './settlements/routes.ts'
import { traceRequests } from './tracing/requests.ts'
import { startTracing } from './tracing/start.ts'
import { tracedJob, tracedRoute } from './tracing/work.ts'
import { VERSION } from './version.ts'
import { addConsole } from './web/console/routes.ts'
import { docsRoutes } from './web/docs/routes.ts'
import { appsOfReader } from './web/docs/samples/reader.ts'
import { addPages } from './web/routes.ts'
import { lastWebhook, webhookHealth } from './webhooks/commands.ts'
import { senderOf } from './webhooks/delivery/sender.ts'
import { startWakeups } from './webhooks/delivery/wake.ts'
import { endpointRoutes } from './webhooks/endpoints/routes.ts'
import { clearWebhooks, eraseEvents } from './webhooks/erasure.ts'
import { webhookJobs } from './webhooks/jobs.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { startWarnings } from './welcome.ts'

/** Each feature overwrites what it holds about an erased customer… */
const ERASERS: readonly Eraser[] = [
  eraseEvents,
  eraseVerdicts,
  eraseLogs,
  eraseMails,
  eraseDisputes,
  eraseNotes,
]

/** …and removes its rows of a sandbox app that is emptied. */
const CLEARERS: readonly Clear[] = [
  clearWebhooks,
  clearNotifications,
  clearDisputes,
  clearExports,
  clearMoving,
  clearNotices,
  clearLinks,
  clearPayments,
  clearInsights,
  clearLogs,
  clearVerdicts,
  clearRepeats,
  clearMails,
  clearCustomers,
  clearBank,
  // After what they are read and derived from: they would be read and derived again.
  clearSettlements,
  clearLedger,
]

/** The application on one screen: every feature's routes… */
const routesOf = (ctx: Context, sandbox: Sandbox | undefined, jobs: readonly Job[]): Route[] => [
  ...merchantRoutes(ctx, {
    webhookHealth: (app) => webhookHealth(ctx, app),
    lastWebhook: (app) => lastWebhook(ctx, app),
    setDefaultProfile,
    clearers: CLEARERS,
  }),
  ...peopleRoutes(ctx),
  ...customerRoutes(ctx),
  ...webhookRoutes(ctx),
  ...endpointRoutes(ctx, { states: Object.keys(STATES), kinds: KINDS }),
  ...fraudRoutes(ctx),
  ...routingRoutes(ctx),
  ...approvalRoutes(ctx),
  ...paymentRoutes(ctx, { settlementOf: (app, payment) => settlementOf(ctx, app, payment) }),
  ...historyRoutes(ctx),
  ...searchRoutes(ctx),
  ...insightRoutes(ctx),
  ...ledgerRoutes(ctx),
  ...goingLiveRoutes(ctx),
  ...settlementRoutes(ctx),
  ...disputeRoutes(ctx),
  ...linkRoutes(ctx),
  ...exportRoutes(ctx),
  ...movingRoutes(ctx),
  ...erasureRoutes(ctx, ERASERS),
  ...noteRoutes(ctx),
  ...apiLogRoutes(ctx),
  ...operatorRoutes(ctx),
  ...licenseRoutesOfPeople(ctx),
  ...inboundRoutes(ctx),
  ...(sandbox ? testHelperRoutes(ctx, sandbox, jobs) : []),
]

/** …and everything that runs in the background. */
export const jobsOf = (ctx: Context, sandbox: Sandbox | undefined): Job[] =>
  withDueChecks(
    ctx,
    [
      operationsJob(ctx),
      timersJob(ctx),
      lateRechecksJob(ctx),
      undosJob(ctx),
      triesRemovalJob(ctx),
      paidMethodsJob(ctx),
      notificationsJob(ctx),
      notificationRemovalJob(ctx),
      idempotencyJob(ctx),
      panelJob(ctx),
      hostClaimsJob(ctx),
      peopleJob(ctx),
      searchWriterJob(ctx),
      searchCatchUpJob(ctx),
      rollupsJob(ctx),
      removalsJob(ctx),
      activityJob(ctx),
      erasuresJob(ctx, ERASERS),
      retentionJob(ctx, ERASERS),
      ledgerJob(ctx),
      disputeAnswersJob(ctx),
      ...webhookJobs(ctx),
      ...mailJobs(ctx),
      ...occasionJobs(ctx),
      noticesJob(ctx),
      ...settlementJobs(ctx),
      ...exportJobs(ctx),
      ...importJobs(ctx),
      ...logRemovalJobs(ctx),
      logWritingJob(ctx),
      ...(sandbox ? [bankJob(ctx, sandbox.bank), bankRemovalJob(sandbox.bank)] : []),
    ].map((job) => (ctx.tracer ? tracedJob(ctx.tracer, job) : job)),
  ).map(oneAtATime)

export interface Service {
  readonly url: string
  readonly ctx: Context
  readonly firstRun?: { readonly appId: string; readonly apiKey: string }
  /** Address of the console, or of its set-up while there are no people. */
  readonly consoleUrl: string
  /** The text for Prometheus. Absent while metrics are off. */
  readonly scrape?: () => Promise<string>
  stop(): Promise<void>
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const config = await withPort(options.config)
  const { metrics, tracing, log } = await startObserving(config, options)
  const { close, ...outside } = openOutside({ ...options, log, config, tracer: tracing?.tracer })
  const { sandbox, sharedLimits } = outside
  const ctx = composeContext(config, { ...outside, ...(metrics && { meter: metrics.meter }) })
  const patiently = <T>(work: () => Promise<T>) => untilAnswered(ctx.clock, work)
  await patiently(() => checkSecretKey(ctx)).catch(async (error: unknown) => {
    await close()
    throw error
  })
  await sandbox?.bank.start()
  await patiently(() => storeMailKeys(ctx))
  const jobs = jobsOf(ctx, sandbox)
  const scrape = metrics && scraperOf(ctx, metrics, jobs)
  const server = composeServer(ctx, sandbox, jobs)
  if (tracing) traceRequests(server.fastify, tracing.tracer, config)
  const loops = startJobs(
    ctx,
    config.role === 'web' ? [searchWriterJob(ctx), logWritingJob(ctx)] : [...jobs, statisticsJob(ctx)],
  )
  const stops: (() => unknown)[] = [startWakeups(ctx), listenToNodes(ctx), listenForApps(ctx)]
  if (config.role !== 'worker') stops.push(sharedLimits.listen())
  async function stop() {
    await server.close()
    await loops.stop()
    await flushAll(ctx).catch(() => undefined)
    // Before the wake-ups end: other nodes hear of deliveries that this one releases.
    await senderOf(ctx).stop()
    for (const stopOne of stops) await stopOne()
    await ctx.background.settled()
    await writeLogs(ctx)
    mailTransport(ctx).close()
    await sandbox?.bank.stop()
    await close()
    await tracing?.stop()
  }
  try {
    await server.listen({ host: config.host, port: config.port })
    if (scrape) stops.push(await openMetricsPort(ctx, scrape))
    const firstRun = config.production || !sandbox ? undefined : await patiently(() => demoLicense(ctx))
    const consoleUrl = await patiently(() => consoleUrlOf(ctx))
    const service = { url: config.publicUrl, ctx, stop, consoleUrl }
    return { ...service, ...(firstRun && { firstRun }), ...(scrape && { scrape }) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Metrics and traces are loaded only where a setting turns them on. */
async function startObserving(config: Config, options: ServiceOptions) {
  const { clock = systemClock, random = systemRandom, log: plain = createLog(config.logLevel) } = options
  const metrics = config.metricsPort === undefined ? undefined : await createMetrics(config, VERSION)
  const meter = metrics?.meter
  const log = meter ? meteredLog(plain, meter) : plain
  const { traces } = config
  const tracing = traces && (await startTracing({ traces, version: VERSION, clock, random, log, meter }))
  return { metrics, tracing, log }
}

/** With several processes, the parent has the port and asks each of them. */
async function openMetricsPort({ config, log }: Context, read: () => Promise<string>) {
  const { host, metricsPort: port, worker } = config
  return port === undefined || worker !== undefined ? () => {} : await serveMetrics({ host, port, read, log })
}

/** In production the set-up asks for the operator token in its form; in development the link has a token. */
async function consoleUrlOf(ctx: Context): Promise<string> {
  const { publicUrl, production } = ctx.config
  if (!(await isSetupOpen(ctx))) return publicUrl + CONSOLE_PAGES.home
  return `${publicUrl}${CONSOLE_PAGES.setup}${production ? '' : `?token=${setupToken(ctx)}`}`
}

/** The same distance from src/ and from dist/. */
const ROOT = new URL('../', import.meta.url)

const ASSETS = new URL('src/web/assets/', ROOT)

const CONSOLE = new URL('src/web/console/', ROOT)

const ALIVE = sql<{ alive: number }>('service.alive', 'select 1 as alive')

/** A worker serves its health only. */
export function composeServer(ctx: Context, sandbox: Sandbox | undefined, jobs: readonly Job[] = []): Server {
  const { clock, random, log, config } = ctx
  const server = createServer({
    clock,
    random,
    log,
    guards: withSessions(ctx, createGuards(ctx), (token) => findSession(ctx, token)),
    repeats: createRepeats(ctx),
    ready: () => ctx.db.query(ALIVE),
    onAnswered: (request) => {
      recordApiCall(ctx, request)
      ctx.meter?.answered(request)
    },
    version: VERSION,
    publicUrl: config.publicUrl,
    trust: {
      proxies: config.trustedProxies ?? [],
      header: config.clientAddressHeader ?? 'x-forwarded-for',
    },
  })
  if (config.role === 'worker') return server
  const { tracer } = ctx
  const routes = routesOf(ctx, sandbox, jobs)
  server.add(tracer ? routes.map((route) => tracedRoute(tracer, route)) : routes)
  const assets = addPages(server, ctx, ASSETS)
  addConsole(server, ctx, {
    folder: CONSOLE,
    sandbox,
    jobs,
    clearers: CLEARERS,
    erasers: ERASERS,
    pageAssets: assets,
    version: VERSION,
    warnings: startWarnings(config).map(({ data }) => data.message),
  })
  if (sandbox) server.add(sandboxPageRoutes(ctx, sandbox, assets))
  const appsOf = (headers: Call['headers']) => appsOfReader(ctx, headers)
  server.add(docsRoutes({ describe: server.describe, root: ROOT, testValues: testValues(), appsOf }))
  return server
}

/** The first start in development creates a licence, so that a newcomer can make a payment at once. */
async function demoLicense(ctx: Context) {
  if (ctx.config.role === 'worker' || (await hasLicense(ctx))) return undefined
  const license = await createLicense(ctx, 'Demo')
  return license.apps.find((app) => app.isSandbox)
}
