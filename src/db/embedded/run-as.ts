import { execFile } from 'node:child_process'
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../base/start-error.ts'
import type { Binaries } from './binaries.ts'

export type RunMode = 'itself' | 'namespace' | 'user'

/** How PostgreSQL is run, which refuses to run as root. */
export interface RunAs {
  /** Prefix of each command. */
  readonly prefix: readonly string[]
  readonly ids: { readonly uid?: number; readonly gid?: number }
  /** Owner of its files, as seen outside the namespace. */
  readonly owner: Owner
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

const NOBODY = 65_534
const PROBE_MS = 5_000

/** The first mode that this system allows; `only` restricts the modes tried. */
export async function chooseRunAs(
  binaries: Binaries,
  dataDir: string,
  only?: readonly RunMode[],
): Promise<RunAs> {
  const owner = (await ownerOf(join(dataDir, 'postgres'))) ?? (await ownerOf(dataDir))
  const modes = only ?? modesFor(owner)
  let reason = ''
  for (const mode of modes) {
    const runAs = await describe(mode, owner)
    if (mode === 'user') await letIn(dataDir)
    try {
      await probe(binaries, dataDir, runAs)
      return runAs
    } catch (error) {
      reason = firstLine((error as { stderr?: string }).stderr ?? '')
    }
  }
  const why = modes.includes('itself')
    ? `The embedded PostgreSQL cannot run here${reason && ` (${reason})`}`
    : `PostgreSQL does not run as root, and no other user can run it on ${dataDir}${reason && ` (${reason})`}`
  throw new StartError(`${why}: start as an ordinary user, or set DATABASE_URL to a PostgreSQL 15 or newer.`)
}

function modesFor(earlierOwner: Owner | undefined): readonly RunMode[] {
  if (process.getuid?.() !== 0) return ['itself']
  return earlierOwner?.uid ? ['user', 'namespace'] : ['namespace', 'user']
}

async function describe(mode: RunMode, earlierOwner: Owner | undefined): Promise<RunAs> {
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  if (mode === 'itself') return { prefix: [], ids: {}, owner }
  if (mode === 'user') {
    // A folder created by an ordinary user keeps its owner, so that this user can start again after root did.
    const user = earlierOwner?.uid ? earlierOwner : await unprivilegedUser()
    return { prefix: [], ids: user, owner: user }
  }
  // In a user namespace the process has the uid of `nobody`, while outside its files stay root's. So it also
  // works in a folder that only root may enter.
  return {
    prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
    ids: {},
    owner,
  }
}

const ownerOf = (path: string): Promise<Owner | undefined> =>
  stat(path).then(
    ({ uid, gid }) => ({ uid, gid }),
    () => undefined,
  )

async function unprivilegedUser(): Promise<Owner> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts) ?? []
    if (uid && gid && uid !== '0') return { uid: Number(uid), gid: Number(gid) }
  }
  return { uid: NOBODY, gid: NOBODY }
}

/** Lets other users traverse the data folder but not list it. Its files have modes of their own. */
async function letIn(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir)
  await chmod(dataDir, (mode & 0o777) | 0o011)
}

/** Checks by a trial run that the folder can be entered and the program executed. */
async function probe(binaries: Binaries, dataDir: string, { prefix, ids }: RunAs): Promise<void> {
  const [command = '', ...args] = [
    ...prefix,
    ...['sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', dataDir, binaries.postgres],
  ]
  await promisify(execFile)(command, args, { ...ids, env: binaries.env, cwd: '/', timeout: PROBE_MS })
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''

/** Changes the owner of a folder and its content when an earlier start ran as another user; only as root. */
export async function handOver(folder: string, owner: Owner): Promise<void> {
  if (process.getuid?.() !== 0 || (await stat(folder)).uid === owner.uid) return
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  // The folder itself comes last, so that the next start repeats an interrupted change.
  await chown(folder, owner.uid, owner.gid)
}
