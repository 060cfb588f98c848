import { SETTINGS } from '../../src/config/settings.ts'
import { isProduct, lineOf, type Node, type Project, type SourceFile } from './project.ts'
import type { Rule } from './rule.ts'

/** Lines that match the pattern, in the files that the rule covers. */
function linesMatching(pattern: RegExp, isCovered: (path: string) => boolean): Rule['violations'] {
  return ({ texts }) =>
    [...texts]
      // Most files have no such line, and are not split.
      .filter(([path, text]) => isCovered(path) && pattern.test(text))
      .flatMap(([path, text]) =>
        text
          .split('\n')
          .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
      )
}

/** Syntax nodes that match, in the files that the rule covers; comments and strings are ignored. */
function nodesMatching(
  matches: (node: Node, file: SourceFile) => boolean,
  isCovered: (path: string) => boolean,
) {
  return ({ sources }: Project): string[] =>
    sources
      .filter(({ path }) => isCovered(path))
      .flatMap((file) =>
        file.nodes.filter((node) => matches(node, file)).map((node) => `${file.path}:${lineOf(file, node)}`),
      )
}

const textOf = ({ text }: SourceFile, { start, end }: Node): string => text.slice(start, end)

const isMember =
  (...names: string[]) =>
  (node: Node, file: SourceFile) =>
    node.type === 'MemberExpression' && names.includes(textOf(file, node))

const isNow = (node: Node, file: SourceFile): boolean =>
  node.type === 'NewExpression' && /^new Date(\(\))?$/.test(textOf(file, node))

const exceptIn =
  (...paths: string[]) =>
  (path: string): boolean =>
    isProduct(path) && !paths.includes(path)

const isCode = (path: string): boolean => /\.(tsx?|js)$/.test(path)

/** Builds a pattern from parts, so that this file does not match it. */
const either = (...words: string[]): RegExp => new RegExp(words.join('|'))

/** The erasure of personal data overwrites details, no state. */
function stateWriters({ texts }: Project): string[] {
  const found = [...texts]
    .filter(([path]) => isProduct(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\bupdate payments\b(?! p set version = p\.version \+ 1,\s+details =)/gi)].map(
        () => path,
      ),
    )
  return found.length === 1 ? [] : found.length === 0 ? ['no statement updates payments'] : found
}

function wrongSettings({ texts }: Project): string[] {
  const listed = [...(texts.get('.env.example') ?? '').matchAll(/^# ([A-Z_]+)=/gm)].map(
    (match) => match[1] ?? '',
  )
  const known = Object.keys(SETTINGS)
  return [
    ...known.filter((name) => !listed.includes(name)).map((name) => `${name} is missing`),
    ...listed.filter((name) => !known.includes(name)).map((name) => `${name} is not a setting`),
  ]
}

const hiddenSlots = ({ sources }: Project): string[] =>
  sources
    .filter(({ path }) => isProduct(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^(.*)\bslot\(\s*'(\w+)'/gm)]
        .filter(([, before = '', name]) => before.replace('export ', '') !== `const ${name} = `)
        .map(([, , name]) => `${path} ${name}`),
    )

export const CONTENT: readonly Rule[] = [
  {
    text: 'No map is keyed by a database or a context: the state of a node is in its slots.',
    violations: linesMatching(/\bWeakMap<(Database|Context)\b/, isProduct),
    example: { 'src/a.ts': "const caches = new WeakMap<Context['db'], Cache>()" },
  },
  {
    text: 'A slot is a constant of the same name, so that the table of node state leads to it.',
    violations: hiddenSlots,
    example: { 'src/a.ts': "export const caches = slot('cache', createCache, notes)" },
  },
  {
    text: 'Outside web/, one file has the paths of console pages, so that a page moves with its addresses.',
    violations: linesMatching(
      /['"`}]\/console\b/,
      (path) => isProduct(path) && !/^src\/(web|people\/access)\/|^src\/base\/console-pages/.test(path),
    ),
    example: { 'src/mail/a.ts': 'const url = `${publicUrl}/console/profile`' },
  },
  {
    text: 'Only config.ts reads the environment: it describes and validates every setting.',
    violations: nodesMatching(isMember('process.env'), exceptIn('src/config.ts', 'src/main.ts')),
    example: { 'src/a.ts': 'const port = process.env.PORT' },
  },
  {
    text: 'Only base/clock.ts and base/ids.ts read the time and random numbers: tests can replace both.',
    violations: nodesMatching(
      (node, file) => isMember('Date.now', 'Math.random')(node, file) || isNow(node, file),
      exceptIn('src/base/clock.ts', 'src/base/ids.ts'),
    ),
    example: { 'src/a.ts': 'const now = new Date()', 'src/b.ts': 'f(Math.random())' },
  },
  {
    text: 'URLs are read by parseUrl: URL.canParse of Node 20 refuses letters such as ä once it is compiled.',
    violations: nodesMatching(isMember('URL.canParse'), () => true),
    example: { 'src/a.ts': 'const isUrl = URL.canParse(text)' },
  },
  {
    text: "One file determines the client's address: behind a proxy the socket has the proxy's address.",
    violations: nodesMatching(
      (node, file) =>
        node.type === 'MemberExpression' && /\.(ip|ips|remoteAddress)$/.test(textOf(file, node)),
      exceptIn('src/http/server.ts'),
    ),
    example: { 'src/a.ts': 'limit(request.ip)', 'src/b.ts': 'limit(socket.remoteAddress)' },
  },
  {
    text: 'Only main.ts writes to the console: all other code uses the redacting log.',
    violations: nodesMatching(
      (node, file) => node.type === 'MemberExpression' && textOf(file, node).startsWith('console.'),
      exceptIn('src/main.ts'),
    ),
    example: { 'src/a.ts': "console.log('here')" },
  },
  {
    text: 'Exactly one statement updates payments, erasure aside: all state changes are in one place.',
    violations: stateWriters,
    example: {
      'src/a.ts': "sql('a', 'update payments set state = $1')\nsql('b', 'update payments set state = 2')",
    },
  },
  {
    text: 'No type has members with names of columns: db/rows.ts gives rows the names of the code.',
    violations: nodesMatching(
      (node, file) => node.type === 'TSPropertySignature' && /^(readonly )?[a-z]+_/.test(textOf(file, node)),
      (path) => isProduct(path) && /(^|[/-])store(\.ts$|\/)/.test(path),
    ),
    example: { 'src/a/store.ts': 'interface Row { key_id: string }' },
  },
  {
    text: 'No type is any: it would turn off type checks.',
    violations: nodesMatching(({ type }) => type === 'TSAnyKeyword', isProduct),
    example: { 'src/a.ts': 'const a: any = 1' },
  },
  {
    text: 'No comment marks unfinished work.',
    violations: linesMatching(either('\\bTO' + 'DO\\b', '\\bFIX' + 'ME\\b'), isCode),
    example: { 'src/a.ts': `// TO${'DO'}: later` },
  },
  {
    text: 'No test is skipped or exclusive.',
    violations: nodesMatching(
      (node, file) => /^(it|test|describe)\.(skip|only|todo)$/.test(textOf(file, node)),
      (path) => /\.test\.tsx?$/.test(path),
    ),
    example: { 'src/a.test.ts': "it.only('works', () => {})" },
  },
  {
    text: 'No file contains an absolute path of a development machine.',
    violations: linesMatching(
      either('["\'`(\\s=](/ho' + 'me|/Us' + 'ers|/wo' + 'rk|C:\\\\\\\\)[/\\\\]\\w'),
      () => true,
    ),
    example: { 'README.md': `cd /ho${'me'}/user/tender` },
  },
  {
    text: 'No file names a package registry: it depends on the environment.',
    violations: linesMatching(
      either('registry\\.(?!ts\\b)[a-z]', 'npm' + 'mirror', 'artif' + 'actory', '"resolv' + 'ed"'),
      () => true,
    ),
    example: { '.npmrc': `registry=https://registry.${'npmjs'}.org/` },
  },
  {
    text: '.env.example lists every setting and no other.',
    violations: wrongSettings,
    example: { '.env.example': '# PORT=8080\n# COLOUR=red\n' },
  },
]
