import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTENT } from './tidy/content.ts'
import { IMPORTS } from './tidy/imports.ts'
import { NAMES } from './tidy/names.ts'
import { projectOf } from './tidy/project.ts'
import { SIZES } from './tidy/sizes.ts'

/** `npm run new-provider` in a copy of the project. */

const COPIED = [
  ...['src', 'test', 'scripts', 'docs', 'packages', 'migrations', 'locales'],
  ...['package.json', 'biome.json', 'tsconfig.json', 'vitest.config.ts', '.env.example', '.gitignore'],
]
const ID = 'oak-and-elm'

let copy = ''
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tender-new-provider-'))
  const filter = (path: string) => !path.includes('node_modules')
  for (const path of COPIED) cpSync(path, join(copy, path), { recursive: true, filter })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  return { status, stdout, stderr }
}

const make = (...args: readonly string[]) => run('scripts/new-provider.js', ...args)
const read = (path: string): string => readFileSync(join(copy, path), 'utf8')

const textsOf = (...folders: readonly string[]) =>
  folders
    .flatMap((folder) =>
      readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, read(path)] as const)

interface Results {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** The results of all tests that were made, by file. */
function runMadeTests() {
  const file = join(copy, 'results.json')
  const reporter = ['--reporter=json', `--outputFile=${file}`]
  const vitest = 'node_modules/vitest/vitest.mjs'
  run(vitest, 'run', ...reporter, `src/providers/${ID}/`, `test/providers/${ID}/`)
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results
  return new Map(testResults.map((result) => [result.name.split('/').at(-1), result]))
}

it.each([
  [[], /^Give one id\./],
  [['oak', 'elm'], /^Give one id\./],
  [['Oak'], /^'Oak' is not an id/],
  [['../oak'], /is not an id/],
  [['oak--elm'], /is not an id/],
  [['stripe'], /^'stripe' exists already\./],
  [['sandbox'], /^'sandbox' exists already\./],
  [['kit'], /^'kit' exists already\./],
  [['switch'], /^'switch' has a meaning in the code already\./],
  [['manifest'], /^'manifest' has a meaning in the code already\./],
  [['oak', '--name', "Oak's"], /^The name has 1 to 40 characters/],
])('refuses %j and makes nothing', (args, message) => {
  const { status, stdout, stderr } = make(...args)
  expect([status, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
  expect(stderr).toMatch(message)
  expect(read('src/providers/registry.ts')).toBe(readFileSync('src/providers/registry.ts', 'utf8'))
})

describe('a new provider', () => {
  let said = ''
  beforeAll(() => {
    const { status, stdout, stderr } = make(ID, '--name', 'Oak & Elm')
    expect([status, stderr]).toEqual([0, ''])
    said = stdout
  })

  it('changes the registry and the lists of decisions and guides, and says what to do next', () => {
    const [, changed = ''] = /Changed:\n(.*?)\n\n/s.exec(said) ?? []
    expect(changed.trim().split(/\s+/)).toEqual([
      'docs/decisions/README.md',
      'src/providers/registry.ts',
      'src/web/docs/site/contents.ts',
    ])
    expect(read('docs/decisions/README.md')).toMatch(/## Providers\n(?:\n|- .*\n)*- \[\d{4}\]\(\d{4}-oak/)
    expect(read('src/web/docs/site/contents.ts')).toContain(`provider('${ID}', 'Oak & Elm'),`)
    expect(said).toContain('Next, as docs/guides/add-a-provider.md describes it:')
    const list = read('src/providers/registry.ts')
    expect(list).toContain(`import { oakAndElm } from './${ID}/adapter.ts'`)
    expect(list.match(/\boakAndElm\b/g)).toHaveLength(2)
    expect(read(`src/providers/${ID}/manifest.ts`)).toContain("name: 'Oak & Elm'")
  })

  it('has nothing left of the template', () => {
    const [, made = ''] = /Made:\n(.*?)\nChanged:/s.exec(said) ?? []
    const paths = made.trim().split(/\s+/)
    expect(paths.length).toBeGreaterThan(15)
    for (const path of paths) expect(read(path), path).not.toMatch(/acorn|template/i)
  })

  it('begins with published samples: a first one, its feed and empty enumerations', () => {
    const path = `test/providers/${ID}/samples`
    const samples = readdirSync(join(copy, path))
    expect(samples).toHaveLength(1)
    const sample = JSON.parse(read(`${path}/${samples[0]}`)) as { kind: string; source: string }
    expect(sample.source).not.toBe('')
    expect(read(`${path}.ts`)).toContain(`${sample.kind}: (body)`)
    expect(read(`src/providers/${ID}/manifest.ts`)).toContain('enumerations: {')
    expect(said.indexOf('Published samples')).toBeLessThan(said.indexOf('The simulator'))
  })

  it('type-checks', () => {
    const texts = 'src/generated/locales.d.ts'
    const include = [texts, 'src/providers/registry.ts', `src/providers/${ID}`, `test/providers/${ID}`]
    // The types of the whole service, which the fault matrix imports, are checked with the template.
    const config = { extends: './tsconfig.json', include, exclude: ['**/faults.test.ts'] }
    writeFileSync(join(copy, 'tsconfig.made.json'), JSON.stringify(config))
    const { status, stdout } = run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.made.json')
    expect([status, stdout]).toEqual([0, ''])
  })

  it('is formatted, passes the linter and has no unused export', () => {
    const paths = ['src/providers', `test/providers/${ID}`]
    const biome = run('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...paths)
    expect(biome, biome.stderr).toMatchObject({ status: 0 })
    const knip = run('node_modules/knip/bin/knip.js')
    expect([knip.status, knip.stdout]).toEqual([0, ''])
  })

  it('keeps the style limits', () => {
    const places = ['src/base', 'src/net', 'src/providers', `test/providers/${ID}`]
    const project = projectOf(Object.fromEntries(textsOf(...places)))
    const isMade = (violation: string) => violation.includes(ID)
    for (const { text, violations } of [...SIZES, ...IMPORTS, ...NAMES, ...CONTENT])
      expect(violations(project).filter(isMade), text).toEqual([])
  })

  it('has tests that fail because nothing is implemented', () => {
    const results = runMadeTests()
    expect([...results.keys()].sort()).toEqual(
      ['contract.test.ts', 'declines.test.ts', 'faults.test.ts', 'simulator.test.ts'].sort(),
    )
    const why = new RegExp(`${ID}: [\\w.]+: \\w+ is not implemented, see docs/guides/add-a-provider\\.md`)
    const passed: string[] = []
    for (const [file, { assertionResults, message }] of results) {
      if (file === 'faults.test.ts') expect(message).toMatch(why)
      for (const { title, status, failureMessages } of assertionResults)
        if (status === 'passed') passed.push(title)
        // Skipped: an ability that a new adapter does not have.
        else if (status === 'failed' && file !== 'faults.test.ts')
          expect(failureMessages[0], title).toMatch(why)
    }
    // They need nothing of the provider.
    expect(passed.sort()).toEqual([
      'exposes its registered manifest',
      'returns unsupported for a token if the method is paid on the page only',
      'returns unsupported if storing is requested',
      'writes no secret to logs or the database',
    ])
  })

  it('is not made twice', () => {
    expect(make(ID)).toMatchObject({ status: 2, stderr: expect.stringContaining('exists already') })
  })
})
