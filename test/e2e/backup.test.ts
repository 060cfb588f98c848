import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build } from '../../scripts/build.js'
import { type ArchiveEntry, packArchive, unpackArchive } from '../../src/backup/archive.ts'
import { backUp } from '../../src/backup/back-up.ts'
import { bytesEntry } from '../../src/backup/cluster-files.ts'
import { restore } from '../../src/backup/restore.ts'
import { Secret } from '../../src/base/secret.ts'
import { findRunning } from '../../src/db/embedded/running.ts'
import { VERSION } from '../../src/version.ts'
import { freePort } from '../support/free-port.ts'
import { type Acknowledged, type Ask, brokenInvariants } from '../support/invariants.ts'
import { PROCESS_KEY, PROCESS_TOKEN, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { good, newReference, type TestApp, testMerchant } from '../support/tender.ts'

const folder = mkdtempSync(join(tmpdir(), 'tender-backup-'))
const from = join(folder, 'from')
const file = join(folder, 'archive.tgz')
const running: ServiceProcess[] = []
const KEY = { SECRET_KEY: PROCESS_KEY }

beforeAll(() => build())
afterAll(async () => {
  for (const service of running) await service.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
})

async function start(dataDir: string): Promise<ServiceProcess> {
  const service = startProcess({ port: await freePort(), env: { DATA_DIR: dataDir } })
  running.push(service)
  await service.ready()
  return service
}

/** Shoppers who pay and get refunds until they are stopped, and what they were answered. */
function shop(app: TestApp) {
  const known: Acknowledged[] = []
  let isOpen = true
  async function buy() {
    while (isOpen) {
      const referenceId = newReference()
      const { paymentId } = await app.create({ referenceId })
      const one = { appId: app.appId, referenceId, paymentId, captured: false, refunded: false }
      known.push(one)
      one.captured = good(await app.pay(paymentId)).paymentState === 'Captured'
      if (paymentId % 3 === 0) one.refunded = good(await app.act(paymentId, 'refund')).refundedAmount > 0
    }
  }
  const shoppers = Array.from({ length: 6 }, buy)
  const captured = () => known.filter((one) => one.captured).length
  return {
    known: () => structuredClone(known),
    /** Resolves after so many further captures. */
    async sell(count: number) {
      const enough = captured() + count
      await expect.poll(captured).toBeGreaterThanOrEqual(enough)
    },
    async close() {
      isOpen = false
      await Promise.all(shoppers)
    },
  }
}

async function asking<T>(dataDir: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await findRunning(dataDir) })
  await client.connect()
  try {
    return await work(async (text) => (await client.query(text)).rows)
  } finally {
    await client.end()
  }
}

/** As a person does who can write where archives are stored, but has not the key. */
async function repack(source: string, target: string, added: readonly ArchiveEntry[]): Promise<void> {
  const entries: ArchiveEntry[] = []
  const replaced = added.map(({ path }) => path)
  async function store({ path, content }: ArchiveEntry) {
    const parts: Buffer[] = []
    for await (const part of content?.chunks ?? []) parts.push(part)
    if (!replaced.includes(path)) entries.push(content ? bytesEntry(path, Buffer.concat(parts)) : { path })
  }
  const unzipped = createReadStream(source).pipe(createGunzip())
  await unpackArchive(unzipped, { store, verify: () => {} })
  async function* all() {
    yield* entries
    yield* added
  }
  const packed = packArchive(all(), { version: VERSION, key: new Secret('a key of another person') })
  await pipeline(Readable.from(packed), createGzip({ level: 1 }), createWriteStream(target))
}

describe('tender backup and restore', () => {
  it('keep every payment that was answered before the end of a backup under writes', async () => {
    const service = await start(from)
    const { sandbox } = await testMerchant(service.url, undefined, PROCESS_TOKEN)
    const market = shop(sandbox)
    await market.sell(20)
    let answered: Acknowledged[] = []
    await backUp({ ...KEY, DATA_DIR: from }, file, async () => {
      await market.sell(30)
      answered = market.known()
    })
    await market.sell(10)
    await market.close()
    await expect(restore({ ...KEY, DATA_DIR: from }, file)).rejects.toThrow('already running')
    await service.kill('SIGTERM')

    const into = join(folder, 'into')
    await restore({ ...KEY, DATA_DIR: into }, file)
    const restored = await start(into)
    expect(answered.filter((one) => one.captured).length).toBeGreaterThanOrEqual(50)
    expect(answered.some((one) => one.refunded)).toBe(true)
    await asking(into, (ask) => expect.poll(() => brokenInvariants(ask, answered)).toEqual([]))
    const app = (await testMerchant(restored.url, undefined, PROCESS_TOKEN)).sandbox
    expect((await app.paid()).paymentState).toBe('Captured')
  })

  it('work on a stopped service, leave nothing running, and never overwrite', async () => {
    const again = join(folder, 'stopped.tgz')
    await backUp({ ...KEY, DATA_DIR: from }, again)
    expect(statSync(again).mode & 0o777).toBe(0o600)
    expect(readdirSync(from).filter((name) => name.startsWith('running-'))).toEqual([])
    expect(await findRunning(from)).toBeUndefined()
    await expect(backUp({ ...KEY, DATA_DIR: from }, again)).rejects.toThrow('exists: choose another name')
    await expect(restore({ ...KEY, DATA_DIR: from }, again)).rejects.toThrow('is not empty')
    const into = join(folder, 'from-stopped')
    await restore({ ...KEY, DATA_DIR: into }, again)
    await start(into)
    const count = 'select count(*)::int as count from payments'
    const [row] = await asking(into, (ask) => ask<{ count: number }>(count))
    expect(row?.count).toBeGreaterThanOrEqual(60)
  })

  it('run nothing that a changed archive names, and restore it only when asked to', async () => {
    const changed = join(folder, 'changed.tgz')
    const marker = join(folder, 'ran')
    const command = `restore_command = 'touch ${marker}; false'\n`
    await repack(join(folder, 'stopped.tgz'), changed, [
      bytesEntry('postgres/recovery.signal', Buffer.alloc(0)),
      bytesEntry('postgres/postgresql.auto.conf', Buffer.from(command)),
    ])
    // PostgreSQL may run as another user, who could then write the marker too.
    chmodSync(folder, 0o777)
    const into = join(folder, 'from-changed')
    await expect(restore({ ...KEY, DATA_DIR: into }, changed)).rejects.toThrow(
      'The archive cannot be verified: no key of SECRET_KEY signed it',
    )
    await restore({ ...KEY, DATA_DIR: into }, changed, { unverified: true })
    await start(into)
    expect(existsSync(marker)).toBe(false)
    const [row] = await asking(into, (ask) => ask<{ value: string }>('select pg_is_in_recovery() as value'))
    expect(row?.value).toBe(false)
  })

  it('need the key that signs', async () => {
    const unsigned = join(folder, 'unsigned.tgz')
    await expect(backUp({ DATA_DIR: from }, unsigned)).rejects.toThrow('SECRET_KEY is not set')
    expect(existsSync(unsigned)).toBe(false)
  })

  it('refuse to back up what is not there', async () => {
    const none = join(folder, 'none')
    await expect(backUp({ ...KEY, DATA_DIR: none }, join(folder, 'x'))).rejects.toThrow(
      'There is no database in',
    )
    const env = { ...KEY, DATA_DIR: from, DATABASE_URL: 'postgres://localhost/tender' }
    await expect(backUp(env, join(folder, 'x'))).rejects.toThrow('DATABASE_URL is set')
    await expect(backUp({ ...KEY, DATA_DIR: from }, join(none, 'x'))).rejects.toThrow(
      'The backup failed: ENOENT',
    )
    expect(readdirSync(folder)).not.toContain('x')
  })
})
