import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  isLinux,
  isRoot,
  keepRow,
  keptRow,
  kill,
  newFolder,
  root,
  run,
  start,
  startElsewhere,
  useEmbedded,
} from '../../../test/support/embedded.ts'

useEmbedded()

const NOBODY = { uid: 65_534, gid: 65_534 }
const canUnshare =
  isRoot && isLinux && spawnSync('sh', ['-c', 'unshare --user --map-user=65534 true']).status === 0
const othersCanRead = isRoot && spawnSync('ls', [root], { ...NOBODY, cwd: '/' }).status === 0

describe.runIf(isRoot)('As root', () => {
  test.runIf(canUnshare)('PostgreSQL runs in a namespace, in a folder that only root may enter', async () => {
    const dataDir = newFolder()
    await start({ dataDir, modes: ['namespace'] })
    expect(statSync(dirname(dataDir)).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(0)
  })

  test.runIf(othersCanRead)('PostgreSQL runs as an unprivileged user', async () => {
    const dataDir = newFolder()
    chmodSync(dirname(dataDir), 0o755)
    const { url } = await start({ dataDir, modes: ['user'] })
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0)
    expect(await run(url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test.runIf(othersCanRead && canUnshare)('each way can start on a folder of the other', async () => {
    const dataDir = newFolder()
    chmodSync(dirname(dataDir), 0o755)
    const first = await start({ dataDir, modes: ['namespace'] })
    await keepRow(first.url)
    await first.stop()
    for (const mode of ['user', 'namespace', 'user'] as const) {
      const next = await startElsewhere({ dataDir, modes: [mode] })
      expect(await keptRow(next.said)).toEqual([{ n: 7 }])
      await kill(next.child)
    }
  })

  test.runIf(othersCanRead)('a folder created by an ordinary user keeps its owner', async () => {
    const dataDir = newFolder()
    await chown(dirname(dataDir), NOBODY.uid, NOBODY.gid)
    chmodSync(dirname(dataDir), 0o755)
    const first = await startElsewhere({ dataDir }, NOBODY)
    await keepRow(first.said)
    await kill(first.child)
    await (await start({ dataDir })).stop()
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(NOBODY.uid)
    const last = await startElsewhere({ dataDir }, NOBODY)
    expect(await keptRow(last.said)).toEqual([{ n: 7 }])
  })

  test('if neither way works, one line names DATABASE_URL', async () => {
    const dataDir = newFolder()
    const message = /^PostgreSQL does not run as root, and no other user can run it on .+ set DATABASE_URL to/
    await expect(start({ dataDir, modes: ['user'] })).rejects.toThrow(message)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('running-'))).toEqual([])
  })
})
