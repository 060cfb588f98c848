import type { TSchema } from 'typebox'
import { inspectCards } from '../inspect.ts'

/** The JSON Schema keywords that say which members a value has. */
interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
  readonly maxLength?: number
  readonly maxItems?: number
}

/** What is looked at in a value: everything, or the members and items that the schema names. */
interface Known {
  readonly isWhole: boolean
  /** Longer texts and arrays are refused by the validation, whatever they hold. */
  readonly maxLength: number
  readonly maxItems: number
  readonly members: ReadonlyMap<string, Known>
  readonly items: Known | undefined
}

const ANY = Number.POSITIVE_INFINITY
const WHOLE: Known = { isWhole: true, maxLength: ANY, maxItems: ANY, members: new Map(), items: undefined }
/** The longest text where a number or one of a few words is expected. */
const WRONG_TYPE_LENGTH = 64

type Path = readonly (string | number)[]

const known = new WeakMap<TSchema, Known>()

/**
 * Refuses card numbers in the members that the schema knows. Others are ignored: they are not stored,
 * and logs mask them. Lengths come first: a text or an array that is too long is left to the validation.
 * Decision 0145.
 */
export function refuseCards(schema: TSchema, value: unknown): void {
  inspect(knownIn(schema), value, [])
}

/** A valid value without the members that the schema does not know: so what is stored was inspected. */
export const withoutUnknown = (schema: TSchema, value: unknown): unknown => pruned(knownIn(schema), value)

function knownIn(schema: TSchema): Known {
  const found = known.get(schema) ?? knownOf(schema as Shape)
  known.set(schema, found)
  return found
}

/** Copies only where something is left out. */
function pruned(at: Known, value: unknown): unknown {
  if (at.isWhole || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = at.items ? value.map((item) => pruned(at.items ?? WHOLE, item)) : value
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  let isSame = true
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const known = at.members.get(key)
    if (known) kept[key] = pruned(known, member)
    isSame &&= known !== undefined && kept[key] === member
  }
  return isSame ? value : kept
}

function inspect(at: Known, value: unknown, path: Path): void {
  if (typeof value === 'string' && value.length > at.maxLength) return
  if (at.isWhole || typeof value !== 'object' || value === null) {
    inspectCards(value, path)
    return
  }
  if (Array.isArray(value)) {
    const { items, maxItems } = at
    if (items && value.length <= maxItems)
      for (const [index, item] of value.entries()) inspect(items, item, [...path, index])
    return
  }
  for (const [key, member] of at.members) {
    const own = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
    if (own !== undefined) inspect(member, own, [...path, key])
  }
}

function knownOf(shape: Shape): Known {
  const { type, properties = {}, items, anyOf = [], allOf = [], maxItems = ANY } = shape
  const alternatives = [...anyOf, ...allOf].map(knownOf)
  if (isOpen(shape) || alternatives.some(({ isWhole }) => isWhole)) return WHOLE
  const members = new Map(Object.entries(properties).map(([key, member]) => [key, knownOf(member)]))
  const maxLength = type === 'string' ? (shape.maxLength ?? ANY) : WRONG_TYPE_LENGTH
  const own: Known = { isWhole: false, maxLength, maxItems, members, items: items && knownOf(items) }
  return alternatives.reduce(merged, own)
}

/** A value whose members the schema does not name may be kept as it comes. */
function isOpen({ type, properties, anyOf, allOf, items, ...shape }: Shape): boolean {
  if (shape.patternProperties || shape.additionalProperties) return true
  if (type === 'object') return properties === undefined || Object.keys(properties).length === 0
  if (type === 'array') return items === undefined
  return type === undefined && !anyOf && !allOf && !('const' in shape) && !('enum' in shape)
}

function merged(one: Known, other: Known): Known {
  const members = new Map(one.members)
  for (const [key, member] of other.members) {
    const before = members.get(key)
    members.set(key, before ? merged(before, member) : member)
  }
  const items = one.items && other.items ? merged(one.items, other.items) : (one.items ?? other.items)
  const maxLength = Math.max(one.maxLength, other.maxLength)
  const maxItems =
    one.items && other.items
      ? Math.max(one.maxItems, other.maxItems)
      : one.items
        ? one.maxItems
        : other.maxItems
  return { isWhole: one.isWhole || other.isWhole, maxLength, maxItems, members, items }
}
