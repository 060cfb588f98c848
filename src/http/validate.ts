import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { FieldError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { type Expected, fieldError, type Mistake } from '../base/mistakes.ts'
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
  const mistakes = new Map<string, Mistake>()
  for (const { path, maxItems } of tooLong)
    mistakes.set(fieldName(path) || 'body', { code: 'expected', what: describe({ type: 'array', maxItems }) })
  for (const error of raw) {
    if (!isRelevant(schema, error)) continue
    const path = pointerParts(error.instancePath)
    if (error.keyword === 'required') {
      const { requiredProperties } = error.params as { requiredProperties: readonly string[] }
      for (const property of requiredProperties)
        mistakes.set(fieldName([...path, property]), { code: 'required' })
    } else {
      const field = fieldName(path) || 'body'
      const what = describe(at(schema, error.schemaPath))
      if (!mistakes.has(field)) mistakes.set(field, { code: 'expected', what })
    }
  }
  return [...mistakes].slice(0, LIMITS.listedErrors).map(([field, mistake]) => fieldError(field, mistake))
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

/** The JSON Schema keywords used by wire schemas, and `expected`, the name of what they describe. */
interface Shape {
  readonly expected?: string | Expected
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

/** The expected value, or several alternatives. */
function describe(shape: Shape): readonly Expected[] {
  const { expected } = shape
  if (expected !== undefined) return [typeof expected === 'string' ? { code: expected } : expected]
  // Null means absent on the wire and is not mentioned.
  if (shape.anyOf) return shape.anyOf.filter(({ type }) => type !== 'null').flatMap(describe)
  if (shape.enum) return [{ code: 'oneOf', values: { choices: shape.enum.join(', ') } }]
  if ('const' in shape) return [{ code: JSON.stringify(shape.const) }]
  return [describeType(shape)]
}

function describeType(shape: Shape): Expected {
  const { type, minLength = 0, maxLength, minimum, maximum, maxItems } = shape
  if (type === 'string') return inBounds('text', minLength > 0 ? minLength : undefined, maxLength)
  if (type === 'integer' || type === 'number') return inBounds(type, minimum, maximum)
  if (type === 'array') return inBounds('list', undefined, maxItems)
  return { code: type ?? 'valid' }
}

/** A text without an upper bound is only a text. */
function inBounds(kind: string, least: number | undefined, most: number | undefined): Expected {
  if (least !== undefined && most !== undefined) return { code: `${kind}FromTo`, values: { least, most } }
  if (most !== undefined) return { code: `${kind}UpTo`, values: { most } }
  return least === undefined || kind === 'text' ? { code: kind } : { code: `${kind}From`, values: { least } }
}
