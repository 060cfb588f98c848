import { type Due, type Queryable, sql } from '../../db/database.ts'
import type { ExportChoice, Schedule } from '../export.ts'
import type { ExportKind } from '../kinds.ts'
import { EXPORTS } from '../limits.ts'

const COLUMNS = `app_id, schedule_id, kind, every, spec, recipients, is_paused, created_by, created_time,
  next_time`

const INSERT = sql<{ scheduleId: string }>(
  'exports.insertSchedule',
  `insert into export_schedules (${COLUMNS})
   select $1, $2, $3, $4, $5, $6, false, $7, $8, $9
   where (select count(*) from export_schedules where app_id = $1) < ${EXPORTS.schedules}
   returning schedule_id`,
)

/** False: the app has as many as it may have. */
export async function insertSchedule(tx: Queryable, schedule: Schedule): Promise<boolean> {
  const { appId, scheduleId, kind, every, spec, recipients, createdBy, createdTime, nextTime } = schedule
  const what = [appId, scheduleId, kind, every, JSON.stringify(spec), recipients]
  return (await tx.query(INSERT, [...what, JSON.stringify(createdBy), createdTime, nextTime])).length > 0
}

const LIST = sql<Schedule>(
  'exports.schedules',
  `select ${COLUMNS} from export_schedules where app_id = $1 order by created_time, schedule_id`,
)

export const listSchedules = (db: Queryable, appId: string): Promise<Schedule[]> => db.query(LIST, [appId])

const FIND = sql<Schedule>(
  'exports.schedule',
  `select ${COLUMNS} from export_schedules where app_id = $1 and schedule_id = $2`,
)

export const selectSchedule = async (
  db: Queryable,
  appId: string,
  scheduleId: string,
): Promise<Schedule | undefined> => (await db.query(FIND, [appId, scheduleId]))[0]

const CHANGE = sql<Schedule>(
  'exports.changeSchedule',
  `update export_schedules set is_paused = $3, next_time = $4, recipients = $5
   where app_id = $1 and schedule_id = $2
   returning ${COLUMNS}`,
)

export type ScheduleChange = Pick<Schedule, 'isPaused' | 'nextTime' | 'recipients'>

export async function updateSchedule(
  tx: Queryable,
  { appId, scheduleId }: Schedule,
  { isPaused, nextTime, recipients }: ScheduleChange,
): Promise<Schedule | undefined> {
  return (await tx.query(CHANGE, [appId, scheduleId, isPaused, nextTime, recipients]))[0]
}

const REMOVE = sql<never>(
  'exports.removeSchedule',
  'delete from export_schedules where app_id = $1 and schedule_id = $2',
)

export async function deleteSchedule(tx: Queryable, { appId, scheduleId }: Schedule): Promise<void> {
  await tx.query(REMOVE, [appId, scheduleId])
}

/** Due by the app's clock, a minute after the end of the period. */
export const schedulesDue: Due = (now) =>
  `export_schedules where not is_paused and next_time + ${EXPORTS.graceMs} * interval '1 millisecond' <=
     ${now} + interval '1 millisecond' * (
       select a.clock_offset_ms from apps a where a.app_id = export_schedules.app_id)`

const LOCK_DUE = sql<Schedule>(
  'exports.lockDueSchedules',
  `select ${COLUMNS} from ${schedulesDue('$1::timestamptz')} and ($2::text is null or app_id = $2)
   order by next_time limit $3 for update skip locked`,
)

/** Locked until the transaction ends, so that one node makes the export of a period. */
export const lockDueSchedules = (
  tx: Queryable,
  { now, appId, most }: { readonly now: Date; readonly appId?: string; readonly most: number },
): Promise<Schedule[]> => tx.query(LOCK_DUE, [now, appId ?? null, most])

const CHOICE = sql<{ choice: unknown }>(
  'exports.choice',
  'select choice from export_choices where app_id = $1 and person_id = $2 and kind = $3',
)

interface Chooser {
  readonly appId: string
  readonly personId: string
  readonly kind: ExportKind
}

export const selectChoice = async (
  db: Queryable,
  { appId, personId, kind }: Chooser,
): Promise<ExportChoice | undefined> =>
  (await db.query(CHOICE, [appId, personId, kind]))[0]?.choice as ExportChoice | undefined

const SAVE_CHOICE = sql<never>(
  'exports.saveChoice',
  `insert into export_choices (app_id, person_id, kind, choice) values ($1, $2, $3, $4)
   on conflict (app_id, person_id, kind) do update set choice = excluded.choice`,
)

export async function saveChoice(
  tx: Queryable,
  { appId, personId, kind }: Chooser,
  choice: ExportChoice,
): Promise<void> {
  await tx.query(SAVE_CHOICE, [appId, personId, kind, JSON.stringify(choice)])
}
