import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { errorData } from '../base/log.ts'
import type { Due } from '../db/database.ts'
import type { Signals } from './signals.ts'

/** A background job: `runOnce` processes due rows and returns their number. */
export interface Job {
  readonly name: string
  readonly topic?: string
  readonly everyMs: number
  /** Pause after a run that found rows, so that rows that become due meanwhile are processed as one batch. */
  readonly restMs?: number
  /** The due rows. When given, `runOnce` is called only when there are some; see due-work-store.ts. */
  readonly due?: readonly Due[]
  /** Whether rows are unlikely to become due soon: the due rows are then checked once a second only. */
  isIdle?(): boolean
  runOnce(): Promise<number>
  /** The same for one app only. Present where rows become due by the app's clock. */
  runFor?(appId: string): Promise<number>
}

/**
 * Serialises the runs of a job. A call during a run waits for it, then runs again, and returns the sum of
 * both. So a result of 0 means that all work is done, not that another run is still in progress.
 */
export function oneAtATime(job: Job): Job {
  let running: Promise<number> | undefined
  /** Rows processed by runs waited for (`before`) and by this run (`ours`). */
  async function serialised(run: () => Promise<number>): Promise<{ before: number; ours: number }> {
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
      const { before, ours } = await serialised(job.runOnce)
      return before + ours
    },
    ...(runFor && { runFor: async (appId: string) => (await serialised(() => runFor(appId))).ours }),
  }
}

interface LoopContext {
  readonly clock: Clock
  readonly log: Log
  readonly signals: Signals
}

const FAILURE_PAUSE_MS = 1_000
/** Abort reason: without one, each abort creates an error with a stack trace. */
const WOKEN = 'woken'

/** Runs each job in a loop: at once while it finds rows, otherwise at its interval or when woken. */
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
  /** `woken`: a signal ends the pause early. */
  readonly until: 'woken' | 'over'
}

/** Returns the pause that follows. An error is logged and the job tried again; it never ends the loop. */
async function runSafely(ctx: LoopContext, job: Job): Promise<Pause> {
  try {
    if ((await job.runOnce()) > 0) return { pauseMs: job.restMs ?? 0, until: 'over' }
    // At multiples of the interval, so that the checks of all jobs fall into one batch.
    return { pauseMs: job.everyMs - (ctx.clock.now().getTime() % job.everyMs), until: 'woken' }
  } catch (error) {
    ctx.log.warn('job.failed', { job: job.name, ...errorData(error) })
    return { pauseMs: FAILURE_PAUSE_MS, until: 'woken' }
  }
}
