import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { freePort } from '../../src/net/free-port.ts'
import { newDatabaseFolder } from '../support/folder.ts'
import { isReady, pause } from '../support/service-process.ts'
import { type FuzzResult, fuzz } from './fuzz.ts'
import type { MemoryUse } from './probe.ts'
import { failureText, tallyText } from './report.ts'

const OPERATOR_TOKEN = 'operator-token-of-the-seeded-requests'
const SECRET_KEY = 'secret-key-of-the-fuzz-run-0123456789abcdef'
/** Maximum growth of live memory after the first quarter of the requests, when caches are full. */
const MAX_LIVE_GROWTH_MB = 48
/** V8 releases memory late, so this only detects leaks outside its heap. */
const MAX_RSS_GROWTH_MB = 256
const MEMORY_ROUNDS = 5

interface FuzzArgs {
  readonly requests: number
  readonly seed: number
}

/** Runs `npm run fuzz` and returns the exit code. */
export async function runFuzz(root: string, args: FuzzArgs): Promise<number> {
  const folder = await newDatabaseFolder('tender-fuzz-')
  const embedded = await startEmbedded({ dataDir: folder, durable: false })
  const service = await startService(root, embedded.url)
  const kill = () => void service.child.kill('SIGKILL')
  process.once('exit', kill)
  try {
    return await runAgainst(service, embedded.url, args)
  } finally {
    await stopChild(service.child)
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Service {
  readonly url: string
  readonly child: ChildProcess
  output(): string
}

async function startService(root: string, databaseUrl: string): Promise<Service> {
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const flags = ['--expose-gc', '--import', join(root, 'dist', 'fuzz', 'probe.js')]
  const child = spawn(process.execPath, [...flags, join(root, 'dist', 'main.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: databaseUrl,
      OPERATOR_TOKEN,
      SECRET_KEY,
      RATE_LIMIT: '1000000',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`the service exited: ${text}`)
    await pause(50)
  }
  return { url, child, output: () => text }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** The minimum of several measurements: background work may still hold memory. */
async function memoryOf(child: ChildProcess): Promise<MemoryUse> {
  let least: MemoryUse | undefined
  for (let round = 0; round < MEMORY_ROUNDS; round++) {
    await pause(300)
    const reply = once(child, 'message')
    child.send('memory')
    const [use] = (await reply) as [MemoryUse]
    if (!least || use.liveMb < least.liveMb) least = use
  }
  return least as MemoryUse
}

async function runAgainst(
  { url, child, output }: Service,
  databaseUrl: string,
  { requests, seed }: FuzzArgs,
) {
  const began = performance.now()
  let warm: MemoryUse | undefined
  console.log(`seed ${seed}: ${requests} requests to ${url}`)
  const result = await fuzz({
    ...{ url, databaseUrl, operatorToken: OPERATOR_TOKEN, seed, requests },
    secrets: [OPERATOR_TOKEN, SECRET_KEY, databaseUrl],
    onProgress: (tally) => console.log(`${tallyText(tally)}, ${secondsSince(began)} s`),
    onWarm: async () => {
      warm = await memoryOf(child)
    },
  })
  const last = await memoryOf(child)
  const memory = memoryProblems(warm ?? last, last)
  for (const failure of result.found) {
    console.log(`\n${failureText(failure, seed)}`)
    const lines = output().split('\n')
    const cause = lines.find((line) => failure.requestId && line.includes(failure.requestId))
    if (cause) console.log(`  log: ${cause.slice(0, 1_500)}`)
  }
  for (const problem of [...result.disagreements, ...memory]) console.log(`\n${problem}`)
  return conclude(result, { seed, seconds: secondsSince(began), warm: warm ?? last, last, memory })
}

const secondsSince = (beganMs: number): string => ((performance.now() - beganMs) / 1_000).toFixed(0)

function memoryProblems(warm: MemoryUse, last: MemoryUse): string[] {
  const [live, rss] = [last.liveMb - warm.liveMb, last.rssMb - warm.rssMb]
  return [
    ...(live > MAX_LIVE_GROWTH_MB
      ? [`memory in use grew by ${live.toFixed(0)} MB, at most ${MAX_LIVE_GROWTH_MB}`]
      : []),
    ...(rss > MAX_RSS_GROWTH_MB
      ? [`resident memory grew by ${rss.toFixed(0)} MB, at most ${MAX_RSS_GROWTH_MB}`]
      : []),
  ]
}

interface Conclusion {
  readonly seed: number
  readonly seconds: string
  readonly warm: MemoryUse
  readonly last: MemoryUse
  readonly memory: readonly string[]
}

function conclude(result: FuzzResult, { seed, seconds, warm, last, memory }: Conclusion): number {
  const { found, disagreements, payments, missed, operations, failures } = result
  const use = ({ liveMb, rssMb }: MemoryUse) =>
    `${liveMb.toFixed(0)} MB in use, ${rssMb.toFixed(0)} MB resident`
  console.log(`\n${tallyText(result)}, ${seconds} s`)
  const never = missed.length === 0 ? '' : `; never: ${missed.join(', ')}`
  console.log(`${operations - missed.length} of ${operations} operations answered with success${never}`)
  console.log(`${payments} payments compared with answers and the bank: ${disagreements.length} differ`)
  console.log(`memory: ${use(warm)} after a quarter; ${use(last)} at the end`)
  const isGood = found.length === 0 && disagreements.length === 0 && memory.length === 0 && failures === 0
  console.log(isGood ? 'passed' : `failed; again: npm run fuzz -- --seed ${seed} --requests ${result.sent}`)
  return isGood ? 0 : 1
}
