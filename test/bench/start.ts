import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/net/free-port.ts'
import type { Bench, Figure } from './bench.ts'
import { median } from './measure.ts'
import { ended, isReady } from './rig.ts'

const ROUNDS = 3
const TARGET_MS = 2_000

/** Time from the command to the first accepted request, for the first start and a later one. */
export const start: Bench = {
  name: 'start',
  async run(rig, say) {
    const cold: number[] = []
    const warm: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const folder = await mkdtemp(join(tmpdir(), 'tender-bench-start-'))
      const [first, second] = [await startIn(rig.root, folder), await startIn(rig.root, folder)]
      await rm(folder, { recursive: true, force: true })
      cold.push(first)
      warm.push(second)
      say(`round ${round}: cold ${Math.round(first)} ms, warm ${Math.round(second)} ms`)
    }
    return [
      figure('cold: the database is made', median(cold)),
      { ...figure('warm', median(warm)), target: `≤ ${TARGET_MS / 1_000} s`, ok: median(warm) <= TARGET_MS },
    ]
  },
}

const figure = (what: string, ms: number): Figure => ({
  what: `start, ${what}`,
  value: `${(ms / 1_000).toFixed(2)} s`,
  numbers: { ms },
})

async function startIn(root: string, folder: string): Promise<number> {
  const port = String(await freePort('127.0.0.1'))
  const startMs = performance.now()
  const service = spawn(process.execPath, [join(root, 'scripts', 'start.js')], {
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: port, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await isReady(`http://127.0.0.1:${port}`, 10)
  const tookMs = performance.now() - startMs
  await ended(service)
  return tookMs
}
