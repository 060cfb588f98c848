import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile } from '../../../../test/support/imports.ts'
import { startTestService, type TestService } from '../../../../test/support/tender.ts'
import { run } from '../run.ts'

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startTestService('cli_import')
  folder = await mkdtemp(join(tmpdir(), 'cli-import-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await service?.stop()
})

const KEY = 'ab'.repeat(32)

async function tender(...args: string[]) {
  const { appId, apiKey } = service.sandbox
  const out: string[] = []
  const io = {
    env: {
      ...{ TENDER_URL: service.url, TENDER_APP_ID: appId, TENDER_API_KEY: apiKey },
      TENDER_SEALING_KEY: KEY,
    },
    signal: new AbortController().signal,
    out: (text: string) => out.push(text),
    err: () => undefined,
  }
  return { code: await run(args, io), out: out.join('\n') }
}

it('a file is checked, imported, exported with sealed tokens and known again', async () => {
  const [{ paymentProfileName }] = (await service.sandbox.call('GET', 'payment-profiles')).body
  const file = join(folder, 'shop.csv')
  const method = {
    ...{ kind: 'payment-method', customerId: 'c-1', paymentProfile: paymentProfileName },
    ...{ token: 'met_test_visa_cli', consentTime: '2025-01-01T00:00:00Z', consentText: 'Terms\nof 2025' },
  }
  await writeFile(file, csvFile([method, { ...method, token: 'met_unknown' }]))
  const dry = await tender('import', file, '--dry-run')
  expect(dry.code).toBe(1)
  // The text of the first line has a line break, so the second one begins at line 4.
  expect(dry.out).toMatch(/^line 4 +The provider does not know this token/)
  expect(dry.out).toContain('2 lines: 1 would be added, 0 known already, 1 wrong')
  expect((await tender('import', file)).out).toContain('2 lines: 1 added, 0 known already, 1 wrong')

  const copy = join(folder, 'everything.csv')
  expect((await tender('export', '--everything', '--out', copy)).code).toBe(0)
  expect(await readFile(copy, 'utf8')).toMatch(/^kind,customerId.+sealed:1:/s)
  const again = await tender('import', copy)
  expect(again).toEqual({ code: 0, out: '2 lines: 0 added, 2 known already, 0 wrong' })
  await expect(tender('import', join(folder, 'none.csv'))).resolves.toMatchObject({ code: 1 })
})
