import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The service as users run it: a process of its own, reached over HTTP. */
export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  readonly child: ChildProcess
  /** Resolves with the exit code, null after a signal. */
  readonly exited: Promise<number | null>
  /** What it has written so far, to either stream. */
  output(): string
  /** Resolves when it takes requests; rejects when it ends first or takes too long. */
  ready(withinMs?: number): Promise<void>
  kill(signal?: NodeJS.Signals): Promise<void>
}

export interface ProcessOptions {
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  /** For node itself, before the program. */
  readonly nodeArgs?: readonly string[]
}

export const PROCESS_KEY = 'a secret key of at least thirty-two characters'
export const PROCESS_TOKEN = 'operator-token-of-the-test-processes'

const MAIN = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist', 'main.js')
const START_MS = 60_000

export function startProcess({ port, env, nodeArgs = [] }: ProcessOptions, main = MAIN): ServiceProcess {
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [...nodeArgs, main], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      OPERATOR_TOKEN: PROCESS_TOKEN,
      SECRET_KEY: PROCESS_KEY,
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    url,
    pid: child.pid ?? 0,
    child,
    exited,
    output: () => text,
    async ready(withinMs = START_MS) {
      const end = performance.now() + withinMs
      while (!(await isReady(url))) {
        if (child.exitCode !== null) throw new Error(`the service ended: ${text}`)
        if (performance.now() > end)
          throw new Error(`the service was not ready within ${withinMs} ms: ${text}`)
        await pause(25)
      }
    },
    async kill(signal = 'SIGKILL') {
      child.kill(signal)
      await exited
    },
  }
}

export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
