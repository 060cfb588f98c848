import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pause } from '../../support/service-process.ts'

/** The shop system as a process of its own. */
export interface HostProcess {
  readonly url: string
  start(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGSTOP and SIGCONT: requests to it wait, as in a shop that hangs. */
  suspend(): void
  resume(): void
  /** The last lines that it wrote. */
  output(): string
}

interface HostOptions {
  readonly url: string
  /** Arguments of node. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** A path that answers 2xx when the host takes requests. */
  readonly readyPath: string
}

/** The first start of a host writes its schema. */
const START_MS = 900_000
const KEPT_OUTPUT = 20_000

export function hostProcess({ url, args, cwd, env, readyPath }: HostOptions): HostProcess {
  let child: ChildProcess | undefined
  let text = ''
  const isUp = () =>
    fetch(`${url}${readyPath}`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  return {
    url,
    output: () => text,
    async start() {
      const started = spawn(process.execPath, args, {
        cwd,
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      const note = (chunk: Buffer) => {
        text = (text + chunk).slice(-KEPT_OUTPUT)
      }
      for (const stream of [started.stdout, started.stderr]) stream.on('data', note)
      const endMs = performance.now() + START_MS
      while (!(await isUp())) {
        if (started.exitCode !== null) throw new Error(`The host ended: ${text}`)
        if (performance.now() > endMs) throw new Error(`The host is not ready: ${text}`)
        await pause(100)
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    suspend: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
  }
}
