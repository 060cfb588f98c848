import { isProduct, type Node, type Project } from './project.ts'
import type { Rule } from './rule.ts'

const DECLARES_TYPE = /^(TSInterfaceDeclaration|TSTypeAliasDeclaration|ClassDeclaration)$/

/** Names of types that a file declares and exports. A re-export declares nothing. */
function exportedTypes(tree: Node): string[] {
  const body = tree.body as readonly Node[]
  const declared = body.flatMap((statement) => {
    const node = (statement.declaration as Node | null | undefined) ?? statement
    return DECLARES_TYPE.test(node.type) ? [{ name: nameOf(node.id), isExported: node !== statement }] : []
  })
  const listed = body
    .filter(({ type, source }) => type === 'ExportNamedDeclaration' && !source)
    .flatMap(({ specifiers }) => (specifiers as readonly Node[]).map(({ local }) => nameOf(local)))
  return declared
    .filter(({ name, isExported }) => isExported || listed.includes(name))
    .map(({ name }) => name)
}

const nameOf = (node: unknown): string => (node as { name?: string } | null)?.name ?? ''

function sharedTypeNames({ sources }: Project): string[] {
  const places = new Map<string, string[]>()
  for (const { path, tree } of sources.filter((file) => isProduct(file.path)))
    for (const name of exportedTypes(tree)) places.set(name, [...(places.get(name) ?? []), path])
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is in ${paths.join(' and ')}`)
}

export const NAMES: readonly Rule[] = [
  {
    text: 'No two exported types have the same name: a search for a type finds one thing.',
    violations: sharedTypeNames,
    example: {
      'src/http/guard.ts': 'export type Guard = () => void',
      'src/payments/machine.ts': 'export interface Guard { readonly name: string }',
    },
  },
  {
    text: 'The same for a type that is exported by a list, and for a class.',
    violations: sharedTypeNames,
    example: {
      'src/a.ts': 'interface Lease { readonly end: Date }\nexport type { Lease }',
      'src/b.ts': 'export class Lease {}',
    },
  },
]
