import cluster, { type Worker } from 'node:cluster'
import { type Clock, MINUTE, SECOND } from './base/clock.ts'
import type { Log } from './base/log.ts'
import { StartError } from './base/start-error.ts'

// Several processes on one port. The first one started is the parent: it owns the embedded database, shares
// out connections and replaces children that end. Each child is a whole node on the parent's database.

/** What the parent has found out for its children. */
export interface Assignment {
  readonly databaseUrl: string
  readonly port: number
  readonly publicUrl: string
}

/** What a child says when it takes requests. */
interface Started {
  readonly url: string
  readonly firstRun?: { readonly appId: string; readonly apiKey: string }
}

export interface ToChild {
  readonly assignment?: Assignment
  readonly stop?: true
}

export interface ToParent {
  /** A child listens from now on: what was said before, while it loaded, it has not heard. */
  readonly hello?: true
  readonly started?: Started
}

interface WorkersOptions {
  readonly count: number
  readonly assignment: Assignment
  /** The program that a child runs. */
  readonly program: string
  readonly clock: Clock
  readonly log: Log
}

interface Workers {
  readonly started: Started
  /** Lets every child end what it has begun. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = SECOND / 4
const LONGEST_PAUSE_MS = 30 * SECOND
/** A child that lived this long was well: the next pause is short again. */
const SETTLED_MS = MINUTE

export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  cluster.setupPrimary({ exec: options.program })
  const stopping = new AbortController()
  const first = launch(options, stopping.signal)
  // Alone at first: of several on an empty database each would make a demo licence.
  const started = await Promise.race([first.started, failedStart(first)])
  const rest = Array.from({ length: options.count - 1 }, () => launch(options, stopping.signal))
  const kept = [first, ...rest].map((child) => keepRunning(options, child, stopping.signal))
  await Promise.all(rest.map((child) => Promise.race([child.started, child.ended])))
  return {
    started,
    async stop() {
      stopping.abort()
      for (const child of children()) tell(child, { stop: true })
      await Promise.all(kept)
    },
  }
}

interface Child {
  readonly pid: number | undefined
  readonly bornMs: number
  readonly started: Promise<Started>
  /** Says why. */
  readonly ended: Promise<string>
}

function launch({ assignment, clock }: WorkersOptions, stopping: AbortSignal): Child {
  const worker = cluster.fork()
  const started = new Promise<Started>((resolve) => {
    worker.on('message', (message: ToParent) => {
      // One born into the end has nothing to finish.
      if (message.hello && stopping.aborted) worker.process.kill('SIGKILL')
      else if (message.hello) tell(worker, { assignment })
      if (message.started) resolve(message.started)
    })
  })
  const ended = new Promise<string>((resolve) => {
    worker.on('error', (error) => resolve(error.message))
    worker.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  return { pid: worker.process.pid, bornMs: clock.now().getTime(), started, ended }
}

/** Puts another in its place whenever one ends; the pause grows while they end soon after their birth. */
async function keepRunning(options: WorkersOptions, first: Child, stopping: AbortSignal): Promise<void> {
  const { clock, log } = options
  let child = first
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const why = await child.ended
    if (stopping.aborted) return
    const livedMs = clock.now().getTime() - child.bornMs
    pauseMs = livedMs >= SETTLED_MS ? FIRST_PAUSE_MS : pauseMs
    log.error('worker.ended', { pid: child.pid, why, livedMs, pauseMs })
    await clock.sleep(pauseMs, stopping)
    if (stopping.aborted) return
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    child = launch(options, stopping)
  }
}

/** What is wrong it has said itself. */
async function failedStart(child: Child): Promise<never> {
  throw new StartError(`The first of the processes ended while it started (${await child.ended}).`)
}

const children = (): Worker[] => Object.values(cluster.workers ?? {}).filter((one) => one !== undefined)

/** A child that is just ending hears nothing, and need not. */
function tell(child: Worker, message: ToChild): void {
  if (child.isConnected()) child.send(message, () => {})
}
