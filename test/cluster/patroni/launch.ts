import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Programs of the run, with the Debian package of each. */
const PROGRAMS: readonly (readonly [path: string, debianPackage: string])[] = [
  ['/usr/bin/patroni', 'patroni'],
  ['/usr/lib/python3/dist-packages/etcd/__init__.py', 'python3-etcd'],
  ['/usr/bin/etcd', 'etcd-server'],
  ['/usr/sbin/haproxy', 'haproxy'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/sbin/ip', 'iproute2'],
  ['/usr/bin/unshare', 'util-linux'],
]

/**
 * The first process is a shell: it collects the exit codes of processes whose parent has died. /dev/shm is a
 * new one, because a PostgreSQL that is killed leaves its shared memory there.
 */
const FIRST = 'mount -t tmpfs tmpfs /dev/shm && "$@"; exit $?'

/** Why the run is not possible here, or undefined. */
function refusal(): string | undefined {
  if (process.platform !== 'linux') return 'This needs Linux: it uses network namespaces.'
  if (process.getuid?.() !== 0) return 'This needs root: it creates network namespaces.'
  const missing = PROGRAMS.filter(([path]) => !existsSync(path)).map(([, debianPackage]) => debianPackage)
  if (missing.length === 0) return undefined
  return `Missing packages. On Debian: apt-get install -y --no-install-recommends ${missing.join(' ')}`
}

/**
 * Runs the program in new namespaces for processes, mounts and the network. When its first process ends, or
 * when this process does, the kernel ends everything inside and removes the network.
 */
export async function launchPatroniTest(program: string, args: readonly string[]): Promise<number> {
  const problem = refusal()
  if (problem) {
    console.error(problem)
    return 1
  }
  const folder = await mkdtemp(join(tmpdir(), 'tender-patroni-'))
  // The user postgres needs access to its folders.
  await chmod(folder, 0o755)
  const inside = ['sh', '-c', FIRST, 'sh', process.execPath, program, folder, ...args]
  const unshare = ['unshare', '--net', '--pid', '--mount-proc', '--fork', '--kill-child', ...inside]
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...unshare], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGKILL'))
  try {
    const [code] = await once(child, 'exit')
    return code ?? 130
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
