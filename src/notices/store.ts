import { ago, type Due, type Queryable, sql } from '../db/database.ts'
import { NOTICES } from './limits.ts'

/** A row of any kind. `data` belongs to the kind. */
export interface NoticeRow {
  readonly noticeId: string
  readonly kind: string
  readonly data: object
  readonly createdTime: Date
  readonly isRead: boolean
}

interface NewNotice {
  readonly appId: string
  readonly noticeId: string
  readonly kind: string
  readonly data: object
  readonly personId: string | null
  readonly causedBy: string | null
  readonly createdTime: Date
}

const INSERT = sql<never>(
  'notices.insert',
  `insert into notices (app_id, notice_id, kind, data, person_id, caused_by, created_time)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
)

/** The same occasion is written once. */
export async function insertNotice(db: Queryable, notice: NewNotice): Promise<void> {
  const { appId, noticeId, kind, data, personId, causedBy, createdTime } = notice
  const values = [appId, noticeId, kind, JSON.stringify(data), personId, causedBy, createdTime]
  await db.query(INSERT, values)
}

/** Whose notices: of an app, for a person, of the kinds that the role may open. */
export interface Reader {
  readonly appId: string
  readonly personId: string
  readonly kinds: readonly string[]
}

/** The newest ones. A count reads no more rows than this, however many there are. */
const NEWEST = `select n.app_id, n.notice_id, n.kind, n.data, n.created_time from notices n
  where n.app_id = $1 and n.kind = any ($3::text[]) and (n.person_id is null or n.person_id = $2)
    and n.caused_by is distinct from $2
  order by n.created_time desc, n.notice_id desc limit ${NOTICES.shown}`

const IS_READ = `exists (select from notice_reads r
  where r.app_id = n.app_id and r.notice_id = n.notice_id and r.person_id = $2)`

const LIST = sql<NoticeRow>(
  'notices.list',
  `select n.notice_id, n.kind, n.data, n.created_time, ${IS_READ} as is_read from (${NEWEST}) n
   order by n.created_time desc, n.notice_id desc`,
)

export const selectNotices = (db: Queryable, { appId, personId, kinds }: Reader): Promise<NoticeRow[]> =>
  db.query(LIST, [appId, personId, kinds])

const COUNT = sql<{ count: number }>(
  'notices.count',
  `select count(*)::int as count from (${NEWEST}) n where not ${IS_READ}`,
)

export const countUnread = async (db: Queryable, { appId, personId, kinds }: Reader): Promise<number> =>
  (await db.query(COUNT, [appId, personId, kinds]))[0]?.count ?? 0

const READ = sql<never>(
  'notices.read',
  `insert into notice_reads (app_id, notice_id, person_id)
   select n.app_id, n.notice_id, $2 from (${NEWEST}) n where $4::text is null or n.notice_id = $4
   on conflict do nothing`,
)

/** Marks one as read, or all that the person sees. */
export async function insertReads(
  db: Queryable,
  { appId, personId, kinds }: Reader,
  noticeId: string | undefined,
): Promise<void> {
  await db.query(READ, [appId, personId, kinds, noticeId ?? null])
}

export const oldNoticesDue: Due = (now) => `notices where created_time < ${ago(now, NOTICES.keptMs)}`

const REMOVE = sql<{ noticeId: string }>(
  'notices.remove',
  `delete from notices where (app_id, notice_id) in (
     select app_id, notice_id from ${oldNoticesDue('$1::timestamptz')} limit $2) returning notice_id`,
)

export const removeOld = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(REMOVE, [now, most])).length
