import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { freePort } from '../../src/net/free-port.ts'
import { usageOf } from '../bench/processes.ts'
import { asking } from '../support/asking.ts'
import { type Inbox, startInbox } from '../support/inbox.ts'
import type { Acknowledged, Ask } from '../support/invariants.ts'
import { type ProcessOptions, pause, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type Crowd, gather, newShop, type Shop } from '../support/shoppers.ts'

/** PostgreSQL as a process that faults can be done to. */
interface Postgres {
  readonly url: string
  /** The postmaster and its children. */
  pids(): Promise<number[]>
  /** Ends it without a checkpoint, as a crash would, and starts it again. */
  restart(): Promise<void>
  /** Starts it when it has ended. */
  revive(): Promise<void>
  stop(): Promise<void>
}

async function startPostgres(dataDir: string): Promise<Postgres> {
  let hasEnded = false
  const start = () => startEmbedded({ dataDir, onExit: () => (hasEnded = true) })
  let embedded = await start()
  const postmaster = async () =>
    Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  async function again(): Promise<void> {
    await embedded.stop()
    embedded = await start()
    hasEnded = false
  }
  return {
    url: embedded.url,
    pids: async () => withChildren(await postmaster()),
    async restart() {
      process.kill(await postmaster(), 'SIGQUIT')
      while (!hasEnded) await pause(5)
      await again()
    },
    async revive() {
      if (hasEnded) await again()
    },
    stop: () => embedded.stop(),
  }
}

async function withChildren(pid: number): Promise<number[]> {
  const path = `/proc/${pid}/task/${pid}/children`
  const children = (await readFile(path, 'utf8').catch(() => '')).trim().split(' ').filter(Boolean)
  return [pid, ...children.map(Number)]
}

/** Everything a scenario works with: a database, a service on it, shops and their shoppers. */
export interface Rig {
  readonly postgres: Postgres
  readonly shops: readonly Shop[]
  readonly known: Map<string, Acknowledged>
  readonly inbox: Inbox
  readonly ask: Ask
  /** A service on the rig's database, ready to be asked. */
  start(options?: Partial<ProcessOptions>): Promise<ServiceProcess>
  gather(shoppers: number, services?: readonly ServiceProcess[]): Crowd
  stop(): Promise<void>
}

const SHOPS = 8

/** So that its memory can be looked at without what V8 has merely not yet thrown away. */
const COLLECTS = ['--expose-gc', '--import', 'data:text/javascript,process.on("SIGUSR2",()=>gc())']

/** Of a service that a rig started: what it still holds after V8 has thrown away what it can. */
export async function heldMb({ pid }: ServiceProcess): Promise<number> {
  for (let times = 0; times < 2; times++) {
    process.kill(pid, 'SIGUSR2')
    await pause(500)
  }
  return usageOf(pid).rssMb
}

export async function startRig(dataFolder?: string): Promise<Rig> {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'tender-chaos-')))
  const postgres = await startPostgres(join(folder, 'data'))
  const inbox = await startInbox()
  const running: ServiceProcess[] = []
  const shops: Shop[] = []
  const known = new Map<string, Acknowledged>()

  async function start(options: Partial<ProcessOptions> = {}): Promise<ServiceProcess> {
    const port = options.port ?? (await freePort('127.0.0.1'))
    const env = { DATABASE_URL: postgres.url, ...options.env }
    const service = startProcess({
      ...options,
      nodeArgs: [...COLLECTS, ...(options.nodeArgs ?? [])],
      port,
      env,
    })
    running.push(service)
    await service.ready()
    while (shops.length < SHOPS) shops.push(await newShop(service.url, inbox.url))
    return service
  }

  return {
    postgres,
    shops,
    known,
    inbox,
    ask: asking(postgres.url),
    start,
    gather: (shoppers, services = running.slice(-1)) =>
      gather({ urls: services.map(({ url }) => url), shops, shoppers, known }),
    async stop() {
      for (const service of running) if (service.child.exitCode === null) service.child.kill('SIGKILL')
      inbox.stop()
      await postgres.stop()
      if (!dataFolder) await rm(folder, { recursive: true, force: true })
    },
  }
}
