import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A node of a syntax tree: its type, its position and its members. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

export interface Import {
  /** A path from the root for files of the project, else the name of a package or Node module. */
  readonly target: string
  readonly own: boolean
  readonly typeOnly: boolean
}

export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly tree: Node
  /** The tree and all its descendants, each before its children. */
  readonly nodes: readonly Node[]
  readonly imports: readonly Import[]
}

export interface Project {
  /** TypeScript and JavaScript. */
  readonly sources: readonly SourceFile[]
  /** Every text file by its path, sources included. */
  readonly texts: ReadonlyMap<string, string>
}

const IGNORED = new Set(['.git', 'data'])
const IGNORED_NAMES = new Set(['node_modules', 'dist', '.medusa'])
const TEXT = /\.(tsx?|js|json|css|sql|md|yml|yaml)$|^\.[\w.]+$|^[A-Z]+$|(^|\/)\.ci\/run$/
const SOURCE = /\.(tsx?|js)$/

export function readProject(root: string): Project {
  const paths = listFiles(root, '').filter((path) => TEXT.test(path))
  return projectOf(Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])))
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (IGNORED.has(path) || IGNORED_NAMES.has(entry.name)) return []
    if (entry.isDirectory()) return listFiles(root, path)
    return entry.isFile() ? [path] : []
  })
}

export function projectOf(texts: Readonly<Record<string, string>>): Project {
  const entries = Object.entries(texts)
  return {
    texts: new Map(entries),
    sources: entries.filter(([path]) => SOURCE.test(path)).map(([path, text]) => parse(path, text)),
  }
}

function parse(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const tree = program as unknown as Node
  const nodes: Node[] = []
  collect(tree, nodes)
  return { path, text, tree, nodes, imports: importsOf(path, nodes) }
}

/** Every rule reads all nodes, so they are collected once. */
function collect(node: Node, into: Node[]): void {
  into.push(node)
  for (const child of childrenOf(node)) collect(child, into)
}

function importsOf(path: string, nodes: readonly Node[]): Import[] {
  return nodes.flatMap((node) => {
    const { value } = (node.source ?? {}) as { value?: unknown }
    if (!/^(Import|Export)\w*(Declaration|Expression)$/.test(node.type) || typeof value !== 'string')
      return []
    const own = value.startsWith('.')
    const target = own ? normalize(join(dirname(path), value)) : value
    return [{ target, own, typeOnly: isTypeOnly(node) }]
  })
}

function isTypeOnly(node: Node): boolean {
  if (node.importKind === 'type' || node.exportKind === 'type') return true
  const named = (node.specifiers ?? []) as readonly Node[]
  return named.length > 0 && named.every((one) => one.importKind === 'type' || one.exportKind === 'type')
}

export function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  for (const value of Object.values(node))
    if (Array.isArray(value)) children.push(...value.filter(isNode))
    else if (isNode(value)) children.push(value)
  return children
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export const lineOf = ({ text }: SourceFile, { start }: Node): number =>
  text.slice(0, start).split('\n').length

export const linesIn = (text: string): number => text.trimEnd().split('\n').length

export const isTest = (path: string): boolean => path.startsWith('test/') || /\.test\.tsx?$/.test(path)

/** Production code: src without its tests. */
export const isProduct = (path: string): boolean => path.startsWith('src/') && !isTest(path)

/** Written by `npm run docs`. */
export const isGenerated = (path: string): boolean => path.includes('/generated/')
