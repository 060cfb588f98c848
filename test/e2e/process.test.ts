import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../support/database.ts'

const START = ['scripts/start.js']
let folder: string
let port: number
const processes: Service[] = []

beforeAll(() => {
  expect(spawnSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' }).status).toBe(0)
})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tender-process-'))
  port = await freePort()
})

afterEach(async () => {
  for (const { child } of processes.splice(0)) killGroup(child)
  await eventually(() => expect(postgresHere()).toEqual([]))
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
})

interface Service {
  readonly child: ChildProcess
  /** Its output so far, from both streams. */
  output(): string
  readonly exited: Promise<number | null>
}

function start(env: Record<string, string> = {}, command = process.execPath, args = START): Service {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, args, {
    env: { PATH, HOME, PORT: String(port), DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const service = { child, output: () => text, exited }
  processes.push(service)
  return service
}

/** Kills the process and its children: npm starts one. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const address = () => `http://127.0.0.1:${port}`

async function ready(service: Service): Promise<void> {
  await eventually(async () => {
    expect(service.child.exitCode, service.output()).toBeNull()
    expect((await fetch(`${address()}/health/ready`)).status).toBe(200)
  })
}

async function eventually(check: () => unknown, ms = 20_000): Promise<void> {
  const end = performance.now() + ms
  for (;;) {
    try {
      await check()
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const found = (server.address() as { port: number }).port
  server.close()
  await once(server, 'close')
  return found
}

/** Command lines of the PostgreSQL processes that use this test's folder. */
function postgresHere(): string[] {
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return pids.map(commandOf).filter((command) => command.includes(` -D ${folder}/`))
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Sends the request of the printed curl line. */
async function runCurl(output: string, referenceId: string): Promise<Response> {
  const [, url = ''] = /curl (\S+)/.exec(output) ?? []
  const [, body = ''] = /-d '(.+)'/.exec(output) ?? []
  const [, authorization = ''] = /-H 'Authorization: (.+)'/.exec(output) ?? []
  return await fetch(url.replace('localhost', '127.0.0.1'), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ ...JSON.parse(body), referenceId }),
  })
}

async function readBack(output: string, referenceId: string): Promise<Response> {
  const [, appId = ''] = /api\/apps\/(\w+)\//.exec(output) ?? []
  const [, authorization = ''] = /-H 'Authorization: (.+)'/.exec(output) ?? []
  const url = `${address()}/api/apps/${appId}/payments/referenceId:${referenceId}`
  return await fetch(url, { headers: { authorization } })
}

describe('The first start', () => {
  test('prints the address, the docs, a sandbox App ID, an API key and a curl line that works', async () => {
    const service = start()
    await ready(service)
    await eventually(() => expect(service.output()).toContain('curl '))
    const output = service.output()
    for (const part of ['Sandbox App ID', 'sk_sandbox_', '/docs', join(folder, 'data', 'operator-token')])
      expect(output).toContain(part)
    const token = readFileSync(join(folder, 'data', 'operator-token'), 'utf8').trim()
    expect(output).not.toContain(token)
    expect((await runCurl(output, 'first')).status).toBe(201)
    // Lines of the log that were not written yet are written before the process ends.
    service.child.kill('SIGTERM')
    await service.exited
    await eventually(() =>
      expect(service.output()).toContain('"route":"/api/apps/{appId}/payments/hosted-page"'),
    )
  })

  test('prints more than later starts, which name the service and its console', async () => {
    const first = start()
    await ready(first)
    first.child.kill('SIGTERM')
    await first.exited
    const second = start({ LOG_LEVEL: 'error' })
    await ready(second)
    await eventually(() => expect(second.output()).toContain('Tender is ready at '))
    expect(second.output()).not.toContain('sk_sandbox_')
    const lines = second.output().trim().split('\n')
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['Tender', '', 'Console'])
  })
})

describe('SIGTERM', () => {
  test('stops the service and its database, with exit code 0', async () => {
    const service = start()
    await ready(service)
    service.child.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    expect(postgresHere()).toEqual([])
    expect(readdirSync(join(folder, 'data')).filter((name) => name.startsWith('running-'))).toEqual([])
  })

  test('reaches the service through npm start', async () => {
    const service = start({}, 'npm', ['start'])
    await ready(service)
    service.child.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    expect(postgresHere()).toEqual([])
    expect(readdirSync(join(folder, 'data')).filter((name) => name.startsWith('running-'))).toEqual([])
  })
})

describe('kill -9', () => {
  test('loses no acknowledged change: the next start has them', async () => {
    const first = start()
    await ready(first)
    await eventually(() => expect(first.output()).toContain('curl '))
    expect((await runCurl(first.output(), 'kept')).status).toBe(201)
    first.child.kill('SIGKILL')
    await first.exited
    await ready(start())
    expect((await readBack(first.output(), 'kept')).status).toBe(200)
  })

  test('leaves no PostgreSQL process', async () => {
    const service = start()
    await ready(service)
    service.child.kill('SIGKILL')
    await eventually(() => expect(postgresHere()).toEqual([]))
  })
})

describe('A failing start', () => {
  test('on a data folder in use names the process that uses it and does not affect it', async () => {
    const first = start()
    await ready(first)
    const second = start({ PORT: String(await freePort()) })
    expect(await second.exited).toBe(1)
    expect(second.output()).toBe(
      `Tender is already running on ${join(folder, 'data')} (pid ${first.child.pid}). ` +
        'Stop it first or choose another DATA_DIR.\n',
    )
    expect((await fetch(`${address()}/health/ready`)).status).toBe(200)
  })

  test('with invalid settings names all of them', async () => {
    const service = start({ PORT: 'abc', ROLE: 'king' })
    expect(await service.exited).toBe(1)
    expect(service.output()).toBe(
      'PORT must be a whole number from 0 to 65535, got "abc"\n' +
        'ROLE must be "all", "web" or "worker", got "king"\n',
    )
  })

  test('in production without a secret key prints a message', async () => {
    const service = start({ NODE_ENV: 'production' })
    expect(await service.exited).toBe(1)
    expect(service.output()).toMatch(/^SECRET_KEY is required in production: .+\n$/)
  })

  test('on a port in use prints a message and stops its database', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port: used } = other.address() as AddressInfo
    const service = start({ LOG_LEVEL: 'error', PORT: String(used) })
    expect(await service.exited).toBe(1)
    other.close()
    const [first, ...rest] = service.output().split('\n')
    expect(first).toMatch(/^Setting up a database in .+, once\. It takes some seconds\.$/)
    const reported = `Port ${used} on 127.0.0.1 is in use. Stop what listens there or choose another PORT.`
    expect(rest).toEqual([reported, ''])
    await eventually(() => expect(postgresHere()).toEqual([]))
  })

  test('without a reachable database prints a message without the password', async () => {
    const service = start({ DATABASE_URL: `postgres://tender:hush@127.0.0.1:${await freePort()}/tender` })
    expect(await service.exited).toBe(1)
    expect(service.output()).toMatch(/^The database of DATABASE_URL cannot be reached: .+\n$/)
    expect(service.output()).not.toContain('hush')
  })
})

describe('DATABASE_URL', () => {
  test('replaces the embedded database', async () => {
    const service = start({ DATABASE_URL: await createDatabase(inject('databaseUrl'), 'process_e2e') })
    await ready(service)
    expect(readdirSync(join(folder, 'data')).sort()).toEqual(['operator-token', 'secret-key'])
    service.child.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  })
})
