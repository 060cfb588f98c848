import { type JsonSchema, referenced } from './model.ts'
import { COLUMNS, wrapped } from './text.ts'

/** The declaration of a schema as an exported type. */
export function declaration(name: string, schema: JsonSchema): string {
  const about = comment(schema.description, '')
  if (isPlainObject(schema)) return `${about}export interface ${name} ${typeOf(schema)}`
  const type = typeOf(schema)
  const line = `export type ${name} = ${type}`
  return (
    about + (line.length > COLUMNS && isUnion(type) ? `export type ${name} =${broken(type, '  ')}` : line)
  )
}

const isPlainObject = ({ properties, additionalProperties }: JsonSchema): boolean =>
  properties !== undefined && Object.keys(properties).length > 0 && !additionalProperties

/** The TypeScript type of a schema. */
export function typeOf(schema: JsonSchema, indent = ''): string {
  if (schema.$ref) return referenced(schema)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return unique(schema.anyOf.map((one) => typeOf(one, indent))).join(' | ')
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, indent))
  if (schema.type === 'object') return objectType(schema, indent)
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

function objectType(schema: JsonSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const isOptional = !required.includes(name)
    const type = typeOf(member, inner)
    return (
      comment(member.description, inner) + memberLine(`${inner}${key}${isOptional ? '?' : ''}:`, type, inner)
    )
  })
  if (typeof additionalProperties === 'object')
    lines.push(`${inner}[name: string]: ${typeOf(additionalProperties, inner)}`)
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
