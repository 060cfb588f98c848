import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { startService } from './app.ts'
import { systemClock } from './base/clock.ts'
import { LIMITS } from './base/limits.ts'
import { StartError } from './base/start-error.ts'
import { poolSize, withPort } from './compose.ts'
import { type Config, loadConfig } from './config.ts'
import { startEmbedded } from './db/embedded/embedded.ts'
import { migrate } from './db/migrate.ts'
import { reachServer } from './db/reach.ts'
import { createLog } from './log.ts'
import { mergeMetrics } from './metrics/merge.ts'
import { serveMetrics } from './metrics/server.ts'
import { startWarnings, welcomeText } from './welcome.ts'
import { type Assignment, startWorkers, type ToChild, type ToParent } from './workers.ts'

/** Relative to this file, the same path from src/ and from dist/. */
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Under npm, Ctrl-C arrives twice, from the terminal and from npm. Within this time both count as one. */
const SAME_SIGNAL_MS = 500
/** Time after the requests in flight, for their work in the database and for stopping PostgreSQL. */
const STOP_GRACE_MS = 15_000

/** Connections of the embedded PostgreSQL beside those of the pools: for migrations and manual access. */
const SPARE_CONNECTIONS = 20

/** Stop functions of everything started; called in reverse order. */
const started: (() => Promise<void>)[] = []

async function start(): Promise<void> {
  const config = await loadConfig(process.env)
  for (const { event, data } of startWarnings(config)) createLog(config.logLevel).warn(event, data)
  const { databaseUrl, primary } = await openServer(config)
  await migrate(primary, MIGRATIONS).catch((error: Error) => {
    throw new StartError(`The database cannot be brought up to date: ${error.message}`)
  })
  const node = config.workers === 1 ? startNode(config, databaseUrl) : startChildren(config, databaseUrl)
  const { url, firstRun, consoleUrl } = await node
  console.log(welcomeText({ ...config, url, consoleUrl, ...(firstRun && { firstRun }) }))
}

async function startNode(config: Config, databaseUrl: string) {
  const service = await startService({ config, databaseUrl }).catch((error: unknown) => {
    throw listenProblem(error, config)
  })
  started.push(service.stop)
  return service
}

async function startChildren(config: Config, databaseUrl: string) {
  const { port, publicUrl } = await withPort(config)
  const log = createLog(config.logLevel)
  const workers = await startWorkers({
    count: config.workers ?? 1,
    assignment: { databaseUrl, port, publicUrl },
    program: fileURLToPath(import.meta.url),
    clock: systemClock,
    log,
  })
  started.push(workers.stop)
  const { host, metricsPort } = config
  const read = async () => mergeMetrics(await workers.scrape())
  if (metricsPort) started.push(await serveMetrics({ host, port: metricsPort, read, log }))
  return workers.started
}

/** One of several processes: the parent sends the database address and the signal to stop. */
async function startChild(): Promise<void> {
  const sendToParent = (message: ToParent) => void process.send?.(message)
  let readMetrics: (() => Promise<string>) | undefined
  const answerScrape = async (scrape: number) => {
    const text = await readMetrics?.().catch(() => undefined)
    if (text !== undefined) sendToParent({ metrics: { scrape, text } })
  }
  const assignment = await new Promise<Assignment>((resolve) => {
    process.on('message', (message: ToChild) => {
      if (message.assignment) resolve(message.assignment)
      if (message.scrape) void answerScrape(message.scrape)
      if (message.stop) onSignal()
    })
    sendToParent({ hello: true })
  })
  const { databaseUrl, ...address } = assignment
  const config = { ...(await loadConfig(process.env)), ...address }
  const { url, firstRun, consoleUrl, scrape } = await startNode(config, databaseUrl)
  readMetrics = scrape
  sendToParent({ started: { url, consoleUrl, ...(firstRun && { firstRun }) } })
}

/** The address may name several servers; migrations run on the current primary. */
async function openServer(config: Config): Promise<{ databaseUrl: string; primary: string }> {
  if (config.databaseUrl) {
    const databaseUrl = config.databaseUrl.reveal()
    return { databaseUrl, primary: await reachServer(databaseUrl) }
  }
  const onExit = (why: string) => fail(new StartError(`PostgreSQL ended unexpectedly (${why}).`))
  const maxConnections = Math.max(100, SPARE_CONNECTIONS + (config.workers ?? 1) * (poolSize(config) + 1))
  const { dataDir } = config
  const onSetUp = () => console.log(`Setting up a database in ${dataDir}, once. It takes some seconds.`)
  const embedded = await startEmbedded({ dataDir, onSetUp, onExit, maxConnections })
  started.push(embedded.stop)
  return { databaseUrl: embedded.url, primary: embedded.url }
}
function listenProblem(error: unknown, { host, port }: Config): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (!['listen', 'bind', 'getaddrinfo'].includes(syscall ?? '')) return error
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} on ${host} is in use. Stop what listens there or choose another PORT.`,
    )
  if (code === 'EACCES')
    return new StartError(`Port ${port} may not be opened by this user. Choose another PORT.`)
  return new StartError(`HOST ${host} is not an address of this machine.`)
}

let stopping: Promise<void> | undefined

function stop(): Promise<void> {
  stopping ??= stopAll()
  return stopping
}

async function stopAll(): Promise<void> {
  for (const stopOne of started.reverse()) await stopOne()
}

/** With a time limit: work that has not ended by then ends with the process, and PostgreSQL after it. */
async function exit(code: number): Promise<never> {
  const late = systemClock.sleep(LIMITS.stopMs + STOP_GRACE_MS).then(() => 1)
  const stopped = stop().then(
    () => code,
    (error) => {
      console.error(error)
      return 1
    },
  )
  process.exit(await Promise.race([stopped, late]))
}

async function fail(error: unknown): Promise<never> {
  console.error(error instanceof StartError ? error.message : error)
  return await exit(1)
}

let firstSignalTime: number | undefined

function onSignal(): void {
  const now = systemClock.now().getTime()
  // Waits for a start in progress: a partial start cannot be stopped cleanly.
  if (firstSignalTime === undefined) void starting.then(() => exit(0))
  else if (cluster.isPrimary && now - firstSignalTime > SAME_SIGNAL_MS) process.exit(1)
  firstSignalTime ??= now
}

// Under load, V8 would allocate the objects of requests in the old generation, which causes long GC pauses.
setFlagsFromString('--no-allocation-site-pretenuring')
// The heap may grow by half between two collections. V8's own limit of four times is much memory on Node 24.
setFlagsFromString('--heap-growing-percent=50')
process.on('SIGTERM', onSignal)
// Ctrl-C reaches every process of the terminal. Children ignore it; the parent sends them `stop`.
process.on('SIGINT', cluster.isPrimary ? onSignal : () => {})
const starting = (cluster.isPrimary ? start() : startChild()).catch(fail)
