import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isReady, pause } from '../support/service-process.ts'

const isRoot = process.getuid?.() === 0
/** `nobody`: PostgreSQL runs for users with a name only. */
const USER = isRoot ? { uid: 65_534, gid: 65_534 } : {}

/** A folder that the unprivileged user can reach. */
export function openFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o755)
  return folder
}

/** A folder of the unprivileged user. */
export function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true })
  if (USER.uid !== undefined) chownSync(path, USER.uid, USER.gid)
  return path
}

/** Gives an existing folder, and everything in it, to the unprivileged user. */
export function giveToUser(path: string): void {
  if (USER.uid !== undefined) execFileSync('chown', ['-R', `${USER.uid}:${USER.gid}`, path])
  execFileSync('chmod', ['-R', 'u+w', path])
}

/** Nothing in the folder can be changed from now on, except by root. */
export function makeReadOnly(folder: string): void {
  if (isRoot) execFileSync('chown', ['-R', '0:0', folder])
  execFileSync('chmod', ['-R', 'a-w', folder])
}

/** Undoes it, and removes the folder. */
export function removeTree(folder: string): void {
  execFileSync('chmod', ['-R', 'u+w', folder])
  execFileSync('rm', ['-rf', folder])
}

interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** For npm: the registry of this machine, and a home that it may write to. */
export function npmEnvironment(home: string): Record<string, string> {
  const address = execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return {
    HOME: home,
    npm_config_cache: join(home, '.npm'),
    npm_config_registry: address.trim(),
    npm_config_update_notifier: 'false',
  }
}

const optionsOf = ({ cwd, env = {} }: RunOptions): SpawnOptions => ({
  ...USER,
  cwd,
  env: { PATH: process.env.PATH ?? '', ...env },
})

/** Runs a program as the unprivileged user to its end. */
export function runAsUser(command: string, args: readonly string[], options: RunOptions) {
  const result = spawnSync(command, args, { ...optionsOf(options), encoding: 'utf8' })
  return { status: result.status, stdout: String(result.stdout), stderr: String(result.stderr) }
}

/** The same, and fails the test unless it succeeds. */
export function mustRun(command: string, args: readonly string[], options: RunOptions): string {
  const { status, stdout, stderr } = runAsUser(command, args, options)
  expect(status, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0)
  return stdout
}

export interface Started {
  readonly child: ChildProcess
  output(): string
  stop(): Promise<number | null>
}

/** Starts a service as the unprivileged user and waits until it takes requests. */
export async function startAsUser(
  [command = '', ...args]: readonly string[],
  url: string,
  options: RunOptions,
): Promise<Started> {
  const child = spawn(command, args, { ...optionsOf(options), stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  const exited = once(child, 'close').then(([code]) => code as number | null)
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`the service ended: ${text}`)
    await pause(25)
  }
  return {
    child,
    output: () => text,
    async stop() {
      child.kill('SIGTERM')
      return await exited
    },
  }
}
