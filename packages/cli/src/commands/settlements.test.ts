import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvOf, profileOf, saleOf } from '../../../../test/support/settlement-file.ts'
import { startTestService, type TestService } from '../../../../test/support/tender.ts'
import { run } from '../run.ts'

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startTestService('cli_settlements')
  folder = await mkdtemp(join(tmpdir(), 'cli-settlements-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await service?.stop()
})

async function tender(...args: string[]) {
  const { appId, apiKey } = service.sandbox
  const out: string[] = []
  const err: string[] = []
  const io = {
    env: { TENDER_URL: service.url, TENDER_APP_ID: appId, TENDER_API_KEY: apiKey },
    signal: new AbortController().signal,
    out: (text: string) => out.push(text),
    err: (text: string) => err.push(text),
  }
  return { code: await run(args, io), out: out.join('\n'), err: err.join('\n') }
}

it('a report is imported once, with its bad rows, and its payouts and exceptions are listed', async () => {
  const payment = await service.sandbox.paid()
  const profile = String(profileOf(payment))
  const time = payment.createdTime
  const file = join(folder, 'report.csv')
  await writeFile(
    file,
    csvOf([
      saleOf(payment, { fee: 0.5, net: 25, payout_id: 'po-1' }),
      { line_id: 'po-1', kind: 'payout', gross: -24, currency: 'EUR', time, payout_id: 'po-1' },
      { line_id: 'bad', kind: 'sale', gross: 1, currency: '', time },
    ]),
  )
  const first = await tender('settlements', 'import', file, '--profile', profile)
  expect(first.code).toBe(1)
  expect(first.out).toMatch(/report\.csv: 2 lines read, 1 bad rows\. Report \d+\.\nrow 4 +The currency/)
  expect(first.err).toContain('Sending')
  const again = await tender('settlements', 'import', file, '--profile', profile)
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('was received before')])
  expect((await tender('settlements', 'payouts')).out).toMatch(/paid +24 EUR +\d+ +po-1/)
  expect((await tender('settlements', 'exceptions', '--kind', 'payout')).out).toMatch(
    /payout +open +24|payout +open/,
  )
})

it('wrong files and profiles have a clear error and an exit code of their own', async () => {
  const file = join(folder, 'wrong.csv')
  await writeFile(file, 'a,b\n1,2\n')
  const payment = await service.sandbox.paid()
  const profile = String(profileOf(payment))
  expect(await tender('settlements', 'import', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--profile'),
  })
  const wrong = await tender('settlements', 'import', file, '--profile', profile)
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('wrong_settlement_report')])
  const unknown = await tender('settlements', 'import', file, '--profile', '999999')
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('not_found')])
  const missing = await tender('settlements', 'import', join(folder, 'none.csv'), '--profile', profile)
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('cannot be read: ENOENT.')])
  await truncate(file, 26 * 1024 * 1024)
  const huge = await tender('settlements', 'import', file, '--profile', profile)
  expect([huge.code, huge.err]).toEqual([1, expect.stringContaining('more than 25 MB')])
})
