import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { freePort } from '../../test/support/free-port.ts'
import { Secret } from '../base/secret.ts'
import { loadConfig } from '../config.ts'
import { certificateFindings, checkAddress } from './address.ts'
import { checkDatabase } from './database.ts'
import { checkDisk } from './disk.ts'
import { examineMachine } from './examine.ts'
import type { Finding } from './finding.ts'

let databaseUrl: string
let folder: string
beforeAll(async () => {
  databaseUrl = await createDatabase(inject('databaseUrl'), 'doctor', 'template')
  folder = mkdtempSync(join(tmpdir(), 'tender-doctor-'))
})
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** Something that answers at PUBLIC_URL. */
async function site(status = 200, date = new Date().toUTCString()): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, { date }).end())
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const brief = (findings: readonly Finding[]) => findings.map(({ subject, status }) => `${subject} ${status}`)
const texts = (findings: readonly Finding[]) =>
  findings.map(({ message, todo = '' }) => `${message} ${todo}`).join('\n')

const config = async (more: object = {}) => ({
  ...(await loadConfig({ SECRET_KEY: 'x'.repeat(32), OPERATOR_TOKEN: 'x', DATA_DIR: join(folder, 'none') })),
  ...more,
})
const database = async (more: object) =>
  checkDatabase(await config({ databaseUrl: new Secret(databaseUrl), ...more }), { migrations: 'migrations' })

describe('the check of the machine', () => {
  it('finds nothing wrong, tells what to do otherwise, and writes nothing', async () => {
    const dataDir = join(folder, 'empty')
    const env = { DATABASE_URL: databaseUrl, PUBLIC_URL: await site(), DATA_DIR: dataDir }
    const { findings } = await examineMachine(env)
    expect(brief(findings)).toEqual(['settings ok', 'database ok', 'migrations ok', 'clock ok', 'address ok'])
    const embedded = await examineMachine({ PUBLIC_URL: await site(), DATA_DIR: dataDir })
    expect(brief(embedded.findings)).toEqual([
      'settings ok',
      expect.stringMatching(/^disk /),
      'database warning',
      'address ok',
    ])
    expect(readdirSync(folder)).toEqual([])
    for (const { status, todo } of embedded.findings) expect(todo !== undefined).toBe(status !== 'ok')
  })

  it('shows every invalid setting, and secrets of none', async () => {
    const { findings, url } = await examineMachine({
      NODE_ENV: 'production',
      PORT: 'eighty',
      DATABASE_URL: 'mysql://user:hidden@host/db',
    })
    expect(brief(findings)).toEqual(['settings problem', 'settings problem', 'settings problem'])
    expect(texts(findings)).toContain('PORT must be a whole number from 0 to 65535, got "eighty".')
    expect(texts(findings)).toContain('SECRET_KEY is required in production')
    expect(texts(findings)).not.toContain('hidden')
    expect(url).toBeUndefined()
  })

  it('shows a production without https, and a proxy that is not trusted', async () => {
    const env = { NODE_ENV: 'production', SECRET_KEY: 'x'.repeat(32), DATABASE_URL: databaseUrl }
    const open = await examineMachine({ ...env, PUBLIC_URL: await site() })
    expect(texts(open.findings)).toContain('customers pay without encryption')
    const closed = `https://127.0.0.1:${await freePort()}`
    const proxied = await examineMachine({ ...env, PUBLIC_URL: closed })
    expect(brief(proxied.findings)).toEqual(expect.arrayContaining(['settings warning', 'address problem']))
    expect(texts(proxied.findings)).toContain('TRUSTED_PROXIES is not set')
  })
})

describe('the check of the database', () => {
  it('shows a server that is not there', async () => {
    const url = `postgres://tender:hidden@127.0.0.1:${await freePort()}/tender`
    const found = await database({ databaseUrl: new Secret(url) })
    expect(brief(found)).toEqual(['database problem'])
    expect(texts(found)).toMatch(/ECONNREFUSED.*Check DATABASE_URL/)
    expect(texts(found)).not.toContain('hidden')
  })

  it('shows migrations that are not applied, or of a newer version', async () => {
    const fresh = await createDatabase(inject('databaseUrl'), 'doctor_fresh')
    const pending = await database({ databaseUrl: new Secret(fresh) })
    expect(brief(pending)).toEqual(['database ok', 'migrations warning', 'clock ok'])
    const found = await checkDatabase(await config({ databaseUrl: new Secret(databaseUrl) }), {
      migrations: folder,
    })
    expect(brief(found)).toEqual(['database ok', 'migrations problem', 'clock ok'])
  })

  it('shows a clock that differs', async () => {
    const clock = { now: () => new Date(Date.now() + 60_000), sleep: async () => {} }
    const found = await checkDatabase(await config({ databaseUrl: new Secret(databaseUrl) }), {
      migrations: 'migrations',
      clock,
    })
    expect(brief(found)).toEqual(['database ok', 'migrations ok', 'clock problem'])
  })

  it('shows a replica that is none, or is not there', async () => {
    const primary = await database({ databaseReplicaUrl: new Secret(databaseUrl) })
    expect(brief(primary).at(-1)).toBe('replica warning')
    const url = `postgres://tender@127.0.0.1:${await freePort()}/tender`
    expect(brief(await database({ databaseReplicaUrl: new Secret(url) })).at(-1)).toBe('replica problem')
  })
})

describe('the check of disk and address', () => {
  const disk = (freeBytes: number) => checkDisk(folder, async () => ({ freeBytes, totalBytes: 100e9 }))

  it('shows a disk that fills up', async () => {
    expect(brief(await disk(50e9))).toEqual(['disk ok'])
    expect(texts(await disk(2e9))).toContain('2.0 of 100.0 GB are free')
    expect(brief(await disk(2e9))).toEqual(['disk warning'])
    expect(brief(await disk(0.5e9))).toEqual(['disk problem'])
  })

  it('shows an address that answers with an error, or with another time', async () => {
    expect(texts(await checkAddress(await site(404)))).toContain('answers with 404')
    const past = await checkAddress(await site(200, 'Mon, 01 Jan 2024 00:00:00 GMT'))
    expect(brief(past)).toEqual(['address ok', 'clock problem'])
  })
})

const OPENSSL = 'openssl'
const hasOpenssl = spawnSync(OPENSSL, ['version']).status === 0

describe.skipIf(!hasOpenssl)('the check of the certificate', () => {
  it.each([
    [30, 'certificate ok'],
    [3, 'certificate warning'],
  ])('of %i more days', async (days, expected) => {
    const keys = mkdtempSync(join(tmpdir(), 'tender-doctor-'))
    const [key, cert] = [join(keys, 'key'), join(keys, 'cert')]
    execFileSync(
      OPENSSL,
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
        .concat(['-keyout', key, '-out', cert])
        .concat(['-days', String(days), '-subj', '/CN=localhost']),
      { stdio: 'ignore' },
    )
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) })
    rmSync(keys, { recursive: true })
    try {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `https://localhost:${(server.address() as AddressInfo).port}`
      expect(brief(await certificateFindings(url))).toEqual([expected])
      expect(texts(await checkAddress(url))).toMatch(/self[- ]signed certificate/)
    } finally {
      server.close()
    }
  })
})
