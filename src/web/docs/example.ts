import {
  type ApiDocument,
  type ApiOperation,
  contentOf,
  type Parameter,
  refName,
  type Schema,
} from './document.ts'

/** Example request and response: from the route, else generated from the schema. */
export function requestExample({ components }: ApiDocument, operation: ApiOperation): unknown {
  const { schema, example } = contentOf(operation.requestBody?.content) ?? {}
  if (example !== undefined) return example
  return schema && exampleOf(schema, { schemas: components.schemas, requiredOnly: true })
}

export function answerExample({ components }: ApiDocument, operation: ApiOperation): unknown {
  const success = Object.keys(operation.responses).find((status) => status < '300') ?? '200'
  const { schema, example } = contentOf(operation.responses[success]?.content) ?? {}
  if (example !== undefined) return example
  return schema && exampleOf(schema, { schemas: components.schemas, requiredOnly: false })
}

interface ExampleOptions {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly requiredOnly: boolean
}

function exampleOf(schema: Schema, options: ExampleOptions): unknown {
  const ref = refName(schema)
  if (ref) return exampleOf(options.schemas[ref] ?? {}, options)
  const given = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, options)
  return byType(schema, options)
}

function byType(schema: Schema, options: ExampleOptions): unknown {
  switch (schema.type) {
    case 'object':
      return exampleObject(schema, options)
    case 'array':
      return schema.items ? [exampleOf(schema.items, options)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return schema.format === 'date-time' ? '2030-01-31T12:00:00.000Z' : '…'
  }
}

function exampleObject({ properties = {}, required = [] }: Schema, options: ExampleOptions): object {
  const shown = Object.entries(properties).filter(
    ([name]) => !options.requiredOnly || required.includes(name),
  )
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member, options)]))
}

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

/** Placeholder for the bearer token, by security scheme. */
const TOKENS: Readonly<Record<string, string>> = {
  apiKey: '$API_KEY',
  operatorToken: '$OPERATOR_TOKEN',
  licenseCode: '$AUTHORIZATION_CODE',
}

const EXAMPLE_PARAMETERS: Readonly<Record<string, string>> = {
  appId: '$APP_ID',
  paymentId: '10001',
  referenceId: 'order-10042',
  customerId: 'dana',
}

export function curlExample(document: ApiDocument, operation: ApiOperation): string {
  const { method, path, parameters = [] } = operation
  const scheme = schemeOf(operation)
  const body = requestExample(document, operation)
  const address = `${document.servers[0]?.url ?? ''}${filled(path)}${queryOf(parameters)}`
  const isImplied = method === (body === undefined ? 'GET' : 'POST')
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"${address}"`,
    ...(scheme ? [`-H "Authorization: Bearer ${TOKENS[scheme] ?? '$TOKEN'}"`] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${quoted(pretty(body))}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** Escapes text for a single-quoted shell string. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''")

/** Name of the required security scheme; undefined for public operations. */
export const schemeOf = ({ security }: ApiOperation): string | undefined => Object.keys(security[0] ?? {})[0]

const filled = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (all, name: string) => EXAMPLE_PARAMETERS[name] ?? all)

function queryOf(parameters: readonly Parameter[]): string {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  return needed.length > 0 ? `?${needed.map(({ name }) => `${name}=…`).join('&')}` : ''
}
