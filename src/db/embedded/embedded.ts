import { mkdir, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '../../base/clock.ts'
import { StartError } from '../../base/start-error.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { DATABASE_USER, ensureCluster } from './cluster.ts'
import { endLeftover } from './leftover.ts'
import { lockFolder } from './lock.ts'
import { chooseRunAs, type RunAs, type RunMode } from './run-as.ts'
import { keptSecret } from './secret-file.ts'
import { type PostgresOptions, type PostgresProcess, startPostgres } from './server.ts'
import { makeSocketFolder } from './socket.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  /** Off only in tests: without it a power cut loses everything. */
  readonly durable?: boolean
  readonly maxConnections?: number
  /** Called before a new database is made, which takes seconds. */
  readonly onSetUp?: () => void
  /** Called when PostgreSQL ends without `stop`. */
  readonly onExit?: (why: string) => void
  /** Only for tests: the modes to try. */
  readonly modes?: readonly RunMode[]
}

export interface Embedded {
  readonly url: string
  stop(): Promise<void>
}

const DATABASE = 'tender'
const PORT = 5432
const MAX_CONNECTIONS = 100
/** A restart after a crash replays the WAL: seconds, or minutes on a very slow disk. */
const READY_MS = 120_000
const POLL_MS = 10
/** Child processes of a killed PostgreSQL end by themselves within this time. */
const ORPHANS_MS = 4_000

/**
 * Runs PostgreSQL in `dataDir`, reached through a socket only, and ended with this process. Decision 0001.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  try {
    // Symbolic links are resolved, as the path is compared with the command line of a running PostgreSQL.
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
    return await startIn(await realpath(options.dataDir), options)
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (!code || !syscall) throw error
    throw new StartError(`DATA_DIR ${options.dataDir} cannot be used: ${(error as Error).message}`)
  }
}

async function startIn(dataDir: string, options: EmbeddedOptions): Promise<Embedded> {
  const lock = await lockFolder(dataDir)
  try {
    const folder = join(dataDir, 'postgres')
    await endLeftover(folder)
    const binaries = await findBinaries(dataDir)
    const runAs = await chooseRunAs(binaries, dataDir, options.modes)
    const password = await keptSecret(join(dataDir, 'postgres-password'))
    const { durable = true, onSetUp } = options
    await ensureCluster(binaries, runAs, { folder, dataDir, password, durable, onSetUp })
    const socketFolder = await makeSocketFolder(dataDir, runAs)
    const { maxConnections = MAX_CONNECTIONS } = options
    const logFile = join(dataDir, 'postgres.log')
    const start = { cluster: folder, socketFolder, logFile, durable, maxConnections }
    const url = addressOf(socketFolder, password)
    const server = await startAndWait(binaries, runAs, { ...start, url })
    let asked = false
    server.gone.then((why) => asked || options.onExit?.(why))
    return {
      url: url(DATABASE),
      stop: async () => {
        asked = true
        await server.stop()
        await rm(socketFolder, { recursive: true, force: true })
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** `localhost` is a placeholder; the socket folder in the query is used. */
const addressOf = (socketFolder: string, password: string) => (database: string) =>
  `postgres://${DATABASE_USER}:${password}@localhost:${PORT}/${database}` +
  `?host=${encodeURIComponent(socketFolder)}&sslmode=disable`

export const embeddedAddress = (socketFolder: string, password: string): string =>
  addressOf(socketFolder, password)(DATABASE)

export const canConnect = (url: string): Promise<boolean> =>
  query(url, 'select').then(
    () => true,
    () => false,
  )

interface StartOptions extends PostgresOptions {
  readonly url: (database: string) => string
}

async function startAndWait(
  binaries: Binaries,
  runAs: RunAs,
  options: StartOptions,
): Promise<PostgresProcess> {
  const startTime = systemClock.now().getTime()
  for (;;) {
    const server = await startPostgres(binaries, runAs, options)
    try {
      await untilReady(server, options)
      return server
    } catch (error) {
      await server.stop()
      if (!server.hasEnded() || !(error instanceof NotReady)) throw error
      const log = await readFile(options.logFile, 'utf8')
      const early = systemClock.now().getTime() - startTime < ORPHANS_MS
      if (!early || !log.includes('shared memory block')) throw didNotStart(log, options.logFile)
      await systemClock.sleep(POLL_MS * 10)
    }
  }
}

class NotReady extends Error {}

async function untilReady(server: PostgresProcess, { cluster, url }: StartOptions): Promise<void> {
  const end = systemClock.now().getTime() + READY_MS
  while (systemClock.now().getTime() < end) {
    if (server.hasEnded()) throw new NotReady()
    if ((await saysReady(cluster, server.pid)) && (await isReady(url))) return
    await systemClock.sleep(POLL_MS)
  }
  throw new NotReady()
}

/** PostgreSQL writes its pid into the first line of this file and its state into the eighth. */
async function saysReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

const INVALID_CATALOG = '3D000'
const INVALID_PASSWORD = '28P01'

async function isReady(url: (database: string) => string): Promise<boolean> {
  try {
    await query(url(DATABASE), 'select')
    return true
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === INVALID_PASSWORD)
      throw new StartError('The file postgres-password in DATA_DIR does not open the database beside it.')
    if (code !== INVALID_CATALOG) return false
    await query(url('postgres'), `create database ${DATABASE}`)
    return true
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  // A server that is starting or stopping may also close the connection after the result.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}

function didNotStart(log: string, logFile: string): StartError {
  const [, reason] = /(?:FATAL|PANIC): +(.+)/.exec(log) ?? []
  return new StartError(`PostgreSQL did not start${reason ? `: ${reason}` : ''} (see ${logFile}).`)
}
