import cluster, { type Worker } from 'node:cluster'
import { type Clock, MINUTE, SECOND } from './base/clock.ts'
import type { Log } from './base/log.ts'
import { StartError } from './base/start-error.ts'

// Several processes on one port. The parent owns the embedded database, distributes connections and replaces
// children that end. Each child is a complete node on the parent's database.

/** The settings that the parent resolves for its children. */
export interface Assignment {
  readonly databaseUrl: string
  readonly port: number
  readonly publicUrl: string
  /** From 1. A replacement has the number of the process before it. */
  readonly worker: number
}

/** Sent by a child once it accepts requests. */
interface Started {
  readonly url: string
  readonly consoleUrl: string
  readonly firstRun?: { readonly appId: string; readonly apiKey: string }
}

export interface ToChild {
  readonly assignment?: Assignment
  /** Asks for the metrics; the number comes back with them. */
  readonly scrape?: number
  readonly stop?: true
}

export interface ToParent {
  /** The child receives messages from now on; messages sent while it loaded are lost. */
  readonly hello?: true
  readonly started?: Started
  readonly metrics?: { readonly scrape: number; readonly text: string }
}

interface WorkersOptions {
  readonly count: number
  readonly assignment: Omit<Assignment, 'worker'>
  /** The program that a child runs. */
  readonly program: string
  readonly clock: Clock
  readonly log: Log
}

interface Workers {
  readonly started: Started
  /** The metrics of each child that answers in time. */
  scrape(): Promise<string[]>
  /** Stops every child after its requests in flight. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = SECOND / 4
const LONGEST_PAUSE_MS = 30 * SECOND
/** When a child ran for this long, the pause before its replacement is short again. */
const SETTLED_MS = MINUTE

/** Decision 0075. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  cluster.setupPrimary({ exec: options.program })
  const stopping = new AbortController()
  const first = launch(options, 1, stopping.signal)
  // The first child starts alone: on an empty database, several would each create a demo licence.
  const started = await Promise.race([first.started, failedStart(first)])
  const rest = Array.from({ length: options.count - 1 }, (_, n) => launch(options, n + 2, stopping.signal))
  const kept = [first, ...rest].map((child) => keepRunning(options, child, stopping.signal))
  await Promise.all(rest.map((child) => Promise.race([child.started, child.ended])))
  return {
    started,
    async scrape() {
      const texts = await Promise.all(children().map((child) => scrapeChild(child, options.clock)))
      return texts.filter((text) => text !== undefined)
    },
    async stop() {
      stopping.abort()
      for (const child of children()) sendTo(child, { stop: true })
      await Promise.all(kept)
    },
  }
}

interface Child {
  readonly worker: number
  readonly pid: number | undefined
  readonly startMs: number
  readonly started: Promise<Started>
  /** Resolves with the reason. */
  readonly ended: Promise<string>
}

function launch({ assignment, clock }: WorkersOptions, number: number, stopping: AbortSignal): Child {
  const worker = cluster.fork()
  const started = new Promise<Started>((resolve) => {
    worker.on('message', (message: ToParent) => {
      // Started during the stop: there is nothing to finish.
      if (message.hello && stopping.aborted) worker.process.kill('SIGKILL')
      else if (message.hello) sendTo(worker, { assignment: { ...assignment, worker: number } })
      if (message.started) resolve(message.started)
    })
  })
  const ended = new Promise<string>((resolve) => {
    worker.on('error', (error) => resolve(error.message))
    worker.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  return { worker: number, pid: worker.process.pid, startMs: clock.now().getTime(), started, ended }
}

/** Replaces a child whenever it ends, with exponential backoff while children end soon after their start. */
async function keepRunning(options: WorkersOptions, first: Child, stopping: AbortSignal): Promise<void> {
  const { clock, log } = options
  let child = first
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const why = await child.ended
    if (stopping.aborted) return
    const livedMs = clock.now().getTime() - child.startMs
    pauseMs = livedMs >= SETTLED_MS ? FIRST_PAUSE_MS : pauseMs
    log.error('worker.ended', { pid: child.pid, why, livedMs, pauseMs })
    await clock.sleep(pauseMs, stopping)
    if (stopping.aborted) return
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    child = launch(options, child.worker, stopping)
  }
}

/** The child has printed the cause itself. */
async function failedStart(child: Child): Promise<never> {
  throw new StartError(`The first of the processes ended while it started (${await child.ended}).`)
}

/** Less than the time that Prometheus waits for all of them. */
const SCRAPE_MS = 5 * SECOND
let scrapes = 0

/** Undefined when the child does not answer in time. */
async function scrapeChild(child: Worker, clock: Clock): Promise<string | undefined> {
  const scrape = ++scrapes
  const over = new AbortController()
  let text: string | undefined
  const received = ({ metrics }: ToParent) => {
    if (metrics?.scrape !== scrape) return
    text = metrics.text
    over.abort()
  }
  child.on('message', received)
  sendTo(child, { scrape })
  await clock.sleep(SCRAPE_MS, over.signal)
  child.off('message', received)
  return text
}

const children = (): Worker[] => Object.values(cluster.workers ?? {}).filter((one) => one !== undefined)

/** Errors are ignored: a child that is ending needs no message. */
function sendTo(child: Worker, message: ToChild): void {
  if (child.isConnected()) child.send(message, () => {})
}
