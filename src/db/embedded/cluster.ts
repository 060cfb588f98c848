import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../base/start-error.ts'
import type { Binaries } from './binaries.ts'
import { handOver, type RunAs } from './run-as.ts'

export const DATABASE_USER = 'tender'
/** Prefix of folders that are not complete; a start removes them. */
export const DRAFT = 'postgres-draft-'

interface ClusterOptions {
  readonly folder: string
  readonly dataDir: string
  readonly password: string
  readonly durable: boolean
  /** Called before a new cluster is made, which takes seconds. */
  readonly onSetUp?: (() => void) | undefined
}

/** Ensures that `folder` holds a PostgreSQL cluster, owned by the user that PostgreSQL runs as. */
export async function ensureCluster(
  binaries: Binaries,
  runAs: RunAs,
  options: ClusterOptions,
): Promise<void> {
  const { folder, dataDir } = options
  for (const name of await readdir(dataDir))
    if (name.startsWith(DRAFT)) await removeDraft(join(dataDir, name))
  const major = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (major === undefined) {
    options.onSetUp?.()
    return await initialise(binaries, runAs, options)
  }
  await checkMajor(binaries, major.trim(), dataDir)
  await handOver(folder, runAs.owner)
}

/** PostgreSQL opens only files of its own major version. */
async function checkMajor({ postgres, env }: Binaries, major: string, dataDir: string): Promise<void> {
  const { stdout } = await promisify(execFile)(postgres, ['--version'], { env, cwd: '/' })
  const [, own] = /^[a-zA-Z ()]{1,40}(\d{1,4})/.exec(stdout) ?? []
  if (own === major) return
  throw new StartError(
    `The database in DATA_DIR ${dataDir} is one of PostgreSQL ${major}, and this version of Tender runs ` +
      `PostgreSQL ${own}. Nothing was changed. Start the version of Tender that you had before, and move ` +
      'the data as docs/guides/install.md describes under Upgrade.',
  )
}

/** Created in a draft folder and moved when complete: an interrupted start leaves no partial cluster. */
async function initialise(
  binaries: Binaries,
  runAs: RunAs,
  { dataDir, folder, password, durable }: ClusterOptions,
): Promise<void> {
  const draft = await mkdtemp(join(dataDir, DRAFT))
  const data = join(draft, 'data')
  const passwordFile = join(draft, 'password')
  await mkdir(data, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  for (const path of [passwordFile, data, draft]) await chown(path, runAs.owner.uid, runAs.owner.gid)
  const [command = '', ...args] = [
    ...[...runAs.prefix, binaries.initdb, `--pgdata=${data}`],
    ...[`--username=${DATABASE_USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'],
    // The same collation on every machine, independent of system libraries.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ]
  try {
    await promisify(execFile)(command, args, { ...runAs.ids, env: binaries.env, cwd: '/' })
  } catch (error) {
    const said = (error as { stderr?: string }).stderr ?? ''
    throw new StartError(`PostgreSQL could not be set up in ${dataDir}: ${lastLine(said) || error}`)
  }
  await rename(data, folder)
  await removeDraft(draft)
  await syncFolder(dataDir)
}

/** With retries: the initdb of a killed start may still be writing into it. */
const removeDraft = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
