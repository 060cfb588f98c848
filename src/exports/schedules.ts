import { after } from '../base/clock.ts'
import { ApiError, invalid, notFound, wrongField } from '../base/errors.ts'
import { randomText } from '../base/ids.ts'
import { mistaken } from '../base/mistakes.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type App, appNow } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { loadApp } from '../merchants/directory.ts'
import {
  checkMayChange,
  checkMayExport,
  EXPORTING,
  mayExport,
  newExportId,
  readWanted,
  requesterOf,
  type Wanted,
} from './commands.ts'
import type { Schedule } from './export.ts'
import { EXPORTS } from './limits.ts'
import { readersOf } from './mails.ts'
import { periodEnd, periodStart, type SchedulePeriod } from './periods.ts'
import { exportRows, insertExport } from './store/exports.ts'
import {
  deleteSchedule,
  insertSchedule,
  listSchedules,
  lockDueSchedules,
  selectSchedule,
  updateSchedule,
} from './store/schedules.ts'

interface NewSchedule extends Wanted {
  readonly every: SchedulePeriod
  /** Ids of members who may read the export. */
  readonly recipients: readonly string[]
}

/** The first export is that of the current period, when it ends. */
export async function createSchedule(ctx: Context, app: App, wanted: NewSchedule): Promise<Schedule> {
  const { kind, every, recipients } = wanted
  checkMayExport(ctx, kind)
  if (kind === 'everything') throw invalid([mistaken('kind', 'wrong')])
  const schedule: Schedule = {
    appId: app.appId,
    scheduleId: `sch_${randomText(ctx.random, 16)}`,
    ...{ kind, every, recipients, isPaused: false },
    spec: readWanted(wanted),
    createdBy: requesterOf(ctx),
    createdTime: ctx.clock.now(),
    nextTime: periodEnd(appNow(ctx, app), every, app),
  }
  await checkRecipients(ctx, app, schedule)
  await ctx.db.transaction(async (tx) => {
    if (!(await insertSchedule(tx, schedule)))
      throw new ApiError('not_possible', `The app has ${EXPORTS.schedules} schedules. Remove one first.`)
    await note(ctx, tx, app, schedule, 'created')
  })
  return schedule
}

/** Who may not read an export gets no e-mail about it. */
async function checkRecipients(
  ctx: Context,
  app: App,
  { kind, recipients }: Pick<Schedule, 'kind' | 'recipients'>,
): Promise<void> {
  const readers = new Set((await readersOf(ctx, app, kind)).map(({ personId }) => personId))
  if (recipients.some((id) => !readers.has(id)))
    throw invalid([wrongField('recipients', `must be members who may export ${kind}`)])
}

const note = (
  ctx: Context,
  tx: Queryable,
  app: App,
  ...[{ scheduleId, kind, every, recipients, isPaused }, what]: readonly [Schedule, string]
): Promise<void> =>
  auditApp(ctx, tx, app, {
    action: `export-schedule.${what}`,
    target: `export-schedule:${scheduleId}`,
    after: { kind, every, recipients: recipients.join(' '), isPaused },
  })

/** Those that the actor may see, the oldest first. */
export async function schedulesOf(ctx: Context, { appId }: App): Promise<Schedule[]> {
  return (await listSchedules(ctx.db, appId)).filter(({ kind }) => mayExport(ctx, kind))
}

async function getSchedule(ctx: Context, { appId }: App, scheduleId: string): Promise<Schedule> {
  const found = await selectSchedule(ctx.db, appId, scheduleId)
  if (!found || !mayExport(ctx, found.kind)) throw notFound('The schedule')
  checkMayChange(ctx, found.createdBy)
  return found
}

interface Changes {
  readonly isPaused?: boolean | undefined
  readonly recipients?: readonly string[] | undefined
}

/** Periods that end during a pause are not exported. */
export async function changeSchedule(
  ctx: Context,
  app: App,
  scheduleId: string,
  changes: Changes,
): Promise<Schedule> {
  const found = await getSchedule(ctx, app, scheduleId)
  const { isPaused = found.isPaused, recipients = found.recipients } = changes
  if (changes.recipients) await checkRecipients(ctx, app, { kind: found.kind, recipients })
  const isResumed = found.isPaused && !isPaused
  const nextTime = isResumed ? periodEnd(appNow(ctx, app), found.every, app) : found.nextTime
  return ctx.db.transaction(async (tx) => {
    const changed = await updateSchedule(tx, found, { isPaused, nextTime, recipients })
    if (!changed) throw notFound('The schedule')
    await note(ctx, tx, app, changed, 'changed')
    return changed
  })
}

/** Exports that it has made stay. */
export async function removeSchedule(ctx: Context, app: App, scheduleId: string): Promise<void> {
  const found = await getSchedule(ctx, app, scheduleId)
  await ctx.db.transaction(async (tx) => {
    await deleteSchedule(tx, found)
    await note(ctx, tx, app, found, 'removed')
  })
}

/** Schedules of one transaction. */
const BATCH = 10

/**
 * Queues the exports of periods that have ended. The schedule is locked, and the database has one export for
 * each of its periods: several nodes make it once, also after a crash.
 */
export async function runSchedules(ctx: Context, appId?: string): Promise<number> {
  const count = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const due = await lockDueSchedules(tx, { now, most: BATCH, ...(appId !== undefined && { appId }) })
    for (const schedule of due) await queuePeriod(ctx, tx, schedule)
    return due.length
  })
  if (count > 0) ctx.signals.wake(EXPORTING)
  return count
}

async function queuePeriod(ctx: Context, tx: Queryable, schedule: Schedule): Promise<void> {
  const { appId, scheduleId, kind, every, spec } = schedule
  const app = await loadApp(ctx, appId)
  if (!app) return
  const { timeZone } = app
  const now = appNow(ctx, app)
  const oldest = after(now, -EXPORTS.catchUpMs)
  // After a change of the zone or of the months, the next time is inside a period. That one is exported when
  // it ends, and the one before it now: days may be in two files, and none is left out.
  const end = periodStart(schedule.nextTime < oldest ? oldest : schedule.nextTime, every, app)
  const from = periodStart(after(end, -1), every, app)
  await exportRows.trim(tx, appId)
  await insertExport(tx, {
    ...{ appId, kind, exportId: newExportId(ctx), leaseToken: null, requestedBy: schedule.createdBy },
    spec: { ...spec, timeZone, from: from.toISOString(), to: end.toISOString(), now: now.toISOString() },
    createdTime: ctx.clock.now(),
    dueTime: ctx.clock.now(),
    schedule: { scheduleId, periodStart: from },
  })
  await updateSchedule(tx, schedule, { ...schedule, nextTime: periodEnd(end, every, app) })
}
