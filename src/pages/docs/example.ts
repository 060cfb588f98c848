import {
  type ApiDocument,
  contentOf,
  type Operation,
  type Parameter,
  refName,
  type Schema,
} from './document.ts'

/** What a request and its answer may look like: as the route says, else made up from the schema. */
export function requestExample({ components }: ApiDocument, operation: Operation): unknown {
  const { schema, example } = contentOf(operation.requestBody?.content) ?? {}
  if (example !== undefined) return example
  return schema && exampleOf(schema, { schemas: components.schemas, requiredOnly: true })
}

export function answerExample({ components }: ApiDocument, operation: Operation): unknown {
  const success = Object.keys(operation.responses).find((status) => status < '300') ?? '200'
  const { schema, example } = contentOf(operation.responses[success]?.content) ?? {}
  if (example !== undefined) return example
  return schema && exampleOf(schema, { schemas: components.schemas, requiredOnly: false })
}

interface How {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly requiredOnly: boolean
}

function exampleOf(schema: Schema, how: How): unknown {
  const ref = refName(schema)
  if (ref) return exampleOf(how.schemas[ref] ?? {}, how)
  const given = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, how)
  return byType(schema, how)
}

function byType(schema: Schema, how: How): unknown {
  switch (schema.type) {
    case 'object':
      return exampleObject(schema, how)
    case 'array':
      return schema.items ? [exampleOf(schema.items, how)] : []
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

function exampleObject({ properties = {}, required = [] }: Schema, how: How): object {
  const shown = Object.entries(properties).filter(([name]) => !how.requiredOnly || required.includes(name))
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member, how)]))
}

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

/** Which word of ours goes into the header, by who may call. */
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

export function curlExample(document: ApiDocument, operation: Operation): string {
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

/** Within single quotes of a shell. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''")

/** Who may call, by the name of the security scheme; undefined: anybody. */
export const schemeOf = ({ security }: Operation): string | undefined => Object.keys(security[0] ?? {})[0]

const filled = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (all, name: string) => EXAMPLE_PARAMETERS[name] ?? all)

function queryOf(parameters: readonly Parameter[]): string {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  return needed.length > 0 ? `?${needed.map(({ name }) => `${name}=…`).join('&')}` : ''
}
