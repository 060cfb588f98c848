import { ago, type Due, type Queryable, sql } from './database.ts'
import { backOff, fairClaim, type Pauses, type Share } from './fair-claim.ts'

/** A table of background work: a worker leases a row and does it piece by piece. */
interface WorkTable {
  readonly table: string
  /** Of a row, beside `app_id`. */
  readonly id: string
  readonly columns: readonly string[]
  /** Rows that an app keeps, and for how long after their end. */
  readonly kept: number
  readonly keptMs: number
  readonly pauses: Pauses
  /** What else a retry sets. */
  readonly onRetry?: string
}

interface WorkRow {
  readonly appId: string
  readonly leaseToken: string | null
}

interface WorkLease {
  readonly now: Date
  readonly until: Date
  readonly token: string
  readonly share: Share
}

/** A row that a worker has claimed. It belongs to no profile. */
export type ClaimedWork<Row> = Row & { readonly profileId: null }

/**
 * What such tables have in common. A row with a `due_time` has not ended, and a worker that has lost its
 * lease changes nothing.
 */
export function workRows<Row extends WorkRow>(work: WorkTable, idOf: (row: Row) => string) {
  const { table, keptMs, kept } = work
  const due: Due = (now) => `${table} where due_time <= ${now}`
  const oldDue: Due = (now) => `${table} where ended_time < ${ago(now, keptMs)}`
  const { find, list, trim, removeOld } = keeping<Row>(work, oldDue('$1::timestamptz'))
  const { claim, release, retry } = leasing<Row>(work, due('$1'))
  const keyOf = (row: Row) => [row.appId, idOf(row), row.leaseToken]
  return {
    due,
    /** Ended longer ago than they are kept. */
    oldDue,
    find: async (db: Queryable, appId: string, id: string): Promise<Row | undefined> =>
      (await db.query(find, [appId, id]))[0],
    /** The newest first. */
    list: (db: Queryable, appId: string): Promise<Row[]> => db.query(list, [appId, kept]),
    /** Makes room for one more: removes ended rows beyond those that an app keeps. */
    trim: (tx: Queryable, appId: string): Promise<unknown> => tx.query(trim, [appId, kept - 1]),
    removeOld: async (db: Queryable, now: Date, most: number): Promise<number> =>
      (await db.query(removeOld, [now, most]))[0]?.count ?? 0,
    claim: (db: Queryable, { now, until, token, share }: WorkLease): Promise<ClaimedWork<Row>[]> =>
      db.query(claim, [now, JSON.stringify(share), until, token]),
    /** The next claim goes on with it. */
    release: (db: Queryable, row: Row, now: Date): Promise<unknown> =>
      db.query(release, [...keyOf(row), now]),
    /** Repeats the piece later, at `earliest` at the soonest. */
    retry: (db: Queryable, row: Row, now: Date, earliest = now): Promise<unknown> =>
      db.query(retry, [...keyOf(row), now, earliest]),
  }
}

function keeping<Row>({ table, id, columns }: WorkTable, old: string) {
  const names = columns.join(', ')
  const newest = (what: string) =>
    `select ${what} from ${table} where app_id = $1 order by created_time desc, ${id} desc`
  return {
    find: sql<Row>(`${table}.find`, `select ${names} from ${table} where app_id = $1 and ${id} = $2`),
    list: sql<Row>(`${table}.list`, `${newest(names)} limit $2`),
    trim: sql<never>(
      `${table}.trim`,
      `delete from ${table} where app_id = $1 and ended_time is not null and ${id} in (
         ${newest(id)} offset $2)`,
    ),
    removeOld: sql<{ count: number }>(
      `${table}.remove_old`,
      `with gone as (
         delete from ${table} where ctid = any (array(select ctid from ${old} limit $2)) returning 1)
       select count(*)::integer as count from gone`,
    ),
  }
}

function leasing<Row>({ table, id, columns, pauses, onRetry = '' }: WorkTable, due: string) {
  const held = `app_id = $1 and ${id} = $2 and lease_token = $3 and due_time is not null`
  const claimed = fairClaim({ rows: due, key: `app_id, ${id}`, profile: 'null::text' })
  return {
    claim: sql<ClaimedWork<Row>>(
      `${table}.claim`,
      `with due as (${claimed})
       update ${table} w set due_time = $3, lease_token = $4, state = 'running' from due
       where w.app_id = due.app_id and w.${id} = due.${id}
       returning null as profile_id, ${columns.map((name) => `w.${name}`).join(', ')}`,
    ),
    release: sql<never>(
      `${table}.release`,
      `update ${table} set due_time = $4, lease_token = null where ${held}`,
    ),
    retry: sql<never>(
      `${table}.retry`,
      `update ${table} set tries = tries + 1, lease_token = null, ${onRetry}
         due_time = greatest(${backOff('$4', 'tries', pauses)}, $5::timestamptz)
       where ${held}`,
    ),
  }
}
