import { dirname } from 'node:path'
import {
  childrenOf,
  isGenerated,
  isProduct,
  isTest,
  lineOf,
  linesIn,
  type Node,
  type Project,
  type SourceFile,
} from './project.ts'
import type { Rule } from './rule.ts'

const FUNCTION_LINES = 60
const FILE_LINES = 400
const TEST_LINES = 500
const FOLDER_FILES = 20
const COLUMNS = 110
const PARAMETERS = 4
const NESTING = 3

const isFunction = ({ type }: Node): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)
const BRANCHES = /^(If|For|ForIn|ForOf|While|DoWhile|Switch|Try)Statement$/

/** Functions in test files are exempt, because a test file is a list of examples; so are generated ones. */
const isChecked = (path: string): boolean => !/\.test\.tsx?$/.test(path) && !isGenerated(path)

function* functionsOf(project: Project): Generator<readonly [SourceFile, Node]> {
  for (const file of project.sources.filter(({ path }) => isChecked(path)))
    for (const node of file.nodes) if (isFunction(node)) yield [file, node]
}

const at = (file: SourceFile, node: Node): string => `${file.path}:${lineOf(file, node)}`

function longFunctions(project: Project): string[] {
  return [...functionsOf(project)].flatMap(([file, node]) => {
    const lines = linesIn(file.text.slice(node.start, node.end))
    return lines > FUNCTION_LINES ? [`${at(file, node)} has ${lines} lines`] : []
  })
}

function wideFunctions(project: Project): string[] {
  return [...functionsOf(project)].flatMap(([file, node]) => {
    const { length } = node.params as readonly Node[]
    return length > PARAMETERS ? [`${at(file, node)} has ${length} parameters`] : []
  })
}

/** Nesting depth of branches. An `else if` has the depth of its `if`; a nested function counts separately. */
function depthOf(node: Node): number {
  const own = BRANCHES.test(node.type) ? 1 : 0
  const below = childrenOf(node)
    .filter((child) => !isFunction(child))
    .map((child) => {
      const isElseIf = node.type === 'IfStatement' && child === node.alternate && child.type === 'IfStatement'
      return depthOf(child) - (isElseIf ? 1 : 0)
    })
  return own + Math.max(0, ...below)
}

function deepFunctions(project: Project): string[] {
  return [...functionsOf(project)].flatMap(([file, node]) => {
    const depth = depthOf(node)
    return depth > NESTING ? [`${at(file, node)} is nested ${depth} deep`] : []
  })
}

function longFiles(project: Project): string[] {
  const files = project.sources.filter(({ path }) => !isGenerated(path))
  return files.flatMap(({ path, text }) => {
    const lines = linesIn(text)
    return lines > (isTest(path) ? TEST_LINES : FILE_LINES) ? [`${path} has ${lines} lines`] : []
  })
}

function fullFolders(project: Project): string[] {
  const counts = new Map<string, number>()
  for (const { path } of project.sources.filter((one) => isProduct(one.path)))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES)
    .map(([path, count]) => `${path} has ${count} files`)
}

function longLines(project: Project): string[] {
  const paths = [...project.texts].filter(
    ([path]) => /\.(tsx?|js|css|sql)$/.test(path) && !path.startsWith('docs/') && !isGenerated(path),
  )
  return paths.flatMap(([path, text]) =>
    text.split('\n').flatMap((line, place) => {
      // Never more than the units of the text, which are cheaper to count.
      const columns = line.length > COLUMNS ? [...line].length : 0
      return columns > COLUMNS ? [`${path}:${place + 1} has ${columns} columns`] : []
    }),
  )
}

const numbered = (count: number, line: (place: number) => string): string =>
  Array.from({ length: count }, (_, place) => line(place)).join('\n')

export const SIZES: readonly Rule[] = [
  {
    text: `A function has at most ${FUNCTION_LINES} lines: it fits on one screen.`,
    violations: longFunctions,
    example: { 'src/a.ts': `const f = () => {\n${numbered(60, (n) => `  g(${n})`)}\n}` },
  },
  {
    text: `A function takes at most ${PARAMETERS} parameters: more belong in an object.`,
    violations: wideFunctions,
    example: { 'src/a.ts': 'function f(a, b, c, d, e) {}' },
  },
  {
    text: `Branches are nested at most ${NESTING} deep: deeper code is hard to follow.`,
    violations: deepFunctions,
    example: { 'src/a.ts': 'function f(a) { if (a) for (;;) while (a) try { a() } catch {} }' },
  },
  {
    text: `A file has at most ${FILE_LINES} lines, a test ${TEST_LINES}: it has one purpose.`,
    violations: longFiles,
    example: { 'src/a.ts': numbered(FILE_LINES + 1, (n) => `f(${n})`) },
  },
  {
    text: `A folder holds at most ${FOLDER_FILES} files besides tests: it is easy to survey.`,
    violations: fullFolders,
    example: Object.fromEntries(
      Array.from({ length: FOLDER_FILES + 1 }, (_, place) => [`src/a/${place}.ts`, '']),
    ),
  },
  {
    text: `A line has at most ${COLUMNS} columns: two files fit side by side.`,
    violations: longLines,
    example: { 'migrations/1.sql': `-- ${'x'.repeat(108)}` },
  },
]
