import Schema from 'typebox/schema'

type Json = Readonly<Record<string, unknown>>

/** The JSON Schema keywords used in the OpenAPI document of the service. */
export interface Shape {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly examples?: readonly unknown[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Shape
}

/** One operation of the document: its input and its responses. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The name of the security scheme; undefined if the operation is public. */
  readonly security: string | undefined
  readonly parameters: readonly Parameter[]
  readonly body: { readonly schema: Shape | undefined; readonly example: unknown } | undefined
  readonly responses: ReadonlyMap<number, Declared>
}

interface Declared {
  readonly types: readonly string[]
  /** The title of the schema in the components. */
  readonly schemaName: string | undefined
  /** The problem of a response value, or undefined. */
  readonly problemOf: (value: unknown) => string | undefined
}

export interface ApiDocument {
  readonly operations: readonly Operation[]
  resolve(shape: Shape): Shape
  /** Checks a problem document. */
  readonly problem: Declared['problemOf']
}

interface RawOperation {
  readonly operationId: string
  readonly security?: readonly Json[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, RawContent>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, RawContent>> }>>
}

interface RawContent {
  readonly schema?: Shape
  readonly example?: unknown
}

interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
}

/** Reads an OpenAPI document into operations with compiled response checks. */
export function readDocument(document: unknown): ApiDocument {
  const { paths, components } = document as RawDocument
  const compiled = new Map<string, Declared['problemOf']>()
  const checkOf = (schema: Shape | undefined): Declared['problemOf'] => {
    if (!schema) return () => undefined
    const key = JSON.stringify(schema)
    const check = compiled.get(key) ?? compile(schema, components)
    compiled.set(key, check)
    return check
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw, checkOf)),
  )
  return {
    operations,
    resolve: ({ $ref, ...shape }) =>
      $ref === undefined ? shape : (components.schemas[nameOf($ref)] ?? shape),
    problem: checkOf({ $ref: '#/components/schemas/Problem' }),
  }
}

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1)

function compile(schema: Shape, components: object): Declared['problemOf'] {
  const validator = Schema.Compile({ ...schema, components } as never)
  return (value) => {
    if (validator.Check(value)) return undefined
    const [, errors] = validator.Errors(value)
    return errors.map(({ instancePath, message }) => `${instancePath || 'value'} ${message}`).join('; ')
  }
}

function operationOf(
  path: string,
  method: string,
  raw: RawOperation,
  checkOf: (schema: Shape | undefined) => Declared['problemOf'],
): Operation {
  const [type = '', content] = Object.entries(raw.requestBody?.content ?? {})[0] ?? []
  const responses = Object.entries(raw.responses).map(([status, response]) => {
    const types = Object.keys(response.content ?? {})
    const declared = Object.values(response.content ?? {})[0]
    const schemaName = declared?.schema?.$ref && nameOf(declared.schema.$ref)
    return [Number(status), { types, schemaName, problemOf: checkOf(declared?.schema) }] as const
  })
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    security: Object.keys(raw.security?.[0] ?? {})[0],
    parameters: raw.parameters ?? [],
    body: type === '' ? undefined : { schema: content?.schema, example: content?.example },
    responses: new Map(responses),
  }
}
