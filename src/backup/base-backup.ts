import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { StartError } from '../base/start-error.ts'
import type { ArchiveEntry } from './archive.ts'
import { bytesEntry, clusterEntries, fileEntry } from './cluster-files.ts'

/** The cluster's place in an archive. */
export const CLUSTER = 'postgres'

/** Keeps the WAL since the start of the backup; it ends with the connection. */
const RESERVE_WAL = `select pg_create_physical_replication_slot(
  'tender_backup_' || pg_backend_pid(), true, true)`
const START = `select pg_backup_start('tender', true)`
/** The byte before the end is in the last segment that is needed, also when another begins at the end. */
const STOP = `select labelfile as label, spcmapfile as tablespaces, pg_walfile_name(lsn - 1) as last_segment
  from pg_backup_stop(false)`

interface BaseBackupOptions {
  readonly url: string
  readonly cluster: string
  /** Runs when the files are copied. */
  beforeEnd(): Promise<void>
}

interface Stopped {
  readonly label: string
  readonly tablespaces: string
  readonly last_segment: string
}

/**
 * A base backup of a running cluster. Files are copied while they change; the WAL from the start to the end
 * of the copy makes them consistent when PostgreSQL starts on them. Everything that was committed before
 * `pg_backup_stop` is part of it.
 */
export async function* baseBackup({
  url,
  cluster,
  beforeEnd,
}: BaseBackupOptions): AsyncGenerator<ArchiveEntry> {
  const client = new pg.Client({ connectionString: url })
  // The query in progress reports a broken connection too.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(RESERVE_WAL)
    await client.query(START)
    yield* clusterEntries(cluster, CLUSTER)
    await beforeEnd()
    const { rows } = await client.query<Stopped>(STOP)
    const [stopped] = rows
    if (!stopped) throw new Error('pg_backup_stop returned no row')
    if (stopped.tablespaces) throw new StartError('A database with tablespaces cannot be backed up this way.')
    yield bytesEntry(`${CLUSTER}/backup_label`, Buffer.from(stopped.label))
    yield* walEntries(cluster, stopped)
  } finally {
    await client.end().catch(() => {})
  }
}

async function* walEntries(cluster: string, stopped: Stopped): AsyncGenerator<ArchiveEntry> {
  const [, first = ''] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(stopped.label) ?? []
  const last = stopped.last_segment
  const folder = join(cluster, 'pg_wal')
  for (const name of [first, last]) await access(join(folder, name))
  const names = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()
  for (const name of names)
    if (name >= first && name <= last) yield* fileEntry(join(folder, name), `${CLUSTER}/pg_wal/${name}`)
}

/** Notes that a backup is complete. A database of an earlier version has no table for it. */
export async function noteBackup(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('insert into backups default values on conflict do nothing')
  } catch {
    // The archive is there all the same.
  } finally {
    await client.end().catch(() => {})
  }
}
