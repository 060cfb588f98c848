import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { freePort } from '../../src/net/free-port.ts'
import { asking } from '../support/asking.ts'
import { type Inbox, startInbox } from '../support/inbox.ts'
import type { Acknowledged, Ask } from '../support/invariants.ts'
import { type ProcessOptions, pause, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type Crowd, gather, newShop, type Pacing, type Shop } from '../support/shoppers.ts'

/** PostgreSQL as a process that can be stopped and killed. */
interface Postgres {
  readonly url: string
  /** The postmaster and its children. */
  pids(): Promise<number[]>
  /** Stops it without a checkpoint, as in a crash, and starts it again. */
  restart(): Promise<void>
  /** Starts it if it has exited. */
  revive(): Promise<void>
  stop(): Promise<void>
}

async function startPostgres(dataDir: string): Promise<Postgres> {
  let hasExited = false
  const start = () => startEmbedded({ dataDir, onExit: () => (hasExited = true) })
  let embedded = await start()
  const postmaster = async () =>
    Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  async function startAgain(): Promise<void> {
    await embedded.stop()
    embedded = await start()
    hasExited = false
  }
  return {
    url: embedded.url,
    pids: async () => withChildren(await postmaster()),
    async restart() {
      process.kill(await postmaster(), 'SIGQUIT')
      while (!hasExited) await pause(5)
      await startAgain()
    },
    async revive() {
      if (hasExited) await startAgain()
    },
    stop: () => embedded.stop(),
  }
}

async function withChildren(pid: number): Promise<number[]> {
  const path = `/proc/${pid}/task/${pid}/children`
  const children = (await readFile(path, 'utf8').catch(() => '')).trim().split(' ').filter(Boolean)
  return [pid, ...children.map(Number)]
}

/** The test environment: a database, its services, shops and shoppers. */
export interface Rig {
  readonly postgres: Postgres
  readonly shops: readonly Shop[]
  readonly known: Map<string, Acknowledged>
  readonly inbox: Inbox
  readonly ask: Ask
  /** Starts a service on this database and waits until it is ready. */
  start(options?: Partial<ProcessOptions>): Promise<ServiceProcess>
  gather(shoppers: number, services?: readonly ServiceProcess[], pacing?: Pacing): Crowd
  stop(): Promise<void>
}

const SHOPS = 8

const TELL_MEMORY = ['--expose-gc', '--import', fileURLToPath(new URL('tell-memory.js', import.meta.url))]

/** Memory that a service uses after a garbage collection. */
export async function memoryMb({ pid, output }: ServiceProcess): Promise<number> {
  for (let times = 0; times < 2; times++) {
    process.kill(pid, 'SIGUSR2')
    await pause(500)
  }
  const reported = [...output().matchAll(/^memory in use: (\d+)$/gm)].at(-1)?.[1]
  if (reported === undefined) throw new Error('the service did not tell its memory')
  return Number(reported) / 2 ** 20
}

interface RigOptions {
  /** Of the database. Default: a temporary one, removed afterwards. */
  readonly dataFolder?: string | undefined
  /** Called for each webhook with the shop's path at the inbox and the time since the event. */
  readonly onTaken?: (path: string, lagMs: number) => void
}

/** The webhooks of each shop have a path of their own. */
export const hookPath = (shop: number): string => `/${shop}`

export async function startRig({ dataFolder, onTaken }: RigOptions = {}): Promise<Rig> {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'tender-chaos-')))
  const postgres = await startPostgres(join(folder, 'data'))
  const inbox = await startInbox(onTaken)
  const running: ServiceProcess[] = []
  const shops: Shop[] = []
  const known = new Map<string, Acknowledged>()

  async function start(options: Partial<ProcessOptions> = {}): Promise<ServiceProcess> {
    const port = options.port ?? (await freePort('127.0.0.1'))
    const env = { DATABASE_URL: postgres.url, ...options.env }
    const service = startProcess({
      ...options,
      nodeArgs: [...TELL_MEMORY, ...(options.nodeArgs ?? [])],
      port,
      env,
    })
    running.push(service)
    await service.ready()
    while (shops.length < SHOPS)
      shops.push(await newShop(service.url, `${inbox.url}${hookPath(shops.length)}`))
    return service
  }

  return {
    postgres,
    shops,
    known,
    inbox,
    ask: asking(postgres.url),
    start,
    gather: (shoppers, services = running.slice(-1), pacing = {}) =>
      gather({ urls: services.map(({ url }) => url), shops, shoppers, known, ...pacing }),
    async stop() {
      for (const service of running) if (service.child.exitCode === null) service.child.kill('SIGKILL')
      inbox.stop()
      await postgres.stop()
      if (!dataFolder) await rm(folder, { recursive: true, force: true })
    },
  }
}
