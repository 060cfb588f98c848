import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile } from '../../../../test/support/imports.ts'
import { startTestService, type TestService } from '../../../../test/support/tender.ts'
import { run } from '../run.ts'
import { partsOf } from './import.ts'

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

const tender = (...args: string[]) => tenderOf(service, ...args)

async function tenderOf({ url, sandbox }: TestService, ...args: string[]) {
  const { appId, apiKey } = sandbox
  const out: string[] = []
  const io = {
    env: {
      ...{ TENDER_URL: url, TENDER_APP_ID: appId, TENDER_API_KEY: apiKey },
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
    ...{ token: 'met_test_visa_cli', consentTime: '2025-01-01T00:00:00Z', consentText: 'Terms\r\nof 2025' },
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

it('moves to an empty installation and back byte for byte; another encoding is refused', async () => {
  const [first, second] = [join(folder, 'first.csv'), join(folder, 'second.csv')]
  const other = await startTestService('cli_import_other')
  expect((await tender('export', '--everything', '--out', first)).code).toBe(0)
  expect(await readFile(first, 'utf8')).toContain('"Terms\r\nof 2025"')
  expect((await tenderOf(other, 'import', first)).code).toBe(0)
  expect((await tenderOf(other, 'export', '--everything', '--out', second)).code).toBe(0)
  await other.stop()
  expect(await readFile(second)).toEqual(await readFile(first))

  const latin = join(folder, 'latin.csv')
  await writeFile(latin, 'kind,customerId,firstName\r\ncustomer,c-9,J\xfcrgen\r\n', 'latin1')
  expect((await tender('import', latin)).code).toBe(1)
  expect((await service.sandbox.call('GET', 'customers/c-9')).status).toBe(404)
})

it('a large file is sent in parts of whole records, with the lines of the file', async () => {
  const file = join(folder, 'parts.csv')
  const records = ['"a\r\n""b"",",1\r\n', 'c,2\r\n', '"\n\n",3\r\n', 'd,4']
  await writeFile(file, `x,"y\nz"\r\n${records.join('')}`)
  const read = async (partBytes: number, partLines?: number) => {
    const parts: [string, number][] = []
    for await (const { bytes, firstLine } of partsOf(file, partBytes, partLines))
      parts.push([Buffer.from(bytes).toString(), firstLine])
    return parts
  }
  expect(await read(1)).toEqual([0, 2, 3, 6].map((line, n) => [`x,"y\nz"\r\n${records[n]}`, line]))
  const [first, second, ...rest] = records
  expect(await read(1_000, 3)).toEqual(
    [`${first}${second}`, ...rest].map((some, n) => [`x,"y\nz"\r\n${some}`, 3 * n]),
  )
  expect(await read(1_000)).toEqual([[`x,"y\nz"\r\n${records.join('')}`, 0]])
  await writeFile(file, `x\r\na\r\n"${'b\n'.repeat(600_000)}`)
  await expect(read(10)).rejects.toThrow('A record after line 2 has no end.')
})
