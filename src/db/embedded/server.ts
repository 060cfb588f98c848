import { type ChildProcess, spawn } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { systemClock } from '../../base/clock.ts'
import type { Binaries } from './binaries.ts'
import type { RunAs } from './run-as.ts'

export interface PostgresProcess {
  readonly pid: number | undefined
  /** Says why, when PostgreSQL has ended, asked or not. */
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
 * Stays beside PostgreSQL, not above it: a shell leaves a reader of our pipe behind and then becomes
 * PostgreSQL. When we die, however suddenly, the pipe ends and the reader asks PostgreSQL to stop. A line
 * through the pipe says that there is nothing left to stop. It is a grandchild, as PostgreSQL minds children
 * it does not know.
 */
const SUPERVISE = `exec 3<&0 </dev/null
( { read -r line <&3 || kill -INT $$; } >/dev/null 2>&1 & )
exec 3<&-
exec "$@"`

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  // One node without replicas: less to write for each change.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Bounds what a restart after a crash must read again; 100 MB take about a second.
  max_wal_size: '256MB',
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused rows are everyday answers here, and their values do not belong in a log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** For tests only: an outage of the machine loses everything. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

export async function startServer(
  binaries: Binaries,
  runAs: RunAs,
  options: PostgresOptions,
): Promise<PostgresProcess> {
  const settings = {
    ...SETTINGS,
    ...(options.durable ? {} : CARELESS),
    max_connections: String(options.maxConnections),
    unix_socket_directories: `"${options.socketFolder.replaceAll('"', '""')}"`,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command = '', ...args] = [
    ...[...runAs.prefix, 'sh', '-c', SUPERVISE, 'sh'],
    ...[binaries.postgres, '-D', options.cluster, ...flags],
  ]
  // A new file each time keeps it short, and one left by another user can be replaced though not written to.
  await rm(options.logFile, { force: true })
  const log = await open(options.logFile, 'wx', 0o600)
  // In a session of its own: Ctrl-C in a terminal must reach it last, through us.
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

/** How long each way of asking may take before the next, harder one. */
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
  // The reader may be gone before our last line reaches it.
  child.stdin?.on('error', () => {})
  return {
    pid: child.pid,
    gone,
    hasEnded: () => ended !== undefined,
    stop: async () => {
      // A pause that nobody waits for any more would keep the process from ending.
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
