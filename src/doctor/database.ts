import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Config } from '../config.ts'
import { findRunning } from '../db/embedded/running.ts'
import { reachServer } from '../db/reach.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { readServer, type ServerState } from './store.ts'

const CLOCK_SECONDS = 5
const LAG_SECONDS = 30

export interface DatabaseChecks {
  /** The folder of migration files. */
  readonly migrations: string
  readonly clock?: Clock
}

/** The database that the service would use, its clock, and the replica. */
export async function checkDatabase(config: Config, checks: DatabaseChecks): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config
  const found = databaseUrl ? ownServer(databaseUrl.reveal(), checks) : embedded(dataDir, checks)
  return [...(await found), ...(await replicaFindings(config))]
}

async function ownServer(databaseUrl: string, checks: DatabaseChecks): Promise<Finding[]> {
  try {
    const state = await readServer(await reachServer(databaseUrl))
    if (!state.isReplica) return await stateFindings('PostgreSQL', state, checks)
    const todo = 'Set DATABASE_URL to the primary, or to all servers separated by commas.'
    return [problem('database', 'The server of DATABASE_URL is a replica and takes no writes.', todo)]
  } catch (error) {
    const todo = 'Check DATABASE_URL, and that PostgreSQL runs and accepts this machine.'
    return [unreachable('database', error, todo)]
  }
}

async function embedded(dataDir: string, checks: DatabaseChecks): Promise<Finding[]> {
  const url = await findRunning(dataDir)
  if (url) return await stateFindings('The embedded PostgreSQL', await readServer(url), checks)
  const major = await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (major === undefined)
    return [
      warning(
        'database',
        `There is no database in DATA_DIR ${dataDir} yet.`,
        'The first start makes it. If you expected one, set DATA_DIR to its folder.',
      ),
    ]
  const message = `The embedded PostgreSQL ${major.trim()} in ${dataDir} does not run.`
  const todo = 'Start the service. If it runs, set DATA_DIR to its folder, and run this as its user.'
  return [problem('database', message, todo)]
}

async function stateFindings(
  name: string,
  { version, migrations, time }: ServerState,
  { migrations: folder, clock = systemClock }: DatabaseChecks,
): Promise<Finding[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  const known = new Set(migrations)
  const newer = [...known].filter((file) => !files.includes(file))
  const pending = files.filter((file) => !known.has(file))
  return [
    ok('database', `${name} ${version} answers.`),
    ...(newer.length > 0
      ? [problem('migrations', `${newer.at(-1)} is of a newer version.`, 'Install that version of Tender.')]
      : pending.length > 0
        ? [warning('migrations', `${pending.length} are not applied.`, 'The next start applies them.')]
        : [ok('migrations', 'The database is up to date.')]),
    clockFinding(time, clock),
  ]
}

function clockFinding(time: Date, clock: Clock): Finding {
  const seconds = Math.round(Math.abs(clock.now().getTime() - time.getTime()) / 1_000)
  if (seconds <= CLOCK_SECONDS) return ok('clock', 'This machine and the database have the same time.')
  return problem(
    'clock',
    `The clocks of this machine and of the database differ by ${seconds} s.`,
    'Synchronise both (NTP): leases and deadlines depend on it.',
  )
}

async function replicaFindings({ databaseReplicaUrl }: Config): Promise<Finding[]> {
  if (!databaseReplicaUrl) return []
  try {
    const { isReplica, lagSeconds, version } = await readServer(databaseReplicaUrl.reveal())
    if (!isReplica)
      return [warning('replica', 'DATABASE_REPLICA_URL names a primary.', 'Name a replica, or unset it.')]
    if (lagSeconds > LAG_SECONDS)
      return [
        warning('replica', `It is ${lagSeconds} s behind.`, 'Lists are that old. Check its replication.'),
      ]
    return [ok('replica', `PostgreSQL ${version} answers and follows the primary.`)]
  } catch (error) {
    const todo = 'Check DATABASE_REPLICA_URL. Until then lists are read from the primary.'
    return [unreachable('replica', error, todo)]
  }
}

function unreachable(subject: string, error: unknown, todo: string): Finding {
  const message = error instanceof Error && error.message ? error.message : 'The server does not answer'
  return problem(subject, `${message.replace(/\.$/, '')}.`, todo)
}
