import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  keepRow,
  keptRow,
  kill,
  newFolder,
  postmasterOf,
  run,
  start,
  startElsewhere,
  usedFolder,
  useEmbedded,
} from '../../../test/support/embedded.ts'
import { waitUntil } from './processes.ts'

useEmbedded()

describe('The embedded PostgreSQL', () => {
  test('commits durably, orders text the same on every machine and listens on a socket only', async () => {
    const { url } = await start({ dataDir: newFolder(), durable: true })
    const settings = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync,
      current_setting('full_page_writes') as pages, current_setting('listen_addresses') as tcp,
      datlocale, pg_encoding_to_char(encoding) as encoding
      from pg_database where datname = current_database()`
    expect(await run(url, settings)).toEqual([
      { fsync: 'on', sync: 'on', pages: 'on', tcp: '', datlocale: 'C.UTF-8', encoding: 'UTF8' },
    ])
  })

  test('requires its random password, which only its owner can read', async () => {
    const dataDir = await usedFolder()
    const { url } = await start({ dataDir })
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
    const wrong = url.replace(/:[^:@]+@/, ':guess@')
    await expect(run(wrong, 'select')).rejects.toThrow('password authentication failed')
  })

  test('keeps its rows and its address from one start to the next', async () => {
    const dataDir = await usedFolder()
    const first = await start({ dataDir })
    await keepRow(first.url)
    await first.stop()
    const second = await start({ dataDir })
    expect(second.url).toBe(first.url)
    expect(await keptRow(second.url)).toEqual([{ n: 7 }])
  })

  test('says that it makes a new database, and only then', async () => {
    const dataDir = newFolder()
    let setUps = 0
    const onSetUp = () => void setUps++
    await (await start({ dataDir, onSetUp })).stop()
    await start({ dataDir, onSetUp })
    expect(setUps).toBe(1)
  })

  test('refuses the files of another major version of PostgreSQL, and changes nothing', async () => {
    const dataDir = await usedFolder()
    const file = join(dataDir, 'postgres', 'PG_VERSION')
    await writeFile(file, '17\n')
    const why = /is one of PostgreSQL 17, and this version of Tender runs PostgreSQL 18\. Nothing was changed/
    await expect(start({ dataDir })).rejects.toThrow(why)
    await writeFile(file, '18\n')
    await start({ dataDir })
  })

  test('calls onExit after an unexpected exit, not after a stop', async () => {
    const reasons: string[] = []
    const dataDir = await usedFolder()
    const onExit = (why: string) => reasons.push(why)
    await (await start({ dataDir, onExit })).stop()
    expect(reasons).toEqual([])
    await start({ dataDir, onExit })
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await waitUntil(() => reasons.length > 0, 60_000)
    expect(reasons).toEqual(['SIGKILL'])
  })

  test('reports a replaced password file', async () => {
    const dataDir = await usedFolder()
    await (await start({ dataDir })).stop()
    await writeFile(join(dataDir, 'postgres-password'), 'another')
    await expect(start({ dataDir })).rejects.toThrow('does not open the database')
  })

  test('works in a folder whose path is too long for a socket', async () => {
    const dataDir = join(newFolder(), 'a'.repeat(100), 'b'.repeat(100))
    const first = await startElsewhere({ dataDir })
    await keepRow(first.said)
    const socketFolder = new URL(first.said).searchParams.get('host') ?? ''
    expect(existsSync(socketFolder)).toBe(true)
    await kill(first.child)
    // PostgreSQL exits by itself and removes its pid file, which names the folder too.
    await expect.poll(() => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    expect(await keptRow((await start({ dataDir })).url)).toEqual([{ n: 7 }])
    expect(existsSync(socketFolder)).toBe(false)
  })

  test('works in a folder with spaces, quotes and letters beyond ASCII', async () => {
    const { url } = await start({ dataDir: join(newFolder(), `it's "böse", ok`) })
    expect(await run(url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('names a folder that cannot be used', async () => {
    const dataDir = newFolder()
    mkdirSync(dataDir)
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    await expect(start({ dataDir: join(file, 'data') })).rejects.toThrow(
      /^DATA_DIR .+ cannot be used: ENOTDIR/,
    )
  })
})

describe('A second start on the same folder', () => {
  test('names the running process and does not affect it', async () => {
    const dataDir = await usedFolder()
    const { child, said } = await startElsewhere({ dataDir, durable: false })
    await expect(start({ dataDir })).rejects.toThrow(
      `Tender is already running on ${dataDir} (pid ${child.pid}). Stop it first or choose another DATA_DIR.`,
    )
    expect(await run(said, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('is refused in the same process too', async () => {
    const dataDir = await usedFolder()
    await start({ dataDir })
    await expect(start({ dataDir })).rejects.toThrow(`already running on ${dataDir} (pid ${process.pid})`)
  })

  test('at the same time lets exactly one succeed', async () => {
    const dataDir = newFolder()
    const options = { dataDir, durable: false }
    const all = await Promise.all([1, 2, 3, 4].map(() => startElsewhere(options)))
    const said = all.map((one) => one.said)
    expect(said.filter((line) => line.startsWith('postgres://'))).toHaveLength(1)
    expect(said.filter((line) => line.startsWith('StartError: Tender is already running'))).toHaveLength(3)
  })

  test('is not blocked by the lock of a process whose pid was reused', async () => {
    const dataDir = newFolder()
    mkdirSync(dataDir)
    await writeFile(join(dataDir, `running-${process.ppid}-4711`), '')
    await start({ dataDir })
    expect(readdirSync(dataDir).filter((name) => name.startsWith('running-'))).toHaveLength(1)
  })
})
