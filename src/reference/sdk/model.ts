import { LEFT_OUT, MEMBER_TYPES, METHODS } from './names.ts'
import { capital } from './text.ts'

/** The part of JSON Schema that the OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly pattern?: string
  readonly format?: string
  readonly maxLength?: number
}

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

/** What is sent with a call; objects with members are references to named types. */
export interface Input {
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** An operation as a method of the clients: ids of the path, then body, query and options. */
export interface SdkMethod {
  readonly resource: string
  readonly name: string
  readonly verb: string
  readonly path: string
  /** A sentence. */
  readonly summary: string
  readonly ids: readonly string[]
  readonly body: Input | undefined
  readonly query: Input | undefined
  /** Undefined without a body; the row of a list that has pages. */
  readonly result: JsonSchema | undefined
  readonly isPaged: boolean
  /** The answer is a file, which is read while it arrives. */
  readonly isFile: boolean
}

export interface Model {
  readonly resources: ReadonlyMap<string, readonly SdkMethod[]>
  readonly types: ReadonlyMap<string, JsonSchema>
  /** Types that are sent, by themselves or as part of others. */
  readonly inputs: ReadonlySet<string>
  /** Names of members that are decimals wherever an answer has them as numbers. */
  readonly decimals: ReadonlySet<string>
}

const APP = '/api/apps/{appId}'
/** Its answer is not described: it is the description. */
const DOCUMENT = '/openapi.json'

/** What every client is generated from. Decision 0163. */
export function modelOf(document: unknown): Model {
  const { paths, components } = document as Document
  const types: Types = new Map(
    Object.entries(components.schemas).map(([name, schema]) => [name, withMembers(name, schema)]),
  )
  const operations = operationsOf(paths)
  const resources = new Map<string, readonly SdkMethod[]>()
  for (const resource of new Set(operations.map((one) => one.resource))) {
    const own = operations.filter((one) => one.resource === resource)
    resources.set(
      resource,
      own.map((one) => methodOf(one, types)),
    )
  }
  const methods = [...resources.values()].flat()
  const sent = methods.flatMap(({ body, query }) => [body, query].flatMap((one) => (one ? [one.schema] : [])))
  const answered = methods.flatMap(({ result }) => (result ? [result] : []))
  return {
    ...{ resources, types },
    inputs: reachable(sent, types),
    decimals: decimalsOf(reachable(answered, types), types),
  }
}

/** With the types of members that the document leaves open. */
function withMembers(name: string, schema: JsonSchema): JsonSchema {
  const { properties } = schema
  if (!properties) return schema
  const members = Object.entries(properties).map(([member, own]) => {
    const type = MEMBER_TYPES[`${name}.${member}`]
    const { description } = own
    return [member, type ? { ...reference(type), ...(description ? { description } : {}) } : own]
  })
  return { ...schema, properties: Object.fromEntries(members) }
}

interface NamedOperation {
  readonly resource: string
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly operation: Operation
}

function operationsOf(paths: Document['paths']): NamedOperation[] {
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

/** A body that is sent as it is. */
const FILE: JsonSchema = { type: 'string', format: 'binary' }

function methodOf({ resource, name, verb, path, operation }: NamedOperation, types: Types): SdkMethod {
  const typeName = capital(resource) + capital(name)
  const ids = (operation.parameters ?? []).filter((one) => one.in === 'path' && one.name !== 'appId')
  const { requestBody } = operation
  const bodySchema = requestBody?.content['application/json']?.schema
  const sendsFile = requestBody?.content['*/*'] !== undefined
  const body = sendsFile
    ? { schema: FILE, isRequired: true }
    : bodySchema && {
        schema: named(bodySchema, `${typeName}Input`, types),
        isRequired: requestBody?.required === true,
      }
  const query = queryOf(operation, `${typeName}Query`, types)
  const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  const schema: JsonSchema | undefined =
    path === DOCUMENT ? { type: 'object' } : response?.content?.['application/json']?.schema
  const isFile = schema === undefined && response?.content !== undefined
  const isPaged = schema !== undefined && response?.headers !== undefined && 'Link' in response.headers
  const row: JsonSchema | undefined = isPaged ? (schema.items ?? {}) : schema
  return {
    ...{ resource, name, verb, path, body, query, isPaged, isFile },
    summary: operation.summary.replace(/[.?]?$/, '.'),
    ids: ids.map((id) => id.name),
    result: row && named(row, `${typeName}Result`, types),
  }
}

function queryOf({ parameters = [] }: Operation, typeName: string, types: Types): Input | undefined {
  const query = parameters.filter((one) => one.in === 'query')
  if (query.length === 0) return undefined
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [
      name,
      { ...queryType(schema), ...(description ? { description } : {}) },
    ]),
  )
  const required = query.filter((one) => one.required).map(({ name }) => name)
  const schema = named({ type: 'object', properties, required }, typeName, types)
  return { schema, isRequired: required.length > 0 }
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

/** The schema with an object's members under a name of its own, which is added to the types. */
function named(schema: JsonSchema, name: string, types: Types): JsonSchema {
  if (schema.type === 'array') return { ...schema, items: named(schema.items ?? {}, name, types) }
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((one) => named(one, name, types)) }
  if (!schema.properties) return schema
  types.set(name, schema)
  return reference(name)
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
export const referenced = ({ $ref = '' }: JsonSchema): string => $ref.split('/').at(-1) ?? ''

/** Each schema below this one with the name of its member; references are not followed. */
function parts(schema: JsonSchema, name = ''): { name: string; schema: JsonSchema }[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema
  const unnamed = [
    items,
    ...anyOf,
    typeof additionalProperties === 'object' ? additionalProperties : undefined,
  ]
  return [
    { name, schema },
    ...Object.entries(properties).flatMap(([member, own]) => parts(own, member)),
    ...unnamed.flatMap((own) => (own ? parts(own, name) : [])),
  ]
}

/** The names of the types that these schemas refer to, by themselves or through others. */
function reachable(schemas: readonly JsonSchema[], types: Types): Set<string> {
  const found = new Set<string>()
  const add = (schema: JsonSchema) => {
    for (const part of parts(schema)) {
      const name = referenced(part.schema)
      if (!name || found.has(name)) continue
      found.add(name)
      add(types.get(name) ?? {})
    }
  }
  for (const schema of schemas) add(schema)
  return found
}

function decimalsOf(answers: ReadonlySet<string>, types: Types): Set<string> {
  const all = [...answers].flatMap((name) => parts(types.get(name) ?? {}))
  const namesOf = (type: string) => all.filter((one) => one.schema.type === type).map(({ name }) => name)
  const integers = new Set(namesOf('integer'))
  return new Set(
    namesOf('number')
      .filter((name) => !integers.has(name))
      .sort(),
  )
}
