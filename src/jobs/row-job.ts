import { LIMITS } from '../base/limits.ts'
import { errorData, type Log } from '../base/log.ts'
import { inSpan, type Tracer } from '../base/tracing/tracer.ts'
import type { Due } from '../db/database.ts'
import type { Share } from '../db/fair-claim.ts'
import type { Background } from './background.ts'
import type { Job } from './loop.ts'
import { type Caps, createShares, type Owner } from './shares.ts'
import type { Signals } from './signals.ts'

interface RowJobContext {
  readonly log: Log
  readonly signals: Signals
  readonly background: Background
  readonly tracer?: Tracer
}

interface RowWork<Row extends Owner> {
  readonly name: string
  readonly everyMs: number
  readonly due: readonly Due[]
  /** Rows in progress at once; absent: those of work that calls providers. */
  readonly caps?: Caps
  /** Leases due rows within the share. */
  claim(share: Share): Promise<Row[]>
  work(row: Row): Promise<unknown>
  /** Called when `work` threw: schedules the retry. Absent: the claim has set its time. */
  failed?(row: Row): Promise<unknown>
}

/**
 * A job whose rows call providers or other servers. A run claims rows and starts their work without waiting
 * for it, so a provider that hangs uses only the share of its own profile and app. Decision 0097.
 */
export function rowJob<Row extends Owner>(ctx: RowJobContext, rowWork: RowWork<Row>): Job {
  const { name, everyMs, due, claim, caps = LIMITS.jobRows } = rowWork
  const shares = createShares(caps)

  async function begin(row: Row): Promise<void> {
    shares.add(row)
    try {
      await inSpan(ctx.tracer, { name: `row of ${name}` }, () => workSafely(ctx, rowWork, row))
    } finally {
      if (shares.release(row)) ctx.signals.wake(name)
    }
  }

  async function start(share: Share): Promise<number> {
    if (share.limit <= 0) return 0
    const rows = await claim(share)
    for (const row of rows) ctx.background.keep(name, begin(row), row.appId)
    return rows.length
  }

  return {
    name,
    everyMs,
    due,
    runOnce: () => start(shares.share()),
    runFor: (appId) => start(shareOf(appId, caps)),
  }
}

/** Ignores work in progress: the caller waits for the app's work between two claims. */
const shareOf = (appId: string, { perApp }: Caps): Share => {
  return { limit: perApp, perApp, perProfile: perApp, profiles: {}, apps: {}, app: appId }
}

/** An error of one row is logged; it ends neither the job nor the work on other rows. */
async function workSafely<Row extends Owner>(
  { log }: RowJobContext,
  { name, work, failed }: RowWork<Row>,
  row: Row,
): Promise<void> {
  try {
    await work(row)
  } catch (error) {
    log.warn('job.row_failed', { job: name, appId: row.appId, ...errorData(error) })
    await failed?.(row)
  }
}
