import Type, { type TObject } from 'typebox'
import { ApiError, ERRORS, type ErrorCode } from '../base/errors.ts'
import { problemOf } from './problem.ts'
import type { Auth, Route } from './route.ts'

interface ApiInfo {
  readonly version: string
  readonly publicUrl: string
}

type Json = Record<string, unknown>

export type OpenApiDocument = Readonly<Json>

const DESCRIPTION = `Payments and customers of a self-hosted payment service.

Every path under \`/api/\` is also served under \`/api/v1/\`; both are the same. Bodies are JSON; unknown
members are ignored. Money is written in major units, as a number or as a decimal string; answers carry
numbers. Every answer has an \`X-Request-Id\`. Every POST honours \`Idempotency-Key\`: the same key with the
same request gets the first answer again, with \`Idempotent-Replayed: true\`. Errors are
\`application/problem+json\`.`

const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[]),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'Every bad field.',
      }),
    ),
    requestId: Type.String(),
    TypeName: Type.String({ description: 'The code in another spelling, for older clients.' }),
    Message: Type.String({ description: 'The same as `detail`, for older clients.' }),
  },
  { title: 'Problem' },
)

const TAGS: Readonly<Record<string, string>> = {
  Payments: 'Create, read and move payments.',
  Customers: 'Customers, their stored payment methods and their own panel.',
  App: "An app's settings.",
  'API keys': 'Create, rotate and revoke the keys of an app.',
  'Provider profiles': 'The provider accounts of an app.',
  Exports: 'Files of rows for spreadsheets, and their schedules.',
  Team: 'Members of a licence, their roles and second factor, and the person of a session.',
  Licences: 'Merchants, each with a sandbox app and a live app.',
  'Test helpers': "What a customer or a provider would do, for merchants' own tests. Sandbox apps only.",
  Providers: 'What providers call.',
  Service: 'Health and this description.',
}

const SECURITY: Readonly<Record<Auth, readonly Json[]>> = {
  app: [{ apiKey: [] }, { session: [] }],
  person: [{ session: [] }],
  operator: [{ operatorToken: [] }],
  license: [{ licenseCode: [] }],
  none: [],
}

const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the app named in the path.' },
  operatorToken: { type: 'http', scheme: 'bearer', description: 'The OPERATOR_TOKEN of the installation.' },
  session: { type: 'apiKey', in: 'cookie', name: '__Host-console', description: 'A session of the console.' },
  licenseCode: { type: 'http', scheme: 'bearer', description: 'The authorizationCode of the licence.' },
}

/** The OpenAPI 3.1 document of these routes. */
export function openApi(routes: readonly Route[], { version, publicUrl }: ApiInfo): OpenApiDocument {
  const shown = routes.filter((route) => !route.hidden)
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of shown) {
    const path = paths[route.path] ?? {}
    paths[route.path] = path
    path[route.method.toLowerCase()] = operation(route, schemas)
  }
  hoist(Problem, schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tender',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(shown.map((route) => route.tag))].map((name) => ({
      name,
      description: TAGS[name] ?? name,
    })),
    paths,
    components: { schemas, examples: refusalExamples(shown), securitySchemes: SECURITY_SCHEMES },
  }
}

function operation(route: Route, schemas: Json): Json {
  const parameters = [...pathParameters(route, schemas), ...queryParameters(route.query, schemas)]
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [route.tag],
    security: SECURITY[route.auth],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route, schemas),
    responses: { [route.status]: success(route, schemas), ...refusals(route) },
  }
}

/** `POST /api/apps/{appId}/payments/{paymentId}/capture` → `postPaymentsPaymentIdCapture` */
function operationId({ method, path }: Route): string {
  const words = path.replace(/^\/api\/apps\/\{appId\}/, '/app').match(/[A-Za-z0-9]+/g) ?? []
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

function pathParameters(route: Route, schemas: Json): Json[] {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  return names.map((name) => {
    const schema = route.params?.properties[name] ?? Type.String()
    return { name, in: 'path', required: true, schema: hoist(schema, schemas) }
  })
}

function queryParameters(query: TObject | undefined, schemas: Json): Json[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (query?.required as readonly string[] | undefined)?.includes(name) ?? false,
    ...('description' in schema ? { description: schema.description } : {}),
    schema: hoist(schema, schemas),
  }))
}

function requestBody(route: Route, schemas: Json): Json {
  if (route.rawBody) return { requestBody: { content: { '*/*': {} } } }
  if (!route.body) return {}
  const example = route.examples?.body
  const required = 'required' in route.body
  const content = { schema: hoist(route.body, schemas), ...(example === undefined ? {} : { example }) }
  return { requestBody: { required, content: { 'application/json': content } } }
}

function success(route: Route, schemas: Json): Json {
  const headers = Object.entries(route.responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const example = route.examples?.response
  const types = [route.contentType ?? 'application/json', ...(route.otherContentTypes ?? [])]
  return {
    description: route.status === 201 ? 'Created.' : 'Done.',
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(route.response && { content: contentOf(types, hoist(route.response, schemas), example) }),
  }
}

const contentOf = (types: readonly string[], schema: unknown, example: unknown): Json =>
  Object.fromEntries(
    types.map((type) => [type.split(';')[0], { schema, ...(example === undefined ? {} : { example }) }]),
  )

/** The errors of a route: its own, and those that follow from its credentials and inputs. */
function refusalCodes(route: Route): readonly ErrorCode[] {
  // Every path, query and key is checked for card numbers.
  const codes: ErrorCode[] = ['malformed_request', 'card_number_not_allowed', ...(route.errors ?? [])]
  if (route.auth === 'app')
    codes.push('unauthorized', 'forbidden', 'key_scope', 'app_blocked', 'too_many_requests')
  if (route.auth !== 'app' && route.auth !== 'none') codes.push('unauthorized', 'too_many_requests')
  if (route.body || route.query) codes.push('invalid_request')
  if (route.body) codes.push('payload_too_large', 'unsupported_media_type')
  if (route.method === 'POST' && route.auth === 'app')
    codes.push('idempotency_key_in_use', 'idempotency_key_reused')
  if (route.auth !== 'none') codes.push('unavailable', 'internal_error')
  return [...new Set(codes)]
}

function refusals(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of refusalCodes(route)) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(sorted.map(([status, codes]) => [status, problemResponse(codes)]))
}

const RETRY_AFTER = {
  'Retry-After': {
    description:
      'Seconds to wait before the same request is sent again. Sent when the refusal passes by itself.',
    schema: { type: 'integer' },
  },
}

function problemResponse(codes: readonly ErrorCode[]): Json {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].help}`).join('\n\n'),
    ...(codes.some((code) => 'transient' in ERRORS[code]) ? { headers: RETRY_AFTER } : {}),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** Shared by all routes; repeated, they would be most of the document. */
function refusalExamples(routes: readonly Route[]): Json {
  const codes = [...new Set(routes.flatMap(refusalCodes))].sort()
  return Object.fromEntries(
    codes.map((code) => [code, { summary: ERRORS[code].title, value: example(code) }]),
  )
}

const example = (code: ErrorCode): object =>
  problemOf(new ApiError(code, `${ERRORS[code].title}.`), 'req_4s1kz6ab0t9w2yq7nm3d')

/** Members of a schema that hold values, not schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples'])

/** A schema for the document: internal keywords removed, titled schemas moved to the components. */
function hoist(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { title } = schema as { title?: unknown }
  if (typeof title === 'string' && title in schemas) return { $ref: `#/components/schemas/${title}` }
  const entries = Object.entries(schema).filter(([key]) => key !== 'expected' && !key.startsWith('~'))
  const clean = Object.fromEntries(
    entries.map(([key, value]) => [key, DATA.has(key) ? value : hoist(value, schemas)]),
  )
  if (typeof title !== 'string') return clean
  schemas[title] = clean
  return { $ref: `#/components/schemas/${title}` }
}
