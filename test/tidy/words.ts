import { SETTINGS } from '../../src/config.ts'
import { descendants, isProduct, lineOf, type Node, type Project, type SourceFile } from './project.ts'
import type { Rule } from './rule.ts'

/** Where the text says it, in the files that the rule is about. */
function saying(pattern: RegExp, isMeant: (path: string) => boolean): Rule['breaches'] {
  return ({ texts }) =>
    [...texts]
      .filter(([path]) => isMeant(path))
      .flatMap(([path, text]) =>
        text
          .split('\n')
          .flatMap((line, place) => (pattern.test(line) ? [`${path}:${place + 1} ${line.trim()}`] : [])),
      )
}

/** Where the code does it; comments and texts may speak of it. */
function doing(isIt: (node: Node, file: SourceFile) => boolean, isMeant: (path: string) => boolean) {
  return ({ sources }: Project): string[] =>
    sources
      .filter(({ path }) => isMeant(path))
      .flatMap((file) =>
        [...descendants(file.tree)]
          .filter((node) => isIt(node, file))
          .map((node) => `${file.path}:${lineOf(file, node)}`),
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

const isOurs = (path: string): boolean => /\.(tsx?|js)$/.test(path)

/** Put together here, so that this file does not say them itself. */
const either = (...words: string[]): RegExp => new RegExp(words.join('|'))

function stateWriters({ texts }: Project): string[] {
  const found = [...texts]
    .filter(([path]) => isProduct(path))
    .flatMap(([path, text]) => [...text.matchAll(/\bupdate payments\b/gi)].map(() => path))
  return found.length === 1 ? [] : found.length === 0 ? ['no statement changes a payment'] : found
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

export const WORDS: readonly Rule[] = [
  {
    says: 'No map is keyed by a database or a context: the state of a node is in ctx.node.',
    breaches: saying(/\bWeakMap<(Database|Context)\b/, isProduct),
    broken: { 'src/a.ts': "const caches = new WeakMap<Context['db'], Cache>()" },
  },
  {
    says: 'The environment is read in config.ts alone: every setting is described and checked there.',
    breaches: doing(isMember('process.env'), exceptIn('src/config.ts', 'src/main.ts')),
    broken: { 'src/a.ts': 'const port = process.env.PORT' },
  },
  {
    says: 'Time and chance come in from outside, through base/clock.ts and base/ids.ts: tests can set both.',
    breaches: doing(
      (node, file) => isMember('Date.now', 'Math.random')(node, file) || isNow(node, file),
      exceptIn('src/base/clock.ts', 'src/base/ids.ts'),
    ),
    broken: { 'src/a.ts': 'const now = new Date()', 'src/b.ts': 'f(Math.random())' },
  },
  {
    says: "The client's address is computed in one place: behind a proxy the socket's is the proxy's.",
    breaches: doing(
      (node, file) =>
        node.type === 'MemberExpression' && /\.(ip|ips|remoteAddress)$/.test(textOf(file, node)),
      exceptIn('src/http/server.ts'),
    ),
    broken: { 'src/a.ts': 'limit(request.ip)', 'src/b.ts': 'limit(socket.remoteAddress)' },
  },
  {
    says: 'Only main.ts writes to the console: everything else has a log that redacts.',
    breaches: doing(
      (node, file) => node.type === 'MemberExpression' && textOf(file, node).startsWith('console.'),
      exceptIn('src/main.ts'),
    ),
    broken: { 'src/a.ts': "console.log('here')" },
  },
  {
    says: 'One statement changes payments: whoever wants to know how a state is entered reads that one.',
    breaches: stateWriters,
    broken: {
      'src/a.ts': "sql('a', 'update payments set state = $1')\nsql('b', 'update payments set state = 2')",
    },
  },
  {
    says: 'Nothing is typed as any: the compiler would stop looking.',
    breaches: doing(({ type }) => type === 'TSAnyKeyword', isProduct),
    broken: { 'src/a.ts': 'const a: any = 1' },
  },
  {
    says: 'Nothing is left for later: what is not done is written down as an issue, not in the code.',
    breaches: saying(either('\\bTO' + 'DO\\b', '\\bFIX' + 'ME\\b'), isOurs),
    broken: { 'src/a.ts': `// TO${'DO'}: later` },
  },
  {
    says: 'No test is left out or runs alone: what is green has run.',
    breaches: doing(
      (node, file) => /^(it|test|describe)\.(skip|only|todo)$/.test(textOf(file, node)),
      (path) => /\.test\.tsx?$/.test(path),
    ),
    broken: { 'src/a.test.ts': "it.only('works', () => {})" },
  },
  {
    says: 'No file knows the machine that it was written on.',
    breaches: saying(
      either('["\'`(\\s=](/ho' + 'me|/Us' + 'ers|/wo' + 'rk|C:\\\\\\\\)[/\\\\]\\w'),
      () => true,
    ),
    broken: { 'README.md': `cd /ho${'me'}/somebody/tender` },
  },
  {
    says: 'No file names a registry: everybody installs from his own.',
    breaches: saying(
      either('registry\\.[a-z]', 'npm' + 'mirror', 'artif' + 'actory', '"resolv' + 'ed"'),
      () => true,
    ),
    broken: { '.npmrc': `registry=https://registry.${'npmjs'}.org/` },
  },
  {
    says: '.env.example lists every setting and no other.',
    breaches: wrongSettings,
    broken: { '.env.example': '# PORT=8080\n# COLOUR=red\n' },
  },
]
