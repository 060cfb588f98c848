import { execFile, spawn } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pause } from '../support/service-process.ts'

const run = promisify(execFile)
const INSTALLED = '/usr/lib/postgresql'

/** The newest Debian PostgreSQL with pg_basebackup; the embedded one lacks the tools for replication. */
export async function findPostgres(): Promise<string | undefined> {
  if (!newest() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql']).catch(() => {})
  return newest()
}

function newest(): string | undefined {
  const majors = existsSync(INSTALLED) ? readdirSync(INSTALLED).map(Number).filter(Number.isInteger) : []
  const folders = majors.sort((a, b) => b - a).map((major) => join(INSTALLED, String(major), 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'pg_basebackup')))
}

/** PostgreSQL refuses to run as root. */
async function owner(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

export interface PostgresNode {
  readonly port: number
  readonly hostPort: string
  start(settings?: Readonly<Record<string, string>>): Promise<void>
  sql(text: string, database?: string): Promise<string>
  /** Promotes a standby to primary. */
  promote(): Promise<void>
  /** Kills all its processes, as in a power failure. */
  kill(): Promise<void>
  stop(): Promise<void>
}

interface NodeOptions {
  readonly bin: string
  readonly folder: string
  readonly port: number
}

const COMMON = {
  listen_addresses: '127.0.0.1',
  wal_level: 'replica',
  max_wal_senders: '10',
  hot_standby: 'on',
  // For small machines: two servers, three nodes and the shoppers share the memory.
  shared_buffers: '64MB',
  max_connections: '100',
}

export async function newPrimary(options: NodeOptions): Promise<PostgresNode> {
  await prepare(options.folder)
  await tool(options, 'initdb', [
    '-D',
    data(options),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
  ])
  return nodeOf(options)
}

/** A copy of the primary with streaming replication. */
export async function newStandby(options: NodeOptions, primary: PostgresNode): Promise<PostgresNode> {
  await prepare(options.folder)
  const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
  await tool(options, 'pg_basebackup', ['-D', data(options), '-d', from, '-R', '-X', 'stream', '-c', 'fast'])
  return nodeOf(options)
}

const data = ({ folder }: NodeOptions): string => join(folder, 'data')

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { uid, gid } = await owner()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
}

async function tool({ bin, folder }: NodeOptions, name: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(join(bin, name), [...args], { ...(await owner()), cwd: folder })
  return stdout
}

function nodeOf(options: NodeOptions): PostgresNode {
  const { folder, port, bin } = options
  const sql = (text: string, database = 'postgres') =>
    tool(options, 'psql', [
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-U',
      'postgres',
      '-d',
      database,
      '-Atc',
      text,
    ])
  const postmaster = async () =>
    Number.parseInt(await readFile(join(data(options), 'postmaster.pid'), 'utf8').catch(() => '0'), 10)
  return {
    port,
    hostPort: `127.0.0.1:${port}`,
    sql,
    async start(settings = {}) {
      const all = { ...COMMON, port: String(port), unix_socket_directories: folder, ...settings }
      const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      spawn(join(bin, 'postgres'), ['-D', data(options), ...flags], {
        ...(await owner()),
        cwd: folder,
        stdio: 'ignore',
        detached: true,
      }).unref()
      for (let tries = 0; ; tries++) {
        const answer = await sql('select 1').catch((error: Error) => error)
        if (answer === '1\n') return
        if (tries > 200) throw new Error(`PostgreSQL did not start: ${answer}`)
        await pause(100)
      }
    },
    async promote() {
      await tool(options, 'pg_ctl', ['promote', '-D', data(options), '-w'])
    },
    async kill() {
      const pid = await postmaster()
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
      for (const one of [pid, ...children.map(Number)]) signal(one, 'SIGKILL')
    },
    async stop() {
      const pid = await postmaster()
      if (pid > 1) signal(pid, 'SIGQUIT')
      while (pid > 1 && isAlive(pid)) await pause(50)
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

const isAlive = (pid: number): boolean => signal(pid, 0)
