import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { FieldError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { type Clipped, createClip } from './content/bounds.ts'
import { fieldName } from './inspect.ts'

/** More than the fields listed, as each alternative of a union has its own errors. */
Settings.Set({ maxErrors: 200 })

/** Returns the invalid fields of a value. Unknown members are ignored. */
export type Check = (value: unknown) => readonly FieldError[]

const NONE: readonly FieldError[] = []

const compiled = new WeakMap<TSchema, Check>()

/**
 * Compiled on first use, once for each schema: the start does not compile a hundred schemas, and several
 * servers in one process share them.
 */
export const createCheck =
  (schema: TSchema): Check =>
  (value) =>
    (compiled.get(schema) ?? compile(schema))(value)

function compile(schema: TSchema): Check {
  const validator = Compile(schema)
  const clip = createClip(schema)
  const check: Check = (value) => {
    const clipped = clip(value)
    if (clipped.tooLong.length === 0 && validator.Check(value)) return NONE
    return fieldErrors(schema, clipped, validator.Errors(clipped.value))
  }
  compiled.set(schema, check)
  return check
}

interface RawError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: object
}

function fieldErrors(schema: TSchema, { tooLong }: Clipped, raw: readonly RawError[]): FieldError[] {
  const messages = new Map<string, string>()
  for (const { path, maxItems } of tooLong)
    messages.set(fieldName(path) || 'body', `must be ${describe({ type: 'array', maxItems })}`)
  for (const error of raw) {
    if (!isRelevant(schema, error)) continue
    const path = pointerParts(error.instancePath)
    if (error.keyword === 'required') {
      const { requiredProperties } = error.params as { requiredProperties: readonly string[] }
      for (const property of requiredProperties) messages.set(fieldName([...path, property]), 'is required')
    } else {
      const field = fieldName(path) || 'body'
      if (!messages.has(field)) messages.set(field, `must be ${describe(at(schema, error.schemaPath))}`)
    }
  }
  return [...messages].slice(0, LIMITS.listedErrors).map(([field, message]) => ({ field, message }))
}

/**
 * Each alternative of a union reports errors, so only the error of the union itself is relevant. Where the
 * other alternative is null it is the reverse: the inner errors say more than "must be an object".
 */
function isRelevant(schema: TSchema, { keyword, schemaPath }: RawError): boolean {
  const unions = [...schemaPath.matchAll(/\/anyOf\/(\d+)/g)]
  const inMaybes = unions.every(
    ({ index, 1: branch }) => branch === '0' && isMaybe(at(schema, schemaPath.slice(0, index))),
  )
  if (!inMaybes) return false
  return keyword !== 'anyOf' || !isMaybe(at(schema, schemaPath))
}

const isMaybe = ({ anyOf }: Shape): boolean => anyOf?.length === 2 && anyOf[1]?.type === 'null'

const pointerParts = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

/** The JSON Schema keywords used by wire schemas, and `expected`, their description in words. */
interface Shape {
  readonly expected?: string
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

function at(schema: TSchema, schemaPath: string): Shape {
  let here: unknown = schema
  for (const part of schemaPath.split('/').slice(1)) here = (here as Record<string, unknown>)[part]
  return here as Shape
}

/** The expected value in words: "a string of 1 to 200 characters". */
function describe(shape: Shape): string {
  if (shape.expected) return shape.expected
  if (shape.anyOf) return describeUnion(shape.anyOf)
  if (shape.enum) return `one of ${shape.enum.join(', ')}`
  if ('const' in shape) return JSON.stringify(shape.const)
  const [low, high] = [shape.minLength ?? 0, shape.maxLength]
  if (shape.type === 'string')
    return high === undefined
      ? 'a string'
      : `a string of ${low > 0 ? `${low} to` : 'at most'} ${high} characters`
  if (shape.type === 'integer') return `an integer${bounds(shape)}`
  if (shape.type === 'number') return `a number${bounds(shape)}`
  if (shape.type === 'boolean') return 'true or false'
  if (shape.type === 'array')
    return shape.maxItems === undefined ? 'an array' : `an array of at most ${shape.maxItems} items`
  return shape.type === 'object' ? 'an object' : (shape.type ?? 'valid')
}

/** Null means absent on the wire and is not mentioned. */
function describeUnion(shapes: readonly Shape[]): string {
  const words = shapes.filter((shape) => shape.type !== 'null').map(describe)
  return [...new Set(words)].join(', or ')
}

function bounds({ minimum, maximum }: Shape): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}
