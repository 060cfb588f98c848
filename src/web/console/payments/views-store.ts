import { type Queryable, sql } from '../../../db/database.ts'

export interface SavedView {
  readonly personId: string
  readonly name: string
  /** The query of the address: `state=Failed&columns=id`. */
  readonly query: string
  /** The whole team sees it. */
  readonly isShared: boolean
}

/** Views belong to one person in one app. */
export interface ViewOwner {
  readonly personId: string
  readonly appId: string
}

const MAX_VIEWS = 30

const LIST = sql<SavedView>(
  'console.views',
  `select person_id, name, query, is_shared from saved_views
   where app_id = $2 and (person_id = $1 or is_shared)
   order by person_id <> $1, name, person_id limit ${2 * MAX_VIEWS}`,
)

/** The person's own, then those of others that are shared. */
export const listViews = (db: Queryable, { personId, appId }: ViewOwner): Promise<SavedView[]> =>
  db.query(LIST, [personId, appId])

const SAVE = sql<{ name: string }>(
  'console.saveView',
  `insert into saved_views (person_id, app_id, name, query, created_time)
   select $1, $2, $3, $4, $5
   where (select count(*) from saved_views v where v.person_id = $1 and v.app_id = $2 and v.name <> $3)
     < ${MAX_VIEWS}
   on conflict (person_id, app_id, name) do update set query = excluded.query
   returning name`,
)

/** Replaces a view of the same name. False: the person has as many views as allowed. */
export async function saveView(
  db: Queryable,
  { personId, appId }: ViewOwner,
  { name, query }: Pick<SavedView, 'name' | 'query'>,
  now: Date,
): Promise<boolean> {
  return (await db.query(SAVE, [personId, appId, name, query, now])).length > 0
}

const REMOVE = sql<never>(
  'console.removeView',
  'delete from saved_views where person_id = $1 and app_id = $2 and name = $3',
)

export async function removeView(db: Queryable, { personId, appId }: ViewOwner, name: string): Promise<void> {
  await db.query(REMOVE, [personId, appId, name])
}

const SHARE = sql<never>(
  'console.shareView',
  'update saved_views set is_shared = $4 where person_id = $1 and app_id = $2 and name = $3',
)

export async function shareView(
  db: Queryable,
  { personId, appId }: ViewOwner,
  { name, isShared }: Pick<SavedView, 'name' | 'isShared'>,
): Promise<void> {
  await db.query(SHARE, [personId, appId, name, isShared])
}
