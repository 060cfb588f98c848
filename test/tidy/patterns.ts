import { isProduct, lineOf, type Node, type Project, type SourceFile } from './project.ts'

/** A regular expression of the production code, with its place. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  readonly where: string
}

export interface Patterns {
  readonly found: readonly Pattern[]
  /** Places that build a pattern at run time. */
  readonly dynamic: readonly string[]
}

/** Every regular expression literal, `new RegExp` and `pattern` member under src/. */
export function patternsOf({ sources }: Project): Patterns {
  const found: Pattern[] = []
  const dynamic: string[] = []
  for (const file of sources.filter(({ path }) => isProduct(path)))
    for (const node of file.nodes) {
      const text = patternText(node)
      if (text === undefined) continue
      const where = `${file.path}:${lineOf(file, node)}`
      if (text.source === undefined) dynamic.push(`${file.path}: ${textAt(file, node)}`)
      else found.push({ source: text.source, flags: text.flags, where })
    }
  return { found, dynamic }
}

const textAt = ({ text }: SourceFile, { start, end }: Node): string =>
  text.slice(start, end).replace(/\s+/g, ' ').replaceAll('${', '{')

interface Read {
  /** Undefined if the pattern is built at run time. */
  readonly source: string | undefined
  readonly flags: string
}

function patternText(node: Node): Read | undefined {
  const { regex } = node as { regex?: { pattern: string; flags: string } }
  if (node.type === 'Literal' && regex) return { source: regex.pattern, flags: regex.flags }
  if (/^(New|Call)Expression$/.test(node.type) && nameOf(node.callee) === 'RegExp') {
    const [source, flags] = node.arguments as readonly Node[]
    return { source: source && staticText(source), flags: (flags && staticText(flags)) ?? '' }
  }
  if (node.type === 'Property' && nameOf(node.key) === 'pattern' && !node.shorthand) {
    const value = node.value as Node
    // A literal is found by itself.
    return 'regex' in value && value.regex ? undefined : { source: staticText(value), flags: 'u' }
  }
  return undefined
}

const nameOf = (node: unknown): unknown => (node as { name?: unknown } | undefined)?.name

function staticText(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral' && (node.expressions as readonly Node[]).length === 0)
    return (node.quasis as readonly { value: { cooked: string } }[])[0]?.value.cooked
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const [left, right] = [staticText(node.left as Node), staticText(node.right as Node)]
  return left === undefined || right === undefined ? undefined : left + right
}

/**
 * Whether a pattern has no variable quantifier, or exactly one that is not on a group in an anchored pattern:
 * such a pattern backtracks at most once, in one place. The analyser takes a second for `{1,255}`.
 */
export function isPlainlyLinear(source: string): boolean {
  const unescaped = source.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x')
  const choices = unescaped.match(/[*+]|(?<!\()\?|\{\d+,\d*\}/g)?.length ?? 0
  const isAnchored = unescaped.startsWith('^') && !unescaped.includes('|')
  const isOnGroup = /\)[*+?{]/.test(unescaped)
  return !isOnGroup && (choices === 0 || (choices === 1 && isAnchored))
}
