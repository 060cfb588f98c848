import { after } from '../base/clock.ts'
import { newLeaseToken } from '../base/ids.ts'
import type { Context } from '../context.ts'
import type { ClaimedWork } from '../db/work-rows.ts'
import type { Job } from '../jobs/loop.ts'
import { rowJob } from '../jobs/row-job.ts'
import { clearTables } from '../merchants/app-rows.ts'
import { loadApp } from '../merchants/directory.ts'
import { IMPORTING } from './commands.ts'
import type { Import } from './import.ts'
import { IMPORTS } from './limits.ts'
import { doChunks } from './run.ts'
import { importRows } from './store/imports.ts'

export const importJobs = (ctx: Context): Job[] => [importsJob(ctx), removalJob(ctx)]

/** Goes on with imports, some chunks of each in turn. */
const importsJob = (ctx: Context): Job =>
  rowJob<ClaimedWork<Import>>(ctx, {
    name: IMPORTING,
    everyMs: IMPORTS.everyMs,
    due: [importRows.due],
    caps: IMPORTS.atOnce,
    claim: (share) => {
      const now = ctx.clock.now()
      const token = newLeaseToken(ctx.random)
      return importRows.claim(ctx.db, { now, until: after(now, IMPORTS.leaseMs), token, share })
    },
    work: (claimed) => goOn(ctx, claimed),
    failed: (claimed) => importRows.retry(ctx.db, claimed, ctx.clock.now()),
  })

async function goOn(ctx: Context, claimed: ClaimedWork<Import>): Promise<void> {
  const app = await loadApp(ctx, claimed.appId)
  if (app && !(await doChunks(ctx, app, claimed, IMPORTS.chunksOfClaim))) return
  await importRows.release(ctx.db, claimed, ctx.clock.now())
  ctx.signals.wake(IMPORTING)
}

const removalJob = (ctx: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'import removal',
  everyMs: IMPORTS.removalEveryMs,
  due: [importRows.oldDue],
  runOnce: () => importRows.removeOld(ctx.db, ctx.clock.now(), IMPORTS.removalBatch),
})

export const clearMoving = clearTables(['import_problems', 'import_chunks', 'imports', 'past_payments'])
