import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { chown, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  isLinux,
  isShell,
  keep,
  keepRow,
  keptRow,
  kill,
  newFolder,
  postmasterOf,
  processesOf,
  spawnStart,
  start,
  startElsewhere,
  usedFolder,
  useEmbedded,
} from '../../../test/support/embedded.ts'
import { waitUntil } from './processes.ts'

useEmbedded()

describe.runIf(isLinux)('When the service is killed', () => {
  test('PostgreSQL exits by itself, and the next start has every row', async () => {
    const dataDir = await usedFolder()
    const first = await startElsewhere({ dataDir })
    await keepRow(first.said)
    await kill(first.child)
    expect(await waitUntil(() => processesOf(dataDir).length === 0, 60_000)).toBe(true)
    expect(await keptRow((await start({ dataDir, durable: true })).url)).toEqual([{ n: 7 }])
  })

  test('with all processes except PostgreSQL, the next start stops the remaining ones', async () => {
    const dataDir = await usedFolder()
    const first = await startElsewhere({ dataDir })
    await keepRow(first.said)
    const leftover = postmasterOf(dataDir)
    const beside = processesOf(dataDir).filter(isShell)
    expect(beside).toHaveLength(1)
    for (const pid of beside) process.kill(pid, 'SIGKILL')
    await kill(first.child)
    const { url } = await start({ dataDir })
    expect(await keptRow(url)).toEqual([{ n: 7 }])
    // A process that PostgreSQL has just forked has the command of its parent for a moment.
    await expect
      .poll(() => processesOf(dataDir).filter((pid) => !isShell(pid)), { timeout: 10_000 })
      .toEqual([postmasterOf(dataDir)])
    expect(postmasterOf(dataDir)).not.toBe(leftover)
  })

  test('together with PostgreSQL, the next start recovers every row', async () => {
    const dataDir = await usedFolder()
    const first = await startElsewhere({ dataDir })
    await keepRow(first.said)
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await kill(first.child)
    expect(await keptRow((await start({ dataDir })).url)).toEqual([{ n: 7 }])
  })

  test('during the first start, the next start initialises again', async () => {
    const dataDir = newFolder()
    const first = spawnStart({ dataDir })
    const drafts = () =>
      existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.includes('draft')) : []
    await waitUntil(() => drafts().some((name) => existsSync(join(dataDir, name, 'data', 'base'))), 10_000)
    await kill(first)
    await start({ dataDir })
    expect(drafts()).toEqual([])
  })

  test('a process with the pid of the last PostgreSQL does not block the start', async () => {
    const dataDir = await usedFolder()
    const first = await start({ dataDir })
    await keepRow(first.url)
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    const text = await readFile(pidFile, 'utf8')
    const { uid, gid } = statSync(pidFile)
    await first.stop()
    const foreign = keep(spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' }))
    await writeFile(pidFile, text.replace(/^\d+/, String(foreign.pid)), { mode: 0o600 })
    await chown(pidFile, uid, gid)
    expect(await keptRow((await start({ dataDir })).url)).toEqual([{ n: 7 }])
    expect(foreign.exitCode).toBeNull()
  })
})
