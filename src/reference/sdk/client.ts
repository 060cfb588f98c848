import { LEFT_OUT, METHODS } from './names.ts'
import { comment, declaration, type JsonSchema, typeOf } from './types.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

interface Operation {
  readonly summary: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: Content }>>
}

type Types = Map<string, JsonSchema>
type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

interface Method {
  readonly resource: string
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly operation: Operation
}

const GENERATED = '// Generated from the OpenAPI document by `npm run docs`. Do not edit.\n'
const IMPORTS = `import { type CallOptions, type Id, type List, listOf, type Send, segment } from '../send.ts'
import type * as T from './types.ts'
`
const APP = '/api/apps/{appId}'
const COLUMNS = 110

/** The generated files of the SDK: the types of the API, and a method for each operation. Decision 0130. */
export function sdkSources(document: unknown): Readonly<Record<string, string>> {
  const { paths, components } = document as Document
  const types = new Map(Object.entries(components.schemas))
  const resources = resourcesText(methodsOf(paths), types)
  const declarations = [...types].map(([name, schema]) => declaration(name, schema))
  return {
    'packages/sdk/src/generated/types.ts': `${GENERATED}\n${declarations.join('\n\n')}\n`,
    'packages/sdk/src/generated/resources.ts': `${GENERATED}${IMPORTS}\n${resources}`,
  }
}

function methodsOf(paths: Document['paths']): Method[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]) => {
      const key = `${verb.toUpperCase()} ${path.startsWith(APP) ? path.replace(APP, '~') : path}`
      if (LEFT_OUT.includes(key) || isForSessions(operation)) return []
      const [resource, name] = METHODS[key]?.split('.') ?? []
      if (!resource || !name)
        throw new Error(`Name the SDK's method for ${key} in src/reference/sdk/names.ts.`)
      return [{ resource, name, verb: verb.toUpperCase(), path, operation }]
    }),
  )
}

/** Only a person who is signed in to the console can use the operation. */
const isForSessions = ({ security }: Operation): boolean =>
  security.length > 0 && security.every((scheme) => 'session' in scheme)

function resourcesText(methods: readonly Method[], types: Types): string {
  const names = [...new Set(methods.map(({ resource }) => resource))]
  const functions = names.map((resource) => {
    const own = methods.filter((method) => method.resource === resource)
    const texts = own.map((one) => methodText(one, types))
    return `const ${resource} = (send: Send) => ({\n${texts.join('\n')}\n})\n`
  })
  const all = names.map((name) => `  ${name}: ${name}(send),`).join('\n')
  const about = '/** Every operation of the API, by resource. */'
  return `${functions.join('\n')}\n${about}\nexport const resourcesOf = (send: Send) => ({\n${all}\n})\n`
}

function methodText(method: Method, types: Types): string {
  const { name, verb, path, operation } = method
  const ids = (operation.parameters ?? []).filter((one) => one.in === 'path' && one.name !== 'appId')
  const body = bodyOf(method, types)
  const query = queryOf(method, types)
  const { type, isPaged } = resultOf(method, types)
  const given = [
    ...ids.map((id) => `${id.name}: Id`),
    ...(body ? [body] : []),
    ...(query ? [query] : []),
    'options?: CallOptions',
  ]
  const inputs = `{ ${[...(body ? ['body'] : []), ...(query ? ['query'] : []), 'options'].join(', ')} }`
  const result = isPaged ? `List<${type}>` : `Promise<${type}>`
  const values = [...(isPaged ? ['send'] : [`'${verb}'`]), pathText(path), inputs]
  const head = inLines(`  ${name}: (`, given, `): ${result} =>`)
  const about = comment(operation.summary.replace(/[.?]?$/, '.'), '  ')
  return `${about}${head}\n${inLines(isPaged ? '    listOf(' : '    send(', values, '),')}`
}

/** On one line if it fits, else a line for each part. */
function inLines(start: string, parts: readonly string[], end: string): string {
  const line = start + parts.join(', ') + end
  if (line.length <= COLUMNS) return line
  const indent = ' '.repeat(start.search(/\S/))
  return [start, ...parts.map((part) => `${indent}  ${part},`), indent + end].join('\n')
}

function pathText(path: string): string {
  const text = path.replace(/\{(\w+)\}/g, (all, name: string) =>
    name === 'appId' ? all : `\${segment(${name})}`,
  )
  return text === path ? `'${text}'` : `\`${text}\``
}

function bodyOf(method: Method, types: Types): string | undefined {
  const { requestBody } = method.operation
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return undefined
  const type = named(schema, `${typeName(method)}Input`, types)
  return `body${requestBody?.required ? '' : '?'}: ${type}`
}

function queryOf(method: Method, types: Types): string | undefined {
  const query = (method.operation.parameters ?? []).filter((one) => one.in === 'query')
  if (query.length === 0) return undefined
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [
      name,
      { ...queryType(schema), ...(description ? { description } : {}) },
    ]),
  )
  const required = query.filter((one) => one.required).map(({ name }) => name)
  const type = named({ type: 'object', properties, required }, `${typeName(method)}Query`, types)
  return `query${required.length > 0 ? '' : '?'}: ${type}`
}

/** No number has more characters; other texts may be longer. */
const LONGEST_NUMBER = 20
const NUMBER_PATTERN = /^\^(\[1-9\])?\\d\{[\d,]+\}(\(\\\.\\d\{[\d,]+\}\)\?)?\$$/

/** A query is text; numbers and booleans are accepted where the text is one. */
function queryType(schema: JsonSchema): JsonSchema {
  const { pattern, maxLength = Number.POSITIVE_INFINITY, anyOf } = schema
  const isNumber = pattern ? NUMBER_PATTERN.test(pattern) : maxLength <= LONGEST_NUMBER
  if (isNumber) return { anyOf: [{ type: 'number' }, { type: 'string' }] }
  if (anyOf?.every((one) => one.const === 'true' || one.const === 'false')) return { type: 'boolean' }
  return schema
}

function resultOf(method: Method, types: Types): { type: string; isPaged: boolean } {
  const responses = Object.entries(method.operation.responses)
  const [, response] = responses.find(([status]) => status.startsWith('2')) ?? []
  const schema = response?.content?.['application/json']?.schema
  if (!schema) return { type: method.name === 'openapi' ? 'Record<string, unknown>' : 'void', isPaged: false }
  const isPaged = response?.headers !== undefined && 'Link' in response.headers
  const result = isPaged ? (schema.items ?? {}) : schema
  return { type: named(result, `${typeName(method)}Result`, types), isPaged }
}

/** The name of an object's type, which is added to the types; other types stand where they are used. */
function named(schema: JsonSchema, name: string, types: Types): string {
  if (schema.type === 'array') return `${named(schema.items ?? {}, name, types)}[]`
  if (schema.anyOf) return schema.anyOf.map((one) => named(one, name, types)).join(' | ')
  if (schema.$ref) return `T.${typeOf(schema, name)}`
  if (!schema.properties) return typeOf(schema, name)
  types.set(name, schema)
  return `T.${name}`
}

const typeName = ({ resource, name }: Method): string => capital(resource) + capital(name)
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
