import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Secret } from '../base/secret.ts'
import { type ArchiveEntry, packArchive } from './archive.ts'
import { bytesEntry } from './cluster-files.ts'
import { restore } from './restore.ts'
import { tarEnd, tarHeader } from './tar.ts'

let folder: string
let dataDir: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tender-restore-'))
  dataDir = join(folder, 'data')
  file = join(folder, 'archive')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const KEY = 'a key of this test with enough characters'
const OTHER = 'another key of this test with as many characters'

async function archiveOf(entries: readonly ArchiveEntry[], key = KEY): Promise<Buffer> {
  async function* all() {
    yield* entries
  }
  const parts: Buffer[] = []
  for await (const part of packArchive(all(), { version: '0.0.0', key: new Secret(key) })) parts.push(part)
  return Buffer.concat(parts)
}

const restoreBytes = (
  bytes: Buffer,
  options?: Parameters<typeof restore>[2],
  env: Record<string, string> = { SECRET_KEY: KEY },
) => {
  writeFileSync(file, bytes)
  return restore({ DATA_DIR: dataDir, ...env }, file, options)
}

const sample = (key?: string) =>
  archiveOf(
    [
      { path: 'postgres' },
      bytesEntry('postgres/PG_VERSION', Buffer.from('18\n')),
      { path: 'postgres/base' },
      bytesEntry('postgres/base/112', Buffer.alloc(70_000, 'row')),
      bytesEntry('postgres/base/113', Buffer.alloc(0)),
      bytesEntry('secret-key', Buffer.from('a key')),
    ],
    key,
  )

/** What the restore writes itself. */
const WRITTEN = ['pg_hba.conf', 'pg_ident.conf', 'postgresql.auto.conf', 'postgresql.conf']

describe('an archive', () => {
  it('is restored with every folder and file', async () => {
    await restoreBytes(gzipSync(await sample()))
    expect(readdirSync(dataDir, { recursive: true }).sort()).toEqual([
      'postgres',
      'postgres/PG_VERSION',
      'postgres/base',
      'postgres/base/112',
      'postgres/base/113',
      ...WRITTEN.map((name) => `postgres/${name}`),
      'secret-key',
    ])
    expect(readFileSync(join(dataDir, 'postgres/base/112'))).toEqual(Buffer.alloc(70_000, 'row'))
  })

  it('is refused when any part of it is damaged, and leaves the folder empty', async () => {
    const good = await sample()
    const places = [0, 130, 512, 1024, 1026, 1100, 2048, 40_000, good.indexOf('sha256') + 12]
    for (const place of places) {
      const bytes = Buffer.from(good)
      bytes[place] = (bytes[place] ?? 0) ^ 0x55
      await expect(restoreBytes(gzipSync(bytes)), `byte ${place}`).rejects.toThrow('The archive is damaged')
      expect(readdirSync(dataDir)).toEqual([])
    }
  })

  it('is refused when its compressed form is damaged or cut off, or when it is no archive', async () => {
    const good = gzipSync(await sample())
    const changed = Buffer.from(good)
    changed[changed.length - 6] = (changed.at(-6) ?? 0) ^ 1
    const cuts = [1, 100, good.length - 1].map((length) => good.subarray(0, length))
    for (const bytes of [changed, ...cuts, Buffer.from('a text'), Buffer.alloc(0)]) {
      await expect(restoreBytes(bytes)).rejects.toThrow('The archive is damaged')
      expect(readdirSync(dataDir)).toEqual([])
    }
  })

  it('is refused without a manifest, with more than the manifest lists, and without a database', async () => {
    const noManifest = Buffer.concat([tarHeader({ path: 'postgres' }), tarEnd()])
    await expect(restoreBytes(gzipSync(noManifest))).rejects.toThrow('it has no manifest')
    const more = Buffer.concat([
      tarHeader({ path: 'postgres' }),
      tarHeader({ path: 'operator-token', size: 0 }),
    ])
    await expect(restoreBytes(gzipSync(Buffer.concat([more, await archiveOf([])])))).rejects.toThrow(
      'operator-token has changed',
    )
    const noDatabase = await archiveOf([bytesEntry('secret-key', Buffer.from('a key'))])
    await expect(restoreBytes(gzipSync(noDatabase))).rejects.toThrow('it has no database')
  })

  it.each([
    '../secret-key',
    '/etc/passwd',
    'postgres/../../x',
    'postgres/.x',
    'postgres//x',
    'other',
    'secret-key/x',
    'postgres/tablespace_map',
    'postgres/pg_tblspc/16385',
    'postgres/PG_TBLSPC/16385/x',
    'postgres/postmaster.pid',
  ])('never writes to %s', async (path) => {
    const bytes = await archiveOf([{ path: 'postgres' }, bytesEntry(path, Buffer.from('x'))])
    await expect(restoreBytes(gzipSync(bytes))).rejects.toThrow('does not belong into it')
    expect(readdirSync(folder).sort()).toEqual(['archive', 'data'])
  })

  it('is refused with a link in it', async () => {
    const link = tarHeader({ path: 'postgres/pg_tblspc', size: 0 })
    link.write('2', 156)
    const sum = Buffer.from(link).fill(' ', 148, 156)
    link.write(
      `${sum
        .reduce((total, byte) => total + byte, 0)
        .toString(8)
        .padStart(7, '0')}\0`,
      148,
    )
    const bytes = Buffer.concat([tarHeader({ path: 'postgres' }), link, await archiveOf([])])
    await expect(restoreBytes(gzipSync(bytes), { unverified: true })).rejects.toThrow('neither a file nor')
  })
})

describe('the signature of an archive', () => {
  const refusals: readonly (readonly [string, () => Promise<Buffer>, Record<string, string>, string])[] = [
    ['another key', () => sample(OTHER), { SECRET_KEY: KEY }, 'no key of SECRET_KEY signed it'],
    ['no key here', () => sample(), {}, 'SECRET_KEY is not set'],
    ['no signature', async () => unsigned(await sample()), { SECRET_KEY: KEY }, 'it has no signature'],
  ]

  /** As versions before signatures wrote it. */
  function unsigned(bytes: Buffer): Buffer {
    return Buffer.concat([bytes.subarray(0, bytes.indexOf('manifest.hmac')), tarEnd()])
  }

  it.each(refusals)('is required: %s', async (_name, bytes, env, reason) => {
    const archive = gzipSync(await bytes())
    await expect(restoreBytes(archive, {}, env)).rejects.toThrow(`The archive cannot be verified: ${reason}`)
    expect(readdirSync(dataDir)).toEqual([])
    await restoreBytes(archive, { unverified: true }, env)
    expect(readdirSync(dataDir)).toContain('postgres')
  })

  it('may be of any key of SECRET_KEY, so that backups survive a rotation', async () => {
    await restoreBytes(gzipSync(await sample(OTHER)), {}, { SECRET_KEY: `${KEY},${OTHER}` })
    expect(readdirSync(dataDir)).toContain('postgres')
  })

  it('covers folders too', async () => {
    const good = await sample()
    const bytes = Buffer.concat([tarHeader({ path: 'postgres' }), tarHeader({ path: 'postgres/x' })])
    const changed = Buffer.concat([bytes, good.subarray(tarHeader({ path: 'postgres' }).length)])
    await expect(restoreBytes(gzipSync(changed))).rejects.toThrow('its folders have changed')
  })
})

describe('settings of PostgreSQL', () => {
  it.each(['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'recovery.signal', 'conf.d/x.CONF'])(
    'never come from an archive: %s',
    async (name) => {
      const bad = Buffer.from("restore_command = 'touch /tmp/x'")
      const bytes = await archiveOf([
        { path: 'postgres' },
        { path: 'postgres/conf.d' },
        bytesEntry(`postgres/${name}`, bad),
      ])
      await restoreBytes(gzipSync(bytes))
      const files = readdirSync(join(dataDir, 'postgres'), { recursive: true }).map(String).sort()
      expect(files).toEqual(['conf.d', ...WRITTEN])
      for (const one of WRITTEN)
        expect(readFileSync(join(dataDir, 'postgres', one), 'utf8')).not.toContain('restore_command')
    },
  )
})

describe('restore', () => {
  it('refuses a folder with content and leaves it unchanged', async () => {
    await restoreBytes(gzipSync(await sample()))
    const before = readdirSync(dataDir, { recursive: true })
    await expect(restoreBytes(gzipSync(await sample()))).rejects.toThrow('is not empty (postgres)')
    expect(readdirSync(dataDir, { recursive: true })).toEqual(before)
  })

  it('removes what an interrupted restore left', async () => {
    await restoreBytes(gzipSync(await sample()))
    rmSync(join(dataDir, 'postgres'), { recursive: true })
    rmSync(join(dataDir, 'secret-key'))
    writeFileSync(join(dataDir, 'postgres-draft-x'), '')
    await restoreBytes(gzipSync(await sample()))
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'secret-key'])
  })

  it('refuses to run beside a server of its own, and without the file', async () => {
    const env = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://localhost/tender' }
    await expect(restore(env, file)).rejects.toThrow('DATABASE_URL is set')
    await expect(restore({ DATA_DIR: dataDir }, file)).rejects.toThrow(/^The restore failed: ENOENT/)
  })
})
