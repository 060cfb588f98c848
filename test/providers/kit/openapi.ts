/** The parts of an OpenAPI document that the judge reads. */
export interface Document {
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, Schema>>>>
}
type PathItem = Readonly<Record<string, unknown>> & { readonly parameters?: readonly Parameter[] }

/** A schema, or a parameter, response or body that a `$ref` may replace. */
export interface Schema {
  readonly [keyword: string]: unknown
}

interface Parameter extends Schema {
  readonly name: string
  readonly in: 'query' | 'path' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema?: Schema
}

interface Content extends Schema {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  readonly required?: boolean
}

export interface Operation {
  readonly method: string
  /** The template, with the path of the server in front. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body?: Content
  readonly replies: Readonly<Record<string, Content>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export function operationsOf(document: Document): Operation[] {
  const base = new URL(document.servers?.[0]?.url ?? '/', 'http://server').pathname.replace(/\/$/, '')
  const found = <T>(part: unknown) => resolved(document, part as Schema) as T
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { parameters = [], requestBody, responses } = item[method] as Schema
      const body = requestBody === undefined ? undefined : found<Content>(requestBody)
      return {
        method: method.toUpperCase(),
        path: `${base}${path}`,
        parameters: [...(item.parameters ?? []), ...(parameters as Parameter[])].map(found<Parameter>),
        ...(body ? { body } : {}),
        replies: Object.fromEntries(
          Object.entries((responses ?? {}) as Schema).map(([status, reply]) => [
            status,
            found<Content>(reply),
          ]),
        ),
      }
    }),
  )
}

/** What a local reference points to. Throws if there is nothing. */
function resolved(document: Document, part: Schema): Schema {
  if (typeof part.$ref !== 'string') return part
  const [, , kind = '', name = ''] = part.$ref.split('/')
  const target = document.components?.[kind]?.[name]
  if (!target || part.$ref.split('/').length !== 4) throw new Error(`${part.$ref} points to nothing`)
  return resolved(document, target)
}

export type Direction = 'request' | 'reply'

export interface Conversion {
  readonly document: Document
  readonly direction: Direction
  /** Members that a schema does not declare are refused. */
  readonly isClosed: boolean
  /** The address under which the validator finds a component, as a whole value or as a part of one. */
  readonly address: (component: string, isWhole: boolean) => string
}

const COMBINED = ['allOf', 'anyOf', 'oneOf']
const IN_MAP = ['properties', 'patternProperties']
const IN_PLACE = ['items', 'additionalProperties', 'contains']
const TEXTS = [
  ...['nullable', 'discriminator', 'description', 'title', 'example', 'examples', 'default', 'deprecated'],
  ...['readOnly', 'writeOnly', 'externalDocs', 'xml'],
]

/**
 * JSON Schema 2020-12 of a whole value or of a part of one (`allOf` and the like). A whole value is closed:
 * the provider may ignore members that it does not declare, but a correct client does not send them.
 */
export function converted(conversion: Conversion, schema: Schema, isWhole: boolean): Schema {
  const kept: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (TEXTS.includes(keyword) || keyword.startsWith('x-')) continue
    kept[keyword] = convertedKeyword(conversion, keyword, { value, schema, isWhole })
  }
  close(kept, conversion.isClosed && isWhole)
  return schema.nullable === true ? { anyOf: [{ type: 'null' }, kept] } : kept
}

interface Keyword {
  readonly value: unknown
  readonly schema: Schema
  readonly isWhole: boolean
}

function convertedKeyword(
  conversion: Conversion,
  keyword: string,
  { value, schema, isWhole }: Keyword,
): unknown {
  if (keyword === '$ref') return conversion.address(componentOf(String(value)), isWhole)
  if (keyword === 'not') return converted(conversion, value as Schema, false)
  if (COMBINED.includes(keyword)) return (value as Schema[]).map((part) => converted(conversion, part, false))
  if (IN_MAP.includes(keyword)) return members(conversion, value as Schema)
  if (IN_PLACE.includes(keyword) && typeof value === 'object')
    return converted(conversion, value as Schema, true)
  return keyword === 'required' ? requiredOf(conversion, schema) : value
}

/** An object about whose members the description says nothing stays open. */
function close(schema: Record<string, unknown>, isClosed: boolean): void {
  if (schema.type !== undefined && schema.type !== 'object') return
  if ('additionalProperties' in schema || 'enum' in schema || 'const' in schema || '$ref' in schema) return
  const isCombined = COMBINED.some((name) => name in schema)
  if (!isCombined && !('properties' in schema)) schema.additionalProperties = true
  else if (isClosed) schema[isCombined ? 'unevaluatedProperties' : 'additionalProperties'] = false
}

function members(conversion: Conversion, properties: Schema): Schema {
  const own = Object.entries(properties) as [string, Schema][]
  return Object.fromEntries(
    own.map(([name, property]) => [
      name,
      isFor(conversion, property) ? converted(conversion, property, true) : false,
    ]),
  )
}

/** A member that only the provider sets is not sent, and one that only the client sets is not returned. */
function isFor({ document, direction }: Conversion, property: Schema): boolean {
  const marked = direction === 'request' ? 'readOnly' : 'writeOnly'
  return property[marked] !== true && resolved(document, property)[marked] !== true
}

function requiredOf(conversion: Conversion, schema: Schema): string[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>
  return (schema.required as string[]).filter((name) => {
    const property = properties[name]
    return property === undefined || isFor(conversion, property)
  })
}

function componentOf(ref: string): string {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1]
  if (!name) throw new Error(`${ref} is not the name of a schema`)
  return name
}
