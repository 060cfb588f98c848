import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { freePort } from '../../src/net/free-port.ts'
import { type BankProcess, startBank } from './bank/start.ts'
import type { Outcome, Plan } from './load/plan.ts'
import { startNameServer } from './neighbours/names.ts'
import { type Usage, usageOf, usageOfTree } from './processes.ts'
import { type ProviderProcess, startProviders } from './providers/start.ts'
import type { Received } from './receiver.ts'

/** A service process, its PostgreSQL and a webhook receiver, all on this machine. */
export interface Rig {
  readonly root: string
  readonly url: string
  readonly databaseUrl: string
  readonly db: pg.Client
  /** Of the database. */
  readonly dataDir: string
  readonly receiver: BenchReceiver
  /** Empty without the option. */
  readonly providers: readonly ProviderProcess[]
  newApp(): Promise<BenchApp>
  newApps(count: number): Promise<BenchApp[]>
  /** An app that an earlier run has made in a kept folder. */
  knownApp(keys: AppKeys): BenchApp
  load(plan: Omit<Plan, 'url'>): Promise<Outcome>
  /** Where the debugger connects to the service. Absent without the option. */
  readonly inspectPort: number | undefined
  /** Absent without the option: the bank is part of the service. */
  readonly bank: BankProcess | undefined
  usage(): Record<Share, Usage>
  stop(): Promise<void>
}

/** Processes whose CPU time is measured: `postgres` is the service's, `bank` has its own. */
export type Share = 'service' | 'postgres' | 'bank' | 'receiver' | 'load'

interface AppKeys {
  readonly appId: string
  readonly apiKey: string
}

export interface BenchApp extends AppKeys {
  call(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
  ): Promise<{ status: number; text: string }>
}

interface BenchReceiver {
  readonly url: string
  report(): Promise<Received>
  reset(): Promise<void>
}

/** What PostgreSQL has logged. */
export const readServerLog = ({ dataDir }: Rig): Promise<string> =>
  readFile(join(dataDir, 'postgres.log'), 'utf8')

const OPERATOR_TOKEN = 'operator-token-of-the-benchmarks'
export const SECRET_KEY = 'a-secret-key-of-the-benchmarks-0123456789'

export interface RigOptions {
  readonly root: string
  /** The value of the setting WORKERS. */
  readonly workers?: string | undefined
  /** Writes a CPU profile of the service when it stops. */
  readonly profile?: boolean
  /** Resolves host names with the rig's name server, which answers for one name only. */
  readonly ownNames?: true | undefined
  /** Starts the simulators of the providers. */
  readonly providers?: true | undefined
  /** Runs the sandbox's bank in a process and a database of its own. */
  readonly bankApart?: true | undefined
  /** The debugger can connect to the service. */
  readonly inspected?: true | undefined
  /** Keeps the database in this folder, for the next run. */
  readonly keptIn?: string | undefined
  /** More settings of the service. */
  readonly env?: Readonly<Record<string, string>>
}

export async function startRig(options: RigOptions): Promise<Rig> {
  const { root } = options
  const folder = options.keptIn ?? (await mkdtemp(join(tmpdir(), 'tender-bench-')))
  const embedded = await startEmbedded({ dataDir: folder })
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const names = options.ownNames ? await startNameServer() : undefined
  const providers = options.providers ? await startProviders(root) : undefined
  const bank = options.bankApart
    ? await startBank({ root, serviceDatabaseUrl: embedded.url, publicUrl: url, secretKey: SECRET_KEY })
    : undefined
  const address = { HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, DATABASE_URL: embedded.url }
  const outside = { ...(names && { BENCH_NAME_SERVER: names.address }), ...providers?.env, ...bank?.env }
  const inspectPort = options.inspected && (await freePort('127.0.0.1'))
  const service = await startServiceProcess(
    { ...options, inspectPort },
    { ...address, ...outside, ...options.env },
  )
  const child = fork(join(root, 'dist', 'bench', 'receiver.js'))
  const [hookPort] = await once(child, 'message')
  const load = fork(join(root, 'dist', 'bench', 'load.js'))
  // The children exit with this process; PostgreSQL stops by itself.
  process.once('exit', () => {
    for (const each of [child, load, service]) each.kill('SIGKILL')
  })
  const db = new pg.Client({ connectionString: embedded.url })
  await db.connect()
  const http = new Pool(url, { connections: 64 })
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  return {
    root,
    url,
    databaseUrl: embedded.url,
    db,
    dataDir: folder,
    receiver: receiverOf(child, `http://127.0.0.1:${hookPort}/hooks`),
    providers: providers?.all ?? [],
    newApp: () => newApp(http),
    newApps: (count) => Promise.all(Array.from({ length: count }, () => newApp(http))),
    knownApp: (keys) => appOf(http, keys),
    load: (plan) => runLoad(load, { ...plan, url }),
    ...{ inspectPort, bank },
    usage: () => ({
      service: usageOfTree(service.pid ?? 0),
      postgres: usageOfTree(postmaster),
      bank: bank?.usage() ?? { cpuMs: 0, rssMb: 0 },
      receiver: usageOf(child.pid ?? 0),
      load: usageOf(load.pid ?? 0),
    }),
    async stop() {
      await http.close()
      await db.end()
      for (const each of [child, load, service]) await ended(each)
      for (const each of [names, providers]) each?.stop()
      await bank?.stop()
      await embedded.stop()
      if (!options.keptIn) await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function runLoad(load: ChildProcess, plan: Plan): Promise<Outcome> {
  const outcome = (await request(load, plan)) as Outcome | { error: string }
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome
}

async function request(child: ChildProcess, message: object | string): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(message)
  return (await answer)[0]
}

async function startServiceProcess(
  { root, workers, profile, ownNames, inspectPort }: RigOptions & Pick<Rig, 'inspectPort'>,
  env: Readonly<Record<'PUBLIC_URL' | string, string>>,
): Promise<ChildProcess> {
  const flags = [
    '--max-semi-space-size=16',
    ...(ownNames ? ['--import', join(root, 'dist', 'bench', 'neighbours', 'use-names.js')] : []),
    ...(inspectPort ? [`--inspect=127.0.0.1:${inspectPort}`] : []),
    ...(profile ? ['--cpu-prof', '--cpu-prof-dir', join(root, 'bench-results')] : []),
  ]
  const service = spawn(process.execPath, [...flags, join(root, 'dist', 'main.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      OPERATOR_TOKEN,
      SECRET_KEY,
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      ...env,
      ...(workers ? { WORKERS: workers } : {}),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await isReady(env.PUBLIC_URL ?? '')
  return service
}

/** Resolves when the service accepts requests. */
export async function isReady(url: string, everyMs = 50): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += everyMs) {
    const ok = await fetch(`${url}/health/ready`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ok) return
    await pause(everyMs)
  }
  throw new Error('the service did not start')
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const receiverOf = (child: ChildProcess, url: string): BenchReceiver => ({
  url,
  report: () => request(child, 'report') as Promise<Received>,
  reset: async () => {
    await request(child, 'reset')
  },
})

/** The sandbox app of a new merchant. */
async function newApp(http: Pool): Promise<BenchApp> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_TOKEN}` }
  const body = JSON.stringify({ licenseName: 'Bench' })
  const reply = await http.request({ method: 'POST', path: '/api/licenses', headers, body })
  const { apps } = (await reply.body.json()) as { apps: AppKeys[] }
  return appOf(http, apps[0] ?? { appId: '', apiKey: '' })
}

function appOf(http: Pool, { appId, apiKey }: AppKeys): BenchApp {
  return {
    appId,
    apiKey,
    async call(method, path, sent) {
      const answer = await http.request({
        method,
        path: `/api/apps/${appId}${path}`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: sent ? JSON.stringify(sent) : null,
      })
      return { status: answer.statusCode, text: await answer.body.text() }
    },
  }
}
