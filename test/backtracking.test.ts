import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, inject, it, vi } from 'vitest'
import { isPlainlyLinear, type Pattern, patternsOf } from './tidy/patterns.ts'
import { projectOf, readProject } from './tidy/project.ts'

// Runs in this process without a Java or native helper, so that results are the same on every machine.
vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure')
const { checkSync } = await import('recheck')

/** Patterns that are not applied to external input, with the reason. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['(.{1,108})(?: |$)', 'config/docs.ts: wraps fixed texts'],
  ['\\[([^\\]]*)\\]\\([^)]*\\)', 'pages/docs/site/links.ts: reads headings of our guides'],
  [
    '^(postgres(?:ql)?:\\/\\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(\\?[^#]*)?$',
    'db/addresses.ts: reads DATABASE_URL, which the operator sets',
  ],
])

/** Patterns built at run time, with the reason why they are safe. */
const DYNAMIC: ReadonlyMap<string, string> = new Map([
  [
    "src/db/embedded/run-as.ts: new RegExp(`^{name}:[^:]*:(\\\\d+):(\\\\d+):`, 'm')",
    'reads /etc/passwd; the name is one of two constants',
  ],
  [
    'src/merchants/apps/schema.ts: pattern: HEADER_TOKEN',
    'a schema of the API: checked below in the OpenAPI document',
  ],
  [
    'src/payments/search/schema.ts: pattern: CURSOR',
    'a schema of the API: checked below in the OpenAPI document',
  ],
  [
    'src/merchants/apps/branding.ts: pattern: `^({pattern})?$`',
    'a schema of the API: checked below in the OpenAPI document',
  ],
  [
    'src/merchants/apps/mails.ts: pattern: `^{LINKED_MAILBOX}$`',
    'a schema of the API: checked below in the OpenAPI document',
  ],
  [
    'src/merchants/apps/mails.ts: pattern: `^(?:{LINKED_MAILBOX})?$`',
    'a schema of the API: checked below in the OpenAPI document',
  ],
  ['src/base/mailbox.ts: new RegExp(`^{LINKED_MAILBOX}$`)', 'the pattern of that schema'],
])

/**
 * Digests of patterns that were found to be linear by this version of recheck. A run of all tests searches
 * only the others, because the search takes minutes; by name, all are searched.
 * `npm test -- test/backtracking.test.ts -u` writes the file.
 */
const FOUND_LINEAR = './tidy/linear-patterns.txt'
const { version } = createRequire(import.meta.url)('recheck/package.json') as { version: string }
const listed = (await readFile(new URL(FOUND_LINEAR, import.meta.url), 'utf8')).split('\n')
const isSkipped = (one: Pattern): boolean =>
  inject('part').of > 1 && listed[0] === version && listed.includes(digestOf(one))

const digestOf = ({ source, flags }: Pattern): string =>
  createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 24)

/** Without limits of time and with a fixed seed the result is the same on a slow machine. */
const UNTIMED = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null } as const
const OPTIONS = { ...UNTIMED, recallLimit: -1, randomSeed: 1 } as const

/** The complexity of the pattern if it is worse than linear. */
function problemOf(pattern: Pattern): string | undefined {
  const { source, flags } = pattern
  if (isPlainlyLinear(source) || isSkipped(pattern)) return undefined
  const result = checkSync(source, flags.replace('v', 'u'), OPTIONS)
  if (result.status === 'safe') return undefined
  return result.status === 'vulnerable' ? result.complexity.summary : result.status
}

/** Removes duplicates. */
const distinct = (patterns: readonly Pattern[]): Pattern[] => [
  ...new Map(patterns.map((one) => [`/${one.source}/${one.flags}`, one])).values(),
]

const problemsOf = (patterns: readonly Pattern[]): string[] =>
  distinct(patterns)
    .filter(({ source }) => !ALLOWED.has(source))
    .flatMap((one) => {
      const problem = problemOf(one)
      return problem === undefined ? [] : [`${one.where} /${one.source}/: ${problem}`]
    })

const OLD_PATTERNS = "const a = /^bearer +(\\S.*?) *$/i\nconst b = new RegExp('^(a+)+$')"

it('the check detects patterns that backtrack', { timeout: 900_000 }, () => {
  const { found } = patternsOf(projectOf({ 'src/a.ts': OLD_PATTERNS }))
  expect(found).toHaveLength(2)
  expect(problemsOf(found)).toEqual([
    expect.stringContaining('2nd degree polynomial'),
    expect.stringContaining('exponential'),
  ])
})

it('the check does not treat a repeated group as linear', () => {
  expect(['^[a-z]{1,9}$', 'abc', '^a\\+b\\)*$'].map(isPlainlyLinear)).toEqual([true, true, true])
  const others = ['^(a|a)*$', 'a+$', '^a+a+$', '^a|b+$', '(?:a|a){20}', '^a{1,}b?$']
  expect(others.filter(isPlainlyLinear)).toEqual([])
})

it('no pattern of the production code backtracks on external input', { timeout: 900_000 }, () => {
  const { found, dynamic } = patternsOf(readProject('.'))
  expect(found.length).toBeGreaterThan(100)
  expect([...dynamic].sort()).toEqual([...DYNAMIC.keys()].sort())
  expect(problemsOf(found)).toEqual([])
  // An obsolete entry could hide a new pattern.
  const sources = new Set(found.map(({ source }) => source))
  expect([...ALLOWED.keys()].filter((source) => !sources.has(source))).toEqual([])
})

it('no pattern in a schema of the API backtracks', { timeout: 900_000 }, async () => {
  const patterns = await patternsOfSchemas()
  expect(patterns.length).toBeGreaterThan(5)
  expect(problemsOf(patterns)).toEqual([])
})

it('the list of patterns that were found to be linear is that of the code', async () => {
  const all = distinct([...patternsOf(readProject('.')).found, ...(await patternsOfSchemas())])
  const searched = all.filter(({ source }) => !ALLOWED.has(source) && !isPlainlyLinear(source))
  const lines = [version, ...searched.map(digestOf).sort()]
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(FOUND_LINEAR)
})

async function patternsOfSchemas(): Promise<Pattern[]> {
  const document = await readFile('docs/reference/openapi.json', 'utf8')
  const patterns: Pattern[] = []
  JSON.parse(document, (name, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string')
      patterns.push({ source: value, flags: 'u', where: 'openapi.json' })
    return value
  })
  return patterns
}
