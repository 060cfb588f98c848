import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from './free-port.ts'

/** Debian's Prometheus. Without it the tests that need it are skipped, and the run says so. */
export const PROMETHEUS = findProgram('prometheus')

function findProgram(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [time: number, value: string]
}

export interface Prometheus {
  /** Evaluates an expression. Rejects with what Prometheus says when it does not parse. */
  query(expression: string): Promise<Sample[]>
  /** The `data` of a GET of its API. */
  get<T>(path: string): Promise<T>
  stop(): Promise<void>
}

const config = (target: string, rules: string) => `
global:
  scrape_interval: 2s
  scrape_timeout: 2s
  evaluation_interval: 1s
rule_files: ['${rules}']
scrape_configs:
  - job_name: tender
    static_configs: [{ targets: ['${target}'] }]
`

/** Scrapes `target` every two seconds; ready when it answers. */
export async function startPrometheus(program: string, target: string, rules: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'tender-prometheus-'))
  await writeFile(join(folder, 'prometheus.yml'), config(target, resolve(rules)))
  const port = await freePort()
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const isReady = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) break
    if (child.exitCode !== null) throw new Error(`Prometheus ended: ${errors}`)
    await new Promise((next) => setTimeout(next, 50))
  }
  const get = <T>(path: string) => read<T>(`${url}/api/v1/${path}`)
  return {
    get,
    query: async (expression) => {
      const query = new URLSearchParams({ query: expression })
      const { result } = await get<{ result: Sample[] }>(`query?${query}`)
      return result
    },
    async stop() {
      await ended(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function read<T>(url: string): Promise<T> {
  const answer = (await (await fetch(url)).json()) as { data: T; error?: string }
  if (answer.error !== undefined) throw new Error(answer.error)
  return answer.data
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
