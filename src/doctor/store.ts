import pg from 'pg'

const CONNECT_MS = 5_000

export interface ServerState {
  readonly version: string
  /** Names of applied migrations; undefined in a new database. */
  readonly migrations?: readonly string[]
  readonly isReplica: boolean
  /** How far a replica is behind; 0 for a primary. */
  readonly lagSeconds: number
  readonly time: Date
}

interface Row {
  readonly version: string
  readonly isReplica: boolean
  readonly lagSeconds: number
  readonly time: Date
  readonly hasMigrations: boolean
}

/** A replica that has replayed all that it received is not behind, whatever the time of the last change. */
const STATE = `select current_setting('server_version') as version, pg_is_in_recovery() as "isReplica",
  case when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
    else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8
  end as "lagSeconds",
  clock_timestamp() as time, to_regclass('migrations') is not null as "hasMigrations"`

export async function readServer(url: string): Promise<ServerState> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Row>(STATE)
    const [row] = rows
    if (!row) throw new Error('the server gave no answer')
    const applied = row.hasMigrations
      ? (await client.query<{ name: string }>('select name from migrations order by name')).rows
      : undefined
    return {
      version: row.version,
      ...(applied && { migrations: applied.map(({ name }) => name) }),
      isReplica: row.isReplica,
      lagSeconds: Math.round(row.lagSeconds),
      time: row.time,
    }
  } finally {
    client.end().catch(() => {})
  }
}
