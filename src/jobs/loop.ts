import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { errorData } from '../base/log.ts'
import type { Signals } from './signals.ts'

/** A background job: `runOnce` does what is due and says how many rows that were. */
export interface Job {
  readonly name: string
  readonly topic?: string
  readonly everyMs: number
  runOnce(): Promise<number>
}

interface LoopContext {
  readonly clock: Clock
  readonly log: Log
  readonly signals: Signals
}

const FAILURE_PAUSE_MS = 1_000

/** Runs each job for ever: again at once while there is work, else at its pace or when woken. */
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
  const unsubscribe = ctx.signals.on(job.topic ?? job.name, () => woken.abort())
  while (!stopping.aborted) {
    woken = new AbortController()
    const pause = await runSafely(ctx, job)
    if (pause > 0) await ctx.clock.sleep(pause, AbortSignal.any([woken.signal, stopping]))
  }
  unsubscribe()
}

/** How long to pause afterwards. A job that throws is logged and tried again; it never ends the loop. */
async function runSafely(ctx: LoopContext, job: Job): Promise<number> {
  try {
    return (await job.runOnce()) > 0 ? 0 : job.everyMs
  } catch (error) {
    ctx.log.warn('job.failed', { job: job.name, ...errorData(error) })
    return FAILURE_PAUSE_MS
  }
}
