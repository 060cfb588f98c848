import { MEMBER_TYPES } from './names.ts'

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
  readonly maxLength?: number
}

const COLUMNS = 110

/** The declaration of a schema as an exported type. */
export function declaration(name: string, schema: JsonSchema): string {
  const about = comment(schema.description, '')
  if (isPlainObject(schema)) return `${about}export interface ${name} ${typeOf(schema, name)}`
  const type = typeOf(schema, name)
  const line = `export type ${name} = ${type}`
  return (
    about + (line.length > COLUMNS && isUnion(type) ? `export type ${name} =${broken(type, '  ')}` : line)
  )
}

const isPlainObject = ({ properties, additionalProperties }: JsonSchema): boolean =>
  properties !== undefined && Object.keys(properties).length > 0 && !additionalProperties

/** The TypeScript type of a schema; `place` names it, as in `Event.payment`. */
export function typeOf(schema: JsonSchema, place: string, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return unique(schema.anyOf.map((one) => typeOf(one, place, indent))).join(' | ')
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, place, indent))
  if (schema.type === 'object') return objectType(schema, place, indent)
  return PRIMITIVES[schema.type ?? ''] ?? 'unknown'
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** `true | false` is the same type as `boolean`. */
function unique(types: readonly string[]): string[] {
  const parts = new Set(types.flatMap((type) => (isUnion(type) ? type.split(' | ') : [type])))
  if (parts.has('string')) for (const part of parts) if (part.startsWith("'")) parts.delete(part)
  return [...parts]
}

/** Whether the type is a union of names and literals, without braces or brackets. */
const isUnion = (type: string): boolean => type.includes(' | ') && !/[{}()[\]]/.test(type)

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

const arrayOf = (type: string): string =>
  / \| /.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`

function objectType(schema: JsonSchema, place: string, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const isOptional = !required.includes(name)
    const path = `${place}.${name}`
    const type = MEMBER_TYPES[path] ?? typeOf(member, path, inner)
    return (
      comment(member.description, inner) + memberLine(`${inner}${key}${isOptional ? '?' : ''}:`, type, inner)
    )
  })
  if (typeof additionalProperties === 'object')
    lines.push(`${inner}[name: string]: ${typeOf(additionalProperties, place, inner)}`)
  else if (additionalProperties || lines.length === 0) lines.push(`${inner}[name: string]: unknown`)
  return `{\n${lines.join('\n')}\n${indent}}`
}

const memberLine = (start: string, type: string, indent: string): string =>
  start.length + type.length + 1 > COLUMNS && isUnion(type)
    ? start + broken(type, `${indent}  `)
    : `${start} ${type}`

const broken = (union: string, indent: string): string =>
  union
    .split(' | ')
    .map((part) => `\n${indent}| ${part}`)
    .join('')

/** A doc comment, wrapped. */
export function comment(text: string | undefined, indent: string): string {
  if (!text) return ''
  const words = text.replaceAll('*/', '* /').split(/\s+/)
  const oneLine = `${indent}/** ${words.join(' ')} */\n`
  if (oneLine.length <= COLUMNS + 1) return oneLine
  return `${indent}/**\n${wrapped(words, `${indent} * `).join('\n')}\n${indent} */\n`
}

function wrapped(words: readonly string[], start: string): string[] {
  const lines: string[] = []
  let line = start.trimEnd()
  for (const word of words) {
    if (line.length + word.length + 1 > COLUMNS) {
      lines.push(line)
      line = start.trimEnd()
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
