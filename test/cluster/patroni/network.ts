import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createWriteStream, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pause } from '../../support/service-process.ts'

const run = promisify(execFile)
const SUBNET = '10.231.7'
/** The address of the nodes, proxies and clients on the bridge. */
const OUTSIDE = `${SUBNET}.254`
/** No network card has this address: frames to it are dropped without an answer, as by a cut cable. */
const NO_CARD = '02:00:00:00:00:99'

/** A network namespace with its own address: it takes the place of a machine. */
export interface Machine {
  readonly name: string
  readonly address: string
  /** A folder that belongs to the user postgres. */
  readonly folder: string
  /** Starts a program as the user postgres. Its output goes to a file in the folder. */
  start(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess
  /** Kills all programs with this name, or all programs, with SIGKILL, and waits until they have ended. */
  kill(name?: string): Promise<void>
  /** Cuts the network between this machine and another, or this machine and the nodes. */
  cut(from: Machine | 'nodes'): Promise<void>
  /** Ends all cuts that were made from this machine. */
  heal(): Promise<void>
}

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL and PgBouncer refuse to run as root. */
export async function postgresUser(): Promise<Owner> {
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

const ip = async (...args: string[]): Promise<void> => void (await run('ip', args))

/** A bridge with machines, in the network namespace of this process. */
export async function createNetwork(folder: string, names: readonly string[]): Promise<Machine[]> {
  await ip('link', 'set', 'lo', 'up')
  await ip('link', 'add', 'bridge0', 'type', 'bridge')
  await ip('addr', 'add', `${OUTSIDE}/24`, 'dev', 'bridge0')
  await ip('link', 'set', 'bridge0', 'up')
  const owner = await postgresUser()
  const machines: Machine[] = []
  for (const name of names)
    machines.push(await createMachine(name, machines.length + 1, join(folder, name), owner))
  return machines
}

async function createMachine(name: string, place: number, folder: string, owner: Owner): Promise<Machine> {
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, owner.uid, owner.gid)
  const address = `${SUBNET}.${place}`
  // A namespace exists as long as a process in it.
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  const pid = String(holder.pid)
  while (networkOf(pid) === networkOf('self') || commandOf(pid) !== 'sleep') await pause(10)
  const inside = ['--target', pid, '--net']
  const ipInside = async (...args: string[]): Promise<void> =>
    void (await run('nsenter', [...inside, 'ip', ...args]))
  await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid)
  await ip('link', 'set', name, 'master', 'bridge0', 'up')
  await ipInside('link', 'set', 'lo', 'up')
  await ipInside('addr', 'add', `${address}/24`, 'dev', 'eth0')
  await ipInside('link', 'set', 'eth0', 'up')
  const programs = (program?: string) => programsIn(pid, program)
  const cuts: (() => Promise<void>)[] = []
  return {
    name,
    address,
    folder,
    start(program, args, env = {}) {
      const user = ['--setuid', String(owner.uid), '--setgid', String(owner.gid)]
      const child = spawn('nsenter', [...inside, ...user, program, ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const log = createWriteStream(join(folder, `${program.split('/').at(-1)}.log`), { flags: 'a' })
      for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
      return child
    },
    async kill(program) {
      while (programs(program).length > 0) {
        for (const one of programs(program)) sigkill(Number(one))
        await pause(10)
      }
    },
    async cut(from) {
      const other = from === 'nodes' ? OUTSIDE : from.address
      await ipInside('neigh', 'replace', other, 'lladdr', NO_CARD, 'dev', 'eth0', 'nud', 'permanent')
      cuts.push(() => ipInside('neigh', 'del', other, 'dev', 'eth0'))
      if (from === 'nodes') {
        await ip('neigh', 'replace', address, 'lladdr', NO_CARD, 'dev', 'bridge0', 'nud', 'permanent')
        cuts.push(() => ip('neigh', 'del', address, 'dev', 'bridge0'))
      }
    },
    async heal() {
      for (const heal of cuts.splice(0)) await heal()
    },
  }
}

/** Processes in the network of the holder, all or those with this name, without the holder. */
function programsIn(holder: string, program?: string): string[] {
  const network = networkOf(holder)
  const isInside = (pid: string) => pid !== holder && networkOf(pid) === network
  const hasName = (pid: string) => program === undefined || commandOf(pid) === program
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isInside(name) && hasName(name))
}

/** Cuts the network between two machines in both directions. */
export async function cutBetween(one: Machine, other: Machine): Promise<void> {
  await one.cut(other)
  await other.cut(one)
}

/** The network namespace of a process; empty when the process has ended. A zombie has none. */
function networkOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return ''
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

function sigkill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
