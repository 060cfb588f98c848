import { type Queryable, sql } from '../db/database.ts'
import type { Job } from '../jobs/loop.ts'
import type { Diagnosis } from '../merchants/profiles/diagnosis.ts'

/** Rows of a queue are counted up to this. */
export const MAX_COUNTED = 1_000
const MAX_APPS = 1_000
const MAX_TABLES = 8
const MAX_TROUBLES = 50

interface Queue {
  readonly job: string
  /** Rows that are due now, counted up to `MAX_COUNTED`. */
  readonly depth: number
  /** Null: none is due, or its rows have no time of their own. */
  readonly oldest: Date | null
}

export type ReadQueues = (db: Queryable, now: Date) => Promise<Queue[]>

/** One statement for the queues of all jobs. */
export function queueReader(jobs: readonly Job[]): ReadQueues {
  const texts = jobs.flatMap(queueText)
  if (texts.length === 0) return async () => []
  const statement = sql<Queue>('system.queues', texts.join('\nunion all '))
  return (db, now) => db.query(statement, [now])
}

function queueText({ name, due = [] }: Job): string[] {
  if (due.length === 0) return []
  const rows = due.map((rowsAt) => rowsAt('$1::timestamptz'))
  const counts = rows.map((text) => `(select count(*) from (select from ${text} limit ${MAX_COUNTED}) x)`)
  const timed = rows.filter((text) => text.includes('due_time'))
  const times = timed.map((text) => `(select due_time from ${text} order by due_time limit 1)`)
  const oldest = times.length > 0 ? `least(${times.join(', ')})` : 'null::timestamptz'
  return [`select '${name}' as job, (${counts.join(' + ')})::integer as depth, ${oldest} as oldest`]
}

const PING = sql<{ time: Date }>('system.ping', 'select clock_timestamp() as time')

export const databaseTime = async (db: Queryable): Promise<Date | undefined> =>
  (await db.query(PING))[0]?.time

interface DatabaseFacts {
  readonly version: string
  readonly bytes: number
  readonly connections: number
  readonly mostConnections: number
  readonly migration: string
  readonly migrationCount: number
  readonly migratedTime: Date
}

const DATABASE = sql<DatabaseFacts>(
  'system.database',
  `select current_setting('server_version') as version,
     pg_database_size(current_database()) as bytes,
     (select count(*)::integer from pg_stat_activity where datname = current_database()) as connections,
     current_setting('max_connections')::integer as most_connections,
     m.name as migration, m.applied_time as migrated_time,
     (select count(*)::integer from migrations) as migration_count
   from (select name, applied_time from migrations order by name desc limit 1) m`,
)

export const databaseFacts = async (db: Queryable): Promise<DatabaseFacts | undefined> =>
  (await db.query(DATABASE))[0]

interface TableFacts {
  readonly name: string
  readonly rows: number
  readonly bytes: number
}

/** From the statistics of the planner: nothing is counted. */
const TABLES = sql<TableFacts>(
  'system.tables',
  // Tables of the service have no prefix; those of the sandbox's bank have its schema.
  `select case n.nspname when current_schema() then '' else n.nspname || '.' end || c.relname as name,
     greatest(c.reltuples, 0)::bigint as rows,
     c.relpages::bigint * current_setting('block_size')::bigint as bytes
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
   order by c.relpages desc, c.relname limit ${MAX_TABLES}`,
)

export const largestTables = (db: Queryable): Promise<TableFacts[]> => db.query(TABLES)

interface ReplicaFacts {
  readonly isReplica: boolean
  readonly lagMs: number | null
}

const REPLICA = sql<ReplicaFacts>(
  'system.replica',
  `select pg_is_in_recovery() as is_replica,
     (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float as lag_ms`,
)

export const replicaState = async (replica: Queryable): Promise<ReplicaFacts | undefined> =>
  (await replica.query(REPLICA))[0]

interface WebhookBacklog {
  readonly ready: number
  readonly lagMs: number | null
}

/**
 * The oldest webhook of each app by an index, and those that are being sent. `queued_time` is the app's own
 * time.
 */
const WEBHOOKS = sql<WebhookBacklog>(
  'system.webhooks',
  `select
     (select count(*)::integer from (
        select from deliveries where status = 'ready'
        union all
        select from deliveries where lease_token is not null limit ${MAX_COUNTED}) x) as ready,
     (select max(extract(epoch from
        $1::timestamptz + d.clock_offset_ms * interval '1 millisecond' - d.queued_time) * 1000)::float
      from (
        select a.clock_offset_ms, d.queued_time
        from (select app_id, clock_offset_ms from apps order by app_id limit ${MAX_APPS}) a
        cross join lateral (
          select queued_time from deliveries
          where app_id = a.app_id and due_time is not null and lease_token is null
          order by queued_time limit 1) d
        union all
        select a.clock_offset_ms, l.queued_time from (
          select app_id, queued_time from deliveries where lease_token is not null limit ${MAX_COUNTED}) l
        join apps a on a.app_id = l.app_id) d) as lag_ms`,
)

export const webhookLag = async (db: Queryable, now: Date): Promise<WebhookBacklog | undefined> =>
  (await db.query(WEBHOOKS, [now]))[0]

interface ProfileTrouble {
  readonly appId: string
  readonly appName: string
  readonly profileName: string
  readonly provider: string
  readonly diagnosis: Diagnosis
  readonly failures: number
  readonly dueTime: Date
}

const TROUBLES = sql<ProfileTrouble>(
  'system.troubles',
  `select h.app_id, a.friendly_name as app_name, p.name as profile_name, p.provider, h.diagnosis, h.failures,
     h.due_time
   from (select * from profile_health order by app_id, profile_id limit ${MAX_TROUBLES}) h
   join apps a on a.app_id = h.app_id
   join payment_profiles p on p.app_id = h.app_id and p.profile_id = h.profile_id
   order by h.app_id, h.profile_id`,
)

export const profilesInTrouble = (db: Queryable): Promise<ProfileTrouble[]> => db.query(TROUBLES)
