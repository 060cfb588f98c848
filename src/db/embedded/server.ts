import { type ChildProcess, spawn } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { systemClock } from '../../base/clock.ts'
import type { Binaries } from './binaries.ts'
import type { RunAs } from './run-as.ts'

export interface PostgresProcess {
  readonly pid: number | undefined
  /** Resolves with the reason when PostgreSQL has ended. */
  readonly gone: Promise<string>
  hasEnded(): boolean
  stop(): Promise<void>
}

export interface PostgresOptions {
  readonly cluster: string
  readonly socketFolder: string
  readonly logFile: string
  readonly durable: boolean
  readonly maxConnections: number
}

/**
 * A shell starts a reader of the service's pipe and then executes PostgreSQL in its own process. When the
 * service dies, even by SIGKILL, the pipe closes and the reader stops PostgreSQL. A line through the pipe
 * ends the reader without that. The reader is a grandchild: PostgreSQL does not expect unknown children.
 * Decision 0002.
 */
const SUPERVISE = `exec 3<&0 </dev/null
( { read -r line <&3 || kill -INT $$; } >/dev/null 2>&1 & )
exec 3<&-
exec "$@"`

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  // A base backup of a running server needs it.
  wal_level: 'replica',
  max_wal_senders: '0',
  // Bounds the WAL to replay after a crash; 100 MB take about a second.
  max_wal_size: '256MB',
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Constraint violations are expected, and their values must not be logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** For tests only: a power cut loses all data. */
const NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
}

export async function startPostgres(
  binaries: Binaries,
  runAs: RunAs,
  options: PostgresOptions,
): Promise<PostgresProcess> {
  const settings = {
    ...SETTINGS,
    ...(options.durable ? {} : NOT_DURABLE),
    max_connections: String(options.maxConnections),
    unix_socket_directories: `"${options.socketFolder.replaceAll('"', '""')}"`,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command = '', ...args] = [
    ...[...runAs.prefix, 'sh', '-c', SUPERVISE, 'sh'],
    ...[binaries.postgres, '-D', options.cluster, ...flags],
  ]
  // A new file for each start keeps it short, and a file of another user can be replaced but not written.
  await rm(options.logFile, { force: true })
  const log = await open(options.logFile, 'wx', 0o600)
  // In its own session, so that Ctrl-C in a terminal does not reach it before the service has stopped.
  const child = spawn(command, args, {
    ...runAs.ids,
    env: binaries.env,
    cwd: '/',
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  })
  await log.close()
  return watch(child)
}

/** Signals of increasing force, with the time each may take. */
const STOP_STEPS = [
  ['SIGINT', 8_000],
  ['SIGQUIT', 2_000],
  ['SIGKILL', 1_000],
] as const

function watch(child: ChildProcess): PostgresProcess {
  let ended: string | undefined
  const gone = new Promise<string>((resolve) => {
    const end = (why: string) => {
      ended ??= why
      resolve(ended)
      child.stdin?.end('done\n')
    }
    child.on('error', (error) => end(error.message))
    child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`))
  })
  // The reader may have ended before the last line reaches it.
  child.stdin?.on('error', () => {})
  return {
    pid: child.pid,
    gone,
    hasEnded: () => ended !== undefined,
    stop: async () => {
      // A pending timer would keep the process from ending.
      const waiting = new AbortController()
      gone.then(() => waiting.abort())
      for (const [signal, ms] of STOP_STEPS) {
        if (ended !== undefined) return
        child.kill(signal)
        await systemClock.sleep(ms, waiting.signal)
      }
    },
  }
}
