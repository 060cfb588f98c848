import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { freePort } from '../../src/net/free-port.ts'
import { type Usage, usageOf, usageOfTree } from './processes.ts'
import type { Received } from './receiver.ts'

/** The service as a process, its PostgreSQL and a merchant's server beside it, all on this machine. */
export interface Rig {
  readonly url: string
  readonly db: pg.Client
  readonly receiver: BenchReceiver
  newApp(): Promise<BenchApp>
  usage(): Record<'service' | 'postgres' | 'receiver', Usage>
  stop(): Promise<void>
}

export interface BenchApp {
  readonly appId: string
  readonly apiKey: string
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

const OPERATOR_TOKEN = 'operator-token-of-the-benchmarks'

export async function startRig(root: string): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'tender-bench-'))
  const embedded = await startEmbedded({ dataDir: folder })
  const { service, url } = await startServiceProcess(root, embedded.url)
  const child = fork(join(root, 'dist', 'bench', 'receiver.js'))
  const [port] = await once(child, 'message')
  // Whatever ends this process ends them too; PostgreSQL looks after itself.
  process.once('exit', () => {
    child.kill('SIGKILL')
    service.kill('SIGKILL')
  })
  const db = new pg.Client({ connectionString: embedded.url })
  await db.connect()
  const http = new Pool(url, { connections: 64 })
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  return {
    url,
    db,
    receiver: receiverOf(child, `http://127.0.0.1:${port}/hooks`),
    newApp: () => newApp(http),
    usage: () => ({
      service: usageOf(service.pid ?? 0),
      postgres: usageOfTree(postmaster),
      receiver: usageOf(child.pid ?? 0),
    }),
    async stop() {
      await http.close()
      await db.end()
      await ended(child)
      await ended(service)
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function startServiceProcess(root: string, databaseUrl: string) {
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const service = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: databaseUrl,
      OPERATOR_TOKEN,
      SECRET_KEY: 'a-secret-key-of-the-benchmarks-0123456789',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (let tries = 0; ; tries++) {
    if (
      await fetch(`${url}/health/ready`).then(
        (r) => r.ok,
        () => false,
      )
    )
      return { service, url }
    if (tries > 200) throw new Error('the service did not start')
    await pause(50)
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function receiverOf(child: ChildProcess, url: string): BenchReceiver {
  const ask = async (message: string) => {
    const answer = once(child, 'message')
    child.send(message)
    return (await answer)[0]
  }
  return {
    url,
    report: () => ask('report') as Promise<Received>,
    reset: async () => {
      await ask('reset')
    },
  }
}

/** The sandbox app of a new merchant. */
async function newApp(http: Pool): Promise<BenchApp> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_TOKEN}` }
  const body = JSON.stringify({ licenseName: 'Bench' })
  const reply = await http.request({ method: 'POST', path: '/api/licenses', headers, body })
  const { apps } = (await reply.body.json()) as { apps: { appId: string; apiKey: string }[] }
  const [{ appId, apiKey } = { appId: '', apiKey: '' }] = apps
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
