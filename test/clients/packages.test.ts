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

const hasMypy = spawnSync('mypy', ['--version']).status === 0

describe('the types of the package for Python', () => {
  it.skipIf(!hasMypy)(
    'are right by themselves and for a program that uses them',
    () => {
      const check = (text: string) => {
        const folder = mkdtempSync(join(tmpdir(), 'tender-mypy-'))
        writeFileSync(join(folder, 'typed.py'), text)
        const args = ['--strict', '--cache-dir', join(folder, 'cache'), 'packages/python/src/tender_pay']
        const env = { ...ENVIRONMENT, MYPYPATH: 'packages/python/src' }
        const { stdout } = spawnSync('mypy', [...args, join(folder, 'typed.py')], { encoding: 'utf8', env })
        rmSync(folder, { recursive: true })
        return stdout
      }
      const program = read('test/clients/typed.py')
      expect(check(program)).toContain('Success: no issues found')
      expect(check(program.replace('payment["amount"]', 'payment["amoun"]'))).toContain('no key "amoun"')
    },
    600_000,
  )
})

const KEY = 'sk_sandbox_secret'
const DUMP_PYTHON = `
from tender_pay import Tender
sender = Tender("https://pay.example", app_id="app_1", api_key="${KEY}").payments._send
print({name: repr(value) for name, value in vars(sender).items()})`
const DUMP_PHP = `
require '/usr/share/php/GuzzleHttp/autoload.php';
require 'packages/php/autoload.php';
$factory = new GuzzleHttp\\Psr7\\HttpFactory();
$given = ['url' => 'https://pay.example', 'appId' => 'app_1', 'apiKey' => '${KEY}'];
$http = new GuzzleHttp\\Client();
print_r(new TenderPay\\Tender(...$given, http: $http, requests: $factory, streams: $factory));`

describe.each([
  { language: 'Python', command: ['python3', '-c', DUMP_PYTHON], isInstalled: INSTALLED.Python },
  { language: 'PHP', command: ['php', '-r', DUMP_PHP], isInstalled: INSTALLED.PHP },
])('a client in $language that is written to a log', ({ command: [name = '', ...args], isInstalled }) => {
  it.skipIf(!isInstalled)('does not show its key', () => {
    const { stdout } = spawnSync(name, args, { env: ENVIRONMENT, encoding: 'utf8' })
    expect(stdout).toContain('app_1')
    expect(stdout).not.toContain(KEY)
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

  describe.each([
    { language: 'Python', folderName: 'python', command: 'python3', isInstalled: INSTALLED.Python },
    { language: 'PHP', folderName: 'php', command: 'php', isInstalled: INSTALLED.PHP },
  ])('in $language', ({ folderName, command, isInstalled }) => {
    it.skipIf(!isInstalled)('is captured', async () => {
      const blocks = new RegExp(`\`\`\`${folderName}\\n(.*?)\`\`\``, 's')
      const file = join(folder, `first.${folderName}`)
      writeFileSync(file, blocks.exec(read(`packages/${folderName}/README.md`))?.[1] ?? '')
      const { appId, apiKey } = (await service.newMerchant()).sandbox
      const env = { ...ENVIRONMENT, TENDER: service.url, APP: appId, KEY: apiKey }
      const { stdout, stderr } = await promisify(execFile)(command, [file], { env })
      expect([stdout, stderr]).toEqual(['Captured 25.5\n', ''])
    })
  })
})
