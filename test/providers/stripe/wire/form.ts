import { broken } from './errors.ts'

export type FormValue = string | { readonly [name: string]: FormValue } | readonly FormValue[]
export type FormHash = { [name: string]: FormValue }

interface Node {
  [name: string]: Node | string
}

/** Parses `a[b][0][c]=d`. Arrays have the indices 0, 1, 2 … or empty brackets. Rejects everything else. */
export function parseForm(text: string): FormHash {
  const root: Node = Object.create(null)
  if (text === '') return {}
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    if (equals < 0) throw broken(`Malformed parameter: ${pair}`)
    insert(root, pathOf(decoded(pair.slice(0, equals))), decoded(pair.slice(equals + 1)))
  }
  return finished(root, '') as FormHash
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw broken('Invalid percent-encoding in the request body')
  }
}

function pathOf(name: string): string[] {
  const match = /^([A-Za-z_][\w.-]*)((?:\[[\w.-]*\])*)$/.exec(name)
  if (!match) throw broken(`Malformed parameter name: ${name}`)
  const rest = [...(match[2] ?? '').matchAll(/\[([^\]]*)\]/g)].map((part) => part[1] ?? '')
  return [match[1] ?? '', ...rest]
}

function insert(root: Node, path: readonly string[], value: string): void {
  let node = root
  for (const [depth, part] of path.entries()) {
    const name = part === '' ? String(Object.keys(node).length) : part
    if (depth === path.length - 1) {
      if (name in node) throw broken(`Duplicate parameter: ${path.join('.')}`)
      node[name] = value
      return
    }
    node[name] ??= Object.create(null) as Node
    const next = node[name]
    if (typeof next === 'string') throw broken(`Invalid parameter: ${path.join('.')}`)
    node = next
  }
}

function finished(node: Node, where: string): FormValue {
  const names = Object.keys(node)
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) {
    if (names.some((name, index) => name !== String(index))) throw broken(`Invalid array`, undefined, where)
    return names.map((name) => value(node, name, where))
  }
  return Object.fromEntries(names.map((name) => [name, value(node, name, where)]))
}

function value(node: Node, name: string, where: string): FormValue {
  const child = node[name]
  return typeof child === 'string' ? child : finished(child ?? {}, where ? `${where}[${name}]` : name)
}
