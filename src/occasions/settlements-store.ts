import { type Queryable, sql } from '../db/database.ts'
import type { ExceptionName } from '../mail/kinds.ts'

export interface OpenedExceptions {
  readonly kind: ExceptionName
  readonly count: number
}

/** An exception that closed by itself in the meantime needs nothing. */
const OPENED = sql<OpenedExceptions>(
  'occasions.exceptions',
  `select e.kind, count(*)::integer as count from settlement_exceptions e
   where e.app_id = $1 and e.opened_time > $2 and e.opened_time <= $3 and e.closed_time is null
   group by e.kind order by 2 desc, 1`,
)

/** Exceptions of the app that were opened in a period and are open still. */
export const openedExceptions = (
  db: Queryable,
  appId: string,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<OpenedExceptions[]> => db.query(OPENED, [appId, from, until])

/** Reads in a row that failed: a single one may be an accident. */
const FAILED_READS = 2

const FAILING = sql<{ name: string }>(
  'occasions.sources',
  `select p.name from settlement_sources s
     join payment_profiles p on p.app_id = s.app_id and p.profile_id = s.profile_id
   where s.app_id = $1 and s.is_active and s.problem is not null and s.tries >= ${FAILED_READS}
   order by s.profile_id limit $2`,
)

/** The names of profiles whose settlements cannot be read. */
export const failingSources = async (db: Queryable, appId: string, limit: number): Promise<string[]> =>
  (await db.query(FAILING, [appId, limit])).map(({ name }) => name)
