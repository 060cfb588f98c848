import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { MINUTE, SECOND, systemClock } from '../../../src/base/clock.ts'
import type { Context } from '../../../src/context.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { createNodeState } from '../../../src/node/slot.ts'
import { folderJob } from '../../../src/settlements/folder.ts'
import { csvOf, profileOf, saleOf } from '../../support/settlement-file.ts'
import { type Answer, startTestService, type TestService } from '../../support/tender.ts'

let node: TestService
let folder: string
let own: string
let payment: Answer
let aheadMs = 0
/** Two workers that watch the same folder, with a clock that the test moves. */
let workers: readonly ReturnType<typeof folderJob>[]

beforeAll(async () => {
  node = await startTestService('e2e_settlement_folder')
  folder = await mkdtemp(join(tmpdir(), 'settlements-'))
  const { ctx } = node.service
  const clock = { ...systemClock, now: () => new Date(ctx.clock.now().getTime() + aheadMs) }
  const worker = () => {
    const own: Context = { ...ctx, clock, node: createNodeState(ctx.node.ports) }
    return folderJob(own, folder)
  }
  workers = [worker(), worker()]
  payment = await node.sandbox.paid()
  own = join(folder, String(profileOf(payment)))
  await mkdir(own)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await node?.stop()
})

const look = async () => {
  const counts = await Promise.all(workers.map((worker) => worker.runOnce()))
  return counts.reduce((sum, count) => sum + count, 0)
}
/** Two runs, with more time between them than a file must keep its size. */
async function lookTwice(): Promise<number> {
  const before = await look()
  aheadMs += 11 * SECOND
  return before + (await look())
}
const filesIn = async (name: string) =>
  (await readdir(join(own, name)).catch(() => [])).map((file) => file.replace(/^\d{8}T\d{9}Z-/, '')).sort()
const lines = async () => (await node.sandbox.call('GET', 'settlement-lines')).body.length

it('a file is imported once, by one of several workers, when nothing writes it any more', async () => {
  const path = join(own, 'november.csv')
  const whole = csvOf([saleOf(payment)])
  await writeFile(path, whole.slice(0, 40))
  expect(await look()).toBe(0)
  aheadMs += 11 * SECOND
  await writeFile(path, whole)
  expect(await look()).toBe(0)
  expect(await lines()).toBe(0)
  aheadMs += 11 * SECOND
  expect(await look()).toBe(1)
  expect([await lines(), await filesIn('done'), await filesIn('failed')]).toEqual([1, ['november.csv'], []])
  await writeFile(path, whole)
  expect(await lookTwice()).toBe(1)
  expect([await lines(), await filesIn('done')]).toEqual([1, ['november.csv', 'november.csv']])
  const { ctx } = node.service
  const { licenseId } = (await loadApp(ctx, node.sandbox.appId)) ?? { licenseId: '' }
  const entries = await auditEntries(ctx, licenseId, { limit: 5, action: 'settlement_report.received' })
  expect(entries).toMatchObject([{ actor: { kind: 'service' } }, { actor: { kind: 'service' } }])
})

it('wrong files are moved with the reason, and nothing of them is booked', async () => {
  await writeFile(join(own, 'wrong.csv'), 'a,b\n1,2\n')
  await writeFile(join(own, 'cut.csv'), csvOf([saleOf(payment)]).trimEnd())
  await truncate(join(own, 'wrong.csv'), 0)
  await writeFile(join(own, 'huge.csv'), '')
  await truncate(join(own, 'huge.csv'), 26 * 1024 * 1024)
  const unknown = join(folder, '999999')
  await mkdir(unknown)
  await writeFile(join(unknown, 'report.csv'), csvOf([saleOf(payment)]))
  expect(await lookTwice()).toBe(4)
  expect(await filesIn('failed')).toEqual([
    'cut.csv',
    'cut.csv.reason.txt',
    'huge.csv',
    'huge.csv.reason.txt',
    'wrong.csv',
    'wrong.csv.reason.txt',
  ])
  const reasons = (await readdir(join(own, 'failed'))).filter((name) => name.endsWith('cut.csv.reason.txt'))
  expect(await readFile(join(own, 'failed', reasons[0] ?? ''), 'utf8')).toContain('may be cut off')
  expect((await readdir(join(unknown, 'failed'))).length).toBe(2)
  expect(await lines()).toBe(1)
})

it('hidden and half copied files, links and other folders are left alone', async () => {
  const secret = join(folder, 'secret.csv')
  await writeFile(secret, csvOf([saleOf(payment)]))
  await symlink(secret, join(own, 'link.csv'))
  await symlink(own, join(folder, '1234567'))
  for (const name of ['.hidden.csv', 'copy.csv.part', 'copy.csv.filepart', 'copy.TMP'])
    await writeFile(join(own, name), csvOf([saleOf(payment)]))
  await mkdir(join(folder, 'other'))
  await writeFile(join(folder, 'other', 'report.csv'), csvOf([saleOf(payment)]))
  expect([await lookTwice(), await lines()]).toEqual([0, 1])
})

it('a file that a crashed worker has taken is imported later', async () => {
  const next = await node.sandbox.paid()
  const path = join(own, 'late.csv')
  await writeFile(path, csvOf([saleOf(next)]))
  await rename(path, join(own, '.reading', 'late.csv'))
  expect(await lookTwice()).toBe(0)
  aheadMs += 31 * MINUTE
  expect([await lookTwice(), await lines()]).toEqual([1, 2])
})
