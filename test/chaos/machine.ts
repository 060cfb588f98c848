import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pause } from '../support/service-process.ts'
import { seconds } from './crashes.ts'
import type { Outcome, Scenario, Stage } from './scenario.ts'

const run = promisify(execFile)

export const clock: Scenario = {
  name: 'clock',
  fault: 'the clock of the service stepped back by an hour under load, and corrected later',
  nodeArgs: ['--import', fileURLToPath(new URL('clock-step.js', import.meta.url))],
  async run({ rig, service }) {
    const crowd = rig.gather(16)
    await pause(1_500)
    process.kill(service.pid, 'SIGUSR2')
    await pause(4_000)
    process.kill(service.pid, 'SIGUSR2')
    await pause(1_500)
    const tally = await crowd.leave()
    return { what: `longest pause ${seconds(tally.longestGapMs)}`, tally, problems: [] }
  },
}

const DISK = '300m'

/** Mounts a separate disk for the database, small enough to be filled. */
async function smallDisk() {
  const path = await mkdtemp(join(tmpdir(), 'tender-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=700`, 'tmpfs', path])
  const remove = async () => {
    await run('umount', ['-l', path])
    await rm(path, { recursive: true, force: true })
  }
  return { path, remove }
}

export const diskFull: Scenario = {
  name: 'disk-full',
  fault: 'the disk of the database filled completely under load, then freed',
  async skipReason() {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can mount a disk'
    return await smallDisk().then(
      (disk) => disk.remove().then(() => undefined),
      (error: Error) => `this machine does not allow mounts: ${error.message.split('\n').at(-1)}`,
    )
  },
  folder: smallDisk,
  run: withFullDisk,
}

async function withFullDisk({ rig, log }: Stage): Promise<Outcome> {
  const [row] = await rig.ask<{ folder: string }>(`select current_setting('data_directory') as folder`)
  const filler = join(row?.folder ?? '', '..', 'filler')
  const crowd = rig.gather(16)
  await pause(1_000)
  await fill(filler)
  const startMs = performance.now()
  while (!crowd.tally.statuses.get(503) && performance.now() - startMs < 30_000) await pause(50)
  const first503Ms = performance.now() - startMs
  log(`first 503 after ${seconds(first503Ms)}`)
  await pause(4_000)
  await rm(filler)
  await pause(500)
  await rig.postgres.revive()
  await pause(2_500)
  const tally = await crowd.leave()
  const problems = tally.statuses.get(503) ? [] : ['no request got 503: the disk was never full']
  return { what: `full for ${seconds(first503Ms + 4_000)}`, tally, problems }
}

/** Writes until no byte fits. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let size = 2 ** 20; size >= 1; ) {
      const fits = await file.write(Buffer.alloc(size)).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      )
      if (!fits) size = Math.floor(size / 2)
    }
  } finally {
    await file.close()
  }
}
