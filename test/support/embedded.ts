import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import pg from 'pg'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../src/db/embedded/embedded.ts'
import { commandOf, waitUntil } from '../../src/db/embedded/processes.ts'

export const isRoot = process.getuid?.() === 0
export const isLinux = process.platform === 'linux'
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Another process that starts PostgreSQL, says where it is, and stays until it is killed. */
const PARENT = `
import { startEmbedded } from './src/db/embedded/embedded.ts'
try {
  const { url } = await startEmbedded(JSON.parse(process.argv[2]))
  console.log(url)
  setInterval(() => {}, 1e6)
} catch (error) {
  console.log(error.name + ': ' + error.message)
  process.exit(1)
}`
const script = join(root, 'dist', `embedded-test-${process.pid}.mjs`)

let folder: string
let prepared: string | undefined
const running: Embedded[] = []
const children: ChildProcess[] = []

/** Cleans up after each test of a file, and lets PostgreSQL be started from another process. */
export function useEmbedded(): void {
  beforeAll(() => {
    const stdin = { contents: PARENT, resolveDir: root, loader: 'ts' as const }
    buildSync({ stdin, outfile: script, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    for (const embedded of running.splice(0)) await embedded.stop()
    await waitUntil(() => processesOf(folder).length === 0, 5_000)
    remove(folder)
  })
  afterAll(() => {
    rmSync(script, { force: true })
    if (prepared) remove(prepared)
  })
}

/** A folder for this test, removed with it; its parent may be entered by its owner alone. */
export function newFolder(): string {
  folder = mkdtempSync(join(tmpdir(), 'tender-embedded-'))
  return join(folder, 'data')
}

/**
 * A folder that was started and stopped before, copied from the first
 * such one: much faster than a first start.
 */
export async function usedFolder(): Promise<string> {
  const dataDir = newFolder()
  if (!prepared) {
    prepared = mkdtempSync(join(tmpdir(), 'tender-embedded-'))
    await (await startEmbedded({ dataDir: prepared, durable: false })).stop()
  }
  spawnSync('cp', ['-a', prepared, dataDir])
  return dataDir
}

const remove = (path: string) => spawnSync('rm', ['-rf', path])

/** Ended with the test. */
export async function start(options: EmbeddedOptions): Promise<Embedded> {
  const embedded = await startEmbedded({ durable: false, ...options })
  running.push(embedded)
  return embedded
}

/** Any process, killed with the test. */
export function keep(child: ChildProcess): ChildProcess {
  children.push(child)
  return child
}

/** Another process that starts it, killed with the test. */
export function spawnStart(options: EmbeddedOptions, ids: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    ...ids,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  keep(child)
  return child
}

/** The same, and the first line it says: the address, or an error. */
export async function startElsewhere(...args: Parameters<typeof spawnStart>) {
  const child = spawnStart(...args)
  const [said] = await once(child.stdout, 'data')
  return { child, said: String(said).trim() }
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export async function run(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export const keepRow = (url: string) => run(url, 'create table kept as select 7 as n')
export const keptRow = (url: string) => run(url, 'select n from kept')

/** What runs on a folder: PostgreSQL, and the shell beside it. */
export function processesOf(path: string): number[] {
  const pids = isLinux
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : []
  return pids.filter((pid) => commandOf(pid).includes(` -D ${path}/`))
}

export const isShell = (pid: number): boolean => commandOf(pid).startsWith('sh ')

export const postmasterOf = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
