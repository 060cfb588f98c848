import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { type Usage, usageOfTree } from '../processes.ts'
import type { BankSettings } from './bank.ts'
import type { BankTimes } from './times.ts'

/** The bank of the sandbox, with a process and a PostgreSQL of its own. */
export interface BankProcess {
  /** Settings of the service that uses it. */
  readonly env: Readonly<Record<string, string>>
  /** The time that the bank took for each payment since the last call. */
  times(): Promise<BankTimes>
  usage(): Usage
  stop(): Promise<void>
}

export interface BankOptions extends Omit<BankSettings, 'databaseUrl'> {
  readonly root: string
  /** Of the service, which gets the bank's secret. */
  readonly serviceDatabaseUrl: string
}

export async function startBank({
  root,
  serviceDatabaseUrl,
  ...settings
}: BankOptions): Promise<BankProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'tender-bench-bank-'))
  const embedded = await startEmbedded({ dataDir: folder })
  const migrations = join(root, 'migrations')
  await migrate(embedded.url, migrations)
  await migrate(serviceDatabaseUrl, migrations)
  const child = fork(join(root, 'dist', 'bench', 'bank', 'bank.js'))
  process.once('exit', () => child.kill('SIGKILL'))
  const port = await ask(child, { ...settings, databaseUrl: embedded.url } satisfies BankSettings)
  await copySecret(embedded.url, serviceDatabaseUrl)
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  return {
    env: { PROVIDER_ORIGINS: JSON.stringify({ sandbox: `http://127.0.0.1:${port}` }) },
    times: () => ask(child, 'times') as Promise<BankTimes>,
    usage: () => sumOf(usageOfTree(child.pid ?? 0), usageOfTree(postmaster)),
    async stop() {
      child.kill('SIGKILL')
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const sumOf = (one: Usage, other: Usage): Usage => ({
  cpuMs: one.cpuMs + other.cpuMs,
  rssMb: one.rssMb + other.rssMb,
})

async function ask(child: ChildProcess, message: object | string): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(message)
  return (await answer)[0]
}

/** The keys of apps are derived from it. */
async function copySecret(from: string, to: string): Promise<void> {
  const [source, target] = [
    new pg.Client({ connectionString: from }),
    new pg.Client({ connectionString: to }),
  ]
  await Promise.all([source.connect(), target.connect()])
  const { rows } = await source.query<{ sealed: Buffer }>('select sealed from sandbox_bank.secret')
  await target.query('insert into sandbox_bank.secret (sealed) values ($1)', [rows[0]?.sealed])
  await Promise.all([source.end(), target.end()])
}
