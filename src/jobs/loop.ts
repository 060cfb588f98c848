import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { errorData } from '../base/log.ts'
import type { Due } from '../db/database.ts'
import type { Signals } from './signals.ts'

/** A background job: `runOnce` does what is due and says how many rows that were. */
export interface Job {
  readonly name: string
  readonly topic?: string
  readonly everyMs: number
  /** After work was found, what follows gathers for this long and is then done together. */
  readonly restMs?: number
  /** What there is to do. Where it is said, `runOnce` is spared looking for nothing; see look-store.ts. */
  readonly due?: readonly Due[]
  runOnce(): Promise<number>
  /** The same for one app only. Present where work can wait for a moment of an app's clock. */
  runFor?(appId: string): Promise<number>
}

/**
 * Who runs a job while it runs already waits for that run, does what is left, and counts both. So a caller
 * who is told that nothing was due knows that it is done, not that somebody else has only begun it.
 */
export function oneAtATime(job: Job): Job {
  let running: Promise<number> | undefined
  /** What was done before it was our turn, and by us. */
  async function inTurn(run: () => Promise<number>): Promise<{ before: number; ours: number }> {
    let before = 0
    while (running) before += await running.catch(() => 0)
    running = run()
    try {
      return { before, ours: await running }
    } finally {
      running = undefined
    }
  }
  const { runFor } = job
  return {
    ...job,
    async runOnce() {
      const { before, ours } = await inTurn(job.runOnce)
      return before + ours
    },
    ...(runFor && { runFor: async (appId: string) => (await inTurn(() => runFor(appId))).ours }),
  }
}

interface LoopContext {
  readonly clock: Clock
  readonly log: Log
  readonly signals: Signals
}

const FAILURE_PAUSE_MS = 1_000
/** Given as the reason; without one, each abort would make an error with its stack. */
const WOKEN = 'woken'

/** Runs each job for ever: again while there is work, else at its pace or when woken. */
export function startJobs(ctx: LoopContext, jobs: readonly Job[]): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loops = jobs.map((job) => loop(ctx, job, stopping.signal))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

async function loop(ctx: LoopContext, job: Job, stopping: AbortSignal): Promise<void> {
  let woken = new AbortController()
  const unsubscribe = ctx.signals.on(job.topic ?? job.name, () => woken.abort(WOKEN))
  while (!stopping.aborted) {
    woken = new AbortController()
    const { pauseMs, until } = await runSafely(ctx, job)
    if (pauseMs > 0)
      await ctx.clock.sleep(pauseMs, until === 'woken' ? AbortSignal.any([woken.signal, stopping]) : stopping)
  }
  unsubscribe()
}

interface Pause {
  readonly pauseMs: number
  /** What ends it early, beside a stop. */
  readonly until: 'woken' | 'over'
}

/** How long to pause afterwards. A job that throws is logged and tried again; it never ends the loop. */
async function runSafely(ctx: LoopContext, job: Job): Promise<Pause> {
  try {
    if ((await job.runOnce()) > 0) return { pauseMs: job.restMs ?? 0, until: 'over' }
    // At round times, so that the looks of all jobs meet.
    return { pauseMs: job.everyMs - (ctx.clock.now().getTime() % job.everyMs), until: 'woken' }
  } catch (error) {
    ctx.log.warn('job.failed', { job: job.name, ...errorData(error) })
    return { pauseMs: FAILURE_PAUSE_MS, until: 'woken' }
  }
}
