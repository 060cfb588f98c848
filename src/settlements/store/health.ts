import { type Queryable, sql } from '../../db/database.ts'
import type { ExceptionKind } from './exceptions.ts'

type Mode = 'live' | 'sandbox'

const MODE = `case when a.is_sandbox then 'sandbox' else 'live' end as mode`
/** Times of settlements are of the app. */
const APP_NOW = `($1::timestamptz + a.clock_offset_ms * interval '1 millisecond')`
const MOST_COUNTED = 10_000

interface OpenExceptions {
  readonly kind: ExceptionKind
  readonly mode: Mode
  readonly open: number
  readonly oldestSeconds: number
}

/** The oldest are counted, so the age is right also where there are more. */
const OPEN = sql<OpenExceptions>(
  'settlements.openByKind',
  `select e.kind, ${MODE}, count(*)::integer as open,
     max(extract(epoch from ${APP_NOW} - e.opened_time))::float as oldest_seconds
   from (
     select app_id, kind, opened_time from settlement_exceptions where closed_time is null
     order by opened_time limit ${MOST_COUNTED}) e
     join apps a on a.app_id = e.app_id
   group by 1, 2`,
)

export const openByKind = (db: Queryable, now: Date): Promise<OpenExceptions[]> => db.query(OPEN, [now])

interface SourceHealth {
  readonly provider: string
  readonly mode: Mode
  readonly failing: number
  /** Since the end of what was read. */
  readonly lagSeconds: number
}

/** Only sources that are read; files come when a person sends them. */
const SOURCES = sql<SourceHealth>(
  'settlements.sourcesByProvider',
  `select p.provider, ${MODE}, count(*) filter (where s.problem is not null)::integer as failing,
     max(extract(epoch from ${APP_NOW} - coalesce(s.read_until, s.begin_time)))::float as lag_seconds
   from settlement_sources s
     join payment_profiles p on p.app_id = s.app_id and p.profile_id = s.profile_id
     join apps a on a.app_id = s.app_id
   where s.is_active and a.is_active group by 1, 2`,
)

export const sourcesByProvider = (db: Queryable, now: Date): Promise<SourceHealth[]> =>
  db.query(SOURCES, [now])
