import { type JsonSchema, type Model, modelOf, referenced, type SdkMethod } from './model.ts'
import { phpSources } from './php.ts'
import { pythonSources } from './python.ts'
import { inLines } from './text.ts'
import { comment, declaration, typeOf } from './types.ts'

const GENERATED = '// Generated from the OpenAPI document by `npm run docs`. Do not edit.\n'
const IMPORTS = `import {
  type CallOptions,
  type Id,
  type List,
  listOf,
  type Send,
  segment,
  type TenderFile,
} from '../send.ts'
import type * as T from './types.ts'
`

/** The generated files of every client: the types of the API, and a method for each operation. */
export function sdkSources(document: unknown): Readonly<Record<string, string>> {
  const model = modelOf(document)
  return { ...typescriptSources(model), ...pythonSources(model), ...phpSources(model) }
}

/** Decision 0130. */
function typescriptSources({ resources, types }: Model): Record<string, string> {
  const declarations = [...types].map(([name, schema]) => declaration(name, schema))
  return {
    'packages/sdk/src/generated/types.ts': `${GENERATED}\n${declarations.join('\n\n')}\n`,
    'packages/sdk/src/generated/resources.ts': `${GENERATED}${IMPORTS}\n${resourcesText(resources)}`,
  }
}

function resourcesText(resources: Model['resources']): string {
  const functions = [...resources].map(
    ([resource, methods]) =>
      `const ${resource} = (send: Send) => ({\n${methods.map(methodText).join('\n')}\n})\n`,
  )
  const all = [...resources.keys()].map((name) => `  ${name}: ${name}(send),`).join('\n')
  const about = '/** Every operation of the API, by resource. */'
  return `${functions.join('\n')}\n${about}\nexport const resourcesOf = (send: Send) => ({\n${all}\n})\n`
}

function methodText(method: SdkMethod): string {
  const { name, verb, path, summary, ids, body, query, result, isPaged, isFile } = method
  const given = [
    ...ids.map((id) => `${id}: Id`),
    ...(body ? [`body${body.isRequired ? '' : '?'}: ${used(body.schema)}`] : []),
    ...(query ? [`query${query.isRequired ? '' : '?'}: ${used(query.schema)}`] : []),
    'options?: CallOptions',
  ]
  const inputs = `{ ${[...(body ? ['body'] : []), ...(query ? ['query'] : []), 'options'].join(', ')} }`
  const type = isFile ? 'TenderFile' : result ? used(result) : 'void'
  const values = [...(isPaged ? ['send'] : isFile ? [] : [`'${verb}'`]), pathText(path), inputs]
  const head = inLines(`  ${name}: (`, given, `): ${isPaged ? 'List' : 'Promise'}<${type}> =>`, '  ')
  const call = inLines(isPaged ? '    listOf(' : isFile ? '    send.file(' : '    send(', values, '),', '  ')
  return `${comment(summary, '  ')}${head}\n${call}`
}

/** The type as the methods name it. */
function used(schema: JsonSchema): string {
  if (schema.type === 'array') return `${used(schema.items ?? {})}[]`
  if (schema.anyOf) return schema.anyOf.map(used).join(' | ')
  if (schema.$ref) return `T.${referenced(schema)}`
  if (schema.format === 'binary') return 'Uint8Array'
  return schema.type === 'object' ? 'Record<string, unknown>' : typeOf(schema)
}

function pathText(path: string): string {
  const text = path.replace(/\{(\w+)\}/g, (all, name: string) =>
    name === 'appId' ? all : `\${segment(${name})}`,
  )
  return text === path ? `'${text}'` : `\`${text}\``
}
