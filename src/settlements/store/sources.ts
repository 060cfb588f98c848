import { type Due, type Queryable, sql } from '../../db/database.ts'
import { fairClaim, type Share } from '../../db/fair-claim.ts'
import { SETTLEMENTS } from '../limits.ts'
import type { ProfileKey } from './reports.ts'

/** Times are of the app. */
export interface SettlementSource extends ProfileKey {
  readonly isActive: boolean
  readonly beginTime: Date
  readonly coveredUntil: Date | null
  readonly readUntil: Date | null
  readonly windowUntil: Date | null
  readonly pageCursor: string | null
  readonly tries: number
  readonly dueTime: Date | null
  readonly leaseToken: string | null
  readonly lastReadTime: Date | null
  readonly problem: SourceProblem | null
}

/** Why the last read failed. */
interface SourceProblem {
  readonly code: string
  /** What the provider said about it. */
  readonly message?: string
}

const COLUMNS = `app_id, profile_id, is_active, begin_time, covered_until, read_until, window_until,
  page_cursor, tries, due_time, lease_token, last_read_time, problem`

const OF_APP = sql<SettlementSource>(
  'settlements.sources',
  `select ${COLUMNS} from settlement_sources where app_id = $1 order by profile_id`,
)

export const sourcesOf = (db: Queryable, appId: string): Promise<SettlementSource[]> =>
  db.query(OF_APP, [appId])

/** Lines after `unpaid_until` are checked: also the first line itself, and an older one that comes late. */
const ENSURE = sql<{ isNew: boolean }>(
  'settlements.ensureSource',
  `insert into settlement_sources as s (app_id, profile_id, is_active, begin_time, unpaid_until)
   values ($1, $2, false, $3, $3::timestamptz - interval '1 millisecond')
   on conflict (app_id, profile_id) do update set unpaid_until = excluded.unpaid_until
   where s.unpaid_until > excluded.unpaid_until
   returning xmax = 0 as is_new`,
)

/** Whether the source is new. It is not read until it is turned on. */
export async function ensureSource(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  begin: Date,
): Promise<boolean> {
  return (await tx.query(ENSURE, [appId, profileId, begin])).some(({ isNew }) => isNew)
}

const LOCK = sql<never>(
  'settlements.lockSource',
  'select from settlement_sources where app_id = $1 and profile_id = $2 for no key update',
)

/** Reports of a profile are written one after the other: two with the same lines would block each other. */
export async function lockSource(tx: Queryable, { appId, profileId }: ProfileKey): Promise<void> {
  await tx.query(LOCK, [appId, profileId])
}

const SWITCH = sql<never>(
  'settlements.switchSource',
  `update settlement_sources set is_active = $3, due_time = case when $3 then $4::timestamptz end, tries = 0,
     problem = null
   where app_id = $1 and profile_id = $2`,
)

export async function switchSource(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  isActive: boolean,
  due: Date,
): Promise<void> {
  await tx.query(SWITCH, [appId, profileId, isActive, due])
}

const COVER = sql<never>(
  'settlements.cover',
  `update settlement_sources set covered_until = greatest(covered_until, $3)
   where app_id = $1 and profile_id = $2`,
)

/** Lines up to this time have come. */
export async function coverUntil(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  until: Date,
): Promise<void> {
  await tx.query(COVER, [appId, profileId, until])
}

/** Due by the app's clock. Sources are few: one for each profile. */
export const sourcesDue: Due = (now) =>
  `settlement_sources where is_active and due_time <= ${now} + interval '1 millisecond' * (
     select a.clock_offset_ms from apps a where a.app_id = settlement_sources.app_id)`

const CLAIM = sql<SettlementSource>(
  'settlements.claimSources',
  `update settlement_sources s set lease_token = $3,
     due_time = $4::timestamptz + a.clock_offset_ms * interval '1 millisecond'
   from apps a
   where a.app_id = s.app_id and (s.app_id, s.profile_id) in (
     select app_id, profile_id
     from (${fairClaim({ rows: sourcesDue('$1::timestamptz'), key: 'app_id, profile_id' })}) claimed)
   returning ${COLUMNS.split(', ')
     .map((name) => `s.${name.trim()}`)
     .join(', ')}`,
)

export const claimSources = (
  db: Queryable,
  lease: { readonly now: Date; readonly until: Date; readonly token: string; readonly share: Share },
): Promise<SettlementSource[]> =>
  db.query(CLAIM, [lease.now, JSON.stringify(lease.share), lease.token, lease.until])

export interface SourceProgress {
  readonly readUntil: Date | null
  readonly windowUntil: Date | null
  readonly pageCursor: string | null
  readonly coveredUntil: Date | null
  readonly lastReadTime: Date | null
  readonly tries: number
  readonly problem: SourceProblem | null
  readonly dueTime: Date
}

const SAVE = sql<{ profileId: number }>(
  'settlements.saveSource',
  `update settlement_sources set read_until = $4, window_until = $5, page_cursor = $6,
     covered_until = greatest(covered_until, $7), last_read_time = $8, tries = $9, problem = $10,
     due_time = case when is_active then $11::timestamptz end
   where app_id = $1 and profile_id = $2 and lease_token = $3 returning profile_id`,
)

/** False: the lease is lost. */
export async function saveSource(
  db: Queryable,
  { appId, profileId, leaseToken }: SettlementSource,
  progress: SourceProgress,
): Promise<boolean> {
  const { readUntil, windowUntil, pageCursor, coveredUntil, lastReadTime, tries, problem, dueTime } = progress
  const state = [readUntil, windowUntil, pageCursor, coveredUntil, lastReadTime, tries]
  const more = [problem && JSON.stringify(problem), dueTime]
  return (await db.query(SAVE, [appId, profileId, leaseToken, ...state, ...more])).length > 0
}

/** Sources with payments for which a line is missing by now. */
export const missingDue: Due = (now) =>
  `settlement_sources s join apps a using (app_id) where exists (
     select from settlement_states t where t.app_id = s.app_id and t.profile_id = s.profile_id
       and t.due_time <= least(s.covered_until, ${now} + a.clock_offset_ms * interval '1 millisecond'))`

const WITH_MISSING = sql<ProfileKey>(
  'settlements.sourcesWithMissing',
  `select s.app_id, s.profile_id from ${missingDue('$1::timestamptz')}`,
)

export const sourcesWithMissing = (db: Queryable, now: Date): Promise<ProfileKey[]> =>
  db.query(WITH_MISSING, [now])

/** Sources with lines that are old enough to be in a payout and were not checked yet. */
export const unpaidDue: Due = (now) =>
  `settlement_sources s join apps a using (app_id) where exists (
     select from settlement_lines l where l.app_id = s.app_id and l.line_time > s.unpaid_until
       and l.line_time <= ${now} + a.clock_offset_ms * interval '1 millisecond'
         - interval '${SETTLEMENTS.unpaidDays} days')`

const WITH_UNPAID = sql<ProfileKey>(
  'settlements.sourcesWithUnpaid',
  `select s.app_id, s.profile_id from ${unpaidDue('$1::timestamptz')}`,
)

export const sourcesWithUnpaid = (db: Queryable, now: Date): Promise<ProfileKey[]> =>
  db.query(WITH_UNPAID, [now])
