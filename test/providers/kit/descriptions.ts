import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { APIS, type Description } from './apis.ts'
import { parseBrackets } from './form.ts'
import {
  type Conversion,
  converted,
  type Direction,
  type Document,
  type Operation,
  operationsOf,
  type Schema,
} from './openapi.ts'

/**
 * The official API descriptions of the providers judge what we send and what the simulators answer. They are
 * not part of the project: where the folder is missing, the tests are skipped and the run says so.
 */
export const FOLDER =
  process.env.PROVIDER_DESCRIPTIONS ?? join(import.meta.dirname, '../../../../shared/providers')

export const DESCRIBED = Object.keys(APIS)
export const hasDescriptions = existsSync(FOLDER)
export const NO_DESCRIPTIONS =
  'left out: the API descriptions of the providers are not there (PROVIDER_DESCRIPTIONS names their folder)'

/** The values of an enumeration in a description, by the path of the schema that has it. */
export function enumerationIn(file: string, ...path: readonly string[]): readonly string[] {
  const found = path.reduce<unknown>(
    (at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name],
    readDescription({ file }),
  )
  return (found as { readonly enum?: readonly string[] } | undefined)?.enum ?? []
}

export interface JudgedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface JudgedReply {
  readonly status: number
  /** As parsed. Undefined: there was none. */
  readonly body: unknown
}

/** What is wrong with a request. Empty: nothing. */
export function judgeRequest(provider: string, request: JudgedRequest): string[] {
  const found = find(provider, request, 'request')
  if (found === 'undescribed') return []
  if (!found) return [`${request.method} ${request.path}: the description has no such operation`]
  const problems = [...parameterProblems(found, request), ...bodyProblems(found, request)]
  return problems.map((problem) => `${request.method} ${found.operation.path}: ${problem}`)
}

/** What is wrong with the reply to a request. Errors with a status that is not described are not judged. */
export function judgeReply(provider: string, request: JudgedRequest, reply: JudgedReply): string[] {
  const found = find(provider, request, 'reply')
  if (!found || found === 'undescribed') return []
  const { judge, operation } = found
  const { status, body } = reply
  const described = operation.replies[status] ?? operation.replies.default
  const where = `${operation.method} ${operation.path} ${status}`
  if (!described) return status >= 400 ? [] : [`${where}: the status is not described`]
  const schema = described.content?.['application/json']?.schema
  if (!schema) return body === undefined || status >= 400 ? [] : [`${where}: a body is not described`]
  const validate = judge.compile(schema, replyOf(judge))
  return validate(structuredClone(body)) ? [] : problemsOf(validate).map((problem) => `${where}: ${problem}`)
}

/** Compiles every schema that judges. Throws if one does not compile. Returns how many there are. */
export function compileAll(provider: string): number {
  const all = judgesOf(provider)
  return all.flatMap((judge) =>
    judge.operations.flatMap((operation) => {
      const schemas = []
      const isFirst = (direction: Direction) => {
        const found = find(provider, { ...operation, headers: {}, body: '' }, direction)
        return typeof found === 'object' && found.operation === operation
      }
      if (isFirst('request')) schemas.push(...requestSchemas(judge, operation))
      if (isFirst('reply')) schemas.push(...replySchemas(judge, operation))
      return schemas
    }),
  ).length
}

function requestSchemas(judge: Judge, { method, parameters, body }: Operation): ValidateFunction[] {
  const contents = method === 'GET' ? [] : Object.entries(body?.content ?? {})
  return [
    ...parameters.flatMap(({ schema }) => (schema ? [judge.compile(schema, PARAMETER)] : [])),
    ...contents.flatMap(([type, { schema }]) => (schema ? [judge.compile(schema, bodyOf(type))] : [])),
  ]
}

const replySchemas = (judge: Judge, { replies }: Operation): ValidateFunction[] =>
  Object.values(replies).flatMap(({ content }) => {
    const schema = content?.['application/json']?.schema
    return schema ? [judge.compile(schema, replyOf(judge))] : []
  })

// ---- one description --------------------------------------------------------------------------------------

interface How {
  readonly direction: Direction
  readonly isClosed: boolean
  /** Texts become numbers and booleans: forms and queries have only texts. */
  readonly coerce: boolean | 'array'
}

const PARAMETER: How = { direction: 'request', isClosed: false, coerce: 'array' }
const bodyOf = (type: string): How => ({ direction: 'request', isClosed: true, coerce: isForm(type) })
const replyOf = ({ isOld = false }: Description): How => ({
  direction: 'reply',
  isClosed: !isOld,
  coerce: false,
})

interface Judge extends Description {
  readonly operations: readonly Operation[]
  compile(schema: Schema, how: How): ValidateFunction
}

interface Found {
  readonly judge: Judge
  readonly operation: Operation
  readonly path: string
}

const judges = new Map<string, readonly Judge[]>()

function judgesOf(provider: string): readonly Judge[] {
  const known = judges.get(provider)
  if (known) return known
  const api = APIS[provider]
  if (!api) throw new Error(`${provider} has no description`)
  const made = api.descriptions.map(createJudge)
  judges.set(provider, made)
  return made
}

/** A description as it is written. */
export const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

function readDescription({ file, lacks = [] }: Description): Document {
  const document = JSON.parse(textOf(file)) as Document
  const added = Object.fromEntries(lacks.map((name) => [name, {}]))
  const schemas = { ...added, ...document.components?.schemas }
  return { ...document, components: { ...document.components, schemas } }
}

function createJudge(description: Description): Judge {
  const document = readDescription(description)
  const compilers = new Map<string, (schema: Schema) => ValidateFunction>()
  return {
    ...description,
    operations: operationsOf(document),
    compile(schema, how) {
      const kind = JSON.stringify(how)
      const compile = compilers.get(kind) ?? createCompiler(document, how)
      compilers.set(kind, compile)
      return compile(schema)
    },
  }
}

function createCompiler(document: Document, { direction, isClosed, coerce }: How) {
  // Patterns of some descriptions are valid only without the u flag.
  const ajv = new Ajv2020({
    ...{ strict: false, unicodeRegExp: false, logger: false, coerceTypes: coerce },
    // Compiling takes longer than judging.
    ...{ inlineRefs: false, code: { optimize: false } },
  })
  addFormats.default(ajv)
  const added = new Set<string>()
  function address(component: string, isWhole: boolean): string {
    const url = `https://description.test/${isWhole ? 'whole' : 'part'}/${encodeURIComponent(component)}`
    if (added.has(url)) return url
    added.add(url)
    const schema = document.components?.schemas?.[component]
    if (!schema) throw new Error(`there is no schema ${component}`)
    ajv.addSchema(converted(conversion, schema, isWhole) as AnySchema, url)
    return url
  }
  const conversion: Conversion = { document, direction, isClosed, address }
  const compiled = new WeakMap<Schema, ValidateFunction>()
  return (schema: Schema): ValidateFunction => {
    const validate = compiled.get(schema) ?? ajv.compile(converted(conversion, schema, true) as AnySchema)
    compiled.set(schema, validate)
    return validate
  }
}

function find(provider: string, { method, path }: JudgedRequest, direction: Direction) {
  const api = APIS[provider]
  const [bare = ''] = path.split('?')
  const [from, to] = api?.alias ?? [/^$/, '']
  for (const wanted of [bare, bare.replace(from, to)])
    for (const judge of judgesOf(provider)) {
      if (judge.judges !== undefined && judge.judges !== direction) continue
      const operation = best(judge.operations, method, wanted)
      if (operation) return { judge, operation, path: wanted }
    }
  return api?.undescribed?.test(bare) ? ('undescribed' as const) : undefined
}

/** `/payments/cancel` is not `/payments/{id}`: the operation with the fewest variable parts. */
function best(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  const parts = path.split('/')
  const fits = (operation: Operation) => {
    const own = operation.path.split('/')
    return (
      own.length === parts.length && own.every((part, place) => isVariable(part) || part === parts[place])
    )
  }
  const variables = ({ path: own }: Operation) => own.split('/').filter(isVariable).length
  return operations
    .filter((operation) => operation.method === method && fits(operation))
    .sort((one, other) => variables(one) - variables(other))[0]
}

const isVariable = (part: string): boolean => part.startsWith('{')
const isForm = (type: string): boolean => type === 'application/x-www-form-urlencoded'

function parameterProblems({ judge, operation, path }: Found, request: JudgedRequest): string[] {
  const query = parseBrackets(request.path.split('?')[1] ?? '')
  const template = operation.path.split('/')
  const given = ({ in: where, name }: Operation['parameters'][number]): unknown => {
    if (where === 'query') return query[name.replace(/\[\]$/, '')]
    if (where === 'header') return request.headers[name.toLowerCase()]
    return decodeURIComponent(path.split('/')[template.indexOf(`{${name}}`)] ?? '')
  }
  const declared = operation.parameters.filter(({ in: where }) => where === 'query')
  const names = declared.map(({ name }) => name.replace(/\[\]$/, ''))
  const unknown = Object.keys(query).filter((name) => !names.includes(name))
  const wrong = operation.parameters.flatMap((parameter) => {
    const value = given(parameter)
    if (value === undefined)
      return parameter.required ? [`the ${parameter.in} ${parameter.name} is missing`] : []
    if (!parameter.schema) return []
    const validate = judge.compile(parameter.schema, PARAMETER)
    const isValid = validate(value)
    return isValid
      ? []
      : problemsOf(validate).map((problem) => `${parameter.in} ${parameter.name}: ${problem}`)
  })
  return [...unknown.map((name) => `the query ${name} is not described`), ...wrong]
}

function bodyProblems({ judge, operation }: Found, request: JudgedRequest): string[] {
  const { method, body, headers } = request
  const described = method === 'GET' ? undefined : operation.body
  if (body === '') return described?.required ? ['the body is missing'] : []
  // An empty object has no members that could be wrong.
  if (!described) return body === '{}' ? [] : ['a body is not described']
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
  const schema = described.content?.[type]?.schema
  if (!schema) return [`the content type ${type} is not described`]
  const value = isForm(type) ? parseBrackets(body) : parsed(body)
  const validate = judge.compile(schema, bodyOf(type))
  return validate(value) ? [] : problemsOf(validate)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const problemsOf = ({ errors }: ValidateFunction): string[] =>
  (errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
