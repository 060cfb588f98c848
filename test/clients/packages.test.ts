import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { startTestService, type TestService } from '../support/tender.ts'
import { ENVIRONMENT, INSTALLED } from './drivers.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))

/** The grammar of the oldest version that is supported. */
const CHECK_PYTHON = `
import ast, sys
for path in sys.argv[1:]:
    ast.parse(open(path, encoding="utf-8").read(), path, feature_version=(3, 9))`

describe('the package for Python', () => {
  it('has the version and the licence of the service', () => {
    expect(read('packages/python/src/tender_pay/_send.py')).toContain(`VERSION = "${VERSION}"`)
    expect(read('packages/python/LICENSE')).toBe(read('LICENSE'))
  })

  it.skipIf(!INSTALLED.Python)('can be parsed by Python 3.9', () => {
    const files = filesOf('packages/python/src', '.py')
    const { status, stderr } = spawnSync('python3', ['-c', CHECK_PYTHON, ...files], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(files.length).toBeGreaterThan(8)
  })
})

describe('the package for PHP', () => {
  it('has the version and the licence of the service', () => {
    expect(read('packages/php/src/Tender.php')).toContain(`VERSION = '${VERSION}'`)
    expect(read('packages/php/LICENSE')).toBe(read('LICENSE'))
  })

  it.skipIf(!INSTALLED.PHP)('has no file that PHP cannot parse', () => {
    const files = [...filesOf('packages/php', '.php')]
    const broken = files.filter((file) => spawnSync('php', ['-n', '-l', file]).status !== 0)
    expect(broken).toEqual([])
    expect(files.length).toBeGreaterThan(20)
  })
})

describe('the first payment of the README', () => {
  let service: TestService
  const folder = mkdtempSync(join(tmpdir(), 'tender-clients-'))
  beforeAll(async () => {
    service = await startTestService('clients_readme')
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service?.stop()
  })

  const PROGRAMS = [
    { language: 'Python', folderName: 'python', command: 'python3', isInstalled: INSTALLED.Python },
    { language: 'PHP', folderName: 'php', command: 'php', isInstalled: INSTALLED.PHP },
  ].filter(({ isInstalled }) => isInstalled)

  it.each(PROGRAMS)('is captured in $language', async ({ folderName, command }) => {
    const blocks = new RegExp(`\`\`\`${folderName}\\n(.*?)\`\`\``, 's')
    const file = join(folder, `first.${folderName}`)
    writeFileSync(file, blocks.exec(read(`packages/${folderName}/README.md`))?.[1] ?? '')
    const { appId, apiKey } = (await service.newMerchant()).sandbox
    const env = { ...ENVIRONMENT, TENDER: service.url, APP: appId, KEY: apiKey }
    const { stdout, stderr } = await promisify(execFile)(command, [file], { env })
    expect([stdout, stderr]).toEqual(['Captured 25.5\n', ''])
  })
})
