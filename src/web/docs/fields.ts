import { refName, type Schema } from './document.ts'

/** A documented member of an object. */
export interface Field {
  readonly name: string
  readonly type: string
  /** Name of the referenced object, which the page describes elsewhere. */
  readonly ref?: string
  readonly required: boolean
  readonly description?: string
  readonly values: readonly string[]
  readonly members: readonly Field[]
}

export function membersOf(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, member]) =>
    fieldOf(name, member, schema.required?.includes(name) ?? false),
  )
}

export function fieldOf(name: string, schema: Schema, required: boolean): Field {
  const inner = innermost(schema)
  const description = [schema.description ?? inner.description, limitsOf(inner)].filter(Boolean).join(' ')
  const ref = refName(inner)
  return {
    name,
    type: typeOf(schema, required),
    ...(ref ? { ref } : {}),
    required,
    ...(description ? { description } : {}),
    values: valuesOf(inner),
    members: membersOf(inner),
  }
}

const isNull = ({ type }: Schema): boolean => type === 'null'

/** For an optional member, null means the same as absent, so it is not listed. */
const variantsOf = (schema: Schema): readonly Schema[] =>
  schema.anyOf?.flatMap(variantsOf).filter((variant) => !isNull(variant)) ?? [schema]

/** The schema whose members are shown: without null and array wrappers. */
function innermost(schema: Schema): Schema {
  const variants = variantsOf(schema)
  const only = variants.length === 1 ? variants[0] : undefined
  if (only && only !== schema) return innermost(only)
  return schema.items ? innermost(schema.items) : schema
}

function typeOf(schema: Schema, required: boolean): string {
  const names = [...new Set(variantsOf(schema).map(plainType))]
  if (required && schema.anyOf?.some(isNull)) names.push('null')
  return names.join(' or ')
}

function plainType(schema: Schema): string {
  const ref = refName(schema)
  if (ref) return ref
  if (schema.items) return `array of ${typeOf(schema.items, false)}`
  if (schema.type === 'object' && schema.properties?.value) return '{ value }'
  if (schema.format === 'date-time') return 'instant'
  return schema.type ?? typeof (schema.const ?? schema.enum?.[0] ?? {})
}

function valuesOf(schema: Schema): string[] {
  const variants = variantsOf(schema)
  if (variants.every(({ const: value }) => value !== undefined))
    return variants.map((one) => String(one.const))
  return schema.enum?.map(String) ?? []
}

function limitsOf({ minLength, maxLength, minimum, maximum, maxItems }: Schema): string | undefined {
  if (maxItems !== undefined) return `At most ${maxItems} items.`
  if (maxLength !== undefined)
    return minLength ? `${minLength} to ${maxLength} characters.` : `At most ${maxLength} characters.`
  if (minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return undefined
  return `${minimum} to ${maximum}.`
}
